//! Newton's method on active sets with residuals in double-double arithmetic.

use crate::block_lu::{BlockLu, Pattern};
use crate::precise::{PrecisePoint, PreciseProblem};
use crate::precise_dense::DenseResponse;
use crate::precise_lemke::precise_lemke;
use crate::proximal_problem::ProximalProblem;
use crate::records::State;
use crate::verdict::APPROACH_TOLERANCE;
use crate::workspace::PooledVec;

/// Error, as a share of the impact speed, at which refinement stops: rounding of the data.
const ENOUGH: f64 = 1e-15;
/// Newton's method from a point, with sparse factors, then with dense ones, and Lemke's method where that fails and it may be used; the best point met.
pub(crate) fn refine<'w>(
    problem: &PreciseProblem<'_, 'w>,
    pattern: &Pattern<'w>,
    start: PrecisePoint<'w>,
    may_pivot: bool,
) -> PrecisePoint<'w> {
    let (context, count) = (problem.context, problem.problem.contacts.len());
    let settings = &context.settings.verdict;
    let (scaled, _) = problem.local.scaled(context);
    let no_centre = context.empty();
    let mut best = start;
    for regularisation in [
        settings.redundant_regularisation,
        settings.mass_regularisation,
    ] {
        let regularised = ProximalProblem {
            context,
            problem: &scaled,
            regularisation,
            centre: &no_centre,
        };
        best = newton(problem, best, |states| {
            let factors =
                BlockLu::factor(pattern, |contact| regularised.equations(states, contact));
            factors.map(|factors| move |right: &[f64]| factors.solve(right))
        });
    }
    if best.error <= APPROACH_TOLERANCE || count > settings.dense_contacts {
        return best;
    }
    let response = DenseResponse::of(problem);
    let dense = |start: PrecisePoint<'w>| {
        [settings.mass_regularisation, settings.dense_regularisation]
            .into_iter()
            .fold(start, |best, regularisation| {
                newton(problem, best, |states| {
                    let factors = response.factor(states, regularisation);
                    factors.map(|factors| move |right: &[f64]| factors.solve(right))
                })
            })
    };
    best = dense(best);
    if best.error <= APPROACH_TOLERANCE || count > settings.lemke_contacts || !may_pivot {
        return best;
    }
    let found = precise_lemke(problem).map(|impulses| dense(problem.point(impulses)));
    match found {
        Some(point) if point.error < best.error => point,
        _ => best,
    }
}

/// Newton's method from a point, on the factors that a function makes of an active set; the best point met.
fn newton<'w, Solve: Fn(&[f64]) -> PooledVec<'w, f64>>(
    problem: &PreciseProblem<'_, 'w>,
    start: PrecisePoint<'w>,
    factor: impl Fn(&[State]) -> Option<Solve>,
) -> PrecisePoint<'w> {
    let settings = &problem.context.settings.verdict;
    let mut best = start.clone();
    let mut point = start;
    let mut states = problem.states(&point);
    for _ in 0..settings.active_sets {
        if best.error <= settings.refined {
            break;
        }
        let Some(solve) = factor(&states) else { break };
        let mut last = f64::INFINITY;
        for _ in 0..settings.corrections {
            let missing = problem.missing(&states, &point);
            let size = missing.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
            if size.is_nan() || size > 0.5 * last || best.error <= ENOUGH {
                break;
            }
            last = size;
            point = problem.moved(&point, &solve(&missing));
            if point.error < best.error {
                best = point.clone();
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
