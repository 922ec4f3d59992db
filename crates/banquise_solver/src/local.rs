//! The friction problem in the frames of its contacts.
//!
//! u = W p + b, with two entries a contact, normal then tangential; 0 ≤ uₙ ⟂ pₙ ≥ 0, |pₜ| ≤ μ (pₙ + c),
//! and sliding opposes: uₜ > 0 only with pₜ = −μ (pₙ + c), uₜ < 0 only with pₜ = μ (pₙ + c). The
//! carried impulse c ≥ 0 is zero but in the second phase of an impact, where the normal impulse
//! given back by restitution widens the cone.

use crate::blocks::Blocks;
use crate::list::List;
use crate::problem::{Contact, ContactProblem};

/// A friction problem in local form.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalProblem {
    /// W = H M⁻¹ Hᵀ, the Delassus operator \[1/kg\].
    pub delassus: Blocks,
    /// b, the relative velocities without impulses \[m/s\].
    pub free_velocity: List<f64>,
    /// μ of each contact [–].
    pub friction: List<f64>,
    /// c of each contact \[N s\].
    pub carried: List<f64>,
}

impl LocalProblem {
    /// Number of contacts.
    pub fn contact_count(&self) -> usize {
        self.friction.len()
    }

    /// The problem of some contacts among bodies.
    pub fn of(problem: &ContactProblem, chosen: &[usize]) -> Self {
        let count = chosen.len();
        let contacts = || chosen.iter().map(|&index| &problem.contacts[index]);
        // Contacts of each body: only contacts that share a body see each other.
        let mut ends: List<(usize, usize, f64)> = List::with_room(2 * count);
        for (index, contact) in contacts().enumerate() {
            ends.push((contact.a, index, -1.0));
            ends.push((contact.b, index, 1.0));
        }
        ends.sort_unstable_by(|x, y| (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2)));
        let groups = || ends.chunk_by(|x, y| x.0 == y.0);
        // One more for each diagonal.
        let mut blocks =
            List::with_room(count + groups().map(|group| group.len().pow(2)).sum::<usize>());
        for group in groups() {
            let body = &problem.bodies[group[0].0];
            if body.inv_mass == 0.0 && body.inv_inertia == 0.0 {
                // Contacts of a coast see nothing of each other through it.
                continue;
            }
            for &(_, i, sign_i) in group {
                for &(_, j, sign_j) in group {
                    let columns = directions(&problem.contacts[chosen[j]], sign_j);
                    let block = directions(&problem.contacts[chosen[i]], sign_i).map(|row| {
                        columns.map(|column| {
                            body.inv_mass * row.0.dot(column.0)
                                + body.inv_inertia * row.1 * column.1
                        })
                    });
                    blocks.push((i, j, block));
                }
            }
        }
        let velocities = contacts().flat_map(|contact| problem.relative_velocity(contact));
        Self {
            delassus: Blocks::from_blocks(count, blocks),
            free_velocity: velocities.collect(),
            friction: contacts().map(|contact| contact.friction).collect(),
            carried: List::of(0.0, count),
        }
    }

    /// u = W p + b.
    pub fn velocity(&self, impulses: &[f64]) -> List<f64> {
        self.delassus.affine(impulses, &self.free_velocity)
    }

    /// The same problem in units of its own, as the solvers see it.
    #[must_use]
    pub fn in_own_units(&self) -> Self {
        self.scaled().0
    }

    /// The same problem in units of its own: each contact's inverse effective mass and the largest
    /// free velocity become one, so that tolerances mean the same for 1 kg and 1e9 kg.
    pub(crate) fn scaled(&self) -> (Self, Scaling) {
        let scaling = Scaling::of(self);
        let delassus = self.delassus.scaled(&scaling.contacts);
        let free_velocity = self
            .free_velocity
            .iter()
            .enumerate()
            .map(|(i, b)| scaling.contacts[i / 2] * b / scaling.velocity)
            .collect();
        let carried = self.carried.iter().enumerate();
        let carried = carried
            .map(|(j, c)| c / (scaling.contacts[j] * scaling.velocity))
            .collect();
        let friction = self.friction.clone();
        (
            Self {
                delassus,
                free_velocity,
                friction,
                carried,
            },
            scaling,
        )
    }
}

/// Direction of the unit normal and tangential impulse on one body, and their torques.
fn directions(contact: &Contact, sign: f64) -> [(glam::DVec2, f64); 2] {
    let arm = if sign < 0.0 {
        contact.arms[0]
    } else {
        contact.arms[1]
    };
    [contact.normal, contact.tangent()].map(|direction| {
        let signed = sign * direction;
        (signed, arm.perp_dot(signed))
    })
}

/// Units of a local problem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scaling {
    /// Square root of the effective mass of each contact \[√kg\].
    pub(crate) contacts: List<f64>,
    /// Largest free velocity in these units \[√kg m/s\].
    pub(crate) velocity: f64,
}

impl Scaling {
    pub(crate) fn of(problem: &LocalProblem) -> Self {
        let contacts: List<f64> = (0..problem.contact_count())
            .map(|j| {
                let own = problem.delassus.diagonal(j);
                let largest = own[0][0].abs().max(own[1][1].abs());
                if largest > 0.0 {
                    1.0 / largest.sqrt()
                } else {
                    1.0
                }
            })
            .collect();
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
    pub(crate) fn scale(&self, impulses: &[f64]) -> List<f64> {
        let impulses = impulses.iter().enumerate();
        impulses
            .map(|(i, p)| p / (self.contacts[i / 2] * self.velocity))
            .collect()
    }

    /// Impulses in newton seconds from those of the scaled problem.
    pub(crate) fn unscale(&self, impulses: &[f64]) -> List<f64> {
        let impulses = impulses.iter().enumerate();
        impulses
            .map(|(i, p)| self.contacts[i / 2] * self.velocity * p)
            .collect()
    }
}
