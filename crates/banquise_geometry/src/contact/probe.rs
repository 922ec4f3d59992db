//! One half of the search: the vertices of one shape, the guest, against the other, the host.
//!
//! Everything happens in the body frame of the host, where its edges and normals are ready.

use super::features::{Few, NearFeatures};
use super::shape::ContactShape;
use super::view::{Shortlist, View};
use super::{Approach, Feature, Side, verdict};
use crate::{Aabb, DVec2, Pose, Rotation};

/// The search for one side of the pair.
pub(super) struct Probe<'a> {
    pub(super) side: Side,
    pub(super) guest: &'a ContactShape,
    pub(super) host: &'a ContactShape,
    /// From the body frame of the guest to that of the host.
    pub(super) guest_pose: Pose,
    host_pose: Pose,
    /// How far to look \[m\], round-off included.
    pub(super) limit: f64,
    pub(super) slack: f64,
}

/// A vertex of the guest, in the frame of the host.
#[derive(Clone, Copy)]
pub(super) struct Visitor {
    pub(super) index: usize,
    pub(super) point: DVec2,
    /// Of a disc, else zero \[m\].
    pub(super) radius: f64,
}

/// What of the guest and of the host may be within reach of each other.
struct Surroundings {
    /// Vertices of the guest.
    visitors: Shortlist,
    /// Edges of the host, with those that rays cross where it has few.
    edges: Shortlist,
    /// A direction out of the host.
    ray: DVec2,
}

/// The part of the host's boundary nearest to a point.
#[derive(Clone, Copy)]
struct Nearest {
    edge: usize,
    view: View,
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        side: Side,
        (guest, guest_pose): (&'a ContactShape, Pose),
        (host, host_pose): (&'a ContactShape, Pose),
        reach: f64,
        slack: f64,
    ) -> Self {
        let (g, h) = (guest_pose.rotation, host_pose.rotation);
        let rotation = Rotation {
            cos: h.cos * g.cos + h.sin * g.sin,
            sin: h.cos * g.sin - h.sin * g.cos,
        };
        Self {
            side,
            guest,
            host,
            guest_pose: Pose {
                position: host_pose.body_from_world(guest_pose.position),
                rotation,
            },
            host_pose,
            limit: reach + slack,
            slack,
        }
    }

    /// The same with another reach, round-off included \[m\].
    pub(super) fn reaching(&self, limit: f64) -> Self {
        Self { limit, ..*self }
    }

    /// Whether the circles round the shapes are farther apart than the reach.
    pub(super) fn is_far(&self) -> bool {
        let (guest, host) = (self.guest.circle, self.host.circle);
        let apart = self.guest_pose.world_from_body(guest.center) - host.center;
        apart.length() > guest.radius + host.radius + self.limit
    }

    /// Adds all approaches of the guest's vertices, in the axes of the world.
    pub(super) fn run(&self, out: &mut Vec<Approach>) {
        let Surroundings {
            visitors,
            edges,
            ray,
        } = self.surroundings();
        let (visitors, edges) = (visitors.as_slice(), edges.as_slice());
        if !self.are_far_outside(visitors, edges, ray) {
            self.visit(visitors, edges, Some(ray), out);
        }
    }

    /// The same among features that hold.
    pub(super) fn run_among(&self, features: &NearFeatures, out: &mut Vec<Approach>) {
        let (visitors, edges) = features.of_side(self.side);
        let ((visitors, visitor_count), (edges, edge_count)) = (visitors.items(), edges.items());
        self.visit(&visitors[..visitor_count], &edges[..edge_count], None, out);
    }

    /// Adds the approaches of some vertices to some edges, which are all that matter. The ray is out of the host, for vertices that may be so deep
    /// inside it that no edge is within reach.
    fn visit(&self, visitors: &[u32], edges: &[u32], ray: Option<DVec2>, out: &mut Vec<Approach>) {
        let start = out.len();
        for index in visitors.iter().map(|&index| index as usize) {
            let visitor = self.visitor(index);
            if self.host.is_disc() {
                self.visit_disc(visitor, out);
            } else {
                self.visit_polygon(visitor, edges, ray, out);
            }
        }
        for approach in &mut out[start..] {
            approach.point_a = self.host_pose.world_from_body(approach.point_a);
            approach.point_b = self.host_pose.world_from_body(approach.point_b);
            approach.normal = self.host_pose.rotation.rotate(approach.normal);
        }
    }

    /// What of the guest and of the host may be within reach of each other, by boxes.
    fn surroundings(&self) -> Surroundings {
        let margin = self.limit + self.guest.vertex_radius();
        let region = self.host.aabb.grown(margin);
        let (visitors, around) = self.visitors_within(&region);
        let around = around.grown(margin);
        let (ray_region, ray) = self.towards_outside(around);
        // The edges that rays can cross are many for a coast, and seldom needed.
        let edges = self.edges_within(if self.host.edge_boxes.is_some() {
            &around
        } else {
            &ray_region
        });
        Surroundings {
            visitors,
            edges,
            ray,
        }
    }

    /// The vertices of the guest within reach of the host, and the edges of the host within reach of them. None if one
    /// is inside the host, or if they are many.
    pub(super) fn near_features(&self) -> Option<(Few, Few)> {
        let Surroundings {
            visitors,
            edges,
            ray,
        } = self.surroundings();
        let edges = edges.as_slice();
        let (mut near_visitors, mut near_edges) = (Few::default(), Few::default());
        for &index in visitors.as_slice() {
            let visitor = self.visitor(index as usize);
            let is_seen = |&edge: &u32| self.view_within_reach(edge as usize, visitor).is_some();
            let is_near = if self.host.is_disc() {
                self.gap_of_disc(visitor) <= self.limit
            } else if self.is_inside_host(visitor.point, edges, ray) {
                return None;
            } else {
                edges.iter().any(is_seen)
            };
            if is_near {
                near_visitors.push(index)?;
            }
        }
        let (visitors, count) = near_visitors.items();
        for &edge in edges {
            let sees = |&index: &u32| {
                let visitor = self.visitor(index as usize);
                self.view_within_reach(edge as usize, visitor).is_some()
            };
            if visitors[..count].iter().any(sees) {
                near_edges.push(edge)?;
            }
        }
        Some((near_visitors, near_edges))
    }

    fn visitor(&self, index: usize) -> Visitor {
        Visitor {
            index,
            point: self.guest_pose.world_from_body(self.guest.vertex(index)),
            radius: self.guest.vertex_radius(),
        }
    }

    /// The vertices of the guest inside a box, in order, and the box round them.
    fn visitors_within(&self, region: &Aabb) -> (Shortlist, Aabb) {
        let mut visitors = Shortlist::new();
        let mut around = Aabb::EMPTY;
        let mut add = |index: usize| {
            let point = self.guest_pose.world_from_body(self.guest.vertex(index));
            if region.contains(point) {
                visitors.push(index);
                around = around.union(&Aabb::of_points([point]));
            }
        };
        if self.guest.edge_boxes.is_some() {
            // A vertex is in the box of the edge that starts there.
            let corners = [
                region.min,
                region.max,
                DVec2::new(region.min.x, region.max.y),
                DVec2::new(region.max.x, region.min.y),
            ];
            let corners = corners.map(|corner| self.guest_pose.body_from_world(corner));
            let turned = Aabb::of_points(corners).grown(self.slack);
            self.guest.visit_edges(&turned, add);
            visitors.sort();
        } else {
            (0..self.guest.vertex_count()).for_each(&mut add);
        }
        (visitors, around)
    }

    /// Whether the visitors are so far from the boundary of a host with many edges that they are all on
    /// the same side of it, outside.
    fn are_far_outside(&self, visitors: &[u32], edges: &[u32], ray: DVec2) -> bool {
        if self.host.edge_boxes.is_none() || !edges.is_empty() {
            return false;
        }
        visitors.first().is_none_or(|&index| {
            let vertex = self.guest.vertex(index as usize);
            let point = self.guest_pose.world_from_body(vertex);
            !self.is_inside_host(point, edges, ray)
        })
    }

    /// Whether a point away from the boundary of the host is inside it: the ray from there crosses the
    /// boundary an odd number of times.
    fn is_inside_host(&self, point: DVec2, edges: &[u32], ray: DVec2) -> bool {
        if !self.host.aabb.contains(point) {
            return false;
        }
        let is_crossed = |edge: usize| self.host.corners[edge].crosses(point, ray);
        if self.host.edge_boxes.is_none() {
            let crossed = edges.iter().filter(|&&edge| is_crossed(edge as usize));
            return crossed.count() % 2 == 1;
        }
        let host = self.host.aabb;
        let end = DVec2::select(ray.cmpgt(DVec2::ZERO), host.max, host.min);
        let along = Aabb::of_points([point, DVec2::select(ray.cmpeq(DVec2::ZERO), point, end)]);
        let mut is_inside = false;
        self.host
            .visit_edges(&along, |edge| is_inside ^= is_crossed(edge));
        is_inside
    }

    /// The region stretched to the nearest side of the host's box, and the direction to there: it
    /// then holds all the edges that rays in this direction from inside it can cross.
    fn towards_outside(&self, region: Aabb) -> (Aabb, DVec2) {
        let host = self.host.aabb;
        let (up, down) = (host.max - region.max, region.min - host.min);
        let least = up.min_element().min(down.min_element());
        let mut region = region;
        let ray = if up.x <= least {
            region.max.x = region.max.x.max(host.max.x);
            DVec2::X
        } else if down.x <= least {
            region.min.x = region.min.x.min(host.min.x);
            DVec2::NEG_X
        } else if up.y <= least {
            region.max.y = region.max.y.max(host.max.y);
            DVec2::Y
        } else {
            region.min.y = region.min.y.min(host.min.y);
            DVec2::NEG_Y
        };
        (region, ray)
    }

    /// An edge seen from the visitor, if its gap is within reach.
    pub(super) fn view_within_reach(&self, edge: usize, visitor: Visitor) -> Option<View> {
        let corner = &self.host.corners[edge];
        let margin = self.limit + visitor.radius;
        // Most edges are refused here, before any square root.
        let from_start = visitor.point - corner.point;
        let (along, height) = (
            from_start.dot(corner.direction),
            from_start.dot(corner.normal()),
        );
        if height.abs() > margin || along < -margin || along > corner.length + margin {
            return None;
        }
        let view = View::new(corner, visitor.point);
        (view.distance <= margin).then_some(view)
    }

    fn edges_within(&self, region: &Aabb) -> Shortlist {
        let mut edges = Shortlist::new();
        self.host.visit_edges(region, |index| {
            if region.overlaps(&self.host.corners[index].aabb()) {
                edges.push(index);
            }
        });
        if self.host.edge_boxes.is_some() {
            edges.sort();
        }
        edges
    }

    /// Unit vectors along the edges that leave a vertex of a polygonal guest.
    pub(super) fn guest_leaving(&self, index: usize) -> [DVec2; 2] {
        let rotation = self.guest_pose.rotation;
        self.guest
            .leaving(index)
            .map(|along| rotation.rotate(along))
    }

    /// From a disc that is the host.
    fn gap_of_disc(&self, visitor: Visitor) -> f64 {
        let rim = self.host.circle;
        (visitor.point - rim.center).length() - rim.radius - visitor.radius
    }

    fn visit_disc(&self, visitor: Visitor, out: &mut Vec<Approach>) {
        let rim = self.host.circle;
        let normal = (visitor.point - rim.center)
            .try_normalize()
            .unwrap_or(DVec2::X);
        let foot = rim.center + rim.radius * normal;
        let gap = self.gap_of_disc(visitor);
        if gap <= self.limit {
            let approach = self.approach(visitor, Feature::Rim, (foot, normal), gap);
            // The disc itself reports the contact; of two discs, A.
            let is_contact = self.guest.is_disc();
            out.push(Approach {
                is_contact,
                ..approach
            });
        }
    }

    fn visit_polygon(
        &self,
        visitor: Visitor,
        edges: &[u32],
        ray: Option<DVec2>,
        out: &mut Vec<Approach>,
    ) {
        let start = out.len();
        let mut nearest: Option<Nearest> = None;
        let mut coincident = None;
        for edge in edges.iter().map(|&edge| edge as usize) {
            let Some(view) = self.view_within_reach(edge, visitor) else {
                continue;
            };
            if nearest.is_none_or(|best| view.distance < best.view.distance) {
                nearest = Some(Nearest { edge, view });
            }
            if view.is_over {
                self.push_edge(visitor, edge, view, out);
            } else if view.along <= 0.0 {
                self.push_vertex(visitor, edge, out);
            }
            let from_start = visitor.point - self.host.corners[edge].point;
            if from_start.length_squared() <= self.slack * self.slack {
                coincident = Some(edge);
            }
        }
        let nearest = nearest.or_else(|| self.nearest_from_deep_inside(visitor, edges, ray?));
        let Some(nearest) = nearest else { return };
        match coincident {
            Some(vertex) => verdict::replace_at_vertex(self, visitor, vertex, start, out),
            None => self.complete(visitor, nearest, start, out),
        }
        verdict::judge(self, visitor, edges, &mut out[start..]);
    }

    /// An edge with the point in front of it, or behind by round-off in a bay.
    fn push_edge(&self, visitor: Visitor, edge: usize, view: View, out: &mut Vec<Approach>) {
        let corners = &self.host.corners;
        let previous = &corners[self.host.previous(edge)];
        if view.height <= 0.0 {
            let is_first_half = 2.0 * view.along < corners[edge].length;
            let next = if edge + 1 == corners.len() {
                0
            } else {
                edge + 1
            };
            let nearer_end = if is_first_half { edge } else { next };
            if view.height < -self.slack || corners[nearer_end].is_convex {
                return;
            }
        } else if corners[edge].is_convex {
            // Where two edges are almost in line, round-off can put a point in front of both.
            let before = View::new(previous, visitor.point);
            if before.is_over && before.height > 0.0 {
                return;
            }
        }
        out.push(self.edge_approach(visitor, edge, view));
    }

    /// The vertex at the start of an edge, if its normal cone holds the point.
    fn push_vertex(&self, visitor: Visitor, vertex: usize, out: &mut Vec<Approach>) {
        let corner = &self.host.corners[vertex];
        let previous = &self.host.corners[self.host.previous(vertex)];
        let is_past_previous = View::new(previous, visitor.point).along >= previous.length;
        if !(corner.is_convex && is_past_previous) {
            return;
        }
        let normal = verdict::normal_at_vertex(self, visitor, vertex);
        let foot = (corner.point, normal);
        let gap = (visitor.point - corner.point).dot(normal) - visitor.radius;
        out.push(self.approach(visitor, Feature::Vertex(vertex as u32), foot, gap));
    }

    /// The nearest edge of the host from a point inside it, beyond the reach of any edge.
    fn nearest_from_deep_inside(
        &self,
        visitor: Visitor,
        edges: &[u32],
        ray: DVec2,
    ) -> Option<Nearest> {
        let point = visitor.point;
        if !self.is_inside_host(point, edges, ray) {
            return None;
        }
        let views = self.host.corners.iter().map(|edge| View::new(edge, point));
        let nearest = views
            .enumerate()
            .min_by(|(_, v), (_, w)| v.distance.total_cmp(&w.distance));
        nearest.map(|(edge, view)| Nearest { edge, view })
    }

    /// Adds the nearest edge if the point is behind it, or if the nearest place is a reflex
    /// vertex: seen from inside, or from outside by round-off where two edges are almost in line.
    fn complete(&self, visitor: Visitor, nearest: Nearest, start: usize, out: &mut Vec<Approach>) {
        let Nearest { edge, view } = nearest;
        let corners = &self.host.corners;
        let is_listed = |edge: usize, out: &[Approach]| {
            let feature = Feature::Edge(edge as u32);
            out[start..]
                .iter()
                .any(|approach| approach.feature == feature)
        };
        if view.is_over {
            if view.height <= 0.0 && !is_listed(edge, out) {
                out.push(self.edge_approach(visitor, edge, view));
            }
            return;
        }
        let next = if edge + 1 == corners.len() {
            0
        } else {
            edge + 1
        };
        let vertex = if view.along <= 0.0 { edge } else { next };
        let pair = [self.host.previous(vertex), vertex];
        let is_done = if corners[vertex].is_convex {
            out.len() > start
        } else {
            pair.iter().any(|&edge| is_listed(edge, out))
        };
        if !is_done {
            // Beyond the tip of a narrow bay, one may be in front of the line of one of the edges.
            let [before, after] = pair.map(|edge| View::new(&corners[edge], visitor.point));
            let (edge, view) = if before.height < after.height {
                (pair[0], before)
            } else {
                (pair[1], after)
            };
            out.push(self.edge_approach(visitor, edge, view));
        }
    }

    /// The approach to an edge: its foot is the projection, at most to the ends.
    pub(super) fn edge_approach(&self, visitor: Visitor, edge: usize, view: View) -> Approach {
        let corner = &self.host.corners[edge];
        let foot = corner.point + view.along.clamp(0.0, corner.length) * corner.direction;
        let gap = view.height - visitor.radius;
        self.approach(
            visitor,
            Feature::Edge(edge as u32),
            (foot, corner.normal()),
            gap,
        )
    }

    /// An approach in the frame of the host; `normal` is out of the host at `foot`.
    pub(super) fn approach(
        &self,
        visitor: Visitor,
        feature: Feature,
        (foot, normal): (DVec2, DVec2),
        gap: f64,
    ) -> Approach {
        let point = visitor.point - visitor.radius * normal;
        let (point_a, point_b, normal) = match self.side {
            Side::A => (point, foot, -normal),
            Side::B => (foot, point, normal),
        };
        Approach {
            side: self.side,
            vertex: visitor.index as u32,
            feature,
            point_a,
            point_b,
            normal,
            gap: gap.max(0.0),
            is_contact: false,
            clearance: f64::INFINITY,
        }
    }
}
