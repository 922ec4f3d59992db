//! Two shapes seen from one side: the vertices of one, the guest, in the frame of the other, the host.
//!
//! Everything happens in the body frame of the host, where its edges and normals are ready.

use super::shape::ContactShape;
use super::view::View;
use super::{Approach, Feature, PlacedShape, Side};
use crate::{DVec2, Pose, Rotation};

/// The search for one side of the pair.
pub(super) struct Probe<'a> {
    pub(super) side: Side,
    pub(super) guest: &'a ContactShape,
    pub(super) host: &'a ContactShape,
    /// From the body frame of the guest to that of the host.
    pub(super) guest_pose: Pose,
    pub(super) host_pose: Pose,
    /// Reach of the search \[m\], round-off included.
    pub(super) limit: f64,
    pub(super) slack: f64,
}

/// A vertex of the guest, in the frame of the host.
#[derive(Clone, Copy)]
pub(super) struct Visitor {
    pub(super) index: usize,
    pub(super) point: DVec2,
    /// Radius of a disc, else zero \[m\].
    pub(super) radius: f64,
}

/// Where a vertex of the guest is nearest to the host.
#[derive(Clone, Copy)]
pub(super) struct Foot {
    /// The point of the host, in its frame.
    pub(super) point: DVec2,
    /// Unit normal out of the host there.
    pub(super) normal: DVec2,
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        side: Side,
        guest: PlacedShape<'a>,
        host: PlacedShape<'a>,
        reach: f64,
        slack: f64,
    ) -> Self {
        let (guest_pose, host_pose) = (guest.pose, host.pose);
        let (g, h) = (guest_pose.rotation, host_pose.rotation);
        let rotation = Rotation {
            cos: h.cos * g.cos + h.sin * g.sin,
            sin: h.cos * g.sin - h.sin * g.cos,
        };
        Self {
            side,
            guest: guest.shape,
            host: host.shape,
            guest_pose: Pose {
                position: host_pose.body_from_world(guest_pose.position),
                rotation,
            },
            host_pose,
            limit: reach + slack,
            slack,
        }
    }

    /// A copy of the probe with another reach, round-off included \[m\].
    pub(super) fn reaching(&self, limit: f64) -> Self {
        Self { limit, ..*self }
    }

    /// Whether the circles round the shapes are farther apart than the reach.
    pub(super) fn is_far(&self) -> bool {
        let (guest, host) = (self.guest.circle, self.host.circle);
        let apart = self.guest_pose.world_from_body(guest.center) - host.center;
        apart.length() > guest.radius + host.radius + self.limit
    }

    pub(super) fn visitor(&self, index: usize) -> Visitor {
        Visitor {
            index,
            point: self.guest_pose.world_from_body(self.guest.vertex(index)),
            radius: self.guest.vertex_radius(),
        }
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

    /// Unit vectors along the edges that leave a vertex of a polygonal guest.
    pub(super) fn guest_leaving(&self, index: usize) -> [DVec2; 2] {
        let rotation = self.guest_pose.rotation;
        self.guest
            .leaving(index)
            .map(|along| rotation.rotate(along))
    }

    /// Gap from a disc that is the host.
    pub(super) fn gap_of_disc(&self, visitor: Visitor) -> f64 {
        let rim = self.host.circle;
        (visitor.point - rim.center).length() - rim.radius - visitor.radius
    }

    /// The approach to an edge: its foot is the projection, at most to the ends.
    pub(super) fn edge_approach(&self, visitor: Visitor, edge: usize, view: View) -> Approach {
        let corner = &self.host.corners[edge];
        let foot = corner.point + view.along.clamp(0.0, corner.length) * corner.direction;
        let gap = view.height - visitor.radius;
        let foot = Foot {
            point: foot,
            normal: corner.normal(),
        };
        self.approach(visitor, Feature::Edge(edge as u32), foot, gap)
    }

    /// An approach in the frame of the host.
    pub(super) fn approach(
        &self,
        visitor: Visitor,
        feature: Feature,
        foot: Foot,
        gap: f64,
    ) -> Approach {
        let Foot {
            point: foot,
            normal,
        } = foot;
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
