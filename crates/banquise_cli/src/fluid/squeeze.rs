//! `banquise fluid squeeze`: the resistance of a closing gap between two discs.

use std::process::ExitCode;

use banquise_flow::{SolverSettings, SqueezeStudy, SqueezedDiscs, unbounded_resistance};
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::{Value, json};

use super::outputs::{check_chart_and_picture, write_chart};
use super::picture::{Picture, Units, all_nodes};
use super::settings;
use crate::arguments::fluid::SqueezeArguments;
use crate::failure::Failure;

/// Gaps in cells, if none are given.
const GAPS: [f64; 4] = [7.0, 10.0, 14.0, 20.0];

pub(super) fn run(arguments: &SqueezeArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    check_chart_and_picture(arguments.svg.as_deref(), &arguments.picture)?;
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
    for gap in &found.gaps {
        eprintln!(
            "d/R = {:<8.4} F/(μV) = {:<10.3} (in unbounded fluid {:<10.3}) F (d/R)^(3/2)/(μV) = {:.4}  ({} iterations)",
            gap.gap, gap.resistance, gap.unbounded, gap.scaled, gap.iterations
        );
    }
    let known = 1.5 * std::f64::consts::PI;
    match found.limit {
        Ok(limit) => eprintln!("limit d → 0: {limit:.4} (lubrication theory {known:.4})"),
        Err(reason) => eprintln!("no limit d → 0: {reason}"),
    }
    write_chart(arguments.svg.as_deref(), &chart(&found))?;
    if arguments.picture.is_wanted() {
        draw(arguments, &study, &settings)?;
    }
    if arguments.json {
        println!("{}", to_json(&found));
    }
    Ok(ExitCode::SUCCESS)
}

fn to_json(found: &SqueezeStudy) -> Value {
    let gaps: Vec<Value> = found
        .gaps
        .iter()
        .map(|gap| {
            json!({
                "gap_over_radius": gap.gap,
                "gap_cells": gap.gap_cells,
                "resistance": gap.resistance,
                "resistance_unbounded": gap.unbounded,
                "scaled": gap.scaled,
                "iterations": gap.iterations,
            })
        })
        .collect();
    json!({
        "cells": found.cells,
        "gaps": gaps,
        "limit": found.limit.ok(),
        "no_limit_since": found.limit.err(),
    })
}

/// The flow out of the smallest gap.
fn draw(
    arguments: &SqueezeArguments,
    study: &SqueezedDiscs,
    settings: &SolverSettings,
) -> Result<(), Failure> {
    let smallest = study.gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let found = study.flow(smallest, settings)?;
    let stream = all_nodes(&found.grid, &found.solution.stream, |_| 0.0);
    let picture = Picture::new(&found.grid, &found.bodies, stream)
        .with_pressure(found.pressure, arguments.picture.show)
        .with_units(Units::NONE);
    arguments.picture.write(&picture)
}

fn chart(found: &SqueezeStudy) -> LineChart {
    let measured = found.gaps.iter().map(|gap| [gap.gap, gap.scaled]);
    let largest = found.gaps.iter().fold(0.0, |m: f64, gap| m.max(gap.gap));
    let closed = (1..=60).map(|k| {
        let gap = largest * f64::from(k) / 60.0;
        [gap, unbounded_resistance(gap) * gap * gap.sqrt()]
    });
    let constant = 1.5 * std::f64::consts::PI;
    LineChart {
        title: "Two discs pressed together".into(),
        x_axis: Axis::new("Gap over radius d/R", Unit::None),
        y_axis: Axis::new("F (d/R)^(3/2)/(μV)", Unit::None),
        series: vec![
            Series::new("grid, periodic", measured.collect()).with_style(LineStyle::Markers),
            Series::new("unbounded fluid", closed.collect()),
            Series::new("3π/2", vec![[0.0, constant], [largest, constant]])
                .with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}
