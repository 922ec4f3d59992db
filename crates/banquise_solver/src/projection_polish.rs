//! Newton's method on the natural map of convex bounds with friction, from impulses near a solution.
//!
//! Each contact is in a state: open, held (its velocity is the bound), or, for friction, sliding, with an impulse that follows from that of its contact. The equations of given states are linear. They are solved for
//! corrections of the velocities of bodies, with a small compliance of rigid rows, since redundant ones make the equations singular; repeating the correction takes the effect of the compliance out (iterative refinement).

use crate::block_lu::BlockLu;
use crate::projection_friction::limit_friction;
use crate::projection_newton::Newton;
use crate::projection_rows::{BoundKind, ConvexBound, Row, RowState};

/// Compliances of rigid rows in the equations of a correction, as shares of their inverse effective mass [–], one after the other where corrections gain nothing more. The smaller, the fewer corrections,
/// and the more digits the factors lose; where contacts are nearly redundant, the first is as large as what they leave of each other, and takes out a part of the error only.
const COMPLIANCES: [f64; 3] = [1e-7, 1e-9, 1e-11];
/// Corrections at most with one compliance, and those in a row that do not improve the residual. Three are usual.
const CORRECTIONS: usize = 30;
const FUTILE: usize = 6;

/// Corrects impulses until their residual is at most `target`, or corrections gain nothing more. Returns the best impulses with their residual; the rows have the bounds of friction that follow from them.
pub(crate) fn polish_impulses(
    newton: &mut Newton<'_>,
    rows: &mut [Row],
    bounds: &[ConvexBound],
    start: &[f64],
    target: f64,
) -> (f64, Vec<f64>) {
    limit_friction(rows, bounds, start);
    let mut best = (newton.residual_of(rows, start), start.to_vec());
    for compliance in COMPLIANCES {
        correct_often(newton, (&mut *rows, bounds), compliance, target, &mut best);
    }
    limit_friction(rows, bounds, &best.1);
    best
}

/// Corrects the best impulses with one compliance, while that gains anything.
fn correct_often(
    newton: &mut Newton<'_>,
    (rows, bounds): (&mut [Row], &[ConvexBound]),
    compliance: f64,
    target: f64,
    best: &mut (f64, Vec<f64>),
) {
    let mut impulses = best.1.clone();
    let mut futile = 0;
    for _ in 0..CORRECTIONS {
        if best.0 <= target || futile > FUTILE || newton.must_end() {
            break;
        }
        limit_friction(rows, bounds, &impulses);
        let states = states_of(newton, rows, bounds, &impulses);
        snap(rows, bounds, &states, &mut impulses);
        let Some(corrected) = correct(newton, rows, &states, &impulses, compliance) else {
            break;
        };
        impulses = corrected;
        snap(rows, bounds, &states, &mut impulses);
        limit_friction(rows, bounds, &impulses);
        let residual = newton.residual_of(rows, &impulses);
        if residual < 0.5 * best.0 {
            futile = 0;
        } else {
            futile += 1;
        }
        if residual < best.0 {
            *best = (residual, impulses.clone());
        }
    }
}

/// States by the natural map: a row is held where a step against its velocity stays within its bounds.
fn states_of(
    newton: &Newton<'_>,
    rows: &[Row],
    bounds: &[ConvexBound],
    impulses: &[f64],
) -> Vec<RowState> {
    let added = newton.velocities(impulses);
    let held = |row: usize| {
        let own = &rows[row];
        let velocity = own.free + added[row] + own.compliance * impulses[row];
        own.inv_mass * impulses[row] - velocity
    };
    let states = (0..rows.len()).map(|row| {
        let (own, towards) = (&rows[row], held(row));
        match bounds[row].kind {
            BoundKind::Friction {
                of, coefficient, ..
            } => {
                let is_open = held(of) <= rows[of].inv_mass * rows[of].least_impulse;
                if own.most_impulse == 0.0 || is_open {
                    RowState::Open
                } else if towards.abs() < own.inv_mass * own.most_impulse {
                    RowState::Held
                } else {
                    let share = coefficient.copysign(towards);
                    RowState::Slides { of, share }
                }
            }
            _ if towards > own.inv_mass * own.least_impulse => RowState::Held,
            _ => RowState::Open,
        }
    });
    states.collect()
}

/// Gives rows that are not held the impulses of their states.
fn snap(rows: &[Row], bounds: &[ConvexBound], states: &[RowState], impulses: &mut [f64]) {
    for (row, state) in states.iter().enumerate() {
        let BoundKind::Friction { free, .. } = bounds[row].kind else {
            if *state == RowState::Open {
                impulses[row] = rows[row].least_impulse;
            }
            continue;
        };
        match *state {
            RowState::Open => impulses[row] = 0.0,
            RowState::Held => {}
            RowState::Slides { of, share } => {
                impulses[row] = share * (impulses[of] - free).max(0.0);
            }
        }
    }
}

/// One correction of the impulses of held rows; `None` where the matrix has no factors.
fn correct(
    newton: &Newton<'_>,
    rows: &[Row],
    states: &[RowState],
    impulses: &[f64],
    compliance: f64,
) -> Option<Vec<f64>> {
    let added = newton.velocities(impulses);
    let weight = |row: usize| {
        let own = &rows[row];
        1.0 / own.compliance.max(compliance * own.inv_mass)
    };
    let missing = |row: usize| {
        let own = &rows[row];
        own.free + added[row] + own.compliance * impulses[row]
    };
    let factors: BlockLu<'_, '_> = newton.factors_of_states(states, weight)?;
    let pushes = |impulse: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let all = states.iter().enumerate();
        all.map(|(row, state)| match *state {
            RowState::Open => 0.0,
            RowState::Held => impulse(row),
            RowState::Slides { of, share } => share * impulse(of),
        })
        .collect()
    };
    let right = newton.momenta(&pushes(&|row| -weight(row) * missing(row)));
    let changes = factors.solve(&right);
    let correction =
        pushes(&|row| -weight(row) * (missing(row) + newton.velocity_of(row, &changes)));
    let corrected = impulses.iter().zip(&correction).map(|(p, d)| p + d);
    Some(corrected.collect())
}
