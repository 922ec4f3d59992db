//! The symplectic step: velocity Verlet with dashpots from the velocity of the half step.

use banquise_geometry::DVec2;

use super::{Run, Trial};
use crate::contact::ContactStatus;
use crate::error::FractureError;

/// Forces of bonds and torsion springs on all nodes \[N\].
pub(crate) fn forces(run: &Run, velocity: &[DVec2]) -> Vec<DVec2> {
    let mut forces = vec![DVec2::ZERO; velocity.len()];
    for bond in run.network.bonds.iter().filter(|bond| bond.intact) {
        let (mut pull, direction) = run.pull(bond, false);
        let [i, j] = bond.nodes;
        pull += bond.dashpot * direction.dot(velocity[j] - velocity[i]);
        forces[i] += pull * direction;
        forces[j] -= pull * direction;
    }
    for corner in &run.network.corners {
        let arms = run.network.arms(corner, &run.state.displacement);
        let moment = corner.stiffness * arms.opening();
        for (node, gradient) in corner.nodes.into_iter().zip(arms.gradient()) {
            forces[node] -= moment * gradient;
        }
    }
    forces
}

/// Accelerations with contact forces; contacts whose force would pull are released.
fn accelerations(run: &mut Run, velocity: &[DVec2]) -> Vec<DVec2> {
    let mut forces = forces(run, velocity);
    loop {
        let total = contact_forces(run, &mut forces);
        match total {
            None => break,
            Some(pulling) => run.release(pulling),
        }
    }
    let inverse = |node: usize| run.inverse_mass(node);
    let pairs = forces.iter().enumerate();
    pairs.map(|(node, force)| inverse(node) * *force).collect()
}

/// Sweeps over contacts that share nodes; without sharing the first is exact.
const SWEEPS: usize = 200;

/// Adds the forces that keep closed contacts closed, or names a contact that would have to pull.
fn contact_forces(run: &mut Run, forces: &mut [DVec2]) -> Option<usize> {
    let closed: Vec<usize> = (0..run.contacts.len())
        .filter(|&index| run.contacts[index].is_closed())
        .collect();
    let mut added = vec![0.0; closed.len()];
    let mut trial = forces.to_vec();
    for _ in 0..SWEEPS {
        let mut change = 0.0_f64;
        for (force, &index) in added.iter_mut().zip(&closed) {
            let contact = &run.contacts[index];
            let [m, other] = contact.nodes.map(|node| run.inverse_mass(node));
            let [a, b] = contact.nodes.map(|node| contact.normal.dot(trial[node]));
            let step = (a * m - b * other) / (m + other);
            *force += step;
            change = change.max(step.abs());
            trial[contact.nodes[0]] -= step * contact.normal;
            trial[contact.nodes[1]] += step * contact.normal;
        }
        if closed.len() < 2 || change == 0.0 {
            break;
        }
    }
    for (&force, &index) in added.iter().zip(&closed) {
        if force < 0.0 && run.contacts[index].status == ContactStatus::Sustained {
            return Some(index);
        }
        run.forces[index] = force;
    }
    forces.copy_from_slice(&trial);
    None
}

/// Advances by at most `dt`, to the first gap that closes.
#[expect(
    clippy::unnecessary_wraps,
    reason = "like the implicit step, which may fail"
)]
pub(crate) fn advance(run: &mut Run, dt: f64) -> Result<Trial, FractureError> {
    let start = match run.acceleration.take() {
        Some(acceleration) => acceleration,
        None => {
            let velocity = run.state.velocity.clone();
            accelerations(run, &velocity)
        }
    };
    let mut tau = dt;
    let mut closing = None;
    for (index, contact) in run.contacts.iter().enumerate() {
        if contact.is_closed() {
            continue;
        }
        let gap = contact.gap_at(&run.state.displacement);
        let speed = contact.relative(&run.state.velocity);
        let acceleration = contact.relative(&start);
        // A speed below its rounding is none: nodes that were just released do not meet again by it.
        let noise = 4.0 * f64::EPSILON * run.speed_at(contact);
        let speed = if speed.abs() <= noise { 0.0 } else { speed };
        if let Some(time) = closing_time(gap, speed, acceleration, run.gap_tolerance)
            && time < tau
        {
            (tau, closing) = (time, Some(index));
        }
    }
    let half = 0.5 * tau;
    let mut dissipated = 0.0;
    for (node, acceleration) in start.iter().enumerate() {
        run.state.velocity[node] += half * *acceleration;
        run.state.displacement[node] += tau * run.state.velocity[node];
    }
    let middle = run.state.velocity.clone();
    for bond in run.network.bonds.iter().filter(|bond| bond.intact) {
        let (_, direction) = run.pull(bond, false);
        let rate = direction.dot(middle[bond.nodes[1]] - middle[bond.nodes[0]]);
        dissipated += bond.dashpot * rate * rate * tau;
    }
    run.budget.dissipated += dissipated;
    run.state.time += tau;
    if let Some(index) = closing {
        // The closed form places the nodes to some roundings; the gap is closed from here on.
        let rest = run.contacts[index].gap_at(&run.state.displacement);
        run.contacts[index].gap -= rest;
    }
    let end = accelerations(run, &middle);
    for (velocity, acceleration) in run.state.velocity.iter_mut().zip(&end) {
        *velocity += half * *acceleration;
    }
    book_pins(run, &middle, tau);
    run.acceleration = Some(end);
    Ok(closing.map_or(Trial::Made, Trial::Closed))
}

/// Impulse of the pins over a step, from the forces at its end.
fn book_pins(run: &mut Run, velocity: &[DVec2], tau: f64) {
    if !run.network.pinned.contains(&true) {
        return;
    }
    let forces = forces(run, velocity);
    for (node, force) in forces.iter().enumerate() {
        if run.network.pinned[node] {
            run.budget.external_impulse -= tau * *force;
        }
    }
}

/// First time at which g + u t + ½ a t² falls through zero; a gap within the tolerance counts as closed.
fn closing_time(gap: f64, speed: f64, acceleration: f64, tolerance: f64) -> Option<f64> {
    if gap <= tolerance {
        if speed < 0.0 || (speed == 0.0 && acceleration < 0.0) {
            return Some(0.0);
        }
        return (acceleration < 0.0).then(|| -2.0 * speed / acceleration);
    }
    if acceleration == 0.0 {
        return (speed < 0.0).then(|| -gap / speed);
    }
    let discriminant = speed * speed - 2.0 * acceleration * gap;
    if discriminant < 0.0 {
        return None;
    }
    // The stable form of the quadratic's roots; the smaller positive one.
    let q = -(speed + discriminant.sqrt().copysign(speed));
    let roots = [q / acceleration, 2.0 * gap / q];
    let positive = roots.into_iter().filter(|root| *root > 0.0);
    positive.reduce(f64::min)
}
