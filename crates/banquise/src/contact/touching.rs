//! Who touches whom, and so when two bodies meet: a collision begins when they were apart before.

use super::load::wall_of;
use super::search::Near;
use crate::body::BodyId;
use crate::world::World;

/// What a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Another body.
    Body(BodyId),
    /// A wall, by its number: west, east, south, north.
    Wall(u8),
}

/// Renews the list of who touches whom, and counts the pairs that were apart at the step before. Those
/// that touch at the start have not met.
pub(super) fn count_collisions<'a>(
    world: &mut World,
    contacts: impl Iterator<Item = &'a Near>,
    touching: &mut Vec<(BodyId, Touched)>,
) -> u64 {
    let ids = world.bodies.ids();
    touching.clear();
    touching.extend(contacts.map(|near| {
        let other = match near.b {
            Some(b) => Touched::Body(ids[b]),
            None => Touched::Wall(wall_of(near) as u8),
        };
        (ids[near.a], other)
    }));
    touching.sort_unstable();
    touching.dedup();
    let is_new = |pair: &&(BodyId, Touched)| world.touching.binary_search(pair).is_err();
    let count = touching.iter().filter(is_new).count();
    std::mem::swap(&mut world.touching, touching);
    if world.clock.step == 0 {
        0
    } else {
        count as u64
    }
}
