//! `banquise fluid viscosity`: dilute suspensions of discs.

use std::process::ExitCode;

use banquise_flow::DiluteViscosity;
use serde_json::{Value, json};

use super::settings;
use crate::arguments::fluid::ViscosityArguments;
use crate::failure::Failure;

/// Fractions of the published case.
const FRACTIONS: [f64; 3] = [0.005, 0.01, 0.02];

pub(super) fn run(arguments: &ViscosityArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    let fractions = if arguments.fraction.is_empty() {
        FRACTIONS.to_vec()
    } else {
        arguments.fraction.clone()
    };
    let study = DiluteViscosity {
        fractions,
        radius_cells: arguments.radius_cells,
    };
    let found = study.run(&settings)?;
    eprintln!("(μ_eff/μ − 1)/φ of square arrays, strained along their sides and their diagonals:");
    for array in &found.arrays {
        let [side, diagonal] = array.coefficients;
        eprintln!(
            "φ = {:<8} {side:.4}  {diagonal:.4}  mean {:.4}  ({} cells a side, {} iterations)",
            array.fraction,
            array.mean(),
            array.cells,
            array.iterations
        );
    }
    eprintln!("limit φ → 0: {:.4} (theory 2)", found.limit);
    if arguments.json {
        let arrays: Vec<Value> = found
            .arrays
            .iter()
            .map(|array| {
                json!({
                    "fraction": array.fraction,
                    "cells": array.cells,
                    "coefficient_sides": array.coefficients[0],
                    "coefficient_diagonals": array.coefficients[1],
                    "coefficient_mean": array.mean(),
                    "iterations": array.iterations,
                })
            })
            .collect();
        println!("{}", json!({"arrays": arrays, "limit": found.limit}));
    }
    Ok(ExitCode::SUCCESS)
}
