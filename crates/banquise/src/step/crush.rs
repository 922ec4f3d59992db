//! Floes that were crushed within a step are cut back at its end: nothing overlaps then.
//!
//! The weaker of two floes is cut back, of two that are equally strong each by half, and obstacles never. Within a step a floe may be
//! cut by several others; it keeps its id. What is left in several pieces is several floes, and a sliver is no floe.

use banquise_geometry::{DVec2, Outline, Pose, Shape, cut_back, overlap_area, polygon_of};

use crate::contact::{CrushedPair, half_plane, placed};
use crate::id::BodyId;
use crate::world::World;

/// A remainder of a floe whose mean width is below this share of its radius is a sliver, and counts as crushed [–].
const SLIVER: f64 = 0.02;
/// A piece smaller than this share of the floe counts as crushed [–].
const SMALLEST_PIECE: f64 = 0.01;
/// Floes whose thicknesses differ by less than this share are equally strong [–].
const EQUAL_STRENGTH: f64 = 1e-9;
/// An overlap below this share of the area of a floe is rounding [–].
const OVERLAP_ROUNDING: f64 = 1e-12;

/// Cuts away the overlaps of pairs in which ice was crushed.
pub(super) fn cut_crushed(world: &mut World, crushed: &[CrushedPair]) {
    // Floes may be removed on the way, which shifts rows.
    let ids = world.bodies.ids();
    let pairs: Vec<_> = crushed
        .iter()
        .map(|pair| (*pair, ids[pair.a], pair.b.map(|b| ids[b])))
        .collect();
    for (pair, a, b) in pairs {
        match b {
            None => cut_at_wall(world, &pair, a),
            Some(b) => cut_pair(world, &pair, a, b),
        }
    }
}

fn cut_at_wall(world: &mut World, pair: &CrushedPair, id: BodyId) {
    if let Some(row) = world.bodies.row_of(id) {
        let radius = world.bodies.radii()[row];
        let beside = pair.normal.perp()
            * pair
                .normal
                .perp()
                .dot(world.bodies.motions[row].pose.position);
        let line = pair.normal * pair.normal.dot(pair.wall_point) + beside;
        let wall = half_plane(line, pair.normal, radius);
        cut(world, id, &wall, pair.gap);
    }
}

fn cut_pair(world: &mut World, pair: &CrushedPair, a: BodyId, b: BodyId) {
    let bodies = &world.bodies;
    let (Some(row_a), Some(row_b)) = (bodies.row_of(a), bodies.row_of(b)) else {
        return;
    };
    let strength = |row: usize| {
        if bodies.is_floe(row) {
            bodies.mean_thicknesses()[row]
        } else {
            f64::INFINITY
        }
    };
    let (strength_a, strength_b) = (strength(row_a), strength(row_b));
    if (strength_a - strength_b).abs() <= EQUAL_STRENGTH * strength_a.min(strength_b) {
        // Half of the depth for the one, and the remaining overlap for the other.
        let other = image_of(world, row_a, row_b, 0.5 * pair.depth * pair.normal);
        cut(world, a, &other, 0.5 * pair.gap);
        if let (Some(row_a), Some(row_b)) = (world.bodies.row_of(a), world.bodies.row_of(b)) {
            let other = image_of(world, row_b, row_a, DVec2::ZERO);
            cut(world, b, &other, pair.gap);
        }
    } else if strength_a < strength_b {
        let other = image_of(world, row_a, row_b, DVec2::ZERO);
        cut(world, a, &other, pair.gap);
    } else {
        let other = image_of(world, row_b, row_a, DVec2::ZERO);
        cut(world, b, &other, pair.gap);
    }
}

/// The vertices of the image of a body that is nearest to another, moved by an offset \[m\].
fn image_of(world: &World, near: usize, row: usize, offset: DVec2) -> Vec<DVec2> {
    let position = |row: usize| world.bodies.motions[row].pose.position;
    let arm = position(row) - position(near);
    let image = world.domain.nearest_image(arm) - arm;
    placed(&world.bodies, row, image + offset)
}

/// Cuts a floe back so that it keeps clear of a polygon by a gap \[m\].
fn cut(world: &mut World, id: BodyId, other: &[DVec2], gap: f64) {
    let Some(row) = world.bodies.row_of(id) else {
        return;
    };
    let bodies = &world.bodies;
    let Pose { position, rotation } = bodies.motions[row].pose;
    let other: Vec<DVec2> = other
        .iter()
        .map(|&point| rotation.inverse_rotate(point - position))
        .collect();
    let polygon = polygon_of(&bodies.shapes()[row]);
    let area = bodies.areas()[row];
    let pieces = cut_back(&polygon, &other, gap);
    let left: f64 = pieces.iter().map(Outline::area).sum();
    if pieces.len() == 1
        && area - left <= OVERLAP_ROUNDING * area
        && overlap_area(&polygon, &other) == 0.0
    {
        return;
    }
    let is_floe = |piece: &Outline| {
        let radius = Shape::Outline(piece.clone()).bounding_radius();
        piece.area() >= SMALLEST_PIECE * area
            && 2.0 * piece.area() >= SLIVER * radius * piece.perimeter()
    };
    world.crush(id, pieces.into_iter().filter(is_floe).collect());
}
