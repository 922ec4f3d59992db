//! Proximal point method for many contacts, with Gauss–Seidel sweeps and Newton's method on each proximal problem.
//!
//! Instead of u = W p + b, solve u = W p + b + ε (p − p̂), where p̂ is the solution of the last problem
//! (Rockafellar 1976; for contact, Acary & Brogliato 2008, section 13). A fixed point p = p̂ solves the
//! problem itself, whatever ε. A large ε makes the problem easy and the step short; it shrinks
//! where Newton's method succeeds and grows where it fails. Gauss–Seidel sweeps find the active set (which contacts
//! stick and which slide), Newton's method on sparse factors the impulses. Where it fails, the best iterate is the next centre, or, where the
//! schedule allows path following, the end of the path from a neighbouring problem (see `homotopy`).

use crate::block_lu::{BlockLu, Pattern};
use crate::homotopy::follow;
use crate::iterate::{Iterate, StopRule};
use crate::local::LocalProblem;
use crate::proximal_problem::ProximalProblem;
use crate::records::{Normal, State, Tangent};
use crate::residual::{natural_residual, scaled_residual};
use crate::settings::ProximalSchedule;
use crate::single::solve_single;
use crate::states::{slip_share, states_from};
use crate::workspace::{PooledVec, SolverContext};

/// Newton's method from a point near a solution, restarted from its end while the residual falls, up to the limit. The second pass
/// removes the effect of the regularisation.
pub(crate) fn polish<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    pattern: &Pattern<'w>,
    stop: StopRule,
    near: &[f64],
) -> Iterate<'w> {
    let StopRule { tolerance, limit } = stop;
    let mut best = Iterate {
        impulses: context.copied(near),
        residual: f64::INFINITY,
    };
    for _ in 0..limit {
        let nearly_plain = ProximalProblem {
            context,
            problem,
            regularisation: context.settings.proximal.least_regularisation,
            centre: &best.impulses,
        };
        let mut impulses = best.impulses.clone();
        let inner = inner_tolerance(context, tolerance);
        let steps = nearly_plain.newton(pattern, &mut impulses, inner, false);
        let residual = scaled_residual(context, problem, &impulses);
        if residual >= best.residual {
            break;
        }
        best = Iterate { impulses, residual };
        if steps.is_none() || residual <= tolerance {
            break;
        }
    }
    best
}

/// Improves `best` until its residual is within the tolerance, or as many proximal problems as the limit says were tried.
pub(crate) fn proximal<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    pattern: &Pattern<'w>,
    schedule: &ProximalSchedule,
    stop: StopRule,
    best: &mut Iterate<'w>,
) {
    let StopRule { tolerance, limit } = stop;
    let settings = &context.settings.proximal;
    let least = settings.least_regularisation;
    let mut centre = best.impulses.clone();
    let mut regularisation = schedule.first;
    let mut sweeps = schedule.first_sweeps;
    let mut stagnant = 0;
    let mut slow_successes = 0;
    for attempt in 0..limit {
        let mut impulses = centre.clone();
        let mut regularised = ProximalProblem {
            context,
            problem,
            regularisation,
            centre: &centre,
        };
        for _ in 0..sweeps {
            regularised.sweep(&mut impulses);
        }
        if context.must_end() {
            return;
        }
        best.keep_better(&impulses, scaled_residual(context, problem, &impulses));
        if best.residual <= tolerance {
            return;
        }
        if attempt == 0 {
            // Near a solution little regularisation is enough, and makes the proximal step long.
            regularisation = best.residual.clamp(least, schedule.first);
            regularised.regularisation = regularisation;
        }
        let inner = inner_tolerance(context, tolerance);
        let steps = regularised.newton(pattern, &mut impulses, inner, schedule.paths > 0);
        let residual = scaled_residual(context, problem, &impulses);
        let is_stagnant =
            regularisation <= least && steps.is_some() && residual > 0.5 * best.residual;
        stagnant = if is_stagnant { stagnant + 1 } else { 0 };
        best.keep_better(&impulses, residual);
        if best.residual <= tolerance || stagnant > settings.stagnation_limit {
            return;
        }
        if let Some(steps) = steps {
            let shrink = if slow_successes > 0 {
                slow_successes -= 1;
                schedule.shrink_after_failure
            } else if steps <= settings.easy_steps {
                schedule.shrink_easy
            } else {
                schedule.shrink
            };
            regularisation = (shrink * regularisation).max(least);
            sweeps = schedule.sweeps;
        } else {
            let retreats = schedule.retreats > 0 && regularisation < schedule.most;
            regularisation = (schedule.grow * regularisation).min(schedule.most);
            slow_successes = settings.slow_successes;
            if retreats {
                // The end is worse than the start.
                sweeps = 0;
                continue;
            }
            sweeps = schedule.sweeps_after_failure;
        }
        centre = impulses;
    }
}

/// The residual at which a proximal problem is solved.
fn inner_tolerance(context: SolverContext<'_>, tolerance: f64) -> f64 {
    let settings = &context.settings.proximal;
    (settings.inner_share * tolerance).max(settings.least_inner)
}

/// Impulses near a solution: some sweeps from those given.
pub(crate) fn estimate<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    start: &[f64],
) -> PooledVec<'w, f64> {
    let settings = &context.settings.proximal;
    let mut impulses = context.copied(start);
    let plain = ProximalProblem {
        context,
        problem,
        regularisation: 0.0,
        centre: start,
    };
    for sweep in 0..settings.estimate_sweeps {
        if context.must_end() {
            break;
        }
        let change = plain.sweep(&mut impulses);
        let largest = impulses.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
        if change <= settings.estimate_tolerance * largest {
            // The solution of the last step may be better than the point after one sweep.
            if sweep == 0 {
                impulses.copy_from_slice(start);
            }
            break;
        }
    }
    impulses
}

impl<'w> ProximalProblem<'_, 'w> {
    /// One Gauss–Seidel sweep: solves each contact in turn with the others fixed. Returns the largest change of an impulse.
    fn sweep(&self, impulses: &mut [f64]) -> f64 {
        let problem = self.problem;
        self.context.workspace.count(|work| work.sweeps += 1);
        let operations = 8 * problem.delassus.block_count() + 32 * problem.contact_count();
        self.context.spend(operations);
        let mut change = 0.0_f64;
        for contact in 0..problem.contact_count() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let mut free = [
                problem.free_velocity[n] - self.regularisation * self.centre[n],
                problem.free_velocity[t] - self.regularisation * self.centre[t],
            ];
            for (other, block) in problem.delassus.row(contact) {
                if other != contact {
                    let (normal, tangent) = (impulses[2 * other], impulses[2 * other + 1]);
                    free[0] += block[0][0] * normal + block[0][1] * tangent;
                    free[1] += block[1][0] * normal + block[1][1] * tangent;
                }
            }
            let mut own = *problem.delassus.diagonal(contact);
            own[0][0] += self.regularisation;
            own[1][1] += self.regularisation;
            let (friction, prior_normal_impulse) = (
                problem.friction[contact],
                problem.prior_normal_impulse[contact],
            );
            let [normal, tangent] = solve_single(own, free, friction, prior_normal_impulse);
            let normal = normal.max(0.0);
            change = change.max((normal - impulses[n]).abs());
            change = change.max((tangent - impulses[t]).abs());
            (impulses[n], impulses[t]) = (normal, tangent);
        }
        change
    }

    /// Newton's method on active sets; returns the number of steps where it succeeds. Where it cycles, the path
    /// from a neighbouring problem may be followed. Where that fails too, the impulses are the best iterate.
    fn newton(
        &self,
        pattern: &Pattern<'w>,
        impulses: &mut PooledVec<'w, f64>,
        tolerance: f64,
        follows: bool,
    ) -> Option<usize> {
        let (context, settings) = (self.context, &self.context.settings.proximal);
        let start = impulses.clone();
        let mut velocity = self.velocity(impulses);
        let mut last = natural_residual(self.problem, impulses, &velocity);
        let mut least = last;
        let mut states = states_from(context, self.problem, impulses, &velocity);
        for step in 1..=settings.newton_steps {
            if context.must_end() {
                return None;
            }
            let factors = BlockLu::factor(pattern, |contact| self.equations(&states, contact))?;
            let mut point = factors.solve(&self.constants(&states));
            velocity = self.velocity(&point);
            let mut residual = natural_residual(self.problem, &point, &velocity);
            if residual > tolerance && residual <= settings.newton_rounding {
                let missing = self.missing(&states, &point, &velocity);
                for (p, correction) in point.iter_mut().zip(&factors.solve(&missing)) {
                    *p += correction;
                }
                velocity = self.velocity(&point);
                residual = natural_residual(self.problem, &point, &velocity);
            }
            if residual < least {
                least = residual;
                impulses.copy_from_slice(&point);
            }
            if residual <= tolerance {
                return Some(step);
            }
            if step > settings.easy_steps && residual > settings.max_growth * last {
                break;
            }
            last = residual;
            let next = states_from(context, self.problem, &point, &velocity);
            if next == states {
                // A repeated active set has the same solution: it solves the problem but for rounding.
                if residual <= settings.newton_rounding {
                    return Some(step);
                }
                break;
            }
            states = next;
        }
        if !follows {
            return None;
        }
        context.workspace.count(|work| work.paths_tried += 1);
        let point = follow(self, pattern, &start)?;
        let residual = natural_residual(self.problem, &point, &self.velocity(&point));
        // The next proximal problem removes the rounding errors of this one.
        (residual <= settings.newton_rounding && residual < least).then(|| *impulses = point)?;
        context.workspace.count(|work| work.paths_followed += 1);
        Some(settings.newton_steps)
    }

    /// Residual of these equations at a point, for iterative refinement: rounding errors where the states are right.
    fn missing(&self, states: &[State], impulses: &[f64], velocity: &[f64]) -> PooledVec<'w, f64> {
        let problem = self.problem;
        let contacts = states.iter().enumerate();
        self.context
            .collect(contacts.flat_map(|(contact, &(normal, tangent))| {
                let (n, t) = (2 * contact, 2 * contact + 1);
                let first = match normal {
                    Normal::Closed => velocity[n],
                    Normal::Open => impulses[n],
                };
                let second = match tangent {
                    Tangent::Stick => velocity[t],
                    Tangent::SlideForward | Tangent::SlideBackward => {
                        let share = slip_share(problem, contact, tangent);
                        impulses[t] - share * (impulses[n] + problem.prior_normal_impulse[contact])
                    }
                };
                [-first, -second]
            }))
    }

    /// The right-hand sides of these equations.
    fn constants(&self, states: &[State]) -> PooledVec<'w, f64> {
        let problem = self.problem;
        let free = |i: usize| self.regularisation * self.centre[i] - problem.free_velocity[i];
        let contacts = states.iter().enumerate();
        self.context
            .collect(contacts.flat_map(|(contact, &(normal, tangent))| {
                let first = match normal {
                    Normal::Closed => free(2 * contact),
                    Normal::Open => 0.0,
                };
                let second = match tangent {
                    Tangent::Stick => free(2 * contact + 1),
                    Tangent::SlideForward | Tangent::SlideBackward => {
                        slip_share(problem, contact, tangent)
                            * problem.prior_normal_impulse[contact]
                    }
                };
                [first, second]
            }))
    }
}
