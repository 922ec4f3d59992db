//! How long a step of the laws other than Coulomb's is.

use super::candidate::ContactCandidate;
use super::place::is_distance_convex;
use super::search::{SearchScratch, speed_in};
use super::step_bound::stays_apart;
use crate::world::World;

/// Halvings of a step after which it has no length left in any case.
const HALVINGS: usize = 60;

/// The length of a step \[s\]: the one asked for, unless polygons would overlap or a body would leave what was searched. The gaps of discs are kept for any shorter one.
pub(crate) fn convex_step_length(
    world: &mut World,
    search: &SearchScratch,
    dt: f64,
    polygons: &mut Vec<ContactCandidate>,
) -> f64 {
    let (bodies, ahead) = (&world.bodies, world.rows_ahead());
    let mut length = dt;
    for (row, &margin) in search.margins.iter().enumerate() {
        let speed = speed_in(search.frame, bodies, row);
        if speed * length > margin && bodies.is_floe(row) {
            length = margin / speed;
        }
    }
    let is_of_polygons = |own: &&ContactCandidate| !is_distance_convex(bodies, own, &ahead);
    polygons.clear();
    polygons.extend(search.candidates.iter().filter(is_of_polygons));
    if length < dt {
        world.aim_spins(length);
    }
    for _ in 0..HALVINGS {
        if stays_apart(&world.bodies, polygons, length) {
            break;
        }
        length *= 0.5;
        // The chord of a shorter arc.
        world.aim_spins(length);
    }
    length
}
