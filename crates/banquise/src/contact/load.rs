//! What contacts give to bodies and walls.

use std::ops::AddAssign;

use banquise_geometry::{DVec2, Feature};
use banquise_solver::ContactProblem;

use super::search::Near;

/// What contacts have given a floe, an obstacle or a wall since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactLoad {
    /// Sum of the normal impulses [N s]: it never falls.
    pub normal: f64,
    /// Sum of the tangential impulses, each without its sign [N s].
    pub tangent: f64,
    /// Impulse [N s]: opposite pushes cancel.
    pub impulse: DVec2,
    /// Angular impulse about the centre of the body [N m s]; zero for a wall.
    pub moment: f64,
    /// −Σ r·p over the contacts, with the arm r from the centre to the contact and the impulse p on the body
    /// [N m s]: positive where it is squeezed. Over a time t and the volume V of the body, the mean of its two principal
    /// stresses is −Σ r·p / (2 V t), a pressure (Weber 1966). Zero for a wall.
    pub virial: f64,
    /// The largest normal impulse of one step [N s].
    pub largest: f64,
}

impl AddAssign for ContactLoad {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.tangent += other.tangent;
        self.impulse += other.impulse;
        self.moment += other.moment;
        self.virial += other.virial;
        self.largest = self.largest.max(other.largest);
    }
}

/// The loads since the start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Loads {
    /// One for each body, in row order.
    pub bodies: Vec<ContactLoad>,
    /// Of the walls in the west, east, south and north.
    pub walls: [ContactLoad; 4],
}

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
    pub(super) fn add_to(&mut self, loads: &mut Loads) {
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
                Bearer::Body(row) => loads.bodies[row] += total,
                Bearer::Wall(side) => loads.walls[side] += total,
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
