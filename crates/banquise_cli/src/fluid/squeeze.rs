//! `banquise fluid squeeze`: the resistance of a closing gap between two discs.

use std::process::ExitCode;

use banquise_flow::{SqueezedDiscs, squeeze_limit};
use serde_json::{Value, json};

use super::settings;
use crate::arguments::fluid::SqueezeArguments;
use crate::failure::Failure;

/// Gaps of the published case, in cells.
const GAPS: [f64; 3] = [5.0, 10.0, 20.0];

pub(super) fn run(arguments: &SqueezeArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    let gaps = if arguments.gap.is_empty() {
        GAPS.to_vec()
    } else {
        arguments.gap.clone()
    };
    let study = SqueezedDiscs {
        radius_cells: arguments.radius_cells,
        gaps,
        cells: arguments.cells,
    };
    let found = study.run(&settings)?;
    let limit = squeeze_limit(&found);
    for gap in &found {
        eprintln!(
            "d/R = {:<8.4} F/(μV) = {:<10.3} F (d/R)^(3/2)/(μV) = {:.4}  ({} iterations)",
            gap.gap, gap.resistance, gap.scaled, gap.iterations
        );
    }
    if let Some(limit) = limit {
        let known = 1.5 * std::f64::consts::PI;
        eprintln!("limit d → 0: {limit:.4} (lubrication theory {known:.4})");
    }
    if arguments.json {
        let gaps: Vec<Value> = found
            .iter()
            .map(|gap| {
                json!({
                    "gap_over_radius": gap.gap,
                    "resistance": gap.resistance,
                    "scaled": gap.scaled,
                    "iterations": gap.iterations,
                })
            })
            .collect();
        println!("{}", json!({"gaps": gaps, "limit": limit}));
    }
    Ok(ExitCode::SUCCESS)
}
