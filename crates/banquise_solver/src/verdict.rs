//! Verdicts on contact problems, and the approach speed beyond which a solution is rejected.

use crate::certificate::Certificate;
use crate::problem::{Body, Contact, ContactProblem};
use glam::DVec2;

/// Approach beyond its bound that a solution may have, as a share of the impact speed.
pub(crate) const APPROACH_TOLERANCE: f64 = 1e-9;
/// Approach that counts as rounding, as a share of the speeds of both bodies at the contact. A normal velocity is a sum of at most six products of velocity, lever arm and
/// normal: each is off by three half units in the last place by the rounding of its data, those of the answer included, and by three more in
/// evaluation, and the two components of a vector by √2 of that.
pub(crate) const DATA_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Verdict on a contact problem.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Verdict {
    /// Impulses within their cones keep all bounds, as far as rounding of the data lets one tell.
    #[default]
    Solved,
    /// There is no solution, and here is the proof.
    Infeasible(Certificate),
    /// No solution was found, nor a proof that there is none.
    Unsolved(Reason),
}

/// Reason why a contact problem is unsolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The residual of a friction problem is not within the tolerance.
    Residual,
    /// Bodies approach faster than their bounds allow.
    Approach,
    /// Friction between prescribed bodies that close on each other: there may be no solution, but no proof of it was found.
    Locked,
    /// The work allowed was spent.
    Budget,
}

impl Reason {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Residual => "residual",
            Self::Approach => "approach",
            Self::Locked => "locked",
            Self::Budget => "budget",
        }
    }
}

impl Verdict {
    /// The name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Infeasible(_) => "infeasible",
            Self::Unsolved(_) => "unsolved",
        }
    }

    /// Whether the problem is solved.
    pub fn is_solved(&self) -> bool {
        *self == Self::Solved
    }

    /// The proof that there is no solution.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Self::Infeasible(certificate) => Some(certificate),
            Self::Solved | Self::Unsolved(_) => None,
        }
    }
}

/// The relative speed of the fastest contact, or what a bound asks for if that is more \[m/s\].
pub(crate) fn impact_speed(problem: &ContactProblem, least: impl Fn(usize) -> f64) -> f64 {
    let contacts = problem.contacts.iter().enumerate();
    let speed = |(index, contact): (usize, &Contact)| {
        DVec2::from(problem.relative_velocity(contact))
            .length()
            .max(least(index))
    };
    contacts.map(speed).fold(0.0, f64::max)
}

/// Speeds of both bodies at a contact together, before or after, whichever is more \[m/s\].
fn speeds_at(contact: &Contact, before: &[Body], after: &[Body]) -> f64 {
    let speed = |bodies: &[Body]| {
        let at = |row: usize, arm: DVec2| {
            let body: &Body = &bodies[row];
            body.linear_velocity.length() + body.angular_velocity.abs() * arm.length()
        };
        at(contact.a, contact.arms[0]) + at(contact.b, contact.arms[1])
    };
    speed(before).max(speed(after))
}

/// Whether a contact is below its bound by more than `tolerance` and more than rounding of the data explains. `problem` has the velocities after.
pub(crate) fn approaches(
    problem: &ContactProblem,
    before: &[Body],
    least: impl Fn(usize) -> f64,
    tolerance: f64,
) -> bool {
    let mut contacts = problem.contacts.iter().enumerate();
    contacts.any(|(index, contact)| {
        let approach = least(index) - problem.relative_velocity(contact)[0];
        let rounding = || DATA_ROUNDING * speeds_at(contact, before, &problem.bodies);
        // A NaN is no velocity.
        approach.is_nan() || approach > tolerance && approach > rounding()
    })
}

/// Whether impulses are so large that velocities rebuilt from them are rounding: at a contact, more than 1e-9 of the largest change of a velocity.
pub(crate) fn are_rounding(
    problem: &ContactProblem,
    before: &[Body],
    impulses: &[[f64; 2]],
) -> bool {
    const DIGITS: f64 = APPROACH_TOLERANCE / f64::EPSILON;
    let contacts = problem.contacts.iter().zip(impulses);
    let single = contacts.map(|(contact, impulse)| {
        let lightest = before[contact.a].inv_mass.max(before[contact.b].inv_mass);
        lightest * impulse[0]
    });
    let single = single.fold(0.0, f64::max);
    let changes = problem.bodies.iter().zip(before).map(|(after, before)| {
        let change = (after.linear_velocity - before.linear_velocity).abs();
        change.x + change.y
    });
    single > DIGITS * changes.fold(0.0, f64::max)
}
