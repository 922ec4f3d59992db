//! Whether two shapes overlap, decided exactly and without the search of contacts.

use crate::moments::closed_pairs;
use crate::outline::flush_negligible;
use crate::predicates::{Orientation, in_box, orientation};
use crate::segment::distance_point_segment;
use crate::{Aabb, DVec2, Disc, Outline, Pose, Shape};

/// Round-off of a distance to a disc, relative to the lengths it comes from.
const DISC_ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// Whether the insides of two shapes in their places have a point in common; touching is not
/// overlap.
///
/// The vertices are put in their places relative to A, in floating point; for two polygons, the
/// rest is exact. Discs are compared with distances, and overlap by more than round-off.
pub fn shapes_overlap(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose) -> bool {
    let from_a = |pose: Pose| Pose {
        position: pose.position - pose_a.position,
        ..pose
    };
    let (pose_a, pose_b) = (from_a(pose_a), from_a(pose_b));
    if !Aabb::of_shape(a, pose_a).overlaps(&Aabb::of_shape(b, pose_b)) {
        return false;
    }
    match (a, b) {
        (Shape::Outline(a), Shape::Outline(b)) => {
            polygons_overlap(&placed(a, pose_a), &placed(b, pose_b))
        }
        (Shape::Outline(a), Shape::Disc(b)) => disc_overlaps(b, pose_b, &placed(a, pose_a)),
        (Shape::Disc(a), Shape::Outline(b)) => disc_overlaps(a, pose_a, &placed(b, pose_b)),
        (Shape::Disc(a), Shape::Disc(b)) => {
            let apart = pose_a.world_from_body(a.center()) - pose_b.world_from_body(b.center());
            apart.length() < (a.radius() + b.radius()) * (1.0 - DISC_ROUND_OFF)
        }
    }
}

fn placed(outline: &Outline, pose: Pose) -> Vec<DVec2> {
    let vertices = outline.vertices().iter();
    vertices
        .map(|&vertex| flush_negligible(pose.world_from_body(vertex)))
        .collect()
}

fn disc_overlaps(disc: &Disc, pose: Pose, polygon: &[DVec2]) -> bool {
    let center = flush_negligible(pose.world_from_body(disc.center()));
    let size = disc.radius() + center.abs().max_element();
    let limit = disc.radius() - DISC_ROUND_OFF * size;
    is_strictly_inside(center, polygon)
        || closed_pairs(polygon).any(|(a, b)| distance_point_segment(center, a, b).distance < limit)
}

/// Two simple polygons overlap if two edges cross, if at a point where they touch the corners
/// share directions into both, or, where nothing touches, if one is inside the other.
fn polygons_overlap(a: &[DVec2], b: &[DVec2]) -> bool {
    let cross = |(p, q): (DVec2, DVec2)| closed_pairs(b).any(|(r, s)| segments_cross(p, q, r, s));
    closed_pairs(a).any(cross)
        || corners_overlap(a, b)
        || corners_overlap(b, a)
        || is_strictly_inside(a[0], b)
        || is_strictly_inside(b[0], a)
}

/// Whether the segments cross at a point inside both.
fn segments_cross(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    if a.max(b).cmplt(c.min(d)).any() || c.max(d).cmplt(a.min(b)).any() {
        return false;
    }
    are_opposite(orientation(a, b, c), orientation(a, b, d))
        && are_opposite(orientation(c, d, a), orientation(c, d, b))
}

fn are_opposite(first: Orientation, second: Orientation) -> bool {
    use Orientation::{Clockwise, CounterClockwise};
    matches!(
        (first, second),
        (Clockwise, CounterClockwise) | (CounterClockwise, Clockwise)
    )
}

/// Whether at a vertex of `first` on the boundary of `second` there are directions that lead into
/// both polygons.
fn corners_overlap(first: &[DVec2], second: &[DVec2]) -> bool {
    let count = first.len();
    (0..count).any(|i| {
        let apex = first[i];
        let own = Sector {
            start: first[(i + 1) % count],
            end: first[(i + count - 1) % count],
        };
        sectors_at(apex, second).any(|other| own.overlaps(other, apex))
    })
}

/// The directions into a polygon at a point of its boundary; none at other points.
fn sectors_at(apex: DVec2, polygon: &[DVec2]) -> impl Iterator<Item = Sector> + '_ {
    let count = polygon.len();
    (0..count).filter_map(move |i| {
        let (a, b) = (polygon[i], polygon[(i + 1) % count]);
        if a == apex {
            let end = polygon[(i + count - 1) % count];
            return Some(Sector { start: b, end });
        }
        let is_on_edge =
            b != apex && in_box(apex, a, b) && orientation(a, b, apex) == Orientation::Collinear;
        is_on_edge.then_some(Sector { start: b, end: a })
    })
}

/// Directions from an apex, counter-clockwise from that of `start` to that of `end`, both left out.
#[derive(Clone, Copy)]
struct Sector {
    start: DVec2,
    end: DVec2,
}

impl Sector {
    /// Whether two sectors about the same apex have a direction in common: then one of them starts
    /// inside the other, or both start together.
    fn overlaps(self, other: Self, apex: DVec2) -> bool {
        self.holds(other.start, apex)
            || other.holds(self.start, apex)
            || is_same_direction(self.start, other.start, apex)
    }

    fn holds(self, point: DVec2, apex: DVec2) -> bool {
        use Orientation::{Clockwise, Collinear, CounterClockwise};
        let turn = |p: DVec2, q: DVec2| orientation(apex, p, q);
        match turn(self.start, self.end) {
            CounterClockwise => {
                turn(self.start, point) == CounterClockwise
                    && turn(point, self.end) == CounterClockwise
            }
            Collinear => turn(self.start, point) == CounterClockwise,
            // More than half a turn: all but the rest, border included.
            Clockwise => turn(self.end, point) == Clockwise || turn(point, self.start) == Clockwise,
        }
    }
}

fn is_same_direction(p: DVec2, q: DVec2, apex: DVec2) -> bool {
    // The sign of a difference is exact.
    let signs = |point: DVec2| {
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        (sign(point.x - apex.x), sign(point.y - apex.y))
    };
    signs(p) == signs(q) && orientation(apex, p, q) == Orientation::Collinear
}

/// Whether the point is inside the polygon and not on its boundary; exact.
fn is_strictly_inside(point: DVec2, polygon: &[DVec2]) -> bool {
    let mut winding = 0;
    for (a, b) in closed_pairs(polygon) {
        match orientation(a, b, point) {
            Orientation::Collinear if in_box(point, a, b) => return false,
            Orientation::CounterClockwise if a.y <= point.y && b.y > point.y => winding += 1,
            Orientation::Clockwise if a.y > point.y && b.y <= point.y => winding -= 1,
            _ => {}
        }
    }
    winding != 0
}
