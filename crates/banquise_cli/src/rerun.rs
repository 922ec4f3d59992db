//! `banquise rerun`: a recorded run made again from its manifest, and compared.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use banquise::NoTimer;
use banquise_io::checkpoint::Checkpoint;
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::recording::{DATASET, RunStatus, record_times};
use banquise_io::scenario::ScenarioInput;
use banquise_io::zarr::ZarrReader;
use serde_json::{Value, json};

use crate::arguments::RerunArguments;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::threads::use_threads;

pub(crate) fn rerun(arguments: &RerunArguments) -> Result<ExitCode, Failure> {
    use_threads(arguments.threads)?;
    let directory = &arguments.directory;
    let recording = ZarrReader::open(directory.join(DATASET));
    let recording = recording.map_err(|error| Failure::no_run(directory, &error))?;
    let attributes = recording.attributes();
    let text = |key: &str| {
        attributes
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let refuse = |what: &str, hint: &str| {
        let message = format!("`{}` {what}", directory.display());
        Err(Failure::usage(message, hint))
    };
    if attributes.contains_key("branched_from") {
        return refuse(
            "is a variant that began at a checkpoint of another run",
            "run that one again, and the variant from it with `banquise resume --set`",
        );
    }
    if let Some(functions) = attributes.get("python_callbacks").and_then(Value::as_array) {
        let names: Vec<&str> = functions.iter().filter_map(Value::as_str).collect();
        return refuse(
            &format!(
                "was run from Python with {}, which the command does not have",
                names.join(" and ")
            ),
            "run it again in Python, and compare the attribute `state_hash` of the datasets",
        );
    }
    if text("scenario").is_empty() {
        return refuse(
            "was made of arrays in Python: it has no scenario to run again",
            "run it again in Python, and compare the attribute `state_hash` of the datasets",
        );
    }
    let ended = [RunStatus::Complete, RunStatus::Interrupted].map(RunStatus::name);
    let steps = attributes.get("steps").and_then(Value::as_u64);
    let has_state = !text("state_hash").is_empty();
    let (Some(steps), true) = (steps, has_state && ended.contains(&text("status"))) else {
        return refuse(
            "has no last state to compare with: it did not end, or was interrupted within a step",
            "end it with `banquise resume` first",
        );
    };
    // Where the files are that the scenario names; the dataset does not tell.
    let checkpoint = Checkpoint::read(directory).ok();
    let folder = checkpoint.map_or_else(PathBuf::new, |(checkpoint, _)| checkpoint.header.folder);
    let overrides = attributes
        .get("scenario_overrides")
        .and_then(Value::as_array);
    let overrides = overrides.into_iter().flatten().filter_map(Value::as_str);
    let overrides: Vec<String> = overrides.map(str::to_owned).collect();
    let input = ScenarioInput::of_text(text("title"), text("scenario"), &folder);
    let mut prepared = Plan::of(&input, &overrides)?.build()?;
    repeat(&mut prepared, steps)?;
    let world = &prepared.simulation.world;
    let hash = format!("{:016x}", world.state_hash());
    let stored = text("state_hash");
    if arguments.json {
        println!(
            "{}",
            json!({
                "directory": directory,
                "steps": world.clock.step,
                "simulated_s": world.clock.time,
                "state_hash": hash,
                "recorded_state_hash": stored,
                "identical": hash == stored,
            })
        );
    }
    if hash == stored {
        eprintln!("identical: state hash {hash} after {steps} steps");
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::NotRepeated {
        message: format!(
            "the run came out otherwise: state hash {hash} after {} steps, recorded {stored} after {steps}, by Banquise {}",
            world.clock.step,
            text("banquise_version"),
        ),
    })
}

/// Makes so many steps, with the record times of the run, which shorten steps.
fn repeat(prepared: &mut PreparedRun, steps: u64) -> Result<(), Failure> {
    let mut progress = Progress::new(prepared.duration);
    for time in record_times(prepared.duration, prepared.record_every) {
        if prepared.simulation.world.clock.step >= steps {
            break;
        }
        let advanced = prepared
            .simulation
            .advance_to(time, &mut NoTimer, &mut |world, _| {
                progress.show(world.clock.time);
                if world.clock.step >= steps {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        prepared.simulation.collisions.drop_waiting();
        if let Err(error) = advanced {
            progress.clear();
            return Err(Failure::Step(error));
        }
    }
    progress.clear();
    Ok(())
}
