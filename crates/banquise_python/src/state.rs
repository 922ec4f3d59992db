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
}

/// The bytes of a simulation.
pub(crate) fn to_bytes(parts: &Parts) -> Vec<u8> {
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
    };
    let (name, folder) = match recipe {
        Recipe::Scenario { name, folder } => (name.clone(), folder.clone()),
        Recipe::Arrays(_) => (String::new(), PathBuf::new()),
    };
    let clock = simulation.world.clock;
    let checkpoint = Checkpoint {
        header: Header {
            program: version(),
            name,
            folder,
            scenario: manifest.scenario.clone(),
            overrides: manifest.overrides.clone(),
            fingerprint: fingerprint(simulation),
            state_hash: format!("{:016x}", simulation.world.state_hash()),
            time: clock.time,
            steps: clock.step,
            recorder: RecorderPosition::default(),
            extra: serde_json::to_value(saved).expect("texts and numbers are JSON"),
        },
        state: simulation.state_bytes(),
    };
    checkpoint.to_bytes()
}

/// A simulation from bytes of [`to_bytes`].
fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Parts> {
    let refuse = |what: String| {
        let hint = "it must be saved by the same version, and the files that its scenario names must be there unchanged";
        input_error(
            py,
            &format!("the saved simulation cannot be used: {what}"),
            hint,
        )
    };
    let checkpoint = Checkpoint::from_bytes(bytes).map_err(|error| refuse(error.to_string()))?;
    let Checkpoint { header, state } = checkpoint;
    let saved: Option<Saved> = serde_json::from_value(header.extra.clone()).ok();
    let saved = saved.ok_or_else(|| {
        refuse("it is the checkpoint of a run: `banquise resume` goes on with it".into())
    })?;
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
    Ok(parts)
}

/// All of a simulation as bytes, from which `restore` makes it again.
#[pyfunction]
pub(crate) fn state_bytes<'py>(py: Python<'py>, core: &Core) -> Bound<'py, PyBytes> {
    let bytes = py.detach(|| to_bytes(&core.parts));
    PyBytes::new(py, &bytes)
}

/// A simulation from bytes of `state_bytes`.
#[pyfunction]
pub(crate) fn restore(py: Python<'_>, bytes: &[u8]) -> PyResult<Setup> {
    Ok(Setup::new(from_bytes(py, bytes)?))
}

/// A copy of a simulation, which steps on its own.
#[pyfunction]
pub(crate) fn duplicate(core: &Core) -> Setup {
    Setup::new(core.parts.clone())
}
