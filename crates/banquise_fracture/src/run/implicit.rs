//! The implicit step: the energy–momentum method.
//!
//! M (v₁ − v₀)/dt = F̄ and (u₁ − u₀)/dt = (v₀ + v₁)/2 with forces that are discrete gradients of the energy:
//! F̄·(u₁ − u₀) is the change of elastic energy and the work of the dashpots, exactly, and F̄ has neither
//! resultant nor moment. For a chain it is the implicit midpoint rule. Closed contacts are constraints on
//! u₁ − u₀; what they bear does no work.

use banquise_geometry::DVec2;

use super::{Run, Trial};
use crate::contact::ContactStatus;
use crate::error::FractureError;
use crate::network::{Network, elongation};
use crate::sparse::{Block, Tie, conjugate_gradients, dot, tied_gradients};

/// Newton iterations of a step; it converges in two to six.
const MAX_ITERATIONS: u32 = 50;
/// Residual, relative to the forces in play, at which a step is solved.
const TOLERANCE: f64 = 1e-13;
/// Residual of a linear solve, relative: Newton's method corrects what it leaves.
const LINEAR_TOLERANCE: f64 = 1e-9;

/// A step that was solved but not yet taken.
struct Solved {
    change: Vec<DVec2>,
    /// Forces of springs, dashpots and contacts over the step \[N\].
    total: Vec<DVec2>,
    /// Forces of the closed contacts \[N\].
    forces: Vec<f64>,
    dissipated: f64,
    pins: DVec2,
}

/// Advances by at most `dt`, to the first gap that closes.
pub(crate) fn advance(run: &mut Run, dt: f64) -> Result<Trial, FractureError> {
    let solved = loop {
        let solved = solve(run, dt)?;
        match pulling(run, &solved) {
            Some(contact) => run.release(contact),
            None => break solved,
        }
    };
    let Some(first) = deepest(run, &solved) else {
        take(run, &solved, dt);
        return Ok(Trial::Made);
    };
    let (tau, solved, index) = locate(run, dt, first)?;
    take(run, &solved, tau);
    let rest = run.contacts[index].gap_at(&run.state.displacement);
    run.contacts[index].gap -= rest;
    Ok(Trial::Closed(index))
}

/// A sustained contact that would have to pull.
fn pulling(run: &Run, solved: &Solved) -> Option<usize> {
    let closed = (0..run.contacts.len()).filter(|&index| run.contacts[index].is_closed());
    closed
        .zip(&solved.forces)
        .filter(|(index, _)| run.contacts[*index].status == ContactStatus::Sustained)
        .find(|(_, force)| **force < 0.0)
        .map(|(index, _)| index)
}

/// The open contact with the most negative gap at the end of a step, and that gap.
fn deepest(run: &Run, solved: &Solved) -> Option<(usize, f64)> {
    let mut deepest: Option<(usize, f64)> = None;
    for (index, contact) in run.contacts.iter().enumerate() {
        if contact.is_closed() {
            continue;
        }
        let gap = contact.gap_at(&run.state.displacement) + contact.relative(&solved.change);
        if gap < -run.gap_tolerance && deepest.is_none_or(|(_, least)| gap < least) {
            deepest = Some((index, gap));
        }
    }
    deepest
}

/// Bisections of the time at which a gap closes: enough for the last bit of a step.
const BISECTIONS: u32 = 60;

/// Finds the step after which the first gap closes, by safeguarded secants.
fn locate(
    run: &Run,
    dt: f64,
    (mut index, mut below): (usize, f64),
) -> Result<(f64, Solved, usize), FractureError> {
    let (mut low, mut high) = (0.0, dt);
    // Gap at the lower end; a contact that has just opened starts at zero, and bisection takes over.
    let mut above = run.contacts[index].gap_at(&run.state.displacement);
    for turn in 0..BISECTIONS {
        let secant = low + (high - low) * above / (above - below);
        let inside = secant > low && secant < high;
        let tau = if inside && turn % 3 != 2 {
            secant
        } else {
            0.5 * (low + high)
        };
        let solved = solve(run, tau)?;
        if let Some((deeper, gap)) = deepest(run, &solved) {
            (high, below, index) = (tau, gap, deeper);
            let start = run.contacts[index].gap_at(&run.state.displacement);
            if low == 0.0 {
                above = start;
            }
        } else {
            let contact = &run.contacts[index];
            let gap = contact.gap_at(&run.state.displacement) + contact.relative(&solved.change);
            if gap <= run.gap_tolerance || high - low <= f64::EPSILON * dt {
                return Ok((tau, solved, index));
            }
            (low, above) = (tau, gap);
        }
    }
    Ok((low, solve(run, low)?, index))
}

/// Takes a step that was solved.
fn take(run: &mut Run, solved: &Solved, dt: f64) {
    for (node, change) in solved.change.iter().enumerate() {
        run.state.displacement[node] += *change;
        // Velocities from the forces, not from 2 (u₁ − u₀)/dt − v₀: momentum is then kept to rounding.
        let pushed = dt * run.inverse_mass(node) * solved.total[node];
        run.state.velocity[node] += pushed;
    }
    run.state.time += dt;
    run.budget.dissipated += solved.dissipated;
    run.budget.external_impulse += dt * solved.pins;
    let closed = (0..run.contacts.len()).filter(|&index| run.contacts[index].is_closed());
    let closed: Vec<usize> = closed.collect();
    for (&index, &force) in closed.iter().zip(&solved.forces) {
        run.forces[index] = force;
    }
}

/// Solves a step of length `dt` by Newton's method with a symmetric Jacobian.
fn solve(run: &Run, dt: f64) -> Result<Solved, FractureError> {
    let nodes = run.network.places.len();
    let inertia: Vec<f64> = run
        .network
        .masses
        .iter()
        .map(|m| 2.0 * m / (dt * dt))
        .collect();
    let closed: Vec<usize> = (0..run.contacts.len())
        .filter(|&index| run.contacts[index].is_closed())
        .collect();
    let mut change: Vec<DVec2> = (0..nodes)
        .map(|node| {
            if run.network.pinned[node] {
                DVec2::ZERO
            } else {
                dt * run.state.velocity[node]
            }
        })
        .collect();
    // Closed contacts stay closed: the start satisfies the constraint, and so do all corrections.
    for &index in &closed {
        let contact = &run.contacts[index];
        let [a, b] = contact.nodes;
        let gap = contact.relative(&change);
        let [m, other] = contact.nodes.map(|node| run.inverse_mass(node));
        change[a] += gap * m / (m + other) * contact.normal;
        change[b] -= gap * other / (m + other) * contact.normal;
    }
    let mut forces = vec![0.0; closed.len()];
    let mut last = f64::INFINITY;
    for iteration in 0..MAX_ITERATIONS {
        let mean = mean_forces(&run.network, &run.state.displacement, &change, dt);
        let mut total = mean.force;
        for (&force, &index) in forces.iter().zip(&closed) {
            let contact = &run.contacts[index];
            total[contact.nodes[0]] -= force * contact.normal;
            total[contact.nodes[1]] += force * contact.normal;
        }
        let mut residual: Vec<DVec2> = (0..nodes)
            .map(|node| {
                let wanted = dt * run.state.velocity[node] - change[node];
                inertia[node] * wanted + total[node]
            })
            .collect();
        let pins = mask(run, &mut residual);
        let scale: f64 = (0..nodes)
            .map(|n| (inertia[n] * dt * run.state.velocity[n]).length() + mean.size[n])
            .fold(0.0, f64::max);
        let size = residual.iter().map(|r| r.length()).fold(0.0, f64::max);
        let relative = if scale > 0.0 { size / scale } else { 0.0 };
        let relative = relative.max(violation(run, &closed, &change));
        // Below the tolerance one more correction is made while it still helps.
        if relative <= TOLERANCE || (relative <= 100.0 * TOLERANCE && relative >= 0.5 * last) {
            return Ok(Solved {
                change,
                total,
                forces,
                dissipated: mean.dissipated,
                pins,
            });
        }
        if iteration + 1 == MAX_ITERATIONS {
            return Err(FractureError::NotConverged {
                time: run.state.time,
                iterations: MAX_ITERATIONS,
                residual: relative,
            });
        }
        last = relative;
        let blocks = jacobian(&run.network, &run.state.displacement, &change, dt);
        // What the linear solve left of the constraints is corrected in the next iteration.
        let tie = |&index: &usize| {
            let contact = &run.contacts[index];
            Tie {
                nodes: contact.nodes,
                direction: contact.normal,
                apart: -contact.relative(&change),
            }
        };
        let ties: Vec<Tie> = closed.iter().map(tie).collect();
        let pinned = &run.network.pinned;
        let (correction, added) = tied_gradients(
            &inertia,
            &blocks,
            pinned,
            &residual,
            &ties,
            LINEAR_TOLERANCE,
        );
        for (force, added) in forces.iter_mut().zip(added) {
            *force += added;
        }
        for (node, correction) in correction.into_iter().enumerate() {
            change[node] += correction;
        }
    }
    unreachable!("the last iteration returns")
}

/// Sets the residual of pinned nodes to zero, and says what the pins bear.
fn mask(run: &Run, residual: &mut [DVec2]) -> DVec2 {
    let mut pins = DVec2::ZERO;
    for (residual, _) in residual
        .iter_mut()
        .zip(&run.network.pinned)
        .filter(|(_, p)| **p)
    {
        pins -= *residual;
        *residual = DVec2::ZERO;
    }
    pins
}

/// Largest approach or parting of a closed contact over the step, relative to the motion.
fn violation(run: &Run, closed: &[usize], change: &[DVec2]) -> f64 {
    let moved = change.iter().map(|c| c.length()).fold(0.0, f64::max);
    let apart = closed
        .iter()
        .map(|&index| run.contacts[index].relative(change).abs())
        .fold(0.0, f64::max);
    if moved > 0.0 { apart / moved } else { 0.0 }
}

/// Discrete gradients over a step.
struct Mean {
    force: Vec<DVec2>,
    /// Sum of the sizes of the forces on each node, to judge residuals.
    size: Vec<f64>,
    dissipated: f64,
}

/// Forces F̄ of springs, dashpots and torsion springs over a step, and the work of the dashpots.
fn mean_forces(network: &Network, start: &[DVec2], change: &[DVec2], dt: f64) -> Mean {
    let mut mean = Mean {
        force: vec![DVec2::ZERO; start.len()],
        size: vec![0.0; start.len()],
        dissipated: 0.0,
    };
    let mut add = |node: usize, force: DVec2| {
        mean.force[node] += force;
        mean.size[node] += force.length();
    };
    let end: Vec<DVec2> = start.iter().zip(change).map(|(u, c)| *u + *c).collect();
    for bond in network.bonds.iter().filter(|bond| bond.intact) {
        let [i, j] = bond.nodes;
        let d = network.reference(bond);
        let (w0, w1) = (start[j] - start[i], end[j] - end[i]);
        let (before, after) = (elongation(d, w0), elongation(d, w1));
        let lengths = (d + w0).length() + (d + w1).length();
        let direction = (2.0 * d + w0 + w1) / lengths;
        // The change of length from the change of the vector, without cancellation.
        let longer = direction.dot(change[j] - change[i]);
        let pull = 0.5 * bond.stiffness * (before + after) + bond.dashpot * longer / dt;
        mean.dissipated += bond.dashpot * longer * longer / dt;
        add(i, pull * direction);
        add(j, -pull * direction);
    }
    for corner in &network.corners {
        let (first, last) = (network.arms(corner, start), network.arms(corner, &end));
        let (before, after) = (first.opening(), last.opening());
        let (z0, z1) = (first.product(), last.product());
        let middle = 0.5 * (z0 + z1);
        let mut slope = middle.perp() / middle.length_squared();
        let moved = z1 - z0;
        if moved.length_squared() > 0.0 {
            slope += (after - before - slope.dot(moved)) / moved.length_squared() * moved;
        }
        let moment = 0.5 * corner.stiffness * (before + after);
        let ([a0, b0], [a1, b1]) = (first.arms(), last.arms());
        let (a, b) = (0.5 * (a0 + a1), 0.5 * (b0 + b1));
        let on_first = -moment * (slope.x * b - slope.y * b.perp());
        let on_second = -moment * (slope.x * a + slope.y * a.perp());
        let [apex, i, j] = corner.nodes;
        add(i, on_first);
        add(j, on_second);
        add(apex, -on_first - on_second);
    }
    mean
}

/// Symmetric positive part of −∂F̄/∂(u₁ − u₀), as rank-one terms and pairs.
fn jacobian(network: &Network, start: &[DVec2], change: &[DVec2], dt: f64) -> Vec<Block> {
    let middle: Vec<DVec2> = start
        .iter()
        .zip(change)
        .map(|(u, c)| *u + 0.5 * *c)
        .collect();
    let mut blocks = Vec::with_capacity(network.bonds.len() + network.corners.len());
    for bond in network.bonds.iter().filter(|bond| bond.intact) {
        let [i, j] = bond.nodes;
        let d = network.reference(bond) + middle[j] - middle[i];
        let length = d.length();
        let pull = bond.stiffness * network.elongation(bond, &middle);
        blocks.push(Block::Pair {
            nodes: bond.nodes,
            direction: d / length,
            along: 0.5 * bond.stiffness + bond.dashpot / dt,
            across: 0.5 * pull.max(0.0) / length,
        });
    }
    for corner in &network.corners {
        blocks.push(Block::Triple {
            nodes: corner.nodes,
            gradient: network.arms(corner, &middle).gradient(),
            weight: 0.5 * corner.stiffness,
        });
    }
    blocks
}

/// Displacements of least elastic energy where some nodes are held, by Newton's method.
///
/// # Errors
/// Newton's method does not converge.
pub fn equilibrium(
    network: &Network,
    start: &[DVec2],
    held: &[bool],
) -> Result<Vec<DVec2>, FractureError> {
    let mut displacement = start.to_vec();
    let none = vec![DVec2::ZERO; start.len()];
    let inertia = vec![0.0; start.len()];
    let (mut last, mut first) = (f64::INFINITY, 0.0);
    for _ in 0..MAX_ITERATIONS {
        let mean = mean_forces(network, &displacement, &none, 1.0);
        let mut residual = mean.force;
        for (residual, _) in residual.iter_mut().zip(held).filter(|(_, held)| **held) {
            *residual = DVec2::ZERO;
        }
        let size = dot(&residual, &residual).sqrt();
        first = f64::max(first, mean.size.iter().copied().fold(0.0, f64::max));
        if size <= TOLERANCE * first || (size <= 1e-9 * first && size >= 0.5 * last) {
            return Ok(displacement);
        }
        last = size;
        let mut blocks = jacobian(network, &displacement, &none, 1.0);
        for block in &mut blocks {
            block.double();
        }
        let change = conjugate_gradients(&inertia, &blocks, held, &residual, LINEAR_TOLERANCE);
        for (displacement, change) in displacement.iter_mut().zip(change) {
            *displacement += change;
        }
    }
    Err(FractureError::NotConverged {
        time: 0.0,
        iterations: MAX_ITERATIONS,
        residual: last / first,
    })
}
