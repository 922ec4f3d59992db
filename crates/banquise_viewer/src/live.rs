//! A run that goes on while one looks: it can be paused, stepped and resumed, and its wind changed.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banquise::{NoTimer, Simulation, SpatialField, VectorSeries};
use banquise_geometry::DVec2;
use banquise_io::plan::PreparedRun;
use banquise_io::recording::{BodyTable, Frame, SeenVersions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::measures::{LiveHistory, Measures};
use crate::paths::trail_length;
use crate::ranges::ranges;
use crate::ranges::some_records;
use crate::stage::{SharedTable, Stage, floe_extent};
use crate::weather::BodyWeather;

/// Memory for the frames kept \[bytes\]; beyond it every second one is let go.
const MAX_MEMORY: usize = 256 << 20;
/// Bytes of a body in a frame.
const BYTES_PER_BODY: usize = 104;
/// The page waits this long for news, then asks again.
const NEWS_EVERY: Duration = Duration::from_secs(2);
/// Records a second, unless the page asks for another pace: quick runs can be watched.
const PACE: f64 = 20.0;
/// No wind is stronger [m/s].
const MAX_WIND: f64 = 60.0;

/// Commands of the page to a live run.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Command {
    /// Stop after the current step.
    Pause {},
    /// Go on.
    Resume {},
    /// Take one step, then pause.
    Step {},
    /// Blow from now on with this wind [m/s].
    Wind { x: f64, y: f64 },
    /// Blow as the scenario says.
    Weather {},
    /// Make this many records a second at most.
    Pace { records_per_second: f64 },
}

impl Command {
    /// Error of the numbers in it.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let (is_sound, problem) = match *self {
            Self::Wind { x, y } => (
                DVec2::new(x, y).length() <= MAX_WIND,
                "a wind of at most 60 m/s can be set",
            ),
            Self::Pace { records_per_second } => (
                (0.1..=1000.0).contains(&records_per_second),
                "from 0.1 to 1000 records a second can be made",
            ),
            Self::Pause {} | Self::Resume {} | Self::Step {} | Self::Weather {} => return None,
        };
        (!is_sound).then_some(problem)
    }
}

/// A run in a thread of its own.
pub struct LiveRun {
    stage: Stage,
    has_drag: bool,
    shared: Arc<Shared>,
    running: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    board: Mutex<Board>,
    changed: Condvar,
    /// A command waits: the run reads it after the current step.
    wanted: AtomicBool,
}

/// A record that the page can ask for.
#[derive(Clone)]
struct Kept {
    frame: Arc<Frame>,
    /// Where it differs from place to place.
    weather: Option<Arc<BodyWeather>>,
}

impl Kept {
    fn of(simulation: &Simulation) -> Self {
        let frame = Frame::of(simulation);
        Self {
            weather: BodyWeather::of(simulation, &frame).map(Arc::new),
            frame: Arc::new(frame),
        }
    }
}

/// State shared between the run and the page.
#[derive(Default)]
struct Board {
    frames: Vec<Kept>,
    history: LiveHistory,
    /// Grows when frames are let go.
    generation: usize,
    /// Grows with everything the page should hear of.
    version: u64,
    /// Of all frames made, every so many are kept.
    keep_every: usize,
    status: &'static str,
    failure: Option<String>,
    /// Whether a page has looked: a short run shall not be over before.
    is_seen: bool,
    is_paused: bool,
    steps_wanted: u32,
    /// The wind asked for; `None` for that of the scenario.
    wind: Option<DVec2>,
    pace: f64,
    is_over: bool,
}

impl Board {
    /// The frame that was the `record`-th one in a `generation`, or the one kept before it: a page may not have heard yet
    /// that frames were let go. Each generation keeps every second frame of the one before, from the first on.
    fn kept(&self, record: usize, generation: usize) -> Option<&Kept> {
        let halvings = self.generation.checked_sub(generation)?;
        let halvings = u32::try_from(halvings).ok()?;
        self.frames.get(record.checked_shr(halvings).unwrap_or(0))
    }
}

impl Shared {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveRun {
    /// Gets the run ready; it goes on once a page looks.
    pub fn start(prepared: PreparedRun) -> Self {
        let first = Kept::of(&prepared.simulation);
        let table = BodyTable::of(&prepared.simulation.world);
        let domain = prepared.simulation.world.domain;
        let extent = domain
            .rectangle()
            .unwrap_or_else(|| floe_extent(&table, &first.frame));
        let has_obstacles = table.is_obstacle.contains(&true);
        let stage = Stage {
            title: prepared.title.clone(),
            table: SharedTable::new(table),
            domain,
            start: prepared.start.clone(),
            duration: prepared.duration,
            origin: 0.5 * (extent.min + extent.max),
            extent,
            // With neither edges nor land there is nothing else to look at.
            follows_ice: domain.rectangle().is_none() && !has_obstacles,
            weather_differs: prepared.simulation.weather_differs(),
            earth: prepared.origin,
        };
        let has_drag = prepared.simulation.forcing.drag.is_some();
        let shared = Arc::new(Shared::default());
        {
            let mut board = shared.board();
            board.status = "running";
            // Zero is what a page says that knows nothing yet.
            board.version = 1;
            board.pace = PACE;
            board.keep_every = 1;
            board.history.time_window = prepared.report.time_window.unwrap_or(0.0);
            let measures = Measures::of(&prepared.simulation);
            board.history.add(&prepared.simulation, &measures);
            board.frames.push(first);
        }
        let worker = Arc::clone(&shared);
        let table = stage.table.clone();
        let running = std::thread::spawn(move || Run::new(prepared, worker, table).go());
        Self {
            stage,
            has_drag,
            shared,
            running: Some(running),
        }
    }

    pub(crate) fn stage(&self) -> &Stage {
        &self.stage
    }

    pub(crate) fn frame(&self, record: usize, generation: usize) -> Option<Arc<Frame>> {
        let board = self.shared.board();
        Some(Arc::clone(&board.kept(record, generation)?.frame))
    }

    pub(crate) fn weather(&self, record: usize, generation: usize) -> Option<Arc<BodyWeather>> {
        self.shared
            .board()
            .kept(record, generation)?
            .weather
            .clone()
    }

    pub(crate) fn trails(&self) -> Vec<(f64, Vec<DVec2>)> {
        let frames = self.shared.board().frames.clone();
        let limit = trail_length(self.stage.table.get().len());
        let records = some_records(frames.len(), limit).into_iter();
        let at = |record: usize| {
            (
                frames[record].frame.time,
                frames[record].frame.positions.clone(),
            )
        };
        records.map(at).collect()
    }

    pub(crate) fn path(&self, row: usize) -> Vec<DVec2> {
        let board = self.shared.board();
        let frames = board.frames.iter();
        frames
            .filter_map(|kept| kept.frame.positions.get(row).copied())
            .collect()
    }

    pub(crate) fn charts(&self) -> Value {
        let history = self.shared.board().history.clone();
        Value::Array(history.charts())
    }

    /// Ranges of what floes are coloured by, over all frames kept; null while there are new ones.
    pub(crate) fn ranges(&self) -> Value {
        let board = self.shared.board();
        if board.status == "running" {
            return Value::Null;
        }
        let frames = board.frames.clone();
        drop(board);
        let frame = |record: usize| Some(Arc::clone(&frames.get(record)?.frame));
        ranges(&self.stage.table.get(), frames.len(), frame)
    }

    /// Waits for news after a `version`, for a while; tells times beyond the `known` ones of a `generation`.
    pub(crate) fn state(&self, version: usize, generation: usize, known: usize) -> Value {
        let mut board = self.shared.board();
        if !board.is_seen {
            board.is_seen = true;
            self.shared.changed.notify_all();
        }
        // Of a run that has ended there are no news to wait for.
        let is_old = |board: &mut Board| {
            board.version == version as u64 && !board.is_over && board.status == "running"
        };
        let waited = self
            .shared
            .changed
            .wait_timeout_while(board, NEWS_EVERY, is_old);
        let (board, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let from = if board.generation == generation {
            known
        } else {
            0
        };
        let news = board.frames.get(from..).unwrap_or_default().iter();
        json!({
            "live": true,
            "version": board.version,
            "generation": board.generation,
            "records": board.frames.len(),
            "times": news.map(|kept| kept.frame.time).collect::<Vec<f64>>(),
            "status": board.status,
            "failure": board.failure,
            "paused": board.is_paused,
            "has_drag": self.has_drag,
            "wind": board.wind.map(|wind| wind.to_array()),
            "max_wind": MAX_WIND,
            "records_per_second": board.pace,
        })
    }

    /// Does what the page asks.
    pub(crate) fn command(&self, command: Command) {
        let mut board = self.shared.board();
        match command {
            Command::Pause {} => board.is_paused = true,
            Command::Resume {} => board.is_paused = false,
            Command::Step {} => {
                board.is_paused = true;
                board.steps_wanted = board.steps_wanted.saturating_add(1);
            }
            Command::Wind { x, y } => board.wind = Some(DVec2::new(x, y)),
            Command::Weather {} => board.wind = None,
            Command::Pace { records_per_second } => board.pace = records_per_second,
        }
        board.version += 1;
        self.shared.wanted.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
    }
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        self.shared.board().is_over = true;
        self.shared.wanted.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
        if let Some(running) = self.running.take() {
            // A run that panicked has nothing left to end.
            drop(running.join());
        }
    }
}

/// The thread's side.
struct Run {
    simulation: Simulation,
    table: SharedTable,
    /// Bodies whose end is in the table.
    gone_count: usize,
    /// Versions of outlines that the page knows.
    seen: SeenVersions,
    duration: f64,
    record_every: f64,
    /// As the scenario says.
    max_dt: f64,
    weather: (VectorSeries, Option<SpatialField>),
    wind: Option<DVec2>,
    shared: Arc<Shared>,
    made: usize,
    due: Instant,
}

impl Run {
    fn new(prepared: PreparedRun, shared: Arc<Shared>, table: SharedTable) -> Self {
        let forcing = &prepared.simulation.forcing;
        let mut seen = SeenVersions::default();
        seen.update(&prepared.simulation.world);
        Self {
            weather: (forcing.wind.clone(), forcing.wind_field.clone()),
            max_dt: prepared.simulation.max_dt,
            seen,
            gone_count: prepared.simulation.world.gone_bodies().len(),
            table,
            simulation: prepared.simulation,
            duration: prepared.duration,
            record_every: prepared.record_every,
            wind: None,
            shared,
            made: 1,
            due: Instant::now(),
        }
    }

    fn go(mut self) {
        while self.simulation.world.clock.time < self.duration {
            let Some(single) = self.wait() else {
                return;
            };
            if let Err(error) = self.advance(single) {
                let mut board = self.shared.board();
                board.status = "failed";
                board.failure = Some(error.to_string());
                board.version += 1;
                self.shared.changed.notify_all();
                return;
            }
        }
        let mut board = self.shared.board();
        board.status = "complete";
        board.version += 1;
        self.shared.changed.notify_all();
    }

    /// Waits until the run shall go on, and takes over the wind. Says whether for one step only; `None` when it is over.
    fn wait(&mut self) -> Option<bool> {
        let shared = Arc::clone(&self.shared);
        let mut board = shared.board();
        loop {
            shared.wanted.store(false, Ordering::Relaxed);
            if board.is_over {
                return None;
            }
            if board.wind != self.wind {
                self.wind = board.wind;
                self.blow();
            }
            if board.steps_wanted > 0 {
                board.steps_wanted -= 1;
                return Some(true);
            }
            let now = Instant::now();
            let is_resting = board.is_paused || !board.is_seen;
            if !is_resting && now >= self.due {
                let interval = Duration::from_secs_f64(1.0 / board.pace);
                // A run slower than its pace does not catch up later.
                self.due = (self.due + interval).max(now);
                return Some(false);
            }
            let timeout = if is_resting {
                NEWS_EVERY
            } else {
                self.due - now
            };
            let waited = shared.changed.wait_timeout(board, timeout);
            board = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sets the wind, and with it the longest step that is stable.
    fn blow(&mut self) {
        let forcing = &mut self.simulation.forcing;
        (forcing.wind, forcing.wind_field) = match self.wind {
            Some(wind) => (VectorSeries::constant(wind), None),
            None => self.weather.clone(),
        };
        let stable = self.simulation.stable_step(self.duration);
        self.simulation.max_dt = self.max_dt.min(stable);
    }

    /// Goes on to the next record or by a single step, unless a command comes before.
    fn advance(&mut self, single: bool) -> Result<(), banquise::StepError> {
        let time = self.simulation.world.clock.time;
        let next = ((time / self.record_every * (1.0 + 1e-12)).floor() + 1.0) * self.record_every;
        let shared = Arc::clone(&self.shared);
        let stop_early = &mut |_: &banquise::World, _: &banquise::StepReport| {
            if single || shared.wanted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let target = next.min(self.duration);
        let flow = self
            .simulation
            .advance_to(target, &mut NoTimer, stop_early)?;
        // The page has no log of collisions, and it would grow for ever.
        self.simulation.collisions.drop_waiting();
        let is_there = flow.is_continue() || self.simulation.world.clock.time >= target;
        // A run that is only interrupted has no new record to show.
        if single || is_there {
            self.publish();
        }
        Ok(())
    }

    /// Tells the page of bodies that were born, went or were cut, before it can see their frames.
    fn follow_bodies(&mut self) {
        let world = &self.simulation.world;
        let table = self.table.get();
        let gone_count = world.gone_bodies().len();
        let body_count = world.bodies.next_id().0 as usize;
        let cut = self.seen.update(world);
        if table.len() == body_count && self.gone_count == gone_count && cut.is_empty() {
            return;
        }
        let mut table = BodyTable::clone(&table);
        table.update(world, self.gone_count);
        table.add_versions(world, &cut);
        self.gone_count = gone_count;
        self.table.set(table);
    }

    fn publish(&mut self) {
        let measures = Measures::of(&self.simulation);
        self.follow_bodies();
        let mut board = self.shared.board();
        board.history.add(&self.simulation, &measures);
        let is_kept = self.made.is_multiple_of(board.keep_every);
        self.made += 1;
        if is_kept {
            board.frames.push(Kept::of(&self.simulation));
        }
        let bodies = board.frames.iter().map(|kept| kept.frame.positions.len());
        let bodies: usize = bodies.sum();
        let memory = bodies * BYTES_PER_BODY;
        if memory > MAX_MEMORY && board.frames.len() > 2 {
            let mut index = 0;
            board.frames.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            board.keep_every *= 2;
            board.generation += 1;
        }
        board.version += 1;
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use banquise::{Domain, Forcing, StepSettings, World};

    use super::*;

    #[test]
    fn a_page_that_has_not_heard_of_thinning_gets_the_frame_kept_before() {
        let kept = |time: f64| {
            let mut world = World::new(Domain::Free, 1);
            world.clock.time = time;
            let settings = StepSettings::default();
            Kept::of(&Simulation::new(world, Forcing::none(), settings, 1.0))
        };
        // Eleven records, halved twice: those at 0, 4 and 8 s are left.
        let board = Board {
            frames: [0.0, 4.0, 8.0].map(kept).into(),
            generation: 2,
            ..Board::default()
        };
        let time = |record, generation| Some(board.kept(record, generation)?.frame.time);
        assert_eq!(
            [10, 9, 8, 7, 0].map(|record| time(record, 0)),
            [8.0, 8.0, 8.0, 4.0, 0.0].map(Some)
        );
        assert_eq!(
            [5, 4, 3].map(|record| time(record, 1)),
            [8.0, 8.0, 4.0].map(Some)
        );
        assert_eq!(
            [2, 1, 3].map(|record| time(record, 2)),
            [Some(8.0), Some(4.0), None]
        );
        assert_eq!(time(0, 3), None);
    }
}
