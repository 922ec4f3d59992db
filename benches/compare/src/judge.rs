//! Energy, and Coulomb's law at the contacts, judged by our one residual.

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, Contact, ContactProblem, LocalProblem, SolverContext, SolverSettings, SolverWorkspace,
    residual,
};

use crate::engine::Motion;
use crate::scene::Scene;

/// A contact as an engine solved it in its last sub-step.
#[derive(Debug, Clone, Copy)]
pub struct EngineContact {
    /// The floes; none for a wall.
    pub rows: [Option<usize>; 2],
    /// From the centres of mass to the contact, as the engine has them \[m\].
    pub arms: [DVec2; 2],
    /// Unit normal, from the first to the second.
    pub normal: DVec2,
    /// Distance after the step, negative where they overlap \[m\].
    pub gap: f64,
    /// Normal and tangential, the tangent being the normal turned by +90° (ice of density one).
    pub impulse: [f64; 2],
}

/// How well the contacts of a step were solved.
#[derive(Debug, Clone, Copy, Default)]
pub struct Judged {
    /// The largest scaled residual.
    pub residual: f64,
    /// Contacts.
    pub contacts: usize,
    /// Contacts of the largest island.
    pub largest: usize,
    /// Problems left without a solution, of engines that say so.
    pub unsolved: u64,
    /// Steps made shorter, of engines that do so.
    pub shortened: u64,
}

/// Judges the last sub-step of an engine: 0 ≤ uₙ + g/h ⟂ pₙ ≥ 0 and Coulomb's friction, for the velocities u it ended with, its impulses p and the gaps g
/// that are left. A contact may close its gap within a sub-step h; one that overlaps need not part.
///
/// All contacts are one problem, so that velocities are measured in units of the fastest contact of the scene: a slow island is
/// judged more leniently than by itself. Contacts that are far enough apart and have no impulse are left out: they are no error, but
/// would be the fastest.
pub fn judge(scene: &Scene, after: &[Motion], contacts: &[EngineContact], substep: f64) -> Judged {
    let problem = problem_of(scene, after, contacts);
    let bound = |index: usize| contacts[index].gap.max(0.0) / substep;
    let matters = |&index: &usize| {
        let [normal, _] = problem.relative_velocity(&problem.contacts[index]);
        contacts[index].impulse[0] > 0.0 || normal + bound(index) < 0.0
    };
    let chosen: Vec<usize> = (0..contacts.len()).filter(matters).collect();
    let context = SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &SolverWorkspace::default(),
    };
    let mut local = LocalProblem::of(context, &problem, &chosen);
    let contacts: Vec<EngineContact> = chosen.iter().map(|&index| contacts[index]).collect();
    let impulses: Vec<f64> = contacts
        .iter()
        .flat_map(|contact| contact.impulse)
        .collect();
    // The current velocities are u; the residual needs b with u = W p + b.
    let ended = local.free_velocity.clone();
    let given = local.velocity(context, &impulses);
    for (index, free) in local.free_velocity.iter_mut().enumerate() {
        *free = 2.0 * ended[index] - given[index];
        if index % 2 == 0 {
            *free += bound(chosen[index / 2]);
        }
    }
    Judged {
        residual: residual(&local, &impulses),
        contacts: contacts.len(),
        largest: largest_island(scene.floes.len(), &contacts),
        ..Judged::default()
    }
}

fn problem_of(scene: &Scene, after: &[Motion], contacts: &[EngineContact]) -> ContactProblem {
    let floes = scene.floes.iter().zip(after).map(|(floe, motion)| Body {
        inv_mass: 1.0 / floe.area,
        inv_inertia: 1.0 / floe.inertia,
        position: motion.pose.position,
        linear_velocity: motion.velocity.linear,
        angular_velocity: motion.velocity.angular,
    });
    let mut bodies: Vec<Body> = floes.collect();
    let wall = bodies.len();
    bodies.push(Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        position: DVec2::ZERO,
        linear_velocity: DVec2::ZERO,
        angular_velocity: 0.0,
    });
    let contact = |contact: &EngineContact| Contact {
        a: contact.rows[0].unwrap_or(wall),
        b: contact.rows[1].unwrap_or(wall),
        arms: contact.arms,
        normal: contact.normal,
        friction: scene.setting.friction,
        restitution: 0.0,
        gap: contact.gap,
        start: [0.0; 2],
    };
    ContactProblem {
        bodies,
        contacts: contacts.iter().map(contact).collect(),
    }
}

/// Contacts that push, of the largest group of floes joined by them.
fn largest_island(floes: usize, contacts: &[EngineContact]) -> usize {
    let mut parents: Vec<usize> = (0..floes).collect();
    let root = |parents: &mut Vec<usize>, mut row: usize| {
        while parents[row] != row {
            parents[row] = parents[parents[row]];
            row = parents[row];
        }
        row
    };
    let pushing = || contacts.iter().filter(|contact| contact.impulse[0] > 0.0);
    for contact in pushing() {
        if let [Some(a), Some(b)] = contact.rows {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut counts = vec![0; floes];
    for contact in pushing() {
        if let Some(row) = contact.rows[0].or(contact.rows[1]) {
            counts[root(&mut parents, row)] += 1;
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

/// Kinetic energy, of ice of density one.
pub fn energy(scene: &Scene, motions: &[Motion]) -> f64 {
    let floes = scene.floes.iter().zip(motions);
    floes
        .map(|(floe, motion)| {
            let velocity = motion.velocity;
            let spin = floe.inertia * velocity.angular * velocity.angular;
            0.5 * (floe.area * velocity.linear.length_squared() + spin)
        })
        .sum()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// How much the velocities after a step differ from those before it with all impulses, over the fastest change of any: whether
    /// rows, arms, normals, tangents and units are what we take them for.
    pub fn momentum_error(
        scene: &Scene,
        before: &[Motion],
        after: &[Motion],
        contacts: &[EngineContact],
    ) -> f64 {
        let mut problem = problem_of(scene, before, contacts);
        for (index, contact) in contacts.iter().enumerate() {
            problem.apply(index, contact.impulse);
        }
        let (mut worst, mut fastest) = (0.0_f64, 0.0_f64);
        for (row, motion) in after.iter().enumerate() {
            let (body, floe) = (&problem.bodies[row], &scene.floes[row]);
            let reach = (floe.inertia / floe.area).sqrt();
            let linear = (body.linear_velocity - motion.velocity.linear).length();
            let angular = (body.angular_velocity - motion.velocity.angular).abs();
            worst = worst.max(linear + reach * angular);
            let change = motion.velocity.linear - before[row].velocity.linear;
            fastest = fastest.max(change.length());
        }
        assert!(fastest > 0.0, "no contact");
        worst / fastest
    }
}
