//! Active sets: once it is known which contacts are open, stick or slide, the impulses follow from a
//! linear system.

use crate::iterate::{Iterate, StopRule};
use crate::local::LocalProblem;
use crate::matrix::Lu;
use crate::records::{Normal, State, Tangent};
use crate::residual::scaled_residual;
use crate::workspace::{PooledVec, SolverContext};

/// All states of a contact, the frequent ones first.
pub(crate) const STATES: [State; 6] = [
    (Normal::Open, Tangent::SlideForward),
    (Normal::Closed, Tangent::Stick),
    (Normal::Closed, Tangent::SlideForward),
    (Normal::Closed, Tangent::SlideBackward),
    (Normal::Open, Tangent::Stick),
    (Normal::Open, Tangent::SlideBackward),
];

/// Contacts up to which all states may be tried: 6⁴ = 1296 of them.
pub(crate) const MAX_ENUMERATED_CONTACTS: usize = 4;

/// Impulses of an active set.
///
/// Redundant contacts make the system singular: a regularisation of the diagonal then makes it
/// regular, iterative refinement removes its effect, and of all solutions the one near `start` is found.
pub(crate) fn impulses_of<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    states: &[State],
    start: &[f64],
) -> Option<PooledVec<'w, f64>> {
    let settings = &context.settings.pivoting;
    // Unknowns: normal impulses of closed contacts, tangential ones of those that stick. A sliding
    // contact's tangential impulse is −σμ (pₙ + c), a combination of an unknown and a constant.
    let mut unknowns = context.with_capacity(2 * states.len());
    for (contact, &(normal, tangent)) in states.iter().enumerate() {
        if normal == Normal::Closed {
            unknowns.push(2 * contact);
        }
        if tangent == Tangent::Stick {
            unknowns.push(2 * contact + 1);
        }
    }
    let entries = system_of(context, problem, states, &unknowns);
    let size = unknowns.len();
    let lu = Lu::factor(context, entries.clone(), size).or_else(|| {
        let mut shifted = entries;
        for index in 0..size {
            shifted[index * size + index] += settings.active_set_regularisation;
        }
        Lu::factor(context, shifted, size)
    })?;
    let mut solution = context.collect(unknowns.iter().map(|&unknown| start[unknown]));
    let mut impulses = spread(context, problem, states, &unknowns, &solution);
    for _ in 0..=settings.refinements {
        let velocity = problem.velocity(context, &impulses);
        let error = context.collect(unknowns.iter().map(|&equation| -velocity[equation]));
        for (value, correction) in solution.iter_mut().zip(&lu.solve(&error)) {
            *value += correction;
        }
        impulses = spread(context, problem, states, &unknowns, &solution);
    }
    Some(impulses)
}

/// How the velocities of the equations depend on the unknowns, by rows.
fn system_of<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'_>,
    states: &[State],
    unknowns: &[usize],
) -> PooledVec<'w, f64> {
    const NONE: usize = usize::MAX;
    let size = unknowns.len();
    let mut place = context.filled(NONE, 2 * states.len());
    for (column, &unknown) in unknowns.iter().enumerate() {
        place[unknown] = column;
    }
    let mut entries = context.filled(0.0, size * size);
    for (&equation, row) in unknowns.iter().zip(entries.chunks_exact_mut(size.max(1))) {
        for (contact, block) in problem.delassus.row(equation / 2) {
            let [normal, tangent] = block[equation % 2];
            let (n, t) = (place[2 * contact], place[2 * contact + 1]);
            if n != NONE {
                row[n] = normal + slip_share(problem, contact, states[contact].1) * tangent;
            }
            if t != NONE {
                row[t] = tangent;
            }
        }
    }
    entries
}

/// −σμ for a contact that slides, zero for one that sticks.
pub(crate) fn slip_share(problem: &LocalProblem<'_>, contact: usize, tangent: Tangent) -> f64 {
    match tangent {
        Tangent::Stick => 0.0,
        Tangent::SlideForward => -problem.friction[contact],
        Tangent::SlideBackward => problem.friction[contact],
    }
}

fn spread<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'_>,
    states: &[State],
    unknowns: &[usize],
    solution: &[f64],
) -> PooledVec<'w, f64> {
    let mut impulses = context.filled(0.0, 2 * states.len());
    for (&unknown, &value) in unknowns.iter().zip(solution) {
        impulses[unknown] = value;
    }
    for (contact, &(_, tangent)) in states.iter().enumerate() {
        if tangent != Tangent::Stick {
            let normal = impulses[2 * contact] + problem.prior_normal_impulse[contact];
            impulses[2 * contact + 1] = slip_share(problem, contact, tangent) * normal;
        }
    }
    impulses
}

/// Active set of impulses, by the natural map.
pub(crate) fn states_of<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    impulses: &[f64],
) -> PooledVec<'w, State> {
    states_from(
        context,
        problem,
        impulses,
        &problem.velocity(context, impulses),
    )
}

/// States of contacts from impulses and the velocities that belong to them.
pub(crate) fn states_from<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'_>,
    impulses: &[f64],
    velocity: &[f64],
) -> PooledVec<'w, State> {
    context.collect((0..problem.contact_count()).map(|contact| {
        let (n, t) = (2 * contact, 2 * contact + 1);
        let pressed = impulses[n] - velocity[n];
        let normal = if pressed > 0.0 {
            Normal::Closed
        } else {
            Normal::Open
        };
        let bound =
            problem.friction[contact] * (pressed.max(0.0) + problem.prior_normal_impulse[contact]);
        let tangent = tangent_of(impulses[t] - velocity[t], bound);
        (normal, tangent)
    }))
}

/// Tangential state by the natural map: whether a trial impulse is within the friction bound.
#[inline]
pub(crate) fn tangent_of(trial: f64, bound: f64) -> Tangent {
    if trial.abs() < bound {
        Tangent::Stick
    } else if trial > 0.0 {
        Tangent::SlideBackward
    } else {
        Tangent::SlideForward
    }
}

/// Newton's method on dense active sets, for few contacts; keeps the best point met.
pub(crate) fn newton<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    start: &[f64],
    stop: StopRule,
    best: &mut Iterate<'w>,
) {
    let mut states = states_of(context, problem, start);
    let mut impulses = context.copied(start);
    for _ in 0..stop.limit {
        if context.must_end() {
            return;
        }
        let Some(next) = impulses_of(context, problem, &states, &impulses) else {
            return;
        };
        impulses = next;
        best.keep_better(&impulses, scaled_residual(context, problem, &impulses));
        let next = states_of(context, problem, &impulses);
        if best.residual <= stop.tolerance || next == states {
            return;
        }
        states = next;
    }
}

/// Tries all states of a few contacts and returns the impulses with the least residual. It stops at
/// the first within `tolerance`; with a negative tolerance it tries them all.
pub(crate) fn enumerate<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    tolerance: f64,
) -> Option<Iterate<'w>> {
    let count = problem.contact_count();
    assert!(
        count <= MAX_ENUMERATED_CONTACTS,
        "{count} contacts are too many to enumerate"
    );
    let mut best: Option<Iterate<'w>> = None;
    let mut choice = context.filled(0, count);
    let start = context.filled(0.0, 2 * count);
    loop {
        let states = context.collect(choice.iter().map(|&index: &usize| STATES[index]));
        if let Some(impulses) = impulses_of(context, problem, &states, &start) {
            let residual = scaled_residual(context, problem, &impulses);
            if best.as_ref().is_none_or(|best| residual < best.residual) {
                best = Some(Iterate { impulses, residual });
                if residual <= tolerance {
                    return best;
                }
            }
        }
        if !advance(&mut choice) {
            return best;
        }
    }
}

/// The next choice of states; false after the last.
fn advance(choice: &mut [usize]) -> bool {
    for index in choice.iter_mut() {
        *index += 1;
        if *index < STATES.len() {
            return true;
        }
        *index = 0;
    }
    false
}
