//! The search for contact candidates: broad phase by boxes, then narrow phase by vertices and edges.

use banquise_geometry::{Aabb, Approach, DVec2, NearFeatures};
use rayon::prelude::*;

use super::broad::{BoxPair, BroadPhase, SweptBoxes};
use super::candidate::ContactCandidate;
use super::pair::{Pair, PairKey, PairQuery};
use super::pair_cache::PairCache;
use super::settings::{ContactSettings, SearchReach};
use super::squeeze::CrushedPair;
use crate::body::Bodies;
use crate::chunks::{CHUNK, SMALL_THINGS, is_worth_sharing};
use crate::domain::Domain;
use crate::world::World;

/// Scratch buffers and results of the search.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchScratch {
    broad: BroadPhase,
    box_pairs: Vec<BoxPair>,
    chunks: Vec<Chunk>,
    /// Gaps and closest features from the end of the last step.
    pub(crate) pair_cache: PairCache,
    /// Velocity of the frame in which margins and boxes are defined [m/s]: a drifting pack is at rest in it.
    pub(crate) frame: DVec2,
    /// How far each body may move in the frame before the search is out of date \[m\].
    pub(crate) margins: Vec<f64>,
    /// Boxes round the bodies, grown by their margins.
    pub(crate) boxes: Vec<Aabb>,
    /// All pairs whose boxes overlap, in order; then each floe with the walls.
    pub(crate) pairs: Vec<SearchedPair>,
    /// All contact candidates, in the order of the pairs.
    pub(crate) candidates: Vec<ContactCandidate>,
}

/// A pair and its candidates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedPair {
    pub(crate) pair: Pair,
    /// Reach of the query \[m\]: vertices that are not listed are farther away.
    pub(crate) reach: f64,
    /// Where its candidates end among all of them; they start where those of the pair before end.
    pub(crate) end: usize,
}

/// Results for some pairs, on one thread.
#[derive(Debug, Clone, Default)]
struct Chunk {
    /// Scratch buffer for the approaches of one pair.
    found: Vec<Approach>,
    features: Vec<(PairKey, NearFeatures)>,
    candidates: Vec<ContactCandidate>,
    /// Index of the first of them among all candidates.
    start: usize,
}

/// Finds all contact candidates that can matter within `max_dt` [s].
pub(crate) fn search(
    world: &World,
    settings: &ContactSettings,
    max_dt: f64,
    scratch: &mut SearchScratch,
) {
    let bodies = &world.bodies;
    let rule = settings.distance;
    let reach = settings.search_reach();
    let thresholds = &settings.thresholds;
    scratch.frame = frame_of(world);
    let frame = scratch.frame;
    let rows = || (0..bodies.len()).into_par_iter().with_min_len(SMALL_THINGS);
    let speeds = rows().map(|row| speed_in(frame, bodies, row));
    let fastest = speeds.reduce(|| 0.0, f64::max);
    let margin_of = |row: usize| match reach {
        SearchReach::Margins | SearchReach::Velocities => {
            margin_of(bodies, row, settings, frame, max_dt)
        }
        SearchReach::Fastest => {
            // A body that is struck is hardly faster than the fastest one before.
            let own = bodies.collision_distances[row];
            let own = if own.is_finite() {
                rule.of_pair(own, own)
            } else {
                0.0
            };
            let films = settings.lubrication_reach();
            max_dt * (speed_in(frame, bodies, row) + fastest) + own + films
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
    let boxes = SweptBoxes {
        boxes: &scratch.boxes,
        margins: &scratch.margins,
        thresholds,
    };
    scratch.broad.pairs(world, &boxes, &mut scratch.box_pairs);
    scratch.pair_cache.compare_places(bodies);
    let SearchScratch {
        box_pairs,
        chunks,
        pair_cache,
        margins,
        pairs,
        candidates,
        ..
    } = scratch;
    let search = Search {
        world,
        settings,
        max_dt,
        margins,
        pair_cache,
    };
    let searched = |pair: &BoxPair| search.pair(pair.a, Some(pair.b), pair.offset, pair.cells);
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
        chunk.candidates.clear();
    }
    candidates.clear();
    if let [chunk] = &mut chunks[..] {
        // The only chunk holds all candidates.
        std::mem::swap(candidates, &mut chunk.candidates);
    }
    let work = pairs.par_chunks_mut(size).zip(chunks.par_iter_mut());
    work.for_each(|(pairs, chunk)| {
        for pair in pairs {
            search.query(pair, chunk);
        }
    });
    gather(pairs.par_chunks_mut(size), chunks, candidates);
    if matches!(world.domain, Domain::Bounded(_)) {
        for row in world.floe_rows() {
            let mut pair = search.pair(row, None, DVec2::ZERO, [0, 0]);
            chunks[0].candidates.clear();
            search.query(&mut pair, &mut chunks[0]);
            candidates.extend_from_slice(&chunks[0].candidates);
            pair.end = candidates.len();
            pairs.push(pair);
        }
    }
    pair_cache.swap_features(chunks.iter_mut().map(|chunk| &mut chunk.features));
}

/// Joins the candidates of all chunks in one list, and sets the ranges of their pairs.
fn gather<'a>(
    pairs: impl IndexedParallelIterator<Item = &'a mut [SearchedPair]>,
    chunks: &mut [Chunk],
    candidates: &mut Vec<ContactCandidate>,
) {
    if let [chunk] = chunks {
        std::mem::swap(candidates, &mut chunk.candidates);
        return;
    }
    for chunk in &mut *chunks {
        chunk.start = candidates.len();
        candidates.extend_from_slice(&chunk.candidates);
    }
    pairs.zip(&*chunks).for_each(|(pairs, chunk)| {
        for pair in pairs {
            pair.end += chunk.start;
        }
    });
}

/// Velocity of the frame in which bodies move least: the mean velocity of the floes, or zero where there are walls.
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
    settings: &ContactSettings,
    frame: DVec2,
    max_dt: f64,
) -> f64 {
    let speed = speed_in(frame, bodies, row);
    if !bodies.is_floe(row) {
        // Impacts do not change the velocity of an obstacle.
        return speed * max_dt;
    }
    let own = bodies.collision_distances[row];
    settings.thresholds.search_margin * (speed * max_dt + settings.distance.of_pair(own, own))
}

/// Inputs of the narrow phase.
struct Search<'a> {
    world: &'a World,
    settings: &'a ContactSettings,
    max_dt: f64,
    margins: &'a [f64],
    pair_cache: &'a PairCache,
}

impl Search<'_> {
    /// A pair that has not been queried.
    fn pair(&self, a: usize, b: Option<usize>, offset: DVec2, cells: [i32; 2]) -> SearchedPair {
        let distances = &self.world.bodies.collision_distances;
        let rule = self.settings.distance;
        let distance = rule.of_pair(distances[a], distances[b.unwrap_or(a)]);
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

    fn query(&self, searched: &mut SearchedPair, chunk: &mut Chunk) {
        let bodies = &self.world.bodies;
        let pair = searched.pair;
        let reach = match self.settings.search_reach() {
            SearchReach::Margins | SearchReach::Fastest => {
                let margins = self.margins[pair.a] + pair.b.map_or(0.0, |b| self.margins[b]);
                margins.max(pair.distance)
            }
            SearchReach::Velocities => pair.reach(bodies, self.max_dt),
        };
        let is_known_far = self.pair_cache.gap(bodies, &pair) > reach;
        if !is_known_far {
            let motions = (&bodies.motions[pair.a], pair.b.map(|b| &bodies.motions[b]));
            let known = self.pair_cache.features(bodies.ids(), &pair);
            let query = PairQuery {
                motions,
                reach,
                time: self.max_dt,
                known,
                cached_motion_share: self.settings.thresholds.cached_motion_share,
            };
            let features = pair.query(self.world, &query, &mut chunk.found, &mut chunk.candidates);
            chunk.features.extend(pair.key(bodies.ids()).zip(features));
        }
        (searched.reach, searched.end) = (reach, chunk.candidates.len());
    }
}

impl SearchScratch {
    /// All pairs and candidates.
    pub(crate) fn found(&self) -> (Vec<SearchedPair>, Vec<ContactCandidate>) {
        (self.pairs.clone(), self.candidates.clone())
    }

    /// Puts all pairs and candidates back.
    pub(crate) fn put_back(
        &mut self,
        (pairs, candidates): &(Vec<SearchedPair>, Vec<ContactCandidate>),
    ) {
        self.pairs.clone_from(pairs);
        self.candidates.clone_from(candidates);
    }

    /// Leaves out the pairs that crush each other: until the end of the step they may overlap.
    pub(crate) fn leave_out(&mut self, crushed: &[CrushedPair]) {
        if crushed.is_empty() {
            return;
        }
        let all = std::mem::take(&mut self.candidates);
        let mut start = 0;
        for searched in &mut self.pairs {
            let own = &all[start..searched.end];
            start = searched.end;
            let Pair { a, b, offset, .. } = searched.pair;
            if crushed.iter().any(|pair| pair.is_of(a, b, offset)) {
                searched.reach = f64::INFINITY;
            } else {
                self.candidates.extend_from_slice(own);
            }
            searched.end = self.candidates.len();
        }
    }

    /// Caches lower bounds on the gaps of all pairs after `dt` \[s\] at the current velocities.
    pub(crate) fn remember(&mut self, bodies: &Bodies, dt: f64) {
        let (pairs, candidates) = (&self.pairs, &self.candidates);
        self.pair_cache.renew(bodies.ids(), pairs.len(), |index| {
            let SearchedPair { pair, reach, end } = pairs[index];
            let start = if index == 0 { 0 } else { pairs[index - 1].end };
            let gap = gap_of(&candidates[start..end], reach);
            (pair, gap - dt * pair.closing_speed(bodies))
        });
    }
}

/// The smallest gap of a pair, or the reach of its query.
pub(crate) fn gap_of(candidates: &[ContactCandidate], reach: f64) -> f64 {
    candidates
        .iter()
        .fold(reach, |gap, candidate| gap.min(candidate.approach.gap))
}
