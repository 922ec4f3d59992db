//! `banquise glacier`: runs and studies of a glacier front under the force of an iceberg.

mod bench;
mod block_size;
mod dt_scan;
mod iceberg;
mod output;
mod run;
mod run_page;
mod run_results;
mod stability;
mod stability_page;
mod stability_results;

use std::path::Path;
use std::process::ExitCode;

use banquise_glacier::stability::stable_step;
use banquise_io::builtin::{self, GLACIERS};
use banquise_io::glacier::GlacierPlan;
use banquise_io::scenario::{ScenarioInput, suggest};

use crate::arguments::glacier::{GlacierArguments, GlacierVerb, StudyArguments};
use crate::failure::Failure;
use crate::progress::duration_text;
use output::digits;

pub(crate) use bench::bench;

pub(crate) fn glacier(arguments: &GlacierArguments) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        GlacierVerb::Run(arguments) => run::run(arguments),
        GlacierVerb::Stability(arguments) => stability::stability(arguments),
        GlacierVerb::DtScan(arguments) => dt_scan::dt_scan(arguments),
        GlacierVerb::BlockSize(arguments) => block_size::block_size(arguments),
        GlacierVerb::Iceberg(arguments) => iceberg::iceberg(arguments),
    }
}

/// A scenario of a glacier, found and read.
pub(crate) struct Found {
    /// Name of its runs.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
    /// The run it describes.
    pub(crate) plan: GlacierPlan,
}

/// Reads a built-in glacier by name, or a file.
pub(crate) fn find(scenario: &str, overrides: &[String]) -> Result<Found, Failure> {
    if let Some(builtin) = builtin::find_glacier(scenario) {
        let folder = Path::new("");
        let input = ScenarioInput::of_text(builtin.name, builtin.text, folder);
        return found(&input, overrides);
    }
    let path = Path::new(scenario);
    let looks_like_name = path.extension().is_none() && path.components().count() == 1;
    if looks_like_name && !path.exists() {
        let message = if builtin::find(scenario).is_some() {
            format!("`{scenario}` is a scenario of floes")
        } else {
            format!("there is no built-in glacier and no file `{scenario}`")
        };
        let names: Vec<&str> = GLACIERS.iter().map(|builtin| builtin.name).collect();
        let hint = suggest(scenario, "the built-in glaciers are", &names);
        return Err(Failure::usage(message, hint));
    }
    found(&ScenarioInput::read(path)?, overrides)
}

fn found(input: &ScenarioInput, overrides: &[String]) -> Result<Found, Failure> {
    Ok(Found {
        name: input.name.clone(),
        plan: GlacierPlan::of(input, overrides)?,
        // A text that gives a plan is UTF-8.
        text: String::from_utf8_lossy(&input.bytes).into_owned(),
    })
}

/// The scenario a study names, or its own.
fn find_for(arguments: &StudyArguments, usual: &str) -> Result<Found, Failure> {
    find(
        arguments.scenario.as_deref().unwrap_or(usual),
        &arguments.set,
    )
}

/// `banquise check` of a glacier.
pub(crate) fn check(input: &ScenarioInput, overrides: &[String]) -> Result<ExitCode, Failure> {
    let GlacierPlan {
        title,
        chain,
        settings,
        duration,
        ..
    } = GlacierPlan::of(input, overrides)?;
    let velocity = settings
        .initial_velocity
        .unwrap_or(chain.equilibrium_velocity());
    let limit = stable_step(&chain, settings.scheme, velocity);
    eprintln!(
        "{title}: {} blocks of {} m, {} in steps of {} s by {} ({})",
        chain.settings().blocks,
        digits(chain.spacing()),
        duration_text(duration),
        digits(settings.dt),
        settings.scheme.name(),
        limit.map_or_else(
            || "no longest step".to_owned(),
            |limit| format!("stable up to {} s", digits(limit))
        ),
    );
    Ok(ExitCode::SUCCESS)
}
