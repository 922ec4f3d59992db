//! Contacts that yield: normal impulses with an upper bound, as ice that is crushed gives them.
//!
//! ```text
//! 0 ≤ pₙ ≤ c,   uₙ ≥ l where pₙ = 0,   uₙ = l where 0 < pₙ < c,   uₙ ≤ l where pₙ = c
//! ```
//!
//! with Coulomb's friction. Bodies that others squeeze have such velocities always, and rigid ones may not. Which contacts yield is
//! found by projected Gauss–Seidel sweeps: given a set of contacts that yield, theirs are known impulses, whose friction cones are known too, and
//! what is left is a friction problem.

use crate::cascade::{Method, solve_if_feasible};
use crate::friction_lcp::{friction_lcp, impulses_from_lcp};
use crate::lcp::{COVERS, Lcp, LemkeChoices, lemke_with};
use crate::local::LocalProblem;
use crate::matrix::Matrix;
use crate::problem::ContactProblem;
use crate::report::ImpactReport;
use crate::residual::bounded_residual;
use crate::velocity_bounds::{Effort, apply};
use crate::verdict::{Reason, Verdict};
use crate::workspace::{PooledVec, SolverContext};

/// What contacts that may yield are asked, and what they do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Crushing {
    /// The least normal velocity; separation is positive \[m/s\].
    pub least: f64,
    /// The largest normal impulse \[N s\].
    pub largest: f64,
    /// Whether the contact yields: the impulse is the largest, and the normal velocity below the least.
    pub yields: bool,
    /// Energy that goes into crushing: the work of the impulse on the approach beyond the least velocity \[J\].
    pub energy: f64,
}

/// Gives the bodies of all contacts velocities by impulses no larger than the contacts bear. `contacts` has one entry for each contact of
/// the problem. The energy of crushing is not among the losses of the report.
pub fn solve_crushing(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    contacts: &mut [Crushing],
    effort: Effort,
    report: &mut ImpactReport,
) {
    let all = context.collect(0..problem.contacts.len());
    report.reset(all.len());
    report.largest = all.len();
    context.begin(all.len());
    let local = LocalProblem::of(context, problem, &all);
    let (mut scaled, scaling) = local.scaled(context);
    let mut bounds = context.with_capacity(all.len());
    for (index, contact) in contacts.iter().enumerate() {
        scaled.free_velocity[2 * index] -=
            scaling.contacts[index] * contact.least / scaling.velocity;
        bounds.push(contact.largest / (scaling.contacts[index] * scaling.velocity));
    }
    let starts = context.collect(problem.contacts.iter().flat_map(|contact| contact.start));
    let bounded = Bounded {
        context,
        problem: &scaled,
        largest: &bounds,
    };
    let starts = scaling.scale(context, &starts);
    let impulses = if effort == Effort::Estimate {
        let mut swept = starts;
        bounded.sweep(&mut swept, context.settings.impact.crushing_sweeps);
        swept
    } else {
        bounded.solve(&starts, report)
    };
    let impulses = scaling.unscale(context, &impulses);
    let velocity = local.velocity(context, &impulses);
    for (index, contact) in contacts.iter_mut().enumerate() {
        let (impulse, velocity) = (impulses[2 * index], velocity[2 * index]);
        contact.yields = impulse >= contact.largest * (1.0 - AT_BOUND) && velocity < contact.least;
        let approach = (contact.least.min(0.0) - velocity).max(0.0);
        contact.energy = if contact.yields {
            impulse * approach
        } else {
            0.0
        };
    }
    let crushed: f64 = contacts.iter().map(|contact| contact.energy).sum();
    let [normal, tangent] = apply(context, problem, &local, &impulses);
    [report.normal_loss, report.tangent_loss] = [normal - crushed, tangent];
    for (reported, pair) in report.impulses.iter_mut().zip(impulses.chunks_exact(2)) {
        *reported = [pair[0], pair[1]];
    }
}

/// An impulse is at its bound if it is within this share of it: what rounding leaves of the pivoting. The residual judges what comes of it.
const AT_BOUND: f64 = 1e-6;

/// Rounds of sweeps that are made last, where nothing else solved a problem.
const LAST_SWEEPS: usize = 20;

/// A scaled friction problem with upper bounds on the normal impulses.
struct Bounded<'a, 'w> {
    context: SolverContext<'w>,
    problem: &'a LocalProblem<'w>,
    largest: &'a [f64],
}

impl<'w> Bounded<'_, 'w> {
    /// Sweeps to find which contacts yield, then an exact solution of what is left, until the residual says that it is one. Where sweeps do not
    /// find it, pivoting does, along one of some paths.
    fn solve(&self, starts: &[f64], report: &mut ImpactReport) -> PooledVec<'w, f64> {
        let (context, law) = (self.context, &self.context.settings.impact);
        let mut swept = context.copied(starts);
        let mut best = context.copied(starts);
        let mut least = f64::INFINITY;
        let accuracy = &context.settings.accuracy;
        let acceptable = if self.largest.len() > accuracy.jam_contacts {
            accuracy.jam_acceptable
        } else {
            accuracy.acceptable
        };
        loop {
            report.rounds += 1;
            let pivoting = report.rounds as usize / law.crushing_trials;
            let is_due = (report.rounds as usize).is_multiple_of(law.crushing_trials);
            if is_due && (1..=2 * COVERS).contains(&pivoting) {
                swept = self.pivot(pivoting - 1, report);
            } else {
                self.sweep(&mut swept, law.crushing_sweeps);
            }
            let found = self.solve_given(&swept, report);
            let residuals = [self.residual(&swept), self.residual(&found)];
            for (impulses, residual) in [&swept, &found].into_iter().zip(residuals) {
                if residual < least {
                    least = residual;
                    best.copy_from_slice(impulses);
                }
            }
            let is_solved = least <= acceptable;
            let is_last = report.rounds as usize >= law.crushing_rounds;
            if is_solved || is_last || context.is_budget_spent() {
                break;
            }
            if residuals[1] < residuals[0] {
                swept = found;
            }
        }
        if least > acceptable {
            // What is left is nearly a solution.
            swept.copy_from_slice(&best);
            self.sweep(&mut swept, LAST_SWEEPS * law.crushing_sweeps);
            let residual = self.residual(&swept);
            if residual < least {
                least = residual;
                best = swept;
            }
        }
        report.residual = least;
        report.budget_spent = context.is_budget_spent();
        if least > acceptable {
            report.unsolved = 1;
            let reason = if report.budget_spent {
                Reason::Budget
            } else {
                Reason::Residual
            };
            report.verdict = Verdict::Unsolved(reason);
        }
        best
    }

    fn residual(&self, impulses: &[f64]) -> f64 {
        let velocity = self.problem.velocity(self.context, impulses);
        bounded_residual(self.problem, impulses, &velocity, |contact| {
            self.largest[contact]
        })
    }

    /// Projected Gauss–Seidel sweeps over all contacts.
    fn sweep(&self, impulses: &mut [f64], sweeps: usize) {
        let delassus = &self.problem.delassus;
        for _ in 0..sweeps {
            for (contact, &largest) in self.largest.iter().enumerate() {
                let (n, t) = (2 * contact, 2 * contact + 1);
                let mut velocity = [self.problem.free_velocity[n], self.problem.free_velocity[t]];
                for (other, block) in delassus.row(contact) {
                    for (sum, entries) in velocity.iter_mut().zip(block) {
                        *sum +=
                            entries[0] * impulses[2 * other] + entries[1] * impulses[2 * other + 1];
                    }
                }
                let own = delassus.diagonal(contact);
                let before = impulses[n];
                impulses[n] = (before - velocity[0] / own[0][0]).clamp(0.0, largest);
                let slip = velocity[1] + own[1][0] * (impulses[n] - before);
                let cone = self.problem.friction[contact] * impulses[n];
                impulses[t] = (impulses[t] - slip / own[1][1]).clamp(-cone, cone);
            }
        }
        let operations = sweeps * delassus.block_count() * 8;
        self.context
            .workspace
            .count(|work| work.sweeps += sweeps as u64);
        self.context.spend(operations);
    }

    /// Lemke's method on the whole problem, with a slack s for each bound: uₙ + s ⟂ pₙ and c − pₙ ⟂ s. With bounds the matrix is copositive and
    /// the set of impulses bounded, so that a solution exists. Paths differ in their covering vectors; later ones check their factors at each pivot.
    fn pivot(&self, path: usize, report: &mut ImpactReport) -> PooledVec<'w, f64> {
        let (context, count) = (self.context, self.largest.len());
        let friction = friction_lcp(context, self.problem);
        let mut matrix = Matrix::zeros_in(context, 5 * count, 5 * count);
        let mut constant = context.filled(1.0, 5 * count);
        constant[..4 * count].copy_from_slice(&friction.constant);
        for column in 0..4 * count {
            for row in 0..4 * count {
                matrix.set(row, column, friction.matrix.get(row, column));
            }
        }
        for (contact, largest) in self.largest.iter().enumerate() {
            matrix.set(contact, 4 * count + contact, 1.0);
            matrix.set(4 * count + contact, contact, -1.0 / largest);
        }
        let lcp = Lcp::new(matrix, constant);
        let usual = LemkeChoices::usual(context, 5 * count, path % COVERS);
        let choices = if path < COVERS {
            usual
        } else {
            LemkeChoices {
                rate_tolerance: context.settings.pivoting.careful_rate,
                check_every: 1,
                ..usual
            }
        };
        let found = lemke_with(context, &lcp, &choices);
        report.pivots += found.pivots as u64;
        report.methods[Method::Lemke as usize] += 1;
        impulses_from_lcp(context, &found.z[..4 * count])
    }

    /// Solves the friction problem that is left when the contacts yield whose impulses are at their bounds.
    fn solve_given(&self, swept: &[f64], report: &mut ImpactReport) -> PooledVec<'w, f64> {
        let context = self.context;
        let yields =
            |&(contact, &largest): &(usize, &f64)| swept[2 * contact] >= largest * (1.0 - AT_BOUND);
        let mut given = context.filled(0.0, swept.len());
        for (contact, &largest) in self.largest.iter().enumerate().filter(yields) {
            given[2 * contact] = largest;
        }
        let mut rest = LocalProblem {
            free_velocity: self.problem.velocity(context, &given),
            ..self.problem.clone()
        };
        let mut start = context.copied(swept);
        for (contact, &largest) in self.largest.iter().enumerate().filter(yields) {
            // Its normal impulse is given: what is left of the contact is friction, within the cone of that impulse.
            rest.delassus.decouple_normal(contact);
            rest.free_velocity[2 * contact] = 1.0;
            rest.prior_normal_impulse[contact] = largest;
            start[2 * contact] = 0.0;
        }
        // While it is not found who yields, there may be no solution: a cheap attempt.
        let solution = solve_if_feasible(context, &rest, &start);
        report.methods[solution.method as usize] += 1;
        report.pivots += solution.pivots as u64;
        let sums = solution.impulses.iter().zip(&given);
        context.collect(sums.map(|(found, given)| found + given))
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::problem::{Body, Contact};
    use crate::workspace::with_defaults;

    /// A floe of 1 kg at rest between a press, which comes at 1 m/s, and an anvil.
    fn squeezed(friction: f64) -> ContactProblem {
        let body = |inv_mass: f64, x: f64, speed: f64| Body {
            inv_mass,
            inv_inertia: 2.0 * inv_mass,
            position: DVec2::new(x, 0.0),
            linear_velocity: DVec2::new(speed, 0.0),
            angular_velocity: 0.0,
        };
        let contact = |a: usize, b: usize| Contact {
            a,
            b,
            arms: [DVec2::X, -DVec2::X],
            normal: DVec2::X,
            friction,
            restitution: 0.0,
            gap: 0.0,
            start: [0.0; 2],
        };
        let contacts = vec![contact(0, 1), contact(1, 2)];
        ContactProblem {
            bodies: vec![
                body(0.0, 0.0, 1.0),
                body(1.0, 2.0, 0.0),
                body(0.0, 4.0, 0.0),
            ],
            contacts,
        }
    }

    fn solve(problem: &mut ContactProblem, largest: [f64; 2]) -> (Vec<Crushing>, ImpactReport) {
        let mut contacts: Vec<Crushing> = largest
            .map(|largest| Crushing {
                largest,
                ..Crushing::default()
            })
            .into();
        let mut report = ImpactReport::default();
        with_defaults(|context| {
            solve_crushing(context, problem, &mut contacts, Effort::Solve, &mut report);
        });
        (contacts, report)
    }

    #[test]
    fn the_weaker_contact_yields_and_the_other_holds() {
        for (largest, yielding) in [([5.0, 3.0], 1), ([3.0, 5.0], 0)] {
            for friction in [0.0, 0.5] {
                let mut problem = squeezed(friction);
                let (contacts, report) = solve(&mut problem, largest);
                assert_eq!(report.unsolved, 0);
                assert!(contacts[yielding].yields && !contacts[1 - yielding].yields);
                // The floe goes with the press where the anvil's side yields, and stays where the press's side does.
                let speed = problem.bodies[1].linear_velocity.x;
                assert!((speed - yielding as f64).abs() < 1e-12, "{speed}");
                assert!((contacts[yielding].energy - 3.0).abs() < 1e-12);
                let impulses = [report.impulses[0][0], report.impulses[1][0]];
                let gained = speed - (impulses[0] - impulses[1]);
                assert!(gained.abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_contact_that_can_bear_the_load_holds() {
        let mut problem = squeezed(0.5);
        problem.bodies[2].linear_velocity.x = 1.0;
        let (contacts, report) = solve(&mut problem, [5.0, 3.0]);
        assert!(
            contacts.iter().all(|contact| !contact.yields),
            "{contacts:?} {report:?} {:?}",
            problem.bodies[1]
        );
        assert_eq!((report.unsolved, contacts[0].energy), (0, 0.0));
        assert!((problem.bodies[1].linear_velocity.x - 1.0).abs() < 1e-12);
    }
}
