//! Capsules of whole steps: the state before a step that failed, in the format of checkpoints.
//!
//! No state is kept for this while a run goes well: after a failure the run is made again from its last checkpoint up to the step, which gives the
//! same bits.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use banquise::{NoTimer, RunState, Simulation};
use banquise_io::checkpoint::{Checkpoint, Header};
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::recording::record_times;
use banquise_io::scenario::ScenarioInput;
use serde_json::{Value, json};

use crate::failure::{Failure, chain};
use banquise_io::whole_file::write_whole;

/// Key in the header of a capsule under which it says what happened.
const CAPSULE: &str = "capsule";

/// Stores the state before a step of the run in a directory as a file in a folder, and says where. `None` where the run cannot be made again: the first failure tells more.
pub(crate) fn store(directory: &Path, folder: &Path, step: u64, message: &str) -> Option<PathBuf> {
    let (checkpoint, _) = Checkpoint::read(directory).ok()?;
    let Checkpoint { header, state } = checkpoint;
    if header.steps > step {
        return None;
    }
    let mut prepared = prepare(&header, &state).ok()?;
    while prepared.simulation.world.clock.step < step {
        one_step(&mut prepared).ok()?;
    }
    let simulation = &prepared.simulation;
    let clock = simulation.world.clock;
    let capsule = Checkpoint {
        header: Header {
            state_hash: hash(simulation),
            time: clock.time,
            steps: clock.step,
            extra: json!({ CAPSULE: { "message": message } }),
            ..header
        },
        state: simulation.state_bytes(),
    };
    std::fs::create_dir_all(folder).ok()?;
    let path = folder.join(format!("step-{step}.bin"));
    write_whole(&path, capsule.to_bytes()).ok()?;
    Some(path)
}

fn hash(simulation: &Simulation) -> String {
    format!("{:016x}", simulation.world.state_hash())
}

/// The run of a checkpoint.
fn prepare(header: &Header, state: &[u8]) -> Result<PreparedRun, Failure> {
    let state = RunState::from_bytes(state)
        .map_err(|error| Failure::usage(chain(&error), "use the version that wrote it"))?;
    let input = ScenarioInput::of_text(&header.name, &header.scenario, &header.folder);
    Ok(Plan::of(&input, &header.overrides)?.resume(state))
}

/// Takes one step, as the run did: records end steps too.
fn one_step(prepared: &mut PreparedRun) -> Result<f64, banquise::StepError> {
    let now = prepared.simulation.world.clock.time;
    let mut times = record_times(prepared.duration, prepared.record_every);
    let next = times.find(|&time| time > now).unwrap_or(f64::MAX);
    let mut dt = 0.0;
    let simulation = &mut prepared.simulation;
    let stepped = simulation.advance_to(next, &mut NoTimer, &mut |_, report| {
        dt = report.dt;
        ControlFlow::Break(())
    });
    stepped.map(|_| dt)
}

/// Whether these bytes are those of a capsule of a step.
pub(crate) fn is_capsule(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BANQUISE CHECKPOINT\n")
}

/// Takes the step of a capsule again, and prints what came of it.
pub(crate) fn replay(bytes: &[u8]) -> Result<ExitCode, Failure> {
    let unusable = |what: String| Failure::usage(what, "name a capsule that `banquise run` stored");
    let capsule = Checkpoint::from_bytes(bytes).map_err(|error| unusable(chain(&error)))?;
    let Checkpoint { header, state } = capsule;
    let stored = header
        .extra
        .get(CAPSULE)
        .and_then(|capsule| capsule.get("message"));
    let Some(stored) = stored.and_then(Value::as_str) else {
        return Err(unusable(
            "it is the checkpoint of a run: `banquise resume` goes on with it".into(),
        ));
    };
    let mut prepared = prepare(&header, &state)?;
    prepared.simulation.settings.contact.capture = banquise::Capture::All;
    let before = hash(&prepared.simulation);
    let outcome = one_step(&mut prepared);
    let message = outcome.as_ref().err().map(ToString::to_string);
    let answer = json!({
        "capsule": { "step": header.steps, "time_s": header.time, "message": stored, "scenario": header.name },
        "state_is_whole": before == header.state_hash,
        "state_hash": before,
        "dt_s": outcome.as_ref().ok(),
        "error": message,
        // Watchdogs look at the state after the step: a step that ends then is as it was.
        "identical": message.as_deref().is_none_or(|message| message == stored),
        "state_hash_after": hash(&prepared.simulation),
        "kinetic_energy_j": prepared.simulation.world.kinetic_energy(),
        "contact_problems": prepared.simulation.captured().len(),
    });
    println!("{answer}");
    Ok(ExitCode::SUCCESS)
}
