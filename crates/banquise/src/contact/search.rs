//! Who is close to whom: boxes first, then vertices and edges.

use banquise_geometry::{Aabb, Approach, DVec2, NearFeatures};
use rayon::prelude::*;

use super::broad::{BoxPair, BroadPhase};
use super::memory::{Memory, PairKey};
use super::pair::Pair;
use super::settings::CollisionDistance;
use crate::body::Bodies;
use crate::chunks::{CHUNK, SMALL_THINGS, is_worth_sharing};
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

    /// Whether both are approaches of one pair of bodies; of walls, each is on its own.
    pub(crate) fn is_of_same_pair(&self, other: &Self) -> bool {
        self.b.is_some() && (self.a, self.b, self.offset) == (other.a, other.b, other.offset)
    }

    /// Whether the bodies are in contact here.
    pub(crate) fn is_contact(&self) -> bool {
        self.approach.is_contact && self.approach.gap <= self.distance
    }
}

/// Room for the search, and what it found.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchScratch {
    broad: BroadPhase,
    box_pairs: Vec<BoxPair>,
    chunks: Vec<Chunk>,
    /// What was known of pairs at the end of the last step.
    pub(crate) memory: Memory,
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

/// What was found of some pairs, on one thread.
#[derive(Debug, Clone, Default)]
struct Chunk {
    /// Room for the approaches of one pair.
    found: Vec<Approach>,
    features: Vec<(PairKey, NearFeatures)>,
    near: Vec<Near>,
    /// Where they begin among all that is near.
    start: usize,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    /// As far as bodies may go within their margins: nobody looks again before the end of the step.
    Margins,
    /// The same with margins for steps of a given length, in which everybody may become as fast as the fastest.
    Fastest,
    /// As far as bodies go with their velocities, or less: who needs more looks again.
    Velocities,
}

/// Bodies are too close below this share of the collision distance, which impacts alone never reach:
/// they stop what approaches at nine tenths of it.
const PARTING_GAP: f64 = 0.02;
/// In this time they part \[s\]: a millimetre a second for a collision distance of 20 mm, whose energy is
/// nothing beside that of drift.
const PARTING_TIME: f64 = 0.5;

/// However large the bodies are, they part no faster [m/s]: floes of 20 km that lie against a wall at the
/// start would be thrown off it at 10 m/s.
pub(super) const MAX_PARTING_SPEED: f64 = 0.01;

/// A body may move by this many times what its speed gives for the longest step, and by as many
/// collision distances, before the search is out of date: an impact may make it faster.
const MARGIN: f64 = 2.0;

/// Finds all that can matter within `max_dt` [s].
pub(crate) fn search(
    world: &World,
    rule: CollisionDistance,
    (max_dt, range): (f64, Range),
    scratch: &mut SearchScratch,
) {
    let bodies = &world.bodies;
    scratch.frame = frame_of(world);
    let frame = scratch.frame;
    let rows = || (0..bodies.len()).into_par_iter().with_min_len(SMALL_THINGS);
    let speeds = rows().map(|row| speed_in(frame, bodies, row));
    let fastest = speeds.reduce(|| 0.0, f64::max);
    let margin_of = |row: usize| match range {
        Range::Margins | Range::Velocities => margin_of(bodies, row, rule, (frame, max_dt)),
        Range::Fastest => {
            // What is struck leaves with hardly more than the fastest has.
            let own = bodies.collision_distances[row];
            let own = if own.is_finite() {
                rule.of_pair(own, own)
            } else {
                0.0
            };
            max_dt * (speed_in(frame, bodies, row) + fastest) + own
        }
    };
    rows().map(margin_of).collect_into_vec(&mut scratch.margins);
    let box_of = |row: usize| {
        let aabb = bodies.contact_shapes[row].aabb(bodies.motions[row].pose);
        aabb.grown(scratch.margins[row])
    };
    let is_shared = is_worth_sharing(bodies.len());
    if is_shared {
        let rows = (0..bodies.len()).into_par_iter().with_min_len(CHUNK);
        rows.map(box_of).collect_into_vec(&mut scratch.boxes);
    } else {
        scratch.boxes.clear();
        scratch.boxes.extend((0..bodies.len()).map(box_of));
    }
    let boxes = (&scratch.boxes[..], &scratch.margins[..]);
    scratch.broad.pairs(world, boxes, &mut scratch.box_pairs);
    scratch.memory.compare_places(bodies);
    let SearchScratch {
        box_pairs,
        chunks,
        memory,
        margins,
        pairs,
        near,
        ..
    } = scratch;
    let search = Search {
        world,
        rule,
        max_dt,
        range,
        margins,
        memory,
    };
    let searched = |pair: &BoxPair| search.pair((pair.a, Some(pair.b)), (pair.offset, pair.cells));
    let size = if is_shared {
        box_pairs
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .map(searched)
            .collect_into_vec(pairs);
        CHUNK
    } else {
        pairs.clear();
        pairs.extend(box_pairs.iter().map(searched));
        pairs.len().max(1)
    };
    chunks.resize_with(pairs.len().div_ceil(size).max(1), Chunk::default);
    for chunk in &mut *chunks {
        chunk.features.clear();
        chunk.near.clear();
    }
    near.clear();
    if let [chunk] = &mut chunks[..] {
        // The room of all is that of the only one.
        std::mem::swap(near, &mut chunk.near);
    }
    let work = pairs.par_chunks_mut(size).zip(chunks.par_iter_mut());
    work.for_each(|(pairs, chunk)| {
        for pair in pairs {
            search.look_at(pair, chunk);
        }
    });
    gather(pairs.par_chunks_mut(size), chunks, near);
    if matches!(world.domain, Domain::Bounded(_)) {
        for row in world.floe_rows() {
            let mut pair = search.pair((row, None), (DVec2::ZERO, [0, 0]));
            chunks[0].near.clear();
            search.look_at(&mut pair, &mut chunks[0]);
            near.extend_from_slice(&chunks[0].near);
            pair.end = near.len();
            pairs.push(pair);
        }
    }
    memory.swap_features(chunks.iter_mut().map(|chunk| &mut chunk.features));
}

/// Puts what is near from all chunks into one list, and tells their pairs where theirs is in it.
fn gather<'a>(
    pairs: impl IndexedParallelIterator<Item = &'a mut [SearchedPair]>,
    chunks: &mut [Chunk],
    near: &mut Vec<Near>,
) {
    if let [chunk] = chunks {
        std::mem::swap(near, &mut chunk.near);
        return;
    }
    for chunk in &mut *chunks {
        chunk.start = near.len();
        near.extend_from_slice(&chunk.near);
    }
    pairs.zip(&*chunks).for_each(|(pairs, chunk)| {
        for pair in pairs {
            pair.end += chunk.start;
        }
    });
}

/// The velocity in whose frame bodies move least: that of the floes together, or none where there are walls.
fn frame_of(world: &World) -> DVec2 {
    if matches!(world.domain, Domain::Bounded(_)) {
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
        let margins = self.margins.par_iter().enumerate();
        margins
            .with_min_len(SMALL_THINGS)
            .all(|(row, &margin)| dt * speed_in(self.frame, bodies, row) <= margin)
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

/// What the look at all pairs reads.
struct Search<'a> {
    world: &'a World,
    rule: CollisionDistance,
    max_dt: f64,
    range: Range,
    margins: &'a [f64],
    memory: &'a Memory,
}

impl Search<'_> {
    /// A pair that has not been looked at.
    fn pair(
        &self,
        (a, b): (usize, Option<usize>),
        (offset, cells): (DVec2, [i32; 2]),
    ) -> SearchedPair {
        let distances = &self.world.bodies.collision_distances;
        let distance = self.rule.of_pair(distances[a], distances[b.unwrap_or(a)]);
        let pair = Pair {
            a,
            b,
            offset,
            cells,
            distance,
        };
        SearchedPair {
            pair,
            reach: 0.0,
            end: 0,
        }
    }

    fn look_at(&self, searched: &mut SearchedPair, chunk: &mut Chunk) {
        let bodies = &self.world.bodies;
        let pair = searched.pair;
        let reach = match self.range {
            Range::Margins | Range::Fastest => {
                let margins = self.margins[pair.a] + pair.b.map_or(0.0, |b| self.margins[b]);
                margins.max(pair.distance)
            }
            Range::Velocities => pair.reach(bodies, self.max_dt),
        };
        let is_known_far = self.memory.gap(bodies, &pair) > reach;
        if !is_known_far {
            let motions = (&bodies.motions[pair.a], pair.b.map(|b| &bodies.motions[b]));
            let known = self.memory.features(bodies.ids(), &pair);
            let out = (&mut chunk.found, &mut chunk.near);
            let features = pair.look(self.world, motions, (reach, self.max_dt), known, out);
            chunk.features.extend(pair.key(bodies.ids()).zip(features));
        }
        (searched.reach, searched.end) = (reach, chunk.near.len());
    }
}

impl SearchScratch {
    /// Remembers how far apart all pairs are at least after `dt` \[s\] of the velocities that bodies have.
    pub(crate) fn remember(&mut self, bodies: &Bodies, dt: f64) {
        let (pairs, near) = (&self.pairs, &self.near);
        self.memory.renew(bodies.ids(), pairs.len(), |index| {
            let SearchedPair { pair, reach, end } = pairs[index];
            let start = if index == 0 { 0 } else { pairs[index - 1].end };
            let gap = gap_of(&near[start..end], reach);
            (pair, gap - dt * pair.closing_speed(bodies))
        });
    }
}

/// The smallest gap of a pair, or how far was looked.
pub(crate) fn gap_of(near: &[Near], reach: f64) -> f64 {
    near.iter()
        .fold(reach, |gap, near| gap.min(near.approach.gap))
}
