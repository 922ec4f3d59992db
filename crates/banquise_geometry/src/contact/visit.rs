//! One half of the search: the approaches of the guest's vertices to the host.

use super::features::NearFeatures;
use super::probe::{Foot, Probe, Visitor};
use super::surroundings::Surroundings;
use super::view::View;
use super::{Approach, Feature, verdict};
use crate::DVec2;

/// The part of the host's boundary nearest to a point.
#[derive(Clone, Copy)]
struct Nearest {
    edge: usize,
    view: View,
}

impl Probe<'_> {
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

    /// Visits only the cached features that are still valid.
    pub(super) fn run_among(&self, features: &NearFeatures, out: &mut Vec<Approach>) {
        let near = features.of_side(self.side);
        let (visitors, visitor_count) = near.vertices.items();
        let (edges, edge_count) = near.edges.items();
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

    fn visit_disc(&self, visitor: Visitor, out: &mut Vec<Approach>) {
        let rim = self.host.circle;
        let normal = (visitor.point - rim.center)
            .try_normalize()
            .unwrap_or(DVec2::X);
        let foot = rim.center + rim.radius * normal;
        let gap = self.gap_of_disc(visitor);
        if gap <= self.limit {
            let foot = Foot {
                point: foot,
                normal,
            };
            let approach = self.approach(visitor, Feature::Rim, foot, gap);
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
        let foot = Foot {
            point: corner.point,
            normal,
        };
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
}
