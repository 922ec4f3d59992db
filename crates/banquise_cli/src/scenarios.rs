//! `banquise scenarios` and `banquise check`, and finding the scenario a command names.

use std::path::Path;
use std::process::ExitCode;

use banquise_io::builtin::{self, Builtin, GLACIERS, SCENARIOS};
use banquise_io::plan::Plan;

use crate::arguments::{CheckArguments, ScenariosArguments, ScenariosVerb};
use crate::failure::Failure;
use crate::glacier;
use crate::progress::{PackProgress, duration_text};

/// A scenario found and read.
pub(crate) struct Found {
    /// What to call its runs.
    pub(crate) name: String,
    /// Its text, for the manifest.
    pub(crate) text: String,
    /// The run it describes.
    pub(crate) plan: Plan,
}

/// Whether a name or a file is that of a glacier, which has commands of its own.
fn is_glacier(scenario: &str) -> bool {
    if builtin::find(scenario).is_some() {
        return false;
    }
    let has_table =
        |text: String| text.contains("[glacier]") && banquise_io::glacier::is_glacier(&text);
    builtin::find_glacier(scenario).is_some()
        || std::fs::read_to_string(scenario).is_ok_and(has_table)
}

/// Reads a built-in scenario by name, or a file, and tells the user what the plan has to say.
pub(crate) fn find_and_tell(scenario: &str, overrides: &[String]) -> Result<Found, Failure> {
    let found = find(scenario, overrides)?;
    for notice in &found.plan.notices {
        eprintln!("note: {notice}");
    }
    Ok(found)
}

/// Reads a built-in scenario by name, or a file.
pub(crate) fn find(scenario: &str, overrides: &[String]) -> Result<Found, Failure> {
    if is_glacier(scenario) {
        return Err(Failure::usage(
            format!("`{scenario}` is a glacier, not a scenario of floes"),
            format!("run it with `banquise glacier run {scenario}`"),
        ));
    }
    if let Some(builtin) = builtin::find(scenario) {
        let mut progress = PackProgress::new();
        let watch = &mut |what: &'static str, share: f64| progress.show(what, share);
        let folder = Path::new("");
        let plan = Plan::parse_watched(builtin.name, builtin.text, overrides, folder, watch)?;
        progress.clear();
        return Ok(Found {
            name: builtin.name.into(),
            text: builtin.text.into(),
            plan,
        });
    }
    let path = Path::new(scenario);
    let looks_like_name = path.extension().is_none() && path.components().count() == 1;
    if looks_like_name && !path.exists() {
        return Err(Failure::usage(
            format!("there is no built-in scenario and no file `{scenario}`"),
            format!("the built-in scenarios are {}", names()),
        ));
    }
    let mut progress = PackProgress::new();
    let watch = &mut |what: &'static str, share: f64| progress.show(what, share);
    let plan = Plan::read_watched(path, overrides, watch)?;
    progress.clear();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Ok(Found { name, text, plan })
}

fn names() -> String {
    let all = SCENARIOS.iter().chain(GLACIERS);
    all.map(|builtin| builtin.name)
        .collect::<Vec<_>>()
        .join(", ")
}

pub(crate) fn check(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    if is_glacier(&arguments.scenario) {
        return glacier::check(&arguments.scenario, &arguments.set);
    }
    let found = find_and_tell(&arguments.scenario, &arguments.set)?;
    let simulation = &found.plan.simulation;
    let bodies = &simulation.world.bodies;
    let floes = simulation.world.floe_rows().count();
    let sources = match simulation.world.sources.len() {
        0 => String::new(),
        1 => ", 1 source".to_owned(),
        count => format!(", {count} sources"),
    };
    eprintln!(
        "{}: {floes} floes, {} obstacles{sources}, {} in steps of {} (stable up to {})",
        found.plan.title,
        bodies.len() - floes,
        duration_text(found.plan.duration),
        duration_text(simulation.max_dt),
        duration_text(simulation.stable_step(found.plan.duration)),
    );
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn scenarios(arguments: &ScenariosArguments) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        Some(ScenariosVerb::Show { name }) => {
            let builtin = builtin::find(name).or_else(|| builtin::find_glacier(name));
            let builtin = builtin.ok_or_else(|| {
                Failure::usage(
                    format!("there is no built-in scenario `{name}`"),
                    format!("the built-in scenarios are {}", names()),
                )
            })?;
            println!("{}", builtin.text.trim_end());
        }
        None => {
            let all: Vec<&Builtin> = SCENARIOS.iter().chain(GLACIERS).collect();
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
