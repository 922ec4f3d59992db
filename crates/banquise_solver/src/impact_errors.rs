//! The errors of a whole impact: residual, friction cone, approach, energy and momentum.

use glam::DVec2;

use crate::problem::{Body, Contact, ContactProblem};
use crate::report::ImpactReport;

/// Errors of the solution of an impact, each relative to a scale of its own: all zero for an exact solution.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImpactErrors {
    /// The largest scaled residual of its friction problems: see [`residual`](crate::residual).
    pub complementarity: f64,
    /// How far an impulse is outside its friction cone, or pulls, as a share of the largest.
    pub cone: f64,
    /// How fast bodies still approach beyond the slack velocity, as a share of the fastest contact before: velocities are
    /// admissible where it is zero. A solution has no more than 1e-9, or what rounding of the data explains.
    pub approach: f64,
    /// Growth of the kinetic energy beyond the work of fixed and kinematic bodies, as a share of it.
    pub energy: f64,
    /// Violation of the balance of momentum: how much the velocity of a body differs from what the impulses give it, as a share of
    /// the sum of their sizes.
    pub momentum: f64,
}

/// Measures the errors of an impact from the problem before it, the bodies after it and the impulses reported.
pub fn impact_errors(
    before: &ContactProblem,
    after: &[Body],
    report: &ImpactReport,
) -> ImpactErrors {
    let speed = |contact: &Contact| DVec2::from(before.relative_velocity(contact)).length();
    let fastest = before.contacts.iter().map(speed);
    let fastest = fastest.fold(f64::MIN_POSITIVE, f64::max);
    let largest = report.impulses.iter().map(|impulse| impulse[0].abs());
    let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
    let mut moved = before.clone();
    let mut errors = ImpactErrors {
        complementarity: report.residual,
        ..ImpactErrors::default()
    };
    let mut given = 0.0;
    for (index, contact) in before.contacts.iter().enumerate() {
        let [normal, tangent] = report.impulses[index];
        let outside = (tangent.abs() - contact.friction * normal).max(-normal);
        errors.cone = errors.cone.max(outside / largest);
        given += work_of_fixed(before, contact, [normal, tangent]);
        moved.apply(index, [normal, tangent]);
    }
    errors.momentum = momentum_error(before, after, &moved.bodies, report, fastest);
    let energy = before.kinetic_energy();
    moved.bodies = after.to_vec();
    for contact in &before.contacts {
        let approach = -report.slack_velocity - moved.relative_velocity(contact)[0];
        errors.approach = errors.approach.max(approach / fastest);
    }
    let growth = moved.kinetic_energy() - energy - given;
    errors.energy = (growth / energy.max(given.abs()).max(f64::MIN_POSITIVE)).max(0.0);
    errors
}

/// Violation of the balance of momentum, as in [`ImpactErrors::momentum`].
fn momentum_error(
    before: &ContactProblem,
    after: &[Body],
    by_impulses: &[Body],
    report: &ImpactReport,
    fastest: f64,
) -> f64 {
    // For each body: the longest lever arm, and the sum of all impulses.
    let mut ends = vec![(0.0_f64, 0.0); after.len()];
    for (contact, impulse) in before.contacts.iter().zip(&report.impulses) {
        for (row, arm) in [contact.a, contact.b].into_iter().zip(contact.arms) {
            let (reach, sum) = &mut ends[row];
            *reach = reach.max(arm.length());
            *sum += DVec2::from(*impulse).length();
        }
    }
    let mut worst = 0.0_f64;
    for (row, &(reach, sum)) in ends.iter().enumerate() {
        let (given, body) = (&by_impulses[row], &after[row]);
        let linear = (given.linear_velocity - body.linear_velocity).length();
        let angular = (given.angular_velocity - body.angular_velocity).abs();
        let turnover = sum * (body.inv_mass + body.inv_inertia * reach * reach);
        worst = worst.max((linear + angular * reach) / turnover.max(fastest));
    }
    worst
}

/// Work of a kinematic body on the other body of a contact \[J\].
fn work_of_fixed(problem: &ContactProblem, contact: &Contact, impulse: [f64; 2]) -> f64 {
    let vector = impulse[0] * contact.normal + impulse[1] * contact.tangent();
    let ends = [
        (contact.a, contact.arms[0], vector),
        (contact.b, contact.arms[1], -vector),
    ];
    let fixed = ends
        .into_iter()
        .find(|(row, ..)| problem.bodies[*row].inv_mass == 0.0);
    fixed.map_or(0.0, |(row, arm, given)| {
        let body = &problem.bodies[row];
        given.dot(body.linear_velocity + body.angular_velocity * arm.perp())
    })
}
