//! `banquise fluid jeffery`: the period of an ellipse in shear flow.

use std::process::ExitCode;

use banquise_flow::{Body, JefferyOrbit, SolverSettings, Unsteady};
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::json;

use super::frames::{Frames, Instant};
use super::outputs::{check_files, write_chart};
use super::picture::{Units, all_nodes};
use super::settings;
use crate::arguments::fluid::JefferyArguments;
use crate::failure::Failure;

/// Step times shear rate of pictures, if none is given.
const TURN: f64 = 0.2;

/// Lets the ellipse turn, draws it, and returns the period.
fn turned(
    orbit: &JefferyOrbit,
    dt: f64,
    settings: &SolverSettings,
    mut frames: Frames<'_>,
) -> Result<f64, Failure> {
    let mut drawn = Ok(());
    let period = orbit.turn(dt, settings, |step, flow| {
        if drawn.is_ok() && frames.wants(step) {
            drawn = draw(step, flow, &mut frames);
        }
    })?;
    drawn?;
    frames.finish()?;
    Ok(period)
}

/// Draws an instant, with the shear flow about the middle of the cell.
fn draw(step: u32, flow: &Unsteady, frames: &mut Frames<'_>) -> Result<(), Failure> {
    let grid = flow.grid();
    let bodies: Vec<Body> = flow.bodies.iter().map(|body| body.body.clone()).collect();
    let middle = 0.5 * grid.size()[1];
    let instant = Instant {
        time: flow.time,
        grid,
        bodies: &bodies,
        stream: all_nodes(grid, flow.stream(), |at| {
            0.5 * (at.y - middle) * (at.y - middle)
        }),
        pressure: flow.pressure().to_vec(),
    };
    frames.add(step, instant)
}

pub(super) fn run(arguments: &JefferyArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    let orbit = JefferyOrbit {
        ratio: arguments.ratio,
        cells: arguments.cells,
        minor_cells: arguments.minor_cells,
    };
    check_files(&[arguments.svg.as_deref()])?;
    // Pictures are those of an ellipse that turns.
    let mut frames = Frames::of_film(&arguments.film, 1, Units::NONE);
    let turn = arguments.turn.or(frames.are_wanted().then_some(TURN));
    if let Some(dt) = turn {
        let steps = orbit.check_turn(dt)?;
        frames = Frames::of_film(&arguments.film, steps, Units::NONE);
        frames.open(false)?;
    }
    let found = orbit.run(&settings)?;
    eprintln!(
        "period times shear rate {:.4}, of Jeffery {:.4}: {:+.2} %, at an area fraction of {:.2e}",
        found.period,
        found.exact,
        100.0 * (found.period / found.exact - 1.0),
        found.fraction
    );
    if !found.is_resolved {
        eprintln!(
            "warning: this may be off by more than 1 %: that takes a cell of six lengths of the ellipse, a shorter semi-axis of six cells, and of four times the ratio of the axes"
        );
    }
    let turned = turn
        .map(|dt| turned(&orbit, dt, &settings, frames))
        .transpose()?;
    if let Some(period) = turned {
        eprintln!(
            "turning with the flow: {period:.4}, {:+.2} %",
            100.0 * (period / found.exact - 1.0)
        );
    }
    if arguments.svg.is_some() {
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
        write_chart(arguments.svg.as_deref(), &chart)?;
    }
    if arguments.json {
        let numbers = json!({
            "ratio": orbit.ratio,
            "cells": found.cells,
            "minor_cells": orbit.minor_cells,
            "fraction": found.fraction,
            "is_resolved": found.is_resolved,
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
