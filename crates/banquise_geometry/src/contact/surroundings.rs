//! Vertices of the guest and edges of the host that may be within reach of each other, and the test of points inside the host.

use super::probe::Probe;
use super::view::Shortlist;
use crate::{Aabb, DVec2};

/// Vertices of the guest and edges of the host that may be within reach of each other.
pub(super) struct Surroundings {
    /// Vertices of the guest.
    pub(super) visitors: Shortlist,
    /// Edges of the host, with those that rays cross where it has few.
    pub(super) edges: Shortlist,
    /// A direction out of the host.
    pub(super) ray: DVec2,
}

impl Probe<'_> {
    /// Finds vertices of the guest and edges of the host that may be within reach of each other, by boxes.
    pub(super) fn surroundings(&self) -> Surroundings {
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
    pub(super) fn are_far_outside(&self, visitors: &[u32], edges: &[u32], ray: DVec2) -> bool {
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
    pub(super) fn is_inside_host(&self, point: DVec2, edges: &[u32], ray: DVec2) -> bool {
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
}
