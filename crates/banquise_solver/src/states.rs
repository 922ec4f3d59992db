//! What each contact does, and the impulses that follow from it: once it is known which contacts
//! are open, stick or slide, the rest is linear.

use crate::list::List;
use crate::local::LocalProblem;
use crate::matrix::Lu;
use crate::proximal::Reached;
use crate::residual::scaled_residual;

/// Along the normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Normal {
    /// No impulse.
    Open,
    /// No relative velocity.
    Closed,
}

/// Along the tangent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tangent {
    /// No relative velocity.
    Stick,
    /// Sliding towards +t: the impulse is at −μ of the normal one.
    SlideForward,
    /// Sliding towards −t.
    SlideBackward,
}

/// What a contact does.
pub(crate) type State = (Normal, Tangent);

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
pub(crate) const MAX_ENUMERATED: usize = 4;

/// The impulses if the contacts are in these states.
///
/// Redundant contacts leave them undetermined: a small shift of the diagonal then makes the system
/// regular, refinement takes its effect away, and of all solutions the one near `start` is found.
pub(crate) fn impulses_of(
    problem: &LocalProblem,
    states: &[State],
    start: &[f64],
) -> Option<List<f64>> {
    // Unknowns: normal impulses of closed contacts, tangential ones of those that stick. A sliding
    // contact's tangential impulse is −σμ (pₙ + c), a combination of an unknown and a constant.
    let mut unknowns = List::with_room(2 * states.len());
    for (contact, &(normal, tangent)) in states.iter().enumerate() {
        if normal == Normal::Closed {
            unknowns.push(2 * contact);
        }
        if tangent == Tangent::Stick {
            unknowns.push(2 * contact + 1);
        }
    }
    let entries = system_of(problem, states, &unknowns);
    let size = unknowns.len();
    let lu = Lu::factor(entries.clone(), size).or_else(|| {
        let mut shifted = entries;
        for index in 0..size {
            shifted[index * size + index] += SHIFT;
        }
        Lu::factor(shifted, size)
    })?;
    let mut solution: List<f64> = unknowns.iter().map(|&unknown| start[unknown]).collect();
    let mut impulses = spread(problem, states, &unknowns, &solution);
    for _ in 0..=REFINEMENTS {
        let velocity = problem.velocity(&impulses);
        let error: List<f64> = unknowns
            .iter()
            .map(|&equation| -velocity[equation])
            .collect();
        for (value, correction) in solution.iter_mut().zip(&lu.solve(&error)) {
            *value += correction;
        }
        impulses = spread(problem, states, &unknowns, &solution);
    }
    Some(impulses)
}

/// Shift of the diagonal of a scaled singular system, whose entries are of order one.
const SHIFT: f64 = 1e-9;
/// Steps of refinement after the first solution.
const REFINEMENTS: usize = 2;

/// How the velocities of the equations depend on the unknowns, by rows.
fn system_of(problem: &LocalProblem, states: &[State], unknowns: &[usize]) -> List<f64> {
    const NONE: usize = usize::MAX;
    let size = unknowns.len();
    let mut place = List::of(NONE, 2 * states.len());
    for (column, &unknown) in unknowns.iter().enumerate() {
        place[unknown] = column;
    }
    let mut entries = List::of(0.0, size * size);
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
pub(crate) fn slip_share(problem: &LocalProblem, contact: usize, tangent: Tangent) -> f64 {
    match tangent {
        Tangent::Stick => 0.0,
        Tangent::SlideForward => -problem.friction[contact],
        Tangent::SlideBackward => problem.friction[contact],
    }
}

fn spread(
    problem: &LocalProblem,
    states: &[State],
    unknowns: &[usize],
    solution: &[f64],
) -> List<f64> {
    let mut impulses = List::of(0.0, 2 * states.len());
    for (&unknown, &value) in unknowns.iter().zip(solution) {
        impulses[unknown] = value;
    }
    for (contact, &(_, tangent)) in states.iter().enumerate() {
        if tangent != Tangent::Stick {
            let normal = impulses[2 * contact] + problem.carried[contact];
            impulses[2 * contact + 1] = slip_share(problem, contact, tangent) * normal;
        }
    }
    impulses
}

/// The states that impulses point to, by the natural map.
pub(crate) fn states_of(problem: &LocalProblem, impulses: &[f64]) -> List<State> {
    states_from(problem, impulses, &problem.velocity(impulses))
}

/// The same with the velocities that go with the impulses.
pub(crate) fn states_from(
    problem: &LocalProblem,
    impulses: &[f64],
    velocity: &[f64],
) -> List<State> {
    (0..problem.contact_count())
        .map(|contact| {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let pressed = impulses[n] - velocity[n];
            let normal = if pressed > 0.0 {
                Normal::Closed
            } else {
                Normal::Open
            };
            let bound = problem.friction[contact] * (pressed.max(0.0) + problem.carried[contact]);
            let trial = impulses[t] - velocity[t];
            let tangent = if trial.abs() < bound {
                Tangent::Stick
            } else if trial > 0.0 {
                Tangent::SlideBackward
            } else {
                Tangent::SlideForward
            };
            (normal, tangent)
        })
        .collect()
}

/// Steps of [`newton`].
const NEWTON_STEPS: usize = 8;

/// Newton's method on what the contacts do, for few contacts; keeps the best point met.
pub(crate) fn newton(problem: &LocalProblem, start: &[f64], tolerance: f64, best: &mut Reached) {
    let mut states = states_of(problem, start);
    let mut impulses = List::copy_of(start);
    for _ in 0..NEWTON_STEPS {
        let Some(next) = impulses_of(problem, &states, &impulses) else {
            return;
        };
        impulses = next;
        best.keep_better(&impulses, scaled_residual(problem, &impulses));
        let next = states_of(problem, &impulses);
        if best.residual <= tolerance || next == states {
            return;
        }
        states = next;
    }
}

/// Tries all states of a few contacts and returns the impulses with the least residual. It stops at
/// the first within `tolerance`; with a negative tolerance it tries them all.
pub(crate) fn enumerate(problem: &LocalProblem, tolerance: f64) -> Option<(List<f64>, f64)> {
    let count = problem.contact_count();
    assert!(
        count <= MAX_ENUMERATED,
        "{count} contacts are too many to enumerate"
    );
    let mut best: Option<(List<f64>, f64)> = None;
    let mut choice = List::of(0, count);
    let start = List::of(0.0, 2 * count);
    loop {
        let states: List<State> = choice.iter().map(|&index| STATES[index]).collect();
        if let Some(impulses) = impulses_of(problem, &states, &start) {
            let residual = scaled_residual(problem, &impulses);
            if best.as_ref().is_none_or(|(_, least)| residual < *least) {
                best = Some((impulses, residual));
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
