//! Newton's method on active sets with residuals in double-double arithmetic.

use crate::block_lu::{BlockLu, Pattern};
use crate::precise::{PrecisePoint, PreciseProblem};
use crate::proximal_problem::ProximalProblem;

/// Error, as a share of the impact speed, at which a point is as good as its numbers.
const ENOUGH: f64 = 1e-15;
/// Error at which no other regularisation is tried: two digits less than the approach that is allowed.
const GOOD: f64 = 1e-11;
/// Regularisation of the factors. Refinement takes its effect away. The first is for redundant contacts, whose impulses rounding would make grow without bound; the
/// second for mass ratios, which may be 1e10.
const REGULARISATIONS: [f64; 2] = [1e-8, 1e-14];
/// Corrections with the factors of one active set, and changes of the active set.
const CORRECTIONS: usize = 12;
const CHANGES: usize = 24;

/// Newton's method from a point, with less and less regularisation; the best point met.
pub(crate) fn refine<'w>(
    problem: &PreciseProblem<'_, 'w>,
    pattern: &Pattern<'w>,
    start: PrecisePoint<'w>,
) -> PrecisePoint<'w> {
    let mut best = start;
    for regularisation in REGULARISATIONS {
        if best.error > GOOD {
            best = newton(problem, pattern, best, regularisation);
        }
    }
    best
}

fn newton<'w>(
    problem: &PreciseProblem<'_, 'w>,
    pattern: &Pattern<'w>,
    start: PrecisePoint<'w>,
    regularisation: f64,
) -> PrecisePoint<'w> {
    let context = problem.context;
    let (scaled, _) = problem.local.scaled(context);
    let no_centre = context.empty();
    let regularised = ProximalProblem {
        context,
        problem: &scaled,
        regularisation,
        centre: &no_centre,
    };
    let mut best = start.clone();
    let mut point = start;
    let mut states = problem.states(&point);
    for _ in 0..CHANGES {
        let factors = BlockLu::factor(pattern, |contact| regularised.equations(&states, contact));
        let Some(factors) = factors else { break };
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let missing = problem.missing(&states, &point);
            let size = missing.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
            if !(size < 0.5 * last) {
                break;
            }
            last = size;
            point = problem.moved(&point, &factors.solve(&missing));
            if point.error < best.error {
                best = point.clone();
            }
            if point.error <= ENOUGH {
                return best;
            }
        }
        let next = problem.states(&point);
        if next == states {
            break;
        }
        states = next;
    }
    best
}
