//! Chords of overlaps: over which widths, and in which directions, the contacts of squeezed floes bear.
//!
//! A body that crushes a floe cuts a notch with its own outline, ahead of it by the gap that cuts leave. Each piece of this outline that has ice in front bears
//! along its own normal, and is borne by the contact that is closest to it. Over a step in which bodies close by s, the width of a piece is the mean one, A/s
//! with A the area of ice that it sweeps: the work of pressure times width is then the pressure times the volume that the cut takes away.

use banquise_geometry::{DVec2, overlap_area_with_convex, polygon_of};

use super::candidate::ContactCandidate;
use super::settings::ContactThresholds;
use crate::body::Bodies;

/// For each contact of an island the integral of the normal along the pieces that it bears \[m\], from the first body to the second. Kinematic bodies close on
/// the island in a direction, by a depth \[m\].
pub(super) fn chords(
    bodies: &Bodies,
    listed: &[&ContactCandidate],
    (closing, depth): (DVec2, f64),
    thresholds: &ContactThresholds,
) -> Vec<DVec2> {
    let mut chords = vec![DVec2::ZERO; listed.len()];
    for (number, lead) in listed.iter().enumerate() {
        let mut before = listed[..number].iter();
        if before.any(|other| lead.is_of_same_pair(other)) {
            continue;
        }
        let of_pair = |&other: &usize| lead.is_of_same_pair(listed[other]);
        let mut contacts: Vec<usize> = (number..listed.len()).filter(of_pair).collect();
        let gap = thresholds.fixed_kept_gap * lead.distance;
        let is_reached = |&other: &usize| listed[other].approach.gap <= gap + REACHED * depth;
        if contacts.iter().any(is_reached) {
            contacts.retain(is_reached);
        }
        let face = Face::of(bodies, lead);
        let ahead = face.sense * crushing_direction(lead, listed, closing);
        for side in &face.sides {
            for (contact, piece) in face.shares(side, listed, &contacts) {
                let width = side.swept_width(piece, &face.crushed, gap * ahead, depth);
                chords[contact] += face.sense * width * side.normal;
            }
        }
    }
    chords
}

/// A body that crushes another.
struct Face {
    /// Outline of the body that is crushed, where it is \[m\].
    crushed: Vec<DVec2>,
    sides: Vec<Side>,
    /// Whether outward normals of the sides point from the first body of the pair to the second: 1, else −1.
    sense: f64,
    /// Whether the second body of the pair is the one that crushes.
    by_second: bool,
}

/// A side of a body that crushes another.
struct Side {
    start: DVec2,
    /// Direction from the start to the end; the body is on the left.
    along: DVec2,
    length: f64,
    /// Outward normal.
    normal: DVec2,
}

impl Side {
    fn between(start: DVec2, end: DVec2) -> Option<Self> {
        let along = (end - start).try_normalize()?;
        Some(Self {
            start,
            along,
            length: start.distance(end),
            normal: -along.perp(),
        })
    }

    /// Mean width over which a piece of the side sweeps over a polygon while it moves by a depth \[m\], from where cuts leave a gap \[m\] ahead of it.
    fn swept_width(&self, [from, to]: [f64; 2], polygon: &[DVec2], gap: DVec2, depth: f64) -> f64 {
        let ahead = gap.normalize_or_zero();
        let into = ahead.dot(self.normal);
        // Sides along the motion bear where bodies turn or are pushed aside.
        let sweep = depth * if into >= FACING { ahead } else { self.normal };
        let cut = GAP_BESIDE * gap.length() * self.normal
            + if into > 0.0 {
                (1.0 - GAP_BESIDE) * gap
            } else {
                DVec2::ZERO
            };
        let at = |place: f64| self.start + place * self.along + cut;
        let strip = [at(from), at(from) + sweep, at(to) + sweep, at(to)];
        overlap_area_with_convex(polygon, &strip) / sweep.dot(self.normal).max(f64::MIN_POSITIVE)
    }
}

impl Face {
    /// The weaker body of a pair is crushed; of two that are equally strong, the first.
    fn of(bodies: &Bodies, pair: &ContactCandidate) -> Self {
        let first = placed(bodies, pair.a, DVec2::ZERO);
        let Some(b) = pair.b else {
            let approach = &pair.approach;
            let wall = half_plane(approach.point_b, approach.normal, bodies.radii[pair.a]);
            return Self {
                crushed: first,
                sides: Side::between(wall[0], wall[1]).into_iter().collect(),
                sense: -1.0,
                by_second: true,
            };
        };
        let second = placed(bodies, b, pair.offset);
        let thickness_of = |row: usize| bodies.mean_thicknesses()[row];
        let by_second =
            !bodies.is_floe(b) || bodies.is_floe(pair.a) && thickness_of(b) >= thickness_of(pair.a);
        let (crushed, other) = if by_second {
            (first, second)
        } else {
            (second, first)
        };
        let sides = other.iter().zip(other.iter().cycle().skip(1));
        Self {
            crushed,
            sides: sides.filter_map(|(&p, &q)| Side::between(p, q)).collect(),
            sense: if by_second { -1.0 } else { 1.0 },
            by_second,
        }
    }

    /// Divides a side among the contacts that face it: each gets what is closest to it, from one place on the side to another \[m\].
    fn shares(
        &self,
        side: &Side,
        listed: &[&ContactCandidate],
        contacts: &[usize],
    ) -> Vec<(usize, [f64; 2])> {
        let place = |contact: usize| {
            let approach = &listed[contact].approach;
            let point = if self.by_second {
                approach.point_b
            } else {
                approach.point_a
            };
            side.along.dot(point - side.start)
        };
        let facing = |contact: usize| self.sense * side.normal.dot(listed[contact].approach.normal);
        let mut by_place: Vec<usize> = contacts.to_vec();
        if contacts.iter().any(|&contact| facing(contact) >= FACING) {
            by_place.retain(|&contact| facing(contact) >= FACING);
        }
        by_place.sort_by(|&x, &y| place(x).total_cmp(&place(y)));
        // At a corner two contacts are in one place: that which faces the side bears it, or the closer one.
        let bears = |own: usize, other: usize| {
            let ahead = facing(own) - facing(other);
            ahead > SAME_FACING
                || ahead > -SAME_FACING && listed[own].approach.gap < listed[other].approach.gap
        };
        by_place.dedup_by(|later, earlier| {
            let is_same = place(*later) - place(*earlier) < listed[*later].distance;
            if is_same && bears(*later, *earlier) {
                *earlier = *later;
            }
            is_same
        });
        let mut shares = Vec::new();
        let mut from = 0.0;
        for (index, &contact) in by_place.iter().enumerate() {
            let next = by_place.get(index + 1);
            let to = next.map_or(side.length, |&next| 0.5 * (place(contact) + place(next)));
            let to = to.clamp(from, side.length);
            if to > from {
                shares.push((contact, [from, to]));
                from = to;
            }
        }
        shares
    }
}

/// Direction in which the pair of a contact is crushed, from the first body to the second: that in which kinematic bodies close, if one of its contacts faces
/// it, else the normal.
pub(super) fn crushing_direction(
    pair: &ContactCandidate,
    listed: &[&ContactCandidate],
    closing: DVec2,
) -> DVec2 {
    let of_pair = listed.iter().filter(|other| pair.is_of_same_pair(other));
    let facing = of_pair.map(|other| other.approach.normal.dot(closing));
    let most = facing.fold(
        0.0,
        |most: f64, own| if own.abs() > most.abs() { own } else { most },
    );
    if pair.b.is_some() && most.abs() >= FACING {
        most.signum() * closing
    } else {
        pair.approach.normal
    }
}

/// Least cosine of the angle between the direction in which bodies close and the normal of a side or contact in front; others are on a flank. Also of that
/// between the normals of a side and of a contact that bears it: 60°.
const FACING: f64 = 0.5;

/// Contacts face a side alike if the cosines of their angles to it differ by less than this [–].
const SAME_FACING: f64 = 0.05;

/// Share of the depth within which a contact must be reached to bear a part of a side [–]: one that is reached later, or not at all, bears next to nothing,
/// and its part would be missing.
const REACHED: f64 = 0.5;

/// Gap beside what crushes a floe, as a share of that ahead of it [–]: what is cut off there is volume that no force crushed.
pub(crate) const GAP_BESIDE: f64 = 0.1;

/// The vertices of a body where it is, moved by an offset \[m\].
pub(crate) fn placed(bodies: &Bodies, row: usize, offset: DVec2) -> Vec<DVec2> {
    let pose = bodies.motions[row].pose;
    let vertices = polygon_of(&bodies.shapes()[row]).into_iter();
    vertices
        .map(|vertex| pose.world_from_body(vertex) + offset)
        .collect()
}

/// The part of the half-plane behind a line that a body of this radius near `point` can reach; the normal points into it.
pub(crate) fn half_plane(point: DVec2, normal: DVec2, radius: f64) -> Vec<DVec2> {
    let (along, into) = (8.0 * radius * normal.perp(), 8.0 * radius * normal);
    vec![
        point + along,
        point - along,
        point - along + into,
        point + along + into,
    ]
}
