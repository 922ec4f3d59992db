//! Impulses of the last step: the warm start of the solver, and the floes that bear loads.

use banquise_geometry::Side;

use super::candidate::ContactCandidate;
use crate::body::Bodies;
use crate::contact_state::{ContactKey, Touched};
use crate::id::BodyId;

/// The key of a contact, given the ids of all rows.
pub(super) fn contact_key(ids: &[BodyId], candidate: &ContactCandidate) -> ContactKey {
    let (body, other) = candidate.touching_pair(ids);
    let is_vertex_of_other = candidate.approach.side == Side::B;
    ContactKey::new(body, other, candidate.approach.vertex, is_vertex_of_other)
}

/// The impulse of a contact in the last step, among all of that step in the order of their keys; zero for a new contact.
pub(super) fn start_impulse(
    warm_start: &[(ContactKey, [f64; 2])],
    ids: &[BodyId],
    candidate: &ContactCandidate,
) -> [f64; 2] {
    let key = contact_key(ids, candidate);
    let found = warm_start.binary_search_by_key(&key, |&(key, _)| key);
    found.map_or([0.0; 2], |position| warm_start[position].1)
}

/// Collects the impulses of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct ImpulseRecord {
    /// Key, number in the order of solution, and impulse of each contact.
    impulses: Vec<(ContactKey, usize, [f64; 2])>,
}

impl ImpulseRecord {
    pub(super) fn clear(&mut self) {
        self.impulses.clear();
    }

    pub(super) fn add(&mut self, ids: &[BodyId], candidate: &ContactCandidate, impulse: [f64; 2]) {
        let number = self.impulses.len();
        self.impulses
            .push((contact_key(ids, candidate), number, impulse));
    }

    /// Stores them for the next step; of a contact that was solved more than once, the last impulse.
    pub(super) fn store(&mut self, warm_start: &mut Vec<(ContactKey, [f64; 2])>) {
        self.impulses
            .sort_unstable_by_key(|&(key, number, _)| (key, number));
        warm_start.clear();
        for same in self.impulses.chunk_by(|x, y| x.0 == y.0) {
            let (key, _, impulse) = same[same.len() - 1];
            warm_start.push((key, impulse));
        }
    }
}

/// Marks the floes that bore a load in the last step, or were struck in it. Obstacles are not marked: a load anywhere on an
/// obstacle says nothing about a contact elsewhere on it.
pub(super) fn find_loaded(
    warm_start: &[(ContactKey, [f64; 2])],
    bodies: &Bodies,
    is_loaded: &mut Vec<bool>,
) {
    is_loaded.clear();
    is_loaded.resize(bodies.len(), false);
    for (key, _) in warm_start.iter().filter(|(_, impulse)| impulse[0] > 0.0) {
        let other = match key.other() {
            Touched::Body(id) => Some(id),
            Touched::Wall(_) => None,
        };
        for id in [Some(key.body()), other].into_iter().flatten() {
            // A body may have been removed since.
            if let Some(row) = bodies.row_of(id)
                && bodies.is_floe(row)
            {
                is_loaded[row] = true;
            }
        }
    }
}
