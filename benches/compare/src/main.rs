//! Compares three engines on identical floes: cost and accuracy of a step.

mod engine;
mod judge;
mod measure;
mod overlap;
mod scene;
mod table;

use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;

use crate::engine::{Choice, EngineKind};
use crate::measure::{Measurement, measure};
use crate::scene::{SETTINGS, Scene};

/// Cover of the box.
const CONCENTRATION: f64 = 0.6;

/// Runs the same floes in Banquise, rapier2d-f64 and Box2D, and prints a table for each scene.
#[derive(Debug, Parser)]
struct Arguments {
    /// Scenes; all if none is named.
    #[arg(value_parser = PossibleValuesParser::new(SETTINGS.map(|setting| setting.name)))]
    scenes: Vec<String>,
    /// Engines: only those whose name in the table contains this.
    #[arg(long, default_value = "")]
    engine: String,
    /// Steps before the measurement, instead of those of the scene.
    #[arg(long)]
    warm_up: Option<usize>,
    /// Steps measured, instead of those of the scene.
    #[arg(long)]
    steps: Option<usize>,
    /// Runs of each, of which the median time is taken.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Print a JSON array instead of tables.
    #[arg(long)]
    json: bool,
}

/// All that is run: each engine as it comes, then trying harder and harder.
const CHOICES: [Choice; 11] = [
    one(EngineKind::Banquise),
    split(EngineKind::Banquise, 4),
    one(EngineKind::RAPIER),
    one(rapier(4, 1, 1)),
    one(rapier(4, 16, 64)),
    one(rapier(4, 64, 1024)),
    split(rapier(4, 1, 1), 16),
    one(EngineKind::BOX2D),
    one(box2d(4)),
    one(box2d(64)),
    split(box2d(4), 16),
];

const fn one(kind: EngineKind) -> Choice {
    split(kind, 1)
}

const fn split(kind: EngineKind, splits: usize) -> Choice {
    Choice { kind, splits }
}

const fn rapier(substeps: usize, sweeps: usize, relaxing: usize) -> EngineKind {
    EngineKind::Rapier {
        substeps,
        sweeps,
        relaxing,
        is_careful: true,
    }
}

const fn box2d(substeps: i32) -> EngineKind {
    EngineKind::Box2d {
        substeps,
        is_careful: true,
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // One thread for all.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global();
    match pool
        .map_err(|error| error.to_string())
        .and_then(|()| compare(&arguments))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("error: {complaint}");
            ExitCode::FAILURE
        }
    }
}

fn compare(arguments: &Arguments) -> Result<(), String> {
    let names = &arguments.scenes;
    let chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    let mut all: Vec<Measurement> = Vec::new();
    for mut setting in SETTINGS.into_iter().filter(|setting| chosen(setting.name)) {
        setting.warm_up = arguments.warm_up.unwrap_or(setting.warm_up);
        setting.steps = arguments.steps.unwrap_or(setting.steps);
        let scene = Scene::new(setting, CONCENTRATION)?;
        let mut measurements = Vec::new();
        for choice in CHOICES {
            if choice.name().contains(&arguments.engine) {
                eprintln!("{}: {}", setting.name, choice.name());
                measurements.push(measure(&scene, choice, arguments.repeat)?);
            }
        }
        if !arguments.json {
            println!("{}", table::of(&scene, &measurements));
        }
        all.extend(measurements);
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        println!("{text}");
    }
    Ok(())
}
