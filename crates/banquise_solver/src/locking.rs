//! Frictional locking: a branch-and-bound search over contact states, which ends with a solution or with a proof that there is none.
//!
//! In any solution a contact is open (p = 0, uₙ ≥ 0), sticks (u = 0, p in its cone) or slides one way or the other (uₙ = 0, p at the edge of the cone that
//! opposes uₜ). Given the states of some contacts, and for the others only uₙ ≥ 0 and p in the cone, the conditions are linear in the velocities and impulses, and have no
//! solution if there are multipliers λ, two for each contact, with
//!
//! ```text
//! λ·u ≥ 0                   for all u that the contacts allow,
//! (W λ)·p ≤ 0               for all p in the cones,
//! λ·b < 0                   b: the velocities without impulses,
//! ```
//!
//! for then 0 ≤ λ·u = λ·(W p + b) = (W λ)·p + λ·b < 0. Instead of the momentum of a body, which is in W and b, one may use that its velocity is bounded, as in
//! [`crate::kinematic`]: the body is then left out of W and b, and the force and torque of λ on it must be zero but for rounding.

use crate::certificate::{Certificate, CertificateKind, ContactState, LockingNode};
use crate::local::{LocalProblem, Scaling};
use crate::nnls::{Columns, Support, nonnegative_least_squares};
use crate::problem::ContactProblem;
use crate::proof::{States, ends, generators, known_velocity, leaf_speeds, signs};
use crate::settings::VerdictSettings;
use crate::workspace::{PooledVec, SolverContext};

/// Free bodies up to which all subsets are tried as those whose momentum is used.
const CHOSEN_BODIES: usize = 3;

/// Result of the search.
pub(crate) enum Found {
    /// Impulses that solve the problem: they were accepted.
    Solution,
    /// The proof that there is no solution.
    Proof(Certificate),
}

/// Searches for a proof that the problem, whose bodies have their velocities before, has no solution with normal velocities of at least `least`; calls `accepts`
/// with impulses that may solve it, and ends where they do. `None` where the number of nodes does not suffice.
pub(crate) fn search(
    context: SolverContext<'_>,
    problem: &ContactProblem,
    least: &[f64],
    mut accepts: impl FnMut(&[f64]) -> bool,
) -> Option<Found> {
    let all = context.collect(0..problem.contacts.len());
    let mut local = LocalProblem::of(context, problem, &all);
    for (contact, least) in least.iter().enumerate() {
        local.free_velocity[2 * contact] -= least;
    }
    let scaling = Scaling::of(context, &local);
    let free_bodies = free_bodies(problem);
    let mut system = System {
        context,
        problem,
        least,
        scaling: &scaling,
        choices: choices(&free_bodies),
        free_bodies,
        responses: Vec::new(),
    };
    let size = 2 * problem.contacts.len();
    let pairs = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    system.responses = pairs
        .map(|(row, column)| system.response(row, column, &system.free_bodies))
        .collect();
    let mut states = vec![None; problem.contacts.len()];
    let mut tree = Tree {
        nodes: Vec::new(),
        left: context.settings.verdict.locking_nodes,
        speeds: [0.0, f64::INFINITY],
    };
    match tree.close(&system, &mut states, &mut accepts) {
        Outcome::Closed(_) => Some(Found::Proof(Certificate {
            kind: CertificateKind::Locking(tree.nodes),
            multipliers: Vec::new(),
            closing_speed: tree.speeds[0],
            least_speed: tree.speeds[1],
        })),
        Outcome::Solved => Some(Found::Solution),
        Outcome::Spent => None,
    }
}

/// The bodies of contacts that impulses can move.
fn free_bodies(problem: &ContactProblem) -> Vec<usize> {
    let touched = |row: usize| problem.contacts.iter().any(|c| c.a == row || c.b == row);
    let is_free = |row: usize| {
        let body = &problem.bodies[row];
        body.inv_mass > 0.0 || body.inv_inertia > 0.0
    };
    (0..problem.bodies.len())
        .filter(|&row| is_free(row) && touched(row))
        .collect()
}

/// Choices of bodies whose momentum is used: all, none, and others where there are few.
fn choices(bodies: &[usize]) -> Vec<Vec<usize>> {
    let mut choices = vec![bodies.to_vec(), Vec::new()];
    if bodies.len() <= CHOSEN_BODIES {
        let all = (1_usize << bodies.len()) - 1;
        for mask in 1..all {
            let chosen = (0..bodies.len()).filter(|bit| mask >> bit & 1 == 1);
            choices.push(chosen.map(|bit| bodies[bit]).collect());
        }
    }
    choices
}

enum Outcome {
    /// Infeasible; the place of the node that proves it.
    Closed(usize),
    Solved,
    Spent,
}

struct Tree {
    nodes: Vec<LockingNode>,
    /// Nodes that may still be visited.
    left: usize,
    /// Largest closing speed and least speed of all leaves.
    speeds: [f64; 2],
}

impl Tree {
    /// Proves a node infeasible, by itself or by its children.
    fn close(
        &mut self,
        system: &System<'_, '_>,
        states: &mut States,
        accepts: &mut impl FnMut(&[f64]) -> bool,
    ) -> Outcome {
        if self.left == 0 {
            return Outcome::Spent;
        }
        self.left -= 1;
        let place = self.nodes.len();
        let relaxation = system.relaxation(states);
        if let Some(leaf) = self.leaf(system, states, &relaxation) {
            self.nodes.push(leaf);
            return Outcome::Closed(place);
        }
        let impulses = relaxation.impulses;
        if system.largest_error(&impulses) <= system.settings().locking_candidate
            && accepts(&impulses)
        {
            return Outcome::Solved;
        }
        let Some(contact) = system.worst(states, &impulses) else {
            // All states are given, but neither a proof nor a solution is found: rounding decides.
            return Outcome::Spent;
        };
        self.nodes.push(LockingNode::Branch {
            contact,
            children: [0; 4],
        });
        let mut found = [0; 4];
        for (child, state) in found.iter_mut().zip(ContactState::ALL) {
            states[contact] = Some(state);
            match self.close(system, states, accepts) {
                Outcome::Closed(place) => *child = place,
                other => return other,
            }
        }
        states[contact] = None;
        if let LockingNode::Branch { children, .. } = &mut self.nodes[place] {
            *children = found;
        }
        Outcome::Closed(place)
    }

    /// A proof that no solution has these states.
    fn leaf(
        &mut self,
        system: &System<'_, '_>,
        states: &States,
        relaxation: &Relaxation<'_>,
    ) -> Option<LockingNode> {
        if relaxation.residual > system.settings().locking_residual {
            return None;
        }
        let suggested = std::iter::once(&relaxation.momentum_of);
        let choices = suggested.chain(&system.choices);
        for (momentum_of, margin) in
            choices.flat_map(|c| [(c, system.settings().locking_margin), (c, 0.0)])
        {
            let multipliers = system.multipliers(states, momentum_of, margin);
            let (problem, least) = (system.problem, system.least);
            let speeds = leaf_speeds(problem, least, states, &multipliers, momentum_of);
            if let Some([closing_speed, least_speed]) = speeds {
                self.speeds[0] = self.speeds[0].max(closing_speed);
                self.speeds[1] = self.speeds[1].min(least_speed);
                let momentum_of = momentum_of.clone();
                return Some(LockingNode::Leaf {
                    multipliers,
                    momentum_of,
                });
            }
        }
        None
    }
}

/// The answer to the linear problem of given states.
struct Relaxation<'w> {
    /// Residual of the alternative (Farkas) system for the multipliers: zero if these exist, that is, if the relaxation is infeasible.
    residual: f64,
    /// The bodies on which the multipliers act.
    momentum_of: Vec<usize>,
    /// Impulses of the relaxation, if it is feasible: contacts with a given state satisfy it, the others only non-penetration and the friction
    /// cone, without complementarity \[N s\].
    impulses: PooledVec<'w, f64>,
}

/// The linear problem of given states, in units of the scaled problem.
struct System<'a, 'w> {
    context: SolverContext<'w>,
    problem: &'a ContactProblem,
    least: &'a [f64],
    scaling: &'a Scaling<'w>,
    free_bodies: Vec<usize>,
    /// Bodies whose momentum may be used: choices of them.
    choices: Vec<Vec<usize>>,
    /// Responses through all free bodies, by rows: most of the work needs these.
    responses: Vec<f64>,
}

impl<'w> System<'_, 'w> {
    fn settings(&self) -> &'w VerdictSettings {
        &self.context.settings.verdict
    }

    /// How the scaled velocity of a contact along its normal (0) or tangent (1) depends on those of the bodies, times the roots of their masses.
    fn influence(&self, index: usize) -> [(usize, [f64; 3]); 2] {
        let contact = &self.problem.contacts[index / 2];
        let vector = if index.is_multiple_of(2) {
            contact.normal
        } else {
            contact.tangent()
        };
        ends(contact).map(|(row, arm, sign)| {
            let (body, factor) = (
                &self.problem.bodies[row],
                sign * self.scaling.contacts[index / 2],
            );
            let linear = factor * body.inv_mass.sqrt() * vector;
            let angular = factor * body.inv_inertia.sqrt() * arm.perp_dot(vector);
            (row, [linear.x, linear.y, angular])
        })
    }

    /// The scaled response of a velocity to an impulse, through some bodies.
    fn response(&self, index: usize, other: usize, through: &[usize]) -> f64 {
        if through.len() == self.free_bodies.len() && !self.responses.is_empty() {
            return self.responses[index * 2 * self.problem.contacts.len() + other];
        }
        let mut sum = 0.0;
        for (row, ours) in self.influence(index) {
            for (other_row, theirs) in self.influence(other) {
                if row == other_row && through.contains(&row) {
                    sum += ours.iter().zip(theirs).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
        sum
    }

    /// The scaled velocity of a contact without impulses, if the bodies that are not chosen are at rest.
    fn free_velocity(&self, index: usize, momentum_of: &[usize]) -> f64 {
        let contact = &self.problem.contacts[index / 2];
        let is_normal = index.is_multiple_of(2);
        let vector = if is_normal {
            contact.normal
        } else {
            contact.tangent()
        };
        let mut sum = if is_normal {
            -self.least[index / 2]
        } else {
            0.0
        };
        for (row, arm, sign) in ends(contact) {
            let (linear, angular) = known_velocity(self.problem, row, momentum_of);
            sum += sign * (linear + angular * arm.perp()).dot(vector);
        }
        sum * self.scaling.contacts[index / 2] / self.scaling.velocity
    }

    /// Multipliers that prove that no solution has these states, if there are any.
    fn multipliers(&self, states: &States, momentum_of: &[usize], margin: f64) -> Vec<[f64; 2]> {
        let setup = Setup::of(self, states, momentum_of, margin);
        let support = nonnegative_least_squares(self.context, &setup.columns, &setup.target);
        setup.multipliers(self, &support)
    }

    /// Solves the linear problem of given states, in plain numbers.
    fn relaxation(&self, states: &States) -> Relaxation<'w> {
        let setup = Setup::of(self, states, &self.free_bodies, 0.0);
        let support = nonnegative_least_squares(self.context, &setup.columns, &setup.target);
        let residual = support.residual(&setup.target);
        let last = residual[residual.len() - 1];
        let mut impulses = self.context.filled(0.0, 2 * states.len());
        for (row, &(contact, tangent)) in setup.generators.iter().enumerate() {
            let unit = self.scaling.contacts[contact] * self.scaling.velocity;
            let size = (residual[row] / last).max(0.0) * unit;
            impulses[2 * contact] += size;
            impulses[2 * contact + 1] += tangent * size;
        }
        Relaxation {
            residual: residual.iter().map(|r| r * r).sum::<f64>().sqrt(),
            momentum_of: self.loaded(&setup.multipliers(self, &support)),
            impulses,
        }
    }

    /// The bodies on which multipliers act, but for rounding.
    fn loaded(&self, multipliers: &[[f64; 2]]) -> Vec<usize> {
        let mut loads = vec![[0.0; 3]; self.problem.bodies.len()];
        let mut largest = 0.0_f64;
        for (index, multiplier) in multipliers.iter().flatten().enumerate() {
            let scaled = multiplier / self.scaling.contacts[index / 2];
            for (row, influence) in self.influence(index) {
                for (load, share) in loads[row].iter_mut().zip(influence) {
                    *load += scaled * share;
                    largest = largest.max((scaled * share).abs());
                }
            }
        }
        let bodies = self.free_bodies.iter().copied();
        let is_loaded = |row: &usize| {
            loads[*row]
                .iter()
                .any(|load| load.abs() > self.settings().locking_residual * largest)
        };
        bodies.filter(is_loaded).collect()
    }

    fn largest_error(&self, impulses: &[f64]) -> f64 {
        let contacts = 0..self.problem.contacts.len();
        let errors = contacts.map(|contact| self.error(contact, impulses));
        errors.fold(0.0, f64::max)
    }

    /// The contact without a state that is farthest from having one; `None` if all have one.
    fn worst(&self, states: &States, impulses: &[f64]) -> Option<usize> {
        let mut worst: Option<(f64, usize)> = None;
        for contact in (0..states.len()).filter(|&contact| states[contact].is_none()) {
            let error = self.error(contact, impulses);
            if worst.is_none_or(|(most, _)| error > most) {
                worst = Some((error, contact));
            }
        }
        worst.map(|(_, contact)| contact)
    }

    /// The natural map of a contact.
    fn error(&self, contact: usize, impulses: &[f64]) -> f64 {
        let scaled = self.scaling.scale(self.context, impulses);
        let velocity = |index: usize| {
            let responses = scaled.iter().enumerate().filter(|(_, p)| **p != 0.0);
            let responses =
                responses.map(|(other, p)| p * self.response(index, other, &self.free_bodies));
            self.free_velocity(index, &self.free_bodies) + responses.sum::<f64>()
        };
        let (n, t) = (2 * contact, 2 * contact + 1);
        let limit = (self.problem.contacts[contact].friction * scaled[n]).max(0.0);
        let nearest = (scaled[t] - velocity(t)).clamp(-limit, limit);
        velocity(n)
            .min(scaled[n])
            .abs()
            .max((scaled[t] - nearest).abs())
    }
}

/// The columns of the multipliers and of the slacks of their conditions.
struct Setup<'w> {
    columns: Columns<'w>,
    target: PooledVec<'w, f64>,
    /// Which multiplier a column is, and its sign; `None` for a slack.
    meaning: Vec<Option<(usize, f64)>>,
    /// Contact and tangential impulse of the generators, one row each.
    generators: Vec<(usize, f64)>,
}

impl<'w> Setup<'w> {
    fn of(system: &System<'_, 'w>, states: &States, momentum_of: &[usize], margin: f64) -> Self {
        let of_contact = |(contact, state): (usize, &Option<ContactState>)| {
            let friction = system.problem.contacts[contact].friction;
            let tangents = generators(*state, friction).into_iter();
            tangents.map(move |tangent| (contact, tangent))
        };
        let generators: Vec<(usize, f64)> =
            states.iter().enumerate().flat_map(of_contact).collect();
        let others = system.free_bodies.iter();
        let others: Vec<usize> = others
            .copied()
            .filter(|b| !momentum_of.contains(b))
            .collect();
        // Rows: generators, forces on bodies whose momentum is not used, work.
        let last = generators.len() + 3 * others.len();
        let mut target = system.context.filled(0.0, last + 1);
        target[..generators.len()].fill(-margin);
        target[last] = -1.0;
        let mut columns = Columns::new(system.context, last + 1);
        let mut meaning = Vec::new();
        for (contact, state) in states.iter().enumerate() {
            for (part, signs) in signs(*state).into_iter().enumerate() {
                let index = 2 * contact + part;
                if signs.is_empty() {
                    continue;
                }
                let entries = entries(system, index, momentum_of, &generators, &others, last);
                for &sign in signs {
                    let signed: Vec<_> = entries.iter().map(|(r, x)| (*r, sign * x)).collect();
                    columns.push(&signed);
                    meaning.push(Some((index, sign)));
                }
            }
        }
        for row in 0..generators.len() {
            // Where a contact touches no chosen body, its condition is an equation that always holds.
            let (contact, _) = generators[row];
            let ends = [
                system.problem.contacts[contact].a,
                system.problem.contacts[contact].b,
            ];
            if ends.iter().any(|row| momentum_of.contains(row)) {
                columns.push(&[(row, 1.0)]);
                meaning.push(None);
            } else {
                target[row] = 0.0;
            }
        }
        Self {
            columns,
            target,
            meaning,
            generators,
        }
    }
}

impl Setup<'_> {
    /// The multipliers of a minimum, one and one for each contact.
    fn multipliers(&self, system: &System<'_, '_>, support: &Support<'_, '_>) -> Vec<[f64; 2]> {
        let mut multipliers = vec![[0.0; 2]; system.problem.contacts.len()];
        for (&column, &weight) in support.chosen.iter().zip(&support.weights) {
            if let Some((index, sign)) = self.meaning[column] {
                let unit = system.scaling.contacts[index / 2];
                multipliers[index / 2][index % 2] +=
                    sign * unit * weight * self.columns.scales[column];
            }
        }
        multipliers
    }
}

/// The column of a multiplier.
fn entries(
    system: &System<'_, '_>,
    index: usize,
    momentum_of: &[usize],
    generators: &[(usize, f64)],
    others: &[usize],
    last: usize,
) -> Vec<(usize, f64)> {
    let mut entries = Vec::new();
    for (row, &(contact, tangent)) in generators.iter().enumerate() {
        let normal = system.response(2 * contact, index, momentum_of);
        let along = system.response(2 * contact + 1, index, momentum_of);
        entries.push((row, normal + tangent * along));
    }
    for (row, influence) in system.influence(index) {
        if let Some(place) = others.iter().position(|&other| other == row) {
            let first = generators.len() + 3 * place;
            entries.extend((0..3).map(|part| (first + part, influence[part])));
        }
    }
    entries.push((last, system.free_velocity(index, momentum_of)));
    entries
}
