//! Friction problems with an upper bound on each normal impulse: the proximal point method.
//!
//! A sequence of regularised problems is solved, each about the solution of the last, by projected Gauss–Seidel sweeps and Newton's method on active sets, and where that fails along a
//! path. Where contacts are redundant but for rounding of the geometry, two contacts of one face that stick and are at their bounds for instance, the sequence drifts: impulses
//! move by u/ε from one problem to the next, with tiny velocities u that stay, until one of them slips at last. Such a drift is followed at once, to the first limit of an impulse.

use crate::bounded_path::{follow, follow_from};
use crate::bounded_problem::{BoundedProblem, Regularised};
use crate::iterate::Iterate;
use crate::settings::ProximalSchedule;
use crate::workspace::PooledVec;

/// Solves proximal problems from `start` until the residual is within `tolerance`, at most as many as the settings say, and some more for what the
/// regularisation left; returns the best point met and the number of problems.
pub(crate) fn solve_sequence<'w>(
    bounded: &BoundedProblem<'_, 'w>,
    schedule: &ProximalSchedule,
    start: &[f64],
    tolerance: f64,
) -> (Iterate<'w>, usize) {
    let context = bounded.context;
    let (settings, crushing) = (&context.settings.proximal, &context.settings.crushing);
    let mut best = Iterate {
        impulses: context.copied(start),
        residual: bounded.residual(start),
    };
    let mut centre = context.copied(start);
    let mut regularisation = schedule.first;
    let mut sweeps = schedule.first_sweeps;
    let mut slow_successes = 0_usize;
    let mut polishes = 0;
    for attempt in 0..crushing.problems {
        if best.residual <= tolerance {
            polishes += 1;
        }
        let round_off = context.settings.accuracy.round_off;
        let is_solved = best.residual <= round_off || polishes > settings.polishes;
        if is_solved || context.must_end() {
            return (best, attempt);
        }
        let mut impulses = centre.clone();
        let mut proximal = Regularised {
            bounded,
            regularisation,
            centre: &centre,
        };
        proximal.sweep(&mut impulses, sweeps);
        best.keep_better(&impulses, bounded.residual(&impulses));
        if attempt == 0 {
            // Near a solution little regularisation is enough.
            regularisation = best
                .residual
                .clamp(crushing.least_regularisation, schedule.first);
            proximal.regularisation = regularisation;
        }
        let mut steps = proximal.newton(&mut impulses, settings.least_inner);
        best.keep_better(&impulses, bounded.residual(&impulses));
        if steps.is_none()
            && schedule.paths > 0
            && best.residual > tolerance
            && let Some(end) = follow_paths(proximal, &impulses, attempt)
        {
            best.keep_better(&end, bounded.residual(&end));
            impulses = end;
            steps = Some(settings.newton_steps);
        }
        if let Some(steps) = steps {
            let shrink = if slow_successes > 0 {
                schedule.shrink_after_failure
            } else if steps <= settings.easy_steps {
                schedule.shrink_easy
            } else {
                schedule.shrink
            };
            slow_successes = slow_successes.saturating_sub(1);
            regularisation = (shrink * regularisation).max(crushing.least_regularisation);
            sweeps = schedule.sweeps;
            if let Some(point) = end_of_drift(bounded, &centre, &impulses) {
                best.keep_better(&point, bounded.residual(&point));
                impulses = point;
            }
        } else {
            regularisation = (schedule.grow * regularisation).min(schedule.most);
            slow_successes = settings.slow_successes;
            sweeps = schedule.sweeps_after_failure;
        }
        centre = impulses;
    }
    (best, crushing.problems)
}

/// Follows the path from a point to the solution of a proximal problem, and where it does not end, one from open contacts.
fn follow_paths<'w>(
    mut proximal: Regularised<'_, 'w>,
    from: &[f64],
    cover: usize,
) -> Option<PooledVec<'w, f64>> {
    follow_from(&proximal, from).0.or_else(|| {
        let least = proximal
            .bounded
            .context
            .settings
            .crushing
            .path_regularisation;
        proximal.regularisation = proximal.regularisation.max(least);
        follow(&proximal, cover).0
    })
}

/// Where the motion of impulses from one centre to the next, which does not lower the residual, reaches the first limit of an impulse; `None` where it is no such drift.
fn end_of_drift<'w>(
    bounded: &BoundedProblem<'_, 'w>,
    from: &[f64],
    to: &[f64],
) -> Option<PooledVec<'w, f64>> {
    let (context, settings) = (bounded.context, &bounded.context.settings.crushing);
    let residual = bounded.residual(to);
    if residual <= settings.drift_residual * bounded.residual(from) {
        return None;
    }
    let motion = context.collect(to.iter().zip(from).map(|(to, from)| to - from));
    let most = motion
        .iter()
        .fold(0.0, |most: f64, own| most.max(own.abs()));
    let mut reach = f64::INFINITY;
    for (contact, &largest) in bounded.largest.iter().enumerate() {
        let (n, t) = (2 * contact, 2 * contact + 1);
        let friction = bounded.problem.friction[contact];
        let [cone, widening] = [friction * to[n], friction * motion[n]];
        for (slack, towards) in [
            (to[n], -motion[n]),
            (largest - to[n], motion[n]),
            (cone - to[t], motion[t] - widening),
            (cone + to[t], -motion[t] - widening),
        ] {
            if slack > 0.0 && towards > settings.drift_rounding * most {
                reach = reach.min(slack / towards);
            }
        }
    }
    let moved = to.iter().zip(&motion);
    let end = context.collect(moved.map(|(to, motion)| to + reach * motion));
    // The next problem removes what rounding of the motion leaves at the end.
    let is_drift = reach.is_finite()
        && reach > 1.0
        && (residual < settings.drift_end || bounded.residual(&end) < 2.0 * residual);
    is_drift.then_some(end)
}
