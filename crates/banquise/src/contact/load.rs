//! What contacts give to bodies and walls.

use banquise_geometry::{DVec2, Feature};
use banquise_solver::ContactProblem;

use super::search::Near;
use crate::contact_state::ContactLoad;
use crate::world::World;

/// What bears a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bearer {
    Body(usize),
    Wall(usize),
}

/// The loads of one step, contact by contact.
#[derive(Debug, Clone, Default)]
pub(super) struct StepLoads {
    given: Vec<(Bearer, usize, ContactLoad)>,
}

impl StepLoads {
    pub(super) fn clear(&mut self) {
        self.given.clear();
    }

    /// Notes what the contacts of a problem gave to bodies and walls; `near` says what each contact was found
    /// from.
    pub(super) fn note<'a>(
        &mut self,
        problem: &ContactProblem,
        near: impl Iterator<Item = &'a Near>,
        impulses: &[[f64; 2]],
    ) {
        for ((contact, near), &[normal, tangent]) in problem.contacts.iter().zip(near).zip(impulses)
        {
            let vector = normal * contact.normal + tangent * contact.tangent();
            let [arm_a, arm_b] = contact.arms;
            let (other, arm_b) = match near.b {
                Some(b) => (Bearer::Body(b), arm_b),
                None => (Bearer::Wall(wall_of(near)), DVec2::ZERO),
            };
            for (bearer, impulse, arm) in [
                (Bearer::Body(near.a), -vector, arm_a),
                (other, vector, arm_b),
            ] {
                let load = ContactLoad {
                    normal,
                    tangent: tangent.abs(),
                    impulse,
                    moment: arm.perp_dot(impulse),
                    virial: -arm.dot(impulse),
                    largest: normal,
                };
                self.given.push((bearer, self.given.len(), load));
            }
        }
    }

    /// Adds the step to the loads since the start.
    pub(super) fn add_to(&mut self, world: &mut World) {
        // The sums of one bearer keep the order of the contacts.
        self.given
            .sort_unstable_by_key(|&(bearer, number, _)| (bearer, number));
        for same in self.given.chunk_by(|x, y| x.0 == y.0) {
            let mut total = ContactLoad::default();
            for &(.., load) in same {
                total += load;
            }
            total.largest = total.normal;
            match same[0].0 {
                Bearer::Body(row) => world.bodies.contact_loads[row] += total,
                Bearer::Wall(side) => world.wall_loads[side] += total,
            }
        }
    }
}

/// Which of the four walls a floe is near to.
pub(super) fn wall_of(near: &Near) -> usize {
    let Feature::Edge(side) = near.approach.feature else {
        unreachable!(
            "a wall is met as an edge, not as {:?}",
            near.approach.feature
        )
    };
    side as usize
}
