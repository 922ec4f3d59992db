//! Solves a contact problem again, all contacts together, where plain numbers left bodies approaching: velocities and impulses in double-double
//! arithmetic, rounded once at the end.

use crate::block_lu::Pattern;
use crate::cascade::{solve_decompression, solve_warm_started};
use crate::exact::DoubleDouble;
use crate::local::{LocalProblem, Scaling};
use crate::precise::{PrecisePoint, PreciseProblem};
use crate::problem::ContactProblem;
use crate::refine::refine;
use crate::report::ImpactReport;
use crate::verdict::APPROACH_TOLERANCE;
use crate::workspace::{PooledVec, SolverContext};

/// A contact problem that is solved again.
pub(crate) struct Repair<'a, 'w> {
    pub(crate) context: SolverContext<'w>,
    /// The least normal velocity of each contact \[m/s\].
    pub(crate) least: &'a [f64],
    /// Fastest relative velocity before \[m/s\].
    pub(crate) speed: f64,
    /// Whether there is a decompression phase.
    pub(crate) has_restitution: bool,
    /// Whether the normal impulse of restitution widens the friction cone.
    pub(crate) widens_cone: bool,
}

impl<'w> Repair<'_, 'w> {
    /// Solves the problem, whose bodies have their velocities before, from impulses that may be near a solution or, where none are given, from those that other
    /// methods find. False, and nothing changed, where that does not succeed.
    pub(crate) fn solve(
        &self,
        problem: &mut ContactProblem,
        near: Option<&[f64]>,
        report: &mut ImpactReport,
    ) -> bool {
        let context = self.context;
        let all = context.collect(0..problem.contacts.len());
        let mut local = LocalProblem::of(context, problem, &all);
        for (contact, least) in self.least.iter().enumerate() {
            local.free_velocity[2 * contact] -= least;
        }
        let scaling = Scaling::of(context, &local);
        let pattern = Pattern::of(context, &local.delassus);
        let start = match near {
            Some(near) => context.copied(near),
            None if self.has_restitution || report.rounds > 1 => {
                solve_warm_started(context, &local, &[]).impulses
            }
            None => context.collect(report.impulses.iter().copied().flatten()),
        };
        let nothing = context.filled(DoubleDouble::default(), 2 * all.len());
        let mut precise = PreciseProblem {
            context,
            problem,
            least: self.least,
            received: nothing.clone(),
            prior_normal_impulse: context.filled(DoubleDouble::default(), all.len()),
            local: &local,
            scaling: &scaling,
            speed: self.speed,
        };
        let start = start.iter().map(|&p| DoubleDouble::from(p));
        let start = precise.point(context.collect(start));
        let compression = refine(&precise, &pattern, start, near.is_none());
        if compression.error.is_nan() || compression.error > APPROACH_TOLERANCE {
            return false;
        }
        let mut last = compression;
        if self.has_restitution {
            if let Some((received, point)) = self.restituted(&mut precise, &pattern, &last, report)
            {
                precise.received = received;
                last = point;
            } else {
                precise.received = nothing;
            }
        }
        let total = last.impulses.iter().zip(&precise.received);
        let total = context.collect(total.map(|(p, received)| *p + *received));
        self.give(problem, &total, &last, report);
        true
    }

    /// The decompression phase, with less restitution where energy would grow; `None` if no restitution is possible. Returns the impulses received
    /// before it and those of the phase.
    fn restituted(
        &self,
        precise: &mut PreciseProblem<'_, 'w>,
        pattern: &Pattern<'w>,
        compression: &PrecisePoint<'w>,
        report: &mut ImpactReport,
    ) -> Option<(PooledVec<'w, DoubleDouble>, PrecisePoint<'w>)> {
        let context = self.context;
        let law = &context.settings.impact;
        let impulses = &compression.impulses;
        let before = precise.point(context.filled(DoubleDouble::default(), impulses.len()));
        let scale = energy_terms(impulses, &before.velocity, f64::abs);
        let mut share = 1.0;
        for _ in 0..=law.restitution_halvings {
            let mut received = impulses.clone();
            for (contact, entry) in precise.problem.contacts.iter().enumerate() {
                let restituted = impulses[2 * contact] * (share * entry.restitution);
                received[2 * contact] += restituted;
                if self.widens_cone {
                    precise.prior_normal_impulse[contact] = restituted;
                }
            }
            precise.received = received;
            let nothing = precise.point(context.filled(DoubleDouble::default(), impulses.len()));
            let second = LocalProblem {
                free_velocity: context.collect(nothing.velocity.iter().map(|u| u.value())),
                prior_normal_impulse: context
                    .collect(precise.prior_normal_impulse.iter().map(|c| c.value())),
                ..precise.local.clone()
            };
            let start = solve_decompression(context, &second, precise.scaling.velocity).impulses;
            let start = start.iter().map(|&p| DoubleDouble::from(p));
            let start = precise.point(context.collect(start));
            let point = refine(precise, pattern, start, true);
            if point.error > APPROACH_TOLERANCE {
                break;
            }
            let total = point.impulses.iter().zip(&precise.received);
            let total = context.collect(total.map(|(p, received)| *p + *received));
            let sums = before.velocity.iter().zip(&point.velocity);
            let sums = context.collect(sums.map(|(before, after)| *before + *after));
            if 0.5 * energy_terms(&total, &sums, |x| x) <= law.energy_rounding * scale {
                return Some((std::mem::take(&mut precise.received), point));
            }
            share *= 0.5;
            report.reductions = 1;
        }
        report.reductions = 1;
        None
    }

    /// Writes the velocities to the bodies, and the impulses and energy losses to the report.
    fn give(
        &self,
        problem: &mut ContactProblem,
        total: &[DoubleDouble],
        point: &PrecisePoint<'_>,
        report: &mut ImpactReport,
    ) {
        (report.normal_loss, report.tangent_loss) = (0.0, 0.0);
        for (contact, entry) in problem.contacts.iter().enumerate() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let normal = total[n].value().max(0.0);
            let limit = entry.friction * normal;
            let tangent = total[t].value().clamp(-limit, limit);
            report.impulses[contact] = [normal, tangent];
            let before = problem.relative_velocity(entry);
            let after = [
                point.velocity[n].value() + self.least[contact],
                point.velocity[t].value(),
            ];
            report.normal_loss -= 0.5 * normal * (before[0] + after[0]);
            report.tangent_loss -= 0.5 * tangent * (before[1] + after[1]);
        }
        for (body, motion) in problem.bodies.iter_mut().zip(&point.motions) {
            let [x, y, angular] = motion.map(DoubleDouble::value);
            body.linear_velocity = glam::DVec2::new(x, y);
            body.angular_velocity = angular;
        }
        report.residual = point.error;
        report.refined = true;
    }
}

/// Σ f(p u) over all contacts, for a function f of the terms.
fn energy_terms(
    impulses: &[DoubleDouble],
    velocity: &[DoubleDouble],
    of_term: impl Fn(f64) -> f64,
) -> f64 {
    let terms = impulses.iter().zip(velocity);
    terms.map(|(p, u)| of_term((*p * *u).value())).sum()
}
