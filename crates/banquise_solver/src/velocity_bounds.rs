//! Lower bounds on normal velocities: they keep gaps over a fixed step, with restitution of part of the approach.

use crate::cascade::{solve_fixed_step, solve_if_feasible, solve_warm_started};
use crate::impact::{energy_change, energy_scale};
use crate::judge::{Asked, judge};
use crate::local::LocalProblem;
use crate::problem::ContactProblem;
use crate::proximal::estimate;
use crate::report::{ImpactReport, count, count_swept};
use crate::sequential::sweep_bodies;
use crate::verdict::APPROACH_TOLERANCE;
use crate::workspace::SolverContext;

/// Lower bounds on the normal velocity of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bound {
    /// The least normal velocity; separation is positive \[m/s\].
    pub least: f64,
    /// Normal velocity of the rebound by restitution, zero for none \[m/s\].
    pub rebound: f64,
}

/// Accuracy of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Some sweeps, to find further contacts; not judged by the residual.
    Estimate,
    /// To a scaled residual of 1e-9.
    Solve,
}

/// Solves for velocities within the bounds of all contacts, with Coulomb's friction: 0 ≤ uₙ − l ⟂ pₙ ≥ 0.
/// Where restitution would make the energy grow, it is reduced. Where bodies cannot all rebound or separate, none does: a positive `least` is
/// then zero. Without restitution only a positive `least` can add energy. With [`Effort::Solve`] the report has a verdict; where it is `Infeasible`, the
/// bodies keep their velocities and there are no impulses.
pub fn solve_velocity_bounds(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    bounds: &[Bound],
    effort: Effort,
    report: &mut ImpactReport,
) {
    let all = context.collect(0..problem.contacts.len());
    report.reset(all.len());
    (report.rounds, report.largest) = (1, all.len());
    context.begin(all.len());
    if LocalProblem::is_too_large(context, problem, &all) {
        let least = context.collect(bounds.iter().map(|bound| bound.least));
        let swept = sweep_bodies(context, problem, &all, &least);
        count_swept(&swept, &all, report);
        return;
    }
    let local = LocalProblem::of(context, problem, &all);
    let starts = problem.contacts.iter().flat_map(|contact| contact.start);
    let mut impulses = context.collect(starts);
    let mut aim = Aim::all_of(bounds);
    loop {
        let aimed = aim.problem(&local, bounds);
        let mut is_met = true;
        let found = if effort == Effort::Estimate {
            estimate(context, &aimed, &impulses)
        } else {
            let solution = if aim.is_feasible() {
                solve_fixed_step(context, &aimed, &impulses)
            } else {
                solve_if_feasible(context, &aimed, &impulses)
            };
            is_met = solution.is_solved();
            if is_met || aim.is_feasible() {
                count(&solution, report);
            }
            solution.impulses
        };
        let allowed = context.settings.impact.energy_rounding * energy_scale(&local, &found);
        let gains = aim.rebound > 0.0 && energy_change(context, &local, &found) > allowed;
        if aim.is_feasible() || is_met && !gains {
            impulses = found;
            break;
        }
        if aim.rebound > 0.0 {
            report.reductions = 1;
        }
        // Bounds that are infeasible, between two bodies for instance, are infeasible by half too.
        aim = if is_met && effort == Effort::Solve {
            aim.with_less_rebound(context.settings.impact.least_restitution_share)
        } else {
            Aim::FEASIBLE
        };
        if aim.is_feasible() && effort == Effort::Solve && is_driven(problem) {
            // Estimates for bounds that contradict each other raise the impulses of bodies between two others, and nothing would lower them.
            impulses = context.filled(0.0, impulses.len());
        }
    }
    let before = context.copied(&problem.bodies);
    report.budget_spent = context.is_budget_spent();
    [report.normal_loss, report.tangent_loss] = apply(context, problem, &local, &impulses);
    for (reported, pair) in report.impulses.iter_mut().zip(impulses.chunks_exact(2)) {
        *reported = [pair[0], pair[1]];
    }
    if effort == Effort::Solve {
        let asked = Asked {
            before: &before,
            least: &|contact| aim.least(&bounds[contact]),
            target: &|contact| aim.target(&bounds[contact]),
            approach_tolerance: approach_tolerance(context, problem),
            has_restitution: false,
            widens_cone: false,
        };
        judge(context, problem, &asked, report);
    }
    if aim.parts {
        // Of the impulses that count: a problem that is solved again has others.
        let impulses = context.collect(report.impulses.iter().copied().flatten());
        report.push_gain = push_gain(context, &local, bounds, &impulses);
        report.normal_loss += report.push_gain;
    }
}

/// Whether kinematic bodies move.
fn is_driven(problem: &ContactProblem) -> bool {
    let mut bodies = problem.bodies.iter();
    bodies.any(|body| body.inv_mass == 0.0 && body.linear_velocity.length_squared() > 0.0)
}

/// Approach that a solution may have, as a share of the impact speed. From a warm start, and with many contacts, it follows from the residual accepted there.
fn approach_tolerance(context: SolverContext<'_>, problem: &ContactProblem) -> f64 {
    // The residual weights velocities by the roots of masses, and those of the floes of a pack may differ by 1e6. Approaches are up to 14 times the residual in
    // `bench jam-day`, and 120 times in a box of floes at rest.
    const WEIGHTS: f64 = 1000.0;
    let accuracy = &context.settings.accuracy;
    let count = problem.contacts.len();
    let is_warm = problem
        .contacts
        .iter()
        .any(|contact| contact.start != [0.0; 2]);
    if is_warm || count > accuracy.dense_contacts {
        WEIGHTS * accuracy.acceptable
    } else {
        APPROACH_TOLERANCE
    }
}

/// Share of the bounds that is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Aim {
    /// The share of the rebounds.
    rebound: f64,
    /// Whether bodies are pushed apart where `least` is positive.
    parts: bool,
}

impl Aim {
    /// Bounds that are always feasible: bodies at rest keep them.
    const FEASIBLE: Self = Self {
        rebound: 0.0,
        parts: false,
    };

    fn all_of(bounds: &[Bound]) -> Self {
        let rebounds = bounds.iter().any(|bound| bound.rebound > 0.0);
        Self {
            rebound: if rebounds { 1.0 } else { 0.0 },
            parts: bounds.iter().any(|bound| bound.least > 0.0),
        }
    }

    fn is_feasible(self) -> bool {
        self == Self::FEASIBLE
    }

    fn with_less_rebound(self, least_share: f64) -> Self {
        Self {
            rebound: if self.rebound > least_share {
                0.5 * self.rebound
            } else {
                0.0
            },
            ..self
        }
    }

    /// The least normal velocity asked for.
    fn least(self, bound: &Bound) -> f64 {
        if self.parts {
            bound.least
        } else {
            bound.least.min(0.0)
        }
    }

    /// Lower bound on the normal velocity, with the rebound by restitution.
    fn target(self, bound: &Bound) -> f64 {
        let (least, rebound) = (self.least(bound), self.rebound * bound.rebound);
        if rebound > 0.0 {
            least.max(rebound)
        } else {
            least
        }
    }

    /// The friction problem in velocities relative to the bounds.
    fn problem<'w>(self, local: &LocalProblem<'w>, bounds: &[Bound]) -> LocalProblem<'w> {
        let mut aimed = local.clone();
        for (contact, bound) in bounds.iter().enumerate() {
            aimed.free_velocity[2 * contact] -= self.target(bound);
        }
        aimed
    }
}

/// Pushes apart bodies that are too close, without friction: at least `targets` \[m/s\]
/// at the contacts. Puts the impulse of each contact \[N s\] into `applied` and returns the kinetic energy taken, which is
/// negative where the push adds some \[J\].
pub fn push_apart(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    targets: &[f64],
    applied: &mut Vec<[f64; 2]>,
) -> f64 {
    let all = context.collect(0..problem.contacts.len());
    if LocalProblem::is_too_large(context, problem, &all) {
        applied.clear();
        applied.resize(all.len(), [0.0; 2]);
        return 0.0;
    }
    let local = LocalProblem::of(context, problem, &all);
    let mut shifted = LocalProblem {
        friction: context.filled(0.0, all.len()),
        ..local.clone()
    };
    for (contact, target) in targets.iter().enumerate() {
        shifted.free_velocity[2 * contact] -= target;
    }
    context.begin(all.len());
    let solution = solve_warm_started(context, &shifted, &[]);
    let mut impulses = if solution.is_solved() {
        solution.impulses
    } else {
        // Bodies that others hold between them cannot be pushed apart.
        context.filled(0.0, 2 * all.len())
    };
    for tangent in impulses.iter_mut().skip(1).step_by(2) {
        *tangent = 0.0;
    }
    let lost = apply(context, problem, &local, &impulses);
    let pairs = impulses.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    applied.clear();
    applied.extend(pairs);
    lost[0]
}

/// Kinetic energy gained where bodies are pushed apart \[J\].
fn push_gain(
    context: SolverContext<'_>,
    local: &LocalProblem<'_>,
    bounds: &[Bound],
    impulses: &[f64],
) -> f64 {
    let after = local.velocity(context, impulses);
    let parting = (0..bounds.len()).filter(|&contact| bounds[contact].least > 0.0);
    let works = parting.map(|contact| {
        let n = 2 * contact;
        0.5 * impulses[n] * (local.free_velocity[n] + after[n])
    });
    // An empty sum is −0, which would be printed as such.
    0.0 + works.map(|work| work.max(0.0)).sum::<f64>()
}

/// Applies the impulses and returns the kinetic energy lost along normals and tangents: with the mean of the velocities on either side of
/// them \[J\].
pub(crate) fn apply(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    local: &LocalProblem<'_>,
    impulses: &[f64],
) -> [f64; 2] {
    let after = local.velocity(context, impulses);
    let mut lost = [0.0; 2];
    for (contact, pair) in impulses.chunks_exact(2).enumerate() {
        let (n, t) = (2 * contact, 2 * contact + 1);
        lost[0] -= 0.5 * pair[0] * (local.free_velocity[n] + after[n]);
        lost[1] -= 0.5 * pair[1] * (local.free_velocity[t] + after[t]);
        problem.apply(contact, [pair[0], pair[1]]);
    }
    lost
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::problem::{Body, Contact};
    use crate::settings::SolverSettings;
    use crate::workspace::{SolverWorkspace, with_defaults};

    /// Discs in a row, each with the velocity given, with 1 mm between them.
    fn row(velocities: &[f64], restitution: f64) -> ContactProblem {
        let body = |(index, &speed): (usize, &f64)| Body {
            inv_mass: 1.0,
            inv_inertia: 2.0,
            position: DVec2::new(2.0 * index as f64, 0.0),
            linear_velocity: DVec2::new(speed, 0.1),
            angular_velocity: 0.0,
        };
        let contact = |index: usize| Contact {
            a: index,
            b: index + 1,
            arms: [DVec2::X, DVec2::NEG_X],
            normal: DVec2::X,
            friction: 0.3,
            restitution,
            gap: 1e-3,
            start: [0.0; 2],
        };
        ContactProblem {
            bodies: velocities.iter().enumerate().map(body).collect(),
            contacts: (0..velocities.len() - 1).map(contact).collect(),
        }
    }

    fn bounds(count: usize, least: f64, rebound: f64) -> Vec<Bound> {
        let bound = Bound { least, rebound };
        vec![bound; count]
    }

    fn solve(problem: &mut ContactProblem, bounds: &[Bound], report: &mut ImpactReport) {
        with_defaults(|context| {
            solve_velocity_bounds(context, problem, bounds, Effort::Solve, report);
        });
    }

    #[test]
    fn velocities_are_within_their_bounds_and_energy_falls() {
        let mut problem = row(&[1.0, 0.0, -0.5, -0.5, 0.2], 0.0);
        let before = problem.kinetic_energy();
        let mut report = ImpactReport::default();
        solve(&mut problem, &bounds(4, -0.1, 0.0), &mut report);
        assert_eq!(report.unsolved, 0);
        let lost = report.normal_loss + report.tangent_loss;
        assert!((before - problem.kinetic_energy() - lost).abs() < 1e-14);
        assert!(lost > 0.0);
        for contact in &problem.contacts {
            assert!(problem.relative_velocity(contact)[0] >= -0.1 - 1e-9);
        }
    }

    #[test]
    fn the_energy_of_a_push_is_that_of_the_impulses_found_at_last() {
        // With such a tolerance zero impulses pass for a solution; the verdict does not let them, and the problem is solved again.
        let mut settings = SolverSettings::DEFAULT;
        (settings.accuracy.acceptable, settings.accuracy.round_off) = (1.5, 1.5);
        let workspace = SolverWorkspace::default();
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let mut problem = row(&[0.0; 3], 0.0);
        let before = problem.kinetic_energy();
        let mut report = ImpactReport::default();
        let pushed = bounds(2, 0.01, 0.0);
        solve_velocity_bounds(context, &mut problem, &pushed, Effort::Solve, &mut report);
        assert!(report.refined && report.unsolved == 0);
        let gained = problem.kinetic_energy() - before;
        assert!(gained > 0.0 && (report.push_gain - gained).abs() < 1e-15);
        assert!((report.normal_loss + report.tangent_loss).abs() < 1e-15);
    }

    #[test]
    fn restitution_that_would_add_energy_is_reduced() {
        let mut problem = row(&[0.1, 0.0, 0.0], 1.0);
        let before = problem.kinetic_energy();
        // More than any impact can give back.
        let mut report = ImpactReport::default();
        solve(&mut problem, &bounds(2, 0.0, 0.4), &mut report);
        assert_eq!(report.reductions, 1);
        assert!(problem.kinetic_energy() <= before * (1.0 + 1e-14));
    }
}
