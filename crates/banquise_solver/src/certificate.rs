//! Certificates that a contact problem has no solution.
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
//! Where λ·w < 0 and Jᵀλ is next to nothing, only absurd speeds are within the bounds. Masses and friction do not enter.

use glam::DVec2;

use crate::exact::BoundedSum;
use crate::nnls::{Columns, Support, nonnegative_least_squares};
use crate::problem::{Body, Contact, ContactProblem};
use crate::workspace::{PooledVec, SolverContext};

/// A problem is infeasible if no solution is slower than this times the closing speed.
pub const INFEASIBLE_SPEEDUP: f64 = 1e6;
/// Corrections of the multipliers on their support. Each takes some ten digits off Jᵀλ.
const CORRECTIONS: usize = 4;
/// No row: the motion is prescribed.
const NONE: usize = usize::MAX;

/// What a certificate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateKind {
    /// Contact normals and prescribed motion alone: no velocities keep the bounds.
    Kinematic,
}

impl CertificateKind {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kinematic => "kinematic",
        }
    }
}

/// A proof that a contact problem has no solution at speeds that matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// What the proof is about.
    pub kind: CertificateKind,
    /// λ: one for each contact, zero or positive [–].
    pub multipliers: Vec<f64>,
    /// The largest normal velocity, less its bound, that prescribed motion imposes on a contact whose multiplier is positive \[m/s\].
    pub closing_speed: f64,
    /// No solution is slower: every one has a body with |v| or |ω| R as large as this \[m/s\]. Infinite where none exists at any speed.
    pub least_speed: f64,
}

/// Looks for λ on the contact normals that proves that no velocities keep the bounds `least`, one for each contact \[m/s\]; `None` if there are
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
    Certificate::kinematic(problem, least, multipliers)
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

impl Certificate {
    /// The certificate of these multipliers, if they are one.
    fn kinematic(problem: &ContactProblem, least: &[f64], multipliers: Vec<f64>) -> Option<Self> {
        let [closing_speed, least_speed] = kinematic_speeds(problem, least, &multipliers)?;
        let is_proof = least_speed >= INFEASIBLE_SPEEDUP * closing_speed;
        is_proof.then_some(Self {
            kind: CertificateKind::Kinematic,
            multipliers,
            closing_speed,
            least_speed,
        })
    }

    /// Whether it proves that no velocities keep the bounds `least` of a problem at less than [`INFEASIBLE_SPEEDUP`] times its closing speed: evaluated
    /// anew from the problem and the multipliers alone.
    pub fn holds(&self, problem: &ContactProblem, least: &[f64]) -> bool {
        if self.multipliers.len() != problem.contacts.len() || least.len() != problem.contacts.len()
        {
            return false;
        }
        let speeds = kinematic_speeds(problem, least, &self.multipliers);
        speeds.is_some_and(|[closing_speed, least_speed]| {
            least_speed >= INFEASIBLE_SPEEDUP * closing_speed
        })
    }
}

/// The closing speed of multipliers, rounded up, and the least speed that follows from them, rounded down.
fn kinematic_speeds(
    problem: &ContactProblem,
    least: &[f64],
    multipliers: &[f64],
) -> Option<[f64; 2]> {
    // Far more than the roundings of the few operations between bounds that are proven.
    const ROUNDED_UP: f64 = 1.0 + 1e-10;
    if !multipliers.iter().all(|&m| m >= 0.0 && m.is_finite()) {
        return None;
    }
    let mut work = BoundedSum::default();
    let mut closing_speed = 0.0_f64;
    for (index, contact) in problem.contacts.iter().enumerate() {
        if multipliers[index] > 0.0 {
            let mut imposed = BoundedSum::default();
            for (sum, factor) in [(&mut work, multipliers[index]), (&mut imposed, 1.0)] {
                sum.add_product(&[-factor, least[index]]);
                add_imposed(sum, problem, contact, factor);
            }
            closing_speed = closing_speed.max(imposed.largest());
        }
    }
    let closing = -work.range()[1];
    let mut load = 0.0;
    let reaches = reaches(problem);
    for (body, on_body) in loads_of(problem, multipliers).iter().enumerate() {
        let [x, y] = on_body.force.map(BoundedSum::largest);
        load += (x * x + y * y).sqrt();
        if reaches[body] > 0.0 {
            load += on_body.torque.largest() / reaches[body];
        }
    }
    let least_speed = closing / (load * ROUNDED_UP);
    (closing > 0.0 && !least_speed.is_nan()).then_some([closing_speed * ROUNDED_UP, least_speed])
}

/// Adds a factor times the normal velocity that prescribed motion imposes on a contact.
fn add_imposed(sum: &mut BoundedSum, problem: &ContactProblem, contact: &Contact, factor: f64) {
    let n = contact.normal;
    for (row, arm, sign) in ends(contact) {
        let body = &problem.bodies[row];
        let factor = sign * factor;
        if body.inv_mass == 0.0 {
            sum.add_product(&[factor, n.x, body.linear_velocity.x]);
            sum.add_product(&[factor, n.y, body.linear_velocity.y]);
        }
        if body.inv_inertia == 0.0 {
            sum.add_product(&[factor, n.y, arm.x, body.angular_velocity]);
            sum.add_product(&[-factor, n.x, arm.y, body.angular_velocity]);
        }
    }
}

/// Force and torque of multipliers on what impulses can change of a body.
#[derive(Clone, Copy, Default)]
struct Load {
    force: [BoundedSum; 2],
    torque: BoundedSum,
}

fn loads_of(problem: &ContactProblem, multipliers: &[f64]) -> Vec<Load> {
    let mut loads = vec![Load::default(); problem.bodies.len()];
    for (contact, &multiplier) in problem.contacts.iter().zip(multipliers) {
        if multiplier == 0.0 {
            continue;
        }
        let n = contact.normal;
        for (row, arm, sign) in ends(contact) {
            let (body, load) = (&problem.bodies[row], &mut loads[row]);
            let factor = sign * multiplier;
            if body.inv_mass != 0.0 {
                load.force[0].add_product(&[factor, n.x]);
                load.force[1].add_product(&[factor, n.y]);
            }
            if body.inv_inertia != 0.0 {
                load.torque.add_product(&[factor, n.y, arm.x]);
                load.torque.add_product(&[-factor, n.x, arm.y]);
            }
        }
    }
    loads
}

/// Body, lever arm, and sign of the normal at the two ends of a contact.
fn ends(contact: &Contact) -> [(usize, DVec2, f64); 2] {
    [
        (contact.a, contact.arms[0], -1.0),
        (contact.b, contact.arms[1], 1.0),
    ]
}

/// The longest lever arm of each body \[m\].
fn reaches(problem: &ContactProblem) -> Vec<f64> {
    let mut reaches = vec![0.0_f64; problem.bodies.len()];
    for (row, arm, _) in problem.contacts.iter().flat_map(ends) {
        reaches[row] = reaches[row].max(arm.length());
    }
    reaches
}

/// The velocity of the first prescribed body of a contact; `None` if there is none.
fn prescribed_velocity(problem: &ContactProblem) -> Option<DVec2> {
    let rows = problem.contacts.iter().flat_map(|c| [c.a, c.b]);
    let mut bodies = rows.map(|row| &problem.bodies[row]);
    let prescribed = bodies.find(|body| body.inv_mass == 0.0 || body.inv_inertia == 0.0);
    prescribed.map(|body| body.linear_velocity)
}

/// Velocities of what impulses can change, from which changes are counted: the closer to velocities within the bounds, the fewer contacts must
/// be looked at.
#[derive(Clone, Copy)]
enum Reference {
    Rest,
    /// All with one velocity: prescribed bodies that drift together squeeze nobody.
    Translation(DVec2),
    /// What they have.
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

    /// How much a contact is below its bound at most.
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

    /// The column of a contact: what its normal does to bodies, and the velocity that is imposed on it.
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
