//! Least velocities at contacts: what keeps a gap over a step, or gives back part of an approach.

use crate::cascade::{ACCEPTABLE, solve_local, solve_local_from, try_local_from};
use crate::impact::{ENERGY_ROUNDING, ImpactReport, count, energy_change, energy_scale};
use crate::list::List;
use crate::local::LocalProblem;
use crate::problem::ContactProblem;
use crate::proximal::sketch;

/// What a contact must come to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bound {
    /// The least normal velocity; separation is positive \[m/s\].
    pub least: f64,
    /// The normal velocity that restitution gives back, zero for none \[m/s\].
    pub rebound: f64,
}

/// How well it is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Some sweeps, to see who else will be touched; judged by nobody.
    Sketch,
    /// To a scaled residual of 1e-9.
    Solve,
}

/// The least share of the restitution tried before it is dropped.
const LEAST_SHARE: f64 = 0.125;

/// Gives the bodies of all contacts velocities within their bounds, by impulses that push, with Coulomb's friction: 0 ≤ uₙ − l ⟂ pₙ ≥ 0.
/// Where restitution would make the energy grow, less of it is given back. Where bodies cannot all rebound or part, none does: a positive `least` is
/// then zero. Without restitution only a positive `least` can add energy.
pub fn constrain(
    problem: &mut ContactProblem,
    bounds: &[Bound],
    effort: Effort,
    report: &mut ImpactReport,
) {
    let all: List<usize> = (0..problem.contacts.len()).collect();
    let local = LocalProblem::of(problem, &all);
    report.reset(all.len());
    (report.rounds, report.largest) = (1, all.len());
    let starts = problem.contacts.iter().flat_map(|contact| contact.start);
    let mut impulses: List<f64> = starts.collect();
    let mut aim = Aim::all_of(bounds);
    loop {
        let aimed = aim.problem(&local, bounds);
        let mut is_met = true;
        let found = if effort == Effort::Sketch {
            sketch(&aimed, &impulses)
        } else {
            let solution = if aim.is_modest() {
                solve_local_from(&aimed, &impulses, ACCEPTABLE)
            } else {
                try_local_from(&aimed, &impulses, ACCEPTABLE)
            };
            is_met = solution.is_solved();
            if is_met || aim.is_modest() {
                count(&solution, report);
            }
            solution.impulses
        };
        let allowed = ENERGY_ROUNDING * energy_scale(&local, &found);
        let gains = aim.rebound > 0.0 && energy_change(&local, &found) > allowed;
        if aim.is_modest() || is_met && !gains {
            impulses = found;
            break;
        }
        if aim.rebound > 0.0 {
            report.reductions = 1;
        }
        // What some bodies cannot do, between two others for instance, they cannot do by half.
        aim = if is_met && effort == Effort::Solve {
            aim.with_less_rebound()
        } else {
            Aim::MODEST
        };
    }
    [report.normal_loss, report.tangent_loss] = apply(problem, &local, &impulses);
    for (reported, pair) in report.impulses.iter_mut().zip(impulses.chunks_exact(2)) {
        *reported = [pair[0], pair[1]];
    }
}

/// How much of the bounds is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Aim {
    /// The share of the rebounds.
    rebound: f64,
    /// Whether bodies are to part where `least` is positive.
    parts: bool,
}

impl Aim {
    /// What can be had for certain: bodies at rest do it.
    const MODEST: Self = Self {
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

    fn is_modest(self) -> bool {
        self == Self::MODEST
    }

    fn with_less_rebound(self) -> Self {
        Self {
            rebound: if self.rebound > LEAST_SHARE {
                0.5 * self.rebound
            } else {
                0.0
            },
            ..self
        }
    }

    /// The problem of what is above the bounds.
    fn problem(self, local: &LocalProblem, bounds: &[Bound]) -> LocalProblem {
        let mut aimed = local.clone();
        for (contact, bound) in bounds.iter().enumerate() {
            let least = if self.parts {
                bound.least
            } else {
                bound.least.min(0.0)
            };
            let rebound = self.rebound * bound.rebound;
            let target = if rebound > 0.0 {
                least.max(rebound)
            } else {
                least
            };
            aimed.free_velocity[2 * contact] -= target;
        }
        aimed
    }
}

/// Gives bodies that are too close a velocity of separation, without friction: at least `targets` \[m/s\]
/// at the contacts. Returns the impulse of each contact \[N s\], and the kinetic energy taken, which is negative where the push
/// adds some \[J\].
pub fn separate(problem: &mut ContactProblem, targets: &[f64]) -> (List<[f64; 2]>, f64) {
    let all: List<usize> = (0..problem.contacts.len()).collect();
    let local = LocalProblem::of(problem, &all);
    let mut shifted = LocalProblem {
        friction: List::of(0.0, all.len()),
        ..local.clone()
    };
    for (contact, target) in targets.iter().enumerate() {
        shifted.free_velocity[2 * contact] -= target;
    }
    let mut impulses = solve_local(&shifted).impulses;
    for tangent in impulses.iter_mut().skip(1).step_by(2) {
        *tangent = 0.0;
    }
    let lost = apply(problem, &local, &impulses);
    let pairs = impulses.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    (pairs.collect(), lost[0])
}

/// Applies the impulses; the kinetic energy they take along normals and tangents: with the mean of the velocities on either side of
/// them \[J\].
fn apply(problem: &mut ContactProblem, local: &LocalProblem, impulses: &[f64]) -> [f64; 2] {
    let after = local.velocity(impulses);
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

    #[test]
    fn velocities_are_within_their_bounds_and_energy_falls() {
        let mut problem = row(&[1.0, 0.0, -0.5, -0.5, 0.2], 0.0);
        let before = problem.kinetic_energy();
        let mut report = ImpactReport::default();
        constrain(
            &mut problem,
            &bounds(4, -0.1, 0.0),
            Effort::Solve,
            &mut report,
        );
        assert_eq!(report.unsolved, 0);
        let lost = report.normal_loss + report.tangent_loss;
        assert!((before - problem.kinetic_energy() - lost).abs() < 1e-14);
        assert!(lost > 0.0);
        for contact in &problem.contacts {
            assert!(problem.relative_velocity(contact)[0] >= -0.1 - 1e-9);
        }
    }

    #[test]
    fn restitution_that_would_add_energy_is_reduced() {
        let mut problem = row(&[0.1, 0.0, 0.0], 1.0);
        let before = problem.kinetic_energy();
        // More than any impact can give back.
        let mut report = ImpactReport::default();
        constrain(
            &mut problem,
            &bounds(2, 0.0, 0.4),
            Effort::Solve,
            &mut report,
        );
        assert_eq!(report.reductions, 1);
        assert!(problem.kinetic_energy() <= before * (1.0 + 1e-14));
    }
}
