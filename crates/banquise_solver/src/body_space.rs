//! Contact problems in the space of their bodies.
//!
//! With velocities of bodies multiplied by the square root of their masses, y, the Delassus operator is W = J Jᵀ. Where each impulse of a contact follows from the
//! velocities at that contact alone, p = a − B u with B a 2 × 2 block, the impulses of all contacts follow from
//!
//! ```text
//! (1 + Jᵀ B J) y = Jᵀ a,   u = J y
//! ```
//!
//! This matrix couples bodies that touch; that of the contacts couples all contacts of a body. Where bodies have many contacts it is far smaller, and its
//! factors cost far less.

use crate::block_lu::{BlockLu, Pattern};
use crate::blocks::Blocks;
use crate::problem::{Body, Contact, ContactProblem};
use crate::records::Block;
use crate::workspace::{PooledVec, SolverContext};

/// Index of a body that impulses do not move.
const FIXED: usize = usize::MAX;
/// Blocks of the matrix that couple the two nodes of one body with the two of another.
const PLACES: usize = 4;

/// One end of a contact: the body, and what its motion (two velocities and a rotation) adds to the normal and tangential velocity of the contact.
#[derive(Debug, Clone, Copy)]
struct End {
    body: usize,
    rows: [[f64; 3]; 2],
}

/// A contact: its two ends, and where the blocks of each pair of ends are in the matrix.
#[derive(Debug, Clone, Copy)]
struct Coupling {
    ends: [End; 2],
    places: [[[usize; PLACES]; 2]; 2],
}

/// The contacts of a problem in the space of bodies. A body has two nodes of two numbers each: its velocity, and its rotation with a zero.
pub(crate) struct BodySpace<'w> {
    context: SolverContext<'w>,
    couplings: Vec<Coupling>,
    /// The matrix without its values, one on its diagonal.
    matrix: Blocks<'w>,
    pattern: Pattern<'w>,
}

impl<'w> BodySpace<'w> {
    /// All contacts of a problem, each in units of its own: `scales` multiply their velocities.
    pub(crate) fn of(context: SolverContext<'w>, problem: &ContactProblem, scales: &[f64]) -> Self {
        let mut indices = context.filled(FIXED, problem.bodies.len());
        let mut count = 0;
        for contact in &problem.contacts {
            for row in [contact.a, contact.b] {
                let body = &problem.bodies[row];
                if indices[row] == FIXED && (body.inv_mass > 0.0 || body.inv_inertia > 0.0) {
                    indices[row] = count;
                    count += 1;
                }
            }
        }
        let ends = |contact: &Contact, scale: f64| {
            let [arm_a, arm_b] = contact.arms;
            [(contact.a, arm_a, -scale), (contact.b, arm_b, scale)].map(|(row, arm, factor)| {
                let Body {
                    inv_mass,
                    inv_inertia,
                    ..
                } = problem.bodies[row];
                let (mass, inertia) = (inv_mass.sqrt(), inv_inertia.sqrt());
                let directions = [contact.normal, contact.normal.perp()];
                End {
                    body: indices[row],
                    rows: directions.map(|along| {
                        let push = factor * mass * along;
                        [push.x, push.y, factor * inertia * arm.perp_dot(along)]
                    }),
                }
            })
        };
        let all = problem.contacts.iter().zip(scales);
        let mut couplings: Vec<Coupling> = all
            .map(|(contact, &scale)| Coupling {
                ends: ends(contact, scale),
                places: [[[0; PLACES]; 2]; 2],
            })
            .collect();
        let matrix = matrix_of(&couplings, count);
        for own in &mut couplings {
            own.find_places(&matrix);
        }
        Self {
            context,
            couplings,
            pattern: Pattern::of(context, &matrix),
            matrix,
        }
    }

    /// Velocities of bodies that impulses give: Jᵀ p.
    pub(crate) fn bodies(&self, impulses: &[f64]) -> PooledVec<'w, f64> {
        let mut bodies = self.context.filled(0.0, 2 * self.matrix.count());
        for (own, pair) in self.couplings.iter().zip(impulses.chunks_exact(2)) {
            own.push(&mut bodies, [pair[0], pair[1]]);
        }
        self.context.spend(12 * self.couplings.len());
        bodies
    }

    /// Velocities at a contact from those of bodies.
    pub(crate) fn velocity(&self, bodies: &[f64], contact: usize) -> [f64; 2] {
        self.couplings[contact].velocity(bodies)
    }

    /// Adds what an impulse at a contact gives to the velocities of its bodies.
    pub(crate) fn push(&self, bodies: &mut [f64], contact: usize, impulse: [f64; 2]) {
        self.couplings[contact].push(bodies, impulse);
    }

    /// Factors of 1 + Jᵀ B J for given blocks B; none where it is singular.
    pub(crate) fn factor(&self, responses: &[Block]) -> Option<BlockLu<'_, 'w>> {
        let mut matrix = self.matrix.clone();
        let values = matrix.values_mut();
        for (own, response) in self.couplings.iter().zip(responses) {
            own.add_response(values, response);
        }
        self.context.spend(100 * self.couplings.len());
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        BlockLu::factor(&self.pattern, row_of)
    }
}

impl Coupling {
    fn ends(&self) -> impl Iterator<Item = &End> {
        self.ends.iter().filter(|end| end.body != FIXED)
    }

    fn velocity(&self, bodies: &[f64]) -> [f64; 2] {
        let mut velocity = [0.0; 2];
        for end in self.ends() {
            let own = &bodies[4 * end.body..4 * end.body + 3];
            for (sum, row) in velocity.iter_mut().zip(&end.rows) {
                *sum += row[0] * own[0] + row[1] * own[1] + row[2] * own[2];
            }
        }
        velocity
    }

    fn push(&self, bodies: &mut [f64], impulse: [f64; 2]) {
        for end in self.ends() {
            let own = &mut bodies[4 * end.body..4 * end.body + 3];
            for (index, sum) in own.iter_mut().enumerate() {
                *sum += end.rows[0][index] * impulse[0] + end.rows[1][index] * impulse[1];
            }
        }
    }

    fn find_places(&mut self, matrix: &Blocks<'_>) {
        for (left, places) in self.ends.iter().zip(&mut self.places) {
            for (right, places) in self.ends.iter().zip(places) {
                if left.body != FIXED && right.body != FIXED {
                    *places = nodes_of(left.body, right.body)
                        .map(|(row, column)| matrix.place(row, column));
                }
            }
        }
    }

    /// Adds Jᵀ B J of the contact.
    fn add_response(&self, values: &mut [Block], response: &Block) {
        for (left, places) in self.ends.iter().zip(&self.places) {
            for (right, places) in self.ends.iter().zip(places) {
                if left.body == FIXED || right.body == FIXED {
                    continue;
                }
                // B times the rows of the right end.
                let answers = response.map(|[n, t]| {
                    let [normal, tangent] = &right.rows;
                    [0, 1, 2].map(|c| n * normal[c] + t * tangent[c])
                });
                let entry = |r: usize, c: usize| {
                    left.rows[0][r] * answers[0][c] + left.rows[1][r] * answers[1][c]
                };
                let [both, turned, turning, rotation] = *places;
                for r in [0, 1] {
                    for c in [0, 1] {
                        values[both][r][c] += entry(r, c);
                    }
                    values[turned][r][0] += entry(r, 2);
                    values[turning][0][r] += entry(2, r);
                }
                values[rotation][0][0] += entry(2, 2);
            }
        }
    }
}

/// Rows and columns of the blocks that couple the nodes of two bodies.
fn nodes_of(left: usize, right: usize) -> [(usize, usize); PLACES] {
    let (row, column) = (2 * left, 2 * right);
    [
        (row, column),
        (row, column + 1),
        (row + 1, column),
        (row + 1, column + 1),
    ]
}

/// A matrix with the pattern of all contacts, and ones on its diagonal.
fn matrix_of(couplings: &[Coupling], bodies: usize) -> Blocks<'static> {
    let mut pairs: Vec<(usize, usize)> = (0..bodies).map(|body| (body, body)).collect();
    for own in couplings {
        let [a, b] = own.ends.map(|end| end.body);
        if a != FIXED && b != FIXED {
            pairs.extend([(a, b), (b, a)]);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let blocks = pairs.iter().flat_map(|&(left, right)| {
        nodes_of(left, right).map(|(row, column)| {
            let own = if row == column { 1.0 } else { 0.0 };
            (row, column, [[own, 0.0], [0.0, own]])
        })
    });
    Blocks::from_blocks(2 * bodies, blocks.collect())
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::local::LocalProblem;
    use crate::workspace::with_defaults;

    /// Two floes and a wall, each pair with two contacts.
    fn three_bodies() -> ContactProblem {
        let body = |inv_mass: f64, x: f64| Body {
            inv_mass,
            inv_inertia: 1.7 * inv_mass,
            position: DVec2::new(x, 0.3 * x),
            linear_velocity: DVec2::ZERO,
            angular_velocity: 0.0,
        };
        let contact = |a: usize, b: usize, turn: f64| Contact {
            a,
            b,
            arms: [DVec2::new(1.0, turn), DVec2::new(-0.7, turn - 0.2)],
            normal: DVec2::new(1.0, turn).normalize(),
            friction: 0.5,
            restitution: 0.0,
            gap: 0.0,
            start: [0.0; 2],
        };
        ContactProblem {
            bodies: vec![body(0.5, 0.0), body(0.0, 2.0), body(0.2, 4.0)],
            contacts: vec![
                contact(0, 1, 0.4),
                contact(0, 1, -0.3),
                contact(2, 0, 0.1),
                contact(1, 2, -0.6),
            ],
        }
    }

    #[test]
    fn velocities_and_factors_agree_with_the_delassus_operator() {
        let problem = three_bodies();
        with_defaults(|context| {
            let all: Vec<usize> = (0..problem.contacts.len()).collect();
            let local = LocalProblem::of(context, &problem, &all);
            let space = BodySpace::of(context, &problem, &[1.0; 4]);
            let impulses = [1.0, -0.4, 0.3, 0.8, -0.2, 0.5, 1.3, -0.9];
            let expected = local.velocity(context, &impulses);
            let bodies = space.bodies(&impulses);
            for contact in 0..4 {
                let velocity = space.velocity(&bodies, contact);
                for side in 0..2 {
                    let error = velocity[side] - expected[2 * contact + side];
                    assert!(error.abs() < 1e-14, "{velocity:?} {expected:?}");
                }
            }
            // p = a − B u with u = W p: from p and B follow a and then u.
            let response = [[2.0, 0.0], [-1.0, 3.0]];
            let mut constants = impulses;
            for contact in 0..4 {
                for (side, row) in response.iter().enumerate() {
                    let u = &expected[2 * contact..2 * contact + 2];
                    constants[2 * contact + side] += row[0] * u[0] + row[1] * u[1];
                }
            }
            let factors = space.factor(&[response; 4]).unwrap();
            let found = factors.solve(&space.bodies(&constants));
            for (value, expected) in found.iter().zip(&bodies) {
                assert!((value - expected).abs() < 1e-13, "{found:?} {bodies:?}");
            }
        });
    }
}
