//! Loads of contacts on bodies and walls.

use banquise_geometry::DVec2;
use banquise_solver::Contact;

use super::candidate::ContactCandidate;
use super::island::Island;
use crate::contact_state::ContactLoad;
use crate::world::World;

/// A body or wall that bears a load.
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

    /// Adds the loads of the contacts of an island on bodies and walls, over `time` \[s\] where ice is crushed.
    pub(super) fn note(
        &mut self,
        island: &Island,
        candidates: &[ContactCandidate],
        impulses: &[[f64; 2]],
        time: f64,
    ) {
        let contacts = island.problem.contacts.iter().zip(&island.candidates);
        for (number, ((contact, &index), &[normal, tangent])) in contacts.zip(impulses).enumerate()
        {
            let yields = island.crushing.get(number).is_some_and(|own| own.yields);
            let candidate = &candidates[index as usize];
            let vector = normal * contact.normal + tangent * contact.tangent();
            let sizes = ContactLoad {
                normal,
                tangent: tangent.abs(),
                largest: normal,
                crushing: if yields { normal } else { 0.0 },
                crushing_area: if yields {
                    time * island.crushing_areas[number]
                } else {
                    0.0
                },
                ..ContactLoad::default()
            };
            self.add(candidate, contact, vector, sizes);
        }
    }

    /// Adds the impulse of a contact on its second body, and its opposite on the first; `sizes` has what does not depend on the body.
    pub(super) fn add(
        &mut self,
        candidate: &ContactCandidate,
        contact: &Contact,
        vector: DVec2,
        sizes: ContactLoad,
    ) {
        let [arm_a, arm_b] = contact.arms;
        let (other, arm_b) = match candidate.b {
            Some(b) => (Bearer::Body(b), arm_b),
            None => (Bearer::Wall(candidate.wall()), DVec2::ZERO),
        };
        for (bearer, impulse, arm) in [
            (Bearer::Body(candidate.a), -vector, arm_a),
            (other, vector, arm_b),
        ] {
            let load = ContactLoad {
                impulse,
                moment: arm.perp_dot(impulse),
                virial: -arm.dot(impulse),
                ..sizes
            };
            self.given.push((bearer, self.given.len(), load));
        }
    }

    /// Takes pulls out of the normal loads: they are in the net impulses alone.
    pub(super) fn drop_pulls(&mut self) {
        for (.., load) in &mut self.given {
            load.normal = load.normal.max(0.0);
            load.largest = load.normal;
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
