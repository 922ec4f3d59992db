//! Simulations as bytes and back: files, pickles, copies.

use std::path::PathBuf;

use banquise::{RunState, Simulation, VectorSeries};
use banquise_geometry::DVec2;
use banquise_io::checkpoint::{Checkpoint, Header, fingerprint};
use banquise_io::plan::Plan;
use banquise_io::recording::RecorderPosition;
use banquise_io::scenario::ScenarioInput;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use crate::arrays::{plain_manifest, scene_forcing, scene_settings};
use crate::core::{Core, Parts, Setup, version};
use crate::errors::{input_error, scenario_error};
use crate::recipe::Recipe;

/// What a saved simulation says beside its state.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    recipe: Recipe,
    title: String,
    /// Set after the start [m/s].
    wind: Option<[f64; 2]>,
    current: Option<[f64; 2]>,
    /// Name of the function that gives forces: it is no part of the state, and must be given again.
    #[serde(default)]
    force: Option<String>,
    /// Where it is the checkpoint of a run.
    #[serde(default)]
    run: Option<RunPlan>,
}

/// A run that is recorded: what its state and its scenario do not say.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RunPlan {
    /// Its end [s].
    pub(crate) until: f64,
    /// Time between records [s].
    pub(crate) every: f64,
    /// Names of the functions that it calls.
    pub(crate) force: Option<String>,
    pub(crate) callback: Option<String>,
}

impl RunPlan {
    /// Its functions, for people.
    pub(crate) fn callbacks(&self) -> Vec<String> {
        let force = self
            .force
            .as_ref()
            .map(|name| format!("the force `{name}`"));
        let callback = self.callback.as_ref();
        let callback = callback.map(|name| format!("the callback `{name}`"));
        force.into_iter().chain(callback).collect()
    }
}

/// Hash of all that determines a simulation beside its state. What a function of Python gave for the last step is not among it: it is asked
/// again before the next.
fn fingerprint_of(simulation: &Simulation) -> String {
    if simulation.forcing.external_loads.is_empty() {
        return fingerprint(simulation);
    }
    let mut bare = simulation.clone();
    bare.forcing.external_loads = Vec::new();
    fingerprint(&bare)
}

/// A simulation as a checkpoint, with the plan of its run and how far its recording has come.
pub(crate) fn to_checkpoint(
    parts: &Parts,
    force: Option<String>,
    run: Option<(RunPlan, RecorderPosition)>,
) -> Checkpoint {
    let Parts {
        simulation,
        manifest,
        recipe,
        set_weather: [wind, current],
        ..
    } = parts;
    let saved = Saved {
        recipe: recipe.clone(),
        title: manifest.title.clone(),
        wind: *wind,
        current: *current,
        force,
        run: run.as_ref().map(|(plan, _)| plan.clone()),
    };
    let (name, folder) = match recipe {
        Recipe::Scenario { name, folder } => (name.clone(), folder.clone()),
        Recipe::Arrays(_) => (String::new(), PathBuf::new()),
    };
    let clock = simulation.world.clock;
    Checkpoint {
        header: Header {
            program: version(),
            name,
            folder,
            scenario: manifest.scenario.clone(),
            overrides: manifest.overrides.clone(),
            fingerprint: fingerprint_of(simulation),
            state_hash: format!("{:016x}", simulation.world.state_hash()),
            time: clock.time,
            steps: clock.step,
            recorder: run.map(|(_, position)| position).unwrap_or_default(),
            extra: serde_json::to_value(saved).expect("texts and numbers are JSON"),
        },
        state: simulation.state_bytes(),
    }
}

/// A saved simulation that cannot be used.
fn refused(py: Python<'_>, what: &str) -> PyErr {
    input_error(
        py,
        &format!("the saved simulation cannot be used: {what}"),
        "it must be saved by the same version, and the files that its scenario names must be there unchanged",
    )
}

/// What a checkpoint says of a simulation of Python.
fn saved_of(py: Python<'_>, header: &Header) -> PyResult<Saved> {
    let saved = serde_json::from_value(header.extra.clone()).ok();
    saved.ok_or_else(|| {
        refused(
            py,
            "it is the checkpoint of a run: `banquise resume` goes on with it",
        )
    })
}

/// The plan of the run of a checkpoint.
pub(crate) fn plan_of(py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<RunPlan> {
    let saved = saved_of(py, &checkpoint.header)?;
    saved.run.ok_or_else(|| {
        let message = "it is no run, but a saved simulation";
        input_error(py, message, "banquise.Simulation.load goes on with it")
    })
}

/// A simulation from its checkpoint.
pub(crate) fn from_checkpoint(py: Python<'_>, checkpoint: Checkpoint) -> PyResult<Parts> {
    Ok(parts_of(py, checkpoint)?.0)
}

fn parts_of(py: Python<'_>, checkpoint: Checkpoint) -> PyResult<(Parts, Saved)> {
    let refuse = |what: String| refused(py, &what);
    let Checkpoint { header, state } = checkpoint;
    let saved = saved_of(py, &header)?;
    let state = RunState::from_bytes(&state).map_err(|error| refuse(error.to_string()))?;
    if format!("{:016x}", state.world.state_hash()) != header.state_hash {
        return Err(refuse(
            "its state has another hash than it was saved with".into(),
        ));
    }
    let mut parts = match &saved.recipe {
        Recipe::Scenario { name, folder } => {
            let input = ScenarioInput::of_text(name, &header.scenario, folder);
            let plan = Plan::of(&input, &header.overrides);
            let plan = plan.map_err(|error| scenario_error(py, &error))?;
            Setup::of_run(plan.resume(state), saved.recipe.clone()).into_parts()
        }
        Recipe::Arrays(scene) => {
            let forcing = scene_forcing(py, scene)?;
            let settings = scene_settings(scene);
            Some(Parts {
                simulation: Simulation::resumed(state, forcing, settings, scene.max_step),
                manifest: plain_manifest(&saved.title),
                record_every: f64::NAN,
                recipe: saved.recipe.clone(),
                set_weather: [None, None],
            })
        }
    }
    .expect("a setup that is new has its parts");
    let forcing = &mut parts.simulation.forcing;
    for (given, series) in [
        (saved.wind, &mut forcing.wind),
        (saved.current, &mut forcing.current),
    ] {
        if let Some(vector) = given {
            *series = VectorSeries::constant(DVec2::from(vector));
        }
    }
    parts.set_weather = [saved.wind, saved.current];
    if fingerprint(&parts.simulation) != header.fingerprint {
        return Err(refuse(
            "forcing and settings are not those it was saved with".into(),
        ));
    }
    Ok((parts, saved))
}

/// All of a simulation as bytes, from which `restore` makes it again; `force` is the name of the function that gives it forces.
#[pyfunction]
pub(crate) fn state_bytes<'py>(
    py: Python<'py>,
    core: &Core,
    force: Option<String>,
) -> Bound<'py, PyBytes> {
    let bytes = py.detach(|| to_checkpoint(&core.parts, force, None).to_bytes());
    PyBytes::new(py, &bytes)
}

/// A simulation from bytes of `state_bytes`, and the name of the function that gave it forces.
#[pyfunction]
pub(crate) fn restore(py: Python<'_>, bytes: &[u8]) -> PyResult<(Setup, Option<String>)> {
    let checkpoint = Checkpoint::from_bytes(bytes);
    let checkpoint = checkpoint.map_err(|error| refused(py, &error.to_string()))?;
    let (parts, saved) = parts_of(py, checkpoint)?;
    Ok((Setup::new(parts), saved.force))
}

/// A copy of a simulation, which steps on its own.
#[pyfunction]
pub(crate) fn duplicate(core: &Core) -> Setup {
    Setup::new(core.parts.clone())
}
