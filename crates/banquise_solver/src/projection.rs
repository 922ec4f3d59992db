//! Velocities nearest to given ones within convex bounds.
//!
//! ```text
//! min ½ |V − U|²_M   with   u = G V − l,   u ≥ 0 (at least),   u = 0 (exactly)
//! ```
//!
//! l is the least normal velocity of a contact, −D/h for a gap D and a time h. The multipliers are impulses: M (V − U) = Gᵀ p with
//! u + c p ≥ 0 where p is at its least value, and u + c p = 0 where it is larger. The least impulse is zero for *at least* and −∞ for *exactly*; a
//! bond that can be pulled off has a finite one. c is a compliance, zero for rigid contacts. Velocities are unique, impulses may not be. Friction is no convex bound: it is one for
//! given pushes, which are found by iteration.
//!
//! Maury 2006 (Numer. Math. 102); Lefebvre 2007, section 5.2 and appendix A.

use glam::DVec2;

use crate::problem::{Contact, ContactProblem};
use crate::projection_exact::solve_exactly;
use crate::projection_friction::{Cones, has_friction, limit_friction, settle_friction};
use crate::projection_newton::Newton;
use crate::projection_polish::polish_impulses;
use crate::projection_rows::{BoundKind, ConvexBound, ProjectionReport, Row, turns};
use crate::projection_settings::{ProjectionMethod, ProjectionSettings};
use crate::residual::{projection_residual, share_of_loads};
use crate::workspace::SolverContext;

/// Gives the bodies the velocities nearest to theirs, in the norm of kinetic energy, within the bounds of all contacts. Friction and restitution of contacts are not used, but
/// [`BoundKind::Friction`] is, with Newton's method; `start` of a contact is its impulse for the warm start. Where the bounds contradict each other, those that may pull are met in regularised least squares.
pub fn project_velocities(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    bounds: &[ConvexBound],
    settings: &ProjectionSettings,
    report: &mut ProjectionReport,
) {
    context.begin(problem.contacts.len());
    let mut rows = rows_of(problem, bounds);
    *report = ProjectionReport::default();
    let cones = Cones::of(bounds);
    if cones.are_there() {
        let (edges, edge_bounds) = cones.edges(problem, bounds);
        let mut edge_rows = rows_of(&edges, &edge_bounds);
        project(
            context,
            &edges,
            &mut edge_rows,
            (&edge_bounds, &cones),
            settings,
            report,
        );
        cones.to_contacts(&mut report.impulses);
        limit_friction(&mut rows, bounds, &report.impulses);
        // Not those of the edges, which may be regularised.
        let residual = projection_residual(&rows, &report.impulses, &changes_of(problem, report).1);
        report.is_solved = residual * share_of_loads(&rows) <= settings.friction_tolerance;
    } else {
        project(
            context,
            problem,
            &mut rows,
            (bounds, &cones),
            settings,
            report,
        );
    }
    if !report.is_solved && settings.method == ProjectionMethod::Newton && has_friction(bounds) {
        solve_as_contacts(context, problem, (&mut rows, bounds), settings, report);
    }
    finish(problem, &rows, report);
}

/// Solves a problem that the iteration over bounds of friction left: by Newton's method from where it ended, then from the solution of one of contacts with Coulomb's friction. The best impulses are kept.
fn solve_as_contacts(
    context: SolverContext<'_>,
    problem: &ContactProblem,
    (rows, bounds): (&mut [Row], &[ConvexBound]),
    settings: &ProjectionSettings,
    report: &mut ProjectionReport,
) {
    let mut newton = Newton::new(context, problem, rows, settings);
    let target = settings.target;
    let acceptable = settings.friction_tolerance / share_of_loads(rows);
    let mut best = polish_impulses(&mut newton, rows, bounds, &report.impulses, target);
    if best.0 > acceptable
        && let Some(found) = solve_exactly(context, &newton, (rows, bounds), &best.1)
    {
        let polished = polish_impulses(&mut newton, rows, bounds, &found, target);
        if polished.0 < best.0 {
            best = polished;
        }
    }
    // Few problems are left here. Bounds of friction from the best impulses give other impulses, from which Newton's method may end elsewhere.
    let mut round = ProjectionReport {
        impulses: best.1.clone(),
        ..ProjectionReport::default()
    };
    for _ in 0..settings.friction_rounds {
        if best.0 <= acceptable || newton.must_end() {
            break;
        }
        limit_friction(rows, bounds, &round.impulses);
        let starts = round.impulses.iter().zip(&*rows);
        let starts: Vec<f64> = starts.map(|(&start, row)| row.bounded(start)).collect();
        newton.solve_from(rows, &starts, &mut round);
        let polished = polish_impulses(&mut newton, rows, bounds, &round.impulses, target);
        if polished.0 < best.0 {
            best = polished;
        }
    }
    limit_friction(rows, bounds, &best.1);
    report.is_solved = best.0 <= acceptable;
    report.is_regularised &= !report.is_solved;
    report.impulses = best.1;
}

/// Finds the impulses.
fn project(
    context: SolverContext<'_>,
    problem: &ContactProblem,
    rows: &mut [Row],
    (bounds, cones): (&[ConvexBound], &Cones),
    settings: &ProjectionSettings,
    report: &mut ProjectionReport,
) {
    let given = problem.contacts.iter().map(|contact| contact.start[0]);
    let free: Vec<f64> = rows.iter().map(|row| row.free).collect();
    limit_friction(rows, bounds, &given.clone().collect::<Vec<_>>());
    let starts = given.zip(&*rows);
    let starts: Vec<f64> = starts.map(|(start, row)| row.bounded(start)).collect();
    // Uzawa's method has a tolerance, which is for what redundant bounds leave of each other.
    let is_exact = settings.method == ProjectionMethod::Newton;
    let is_crowded = is_exact && exact_count(bounds) > freedoms(problem);
    if is_crowded {
        regularise(rows, settings.regularisation);
        report.is_regularised = true;
    }
    match settings.method {
        ProjectionMethod::Uzawa { .. } => uzawa(context, problem, rows, settings, report),
        ProjectionMethod::Newton => {
            let mut newton = Newton::new(context, problem, rows, settings);
            newton.solve(&starts, report);
            if !report.is_solved && !is_crowded {
                regularise(rows, settings.regularisation);
                report.is_regularised = true;
                newton.solve_again(rows, report);
            }
            if !report.is_solved {
                // Bodies that are squeezed between others: contacts that push contradict each other too.
                for row in &mut *rows {
                    row.compliance = row.compliance.max(settings.regularisation * row.inv_mass);
                }
                report.is_regularised = true;
                newton.solve_again(rows, report);
            }
            settle_friction(&mut newton, rows, (bounds, cones, &free), settings, report);
        }
    }
}

/// Compliance beyond which a contact is its own penalty, as a share of its inverse effective mass [–]: below it the factors lose too many digits.
const LEAST_COMPLIANCE: f64 = 1e-6;

/// The rows of all contacts.
fn rows_of(problem: &ContactProblem, bounds: &[ConvexBound]) -> Vec<Row> {
    let contacts = problem.contacts.iter().zip(bounds);
    contacts
        .map(|(contact, bound)| Row {
            free: problem.relative_velocity(contact)[0] - bound.least,
            load: if bound.compliance > 0.0 {
                bound.least.abs() * inv_effective_mass(problem, contact) / bound.compliance
            } else {
                0.0
            },
            least_impulse: bound.kind.least_impulse(),
            most_impulse: match bound.kind {
                BoundKind::Friction { .. } => 0.0,
                _ => f64::INFINITY,
            },
            is_rigid_bond: is_rigid_bond(bound),
            is_elastic: bound.compliance > LEAST_COMPLIANCE * inv_effective_mass(problem, contact),
            compliance: bound.compliance,
            inv_mass: inv_effective_mass(problem, contact),
        })
        .collect()
}

/// Inverse effective mass of a contact along its normal \[1/kg\].
fn inv_effective_mass(problem: &ContactProblem, contact: &Contact) -> f64 {
    let ends = [contact.a, contact.b].into_iter().zip(contact.arms);
    ends.map(|(body, arm)| {
        let body = &problem.bodies[body];
        let torque = arm.perp_dot(contact.normal);
        body.inv_mass + body.inv_inertia * torque * torque
    })
    .sum()
}

/// Whether a contact may pull, and does not give way.
fn is_rigid_bond(bound: &ConvexBound) -> bool {
    bound.kind.least_impulse() < 0.0 && bound.compliance == 0.0
}

/// Number of rigid bounds that may pull.
fn exact_count(bounds: &[ConvexBound]) -> usize {
    bounds.iter().filter(|bound| is_rigid_bond(bound)).count()
}

/// Degrees of freedom of the bodies: a body that no contact turns has two.
fn freedoms(problem: &ContactProblem) -> usize {
    let mut freedoms = vec![0; problem.bodies.len()];
    for contact in &problem.contacts {
        for (row, arm) in [contact.a, contact.b].into_iter().zip(contact.arms) {
            let body = &problem.bodies[row];
            if body.inv_mass > 0.0 {
                let own = if turns(problem, contact, row, arm) {
                    3
                } else {
                    2
                };
                freedoms[row] = own.max(freedoms[row]);
            }
        }
    }
    freedoms.iter().sum()
}

/// Makes the contacts that may pull compliant.
fn regularise(rows: &mut [Row], share: f64) {
    for row in rows.iter_mut().filter(|row| row.is_rigid_bond) {
        row.compliance = row.compliance.max(share * row.inv_mass);
    }
}

/// Uzawa's method: the velocities of the impulses, then impulses by the violation of the bounds. The impulses returned are those of the velocities, and
/// the first are zero: the method ends as soon as the bounds are met, which impulses that are too large would meet too.
fn uzawa(
    context: SolverContext<'_>,
    problem: &ContactProblem,
    rows: &[Row],
    settings: &ProjectionSettings,
    report: &mut ProjectionReport,
) {
    let ProjectionMethod::Uzawa {
        step,
        tolerance,
        iterations,
    } = settings.method
    else {
        return;
    };
    let masses = problem.bodies.iter().map(|body| body.inv_mass);
    let step = step / masses.fold(0.0, f64::max);
    let mut impulses = vec![0.0; rows.len()];
    let mut trial = problem.clone();
    for iteration in 0..=iterations {
        trial.bodies.copy_from_slice(&problem.bodies);
        apply(&mut trial, &impulses);
        let mut worst = 0.0_f64;
        let mut next = impulses.clone();
        for (index, (row, contact)) in rows.iter().zip(&problem.contacts).enumerate() {
            let change =
                trial.relative_velocity(contact)[0] - problem.relative_velocity(contact)[0];
            let velocity = row.free + change + row.compliance * impulses[index];
            let may_pull = impulses[index] > row.least_impulse && row.least_impulse < 0.0;
            worst = worst.max(if may_pull { velocity.abs() } else { -velocity });
            next[index] = (impulses[index] - step * velocity).max(row.least_impulse);
        }
        context.spend(40 * rows.len());
        report.iterations = iteration as u64;
        report.is_solved = worst <= tolerance;
        if report.is_solved || iteration == iterations || context.is_interrupted() {
            break;
        }
        impulses = next;
    }
    report.impulses = impulses;
}

/// Gives the bodies all impulses.
fn apply(problem: &mut ContactProblem, impulses: &[f64]) {
    for (index, &impulse) in impulses.iter().enumerate() {
        if impulse != 0.0 {
            problem.apply(index, [impulse, 0.0]);
        }
    }
}

/// Bodies at rest that are given the impulses, and the normal velocities of the contacts. Changes of velocity are found from rest: beside the velocities of bodies that move together they would
/// be rounding.
fn changes_of(problem: &ContactProblem, report: &ProjectionReport) -> (ContactProblem, Vec<f64>) {
    let mut rest = problem.clone();
    for body in &mut rest.bodies {
        (body.linear_velocity, body.angular_velocity) = (DVec2::ZERO, 0.0);
    }
    apply(&mut rest, &report.impulses);
    let contacts = problem.contacts.iter();
    let changes = contacts.map(|contact| rest.relative_velocity(contact)[0]);
    let changes = changes.collect();
    (rest, changes)
}

/// Applies the impulses and judges them.
fn finish(problem: &mut ContactProblem, rows: &[Row], report: &mut ProjectionReport) {
    let (rest, changes) = changes_of(problem, report);
    let residual = projection_residual(rows, &report.impulses, &changes);
    report.residual = residual * share_of_loads(rows);
    let contacts = problem.contacts.iter().zip(&changes).zip(&report.impulses);
    report.losses.clear();
    let works = contacts
        .map(|((contact, change), p)| p * (problem.relative_velocity(contact)[0] + 0.5 * change));
    report.losses.extend(works.map(|work| 0.0 - work));
    report.loss = report.losses.iter().sum::<f64>();
    for (body, change) in problem.bodies.iter_mut().zip(&rest.bodies) {
        body.linear_velocity += change.linear_velocity;
        body.angular_velocity += change.angular_velocity;
    }
    for ((row, change), &impulse) in rows.iter().zip(&changes).zip(&report.impulses) {
        if row.is_rigid_bond && impulse > row.least_impulse {
            report.drift = report.drift.max((row.free + change).abs());
        }
    }
}
