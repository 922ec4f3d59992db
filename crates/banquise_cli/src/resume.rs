//! `banquise resume`: goes on with a run from its last checkpoint, or starts a variant there.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use banquise::RunState;
use banquise_io::checkpoint::{Checkpoint, CheckpointError, Header, fingerprint};
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::recording::{DATASET, RecordingWriter, RunStatus, record_times};
use banquise_io::scenario::ScenarioInput;
use banquise_io::zarr::{ZarrError, ZarrReader};
use serde_json::json;

use crate::arguments::ResumeArguments;
use crate::capsules::{Capsules, FOLDER};
use crate::checkpoints::{Checkpoints, Extra};
use crate::directories::output_directory;
use crate::failure::{Failure, chain};
use crate::lock::lock_folder;
use crate::progress::duration_text;
use crate::run::{Ending, Session, Stop, carry_out, manifest};
use crate::step_log::StepLog;
use crate::threads::use_threads;

pub(crate) fn resume(arguments: &ResumeArguments) -> Result<ExitCode, Failure> {
    use_threads(arguments.threads)?;
    let started = Instant::now();
    let directory = &arguments.directory;
    if !directory.is_dir() {
        return Err(Failure::usage(
            format!("there is no directory `{}`", directory.display()),
            "name the directory of a run, as printed by `banquise run`",
        ));
    }
    let is_branch = !arguments.set.is_empty();
    // A variant only reads.
    let lock = (!is_branch).then(|| lock_folder(directory)).transpose()?;
    let (checkpoint, reason) =
        Checkpoint::read(directory).map_err(|error| unusable(directory, &error))?;
    let Checkpoint { header, state } = checkpoint;
    refuse_python(directory, &header)?;
    if let Some(reason) = reason {
        eprintln!(
            "note: the last checkpoint cannot be used: {}; the one before it is at {}",
            chain(&reason),
            duration_text(header.time)
        );
    }
    let state = restore(directory, &header, &state)?;
    let stop = Stop::on_interrupt()?;
    let deadline = arguments.checkpoint.wall_time.map(|limit| started + limit);
    let ending = Ending {
        open: arguments.open,
        json: arguments.json,
    };
    let session = match lock {
        Some(lock) => {
            if is_complete(directory) {
                eprintln!(
                    "`{}` is complete: there is nothing to go on with",
                    directory.display()
                );
                if arguments.json {
                    println!("{}", complete_json(directory, &header));
                }
                return Ok(ExitCode::SUCCESS);
            }
            let prepared = prepare(&header, &[])?.resume(state);
            check_fingerprint(&header, &prepared)?;
            let session = go_on(arguments, &header, prepared, lock)?;
            eprintln!(
                "going on at {} of {}",
                duration_text(header.time),
                duration_text(session.prepared.duration)
            );
            session
        }
        None => branch(arguments, &header, state)?,
    };
    carry_out(
        Session {
            deadline,
            ..session
        },
        &stop,
        ending,
    )
}

/// What is known of a complete run: its last checkpoint is that of its end.
fn complete_json(directory: &Path, header: &Header) -> serde_json::Value {
    json!({
        "status": RunStatus::Complete.name(),
        "directory": directory,
        "dataset": directory.join(DATASET),
        "report": directory.join(banquise_io::report::PAGE),
        "steps": header.steps,
        "simulated_s": header.time,
        "state_hash": header.state_hash,
    })
}

/// A checkpoint that cannot be used.
fn unusable(directory: &Path, error: &CheckpointError) -> Failure {
    let hint = match error {
        CheckpointError::Read { .. } => {
            "it was stopped before its first checkpoint, or is no run: run the scenario again"
        }
        CheckpointError::Version { .. } => {
            "go on with the program that wrote it, or run the scenario again"
        }
        CheckpointError::Foreign | CheckpointError::Damaged { .. } => {
            "the checkpoint before it cannot be used either: run the scenario again"
        }
    };
    Failure::usage(
        format!(
            "`{}` has no checkpoint to go on from: {}",
            directory.display(),
            chain(error)
        ),
        hint,
    )
}

/// A run from Python goes on there alone: its functions are in no file.
fn refuse_python(directory: &Path, header: &Header) -> Result<(), Failure> {
    let Some(run) = header.extra.get("run") else {
        return Ok(());
    };
    let functions = ["force", "callback"].map(|kind| {
        let name = run.get(kind).and_then(serde_json::Value::as_str);
        name.map(|name| (format!("the {kind} `{name}`"), format!(", {kind}=…")))
    });
    let (names, given): (Vec<String>, Vec<String>) = functions.into_iter().flatten().unzip();
    let functions = match names.len() {
        0 => String::new(),
        _ => format!(" with {}", names.join(" and ")),
    };
    let directory = directory.display();
    Err(Failure::usage(
        format!("`{directory}` was run from Python{functions}: the command cannot go on with it"),
        format!(
            "in Python: banquise.Simulation.resume(\"{directory}\"{})",
            given.concat()
        ),
    ))
}

fn restore(directory: &Path, header: &Header, state: &[u8]) -> Result<RunState, Failure> {
    let refused = |what: String| {
        Failure::usage(
            format!("the checkpoint of `{}`: {what}", directory.display()),
            format!(
                "it was written by Banquise {}: go on with that version",
                header.program
            ),
        )
    };
    let state = RunState::from_bytes(state).map_err(|error| refused(chain(&error)))?;
    let hash = format!("{:016x}", state.world.state_hash());
    if hash != header.state_hash {
        let stored = &header.state_hash;
        return Err(refused(format!(
            "its state has the hash {hash}, and was stored with {stored}"
        )));
    }
    Ok(state)
}

/// The scenario of a checkpoint, with further overrides.
fn prepare(header: &Header, set: &[String]) -> Result<Plan, Failure> {
    let input = ScenarioInput::of_text(&header.name, &header.scenario, &header.folder);
    let overrides = [&header.overrides[..], set].concat();
    Ok(Plan::of(&input, &overrides)?)
}

/// The forcing must be that of the run: a file that the scenario names may have changed.
fn check_fingerprint(header: &Header, prepared: &PreparedRun) -> Result<(), Failure> {
    if fingerprint(&prepared.simulation) == header.fingerprint {
        return Ok(());
    }
    Err(Failure::usage(
        format!(
            "forcing and settings are not those of the run: a file in `{}` that the scenario names has changed, or the program",
            header.folder.display()
        ),
        format!(
            "bring the files back; the run was made by Banquise {}",
            header.program
        ),
    ))
}

fn is_complete(directory: &Path) -> bool {
    let recording = ZarrReader::open(directory.join(DATASET));
    recording.is_ok_and(|recording| {
        recording.attributes().get("status") == Some(&json!(RunStatus::Complete.name()))
    })
}

/// The run itself, from its checkpoint on.
fn go_on(
    arguments: &ResumeArguments,
    header: &Header,
    mut prepared: PreparedRun,
    lock: banquise_io::lock::FolderLock,
) -> Result<Session, Failure> {
    let directory = arguments.directory.clone();
    let mut extra = extra_of(&directory, header)?;
    extra.watchdogs.choose(&arguments.watch);
    let capsules = Capsules::new(directory.join(FOLDER), extra.capsules);
    prepared.simulation.settings.contact.capture = capsules.needed();
    let manifest = manifest(&prepared);
    let writer = RecordingWriter::resume(
        &directory,
        &manifest,
        &prepared.simulation,
        &header.recorder,
    )
    .map_err(|error| unfit_recording(&error, &directory))?;
    let steps = extra
        .steps_bytes
        .map(|length| StepLog::resume(&directory, length));
    let names = [
        header.name.clone(),
        header.folder.to_string_lossy().into_owned(),
    ];
    Ok(Session {
        checkpoints: Checkpoints::new(directory.clone(), names, &prepared, &arguments.checkpoint),
        directory,
        prepared,
        writer,
        capsules,
        steps: steps.transpose()?,
        watchdogs: extra.watchdogs,
        skipped: extra.skipped,
        records: header.recorder.records,
        done: header.steps,
        failed: None,
        is_within_step: false,
        deadline: None,
        lock,
    })
}

/// What the command keeps in a checkpoint.
fn extra_of(directory: &Path, header: &Header) -> Result<Extra, Failure> {
    serde_json::from_value(header.extra.clone()).map_err(|error| {
        Failure::usage(
            format!("the checkpoint of `{}`: {error}", directory.display()),
            "go on with the program that wrote it",
        )
    })
}

/// A recording that cannot be gone on with: where it cannot be written, the run is as safe as before.
fn unfit_recording(error: &ZarrError, directory: &Path) -> Failure {
    if let ZarrError::Io {
        action: "write", ..
    } = error
    {
        return Failure::Unwritten {
            message: chain(error),
            hint: format!(
                "is the disk full, or may it not be written? The run is safe up to its checkpoint: make room, then `banquise resume {}`",
                directory.display()
            ),
        };
    }
    Failure::usage(
        format!(
            "the recording does not fit its checkpoint: {}",
            chain(error)
        ),
        format!(
            "it is damaged, or was changed after the run; its checkpoint is whole: go on in a new folder with `banquise resume {} --set title='\"again\"' --out NEW`",
            directory.display()
        ),
    )
}

/// Tables of a scenario whose values are not in the state: a variant may change them.
const CHANGEABLE: [&str; 9] = [
    "title", "summary", "time", "report", "wind", "current", "drag", "coriolis", "contact",
];
/// Keys in them that went into the bodies when they were made.
const IN_BODIES: [&str; 2] = ["contact.friction", "contact.restitution"];

fn check_changeable(set: &[String]) -> Result<(), Failure> {
    for item in set {
        let key = item.split('=').next().unwrap_or_default().trim();
        let table = key.split('.').next().unwrap_or_default();
        if !CHANGEABLE.contains(&table) || IN_BODIES.contains(&key) {
            return Err(Failure::usage(
                format!(
                    "`{key}` is in the state of the run already, and a variant cannot change it"
                ),
                format!(
                    "change keys of {}, or run the scenario anew",
                    CHANGEABLE.join(", ")
                ),
            ));
        }
    }
    Ok(())
}

/// A variant in a folder of its own, from the checkpoint on.
fn branch(
    arguments: &ResumeArguments,
    header: &Header,
    state: RunState,
) -> Result<Session, Failure> {
    check_changeable(&arguments.set)?;
    let extra = extra_of(&arguments.directory, header)?;
    let prepared = prepare(header, &arguments.set)?.resume(state);
    let time = prepared.simulation.world.clock.time;
    if prepared.duration <= time {
        return Err(Failure::usage(
            format!(
                "the variant would end at {}, and the checkpoint is at {}",
                duration_text(prepared.duration),
                duration_text(time)
            ),
            "set a longer time.duration",
        ));
    }
    let name = format!("{}-branch", header.name);
    let directory = output_directory(arguments.out.as_deref(), &name)?;
    let lock = lock_folder(&directory)?;
    let writer = RecordingWriter::create(&directory, &manifest(&prepared), &prepared.simulation)
        .map_err(Failure::Output)?;
    let origin = json!({
        "directory": std::path::absolute(&arguments.directory).unwrap_or_default(),
        "time_s": time,
        "steps": header.steps,
        "state_hash": header.state_hash,
        "overrides": arguments.set,
    });
    writer
        .set_attribute("branched_from", origin)
        .map_err(Failure::Output)?;
    let times = record_times(prepared.duration, prepared.record_every);
    let mut watchdogs = extra.watchdogs.branch(&prepared.simulation);
    watchdogs.choose(&arguments.watch);
    // It has a table of steps where its origin has one.
    let steps = extra.steps_bytes.map(|_| StepLog::create(&directory));
    let names = [name, header.folder.to_string_lossy().into_owned()];
    Ok(Session {
        checkpoints: Checkpoints::new(directory.clone(), names, &prepared, &arguments.checkpoint),
        skipped: times.take_while(|&record| record <= time).count(),
        capsules: Capsules::new(
            directory.join(FOLDER),
            crate::capsules::CapsuleState::default(),
        ),
        watchdogs,
        directory,
        prepared,
        writer,
        steps: steps.transpose()?,
        records: 0,
        done: header.steps,
        failed: None,
        is_within_step: false,
        deadline: None,
        lock,
    })
}
