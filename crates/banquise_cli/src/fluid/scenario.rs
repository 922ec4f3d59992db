//! `banquise fluid run`: floes of a scenario in water that is resolved around them, beside its drag law.

use std::ops::ControlFlow;
use std::process::ExitCode;

use banquise::{NoTimer, Simulation};
use banquise_flow::{MovingBody, Unsteady};
use banquise_geometry::DVec2;
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::{Value, json};

use super::falling::{gap_in_words, step_count};
use super::frames::Frames;
use super::outputs::{check_files, write_chart};
use super::picture::Units;
use super::sea::{Drift, Sea};
use crate::arguments::fluid_moving::RunInFluidArguments;
use crate::failure::Failure;
use crate::scenarios::find_and_tell;

/// What a step of the resolved water was like.
struct Totals {
    iterations: usize,
    most_contacts: usize,
    least_gap: f64,
}

/// Both runs so far: times and mean speeds of the floes, resolved and by the law.
struct Course {
    speeds: Vec<[f64; 3]>,
    paths: Vec<f64>,
    /// Sums over the second half of the run: of forces on obstacles, and their number.
    pushes: Vec<DVec2>,
    halves: u32,
}

/// The largest Reynolds number that is resolved, as a share of the square of the cells in a diameter: that of `fluid floes`.
const RESOLVED: f64 = 2.0;

pub(super) fn run(arguments: &RunInFluidArguments) -> Result<ExitCode, Failure> {
    let run = find_and_tell(&arguments.scenario, &arguments.set)?.run;
    let mut simulation = run.simulation;
    let sea = Sea::of(&simulation, &arguments.into())?;
    let duration = arguments.duration.unwrap_or(run.duration);
    let dt = match arguments.step {
        Some(dt) => dt,
        None => sea.step(&simulation)?,
    };
    let steps = step_count(duration, dt)?;
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = Frames::without_directory(&arguments.frames, steps, Units::SI)?;
    let mut flow = sea.flow(dt)?;
    frames.open(false)?;
    let [nx, ny] = flow.grid().cells;
    eprintln!(
        "{nx} × {ny} cells of {:.4} m, {steps} steps of {dt:.4} s",
        flow.grid().spacing
    );
    let (totals, course) = advance(&sea, &mut flow, &mut simulation, (steps, dt), &mut frames)?;
    frames.finish()?;
    let drifts = sea.drifts(&flow, &simulation);
    describe(&sea, &drifts, &course, &totals, steps);
    let longest = course.paths.iter().copied().fold(0.0, f64::max);
    let diameter = flow.grid().spacing * arguments.cells as f64;
    let reynolds = longest / (f64::from(steps) * dt) * diameter / arguments.viscosity;
    let resolved = RESOLVED * (arguments.cells as f64).powi(2);
    if reynolds > resolved {
        eprintln!(
            "note: the Reynolds number of the fastest floe is {reynolds:.3e}, beyond the {resolved:.0} that {} cells in a diameter resolve: forces and paths depend on the cells\n  hint: take more --cells, or a larger --viscosity",
            arguments.cells
        );
    }
    write_chart(arguments.svg.as_deref(), &chart(&course))?;
    if arguments.frames.json {
        let cell = flow.grid().spacing;
        let numbers = json!({
            "cells": [nx, ny],
            "cell_m": cell,
            "step_s": dt,
            "steps": steps,
            "iterations_per_step": totals.iterations as f64 / f64::from(steps),
            "most_contacts": totals.most_contacts,
            "reynolds_number": reynolds,
            "is_resolved": reynolds <= resolved,
            "least_gap_cells": totals.least_gap.is_finite().then_some(totals.least_gap),
            "rms_distance_to_law_m": root_mean_square(&drifts, Drift::distance),
            "floes": drifts.iter().zip(&course.paths).map(floe_json).collect::<Vec<_>>(),
            "obstacles": obstacles_json(&sea, &course),
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the steps: of the resolved water, and of the scenario with its own drag law.
fn advance(
    sea: &Sea,
    flow: &mut Unsteady,
    simulation: &mut Simulation,
    (steps, dt): (u32, f64),
    frames: &mut Frames<'_>,
) -> Result<(Totals, Course), Failure> {
    let cell = flow.grid().spacing;
    let mut totals = Totals {
        iterations: 0,
        most_contacts: 0,
        least_gap: f64::INFINITY,
    };
    let mut course = Course {
        speeds: vec![sea.speeds(flow, simulation)],
        paths: vec![0.0; sea.floe_count()],
        pushes: vec![DVec2::ZERO; flow.bodies.len() - sea.floe_count()],
        halves: 0,
    };
    for step in 0..steps {
        sea.load(flow, simulation, dt);
        let before: Vec<DVec2> = flow.bodies.iter().map(place).collect();
        let report = flow.step()?;
        frames.draw(step, flow)?;
        totals.iterations += report.iterations;
        totals.most_contacts = totals.most_contacts.max(report.contacts);
        totals.least_gap = totals.least_gap.min(report.least_gap / cell);
        for ((path, before), body) in course.paths.iter_mut().zip(before).zip(&flow.bodies) {
            *path += place(body).distance(before);
        }
        if 2 * step >= steps {
            let forces = &flow.fluid_forces()[sea.floe_count()..];
            for (sum, force) in course.pushes.iter_mut().zip(forces) {
                *sum += *force;
            }
            course.halves += 1;
        }
        simulation
            .advance_to(flow.time, &mut NoTimer, &mut |_, _| {
                ControlFlow::Continue(())
            })
            .map(|_| ())
            .map_err(Failure::Step)?;
        course.speeds.push(sea.speeds(flow, simulation));
    }
    Ok((totals, course))
}

fn place(body: &MovingBody) -> DVec2 {
    body.body.pose.position
}

fn root_mean_square(drifts: &[Drift], of: impl Fn(&Drift) -> f64) -> f64 {
    let sum: f64 = drifts.iter().map(|drift| of(drift) * of(drift)).sum();
    (sum / drifts.len() as f64).sqrt()
}

fn describe(sea: &Sea, drifts: &[Drift], course: &Course, totals: &Totals, steps: u32) {
    let mean = course.paths.iter().sum::<f64>() / course.paths.len() as f64;
    eprintln!(
        "{} floes on paths of {mean:.4} m in the mean; by the drag law they end {:.4} m from there (root mean square)",
        drifts.len(),
        root_mean_square(drifts, Drift::distance)
    );
    for (name, force) in sea.obstacle_names().zip(forces(course)) {
        eprintln!(
            "the water pushes {name} with {:.4e} and {:.4e} N/m along x and y, a mean over the second half",
            force.x, force.y
        );
    }
    eprintln!(
        "{steps} steps, {:.0} iterations a step, at most {} contacts, {}",
        totals.iterations as f64 / f64::from(steps),
        totals.most_contacts,
        gap_in_words(totals.least_gap)
    );
}

/// Mean forces on obstacles per metre of depth.
fn forces(course: &Course) -> impl Iterator<Item = DVec2> + '_ {
    let count = f64::from(course.halves.max(1));
    course.pushes.iter().map(move |sum| *sum / count)
}

fn floe_json((drift, path): (&Drift, &f64)) -> Value {
    json!({
        "name": drift.name,
        "path_m": path,
        "displacement_m": drift.resolved.to_array(),
        "displacement_by_law_m": drift.by_law.to_array(),
        "distance_to_law_m": drift.distance(),
        "velocity_m_s": drift.velocity.to_array(),
    })
}

fn obstacles_json(sea: &Sea, course: &Course) -> Vec<Value> {
    let of =
        |(name, force): (&str, DVec2)| json!({"name": name, "mean_force_n_m": force.to_array()});
    sea.obstacle_names().zip(forces(course)).map(of).collect()
}

fn chart(course: &Course) -> LineChart {
    let curve = |k: usize| course.speeds.iter().map(|row| [row[0], row[k]]).collect();
    LineChart {
        title: "Floes in resolved water, and by the drag law".into(),
        x_axis: Axis::new("Time", Unit::Fixed("s".into())),
        y_axis: Axis::new("Mean speed of the floes", Unit::Fixed("m/s".into())),
        series: vec![
            Series::new("resolved", curve(1)),
            Series::new("drag law", curve(2)).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}
