//! Exact test for overlapping bodies, with which no run may start; independent of the search.

use banquise_geometry::{Aabb, Bvh, DVec2, PeriodicPair, Pose, Shape, shapes_overlap};

use crate::domain::Domain;
use crate::world::World;

/// Two bodies that should be apart, or a body and a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// The bodies in these rows overlap.
    Bodies(usize, usize),
    /// The body in this row reaches over a wall of the domain.
    Wall(usize),
}

/// The first overlap found in the world as it stands. Bodies that only touch do not overlap.
pub fn first_meeting(world: &World) -> Option<Meeting> {
    first_meeting_beyond(world, 0.0)
}

/// Whether two bodies that overlap are apart once the second is moved away from the first by a billionth of their sizes: rounding of their places.
pub fn overlaps_by_rounding(world: &World, first: usize, second: usize) -> bool {
    let bodies = &world.bodies;
    let [own, other] = [first, second].map(|row| bodies.motions[row].pose);
    let size = bodies.radii[first] + bodies.radii[second];
    let away = (other.position - own.position).normalize_or_zero();
    let moved = Pose {
        position: other.position + 1e-9 * size * away,
        ..other
    };
    let shapes = bodies.shapes();
    !shapes_overlap(&shapes[first], own, &shapes[second], moved)
}

/// The first overlap of bodies whose discs are smaller by a share of their radii [–]: with the laws other than Coulomb's, discs that touch may overlap by the
/// tolerance of the solver.
pub fn first_meeting_beyond(world: &World, share: f64) -> Option<Meeting> {
    let bodies = &world.bodies;
    let smaller = |shape: &Shape| match shape {
        Shape::Disc(disc) if share > 0.0 => Some(Shape::Disc(disc.shrunk_by(share))),
        _ => None,
    };
    let smaller: Vec<Option<Shape>> = bodies.shapes().iter().map(smaller).collect();
    let boxes: Vec<Aabb> = (0..bodies.len())
        .map(|row| {
            let aabb = bodies.contact_shapes[row].aabb(bodies.motions[row].pose);
            let is_smaller = smaller[row].is_some();
            let inset = if is_smaller {
                share * bodies.radii[row]
            } else {
                0.0
            };
            Aabb {
                min: aabb.min + inset,
                max: aabb.max - inset,
            }
        })
        .collect();
    let mut bvh = Bvh::default();
    bvh.build(&boxes);
    let overlap = |a: usize, b: usize, offset: DVec2| {
        let pose_b = bodies.motions[b].pose;
        let pose_b = Pose {
            position: pose_b.position + offset,
            ..pose_b
        };
        let one_moves = bodies.is_floe(a) || bodies.is_floe(b);
        let shape_of = |row: usize| smaller[row].as_ref().unwrap_or(&bodies.shapes()[row]);
        let (shape_a, shape_b) = (shape_of(a), shape_of(b));
        one_moves && shapes_overlap(shape_a, bodies.motions[a].pose, shape_b, pose_b)
    };
    let mut periodic = Vec::new();
    if let Domain::Periodic(cell) = world.domain {
        bvh.pairs_periodic(cell.size(), &mut periodic);
    } else {
        let mut pairs = Vec::new();
        bvh.pairs(&mut pairs);
        let offset = DVec2::ZERO;
        periodic.extend(
            pairs
                .into_iter()
                .map(|(a, b)| PeriodicPair { a, b, offset }),
        );
    }
    let met = periodic
        .iter()
        .map(|pair| (pair.a as usize, pair.b as usize, pair.offset))
        .find(|&(a, b, offset)| overlap(a, b, offset));
    if let Some((a, b, _)) = met {
        return Some(Meeting::Bodies(a, b));
    }
    let Domain::Bounded(bounds) = world.domain else {
        return None;
    };
    world
        .floe_rows()
        .find(|&row| bounds.is_wall_crossed_by(&boxes[row]))
        .map(Meeting::Wall)
}
