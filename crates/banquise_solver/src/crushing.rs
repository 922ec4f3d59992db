//! Contacts that yield: normal impulses with an upper bound, as ice that is crushed gives them.
//!
//! ```text
//! 0 ≤ pₙ ≤ c,   uₙ ≥ l where pₙ = 0,   uₙ = l where 0 < pₙ < c,   uₙ ≤ l where pₙ = c
//! ```
//!
//! with Coulomb's friction. Bodies that others squeeze have such velocities always, and rigid ones may not. Which contacts yield is
//! found by block principal pivoting (Júdice & Pires 1994): given a set of contacts that yield, theirs are known impulses, whose
//! friction cones are known too, and what is left is a friction problem.

use crate::cascade::{LocalSolution, solve_fixed_step};
use crate::local::LocalProblem;
use crate::problem::ContactProblem;
use crate::report::{ImpactReport, count};
use crate::velocity_bounds::apply;
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
    report: &mut ImpactReport,
) {
    let all = context.collect(0..problem.contacts.len());
    report.reset(all.len());
    (report.rounds, report.largest) = (0, all.len());
    context.begin(all.len());
    let local = LocalProblem::of(context, problem, &all);
    let starts = problem.contacts.iter().flat_map(|contact| contact.start);
    let mut impulses = context.collect(starts);
    let law = &context.settings.impact;
    begin(&local, &impulses, contacts, law.yielded_share);
    let (mut fewest, mut patience) = (usize::MAX, law.crushing_patience);
    loop {
        report.rounds += 1;
        let (found, solution) = solve_given(context, &local, contacts, &impulses);
        impulses = found;
        let velocity = local.velocity(context, &impulses);
        let wrong = wrong_contacts(
            context,
            &velocity,
            &impulses,
            contacts,
            &solution,
            patience > 0,
        );
        let is_last = report.rounds as usize >= law.crushing_rounds || context.is_budget_spent();
        if wrong.is_empty() || is_last {
            count(&solution, report);
            report.unsolved += u64::from(!wrong.is_empty() && solution.is_solved());
            report.budget_spent = context.is_budget_spent();
            if report.unsolved > 0 {
                report.verdict = Verdict::Unsolved(if report.budget_spent {
                    Reason::Budget
                } else {
                    Reason::Residual
                });
            }
            note_energy(&velocity, &impulses, contacts);
            break;
        }
        // All at once while that makes them fewer, then one by one: all at once may go round in a circle.
        if wrong.len() < fewest {
            (fewest, patience) = (wrong.len(), law.crushing_patience);
        } else {
            patience = patience.saturating_sub(1);
        }
        let changed = if patience > 0 {
            &wrong[..]
        } else {
            &wrong[wrong.len() - 1..]
        };
        for &contact in changed {
            contacts[contact].yields ^= true;
            // Contacts that need not push hold each other at any impulse: from zero it is the least.
            impulses[2 * contact] = 0.0;
        }
    }
    let crushed: f64 = contacts.iter().map(|contact| contact.energy).sum();
    let [normal, tangent] = apply(context, problem, &local, &impulses);
    [report.normal_loss, report.tangent_loss] = [normal - crushed, tangent];
    for (reported, pair) in report.impulses.iter_mut().zip(impulses.chunks_exact(2)) {
        *reported = [pair[0], pair[1]];
    }
}

/// Those yield that did in the last step, and those whose bodies approach: an impulse of others must not press a contact that need not push.
fn begin(local: &LocalProblem<'_>, starts: &[f64], contacts: &mut [Crushing], yielded_share: f64) {
    for (index, contact) in contacts.iter_mut().enumerate() {
        let bore_all = starts[2 * index] >= yielded_share * contact.largest;
        let approaches = local.free_velocity[2 * index] < contact.least;
        contact.yields = contact.largest.is_finite() && (bore_all || approaches);
    }
}

/// Solves the friction problem that is left, given which contacts yield.
fn solve_given<'w>(
    context: SolverContext<'w>,
    local: &LocalProblem<'w>,
    contacts: &[Crushing],
    starts: &[f64],
) -> (PooledVec<'w, f64>, LocalSolution<'w>) {
    let given = |contact: &Crushing| if contact.yields { contact.largest } else { 0.0 };
    let given = context.collect(contacts.iter().flat_map(|contact| [given(contact), 0.0]));
    let mut rest = LocalProblem {
        free_velocity: local.velocity(context, &given),
        ..local.clone()
    };
    let scale = rest
        .free_velocity
        .iter()
        .fold(f64::MIN_POSITIVE, |max, u| max.max(u.abs()));
    let mut start = context.copied(starts);
    for (index, contact) in contacts.iter().enumerate() {
        if contact.yields {
            // Its normal impulse is given: what is left of the contact is friction, within the cone of that impulse.
            rest.delassus.decouple_normal(index);
            rest.free_velocity[2 * index] = scale;
            rest.prior_normal_impulse[index] = contact.largest;
            start[2 * index] = 0.0;
        } else {
            rest.free_velocity[2 * index] -= contact.least;
        }
    }
    let solution = solve_fixed_step(context, &rest, &start);
    let sums = solution
        .impulses
        .iter()
        .zip(&given)
        .map(|(found, given)| found + given);
    (context.collect(sums), solution)
}

/// The contacts that should yield and do not, and those that should not: with velocities above the least, or `at_least`: its impulse is then no
/// larger than it must be. Where several contacts share a load in any way, some have to yield at the least velocity. Where the friction problem was not solved, the one whose impulse is the
/// largest share of what it bears.
fn wrong_contacts<'w>(
    context: SolverContext<'w>,
    velocity: &[f64],
    impulses: &[f64],
    contacts: &[Crushing],
    solution: &LocalSolution<'_>,
    at_least: bool,
) -> PooledVec<'w, usize> {
    let tolerance = context.settings.accuracy.acceptable;
    let fastest = velocity.iter().fold(0.0_f64, |max, u| max.max(u.abs()));
    let is_wrong = |&index: &usize| {
        let contact = &contacts[index];
        if contact.yields {
            let above = velocity[2 * index] - contact.least;
            let margin = tolerance * fastest;
            above > margin || at_least && above >= -margin
        } else {
            impulses[2 * index] > contact.largest * (1.0 + tolerance)
        }
    };
    let wrong = context.collect((0..contacts.len()).filter(is_wrong));
    if solution.is_solved() || !wrong.is_empty() {
        return wrong;
    }
    let share = |index: usize| impulses[2 * index] / contacts[index].largest;
    let holding = (0..contacts.len()).filter(|&index| !contacts[index].yields);
    context.collect(holding.max_by(|&x, &y| share(x).total_cmp(&share(y))))
}

fn note_energy(velocity: &[f64], impulses: &[f64], contacts: &mut [Crushing]) {
    for (index, contact) in contacts.iter_mut().enumerate() {
        let approach = (contact.least.min(0.0) - velocity[2 * index]).max(0.0);
        contact.energy = if contact.yields {
            impulses[2 * index] * approach
        } else {
            0.0
        };
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
        with_defaults(|context| solve_crushing(context, problem, &mut contacts, &mut report));
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
