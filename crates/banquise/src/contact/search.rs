//! Who is close to whom: boxes first, then vertices and edges.

use banquise_geometry::{Aabb, Approach, Bvh, DVec2, PeriodicPair};

use super::pair::Pair;
use super::settings::{CollisionDistance, Integrator};
use crate::body::Bodies;
use crate::domain::Domain;
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
    bvh: Bvh,
    box_pairs: Vec<(u32, u32)>,
    periodic_pairs: Vec<PeriodicPair>,
    found: Vec<Approach>,
    /// The velocity in whose frame margins and boxes are meant [m/s]: a pack that drifts is at rest in it.
    pub(crate) frame: DVec2,
    /// How far each body may move in the frame before the search is out of date \[m\].
    pub(crate) margins: Vec<f64>,
    /// Boxes round the bodies, grown by their margins.
    pub(crate) boxes: Vec<Aabb>,
    /// All pairs whose boxes overlap, in order; then each floe with the walls.
    pub(crate) pairs: Vec<SearchedPair>,
    /// All that is near, in the order of the pairs.
    pub(crate) near: Vec<Near>,
}

/// A pair and what was found of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedPair {
    pub(crate) pair: Pair,
    /// How far was looked: what is not listed is farther away \[m\].
    pub(crate) reach: f64,
    /// Where its approaches end in the list of all that is near; they start where those of the pair before end.
    pub(crate) end: usize,
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
    integrator: Integrator,
    scratch: &mut SearchScratch,
) {
    let bodies = &world.bodies;
    scratch.frame = frame_of(world);
    scratch.margins.clear();
    scratch.boxes.clear();
    let speeds = (0..bodies.len()).map(|row| speed_in(scratch.frame, bodies, row));
    let fastest = speeds.fold(0.0, f64::max);
    for row in 0..bodies.len() {
        let margin = match integrator {
            Integrator::Event => margin_of(bodies, row, rule, (scratch.frame, max_dt)),
            Integrator::Stepping => {
                // What is struck leaves with hardly more than the fastest has.
                let own = bodies.collision_distances[row];
                let own = if own.is_finite() {
                    rule.of_pair(own, own)
                } else {
                    0.0
                };
                max_dt * (speed_in(scratch.frame, bodies, row) + fastest) + own
            }
        };
        scratch.margins.push(margin);
        let pose = bodies.motions[row].pose;
        scratch
            .boxes
            .push(bodies.contact_shapes[row].aabb(pose).grown(margin));
    }
    scratch.bvh.build(&scratch.boxes);
    scratch.pairs.clear();
    scratch.near.clear();
    match world.domain {
        Domain::Periodic(cell) => {
            scratch
                .bvh
                .pairs_periodic(cell.size(), &mut scratch.periodic_pairs);
            for index in 0..scratch.periodic_pairs.len() {
                let PeriodicPair { a, b, offset } = scratch.periodic_pairs[index];
                scratch.add_pair(world, rule, (a as usize, Some(b as usize)), offset);
            }
        }
        Domain::Free | Domain::Walls(_) => {
            scratch.bvh.pairs(&mut scratch.box_pairs);
            for index in 0..scratch.box_pairs.len() {
                let (a, b) = scratch.box_pairs[index];
                scratch.add_pair(world, rule, (a as usize, Some(b as usize)), DVec2::ZERO);
            }
        }
    }
    if matches!(world.domain, Domain::Walls(_)) {
        for row in world.floe_rows() {
            scratch.add_pair(world, rule, (row, None), DVec2::ZERO);
        }
    }
}

/// The velocity in whose frame bodies move least: that of the floes together, or none where there are walls.
fn frame_of(world: &World) -> DVec2 {
    if matches!(world.domain, Domain::Walls(_)) {
        return DVec2::ZERO;
    }
    let mass: f64 = world
        .floe_rows()
        .map(|row| world.bodies.masses()[row])
        .sum();
    if mass > 0.0 {
        world.momentum() / mass
    } else {
        DVec2::ZERO
    }
}

/// A bound of the speed of the points of a body in the frame [m/s].
pub(crate) fn speed_in(frame: DVec2, bodies: &Bodies, row: usize) -> f64 {
    let velocity = bodies.motions[row].velocity;
    (velocity.linear - frame).length() + velocity.angular.abs() * bodies.radii[row]
}

impl SearchScratch {
    /// Whether all floes stay within their margins for `dt` \[s\].
    pub(crate) fn is_within_margins(&self, bodies: &Bodies, dt: f64) -> bool {
        let mut margins = self.margins.iter().enumerate();
        margins.all(|(row, &margin)| dt * speed_in(self.frame, bodies, row) <= margin)
    }
}

/// How far a body may move in the frame \[m\].
pub(crate) fn margin_of(
    bodies: &Bodies,
    row: usize,
    rule: CollisionDistance,
    (frame, max_dt): (DVec2, f64),
) -> f64 {
    let speed = speed_in(frame, bodies, row);
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
        world: &World,
        rule: CollisionDistance,
        (a, b): (usize, Option<usize>),
        offset: DVec2,
    ) {
        let bodies = &world.bodies;
        if !bodies.is_floe(a) && b.is_none_or(|b| !bodies.is_floe(b)) {
            return;
        }
        let distances = &bodies.collision_distances;
        let pair = Pair {
            a,
            b,
            offset,
            distance: rule.of_pair(distances[a], distances[b.unwrap_or(a)]),
        };
        let margins = self.margins[a] + b.map_or(0.0, |b| self.margins[b]);
        let reach = margins.max(pair.distance);
        let motions = (&bodies.motions[a], b.map(|b| &bodies.motions[b]));
        let (found, near) = (&mut self.found, &mut self.near);
        let walls = world.domain.rectangle();
        pair.look(bodies, walls, motions, reach, (found, near));
        let end = self.near.len();
        self.pairs.push(SearchedPair { pair, reach, end });
    }
}
