//! Kinematic certificates: no velocities keep the bounds of all contacts.
//!
//! Velocities within the bounds of all contacts have J v + w ≥ 0, where v are the velocities that impulses can change and w the normal
//! velocities that prescribed motion imposes, less the bounds. For any λ ≥ 0 then
//!
//! ```text
//! 0 ≤ λ·(J v + w) = (Jᵀλ)·v + λ·w
//! ```
//!
//! Jᵀλ is a force F and a torque T on each body. With S the largest of |v| and |ω| R of all bodies, R being the longest lever arm of a body,
//!
//! ```text
//! S ≥ −λ·w / Σ (|F| + |T| / R)
//! ```
//!
//! Where λ·w < 0 and Jᵀλ is zero but for rounding, only absurd speeds are within the bounds (Farkas' lemma). Masses and friction do not enter.

use glam::DVec2;

use crate::certificate::{Certificate, CertificateKind};
use crate::nnls::{Columns, Support, nonnegative_least_squares};
use crate::problem::{Body, Contact, ContactProblem};
use crate::proof::{ends, kinematic_speeds, loads_of, reaches};
use crate::workspace::{PooledVec, SolverContext};

/// Corrections of the multipliers on their support. Each takes some ten digits off Jᵀλ.
const CORRECTIONS: usize = 4;
/// No row: the motion is prescribed.
const NONE: usize = usize::MAX;

/// Searches for multipliers λ on the contact normals that prove that no velocities keep the bounds `least`, one for each contact \[m/s\]; `None` if there are
/// such velocities, or none of the proofs tried holds.
pub fn kinematic_certificate(
    context: SolverContext<'_>,
    problem: &ContactProblem,
    least: &[f64],
) -> Option<Certificate> {
    let references = [
        Reference::Rest,
        Reference::Translation(prescribed_velocity(problem)?),
        Reference::Current,
    ];
    let mut best = (f64::INFINITY, Reference::Rest);
    for reference in references {
        let approach = reference.largest_approach(problem, least);
        if approach <= 0.0 {
            return None;
        }
        if approach < best.0 {
            best = (approach, reference);
        }
    }
    let (approach, reference) = best;
    let rows = Rows::of(context, problem);
    let mut columns = Columns::new(context, rows.count + 1);
    for (contact, &least) in problem.contacts.iter().zip(least) {
        let imposed = reference.normal_velocity(problem, contact) - least;
        columns.push(&rows.column(contact, imposed / approach));
    }
    let mut target = context.filled(0.0, rows.count + 1);
    target[rows.count] = -1.0;
    let support = nonnegative_least_squares(context, &columns, &target);
    let mut multipliers = vec![0.0; columns.count()];
    for (&column, &weight) in support.chosen.iter().zip(&support.weights) {
        multipliers[column] = weight * columns.scales[column];
    }
    for _ in 0..CORRECTIONS {
        correct(&rows, problem, &columns, &support, &mut multipliers);
    }
    let [closing_speed, least_speed] = kinematic_speeds(problem, least, &multipliers)?;
    Some(Certificate {
        kind: CertificateKind::Kinematic,
        multipliers,
        closing_speed,
        least_speed,
    })
}

/// Moves the multipliers of the support to where Jᵀλ is zero, as it is evaluated with twice the digits.
fn correct(
    rows: &Rows<'_>,
    problem: &ContactProblem,
    columns: &Columns<'_>,
    support: &Support<'_, '_>,
    multipliers: &mut [f64],
) {
    let loads = loads_of(problem, multipliers);
    let mut residual = rows.context.filled(0.0, rows.count + 1);
    for (body, load) in loads.iter().enumerate() {
        let [linear, angular] = rows.of_body[body];
        if linear != NONE {
            residual[linear] = -load.force[0].value();
            residual[linear + 1] = -load.force[1].value();
        }
        if angular != NONE {
            residual[angular] = -load.torque.value() / rows.reach[body];
        }
    }
    let changes = support.solve(&residual);
    for (&column, change) in support.chosen.iter().zip(&changes) {
        let corrected = multipliers[column] + change * columns.scales[column];
        multipliers[column] = corrected.max(0.0);
    }
}

/// The velocity of the first prescribed body of a contact; `None` if there is none.
fn prescribed_velocity(problem: &ContactProblem) -> Option<DVec2> {
    let rows = problem.contacts.iter().flat_map(|c| [c.a, c.b]);
    let mut bodies = rows.map(|row| &problem.bodies[row]);
    let prescribed = bodies.find(|body| body.inv_mass == 0.0 || body.inv_inertia == 0.0);
    prescribed.map(|body| body.linear_velocity)
}

/// Reference velocities of bodies that impulses can move: the closer they are to the bounds, the fewer contacts enter the
/// problem.
#[derive(Clone, Copy)]
enum Reference {
    Rest,
    /// All with one velocity: prescribed bodies that drift together squeeze nothing.
    Translation(DVec2),
    /// The velocities of the problem.
    Current,
}

impl Reference {
    fn velocity(self, body: &Body) -> (DVec2, f64) {
        let (linear, angular) = match self {
            Self::Rest => (DVec2::ZERO, 0.0),
            Self::Translation(velocity) => (velocity, 0.0),
            Self::Current => (body.linear_velocity, body.angular_velocity),
        };
        (
            if body.inv_mass == 0.0 {
                body.linear_velocity
            } else {
                linear
            },
            if body.inv_inertia == 0.0 {
                body.angular_velocity
            } else {
                angular
            },
        )
    }

    fn normal_velocity(self, problem: &ContactProblem, contact: &Contact) -> f64 {
        let velocities = ends(contact).map(|(row, arm, sign)| {
            let (linear, angular) = self.velocity(&problem.bodies[row]);
            sign * (linear + angular * arm.perp()).dot(contact.normal)
        });
        velocities[0] + velocities[1]
    }

    /// Largest violation of a bound.
    fn largest_approach(self, problem: &ContactProblem, least: &[f64]) -> f64 {
        let contacts = problem.contacts.iter().zip(least);
        let approaches = contacts.map(|(c, least)| least - self.normal_velocity(problem, c));
        approaches.fold(0.0, f64::max)
    }
}

/// The rows of Jᵀ: two for the velocity of a body, one for its rotation.
struct Rows<'w> {
    context: SolverContext<'w>,
    of_body: PooledVec<'w, [usize; 2]>,
    /// The longest lever arm, by which torques are measured; one where all are zero.
    reach: PooledVec<'w, f64>,
    count: usize,
}

impl<'w> Rows<'w> {
    fn of(context: SolverContext<'w>, problem: &ContactProblem) -> Self {
        let mut count = 0;
        let mut rows = |is_prescribed: bool, rows: usize| {
            let first = count;
            count += if is_prescribed { 0 } else { rows };
            if is_prescribed { NONE } else { first }
        };
        let bodies = problem.bodies.iter();
        let of_body = context.collect(bodies.map(|body| {
            [
                rows(body.inv_mass == 0.0, 2),
                rows(body.inv_inertia == 0.0, 1),
            ]
        }));
        let reaches = reaches(problem).into_iter();
        let reach = context.collect(reaches.map(|reach| if reach > 0.0 { reach } else { 1.0 }));
        Self {
            context,
            of_body,
            reach,
            count,
        }
    }

    /// The column of a contact: force and torque of its normal on the bodies, and the velocity imposed on it.
    fn column(&self, contact: &Contact, imposed: f64) -> Vec<(usize, f64)> {
        let mut entries = Vec::with_capacity(7);
        for (row, arm, sign) in ends(contact) {
            let [linear, angular] = self.of_body[row];
            if linear != NONE {
                entries.push((linear, sign * contact.normal.x));
                entries.push((linear + 1, sign * contact.normal.y));
            }
            if angular != NONE {
                let torque = arm.perp_dot(contact.normal) / self.reach[row];
                entries.push((angular, sign * torque));
            }
        }
        entries.push((self.count, imposed));
        entries
    }
}
