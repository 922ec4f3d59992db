//! `banquise fluid unsplit`: contact forces found together with the flow, beside a projection after it.

use std::process::ExitCode;

use banquise_flow::{Body, CoupledDiscs, Coupling};
use banquise_io::figure::{Axis, LineChart, Series, Unit};
use serde_json::{Value, json};

use super::frames::{Frames, Instant};
use super::outputs::{check_files, write_chart};
use super::picture::{Units, all_nodes};
use super::with_tolerance;
use crate::arguments::fluid_moving::UnsplitArguments;
use crate::failure::Failure;

pub(super) fn run(arguments: &UnsplitArguments) -> Result<ExitCode, Failure> {
    let settings = with_tolerance(arguments.tolerance)?;
    let mut scene = CoupledDiscs::heap(usize::from(arguments.discs), arguments.cells)?;
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = Frames::new(&arguments.frames, arguments.steps, Units::NONE)?;
    let (mut list, mut differences) = (Vec::new(), Vec::new());
    for step in 1..=arguments.steps {
        let found = scene.solve(&settings)?;
        draw(step, &scene, &found, &mut frames)?;
        for (disc, motion) in scene.discs.iter_mut().zip(&found.coupled) {
            disc.0 += scene.dt * motion.velocity;
        }
        let gap = scene.least_gap() / scene.gap;
        differences.push([f64::from(step), 100.0 * found.difference()]);
        list.push(describe(step, &found, gap));
    }
    frames.finish()?;
    let chart = LineChart {
        title: "Contacts inside the flow, and after it".into(),
        x_axis: Axis::new("Step", Unit::None),
        y_axis: Axis::new(
            "Largest difference of velocities over the largest velocity",
            Unit::Fixed("%".into()),
        ),
        series: vec![Series::new("splitting", differences)],
        ..LineChart::default()
    };
    write_chart(arguments.svg.as_deref(), &chart)?;
    if arguments.frames.json {
        println!(
            "{}",
            json!({"discs": arguments.discs, "cells": arguments.cells, "steps": list})
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws the coupled flow of a step, before the discs move.
fn draw(
    step: u32,
    scene: &CoupledDiscs,
    found: &Coupling,
    frames: &mut Frames<'_>,
) -> Result<(), Failure> {
    if !frames.wants(step - 1) {
        return Ok(());
    }
    let bodies = scene
        .discs
        .iter()
        .map(|&(at, radius)| Ok(Body::disc(at, radius)?))
        .collect::<Result<Vec<_>, Failure>>()?;
    let [stream, pressure] = &found.flow;
    let instant = Instant {
        time: scene.dt * f64::from(step - 1),
        grid: &scene.grid,
        bodies: &bodies,
        stream: all_nodes(&scene.grid, stream, |_| 0.0),
        pressure: pressure.clone(),
    };
    frames.add(step - 1, instant)
}

fn describe(step: u32, found: &Coupling, gap: f64) -> Value {
    let pushing = found.contact_forces.iter().filter(|f| **f > 0.0).count();
    eprintln!(
        "step {step}: {pushing} of {} contacts push; velocities of the splitting differ by {:.1} % of the largest; momentum kept to {:.1e}, superposition to {:.1e}; least gap {gap:.6} cells",
        found.contact_forces.len(),
        100.0 * found.difference(),
        found.unbalanced,
        found.superposition,
    );
    json!({
        "contacts": found.contact_forces.len(),
        "pushing": pushing,
        "largest_force": found.contact_forces.iter().copied().fold(0.0, f64::max),
        "difference_to_splitting": found.difference(),
        "momentum_missing": found.unbalanced,
        "superposition_error": found.superposition,
        "residual": found.residual,
        "least_gap_cells": gap,
    })
}
