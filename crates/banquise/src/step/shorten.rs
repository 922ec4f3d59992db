//! Steps in which ice is crushed are no longer than its floes keep clear of others.
//!
//! Contacts that crush are solved for the whole step: an impact within it would change velocities for which their impulses and chords were found. So such a
//! step ends before the impact, and its contacts are solved again for that time.

use crate::contact_state::{ContactKey, ContactLoad, Touched};
use crate::id::BodyId;
use crate::motion::Motion;
use crate::world::World;

/// Times that the contacts of a step are solved at most.
pub(super) const SOLVES: usize = 5;
/// The shortest step, as a share of the one asked for [–]: more impacts in quick succession are solved within a step.
pub(super) const SHORTEST: f64 = 0.01;
/// A time that is shorter by less than this share is the same [–].
const SAME_TIME: f64 = 1e-9;

/// Whether a step of this length must be solved again to end after a shorter time; the new length \[s\], of at least a share of `longest`.
pub(super) fn shortened(dt: f64, free: f64, longest: f64) -> Option<f64> {
    let length = free.max(SHORTEST * longest);
    (length < (1.0 - SAME_TIME) * dt).then_some(length)
}

/// What the solution of contacts changes, as it was before.
#[derive(Debug, Clone, Default)]
pub(super) struct BeforeContact {
    motions: Vec<Motion>,
    loads: Vec<ContactLoad>,
    wall_loads: [ContactLoad; 4],
    touching: Vec<(BodyId, Touched)>,
    warm_start: Vec<(ContactKey, [f64; 2])>,
}

impl BeforeContact {
    pub(super) fn of(world: &World) -> Self {
        let mut before = Self::default();
        before.store(world);
        before
    }

    pub(super) fn store(&mut self, world: &World) {
        self.motions.clone_from(&world.bodies.motions);
        self.loads.clone_from(&world.bodies.contact_loads);
        self.wall_loads = world.wall_loads;
        self.touching.clone_from(&world.touching);
        self.warm_start.clone_from(&world.warm_start);
    }

    pub(super) fn restore(&self, world: &mut World) {
        world.bodies.motions.clone_from(&self.motions);
        world.bodies.contact_loads.clone_from(&self.loads);
        world.wall_loads = self.wall_loads;
        world.touching.clone_from(&self.touching);
        world.warm_start.clone_from(&self.warm_start);
    }
}
