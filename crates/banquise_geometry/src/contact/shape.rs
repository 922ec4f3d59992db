//! A shape prepared for contact queries.

use crate::predicates::{Orientation, orientation};
use crate::{Aabb, Bvh, Circle, DVec2, Outline, Pose, Rotation, Shape};

/// A shape with its edges and normals, computed once for contact queries.
#[derive(Clone, Debug)]
pub struct ContactShape {
    /// None for a disc, whose rim is the circle.
    pub(super) corners: Vec<Corner>,
    pub(super) circle: Circle,
    pub(super) aabb: Aabb,
    radius: f64,
    pub(super) is_convex: bool,
    /// The boxes of the edges, for outlines with so many that going through all of them is slow.
    pub(super) edge_boxes: Option<Bvh>,
}

/// Outlines with more edges have a hierarchy of their boxes. A coast has thousands; a floe with a few dozen
/// is quicker without.
const MANY_EDGES: usize = 64;

/// A vertex and the edge that starts there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: DVec2,
    /// Where the edge ends \[m\].
    pub(super) end: DVec2,
    /// Unit vector along the edge.
    pub(super) direction: DVec2,
    pub(super) length: f64,
    pub(super) is_convex: bool,
}

impl Corner {
    /// Unit normal of the edge, out of the shape.
    pub(super) fn normal(&self) -> DVec2 {
        -self.direction.perp()
    }

    /// The box round the edge.
    pub(super) fn aabb(&self) -> Aabb {
        Aabb::of_points([self.point, self.end])
    }

    /// Whether the way from one point to another enters the shape through this edge. It may start
    /// on the edge; ends within `slack` of the line of the edge do not count as inside, nor do
    /// starts at the ends of the edge.
    pub(super) fn is_entered(&self, (from, to): (DVec2, DVec2), slack: f64) -> bool {
        let height = |point: DVec2| (point - self.point).dot(self.normal());
        let (before, after) = (height(from), height(to));
        if before < -slack || after >= -slack {
            return false;
        }
        let margin = if before <= slack { slack } else { 0.0 };
        let before = before.max(0.0);
        let crossing = from + before / (before - after) * (to - from);
        let along = (crossing - self.point).dot(self.direction);
        along >= margin && along <= self.length - margin
    }

    /// Whether the edge crosses the half-line from `origin` along `ray`, a unit vector.
    pub(super) fn crosses(&self, origin: DVec2, ray: DVec2) -> bool {
        let (a, b) = (self.point - origin, self.end - origin);
        let (left_a, left_b) = (ray.perp_dot(a), ray.perp_dot(b));
        // The edge crosses the line; it does so on the side of the ray if, going up, it has the
        // origin on its left.
        let is_on_left = (b - a).perp_dot(-a) > 0.0;
        (left_a > 0.0) != (left_b > 0.0) && is_on_left == (left_b > left_a)
    }
}

impl ContactShape {
    /// Prepares a shape.
    pub fn new(shape: &Shape) -> Self {
        let corners = match shape {
            Shape::Outline(outline) => corners_of(outline),
            Shape::Disc(_) => Vec::new(),
        };
        let at_origin = Pose {
            position: DVec2::ZERO,
            rotation: Rotation::IDENTITY,
        };
        Self {
            is_convex: corners.iter().all(|corner| corner.is_convex),
            edge_boxes: edge_boxes_of(&corners),
            corners,
            circle: shape.enclosing_circle(),
            aabb: Aabb::of_shape(shape, at_origin),
            radius: shape.bounding_radius(),
        }
    }

    /// Memory of the shape \[bytes\].
    pub fn memory(&self) -> usize {
        let boxes = self.edge_boxes.as_ref().map_or(0, Bvh::memory);
        size_of::<Self>() + size_of_val(&self.corners[..]) + boxes
    }

    /// Largest distance from the origin of the body frame to a point of the shape \[m\].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Number of vertices; a disc has one, its centre.
    pub fn vertex_count(&self) -> usize {
        self.corners.len().max(1)
    }

    /// Whether this is a true disc.
    pub fn is_disc(&self) -> bool {
        self.corners.is_empty()
    }

    /// The smallest box round the shape in its place, as [`Aabb::of_shape`].
    pub fn aabb(&self, pose: Pose) -> Aabb {
        let vertices = (0..self.vertex_count()).map(|k| pose.world_from_body(self.vertex(k)));
        Aabb::of_points(vertices).grown(self.vertex_radius())
    }

    /// A vertex, or the centre of a disc \[m\].
    pub fn vertex(&self, index: usize) -> DVec2 {
        self.corners
            .get(index)
            .map_or(self.circle.center, |c| c.point)
    }

    /// Radius round each vertex: zero, or the radius of a disc \[m\].
    pub fn vertex_radius(&self) -> f64 {
        if self.is_disc() {
            self.circle.radius
        } else {
            0.0
        }
    }

    /// Calls `found` with each edge whose box may overlap this one, in no order.
    pub(super) fn visit_edges(&self, region: &Aabb, mut found: impl FnMut(usize)) {
        match &self.edge_boxes {
            Some(boxes) => boxes.visit(region, |edge| found(edge as usize)),
            None => (0..self.corners.len()).for_each(found),
        }
    }

    /// The vertex before and the edge from it, for a polygon.
    pub(super) fn previous(&self, index: usize) -> usize {
        index.checked_sub(1).unwrap_or(self.corners.len() - 1)
    }

    /// Unit vectors along the two edges that leave a vertex of a polygon: to the next vertex and
    /// to the previous one.
    pub(super) fn leaving(&self, index: usize) -> [DVec2; 2] {
        let back = -self.corners[self.previous(index)].direction;
        [self.corners[index].direction, back]
    }
}

fn edge_boxes_of(corners: &[Corner]) -> Option<Bvh> {
    (corners.len() > MANY_EDGES).then(|| {
        let boxes: Vec<Aabb> = corners.iter().map(Corner::aabb).collect();
        let mut bvh = Bvh::default();
        bvh.build(&boxes);
        bvh
    })
}

fn corners_of(outline: &Outline) -> Vec<Corner> {
    let vertices = outline.vertices();
    let before = vertices.iter().cycle().skip(vertices.len() - 1);
    let edges = before.zip(outline.edges());
    edges
        .map(|(&before, (point, next))| {
            let length = (next - point).length();
            Corner {
                point,
                end: next,
                direction: (next - point) / length,
                length,
                is_convex: orientation(before, point, next) == Orientation::CounterClockwise,
            }
        })
        .collect()
}
