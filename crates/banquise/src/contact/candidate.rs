//! Contact candidates: places where two bodies, or a body and a wall, are close.

use std::ops::Range;

use banquise_geometry::{Approach, DVec2, Feature};

use crate::body::Bodies;
use crate::contact_state::Touched;
use crate::id::BodyId;
use crate::motion::Motion;

/// A vertex of one body close to another body or to a wall. Rows are those of the current step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactCandidate {
    /// Row of the first body.
    pub(crate) a: usize,
    /// Row of the second; none for a wall.
    pub(crate) b: Option<usize>,
    /// To be added to the position of the second body: which of its periodic images is meant \[m\].
    pub(crate) offset: DVec2,
    /// Gap, normal and closest points.
    pub(crate) approach: Approach,
    /// Collision distance of the pair \[m\].
    pub(crate) distance: f64,
}

/// For each candidate the range of those of its pair, which follow each other.
pub(super) fn pair_ranges(listed: &[&ContactCandidate]) -> Vec<Range<usize>> {
    let mut ranges = Vec::with_capacity(listed.len());
    for pair in listed.chunk_by(|first, second| first.is_of_same_pair(second)) {
        let start = ranges.len();
        ranges.resize(start + pair.len(), start..start + pair.len());
    }
    ranges
}

/// Motions of the two bodies of a candidate; there is no second where it is a wall.
pub(crate) type Motions<'a> = (&'a Motion, Option<&'a Motion>);

impl ContactCandidate {
    /// Whether the bodies are in contact here.
    pub(crate) fn is_contact(&self) -> bool {
        self.approach.is_contact && self.approach.gap <= self.distance
    }

    /// Whether both are candidates of one pair of bodies, or of one body and one wall.
    pub(super) fn is_of_same_pair(&self, other: &Self) -> bool {
        (self.a, self.b, self.offset) == (other.a, other.b, other.offset)
            && (self.b.is_some() || self.wall() == other.wall())
    }

    /// The two bodies, or the body and the wall.
    pub(super) fn touching_pair(&self, ids: &[BodyId]) -> (BodyId, Touched) {
        let other = match self.b {
            Some(b) => Touched::Body(ids[b]),
            None => Touched::Wall(self.wall() as u8),
        };
        (ids[self.a], other)
    }

    /// The wall: 0 to 3 for west, east, south and north.
    pub(super) fn wall(&self) -> usize {
        let Feature::Edge(side) = self.approach.feature else {
            unreachable!(
                "a wall is met as an edge, not as {:?}",
                self.approach.feature
            )
        };
        side as usize
    }

    /// Current motions of its bodies.
    pub(super) fn motions<'a>(&self, bodies: &'a Bodies) -> Motions<'a> {
        (&bodies.motions[self.a], self.b.map(|b| &bodies.motions[b]))
    }

    /// Relative velocity along the normal for these motions; separation is positive [m/s].
    pub(super) fn normal_velocity(&self, (a, b): Motions<'_>) -> f64 {
        let approach = &self.approach;
        let velocity_a = a.velocity.at(approach.point_a - a.pose.position);
        let velocity_b = b.map_or(DVec2::ZERO, |b| {
            b.velocity
                .at(approach.point_b - b.pose.position - self.offset)
        });
        (velocity_b - velocity_a).dot(approach.normal)
    }

    /// Velocity that the forces of the last step added to the two bodies at the contact point [m/s].
    pub(super) fn force_delta_v(&self, bodies: &Bodies) -> [DVec2; 2] {
        let at = |row: usize, point: DVec2| {
            bodies.force_delta_v[row].at(point - bodies.motions[row].pose.position)
        };
        let added_to_b = self
            .b
            .map_or(DVec2::ZERO, |b| at(b, self.approach.point_b - self.offset));
        [at(self.a, self.approach.point_a), added_to_b]
    }
}
