//! What contacts did in the step before: where the solver begins to look for what they do in the next, and which floes bear loads.

use banquise_geometry::Side;

use super::load::wall_of;
use super::search::Near;
use crate::body::Bodies;

/// What tells a contact from all others, from step to step: the rows of its bodies, which of the two has the vertex, and
/// the vertex. A wall has no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContactKey {
    a: u32,
    b: u32,
    is_vertex_of_b: bool,
    vertex: u32,
}

impl ContactKey {
    pub(super) fn of(near: &Near) -> Self {
        Self {
            a: near.a as u32,
            b: near
                .b
                .map_or_else(|| u32::MAX - wall_of(near) as u32, |b| b as u32),
            is_vertex_of_b: near.approach.side == Side::B,
            vertex: near.approach.vertex,
        }
    }
}

/// The impulse of a contact among those of the last step, which are in order; zero for a new one.
pub(super) fn last_impulse(last: &[(ContactKey, [f64; 2])], near: &Near) -> [f64; 2] {
    let found = last.binary_search_by_key(&ContactKey::of(near), |&(key, _)| key);
    found.map_or([0.0; 2], |position| last[position].1)
}

/// Which floes bore a load in the last step, or were struck in it. An obstacle bears what is pressed against it anywhere, and says nothing of others.
pub(super) fn find_loaded(
    last: &[(ContactKey, [f64; 2])],
    bodies: &Bodies,
    is_loaded: &mut Vec<bool>,
) {
    is_loaded.clear();
    is_loaded.resize(bodies.len(), false);
    for (key, _) in last.iter().filter(|(_, impulse)| impulse[0] > 0.0) {
        for row in [key.a as usize, key.b as usize] {
            // A wall has no row, and the bodies may be others.
            if row < bodies.len() && bodies.is_floe(row) {
                is_loaded[row] = true;
            }
        }
    }
}
