//! Who is close to whom: boxes first, then vertices and edges.

use banquise_geometry::{
    Aabb, Approach, Bvh, DVec2, Feature, PeriodicPair, Pose, Side, approaches,
};

use super::settings::CollisionDistance;
use crate::body::Bodies;
use crate::domain::{Domain, Rectangle};
use crate::world::World;

/// A vertex of one body close to another body or to a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    /// Row of the first body.
    pub(crate) a: usize,
    /// Row of the second; none for a wall.
    pub(crate) b: Option<usize>,
    /// To be added to the position of the second body: which of its periodic images is meant \[m\].
    pub(crate) offset: DVec2,
    /// How close, and where.
    pub(crate) approach: Approach,
    /// Collision distance of the pair \[m\].
    pub(crate) distance: f64,
}

impl Near {
    /// The velocity with which bodies too close to each other shall part [m/s]: what opens a fiftieth of the
    /// collision distance in half a second. Bodies that turn together lose a little of their gap at
    /// every step; without this it would go to nothing, and the step with it.
    pub(crate) fn parting_velocity(&self) -> f64 {
        if !self.is_contact() {
            return 0.0;
        }
        let opening = (PARTING_GAP * self.distance - self.approach.gap) / PARTING_TIME;
        opening.clamp(0.0, MAX_PARTING_SPEED)
    }

    /// Whether the bodies are in contact here.
    pub(crate) fn is_contact(&self) -> bool {
        self.approach.is_contact && self.approach.gap <= self.distance
    }
}

/// Room for the search, and what it found.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchScratch {
    boxes: Vec<Aabb>,
    bvh: Bvh,
    pairs: Vec<(u32, u32)>,
    periodic_pairs: Vec<PeriodicPair>,
    found: Vec<Approach>,
    /// How far each body may move before the search is out of date \[m\].
    pub(crate) margins: Vec<f64>,
    /// All that is near, in the order of the pairs.
    pub(crate) near: Vec<Near>,
}

/// Bodies are too close below this share of the collision distance, which impacts alone never reach:
/// they stop what approaches at nine tenths of it.
const PARTING_GAP: f64 = 0.02;
/// In this time they part \[s\]: a millimetre a second for a collision distance of 20 mm, whose energy is
/// nothing beside that of drift.
const PARTING_TIME: f64 = 0.5;

/// However large the bodies are, they part no faster [m/s]: floes of 20 km that lie against a wall at the
/// start would be thrown off it at 10 m/s.
const MAX_PARTING_SPEED: f64 = 0.01;

/// A body may move by this many times what its speed gives for the longest step, and by as many
/// collision distances, before the search is out of date: an impact may make it faster.
const MARGIN: f64 = 2.0;

/// Finds all that can matter within `max_dt` [s].
pub(crate) fn search(
    world: &World,
    rule: CollisionDistance,
    max_dt: f64,
    scratch: &mut SearchScratch,
) {
    let bodies = &world.bodies;
    scratch.margins.clear();
    scratch.boxes.clear();
    for row in 0..bodies.len() {
        let margin = margin_of(bodies, row, rule, max_dt);
        scratch.margins.push(margin);
        let pose = bodies.motions[row].pose;
        scratch
            .boxes
            .push(bodies.contact_shapes[row].aabb(pose).grown(margin));
    }
    scratch.bvh.build(&scratch.boxes);
    scratch.near.clear();
    match world.domain {
        Domain::Periodic(cell) => {
            scratch
                .bvh
                .pairs_periodic(cell.size(), &mut scratch.periodic_pairs);
            for index in 0..scratch.periodic_pairs.len() {
                let PeriodicPair { a, b, offset } = scratch.periodic_pairs[index];
                scratch.add_pair(bodies, rule, (a as usize, b as usize), offset);
            }
        }
        Domain::Free | Domain::Walls(_) => {
            scratch.bvh.pairs(&mut scratch.pairs);
            for index in 0..scratch.pairs.len() {
                let (a, b) = scratch.pairs[index];
                scratch.add_pair(bodies, rule, (a as usize, b as usize), DVec2::ZERO);
            }
        }
    }
    if let Domain::Walls(walls) = world.domain {
        for row in world.floe_rows() {
            scratch.add_walls(bodies, rule, row, walls);
        }
    }
}

fn margin_of(bodies: &Bodies, row: usize, rule: CollisionDistance, max_dt: f64) -> f64 {
    let velocity = bodies.motions[row].velocity;
    let speed = velocity.linear.length() + velocity.angular.abs() * bodies.radii[row];
    if !bodies.is_floe(row) {
        // It keeps its velocity whatever it meets.
        return speed * max_dt;
    }
    let own = bodies.collision_distances[row];
    MARGIN * (speed * max_dt + rule.of_pair(own, own))
}

impl SearchScratch {
    fn add_pair(
        &mut self,
        bodies: &Bodies,
        rule: CollisionDistance,
        (a, b): (usize, usize),
        offset: DVec2,
    ) {
        if !bodies.is_floe(a) && !bodies.is_floe(b) {
            return;
        }
        let distances = &bodies.collision_distances;
        let distance = rule.of_pair(distances[a], distances[b]);
        let reach = (self.margins[a] + self.margins[b]).max(distance);
        let (pose_a, pose_b) = (bodies.motions[a].pose, bodies.motions[b].pose);
        let pose_b = Pose {
            position: pose_b.position + offset,
            ..pose_b
        };
        let (shape_a, shape_b) = (&bodies.contact_shapes[a], &bodies.contact_shapes[b]);
        approaches(shape_a, pose_a, shape_b, pose_b, reach, &mut self.found);
        self.near.extend(self.found.iter().map(|&approach| Near {
            a,
            b: Some(b),
            offset,
            approach,
            distance,
        }));
    }

    /// The vertices of a floe near the walls of the domain.
    fn add_walls(
        &mut self,
        bodies: &Bodies,
        rule: CollisionDistance,
        row: usize,
        walls: Rectangle,
    ) {
        let own = bodies.collision_distances[row];
        let distance = rule.of_pair(own, own);
        let reach = self.margins[row].max(distance);
        let shape = &bodies.contact_shapes[row];
        let pose = bodies.motions[row].pose;
        let sides = [
            (DVec2::NEG_X, -walls.min.x),
            (DVec2::X, walls.max.x),
            (DVec2::NEG_Y, -walls.min.y),
            (DVec2::Y, walls.max.y),
        ];
        for (side, (normal, position)) in sides.into_iter().enumerate() {
            for vertex in 0..shape.vertex_count() {
                let center = pose.world_from_body(shape.vertex(vertex));
                let point = center + shape.vertex_radius() * normal;
                let gap = position - point.dot(normal);
                if gap <= reach {
                    let approach = Approach {
                        side: Side::A,
                        vertex: vertex as u32,
                        feature: Feature::Edge(side as u32),
                        point_a: point,
                        point_b: point + gap * normal,
                        normal,
                        gap: gap.max(0.0),
                        is_contact: true,
                        clearance: f64::INFINITY,
                    };
                    self.near.push(Near {
                        a: row,
                        b: None,
                        offset: DVec2::ZERO,
                        approach,
                        distance,
                    });
                }
            }
        }
    }
}
