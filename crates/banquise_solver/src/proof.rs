//! Checks certificates, from the problem and the multipliers alone, with proven bounds on all rounding errors.

use glam::DVec2;

use crate::certificate::{
    Certificate, CertificateKind, ContactState, INFEASIBLE_SPEEDUP, LockingNode,
};
use crate::exact::BoundedSum;
use crate::problem::{Body, Contact, ContactProblem};

/// State of each contact, where it is given.
pub(crate) type States = [Option<ContactState>];

impl Certificate {
    /// Whether the certificate proves that a problem, whose bodies have their velocities before, has no solution with normal velocities of at least `least` at less than
    /// [`INFEASIBLE_SPEEDUP`] times its closing speed.
    pub fn holds(&self, problem: &ContactProblem, least: &[f64]) -> bool {
        let count = problem.contacts.len();
        if least.len() != count {
            return false;
        }
        match &self.kind {
            CertificateKind::Kinematic => {
                self.multipliers.len() == count
                    && kinematic_speeds(problem, least, &self.multipliers).is_some()
            }
            CertificateKind::Locking(nodes) => {
                closes(problem, least, nodes, 0, &mut vec![None; count])
            }
        }
    }
}

/// Whether no solution has the states that lead to a node.
fn closes(
    problem: &ContactProblem,
    least: &[f64],
    nodes: &[LockingNode],
    place: usize,
    states: &mut States,
) -> bool {
    match nodes.get(place) {
        None => false,
        Some(LockingNode::Leaf {
            multipliers,
            momentum_of,
        }) => {
            multipliers.len() == states.len()
                && leaf_speeds(problem, least, states, multipliers, momentum_of).is_some()
        }
        Some(LockingNode::Branch { contact, children }) => {
            // Children come after their parent, so that this ends.
            let is_new = states.get(*contact) == Some(&None);
            let is_closed = is_new
                && children
                    .iter()
                    .zip(ContactState::ALL)
                    .all(|(&child, state)| {
                        states[*contact] = Some(state);
                        child > place && closes(problem, least, nodes, child, states)
                    });
            if is_new {
                states[*contact] = None;
            }
            is_closed
        }
    }
}

/// The closing speed of multipliers, rounded up, and the least speed that follows from them, rounded down; `None` if that is not absurd.
pub(crate) fn kinematic_speeds(
    problem: &ContactProblem,
    least: &[f64],
    multipliers: &[f64],
) -> Option<[f64; 2]> {
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
    proven(closing, closing_speed, load)
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

/// Force and torque of multipliers on a body, where impulses can move it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Load {
    pub(crate) force: [BoundedSum; 2],
    pub(crate) torque: BoundedSum,
}

pub(crate) fn loads_of(problem: &ContactProblem, multipliers: &[f64]) -> Vec<Load> {
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
pub(crate) fn ends(contact: &Contact) -> [(usize, DVec2, f64); 2] {
    [
        (contact.a, contact.arms[0], -1.0),
        (contact.b, contact.arms[1], 1.0),
    ]
}

/// The longest lever arm of each body \[m\].
pub(crate) fn reaches(problem: &ContactProblem) -> Vec<f64> {
    let mut reaches = vec![0.0_f64; problem.bodies.len()];
    for (row, arm, _) in problem.contacts.iter().flat_map(ends) {
        reaches[row] = reaches[row].max(arm.length());
    }
    reaches
}

/// The generators of the cone of impulses of a contact: tangential impulses for a normal one of one.
pub(crate) fn generators(state: Option<ContactState>, friction: f64) -> Vec<f64> {
    match state {
        Some(ContactState::Open) => Vec::new(),
        Some(ContactState::SlideForward) => vec![-friction],
        Some(ContactState::SlideBackward) => vec![friction],
        Some(ContactState::Stick) | None if friction > 0.0 => vec![friction, -friction],
        Some(ContactState::Stick) | None => vec![0.0],
    }
}

/// The signs that the multipliers of a contact may have, normal and tangential.
pub(crate) fn signs(state: Option<ContactState>) -> [&'static [f64]; 2] {
    match state {
        None | Some(ContactState::Open) => [&[1.0], &[]],
        Some(ContactState::Stick) => [&[1.0, -1.0], &[1.0, -1.0]],
        Some(ContactState::SlideForward) => [&[1.0, -1.0], &[1.0]],
        Some(ContactState::SlideBackward) => [&[1.0, -1.0], &[-1.0]],
    }
}

/// The velocity of a body without impulses: what it has if it is prescribed or chosen, else none.
pub(crate) fn known_velocity(
    problem: &ContactProblem,
    row: usize,
    momentum_of: &[usize],
) -> (DVec2, f64) {
    let (body, is_chosen) = (&problem.bodies[row], momentum_of.contains(&row));
    let linear = if is_chosen || body.inv_mass == 0.0 {
        body.linear_velocity
    } else {
        DVec2::ZERO
    };
    let angular = if is_chosen || body.inv_inertia == 0.0 {
        body.angular_velocity
    } else {
        0.0
    };
    (linear, angular)
}

/// The closing speed and the least speed of a solution with these states that follows from multipliers; `None` if that is not absurd. Redundant contacts that
/// stick, or slide against each other, can bear impulses of any size that do nothing, so that (W λ)·p is zero but for rounding: normal impulses are then taken to be at most
/// that speed times the mass of all free bodies.
pub(crate) fn leaf_speeds(
    problem: &ContactProblem,
    least: &[f64],
    states: &States,
    multipliers: &[[f64; 2]],
    momentum_of: &[usize],
) -> Option<[f64; 2]> {
    let mut work = BoundedSum::default();
    let mut closing_speed = 0.0_f64;
    let mut loads = vec![[BoundedSum::default(); 3]; problem.bodies.len()];
    let mut reaches = vec![0.0_f64; problem.bodies.len()];
    for (index, contact) in problem.contacts.iter().enumerate() {
        for (multiplier, signs) in multipliers[index].into_iter().zip(signs(states[index])) {
            let is_allowed = signs.iter().any(|sign| sign * multiplier > 0.0);
            if multiplier.is_nan() || multiplier != 0.0 && !is_allowed {
                return None;
            }
        }
        work.add_product(&[-multipliers[index][0], least[index]]);
        let mut imposed = BoundedSum::default();
        imposed.add_product(&[-least[index]]);
        let vectors = [contact.normal, contact.tangent()];
        for (row, arm, sign) in ends(contact) {
            reaches[row] = reaches[row].max(arm.length());
            let (linear, angular) = known_velocity(problem, row, momentum_of);
            let (_, prescribed_angular) = known_velocity(problem, row, &[]);
            let (prescribed_linear, _) = known_velocity(problem, row, &[]);
            let n = contact.normal;
            imposed.add_product(&[sign, n.x, prescribed_linear.x]);
            imposed.add_product(&[sign, n.y, prescribed_linear.y]);
            imposed.add_product(&[sign, n.y, arm.x, prescribed_angular]);
            imposed.add_product(&[-sign, n.x, arm.y, prescribed_angular]);
            for (multiplier, vector) in multipliers[index].into_iter().zip(vectors) {
                let factor = sign * multiplier;
                let [x, y, torque] = &mut loads[row];
                x.add_product(&[factor, vector.x]);
                y.add_product(&[factor, vector.y]);
                torque.add_product(&[factor, vector.y, arm.x]);
                torque.add_product(&[-factor, vector.x, arm.y]);
                work.add_product(&[factor, vector.x, linear.x]);
                work.add_product(&[factor, vector.y, linear.y]);
                work.add_product(&[factor, vector.y, arm.x, angular]);
                work.add_product(&[-factor, vector.x, arm.y, angular]);
            }
        }
        closing_speed = closing_speed.max(imposed.largest());
    }
    let excess = cone_excess(problem, states, &loads, momentum_of);
    let mut load = excess * free_mass(problem, &reaches);
    for (row, body) in problem.bodies.iter().enumerate() {
        if momentum_of.contains(&row) {
            continue;
        }
        let [x, y, torque] = loads[row].map(BoundedSum::largest);
        if body.inv_mass > 0.0 {
            load += (x * x + y * y).sqrt();
        }
        if body.inv_inertia > 0.0 && reaches[row] > 0.0 {
            load += torque / reaches[row];
        }
    }
    let closing = -work.range()[1];
    proven(closing, closing_speed, load)
}

/// The closing speed and the least speed that follow from −λ·w and the loads of λ, if the latter is absurd.
fn proven(closing: f64, closing_speed: f64, load: f64) -> Option<[f64; 2]> {
    // Far more than the rounding errors of the few operations between proven bounds.
    const ROUNDED_UP: f64 = 1.0 + 1e-10;
    let (closing_speed, least_speed) = (closing_speed * ROUNDED_UP, closing / (load * ROUNDED_UP));
    let is_proof = closing > 0.0 && least_speed >= INFEASIBLE_SPEEDUP * closing_speed;
    is_proof.then_some([closing_speed, least_speed])
}

/// Mass of all bodies that impulses can move \[kg\]; of one that only turns, what its inertia is at its longest lever arm.
fn free_mass(problem: &ContactProblem, reaches: &[f64]) -> f64 {
    let bodies = problem.bodies.iter().zip(reaches);
    let mass = |(body, reach): (&Body, &f64)| {
        if body.inv_mass > 0.0 {
            1.0 / body.inv_mass
        } else if body.inv_inertia > 0.0 && *reach > 0.0 {
            1.0 / (body.inv_inertia * reach * reach)
        } else {
            0.0
        }
    };
    bodies.map(mass).sum()
}

/// Sum over contacts of the largest positive (W λ)·p for unit normal impulses, W being that of the bodies whose momentum is used and `loads` the forces and
/// torques of λ.
fn cone_excess(
    problem: &ContactProblem,
    states: &States,
    loads: &[[BoundedSum; 3]],
    momentum_of: &[usize],
) -> f64 {
    let contacts = problem.contacts.iter().enumerate();
    let excess = contacts.map(|(index, contact)| {
        let tangents = generators(states[index], contact.friction).into_iter();
        let excess = tangents.map(|tangent| {
            let (mut sum, mut error) = (BoundedSum::default(), 0.0);
            for (row, arm, sign) in ends(contact) {
                if !momentum_of.contains(&row) {
                    continue;
                }
                let body = &problem.bodies[row];
                let [x, y, torque] = loads[row].map(BoundedSum::parts);
                for (part, vector) in [(1.0, contact.normal), (tangent, contact.tangent())] {
                    let (linear, angular) = (body.inv_mass, body.inv_inertia);
                    for (load, factors) in [
                        (x, [linear, vector.x, 1.0]),
                        (y, [linear, vector.y, 1.0]),
                        (torque, [angular, arm.x, vector.y]),
                        (torque, [-angular, arm.y, vector.x]),
                    ] {
                        let [a, b, c] = factors;
                        sum.add_product(&[sign, part, load[0], a, b, c]);
                        sum.add_product(&[sign, part, load[1], a, b, c]);
                        error += (part * load[2] * a * b * c).abs();
                    }
                }
            }
            sum.range()[1] + 2.0 * error
        });
        excess.fold(0.0, f64::max)
    });
    excess.sum()
}
