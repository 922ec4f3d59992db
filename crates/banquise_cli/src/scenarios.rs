//! `banquise scenarios` and `banquise check`, and finding the scenario a command names.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use banquise_io::builtin::{self, Builtin, GLACIERS, SCENARIOS, SPECIMENS};
use banquise_io::lefebvre;
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::scenario::{ScenarioInput, suggest};
use banquise_io::schema;

use crate::arguments::{CheckArguments, ScenariosArguments, ScenariosVerb};
use crate::failure::Failure;
use crate::fracture::specimen;
use crate::glacier;
use crate::progress::{PackProgress, duration_text};

/// A scenario found, read and made ready.
pub(crate) struct Found {
    /// Name of its runs.
    pub(crate) name: String,
    /// Where the files are that it names.
    pub(crate) folder: PathBuf,
    /// The run it describes.
    pub(crate) run: PreparedRun,
}

/// The text of a built-in scenario by name, or of a file, which is read here and nowhere else.
pub(crate) fn open(scenario: &str) -> Result<ScenarioInput, Failure> {
    let builtin = find_builtin(scenario);
    if let Some(builtin) = builtin {
        let folder = Path::new("");
        return Ok(ScenarioInput::of_text(builtin.name, builtin.text, folder));
    }
    let path = Path::new(scenario);
    let looks_like_name = path.extension().is_none() && path.components().count() == 1;
    if looks_like_name && !path.exists() {
        return Err(Failure::usage(
            format!("there is no built-in scenario and no file `{scenario}`"),
            suggest_scenario(scenario),
        ));
    }
    Ok(ScenarioInput::read(path)?)
}

/// The built-in scenario of that name, of any kind.
fn find_builtin(name: &str) -> Option<Builtin> {
    builtin::find(name)
        .or_else(|| builtin::find_glacier(name))
        .or_else(|| builtin::find_specimen(name))
}

/// All built-in scenarios.
fn all_builtins() -> impl Iterator<Item = &'static Builtin> {
    SCENARIOS.iter().chain(SPECIMENS).chain(GLACIERS)
}

/// Whether a scenario is that of a bar or a plate, which has no floes.
pub(crate) fn is_specimen(input: &ScenarioInput) -> bool {
    str::from_utf8(&input.bytes).is_ok_and(|text| {
        (text.contains("bar") || text.contains("plate")) && banquise_io::specimen::is_specimen(text)
    })
}

/// Whether a scenario is that of a glacier, which has commands of its own.
fn is_glacier(input: &ScenarioInput) -> bool {
    str::from_utf8(&input.bytes)
        .is_ok_and(|text| text.contains("[glacier]") && banquise_io::glacier::is_glacier(text))
}

/// Makes a built-in scenario or a file ready to run, and tells the user what its plan has to say.
pub(crate) fn find_and_tell(scenario: &str, overrides: &[String]) -> Result<Found, Failure> {
    let found = find(scenario, overrides)?;
    tell(&found.run);
    Ok(found)
}

fn tell(run: &PreparedRun) {
    for notice in &run.notices {
        eprintln!("note: {notice}");
    }
}

/// Makes a built-in scenario or a file ready to run.
pub(crate) fn find(scenario: &str, overrides: &[String]) -> Result<Found, Failure> {
    prepare(scenario, &open(scenario)?, overrides)
}

fn prepare(scenario: &str, input: &ScenarioInput, overrides: &[String]) -> Result<Found, Failure> {
    if is_glacier(input) {
        return Err(Failure::usage(
            format!("`{scenario}` is a glacier, not a scenario of floes"),
            format!("run it with `banquise glacier run {scenario}`"),
        ));
    }
    if is_specimen(input) {
        return Err(Failure::usage(
            format!("`{scenario}` is a bar or a plate, not a scenario of floes"),
            format!("run it with `banquise run {scenario}`"),
        ));
    }
    let plan = Plan::of(input, overrides)?;
    let mut progress = PackProgress::new();
    let run = plan.build_watched(&mut |what, share| progress.show(what, share));
    progress.clear();
    Ok(Found {
        name: input.name.clone(),
        folder: input.folder.clone(),
        run: run?,
    })
}

/// The hint for a name that no built-in scenario has.
fn suggest_scenario(name: &str) -> String {
    let names: Vec<&str> = all_builtins().map(|builtin| builtin.name).collect();
    suggest(name, "the built-in scenarios are", &names)
}

pub(crate) fn check(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let input = open(&arguments.scenario)?;
    if is_glacier(&input) {
        return glacier::check(&input, &arguments.set);
    }
    if is_specimen(&input) {
        return specimen::check(&input, &arguments.set);
    }
    // Stable steps and floes that touch show in the world alone: it is built for the check too.
    let run = prepare(&arguments.scenario, &input, &arguments.set)?.run;
    tell(&run);
    let simulation = &run.simulation;
    let bodies = &simulation.world.bodies;
    let floes = simulation.world.floe_rows().count();
    let sources = match simulation.world.sources.len() {
        0 => String::new(),
        1 => ", 1 source".to_owned(),
        count => format!(", {count} sources"),
    };
    let stable = simulation.stable_step(run.duration);
    let limit = if stable.is_finite() {
        format!("stable up to {}", step_text(stable))
    } else {
        "stable for any step".to_owned()
    };
    eprintln!(
        "{}: {floes} floes, {} obstacles{sources}, {} in steps of {} ({limit})",
        run.title,
        bodies.len() - floes,
        duration_text(run.duration),
        step_text(simulation.max_dt),
    );
    Ok(ExitCode::SUCCESS)
}

/// The length of a step, which may be far below a second.
fn step_text(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{seconds} s")
    } else {
        duration_text(seconds)
    }
}

pub(crate) fn scenarios(arguments: &ScenariosArguments) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        Some(ScenariosVerb::Show { name }) => {
            let builtin = find_builtin(name).ok_or_else(|| {
                Failure::usage(
                    format!("there is no built-in scenario `{name}`"),
                    suggest_scenario(name),
                )
            })?;
            println!("{}", builtin.text.trim_end());
        }
        Some(ScenariosVerb::Schema { glacier, specimen }) => {
            let schema = if *glacier {
                schema::glacier_scenario()
            } else if *specimen {
                schema::specimen_scenario()
            } else {
                schema::floe_scenario()
            };
            println!("{schema:#}");
        }
        Some(ScenariosVerb::Convert { data, config }) => {
            let read = |path: &PathBuf| {
                std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))
            };
            let text = lefebvre::scenario_of(&read(data)?, &read(config)?);
            let text = text.map_err(|error| Failure::usage(error.to_string(), error.hint()))?;
            println!("{}", text.trim_end());
        }
        None => {
            let all: Vec<&Builtin> = all_builtins().collect();
            let width = all
                .iter()
                .map(|builtin| builtin.name.len())
                .max()
                .unwrap_or(0);
            for builtin in all {
                println!("{:width$}  {}", builtin.name, builtin.summary());
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
