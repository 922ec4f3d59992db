//! Who touches whom, and so when two bodies meet: a collision begins when they were apart before.

use rayon::prelude::*;

use super::load::wall_of;
use super::search::Near;
use crate::chunks::{SMALL_THINGS, are_worth_sharing};
use crate::contact_state::Touched;
use crate::id::BodyId;
use crate::world::World;

/// Bodies that touched still do, for the count of collisions, while their gap is below this many collision distances: a
/// floe that trembles at the edge of the zone of contact has not parted.
const PARTED: f64 = 2.0;

/// Renews the list of who touches whom, and counts the pairs that were apart before. Those that touch at the start
/// have not met.
pub(super) fn count_collisions(
    world: &mut World,
    near: &[Near],
    touching: &mut Vec<(BodyId, Touched)>,
) -> u64 {
    let ids = world.bodies.ids();
    let before = &world.touching;
    let pair_of = |near: &Near| touching_pair(ids, near);
    let touches = |near: &&Near| {
        let lingers = || {
            near.approach.gap <= PARTED * near.distance
                && before.binary_search(&pair_of(near)).is_ok()
        };
        near.is_contact() || lingers()
    };
    touching.clear();
    if are_worth_sharing(near.len()) {
        let near = near.par_iter().with_min_len(SMALL_THINGS);
        touching.par_extend(near.filter(touches).map(pair_of));
    } else {
        touching.extend(near.iter().filter(touches).map(pair_of));
    }
    touching.sort_unstable();
    touching.dedup();
    let is_new = |pair: &&(BodyId, Touched)| before.binary_search(pair).is_err();
    let count = touching.iter().filter(is_new).count();
    std::mem::swap(&mut world.touching, touching);
    if world.clock.step == 0 {
        0
    } else {
        count as u64
    }
}

/// The two bodies, or the body and the wall, of a contact candidate.
pub(super) fn touching_pair(ids: &[BodyId], near: &Near) -> (BodyId, Touched) {
    let other = match near.b {
        Some(b) => Touched::Body(ids[b]),
        None => Touched::Wall(wall_of(near) as u8),
    };
    (ids[near.a], other)
}

/// Adds the pairs in contact here to the list of who touches whom, and counts those that were apart before.
pub(crate) fn note_collisions(world: &mut World, near: &[Near]) -> u64 {
    let mut count = 0;
    for near in near.iter().filter(|near| near.is_contact()) {
        let pair = touching_pair(world.bodies.ids(), near);
        if let Err(place) = world.touching.binary_search(&pair) {
            world.touching.insert(place, pair);
            count += 1;
        }
    }
    count
}
