//! `banquise run`.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use banquise::{Method, NoTimer, Simulation, Source, StepError, StopFlag, World};
use banquise_io::plan::PreparedRun;
use banquise_io::recording::{
    Manifest, RecordingWriter, RunStatus, contact_statistics, fracture_statistics, load_statistics,
    record_times,
};
use serde_json::json;

use crate::VERSION;
use crate::arguments::RunArguments;
use crate::capsules::{Capsules, FOLDER};
use crate::directories::output_directory;
use crate::failure::Failure;
use crate::progress::{Progress, duration_text, rounded};
use crate::report::{open_page, write_report};
use crate::scenarios::find_and_tell;
use crate::step_log::StepLog;
use crate::threads::use_threads;

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    // Before a scenario's pack is made, which uses them.
    use_threads(arguments.threads)?;
    let found = find_and_tell(&arguments.scenario, &arguments.set)?;
    let stop = stop_on_interrupt()?;
    let directory = output_directory(arguments.out.as_deref(), &found.name)?;
    let mut prepared = found.run;
    let manifest = manifest(&prepared);
    let mut capsules = Capsules::new(directory.join(FOLDER), arguments.capture);
    prepared.simulation.settings.contact.capture = capsules.needed();
    let mut writer = RecordingWriter::create(&directory, &manifest, &prepared.simulation)
        .map_err(Failure::Output)?;
    let steps = arguments.steps.then(|| StepLog::create(&directory));
    let mut steps = steps.transpose()?;
    let start = Instant::now();
    let outcome = record_run(&mut prepared, &mut writer, &mut capsules, &mut steps, &stop);
    let wall = start.elapsed().as_secs_f64();
    let status = match &outcome {
        Ok(status) => *status,
        Err(_) => RunStatus::Failed,
    };
    let simulation = &prepared.simulation;
    writer.finish(simulation, status).map_err(Failure::Output)?;
    let (report, findings) = write_report(&directory)?;
    summarise(simulation, status, wall, &directory);
    if arguments.capture.is_some() {
        capsules.summarise();
    }
    eprintln!("report: {}", report.display());
    eprintln!("{}", findings.happened.join(" "));
    eprintln!("{}", findings.trust.join(" "));
    if arguments.open {
        open_page(&report);
    }
    if arguments.json {
        let mut summary = summary_json(simulation, status, wall, &directory, &report);
        summary["what_happened"] = json!(findings.happened);
        summary["how_far_to_trust_it"] = json!(findings.trust);
        if arguments.capture.is_some() {
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

/// Steps and records until the end, an interrupt or a failure.
fn record_run(
    prepared: &mut PreparedRun,
    writer: &mut RecordingWriter,
    capsules: &mut Capsules,
    steps: &mut Option<StepLog>,
    stop: &StopFlag,
) -> Result<RunStatus, Failure> {
    let simulation = &mut prepared.simulation;
    simulation.stop_on(stop);
    let mut progress = Progress::new(prepared.duration);
    let mut status = RunStatus::Complete;
    writer.record(simulation).map_err(Failure::Output)?;
    for time in record_times(prepared.duration, prepared.record_every) {
        let advanced = simulation.advance_to(time, &mut NoTimer, &mut |world, report| {
            progress.show(world.clock.time);
            capsules.store(&report.captured);
            if let Some(steps) = steps {
                steps.add(world.clock.time, report);
            }
            if stop.is_set() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let interrupted = match advanced {
            Ok(flow) => flow.is_break(),
            // In the midst of a step there is no state to record.
            Err(StepError::Interrupted { .. }) => {
                progress.clear();
                return Ok(RunStatus::Interrupted);
            }
            Err(error) => {
                progress.clear();
                capsules.store(simulation.captured());
                return Err(Failure::Step(error));
            }
        };
        // An interrupted run keeps the state it was stopped in as its last record.
        writer.record(simulation).map_err(Failure::Output)?;
        if interrupted {
            status = RunStatus::Interrupted;
            break;
        }
    }
    progress.clear();
    Ok(status)
}

/// The first Ctrl-C ends the run in order, the second at once.
fn stop_on_interrupt() -> Result<StopFlag, Failure> {
    let stop = StopFlag::default();
    let flag = stop.clone();
    #[expect(clippy::exit, reason = "the user asked twice")]
    let handler = move || {
        if flag.set() {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::usage(error.to_string(), "run it as a program of its own"))?;
    Ok(stop)
}

/// Provenance in the recording: text and overrides of the scenario.
fn manifest(prepared: &PreparedRun) -> Manifest {
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

fn summarise(simulation: &Simulation, status: RunStatus, wall: f64, directory: &Path) {
    let clock = simulation.world.clock;
    eprintln!(
        "{}: {} in {} steps, {} of wall time, {} times real time",
        status.name(),
        duration_text(clock.time),
        clock.step,
        duration_text(wall),
        rounded(clock.time / wall),
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
    if methods.is_empty() {
        return "contacts: no impulse was needed".into();
    }
    format!(
        "contacts: {} in {} impacts ({}), {} unsolved{}, residual {:.1e}, \
         {:.3e} J lost to restitution, {:.3e} J to friction",
        contact.impact_contacts,
        contact.impacts,
        methods.join(", "),
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
