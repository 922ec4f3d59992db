//! Local time stepping with an event queue (Lubachevsky 1991): within a step, each floe moves freely until its next impact.
//!
//! Between two impacts a body moves with constant velocity, so that its pose at any time is known without a step. Each
//! pair has a guaranteed time without contact, by the bound of [`safe_time_of`]; these times wait in the event queue. When
//! the first of them has come, that pair alone is queried again. If it is in contact and
//! approaches, the floes of its island, and no others, end a local step: forces act on
//! them over the time since their last one, the impact is solved, and the times of their pairs are computed anew.
//! At the end of the step all floes are advanced to the same time.
//!
//! Of earlier steps only the impulses in the state of the world matter here. Events are processed in the order of times, then of pairs.

use std::collections::BinaryHeap;
use std::ops::Range;

use banquise_geometry::{Approach, DVec2};

use super::context::{StepInputs, begin};
use super::event_queue::{Event, EventKind};
use super::finish::{body_text, check_finite, check_squeezed, interrupted};
use super::forcing::{body_load, missing_data};
use super::integrate::advance;
use super::shorten::SHORTEST;
use super::timing::{EventPart, StageTimer};
use crate::body::Bodies;
use crate::budget::Budget;
use crate::contact::{
    CollideScratch, CollisionDistance, ContactCandidate, ContactReport, ContactSettings, Pair,
    PairQuery, SearchScratch, collide_islands, gap_of, is_impact, margin_of, note_collisions,
    safe_time_of, speed_in,
};
use crate::domain::Domain;
use crate::error::StepError;
use crate::motion::Motion;
use crate::world::World;

/// Operations of an event, counted against the grace of the stop flag: some microseconds.
const EVENT_OPERATIONS: u64 = 10_000;

/// Budget and statistics of the local steps of floes, before the last part of the step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Events {
    pub(super) budget: Budget,
    pub(super) contact: ContactReport,
    /// When the step ends, where it must before its time \[s\].
    pub(super) end: Option<f64>,
}

/// Scratch buffers of the event queue.
#[derive(Debug, Clone, Default)]
pub(super) struct LocalScratch {
    bodies: Vec<BodyTime>,
    /// Impulses of the ocean cells on floes before the last part of the step [N s].
    pub(super) ocean_impulses: Vec<DVec2>,
    pairs: Vec<PairTime>,
    /// Pairs of each body.
    pairs_of: Vec<Vec<u32>>,
    queue: BinaryHeap<Event>,
    island: Vec<usize>,
    queried: Vec<QueriedPair>,
    found: Vec<Approach>,
    candidates: Vec<ContactCandidate>,
    /// Number of the last island, with which visited bodies and pairs are marked.
    mark: u32,
}

impl LocalScratch {
    /// Sets the local time of all bodies to the start of the step.
    pub(super) fn reset(&mut self, world: &World) {
        self.bodies.clear();
        self.bodies.resize(world.bodies.len(), BodyTime::default());
        self.ocean_impulses.clear();
        self.ocean_impulses
            .resize(world.ocean_velocities.len(), DVec2::ZERO);
    }

    /// Local time of a body, from the start of the step \[s\].
    pub(super) fn since(&self, row: usize) -> f64 {
        self.bodies[row].since
    }
}

/// Local time of a body. Times are counted from the start of the step \[s\].
#[derive(Debug, Clone, Copy, Default)]
struct BodyTime {
    /// Time of its motion.
    since: f64,
    /// Distance it could move from then before it leaves its box \[m\].
    margin: f64,
    /// Time at which it leaves its box.
    leaves: f64,
    mark: u32,
}

/// Guaranteed times of a pair.
#[derive(Debug, Clone, Copy)]
struct PairTime {
    pair: Pair,
    /// Lower bound on the gap at the time `at` \[m\]; the two have kept their velocities since.
    gap: f64,
    at: f64,
    /// Time of the next query.
    look: f64,
    mark: u32,
}

/// A pair queried for an island, with its candidates; none if it is too far apart for a contact.
#[derive(Debug, Clone)]
struct QueriedPair {
    pair: u32,
    reach: f64,
    candidates: Range<usize>,
}

/// Processes all events within the step, after the impacts at its start. The caller advances bodies over the rest of the step, from
/// [`LocalScratch::since`] on.
pub(super) fn run_events(mut event_loop: EventLoop<'_>) -> Result<Events, StepError> {
    event_loop.timer.start_part(EventPart::Query);
    event_loop.start()?;
    while event_loop.events.end.is_none()
        && let Some(event) = event_loop.local.queue.pop()
    {
        let workspace = event_loop.collide.workspace.get();
        workspace.note_other_work(EVENT_OPERATIONS);
        if workspace.is_interrupted() {
            return Err(interrupted(event_loop.world));
        }
        match event.kind {
            // A rescheduled event has another entry in the queue; this one is stale.
            EventKind::Query(index)
                if event_loop.local.pairs[index as usize].look == event.time =>
            {
                event_loop.query_or_collide(index, event.time)?;
            }
            EventKind::Refit(row) if event_loop.local.bodies[row as usize].leaves == event.time => {
                event_loop.refit_box(row as usize, event.time);
            }
            EventKind::Query(_) | EventKind::Refit(_) => {}
        }
    }
    event_loop.remember();
    Ok(event_loop.events)
}

/// The event loop of a step, with all that it reads and writes.
pub(super) struct EventLoop<'a> {
    pub(super) world: &'a mut World,
    pub(super) inputs: &'a StepInputs<'a>,
    pub(super) contact: &'a ContactSettings,
    /// Length of the step \[s\].
    pub(super) dt: f64,
    pub(super) search: &'a mut SearchScratch,
    pub(super) collide: &'a mut CollideScratch,
    pub(super) local: &'a mut LocalScratch,
    pub(super) timer: &'a mut dyn StageTimer,
    pub(super) events: Events,
}

impl EventLoop<'_> {
    /// Fills the queue from the results of the search.
    fn start(&mut self) -> Result<(), StepError> {
        let body_count = self.world.bodies.len();
        let local = &mut *self.local;
        local.queue.clear();
        local.pairs.clear();
        local.mark = 0;
        local.reset(self.world);
        local.pairs_of.resize_with(body_count, Vec::new);
        local.pairs_of.iter_mut().for_each(Vec::clear);
        for row in 0..body_count {
            self.local.bodies[row].margin = self.search.margins[row];
            self.schedule_refit(row, 0.0);
        }
        let mut start = 0;
        for index in 0..self.search.pairs.len() {
            let searched = self.search.pairs[index];
            let candidates = start..searched.end;
            start = searched.end;
            self.add_pair(searched.pair, 0.0);
            let candidates = &self.search.candidates[candidates];
            let due = self.safe_until(&searched.pair, candidates, searched.reach, 0.0);
            self.local.pairs[index].gap = gap_of(candidates, searched.reach);
            self.schedule_query(index as u32, 0.0, due)?;
        }
        Ok(())
    }

    /// Caches lower bounds on the gaps of all pairs at the end of the step.
    fn remember(&mut self) {
        let (bodies, pairs, dt) = (&self.world.bodies, &self.local.pairs, self.dt);
        self.search
            .pair_cache
            .renew(bodies.ids(), pairs.len(), |index| {
                let PairTime { pair, gap, at, .. } = pairs[index];
                (pair, gap - (dt - at) * pair.closing_speed(bodies))
            });
    }

    fn add_pair(&mut self, pair: Pair, at: f64) -> u32 {
        let index = self.local.pairs.len() as u32;
        for row in std::iter::once(pair.a).chain(pair.b) {
            self.local.pairs_of[row].push(index);
        }
        self.local.pairs.push(PairTime {
            pair,
            gap: 0.0,
            at,
            look: f64::INFINITY,
            mark: 0,
        });
        index
    }

    /// Motion of a body at a time.
    fn motion(&self, row: usize, time: f64) -> Motion {
        let mut motion = self.world.bodies.motions[row];
        let elapsed = time - self.local.bodies[row].since;
        if elapsed > 0.0 {
            motion.pose.position += elapsed * motion.velocity.linear;
            motion.pose.rotation = motion
                .pose
                .rotation
                .turned_by(elapsed * motion.velocity.angular);
        }
        motion
    }

    /// Time until which the two cannot touch, given all approaches within `reach`.
    fn safe_until(
        &self,
        pair: &Pair,
        candidates: &[ContactCandidate],
        reach: f64,
        time: f64,
    ) -> f64 {
        let bodies = &self.world.bodies;
        // Vertices beyond the reach, which are not listed.
        let thresholds = &self.contact.thresholds;
        let entry_gap = thresholds.entry_gap;
        let mut safe = far_time(
            reach - entry_gap * pair.distance,
            pair.closing_speed(bodies),
        );
        if !candidates.is_empty() {
            let (a, b) = (
                self.motion(pair.a, time),
                pair.b.map(|b| self.motion(b, time)),
            );
            for candidate in candidates {
                let longest = safe.min(self.dt - time);
                let motions = (&a, b.as_ref());
                safe = safe.min(safe_time_of(
                    bodies, candidate, motions, longest, thresholds,
                ));
            }
        }
        time + safe
    }

    /// Puts a pair into the queue, if it must be queried before the end of the step.
    fn schedule_query(&mut self, index: u32, now: f64, look: f64) -> Result<(), StepError> {
        self.local.pairs[index as usize].look = look;
        if look >= self.dt {
            return Ok(());
        }
        let clock = self.world.clock;
        if clock.time + look <= clock.time + now {
            check_finite(clock.step, clock.time, self.world)?;
            let pair = self.local.pairs[index as usize].pair;
            let text = |row: usize| body_text(&self.world.bodies, row);
            let other = pair.b.map_or_else(|| "a wall".to_owned(), text);
            return Err(StepError::StepCollapsed {
                step: clock.step,
                time: clock.time + now,
                dt: look - now,
                bodies: format!("{} and {other}", text(pair.a)).into(),
            });
        }
        self.local.queue.push(Event {
            time: look,
            kind: EventKind::Query(index),
        });
        Ok(())
    }

    fn schedule_refit(&mut self, row: usize, now: f64) {
        if !self.world.bodies.is_floe(row) {
            // It stays in its box until the end of the step.
            self.local.bodies[row].leaves = f64::INFINITY;
            return;
        }
        let speed = speed_in(self.search.frame, &self.world.bodies, row);
        let body = &mut self.local.bodies[row];
        body.leaves = body.since + body.margin / speed;
        if body.leaves < self.dt {
            let time = body.leaves.max(now);
            body.leaves = time;
            self.local.queue.push(Event {
                time,
                kind: EventKind::Refit(row as u32),
            });
        }
    }

    /// Handles the end of a pair's bound: a new bound, or an impact.
    fn query_or_collide(&mut self, index: u32, time: f64) -> Result<(), StepError> {
        self.local.candidates.clear();
        let (reach, candidates) = self.query(index, time);
        let pair = self.local.pairs[index as usize].pair;
        let (a, b) = (
            self.motion(pair.a, time),
            pair.b.map(|b| self.motion(b, time)),
        );
        let candidates = &self.local.candidates[candidates];
        let is_impact = candidates
            .iter()
            .any(|candidate| is_impact(candidate, (&a, b.as_ref()), self.contact));
        if is_impact {
            return self.resolve_impact(&pair, time);
        }
        let due = self.safe_until(&pair, candidates, reach, time);
        self.schedule_query(index, time, due)
    }

    /// Queries a pair: adds its candidates and stores its gap. Returns the reach of the query.
    fn query(&mut self, index: u32, time: f64) -> (f64, Range<usize>) {
        let pair = self.local.pairs[index as usize].pair;
        let (a, b) = (
            self.motion(pair.a, time),
            pair.b.map(|b| self.motion(b, time)),
        );
        let bodies = &self.world.bodies;
        let reach = pair.reach(bodies, self.dt - time);
        let start = self.local.candidates.len();
        let local = &mut *self.local;
        let pair_cache = &mut self.search.pair_cache;
        let ids = bodies.ids();
        let known = pair_cache.features(ids, &pair);
        let query = PairQuery {
            motions: (&a, b.as_ref()),
            reach,
            time: self.dt,
            known,
            cached_motion_share: self.contact.thresholds.cached_motion_share,
        };
        let (found, candidates) = (&mut local.found, &mut local.candidates);
        let features = pair.query(self.world, &query, found, candidates);
        if let Some((key, features)) = pair.key(ids).zip(features) {
            pair_cache.replace_features(key, features);
        }
        let candidates = start..local.candidates.len();
        let known = &mut local.pairs[index as usize];
        known.gap = gap_of(&local.candidates[candidates.clone()], reach);
        known.at = time;
        (reach, candidates)
    }

    /// Resolves an impact: the floes of the island of this pair end a local step.
    fn resolve_impact(&mut self, pair: &Pair, time: f64) -> Result<(), StepError> {
        self.find_island(pair, time);
        self.timer.start_part(EventPart::Forcing);
        for position in 0..self.local.island.len() {
            self.advance_body_to(self.local.island[position], time)?;
        }
        self.advance_obstacles_to(time);
        self.timer.start_part(EventPart::Solve);
        let (world, candidates) = (&mut *self.world, &self.local.candidates);
        let (left, collide) = (self.dt - time, &mut *self.collide);
        collide.log.set_time(world.clock.time + time);
        // No ice is crushed before: impulses of crushing are those of a whole step.
        let may_end = collide.crushed.is_empty() && time >= SHORTEST * self.dt;
        let (budget, mut contact) =
            collide_islands(world, candidates, left, may_end, self.contact, collide);
        if collide.must_end {
            self.dt = time;
            self.events.end = Some(time);
        }
        check_squeezed(world, self.collide.squeezed.as_ref())?;
        contact.collisions = note_collisions(world, candidates, &mut self.collide.log);
        self.events.budget.contact += budget;
        self.events.contact += contact;
        self.timer.start_part(EventPart::Query);
        if self.events.end.is_some() {
            return Ok(());
        }
        for position in 0..self.local.queried.len() {
            let QueriedPair {
                pair,
                reach,
                candidates,
            } = self.local.queried[position].clone();
            let known = &mut self.local.pairs[pair as usize];
            if self.collide.is_crushed(&known.pair) {
                // They may overlap until the end of the step.
                (known.gap, known.look) = (f64::INFINITY, f64::INFINITY);
                continue;
            }
            let (known, candidates) = (known.pair, &self.local.candidates[candidates]);
            let due = self.safe_until(&known, candidates, reach, time);
            self.schedule_query(pair, time, due)?;
        }
        for position in 0..self.local.island.len() {
            self.schedule_refit(self.local.island[position], time);
        }
        Ok(())
    }

    /// Lists the floes of the island of this pair, and all their pairs with candidates.
    fn find_island(&mut self, pair: &Pair, time: f64) {
        self.local.mark += 1;
        self.local.island.clear();
        self.local.queried.clear();
        self.local.candidates.clear();
        self.join(pair.a);
        pair.b.into_iter().for_each(|b| self.join(b));
        let mut position = 0;
        while position < self.local.island.len() {
            let row = self.local.island[position];
            position += 1;
            for number in 0..self.local.pairs_of[row].len() {
                let index = self.local.pairs_of[row][number];
                self.visit_pair(index, time);
            }
        }
    }

    fn join(&mut self, row: usize) {
        let body = &mut self.local.bodies[row];
        if body.mark != self.local.mark && self.world.bodies.is_floe(row) {
            body.mark = self.local.mark;
            self.local.island.push(row);
        }
    }

    /// Queries a pair of a floe of the island, unless its bound shows that it is too far apart for a contact.
    fn visit_pair(&mut self, index: u32, time: f64) {
        let known = &mut self.local.pairs[index as usize];
        if known.mark == self.local.mark {
            return;
        }
        known.mark = self.local.mark;
        let pair = known.pair;
        known.gap -= (time - known.at) * pair.closing_speed(&self.world.bodies);
        known.at = time;
        if known.gap > pair.distance {
            let end = self.local.candidates.len();
            self.local.queried.push(QueriedPair {
                pair: index,
                reach: known.gap,
                candidates: end..end,
            });
            return;
        }
        let (reach, candidates) = self.query(index, time);
        let is_contact = self.local.candidates[candidates.clone()]
            .iter()
            .any(ContactCandidate::is_contact);
        self.local.queried.push(QueriedPair {
            pair: index,
            reach,
            candidates,
        });
        if is_contact {
            self.join(pair.a);
            pair.b.into_iter().for_each(|b| self.join(b));
        }
    }

    /// Ends a local step of a floe: it moves, and forces act on it.
    fn advance_body_to(&mut self, row: usize, time: f64) -> Result<(), StepError> {
        let frame = self.search.frame;
        let body = &mut self.local.bodies[row];
        let (since, elapsed) = (body.since, time - body.since);
        if elapsed <= 0.0 {
            return Ok(());
        }
        let world = &mut *self.world;
        body.margin -= elapsed * speed_in(frame, &world.bodies, row);
        body.since = time;
        let context = begin(self.inputs, world.clock.time + since, elapsed);
        let load = body_load(&context, world, row);
        if let Some(error) = missing_data(&context, world, row, &load) {
            return Err(error);
        }
        let bodies = &mut world.bodies;
        let (inv_mass, inv_inertia) = (bodies.inv_masses[row], bodies.inv_inertias[row]);
        let before = bodies.motions[row].velocity;
        // Positions are brought back into a periodic cell at the end of the step.
        self.events.budget += advance(
            Domain::Free,
            &mut bodies.motions[row],
            &load,
            inv_mass,
            inv_inertia,
        );
        bodies.force_delta_v[row] = bodies.motions[row].velocity - before;
        self.collide.breaker.note_force_time(bodies, row, elapsed);
        self.local.ocean_impulses[load.cell] += elapsed * load.force_of_water();
        Ok(())
    }

    /// Advances moving obstacles.
    fn advance_obstacles_to(&mut self, time: f64) {
        for number in 0..self.world.bodies.paths.len() {
            let bodies = &self.world.bodies;
            let id = bodies.paths[number].0;
            let row = bodies.row_of(id).expect("a path has its body");
            self.world.bodies.motions[row] = self.motion(row, time);
            self.local.bodies[row].since = time;
        }
    }

    /// Refits the box of a body that leaves it, and adds new neighbours.
    fn refit_box(&mut self, row: usize, time: f64) {
        let (frame, left) = (self.search.frame, self.dt - time);
        let margin = margin_of(&self.world.bodies, row, self.contact, frame, left);
        let pose = self.motion(row, time).pose;
        let aabb = self.world.bodies.contact_shapes[row].aabb(pose);
        self.search.boxes[row] = aabb.translated(-time * frame).grown(margin);
        let speed = speed_in(frame, &self.world.bodies, row);
        let body = &mut self.local.bodies[row];
        body.margin = margin + speed * (time - body.since);
        self.schedule_refit(row, time);
        for other in (0..self.world.bodies.len()).filter(|&other| other != row) {
            let one_moves = self.world.bodies.is_floe(row) || self.world.bodies.is_floe(other);
            if one_moves {
                self.add_neighbour(row.min(other), row.max(other), time);
            }
        }
    }

    /// Adds the pairs of two bodies whose boxes overlap, if they are not known.
    fn add_neighbour(&mut self, a: usize, b: usize, time: f64) {
        let cell = match self.world.domain {
            Domain::Periodic(cell) => cell.size(),
            Domain::Free | Domain::Bounded(_) => DVec2::ZERO,
        };
        let shifts: &[f64] = if cell == DVec2::ZERO {
            &[0.0]
        } else {
            &[-1.0, 0.0, 1.0]
        };
        for &x in shifts {
            for &y in shifts {
                let offset = cell * DVec2::new(x, y);
                let boxes = &self.search.boxes;
                if !boxes[a].overlaps(&boxes[b].translated(offset)) {
                    continue;
                }
                let distance = pair_distance(&self.world.bodies, self.contact.distance, a, b);
                let motions = &self.world.bodies.motions;
                let (winding_a, winding_b) = (motions[a].winding, motions[b].winding);
                let cells = [
                    x as i32 + winding_a[0] - winding_b[0],
                    y as i32 + winding_a[1] - winding_b[1],
                ];
                let pair = Pair {
                    a,
                    b: Some(b),
                    offset,
                    cells,
                    distance,
                };
                let mut known = self.local.pairs_of[a].iter();
                if known.any(|&index| self.local.pairs[index as usize].pair == pair) {
                    continue;
                }
                let index = self.add_pair(pair, time);
                self.local.pairs[index as usize].look = time;
                self.local.queue.push(Event {
                    time,
                    kind: EventKind::Query(index),
                });
            }
        }
    }
}

fn pair_distance(bodies: &Bodies, rule: CollisionDistance, a: usize, b: usize) -> f64 {
    let distances = &bodies.collision_distances;
    rule.of_pair(distances[a], distances[b])
}

/// Time in which bodies may come closer by `gap` \[m\], in seconds.
fn far_time(gap: f64, closing_speed: f64) -> f64 {
    if closing_speed > 0.0 {
        gap / closing_speed
    } else {
        f64::INFINITY
    }
}
