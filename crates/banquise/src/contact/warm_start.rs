//! Impulses of the step before: where the solver starts, and which floes bear loads.

use banquise_geometry::Side;

use super::search::Near;
use super::touching::touching_pair;
use crate::body::Bodies;
use crate::contact_state::{ContactKey, Touched};
use crate::id::BodyId;

/// The key of a contact, given the ids of all rows.
pub(super) fn contact_key(ids: &[BodyId], near: &Near) -> ContactKey {
    let (body, other) = touching_pair(ids, near);
    ContactKey {
        body,
        other,
        is_vertex_of_other: near.approach.side == Side::B,
        vertex: near.approach.vertex,
    }
}

/// The impulse of a contact in the last step, among all of that step in the order of their keys; zero for a new contact.
pub(super) fn start_impulse(
    warm_start: &[(ContactKey, [f64; 2])],
    ids: &[BodyId],
    near: &Near,
) -> [f64; 2] {
    let key = contact_key(ids, near);
    let found = warm_start.binary_search_by_key(&key, |&(key, _)| key);
    found.map_or([0.0; 2], |position| warm_start[position].1)
}

/// Marks the floes that bore a load in the last step, or were struck in it. Obstacles are not marked: one bears what is
/// pressed against it anywhere, which says nothing of the contact at hand.
pub(super) fn find_loaded(
    warm_start: &[(ContactKey, [f64; 2])],
    bodies: &Bodies,
    is_loaded: &mut Vec<bool>,
) {
    is_loaded.clear();
    is_loaded.resize(bodies.len(), false);
    for (key, _) in warm_start.iter().filter(|(_, impulse)| impulse[0] > 0.0) {
        let other = match key.other {
            Touched::Body(id) => Some(id),
            Touched::Wall(_) => None,
        };
        for id in [Some(key.body), other].into_iter().flatten() {
            // A body may have gone since.
            if let Some(row) = bodies.row_of(id)
                && bodies.is_floe(row)
            {
                is_loaded[row] = true;
            }
        }
    }
}
