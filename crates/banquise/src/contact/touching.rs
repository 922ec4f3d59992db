//! Touching pairs from step to step. A collision is counted where two bodies touch that were apart before.

use rayon::prelude::*;

use super::candidate::ContactCandidate;
use super::island::Island;
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
    renew(world, candidates, separated_gap, log, |candidate| {
        candidate.is_contact()
    })
}

/// Adds the pairs of an island that push each other.
pub(super) fn list_struck(
    ids: &[BodyId],
    island: &Island,
    candidates: &[ContactCandidate],
    impulses: &[[f64; 2]],
    struck: &mut Vec<(BodyId, Touched)>,
) {
    let contacts = island.candidates.iter().zip(impulses);
    let pushing = contacts.filter(|(_, impulse)| impulse[0] != 0.0);
    struck.extend(pushing.map(|(&index, _)| candidates[index as usize].touching_pair(ids)));
}

/// Like [`count_collisions`], for fixed steps that are solved: a pair that was apart touches from the step in which it passes on its first impulse. Its gap tells
/// nothing of that: bodies that would meet within the step are turned back from afar, and others come within the collision distance a step before their blow.
/// `struck` are the pairs with impulses, in any order.
pub(super) fn count_struck(
    world: &mut World,
    candidates: &[ContactCandidate],
    separated_gap: f64,
    struck: &mut Vec<(BodyId, Touched)>,
    log: &mut StepLog,
) -> u64 {
    log.touching.clear();
    log.touching.append(struck);
    let is_start = world.clock.step == 0;
    renew(world, candidates, separated_gap, log, |candidate| {
        is_start && candidate.is_contact()
    })
}

/// Renews the list of touching pairs with those that the log has, those of candidates that touch and those that linger; counts those that were apart before.
fn renew(
    world: &mut World,
    candidates: &[ContactCandidate],
    separated_gap: f64,
    log: &mut StepLog,
    touches: impl Fn(&ContactCandidate) -> bool + Sync,
) -> u64 {
    let ids = world.bodies.ids();
    let before = &world.touching;
    let pair_of = |candidate: &ContactCandidate| candidate.touching_pair(ids);
    let lingers = |candidate: &ContactCandidate| {
        candidate.approach.gap <= separated_gap * candidate.distance
            && before.binary_search(&pair_of(candidate)).is_ok()
    };
    let touches = |candidate: &&ContactCandidate| touches(candidate) || lingers(candidate);
    let mut touching = std::mem::take(&mut log.touching);
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
    touching.clear();
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
