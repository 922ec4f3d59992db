//! `banquise fluid viscosity`: dilute suspensions of discs.

use std::process::ExitCode;

use banquise_flow::{DiluteViscosity, SolverSettings, ViscosityLimit};
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::{Value, json};

use super::outputs::{check_chart_and_picture, write_chart};
use super::picture::{Picture, Units, all_nodes};
use super::settings;
use crate::arguments::fluid::ViscosityArguments;
use crate::failure::Failure;

/// Fractions of the published case.
const FRACTIONS: [f64; 3] = [0.005, 0.01, 0.02];

pub(super) fn run(arguments: &ViscosityArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    check_chart_and_picture(arguments.svg.as_deref(), &arguments.picture)?;
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
    match found.limit {
        Ok(limit) => eprintln!("limit φ → 0: {limit:.4} (theory 2)"),
        Err(reason) => eprintln!("no limit φ → 0: {reason}"),
    }
    write_chart(arguments.svg.as_deref(), &chart(&found))?;
    if arguments.picture.is_wanted() {
        draw(arguments, &study, &settings)?;
    }
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
        let limit = found.limit.ok();
        println!(
            "{}",
            json!({"arrays": arrays, "limit": limit, "no_limit_since": found.limit.err()})
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The densest array in shear flow.
fn draw(
    arguments: &ViscosityArguments,
    study: &DiluteViscosity,
    settings: &SolverSettings,
) -> Result<(), Failure> {
    let densest = study.fractions.iter().copied().fold(0.0, f64::max);
    let found = study.flow(densest, settings)?;
    let (grid, bodies) = (&found.grid, std::slice::from_ref(&found.body));
    // About the disc, which turns in its place.
    let stream = all_nodes(grid, &found.solution.stream, |at| {
        0.5 * (at.y - 0.5) * (at.y - 0.5)
    });
    let picture = Picture::new(grid, bodies, stream)
        .with_pressure(found.pressure, arguments.picture.show)
        .with_units(Units::NONE);
    arguments.picture.write(&picture)
}

fn chart(found: &ViscosityLimit) -> LineChart {
    let curve = |label: &str, value: &dyn Fn(&banquise_flow::ArrayViscosity) -> f64| {
        let points = found.arrays.iter().map(|a| [a.fraction, value(a)]);
        Series::new(label, points.collect())
    };
    let largest = found.arrays.iter().fold(0.0, |m: f64, a| m.max(a.fraction));
    LineChart {
        title: "Viscosity of square arrays of discs".into(),
        x_axis: Axis::new("Area fraction φ", Unit::None),
        y_axis: Axis::new("(μ_eff/μ − 1)/φ", Unit::None),
        series: vec![
            curve("strained along the sides", &|a| a.coefficients[0]),
            curve("along the diagonals", &|a| a.coefficients[1]),
            curve("mean", &|a| a.mean()).with_style(LineStyle::Markers),
            Series::new("dilute limit 2", vec![[0.0, 2.0], [largest, 2.0]])
                .with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}
