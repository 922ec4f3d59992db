//! Where two bodies that touch would freeze together: the width over which their outlines are closer than the collision distance.

use banquise_geometry::{DVec2, Pose, Shape, math};

use super::candidate::ContactCandidate;
use crate::body::Bodies;

/// The joint of two bodies that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Joint {
    /// Its centre, half way between the outlines \[m\].
    pub(super) centre: DVec2,
    /// Unit vector from the first body to the second.
    pub(super) normal: DVec2,
    /// Its width \[m\].
    pub(super) width: f64,
}

/// A piece of outline that faces the other body: from one place to another along the joint, and heights above it there.
type Face = [DVec2; 2];

/// Edges by which a disc is seen.
const DISC_EDGES: u32 = 256;

/// The joint at a contact; none where it would be narrower than the collision distance, as between two corners.
pub(super) fn joint_at(bodies: &Bodies, candidate: &ContactCandidate) -> Option<Joint> {
    let b = candidate.b?;
    let approach = &candidate.approach;
    let (normal, origin) = (approach.normal, 0.5 * (approach.point_a + approach.point_b));
    let along = normal.perp();
    let faces_of = |row: usize, offset: DVec2, sign: f64| {
        let pose = bodies.motions[row].pose;
        let place = |point: DVec2| {
            let arm = pose.world_from_body(point) + offset - origin;
            DVec2::new(arm.dot(along), arm.dot(normal))
        };
        faces(&bodies.shapes()[row], place, sign)
    };
    let below = faces_of(candidate.a, DVec2::ZERO, 1.0);
    let above = faces_of(b, candidate.offset, -1.0);
    let reach = candidate.distance;
    let mut spans: Vec<[f64; 4]> = Vec::new();
    for lower in &below {
        spans.extend(above.iter().filter_map(|upper| span(lower, upper, reach)));
    }
    let [from, to] = connected(&mut spans, reach)?;
    let place = 0.5 * (from + to);
    let around = spans
        .iter()
        .find(|[start, end, ..]| *start <= place && place <= *end)?;
    let [start, end, first, last] = *around;
    let share = if end > start {
        (place - start) / (end - start)
    } else {
        0.5
    };
    let height = first + share * (last - first);
    (to - from >= reach).then_some(Joint {
        centre: origin + place * along + height * normal,
        normal,
        width: to - from,
    })
}

/// The edges that face along ± the normal, in the frame of the joint, from left to right.
fn faces(shape: &Shape, place: impl Fn(DVec2) -> DVec2, sign: f64) -> Vec<Face> {
    let facing = |(from, to): (DVec2, DVec2)| {
        let (from, to) = (place(from), place(to));
        // Outlines are counter-clockwise, and the joint runs to the left of its normal.
        let is_facing = sign * (to.x - from.x) > 0.0;
        is_facing.then_some(if sign > 0.0 { [from, to] } else { [to, from] })
    };
    match shape {
        Shape::Outline(outline) => outline.edges().filter_map(facing).collect(),
        Shape::Disc(disc) => {
            let rim = |number: u32| {
                let angle = std::f64::consts::TAU * f64::from(number) / f64::from(DISC_EDGES);
                let (sin, cos) = math::sin_cos(angle);
                disc.center() + disc.radius() * DVec2::new(cos, sin)
            };
            let edges = (0..DISC_EDGES).map(|number| (rim(number), rim(number + 1)));
            edges.filter_map(facing).collect()
        }
    }
}

/// Where two faces are no farther apart than `reach`: from, to, and the heights half way between them there.
fn span(lower: &Face, upper: &Face, reach: f64) -> Option<[f64; 4]> {
    let (from, to) = (lower[0].x.max(upper[0].x), lower[1].x.min(upper[1].x));
    let height = |face: &Face, at: f64| {
        let share = (at - face[0].x) / (face[1].x - face[0].x);
        face[0].y + share * (face[1].y - face[0].y)
    };
    let gap = |at: f64| height(upper, at) - height(lower, at);
    if from >= to {
        return None;
    }
    let (mut start, mut end) = (from, to);
    let (first, last) = (gap(from), gap(to));
    let slope = (last - first) / (to - from);
    // Rounding must not cut off parallel faces, nor take in faces of the far sides.
    let reach = reach * (1.0 + 1e-9);
    for limit in [reach, -reach] {
        let excess = |gap: f64| {
            if limit > 0.0 {
                gap - limit
            } else {
                limit - gap
            }
        };
        match (excess(first) > 0.0, excess(last) > 0.0) {
            (true, true) => return None,
            (true, false) => start = start.max(from + (limit - first) / slope),
            (false, true) => end = end.min(from + (limit - first) / slope),
            (false, false) => {}
        }
    }
    let middle = |at: f64| 0.5 * (height(upper, at) + height(lower, at));
    (start <= end).then(|| [start, end, middle(start), middle(end)])
}

/// The connected spans nearest to the contact, which is at zero.
fn connected(spans: &mut [[f64; 4]], reach: f64) -> Option<[f64; 2]> {
    /// Share of the reach below which a space between spans is rounding.
    const ROUNDING: f64 = 1e-6;
    spans.sort_by(|x, y| x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])));
    let mut joined: Vec<[f64; 2]> = Vec::new();
    for &[start, end, ..] in &*spans {
        match joined.last_mut() {
            Some(last) if start <= last[1] + ROUNDING * reach => last[1] = last[1].max(end),
            _ => joined.push([start, end]),
        }
    }
    let distance = |[start, end]: [f64; 2]| start.max(-end).max(0.0);
    joined
        .into_iter()
        .min_by(|x, y| distance(*x).total_cmp(&distance(*y)))
}

/// Coordinates of the centre of a joint and of its normal in the frame of a body.
pub(super) fn seen_from(pose: Pose, centre: DVec2, normal: DVec2) -> (DVec2, DVec2) {
    (
        pose.body_from_world(centre),
        pose.rotation.inverse_rotate(normal),
    )
}
