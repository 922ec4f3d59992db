//! Stage 4: no two bodies may touch, for there is no contact law yet, and floes that pass through
//! each other would be a wrong result that looks like a right one.
//!
//! Bodies are swept along x by their bounding circles; only pairs of circles that overlap are
//! looked at exactly.

use banquise_geometry::{DVec2, GeometryError, Outline, Pose, Shape, distance_outline_outline};

use super::StepContext;
use crate::domain::{Domain, Rectangle};
use crate::error::StepError;
use crate::world::World;

/// The interval a bounding circle covers along x, or that of its image in the next cell.
#[derive(Debug, Clone, Copy)]
struct Interval {
    from: f64,
    to: f64,
    row: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct SeparationScratch {
    intervals: Vec<Interval>,
}

/// Refuses the state when two bodies touch, or one touches a wall.
pub(super) fn separation(
    context: &StepContext<'_>,
    world: &World,
    scratch: &mut SeparationScratch,
) -> Result<(), StepError> {
    let (step, time) = (context.step, context.time);
    if let Some((first, second)) = touching_pair(world, scratch) {
        let ids = world.bodies.ids();
        let start = world.bodies.motions[first].pose.position;
        let point = start + 0.5 * between(world, first, second);
        let (first, second) = (ids[first], ids[second]);
        return Err(StepError::Touching {
            step,
            time,
            first,
            second,
            point,
        });
    }
    if let Some(row) = row_at_wall(world) {
        return Err(StepError::AtWall {
            step,
            time,
            body: world.bodies.ids()[row],
        });
    }
    Ok(())
}

/// The first pair of rows that touch, smaller row first.
pub(super) fn touching_pair(
    world: &World,
    scratch: &mut SeparationScratch,
) -> Option<(usize, usize)> {
    fill_intervals(world, &mut scratch.intervals);
    let intervals = &scratch.intervals;
    for (index, left) in intervals.iter().enumerate() {
        let overlapping = intervals[index + 1..]
            .iter()
            .take_while(|right| right.from <= left.to);
        for right in overlapping {
            let (first, second) = (left.row.min(right.row), left.row.max(right.row));
            let one_moves = world.bodies.is_floe(first) || world.bodies.is_floe(second);
            if first != second && one_moves && touch(world, first, second) {
                return Some((first, second));
            }
        }
    }
    None
}

/// The first floe that reaches over a wall.
pub(super) fn row_at_wall(world: &World) -> Option<usize> {
    let Domain::Walls(rectangle) = world.domain else {
        return None;
    };
    world
        .floe_rows()
        .find(|&row| reaches_out(world, row, rectangle))
}

fn fill_intervals(world: &World, intervals: &mut Vec<Interval>) {
    let bodies = &world.bodies;
    intervals.clear();
    for row in 0..bodies.len() {
        let (x, radius) = (bodies.motions[row].pose.position.x, bodies.radii[row]);
        intervals.push(Interval {
            from: x - radius,
            to: x + radius,
            row,
        });
        if let Domain::Periodic(cell) = world.domain {
            let width = cell.size().x;
            if x - radius < cell.min.x {
                intervals.push(Interval {
                    from: x - radius + width,
                    to: x + radius + width,
                    row,
                });
            }
            if x + radius > cell.max.x {
                intervals.push(Interval {
                    from: x - radius - width,
                    to: x + radius - width,
                    row,
                });
            }
        }
    }
    intervals.sort_unstable_by(|a, b| a.from.total_cmp(&b.from).then(a.row.cmp(&b.row)));
}

/// From the centre of one body to the nearest image of the other's \[m\].
fn between(world: &World, first: usize, second: usize) -> DVec2 {
    let motions = &world.bodies.motions;
    let difference = motions[second].pose.position - motions[first].pose.position;
    world.domain.nearest_image(difference)
}

fn touch(world: &World, first: usize, second: usize) -> bool {
    let bodies = &world.bodies;
    let apart = between(world, first, second);
    if apart.length() > bodies.radii[first] + bodies.radii[second] {
        return false;
    }
    let at = |row: usize, position: DVec2| Pose {
        position,
        ..bodies.motions[row].pose
    };
    let (pose, other_pose) = (at(first, DVec2::ZERO), at(second, apart));
    match (&bodies.shapes()[first], &bodies.shapes()[second]) {
        (Shape::Disc(a), Shape::Disc(b)) => {
            let centers = other_pose.world_from_body(b.center()) - pose.world_from_body(a.center());
            centers.length() <= a.radius() + b.radius()
        }
        (Shape::Disc(disc), Shape::Outline(outline)) => {
            let center = other_pose.body_from_world(pose.world_from_body(disc.center()));
            outline.distance_to_point(center) <= disc.radius()
        }
        (Shape::Outline(outline), Shape::Disc(disc)) => {
            let center = pose.body_from_world(other_pose.world_from_body(disc.center()));
            outline.distance_to_point(center) <= disc.radius()
        }
        (Shape::Outline(a), Shape::Outline(b)) => {
            // An outline that rounding spoils in its place cannot be shown to be apart.
            match (placed(a, pose), placed(b, other_pose)) {
                (Ok(a), Ok(b)) => distance_outline_outline(&a, &b) <= 0.0,
                _ => true,
            }
        }
    }
}

fn placed(outline: &Outline, pose: Pose) -> Result<Outline, GeometryError> {
    outline.rotated(pose.rotation)?.translated(pose.position)
}

fn reaches_out(world: &World, row: usize, walls: Rectangle) -> bool {
    let pose = world.bodies.motions[row].pose;
    let inside =
        |low: DVec2, high: DVec2| low.cmpgt(walls.min).all() && high.cmplt(walls.max).all();
    match &world.bodies.shapes()[row] {
        Shape::Disc(disc) => {
            let center = pose.world_from_body(disc.center());
            !inside(center - disc.radius(), center + disc.radius())
        }
        Shape::Outline(outline) => {
            let mut vertices = outline.vertices().iter().map(|&v| pose.world_from_body(v));
            !vertices.all(|vertex| inside(vertex, vertex))
        }
    }
}
