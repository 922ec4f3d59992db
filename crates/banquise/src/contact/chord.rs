//! Chords of overlaps: over which widths, and in which directions, the contacts of squeezed floes bear.
//!
//! A body that crushes a floe cuts a notch with its own outline, ahead of it by the gap that cuts leave. Each piece of this outline that has ice in front bears
//! along its own normal, and is borne by the contact that is closest to it. Over a step in which bodies close by s, the width of a piece is the mean one, A/s
//! with A the area of ice that it sweeps: the work of pressure times width is then the pressure times the volume that the cut takes away.

use banquise_geometry::{Aabb, DVec2, clipped_to_convex, overlap_area_with_convex, polygon_of};

use super::candidate::ContactCandidate;
use crate::body::Bodies;

/// Motion of the first body of a pair in the frame of the second within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sweep {
    pub(super) origin: DVec2,
    /// Displacement of the origin \[m\].
    pub(super) shift: DVec2,
    /// Angle by which it turns \[rad\].
    pub(super) turn: f64,
}

impl Sweep {
    /// Displacement of a point \[m\].
    pub(super) fn at(&self, point: DVec2) -> DVec2 {
        self.shift + self.turn * (point - self.origin).perp()
    }
}

/// For each contact of an island the integral of the normal along the pieces that it bears \[m\], from the first body to the second, given the motions of
/// their pairs.
pub(super) fn chords(
    bodies: &Bodies,
    listed: &[&ContactCandidate],
    sweeps: &[Sweep],
) -> Vec<DVec2> {
    let mut chords = vec![DVec2::ZERO; listed.len()];
    let mut next = 0;
    for pair in listed.chunk_by(|first, second| first.is_of_same_pair(second)) {
        let (number, lead) = (next, pair[0]);
        next += pair.len();
        let mut contacts: Vec<usize> = (number..next).collect();
        let gap = CUT_GAP * lead.distance;
        let sweep = &sweeps[number];
        let is_reached = |&other: &usize| {
            let approach = &listed[other].approach;
            approach.gap <= gap + REACHED * sweep.at(approach.point_a).length()
        };
        if contacts.iter().any(is_reached) {
            contacts.retain(is_reached);
        }
        let face = Face::of(bodies, lead).near(gap, sweep);
        for side in &face.sides {
            let middle = side.start + 0.5 * side.length * side.along;
            let advances = is_ahead(face.sense * sweep.at(middle), side.normal);
            for (contact, piece) in face.shares(side, listed, &contacts, advances) {
                let middle = side.start + 0.5 * (piece[0] + piece[1]) * side.along;
                let motion = face.sense * sweep.at(middle);
                let width = side.swept_width(piece, &face.crushed, gap, motion);
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

    /// Mean width over which a piece of the side sweeps over a polygon in a motion \[m\], from where cuts leave a gap \[m\].
    fn swept_width(&self, [from, to]: [f64; 2], polygon: &[DVec2], gap: f64, motion: DVec2) -> f64 {
        // Sides along the motion bear where bodies are pushed aside.
        let sweep = if is_ahead(motion, self.normal) {
            motion
        } else {
            motion.length() * self.normal
        };
        let at = |place: f64| self.start + place * self.along + gap * self.normal;
        let strip = [at(from), at(from) + sweep, at(to) + sweep, at(to)];
        let area = overlap_area_with_convex(polygon, &strip);
        (area / sweep.dot(self.normal).max(f64::MIN_POSITIVE)).min(to - from)
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

    /// Leaves out what no side sweeps over: most sides and vertices are far from where the bodies meet. Cuts leave a gap \[m\].
    fn near(self, gap: f64, sweep: &Sweep) -> Self {
        let swept = |side: &Side| {
            let ends = [side.start, side.start + side.length * side.along];
            let farthest = ends.map(|end| sweep.at(end).length());
            Aabb::of_points(ends).grown(gap + farthest[0].max(farthest[1]))
        };
        let outer = Aabb::of_points(self.crushed.iter().copied());
        let mut sides = self.sides;
        sides.retain(|side| swept(side).overlaps(&outer));
        let all = sides
            .iter()
            .fold(Aabb::EMPTY, |all, side| all.union(&swept(side)));
        Self {
            crushed: clipped_to_convex(&self.crushed, &all.corners()),
            sides,
            ..self
        }
    }

    /// Divides a side among the contacts that face it, or among all where none does and the side advances: each gets what is closest to it, from one place on the
    /// side to another \[m\].
    fn shares(
        &self,
        side: &Side,
        listed: &[&ContactCandidate],
        contacts: &[usize],
        advances: bool,
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
        if !advances || contacts.iter().any(|&contact| facing(contact) >= FACING) {
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

/// Least cosine of the angle between the direction in which bodies close and the normal of a contact in front. Also of that between the normals of a side and of
/// a contact that bears it: 60°.
pub(super) const FACING: f64 = 0.5;

/// Whether what has this normal advances in a motion.
pub(super) fn is_ahead(motion: DVec2, normal: DVec2) -> bool {
    motion.dot(normal) >= FLANK * motion.length()
}

/// A side is on the flank of a notch if its advance is less than this share of the motion [–]: what it sweeps, which no force crushes, is then a thousandth of
/// what a face of its length would.
const FLANK: f64 = 1e-3;

/// Contacts face a side alike if the cosines of their angles to it differ by less than this [–].
const SAME_FACING: f64 = 0.05;

/// Share of the depth within which a contact must be reached to bear a part of a side [–]: one that is reached later, or not at all, bears next to nothing,
/// and its part would be missing.
const REACHED: f64 = 0.5;

/// Gap that a cut leaves, as a share of the collision distance [–]: small, for no force crushes what the first cut takes away for it; and more than twice
/// that within which bodies are pushed apart.
pub(crate) const CUT_GAP: f64 = 0.05;

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
