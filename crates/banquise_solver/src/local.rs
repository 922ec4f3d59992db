//! The friction problem in the frames of its contacts.
//!
//! u = W p + b, with two entries a contact, normal then tangential; 0 ≤ uₙ ⟂ pₙ ≥ 0, |pₜ| ≤ μ (pₙ + c),
//! and sliding opposes: uₜ > 0 only with pₜ = −μ (pₙ + c), uₜ < 0 only with pₜ = μ (pₙ + c). The
//! prior normal impulse c ≥ 0 is zero but in the decompression phase of an impact, where the normal impulse
//! of restitution widens the cone.

use crate::blocks::Blocks;
use crate::problem::{Body, ContactProblem};
use crate::records::Block;
use crate::workspace::{PooledVec, SolverContext};

/// A friction problem in local form.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalProblem<'w> {
    /// W = H M⁻¹ Hᵀ, the Delassus operator \[1/kg\].
    pub delassus: Blocks<'w>,
    /// b, the relative velocities without impulses \[m/s\].
    pub free_velocity: PooledVec<'w, f64>,
    /// μ of each contact [–].
    pub friction: PooledVec<'w, f64>,
    /// c of each contact \[N s\].
    pub prior_normal_impulse: PooledVec<'w, f64>,
}

impl<'w> LocalProblem<'w> {
    /// Number of contacts.
    pub fn contact_count(&self) -> usize {
        self.friction.len()
    }

    /// The problem of some contacts among bodies.
    pub fn of(context: SolverContext<'w>, problem: &ContactProblem, chosen: &[usize]) -> Self {
        let contacts = || chosen.iter().map(|&index| &problem.contacts[index]);
        let velocities = contacts().flat_map(|contact| problem.relative_velocity(contact));
        Self {
            delassus: Ends::of(context, problem, chosen).delassus(context, &problem.bodies),
            free_velocity: context.collect(velocities),
            friction: context.collect(contacts().map(|contact| contact.friction)),
            prior_normal_impulse: context.filled(0.0, chosen.len()),
        }
    }

    /// Whether the matrix of some contacts would be larger than a solve may have. All contacts of one body are coupled: the number of blocks grows with
    /// the square of their number.
    pub(crate) fn is_too_large(
        context: SolverContext<'w>,
        problem: &ContactProblem,
        chosen: &[usize],
    ) -> bool {
        let (settings, count) = (&context.settings.budget, chosen.len() as f64);
        let most = settings.blocks + settings.blocks_per_contact * count;
        if count * count <= most {
            return false;
        }
        let mut ends = context.filled(0_usize, problem.bodies.len());
        for &index in chosen {
            let contact = &problem.contacts[index];
            ends[contact.a] += 1;
            ends[contact.b] += 1;
        }
        let moving = problem.bodies.iter().zip(&ends);
        let moving = moving.filter(|(body, _)| !is_fixed(body));
        let blocks: f64 = moving.map(|(_, &ends)| (ends as f64).powi(2)).sum();
        blocks > most
    }

    /// u = W p + b.
    pub fn velocity(&self, context: SolverContext<'w>, impulses: &[f64]) -> PooledVec<'w, f64> {
        self.delassus.affine(context, impulses, &self.free_velocity)
    }

    /// Scales the problem to units of its own, as the solvers see it.
    #[must_use]
    pub fn in_own_units(&self, context: SolverContext<'w>) -> Self {
        self.scaled(context).0
    }

    /// Scales the problem to units of its own: each contact's inverse effective mass and the largest
    /// free velocity become one, so that tolerances mean the same for 1 kg and 1e9 kg.
    pub(crate) fn scaled(&self, context: SolverContext<'w>) -> (Self, Scaling<'w>) {
        let scaling = Scaling::of(context, self);
        let delassus = self.delassus.scaled(&scaling.contacts);
        let velocities = self.free_velocity.iter().enumerate();
        let free_velocity = context
            .collect(velocities.map(|(i, b)| scaling.contacts[i / 2] * b / scaling.velocity));
        let priors = self.prior_normal_impulse.iter().enumerate();
        let prior_normal_impulse =
            context.collect(priors.map(|(j, c)| c / (scaling.contacts[j] * scaling.velocity)));
        let friction = self.friction.clone();
        (
            Self {
                delassus,
                free_velocity,
                friction,
                prior_normal_impulse,
            },
            scaling,
        )
    }
}

/// The two ends of each contact, body after body and then in the order of the contacts.
struct Ends<'w> {
    /// The bodies: rows of the problem, ascending.
    rows: PooledVec<'w, usize>,
    /// Where the ends of each body begin; one more at the end.
    starts: PooledVec<'w, usize>,
    contacts: PooledVec<'w, usize>,
    /// Direction of the unit normal impulse on the body, and the torques of the normal and tangential unit impulses.
    pushes: PooledVec<'w, Block>,
    /// For each contact, which its bodies are, the smaller row first, and where its ends are.
    bodies: PooledVec<'w, [usize; 2]>,
    places: PooledVec<'w, [usize; 2]>,
}

impl<'w> Ends<'w> {
    fn of(context: SolverContext<'w>, problem: &ContactProblem, chosen: &[usize]) -> Self {
        let contacts = || chosen.iter().map(|&index| &problem.contacts[index]);
        // Of few contacts among many bodies, those bodies alone: the active mode has many such groups.
        let has_all = chosen.len() == problem.contacts.len();
        let mut rows: PooledVec<'w, usize> = if has_all {
            context.collect(0..problem.bodies.len())
        } else {
            context.collect(contacts().flat_map(|contact| [contact.a, contact.b]))
        };
        if !has_all {
            rows.sort_unstable();
            rows.dedup();
        }
        let place = |row: usize| {
            if has_all {
                row
            } else {
                rows.partition_point(|&other| other < row)
            }
        };
        let mut starts = context.filled(0, rows.len() + 1);
        for contact in contacts() {
            starts[place(contact.a) + 1] += 1;
            starts[place(contact.b) + 1] += 1;
        }
        for body in 0..rows.len() {
            starts[body + 1] += starts[body];
        }
        let mut next = starts.clone();
        let mut ends = Self {
            rows: context.empty(),
            starts,
            contacts: context.filled(0, 2 * chosen.len()),
            pushes: context.filled([[0.0; 2]; 2], 2 * chosen.len()),
            bodies: context.with_capacity(chosen.len()),
            places: context.with_capacity(chosen.len()),
        };
        for (index, contact) in contacts().enumerate() {
            let [arm_a, arm_b] = contact.arms;
            let mut both = [
                (place(contact.a), arm_a, -contact.normal),
                (place(contact.b), arm_b, contact.normal),
            ];
            if contact.a > contact.b {
                both.swap(0, 1);
            }
            ends.bodies.push(both.map(|(body, ..)| body));
            let places = both.map(|(body, arm, normal)| {
                let place = next[body];
                next[body] += 1;
                ends.contacts[place] = index;
                let torques = [arm.perp_dot(normal), arm.perp_dot(normal.perp())];
                ends.pushes[place] = [normal.to_array(), torques];
                place
            });
            ends.places.push(places);
        }
        ends.rows = rows;
        ends
    }

    /// The Delassus operator W: contacts are coupled by the bodies they share, if these can move.
    fn delassus(&self, context: SolverContext<'w>, bodies: &[Body]) -> Blocks<'w> {
        let moving = self.starts.windows(2).zip(&self.rows);
        let moving = moving.filter(|(_, row)| !is_fixed(&bodies[**row]));
        let blocks: usize = moving.map(|(ends, _)| (ends[1] - ends[0]).pow(2)).sum();
        let mut matrix =
            Blocks::without_rows(context, self.places.len(), blocks + self.places.len());
        for (row, (own_bodies, own)) in self.bodies.iter().zip(&self.places).enumerate() {
            let mut around = own_bodies.map(|body| {
                // A fixed body, such as a coast, does not couple its contacts.
                let count = if is_fixed(&bodies[self.rows[body]]) {
                    0
                } else {
                    self.starts[body + 1] - self.starts[body]
                };
                self.starts[body]..self.starts[body] + count
            });
            if around.iter().all(|ends| ends.start == ends.end) {
                matrix.add(row, [[0.0; 2]; 2]);
            }
            loop {
                let firsts = around.iter().filter(|ends| ends.start < ends.end);
                let firsts = firsts.map(|ends| self.contacts[ends.start]);
                let Some(column) = firsts.min() else { break };
                for (side, ends) in around.iter_mut().enumerate() {
                    while ends.start < ends.end && self.contacts[ends.start] == column {
                        let body = &bodies[self.rows[own_bodies[side]]];
                        let (ours, theirs) = (self.pushes[own[side]], self.pushes[ends.start]);
                        matrix.add(column, seen(body, ours, theirs));
                        ends.start += 1;
                    }
                }
            }
            matrix.end_row();
        }
        matrix
    }
}

/// Whether a body is fixed: impulses do not move it.
fn is_fixed(body: &Body) -> bool {
    body.inv_mass == 0.0 && body.inv_inertia == 0.0
}

/// Response at one end of a contact to impulses at another end on the same body.
fn seen(body: &Body, [[x, y], ours]: Block, [[other_x, other_y], theirs]: Block) -> Block {
    let (along, across) = (x * other_x + y * other_y, y * other_x - x * other_y);
    let turned = |torque: f64, other: f64| body.inv_inertia * torque * other;
    [
        [
            body.inv_mass * along + turned(ours[0], theirs[0]),
            body.inv_mass * across + turned(ours[0], theirs[1]),
        ],
        [
            body.inv_mass * -across + turned(ours[1], theirs[0]),
            body.inv_mass * along + turned(ours[1], theirs[1]),
        ],
    ]
}

/// Units of a local problem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scaling<'w> {
    /// Square root of the effective mass of each contact \[√kg\].
    pub(crate) contacts: PooledVec<'w, f64>,
    /// Largest free velocity in these units \[√kg m/s\].
    pub(crate) velocity: f64,
}

impl<'w> Scaling<'w> {
    pub(crate) fn of(context: SolverContext<'w>, problem: &LocalProblem<'_>) -> Self {
        let contacts = context.collect((0..problem.contact_count()).map(|j| {
            let own = problem.delassus.diagonal(j);
            let largest = own[0][0].abs().max(own[1][1].abs());
            if largest > 0.0 {
                1.0 / largest.sqrt()
            } else {
                1.0
            }
        }));
        let sizes = problem.free_velocity.iter().enumerate();
        let velocity = sizes
            .map(|(i, b)| (contacts[i / 2] * b).abs())
            .fold(0.0, f64::max);
        Self {
            contacts,
            velocity: if velocity > 0.0 { velocity } else { 1.0 },
        }
    }

    /// Impulses of the scaled problem from those in newton seconds.
    pub(crate) fn scale(&self, context: SolverContext<'w>, impulses: &[f64]) -> PooledVec<'w, f64> {
        let impulses = impulses.iter().enumerate();
        context.collect(impulses.map(|(i, p)| p / (self.contacts[i / 2] * self.velocity)))
    }

    /// Impulses in newton seconds from those of the scaled problem.
    pub(crate) fn unscale(
        &self,
        context: SolverContext<'w>,
        impulses: &[f64],
    ) -> PooledVec<'w, f64> {
        let impulses = impulses.iter().enumerate();
        context.collect(impulses.map(|(i, p)| self.contacts[i / 2] * self.velocity * p))
    }
}
