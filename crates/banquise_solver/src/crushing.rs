//! Contacts that crush: normal impulses with an upper bound, the crushing strength of the ice.
//!
//! ```text
//! 0 ≤ pₙ ≤ c,   uₙ ≥ l where pₙ = 0,   uₙ = l where 0 < pₙ < c,   uₙ ≤ l where pₙ = c
//! ```
//!
//! with l the least normal velocity and Coulomb's friction. Squeezed bodies always have such velocities, while rigid ones may not.
//! `bounded` solves the problem.

use glam::DVec2;

use crate::body_space::BodySpace;
use crate::bounded::solve_sequence;
use crate::bounded_path::follow;
use crate::bounded_problem::{BoundedProblem, Regularised};
use crate::iterate::Iterate;
use crate::lcp::COVERS;
use crate::local::LocalProblem;
use crate::method::Method;
use crate::problem::ContactProblem;
use crate::report::ImpactReport;
use crate::velocity_bounds::{Effort, apply};
use crate::verdict::{Reason, Verdict};
use crate::workspace::{PooledVec, SolverContext};

/// Bounds of a contact that may crush, and whether it does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Crushing {
    /// The least normal velocity; separation is positive \[m/s\].
    pub least: f64,
    /// The largest normal impulse \[N s\].
    pub largest: f64,
    /// Whether the contact yields: the impulse is the largest, and the normal velocity below the least.
    pub yields: bool,
    /// Energy that goes into crushing: the work of its impulse \[J\].
    pub energy: f64,
}

/// Solves for the velocities of bodies whose contacts may crush, with impulses no larger than their strength. `contacts` has one entry for each contact of
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
    let bodies = BodySpace::of(context, problem, &scaling.contacts);
    let bounded = BoundedProblem {
        context,
        problem: &scaled,
        bodies: &bodies,
        largest: &bounds,
    };
    let starts = scaling.scale(context, &starts);
    let impulses = if effort == Effort::Estimate {
        let mut swept = starts;
        bounded.sweep(&mut swept, context.settings.crushing.estimate_sweeps);
        swept
    } else {
        solve(&bounded, starts, report)
    };
    let impulses = scaling.unscale(context, &impulses);
    let velocity = local.velocity(context, &impulses);
    for (index, contact) in contacts.iter_mut().enumerate() {
        let (impulse, velocity) = (impulses[2 * index], velocity[2 * index]);
        contact.yields = impulse >= contact.largest * (1.0 - AT_BOUND) && velocity < contact.least;
        contact.energy = if contact.yields {
            impulse * (-velocity).max(0.0)
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
    stop_rounding(problem, &report.impulses);
}

/// Stops bodies whose velocities are rounding of zero: once nothing closes on them any more, they are at rest, and their contacts no impacts.
fn stop_rounding(problem: &mut ContactProblem, impulses: &[[f64; 2]]) {
    let turnover = problem.turnover(impulses);
    for (body, [linear, angular]) in problem.bodies.iter_mut().zip(&turnover) {
        if body.linear_velocity.length() <= ROUNDING_SHARE * linear * body.inv_mass
            && body.angular_velocity.abs() <= ROUNDING_SHARE * angular * body.inv_inertia
        {
            (body.linear_velocity, body.angular_velocity) = (DVec2::ZERO, 0.0);
        }
    }
}

/// A velocity below this share of what the impulses on a body could give it is rounding [–]: some hundred times that of a double.
const ROUNDING_SHARE: f64 = 3e-14;

/// An impulse is at its bound if it is within this share of it: rounding and the tolerance of the residual.
const AT_BOUND: f64 = 1e-6;

/// Solves the bounded problem and puts the verdict into the report: proximal problems from the warm start, then from the end of a path from open contacts, for
/// each of its covering vectors.
fn solve<'w>(
    bounded: &BoundedProblem<'_, 'w>,
    warm: PooledVec<'w, f64>,
    report: &mut ImpactReport,
) -> PooledVec<'w, f64> {
    let (context, settings) = (bounded.context, bounded.context.settings);
    let crushing = &settings.crushing;
    let acceptable = if bounded.largest.len() > crushing.jam_contacts {
        crushing.jam_acceptable
    } else {
        settings.accuracy.acceptable
    };
    let mut best = Iterate {
        residual: bounded.residual(&warm),
        impulses: warm,
    };
    let open = context.filled(0.0, best.impulses.len());
    for attempt in 0..=COVERS {
        let (schedule, start, method) = if attempt == 0 {
            let start = best.impulses.clone();
            (&settings.crushing_warm, start, Method::GaussSeidelNewton)
        } else {
            let regularised = Regularised {
                bounded,
                regularisation: settings.crushing.path_regularisation,
                centre: &open,
            };
            let (end, pivots) = follow(&regularised, attempt - 1);
            report.pivots += pivots as u64;
            let start = end.unwrap_or_else(|| best.impulses.clone());
            (&settings.crushing_pivoted, start, Method::Lemke)
        };
        report.methods[method as usize] += 1;
        let (found, problems) = solve_sequence(bounded, schedule, &start, acceptable);
        report.rounds += problems as u64;
        best.keep_better(&found.impulses, found.residual);
        if best.residual <= acceptable || context.must_end() {
            break;
        }
    }
    report.residual = best.residual;
    report.budget_spent = context.is_budget_spent();
    if best.residual > acceptable {
        report.unsolved = 1;
        let reason = if report.budget_spent {
            Reason::Budget
        } else {
            Reason::Residual
        };
        report.verdict = Verdict::Unsolved(reason);
    }
    best.impulses
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
