//! `banquise fluid jeffery`: the period of an ellipse in shear flow.

use std::process::ExitCode;

use banquise_flow::JefferyOrbit;
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::json;

use super::settings;
use crate::arguments::fluid::JefferyArguments;
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

pub(super) fn run(arguments: &JefferyArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    let orbit = JefferyOrbit {
        ratio: arguments.ratio,
        cells: arguments.cells,
        minor_cells: arguments.minor_cells,
    };
    let found = orbit.run(&settings)?;
    eprintln!(
        "period times shear rate {:.4}, of Jeffery {:.4}: {:+.2} %, at an area fraction of {:.2e}",
        found.period,
        found.exact,
        100.0 * (found.period / found.exact - 1.0),
        found.fraction
    );
    let turned = arguments
        .turn
        .map(|dt| orbit.turn(dt, &settings))
        .transpose()?;
    if let Some(period) = turned {
        eprintln!(
            "turning with the flow: {period:.4}, {:+.2} %",
            100.0 * (period / found.exact - 1.0)
        );
    }
    if let Some(path) = &arguments.svg {
        let degrees = |angle: f64| angle.to_degrees();
        let measured = found
            .angular_velocities
            .iter()
            .map(|&[angle, spin]| [degrees(angle), -spin])
            .collect();
        let exact = (0..=180)
            .map(|k| {
                let angle = f64::from(k).to_radians();
                [degrees(angle), -orbit.exact_angular_velocity(angle)]
            })
            .collect();
        let chart = LineChart {
            title: "Angular velocity of an ellipse in shear flow".into(),
            x_axis: Axis::new(
                "Angle of the major axis from the flow",
                Unit::Fixed("°".into()),
            ),
            y_axis: Axis::new("Angular velocity over shear rate", Unit::None),
            series: vec![
                Series::new("grid", measured).with_style(LineStyle::Markers),
                Series::new("Jeffery", exact),
            ],
            ..LineChart::default()
        };
        write_whole(path, chart.to_svg()).map_err(|error| Failure::file(path, &error))?;
    }
    if arguments.json {
        let numbers = json!({
            "ratio": orbit.ratio,
            "cells": orbit.cells,
            "minor_cells": orbit.minor_cells,
            "fraction": found.fraction,
            "period": found.period,
            "period_turning": turned,
            "period_exact": found.exact,
            "angular_velocities": found.angular_velocities,
            "iterations": found.iterations,
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}
