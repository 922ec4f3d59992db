//! `banquise run`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banquise::{Method, NoTimer, Simulation, Source, StepError, StopFlag, World};
use banquise_io::checkpoint::Checkpoint;
use banquise_io::lock::FolderLock;
use banquise_io::plan::PreparedRun;
use banquise_io::recording::{
    Manifest, RecordingWriter, RunStatus, contact_statistics, fracture_statistics, load_statistics,
    mark_failed, record_times,
};
use serde_json::json;

use crate::VERSION;
use crate::arguments::RunArguments;
use crate::capsules::{CapsuleState, Capsules, FOLDER};
use crate::checkpoints::{Checkpoints, Extra};
use crate::directories::output_directory;
use crate::failure::{Failure, chain};
use crate::fracture::specimen;
use crate::lock::lock_folder;
use crate::progress::{Progress, duration_text, rounded};
use crate::report::{open_page, write_report};
use crate::scenarios::{find_and_tell, is_specimen, open};
use crate::size;
use crate::step_capsule;
use crate::step_log::StepLog;
use crate::threads::use_threads;
use crate::watchdog::Watchdogs;

/// A run about to begin, or to go on.
pub(crate) struct Session {
    pub(crate) directory: PathBuf,
    pub(crate) prepared: PreparedRun,
    pub(crate) writer: RecordingWriter,
    pub(crate) capsules: Capsules,
    pub(crate) steps: Option<StepLog>,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) watchdogs: Watchdogs,
    /// Record times that lay before the start of the recording.
    pub(crate) skipped: usize,
    /// Records that are in the recording already.
    pub(crate) records: usize,
    /// Steps that are done.
    pub(crate) done: u64,
    /// Message of the step that failed.
    pub(crate) failed: Option<String>,
    /// Whether it was interrupted within a step, so that there is no last state.
    pub(crate) is_within_step: bool,
    /// The moment at which it stops by itself.
    pub(crate) deadline: Option<Instant>,
    /// Held until the end.
    pub(crate) lock: FolderLock,
}

/// What happens at the end of a run.
#[derive(Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) open: bool,
    pub(crate) json: bool,
}

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    // Before a scenario's pack is made, which uses them.
    use_threads(arguments.threads)?;
    let started = Instant::now();
    let input = open(&arguments.scenario)?;
    if is_specimen(&input) {
        return specimen::run(arguments, &input);
    }
    let found = find_and_tell(&arguments.scenario, &arguments.set)?;
    let stop = Stop::on_interrupt()?;
    let directory = output_directory(arguments.out.as_deref(), &found.name)?;
    let lock = lock_folder(&directory)?;
    let mut prepared = found.run;
    let manifest = manifest(&prepared);
    let state = CapsuleState::new(arguments.capture);
    let capsules = Capsules::new(directory.join(FOLDER), state);
    prepared.simulation.settings.contact.capture = capsules.needed();
    let writer = RecordingWriter::create(&directory, &manifest, &prepared.simulation)
        .map_err(Failure::Output)?;
    let steps = arguments.steps.then(|| StepLog::create(&directory));
    // An empty path, which is the present directory, is not made absolute.
    let folder = std::path::absolute(Path::new(".").join(&found.folder)).unwrap_or(found.folder);
    let names = [found.name, folder.to_string_lossy().into_owned()];
    let min_step = arguments.watch.min_step.map(|step| step.as_secs_f64());
    size::tell(&prepared);
    let session = Session {
        checkpoints: Checkpoints::new(directory.clone(), names, &prepared, &arguments.checkpoint),
        watchdogs: Watchdogs::new(&arguments.watch.watch, min_step, &prepared.simulation),
        directory,
        prepared,
        writer,
        capsules,
        steps: steps.transpose()?,
        skipped: 0,
        records: 0,
        done: 0,
        failed: None,
        is_within_step: false,
        deadline: arguments.checkpoint.wall_time.map(|limit| started + limit),
        lock,
    };
    let ending = Ending {
        open: arguments.open,
        json: arguments.json,
    };
    carry_out(session, &stop, ending)
}

/// Carries a run out, from where it is to its end, and makes its report.
pub(crate) fn carry_out(
    mut session: Session,
    stop: &Stop,
    ending: Ending,
) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let begun = session.prepared.simulation.world.clock.time;
    let outcome = session.record(stop);
    let wall = start.elapsed().as_secs_f64();
    let status = match &outcome {
        Ok(status) => *status,
        Err(_) => RunStatus::Failed,
    };
    let Session {
        directory,
        prepared,
        writer,
        capsules,
        steps,
        watchdogs,
        done,
        failed,
        is_within_step,
        lock,
        ..
    } = session;
    let simulation = &prepared.simulation;
    let finished = if is_within_step {
        writer.finish_within_step(simulation)
    } else {
        writer.finish(simulation, status)
    };
    let finished = finished.map_err(Failure::Output);
    // By now the last checkpoint is on the disk.
    if let Some(message) = &failed {
        store_step(&directory, done, message);
    }
    let outcome = outcome.map_err(|failure| with_what_is_safe(failure, &directory));
    if let (Ok(_), Err(failure)) = (&outcome, finished) {
        mark_failed(&directory);
        return Err(with_what_is_safe(failure, &directory));
    }
    if matches!(outcome, Err(Failure::Unwritten { .. })) {
        mark_failed(&directory);
        return outcome.map(|_| ExitCode::SUCCESS);
    }
    let (report, findings) = write_report(&directory)?;
    drop(lock);
    summarise(simulation, status, wall, begun, &directory);
    let is_captured = capsules.state().choice.is_some();
    if is_captured {
        capsules.summarise();
    }
    if let Some(events) = watchdogs.summary() {
        eprintln!("{events}");
    }
    eprintln!("report: {}", report.display());
    eprintln!("{}", findings.happened.join(" "));
    eprintln!("{}", findings.trust.join(" "));
    if status == RunStatus::Interrupted {
        eprintln!("to go on: banquise resume {}", directory.display());
    }
    if ending.open {
        open_page(&report);
    }
    if ending.json {
        let mut summary = summary_json(simulation, status, wall, &directory, &report);
        summary["what_happened"] = json!(findings.happened);
        summary["how_far_to_trust_it"] = json!(findings.trust);
        summary["watchdogs"] = watchdogs.to_json();
        if is_within_step {
            for hash in ["state_hash", "motion_hash"] {
                summary[hash] = json!(null);
            }
        }
        if is_captured {
            summary["capsules"] = capsules.to_json();
        }
        println!("{summary}");
    }
    let outcome = outcome?;
    capsules.into_result()?;
    steps.map_or(Ok(()), StepLog::into_result)?;
    Ok(match outcome {
        RunStatus::Interrupted => ExitCode::from(130),
        _ => ExitCode::SUCCESS,
    })
}

/// Stores the state before the step that failed, and says where.
fn store_step(directory: &Path, step: u64, message: &str) {
    match step_capsule::store(directory, &directory.join(FOLDER), step, message) {
        Some(path) => eprintln!("capsule: banquise replay {}", path.display()),
        None => eprintln!("there is no capsule of step {step}: no checkpoint can be used"),
    }
}

/// Adds to a failure to write what is safe, and how to go on.
fn with_what_is_safe(failure: Failure, directory: &Path) -> Failure {
    let Failure::Output(error) = failure else {
        return failure;
    };
    let hint = match Checkpoint::read(directory) {
        Ok((checkpoint, _)) => format!(
            "is the disk full, or the directory gone? The run is safe up to {}: make room, then `banquise resume {}`",
            duration_text(checkpoint.header.time),
            directory.display()
        ),
        Err(_) => "is the disk full, or the directory gone? There is no checkpoint yet: make room, and run it again".into(),
    };
    Failure::Unwritten {
        message: chain(&error),
        hint,
    }
}

/// Why stepping towards a record ended.
enum Pause {
    Reached,
    /// A checkpoint is due.
    Due,
    Stopped,
    /// A watchdog ends the run, with this message.
    WatchdogStop(String),
}

impl Session {
    /// Steps and records until the end, an interrupt or a failure.
    fn record(&mut self, stop: &Stop) -> Result<RunStatus, Failure> {
        self.prepared.simulation.stop_on(&stop.solves);
        let mut progress = Progress::new(self.prepared.duration);
        let status = self.record_shown(stop, &mut progress);
        progress.clear();
        status
    }

    fn record_shown(&mut self, stop: &Stop, progress: &mut Progress) -> Result<RunStatus, Failure> {
        if self.records == 0 {
            self.add_record()?;
            self.checkpoint()?;
        }
        let times = record_times(self.prepared.duration, self.prepared.record_every);
        for time in times.skip(self.skipped + self.records - 1) {
            loop {
                match self.advance(time, stop, progress) {
                    Ok(Pause::Reached) => break,
                    Ok(Pause::Due) => self.checkpoint()?,
                    Ok(Pause::Stopped) => {
                        self.checkpoint()?;
                        // An interrupted run keeps the state it was stopped in as its last record; one that goes on drops it.
                        self.add_record()?;
                        return Ok(RunStatus::Interrupted);
                    }
                    // In the midst of a step there is no state to record.
                    Err(StepError::Interrupted { .. }) => {
                        self.is_within_step = true;
                        return Ok(RunStatus::Interrupted);
                    }
                    Ok(Pause::WatchdogStop(message)) => {
                        progress.clear();
                        self.failed = Some(message.clone());
                        let directory = self.directory.clone();
                        return Err(Failure::Watchdog { message, directory });
                    }
                    Err(error) => {
                        progress.clear();
                        self.capsules.store(self.prepared.simulation.captured());
                        self.failed = Some(error.to_string());
                        return Err(Failure::Step(error));
                    }
                }
            }
            self.add_record()?;
        }
        self.checkpoint()?;
        Ok(RunStatus::Complete)
    }

    /// Steps towards a time \[s\]. A checkpoint or an interrupt falls between two steps, and shortens none.
    fn advance(
        &mut self,
        time: f64,
        stop: &Stop,
        progress: &mut Progress,
    ) -> Result<Pause, StepError> {
        let Self {
            prepared,
            capsules,
            steps,
            checkpoints,
            watchdogs,
            deadline,
            done,
            ..
        } = self;
        *done = prepared.simulation.world.clock.step;
        let mut pause = Pause::Reached;
        let flow = prepared
            .simulation
            .advance_to(time, &mut NoTimer, &mut |world, report| {
                progress.show(world.clock.time);
                capsules.store(&report.captured);
                if let Some(steps) = steps {
                    steps.add(world.clock.time, report);
                }
                if let Err(message) = watchdogs.look(world, report) {
                    pause = Pause::WatchdogStop(message);
                    return ControlFlow::Break(());
                }
                *done = world.clock.step;
                let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if stop.is_asked() || is_late {
                    pause = Pause::Stopped;
                    return ControlFlow::Break(());
                }
                if checkpoints.is_due(world.clock.time) {
                    pause = Pause::Due;
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })?;
        debug_assert_eq!(flow.is_continue(), matches!(pause, Pause::Reached));
        Ok(pause)
    }

    fn add_record(&mut self) -> Result<(), Failure> {
        self.records += 1;
        let recorded = self.writer.record(&self.prepared.simulation);
        self.prepared.simulation.collisions.drop_waiting();
        recorded.map_err(Failure::Output)
    }

    fn checkpoint(&mut self) -> Result<(), Failure> {
        let logged = self.writer.record_collisions(&self.prepared.simulation);
        logged.map_err(Failure::Output)?;
        self.prepared.simulation.collisions.drop_waiting();
        let extra = Extra {
            skipped: self.skipped,
            capsules: self.capsules.state().clone(),
            steps_bytes: self.steps.as_mut().map(StepLog::length).transpose()?,
            watchdogs: self.watchdogs.clone(),
        };
        self.checkpoints
            .write(&self.prepared.simulation, &self.writer, &extra)
    }
}

/// How long a step may take to end after an interrupt, before its solves are broken off: most end sooner, and the state after them
/// is kept.
const GRACE: Duration = Duration::from_millis(50);
/// How long a step may take to end after SIGTERM, which comes from batch systems: they kill only some 10 to 30 s later. A checkpoint can be written
/// only after a whole step, and those of large packs take longer than [`GRACE`].
const TERMINATION_GRACE: Duration = Duration::from_secs(5);

/// What an interrupt sets.
pub(crate) struct Stop {
    asked: StopFlag,
    /// Breaks solves off.
    solves: StopFlag,
}

impl Stop {
    /// The first Ctrl-C or SIGTERM ends the run in order, the second at once.
    pub(crate) fn on_interrupt() -> Result<Self, Failure> {
        let stop = Self {
            asked: StopFlag::default(),
            solves: StopFlag::default(),
        };
        let (asked, solves) = (stop.asked.clone(), stop.solves.clone());
        let is_terminated = Arc::new(AtomicBool::new(false));
        let terminated = is_terminated.clone();
        let handler = move || {
            if asked.set() {
                std::process::exit(130);
            }
            let (solves, terminated) = (solves.clone(), terminated.clone());
            std::thread::spawn(move || {
                std::thread::sleep(GRACE);
                if terminated.load(Ordering::Relaxed) {
                    std::thread::sleep(TERMINATION_GRACE);
                }
                solves.set();
            });
        };
        let refused = |error: String| Failure::usage(error, "run it as a program of its own");
        ctrlc::set_handler(handler).map_err(|error| refused(error.to_string()))?;
        tell_termination(&is_terminated).map_err(|error| refused(error.to_string()))?;
        Ok(stop)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_set()
    }

    /// The flag that breaks solves off.
    pub(crate) fn solves(&self) -> &StopFlag {
        &self.solves
    }
}

/// Sets a flag on SIGTERM, beside the handler of all signals, which is not told which one came.
#[cfg(unix)]
fn tell_termination(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGTERM, flag.clone()).map(drop)
}

#[cfg(not(unix))]
fn tell_termination(_: &Arc<AtomicBool>) -> std::io::Result<()> {
    Ok(())
}

/// Provenance in the recording: text and overrides of the scenario.
pub(crate) fn manifest(prepared: &PreparedRun) -> Manifest {
    Manifest {
        title: prepared.title.clone(),
        version: VERSION.to_owned(),
        scenario: prepared.scenario.clone(),
        overrides: prepared.overrides.clone(),
        start: prepared.start.clone(),
        origin: prepared.origin,
        duration: prepared.duration,
        report: prepared.report.clone(),
    }
}

fn summarise(simulation: &Simulation, status: RunStatus, wall: f64, begun: f64, directory: &Path) {
    let clock = simulation.world.clock;
    eprintln!(
        "{}: {} in {} steps, {} of wall time, {} times real time",
        status.name(),
        duration_text(clock.time),
        clock.step,
        duration_text(wall),
        rounded((clock.time - begun) / wall),
    );
    if simulation.contact.impacts > 0 {
        eprintln!("{}", contact_text(simulation));
    }
    if simulation.settings.fracture.is_some() {
        eprintln!("{}", fracture_text(simulation));
    }
    tell_skipped(&simulation.world);
    eprintln!(
        "dataset: {}",
        directory.join(banquise_io::recording::DATASET).display()
    );
}

/// Statistics of contacts, in a line.
fn contact_text(simulation: &Simulation) -> String {
    let contact = &simulation.contact;
    let losses = &simulation.world.budget.contact;
    let methods: Vec<String> = Method::ALL
        .iter()
        .zip(contact.methods)
        .filter(|(_, count)| *count > 0)
        .map(|(method, count)| format!("{} {count}", method.name()))
        .collect();
    if contact.impacts == 0 {
        return "contacts: no impulse was needed".into();
    }
    format!(
        "contacts: {} in {} impacts{}, {} unsolved{}, residual {:.1e}, \
         {:.3e} J lost to restitution, {:.3e} J to friction",
        contact.impact_contacts,
        contact.impacts,
        // Laws without methods of Coulomb's have a solver of their own.
        match methods.len() {
            0 => String::new(),
            _ => format!(" ({})", methods.join(", ")),
        },
        contact.unsolved,
        match contact.infeasible {
            0 => String::new(),
            count => format!(" ({count} infeasible)"),
        },
        contact.residual,
        losses.normal_loss,
        losses.tangent_loss,
    )
}

/// Statistics of fracture, in a line.
fn fracture_text(simulation: &Simulation) -> String {
    let fracture = &simulation.fracture;
    let losses = &simulation.world.budget.contact;
    format!(
        "fracture: {} blows on floes, {} with the energy and {} with the strain for a crack, {} broke; \
         {} pressed, {} with the strain, {} broke; {} pieces, {:.3e} J in cracks",
        fracture.struck,
        fracture.struck_with_energy,
        fracture.struck_with_strain,
        fracture.struck_broken,
        fracture.pressed,
        fracture.pressed_with_strain,
        fracture.pressed_broken,
        fracture.pieces,
        losses.fracture_loss + losses.fracture_strain,
    )
}

/// Floes that were due at each source, and those for which there was no room.
fn source_statistics(world: &World) -> serde_json::Value {
    let sources = world.sources.iter();
    sources
        .map(|source| json!({ "due": source.tried(), "skipped": source.skipped() }))
        .collect()
}

/// One line for people; nothing where every floe found its place.
fn tell_skipped(world: &World) {
    let tried: u64 = world.sources.iter().map(Source::tried).sum();
    let skipped: u64 = world.sources.iter().map(Source::skipped).sum();
    if skipped > 0 {
        eprintln!("sources: {skipped} of {tried} floes did not enter, for want of room");
    }
}

fn summary_json(
    simulation: &Simulation,
    status: RunStatus,
    wall: f64,
    directory: &Path,
    report: &Path,
) -> serde_json::Value {
    let world = &simulation.world;
    json!({
        "status": status.name(),
        "directory": directory,
        "dataset": directory.join(banquise_io::recording::DATASET),
        "report": report,
        "floes": world.floe_rows().count(),
        "steps": world.clock.step,
        "simulated_s": world.clock.time,
        "wall_s": wall,
        "kinetic_energy_j": world.kinetic_energy(),
        "state_hash": format!("{:016x}", world.state_hash()),
        "motion_hash": format!("{:016x}", world.motion_hash()),
        "contact": contact_statistics(simulation),
        "fracture": fracture_statistics(simulation),
        "loads": load_statistics(world),
        "sources": source_statistics(world),
    })
}
