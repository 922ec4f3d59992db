//! Pairs of bodies, or of a body and the walls, and the narrow-phase query of a pair.

use banquise_geometry::{
    Approach, DVec2, Feature, NearFeatures, PlacedShape, Pose, Side, approaches_among,
};

use super::candidate::{ContactCandidate, Motions};
use crate::body::Bodies;
use crate::domain::{Bounds, Domain};
use crate::id::BodyId;
use crate::motion::Motion;
use crate::world::World;

/// Two bodies that may touch, or a body and the walls of the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pair {
    /// Row of the first body.
    pub(crate) a: usize,
    /// Row of the second; none for the walls.
    pub(crate) b: Option<usize>,
    /// To be added to the position of the second body: which of its periodic images is meant \[m\].
    pub(crate) offset: DVec2,
    /// The offset in periodic cells, counted from where the bodies would be without edges: it never changes.
    pub(crate) cells: [i32; 2],
    /// Collision distance \[m\].
    pub(crate) distance: f64,
}

/// Two bodies, and the periodic cells between them.
pub(crate) type PairKey = (BodyId, BodyId, [i32; 2]);

/// A narrow-phase query: all places where the two bodies of a pair are closer than `reach`.
pub(crate) struct PairQuery<'a> {
    /// Motions of the two bodies.
    pub(crate) motions: Motions<'a>,
    /// Reach of the query \[m\].
    pub(crate) reach: f64,
    /// Time until the next query at most \[s\].
    pub(crate) time: f64,
    /// Closest features of the last query, if they were cached.
    pub(crate) known: Option<&'a NearFeatures>,
    /// Threshold of caching, [`ContactThresholds::cached_motion_share`](super::ContactThresholds::cached_motion_share).
    pub(crate) cached_motion_share: f64,
}

impl Pair {
    /// The key of the two bodies and their images, given the ids of all rows; none for walls.
    pub(crate) fn key(&self, ids: &[BodyId]) -> Option<PairKey> {
        Some((ids[self.a], ids[self.b?], self.cells))
    }

    /// A bound of the speed at which points of the two approach each other [m/s].
    pub(crate) fn closing_speed(&self, bodies: &Bodies) -> f64 {
        let turning = |row: usize| bodies.motions[row].velocity.angular.abs() * bodies.radii[row];
        let velocity = bodies.motions[self.a].velocity.linear;
        match self.b {
            Some(b) => {
                let other = bodies.motions[b].velocity.linear;
                (velocity - other).length() + turning(self.a) + turning(b)
            }
            None => velocity.length() + turning(self.a),
        }
    }

    /// Reach of a query that holds for a time \[s\]: as far as the two may come closer in it, but not much farther than the size of
    /// the smaller body \[m\].
    pub(crate) fn reach(&self, bodies: &Bodies, time: f64) -> f64 {
        let radius = bodies.radii[self.a];
        let radius = self.b.map_or(radius, |b| radius.min(bodies.radii[b]));
        2.0 * self.distance + radius.min(time * self.closing_speed(bodies))
    }

    /// Adds the candidates that a query finds; `found` is a scratch buffer. Returns the closest features to be cached for the
    /// next query.
    pub(crate) fn query(
        &self,
        world: &World,
        query: &PairQuery<'_>,
        found: &mut Vec<Approach>,
        candidates: &mut Vec<ContactCandidate>,
    ) -> Option<NearFeatures> {
        let bodies = &world.bodies;
        let &PairQuery { reach, known, .. } = query;
        let (motion_a, motion_b) = query.motions;
        if let (Some(b), Some(motion_b)) = (self.b, motion_b) {
            let pose_b = Pose {
                position: motion_b.pose.position + self.offset,
                ..motion_b.pose
            };
            let shapes = &bodies.contact_shapes;
            let placed = |row: usize, pose| PlacedShape {
                shape: &shapes[row],
                pose,
            };
            let (a, b) = (placed(self.a, motion_a.pose), placed(b, pose_b));
            let moved = query.time * self.closing_speed(bodies);
            let are_slow = moved <= query.cached_motion_share * reach;
            let features = approaches_among(known, are_slow, a, b, reach, found);
            candidates.extend(found.iter().map(|&approach| self.candidate(approach)));
            return features;
        }
        if let Domain::Bounded(bounds) = world.domain {
            self.query_walls(bodies, &bounds, motion_a, reach, candidates);
        }
        None
    }

    fn candidate(&self, approach: Approach) -> ContactCandidate {
        ContactCandidate {
            a: self.a,
            b: self.b,
            offset: self.offset,
            approach,
            distance: self.distance,
        }
    }

    /// The vertices of a floe near the walls of the domain.
    fn query_walls(
        &self,
        bodies: &Bodies,
        &Bounds {
            rectangle: walls,
            open,
        }: &Bounds,
        motion: &Motion,
        reach: f64,
        candidates: &mut Vec<ContactCandidate>,
    ) {
        let shape = &bodies.contact_shapes[self.a];
        let (position, around) = (motion.pose.position, 1.001 * (bodies.radii[self.a] + reach));
        if (position - around).cmpgt(walls.min).all() && (position + around).cmplt(walls.max).all()
        {
            return;
        }
        let sides = [
            (DVec2::NEG_X, -walls.min.x),
            (DVec2::X, walls.max.x),
            (DVec2::NEG_Y, -walls.min.y),
            (DVec2::Y, walls.max.y),
        ];
        let is_wall = |&(side, _): &(usize, _)| !open[side];
        for (side, (normal, position)) in sides.into_iter().enumerate().filter(is_wall) {
            for vertex in 0..shape.vertex_count() {
                let center = motion.pose.world_from_body(shape.vertex(vertex));
                let point = center + shape.vertex_radius() * normal;
                let gap = position - point.dot(normal);
                if gap <= reach {
                    candidates.push(self.candidate(Approach {
                        side: Side::A,
                        vertex: vertex as u32,
                        feature: Feature::Edge(side as u32),
                        point_a: point,
                        point_b: point + gap * normal,
                        normal,
                        gap: gap.max(0.0),
                        is_contact: true,
                        clearance: f64::INFINITY,
                    }));
                }
            }
        }
    }
}
