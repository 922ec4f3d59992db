//! `banquise glacier stability`: amplification matrices as the source printed them, and correct ones.

use std::process::ExitCode;

use serde_json::json;

use super::output::{Output, csv};
use super::stability_results::{Stability, compute, limit_text};
use super::{Found, find, stability_page};
use crate::arguments::glacier::StudyArguments;
use crate::failure::Failure;

/// The chain of the source's section 5, where no scenario is named.
const USUAL: [&str; 3] = [
    "glacier.length=\"5 km\"",
    "glacier.blocks=50",
    "glacier.initial_speed=\"1.125e-5 m/s\"",
];

pub(super) fn stability(arguments: &StudyArguments) -> Result<ExitCode, Failure> {
    let found = find_usual(arguments)?;
    let output = Output::create(arguments, "glacier-stability")?;
    let study = compute(&found)?;
    let mut header = vec!["step [s]".to_owned()];
    header.extend(
        study
            .radii
            .iter()
            .map(|(name, _)| format!("radius: {name}")),
    );
    let rows: Vec<Vec<f64>> = (0..study.steps.len())
        .map(|k| {
            let radii = study.radii.iter().map(|(_, radii)| radii[k]);
            std::iter::once(study.steps[k]).chain(radii).collect()
        })
        .collect();
    output.write("radii.csv", &csv(&header, &rows))?;
    let header = ["step [s]", "mean speed over steady", "lowest", "highest"].map(str::to_owned);
    let rows: Vec<Vec<f64>> = study.cycles.iter().map(|row| row.to_vec()).collect();
    output.write("cycles.csv", &csv(&header, &rows))?;
    output.write("map.csv", &map_csv(&study))?;
    let (page, figures) = stability_page::page(&found, arguments, &study);
    for (name, limit) in &study.limits {
        eprintln!("{name}: {}", limit_text(*limit));
    }
    let report = output.finish(&page, &figures)?;
    if arguments.json {
        let limits: serde_json::Map<_, _> = study
            .limits
            .iter()
            .map(|(name, limit)| {
                (
                    (*name).to_owned(),
                    json!(limit.is_finite().then_some(limit)),
                )
            })
            .collect();
        println!(
            "{}",
            json!({
                "directory": output.directory,
                "report": report,
                "speed_m_per_s": study.speed,
                "limits_s": limits,
                "cycles": study.cycles,
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn find_usual(arguments: &StudyArguments) -> Result<Found, Failure> {
    match &arguments.scenario {
        Some(scenario) => find(scenario, &arguments.set),
        None => {
            let usual = USUAL.iter().map(|&key| key.to_owned());
            let overrides: Vec<String> = usual.chain(arguments.set.iter().cloned()).collect();
            find("glacier-pulse", &overrides)
        }
    }
}

fn map_csv(study: &Stability) -> String {
    let header = ["step [s]", "alpha", "radius as printed", "radius correct"].map(str::to_owned);
    let (printed, correct) = (&study.printed_map, &study.correct_map);
    let mut rows = Vec::new();
    for (row, &alpha) in printed.alphas.iter().enumerate() {
        for (column, &step) in printed.steps.iter().enumerate() {
            let radii = [printed.values[row][column], correct.values[row][column]];
            rows.push(vec![step, alpha, radii[0], radii[1]]);
        }
    }
    csv(&header, &rows)
}
