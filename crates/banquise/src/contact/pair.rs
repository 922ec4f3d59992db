//! Two bodies, or a body and the walls, that may meet.

use banquise_geometry::{
    Approach, DVec2, Feature, NearFeatures, PlacedShape, Pose, Side, approaches_among,
};

use super::memory::PairKey;
use super::search::Near;
use crate::body::{Bodies, Motion};
use crate::domain::Rectangle;
use crate::world::World;

/// Two bodies that may meet; or a body and the walls of the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pair {
    /// Row of the first body.
    pub(crate) a: usize,
    /// Row of the second; none for the walls.
    pub(crate) b: Option<usize>,
    /// To be added to the position of the second body: which of its periodic images is meant \[m\].
    pub(crate) offset: DVec2,
    /// The same in periodic cells, counted from where the bodies would be without edges: it never changes.
    pub(crate) cells: [i32; 2],
    /// Collision distance \[m\].
    pub(crate) distance: f64,
}

/// Features of a pair are kept if it moves by less than this share of the reach from look to look: to find them takes as long as
/// some looks.
const SLOW: f64 = 0.2;

impl Pair {
    /// A name for the two bodies and their images; none for walls.
    pub(crate) fn key(&self) -> Option<PairKey> {
        Some((self.a as u32, self.b? as u32, self.cells))
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

    /// How far to look, for a time \[s\]: where the two may be at its end, but not much farther than the smaller body is
    /// large \[m\].
    pub(crate) fn reach(&self, bodies: &Bodies, time: f64) -> f64 {
        let radius = bodies.radii[self.a];
        let radius = self.b.map_or(radius, |b| radius.min(bodies.radii[b]));
        2.0 * self.distance + radius.min(time * self.closing_speed(bodies))
    }

    /// Adds all places where the two are nearer than `reach` \[m\], when they move like this. Given what of them was close before, says
    /// what is to be known of it at the next look, within `time` \[s\].
    pub(crate) fn look(
        &self,
        world: &World,
        (motion_a, motion_b): (&Motion, Option<&Motion>),
        (reach, time): (f64, f64),
        known: Option<&NearFeatures>,
        (found, near): (&mut Vec<Approach>, &mut Vec<Near>),
    ) -> Option<NearFeatures> {
        let bodies = &world.bodies;
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
            let are_slow = time * self.closing_speed(bodies) <= SLOW * reach;
            let features = approaches_among(known, are_slow, a, b, reach, found);
            near.extend(found.iter().map(|&approach| self.near(approach)));
            return features;
        }
        if let Some(walls) = world.domain.rectangle() {
            self.look_at_walls(bodies, walls, motion_a, reach, near);
        }
        None
    }

    fn near(&self, approach: Approach) -> Near {
        Near {
            a: self.a,
            b: self.b,
            offset: self.offset,
            approach,
            distance: self.distance,
        }
    }

    /// The vertices of a floe near the walls of the domain.
    fn look_at_walls(
        &self,
        bodies: &Bodies,
        walls: Rectangle,
        motion: &Motion,
        reach: f64,
        near: &mut Vec<Near>,
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
        for (side, (normal, position)) in sides.into_iter().enumerate() {
            for vertex in 0..shape.vertex_count() {
                let center = motion.pose.world_from_body(shape.vertex(vertex));
                let point = center + shape.vertex_radius() * normal;
                let gap = position - point.dot(normal);
                if gap <= reach {
                    near.push(self.near(Approach {
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
