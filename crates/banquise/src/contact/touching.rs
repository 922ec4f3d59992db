//! Touching pairs from step to step. A collision is counted where two bodies touch that were apart before.

use rayon::prelude::*;

use super::candidate::ContactCandidate;
use super::log::StepLog;
use crate::chunks::{SMALL_THINGS, are_worth_sharing};
use crate::contact_state::Touched;
use crate::id::BodyId;
use crate::world::World;

/// Renews the list of touching pairs, and counts those that were apart before. Pairs that touch at the start of the run do not count as collisions.
/// Pairs that touched still do while their gap is below `separated_gap` collision distances.
pub(super) fn count_collisions(
    world: &mut World,
    candidates: &[ContactCandidate],
    separated_gap: f64,
    log: &mut StepLog,
) -> u64 {
    let ids = world.bodies.ids();
    let before = &world.touching;
    let pair_of = |candidate: &ContactCandidate| candidate.touching_pair(ids);
    let touches = |candidate: &&ContactCandidate| {
        let lingers = || {
            candidate.approach.gap <= separated_gap * candidate.distance
                && before.binary_search(&pair_of(candidate)).is_ok()
        };
        candidate.is_contact() || lingers()
    };
    let mut touching = std::mem::take(&mut log.touching);
    touching.clear();
    if are_worth_sharing(candidates.len()) {
        let candidates = candidates.par_iter().with_min_len(SMALL_THINGS);
        touching.par_extend(candidates.filter(touches).map(pair_of));
    } else {
        touching.extend(candidates.iter().filter(touches).map(pair_of));
    }
    touching.sort_unstable();
    touching.dedup();
    let is_new = |pair: &&(BodyId, Touched)| before.binary_search(pair).is_err();
    let notes = log.is_on() && world.clock.step > 0;
    let mut count = 0;
    for &pair in touching.iter().filter(is_new) {
        count += 1;
        if notes {
            log.note_pair(pair);
        }
    }
    std::mem::swap(&mut world.touching, &mut touching);
    log.touching = touching;
    if world.clock.step == 0 { 0 } else { count }
}

/// Adds the pairs in contact here to the list of touching pairs, and counts those that were apart before.
pub(crate) fn note_collisions(
    world: &mut World,
    candidates: &[ContactCandidate],
    log: &mut StepLog,
) -> u64 {
    let mut count = 0;
    for candidate in candidates.iter().filter(|candidate| candidate.is_contact()) {
        let pair = candidate.touching_pair(world.bodies.ids());
        if let Err(place) = world.touching.binary_search(&pair) {
            world.touching.insert(place, pair);
            log.note_pair(pair);
            count += 1;
        }
    }
    log.mark_collisions(world.bodies.ids(), candidates);
    count
}
