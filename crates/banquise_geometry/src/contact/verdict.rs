//! Classification of approaches: contact or not, clearance, and the normal of
//! corners that touch.

use super::probe::{Foot, Probe, Visitor};
use super::view::View;
use super::{Approach, Feature, Side};
use crate::{Aabb, DVec2};

/// Sines and cosines below this count as zero.
const ANGLE_TOLERANCE: f64 = 1e-9;

impl Approach {
    /// The point of the host and the unit normal out of it, while in its frame.
    fn line(&self) -> (DVec2, DVec2) {
        match self.side {
            Side::A => (self.point_b, -self.normal),
            Side::B => (self.point_a, self.normal),
        }
    }
}

/// For a vertex on a vertex of the host: drops what was found at that corner, where directions
/// are round-off, and adds what holds for the corner itself.
///
/// In front of a convex corner that is one approach, with the normal among those of the four edges
/// that best keeps the two corners apart; at the bottom of a bay, one for each edge.
pub(super) fn replace_at_vertex(
    probe: &Probe<'_>,
    visitor: Visitor,
    vertex: usize,
    start: usize,
    out: &mut Vec<Approach>,
) {
    let before = probe.host.previous(vertex);
    let here = [
        Feature::Edge(before as u32),
        Feature::Edge(vertex as u32),
        Feature::Vertex(vertex as u32),
    ];
    let mut kept = start;
    for k in start..out.len() {
        if !here.contains(&out[k].feature) {
            out.swap(kept, k);
            kept += 1;
        }
    }
    out.truncate(kept);
    let corner = &probe.host.corners[vertex];
    if corner.is_convex {
        let normal = separating_normal(probe, visitor, vertex);
        let gap = (visitor.point - corner.point).dot(normal);
        let foot = Foot {
            point: corner.point,
            normal,
        };
        out.push(probe.approach(visitor, here[2], foot, gap));
    } else {
        for edge in [before, vertex] {
            let view = View::new(&probe.host.corners[edge], visitor.point);
            out.push(probe.edge_approach(visitor, edge, view));
        }
    }
}

/// The normals of the four edges at two corners, out of the host.
///
/// An edge has its shape on its left: leaving a vertex forwards, the outer normal is on the right,
/// backwards, on the left; the guest's are turned round to point at the guest.
fn edge_normals(own: [DVec2; 2], other: [DVec2; 2]) -> [DVec2; 4] {
    [
        -own[0].perp(),
        own[1].perp(),
        other[0].perp(),
        -other[1].perp(),
    ]
}

/// The normal from a convex vertex of the host to a visitor in its normal cone: along the line
/// between them, unless that is perpendicular to one of the four edges to round-off. Then it is
/// the normal of that edge, which is not spoilt by a small distance.
pub(super) fn normal_at_vertex(probe: &Probe<'_>, visitor: Visitor, vertex: usize) -> DVec2 {
    let from_foot = visitor.point - probe.host.corners[vertex].point;
    if !probe.guest.is_disc() {
        let own = probe.host.leaving(vertex);
        let other = probe.guest_leaving(visitor.index);
        let along = [own[0], own[1], other[0], other[1]];
        for (along, normal) in along.into_iter().zip(edge_normals(own, other)) {
            if from_foot.dot(along).abs() <= probe.slack && from_foot.dot(normal) > 0.0 {
                return normal;
            }
        }
    }
    let straight = from_foot.try_normalize();
    straight.unwrap_or(probe.host.corners[vertex].normal())
}

/// Of the normals of the edges at two corners that coincide, out of the host, the one that keeps
/// them apart best: the worst placed of the four neighbouring vertices decides, then their sum.
fn separating_normal(probe: &Probe<'_>, visitor: Visitor, vertex: usize) -> DVec2 {
    if probe.guest.is_disc() {
        return probe.host.corners[vertex].normal();
    }
    let (own, other) = (
        probe.host.leaving(vertex),
        probe.guest_leaving(visitor.index),
    );
    let mut best = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut chosen = DVec2::X;
    for normal in edge_normals(own, other) {
        let sides = [-own[0], -own[1], other[0], other[1]].map(|side| side.dot(normal));
        let worst = sides.iter().copied().fold(f64::INFINITY, f64::min);
        let worst = if worst > -ANGLE_TOLERANCE { 0.0 } else { worst };
        let rank = (worst, sides.iter().sum());
        if rank > best {
            (best, chosen) = (rank, normal);
        }
    }
    chosen
}

/// Sets for all approaches of one vertex to a polygon whether they are contacts, and their
/// clearance.
pub(super) fn judge(
    probe: &Probe<'_>,
    visitor: Visitor,
    edges: &[u32],
    approaches: &mut [Approach],
) {
    let clearance = clearance(probe, visitor, edges, approaches);
    let is_alone = approaches.len() == 1;
    for approach in approaches {
        approach.clearance = clearance;
        approach.is_contact = can_push(probe, visitor, approach)
            && (is_alone || !is_hidden_by_host(probe, visitor, edges, approach))
            && !is_hidden_by_guest(probe, visitor, approach);
    }
}

fn can_push(probe: &Probe<'_>, visitor: Visitor, approach: &Approach) -> bool {
    let Some(corner) = probe.guest.corners.get(visitor.index) else {
        return true; // A disc.
    };
    if !corner.is_convex {
        return false;
    }
    let [next, previous] = probe.guest_leaving(visitor.index);
    let (foot, normal) = approach.line();
    if let Feature::Vertex(_) = approach.feature {
        let to_foot = foot - visitor.point;
        let is_in_cone = to_foot.dot(next).max(to_foot.dot(previous)) <= probe.slack;
        return is_in_cone && probe.side == Side::A;
    }
    // Along one of the guest's own edges is into it: its other end is nearer.
    let way = -normal;
    let is_into_guest = next.perp_dot(way) > -ANGLE_TOLERANCE
        && previous.perp_dot(way) < ANGLE_TOLERANCE
        && way.dot(next + previous) > 0.0;
    !is_into_guest
}

/// Whether the way from the vertex to its foot passes through the host.
fn is_hidden_by_host(
    probe: &Probe<'_>,
    visitor: Visitor,
    edges: &[u32],
    approach: &Approach,
) -> bool {
    let (foot, _) = approach.line();
    let way = (visitor.point, foot);
    edges
        .iter()
        .any(|&edge| probe.host.corners[edge as usize].is_entered(way, probe.slack))
}

/// Whether the way from the vertex to its foot passes through another part of the guest.
fn is_hidden_by_guest(probe: &Probe<'_>, visitor: Visitor, approach: &Approach) -> bool {
    if probe.guest.is_convex {
        return false;
    }
    let (foot, _) = approach.line();
    let start = probe.guest.vertex(visitor.index);
    let way = (start, probe.guest_pose.body_from_world(foot));
    if probe.guest.edge_boxes.is_none() {
        let mut edges = probe.guest.corners.iter();
        return edges.any(|edge| edge.is_entered(way, probe.slack));
    }
    let along = Aabb::of_points([way.0, way.1]).grown(probe.slack);
    let mut is_hidden = false;
    probe.guest.visit_edges(&along, |edge| {
        is_hidden |= probe.guest.corners[edge].is_entered(way, probe.slack);
    });
    is_hidden
}

/// Distance to the nearest edge within reach that is not behind the line of an approach.
fn clearance(probe: &Probe<'_>, visitor: Visitor, edges: &[u32], approaches: &[Approach]) -> f64 {
    let mut clearance = f64::INFINITY;
    for index in edges.iter().map(|&edge| edge as usize) {
        let Some(view) = probe.view_within_reach(index, visitor) else {
            continue;
        };
        let distance = view.distance - visitor.radius;
        if distance >= clearance {
            continue;
        }
        let edge = &probe.host.corners[index];
        let ends = [edge.point, edge.end];
        let is_guarded = approaches.iter().any(|approach| {
            let (foot, normal) = approach.line();
            ends.iter()
                .all(|&end| (end - foot).dot(normal) <= probe.slack)
        });
        if !is_guarded {
            clearance = distance.max(0.0);
        }
    }
    clearance
}

/// Where a vertex of A and a vertex of B face each other, round-off can make each fall on an edge
/// of the other: two contacts with the same two points. Keeps the one with an edge, whose normal
/// is sure; of two such, that of side A.
pub(super) fn keep_one_of_twins(side_a: &mut [Approach], side_b: &mut [Approach], slack: f64) {
    let is_same = |p: DVec2, q: DVec2| (p - q).length() <= 2.0 * slack;
    for first in side_a.iter_mut().filter(|approach| approach.is_contact) {
        for second in side_b.iter_mut().filter(|approach| approach.is_contact) {
            if is_same(first.point_a, second.point_a) && is_same(first.point_b, second.point_b) {
                let has_edge = matches!(first.feature, Feature::Edge(_));
                let loser = if has_edge { &mut *second } else { &mut *first };
                loser.is_contact = false;
                if !has_edge {
                    break;
                }
            }
        }
    }
}
