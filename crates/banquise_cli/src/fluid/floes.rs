//! `banquise fluid floes`: floes in water that is resolved around them, against the drag law.

use std::process::ExitCode;

use banquise_flow::{EddyRun, EddySettings, FittedLaw, FloeSea, StillDrag, Unsteady};
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::{Value, json};

use super::falling::gap_in_words;
use super::frames::Frames;
use super::outputs::{check_files, write_chart};
use super::picture::Units;
use crate::arguments::fluid_moving::FloesArguments;
use crate::failure::Failure;

/// Drag coefficients of a circular cylinder in unbounded flow at Reynolds numbers of 20, 40 (Dennis and Chang 1970) and 100 (Park, Kwon and Choi 1998), as later papers quote them.
const CYLINDER: [[f64; 2]; 3] = [[20.0, 2.045], [40.0, 1.522], [100.0, 1.33]];

pub(super) fn run(arguments: &FloesArguments) -> Result<ExitCode, Failure> {
    let sea = FloeSea {
        diameter: arguments.diameter,
        cells: arguments.cells,
        corners: arguments.corners,
        viscosity: arguments.viscosity,
        draft: arguments.draft,
        seed: arguments.seed,
        ..FloeSea::default()
    };
    let winds = if arguments.wind.is_empty() {
        vec![0.001, 0.01, 0.03, 0.1]
    } else {
        arguments.wind.clone()
    };
    let settings = EddySettings {
        floes: arguments.floes,
        speed: arguments.eddies,
        duration: arguments.duration,
        ..EddySettings::default()
    };
    for &wind in &winds {
        sea.check_still(wind)?;
    }
    let has_eddies = arguments.floes > 0;
    let steps = if has_eddies {
        sea.eddy_steps(&settings)?
    } else {
        1
    };
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = Frames::without_directory(&arguments.frames, steps, Units::SI)?;
    if frames.are_wanted() && !has_eddies {
        return Err(Failure::usage(
            "pictures are those of floes among eddies, and --floes is 0",
            "give --floes, or leave --frames and --film out",
        ));
    }
    frames.open(false)?;
    let mut still = Vec::new();
    for &wind in &winds {
        let found = sea.still(wind)?;
        eprintln!(
            "wind stress {wind} Pa: {:.4} m/s, Reynolds number {:.1}, drag coefficient {:.3}",
            found.speed, found.reynolds, found.coefficient
        );
        still.push(found);
    }
    let exponent = exponent(&still);
    if let Some(exponent) = exponent {
        eprintln!("drag as velocity to the power {exponent:.2}");
    }
    let among = if has_eddies {
        let mut drawn = Ok(());
        let run = sea.eddies(&settings, |step, flow: &Unsteady| {
            if drawn.is_ok() {
                drawn = frames.draw(step, flow);
            }
        })?;
        drawn?;
        let law = run.fit();
        describe(&run, &law);
        Some((run, law))
    } else {
        None
    };
    if has_eddies {
        frames.finish()?;
    }
    write_chart(arguments.svg.as_deref(), &chart(&still))?;
    if arguments.frames.json {
        let numbers = json!({
            "diameter_m": sea.diameter,
            "draft_m": sea.draft,
            "viscosity_m2_s": sea.viscosity,
            "cells_in_a_diameter": sea.cells,
            "corners": sea.corners,
            "still_water": still.iter().map(still_json).collect::<Vec<_>>(),
            "exponent": exponent,
            "eddies": among.map(|(run, law)| eddies_json(&run, &law)),
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Slope of force against velocity, on logarithmic scales, by least squares.
fn exponent(still: &[StillDrag]) -> Option<f64> {
    if still.len() < 2 {
        return None;
    }
    let points = still.iter().map(|s| [s.speed.ln(), s.wind_stress.ln()]);
    let points: Vec<[f64; 2]> = points.collect();
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let product: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let square: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    Some(product / square)
}

/// Path in diameters from which on a fitted coefficient is one of a wake that has grown.
const LEAST_PATH: f64 = 2.0;

fn describe(run: &EddyRun, law: &FittedLaw) {
    eprintln!(
        "among eddies: drag coefficient {:.3}, which explains {:.0} % of the mean square force",
        law.coefficient,
        100.0 * law.explained
    );
    eprintln!(
        "the law follows the floes to {:.2} diameters after paths of {:.2}; velocities differ by {:.0} %",
        law.distance,
        law.path,
        100.0 * law.velocity_error
    );
    if law.path < LEAST_PATH {
        eprintln!(
            "warning: paths are shorter than {LEAST_PATH} diameters, in which the flow around the floes still grows; give a longer --duration"
        );
    }
    eprintln!(
        "{} steps, {:.0} iterations a step, {}, contacts within reach in {} steps",
        run.times.len(),
        run.iterations,
        gap_in_words(run.least_gap),
        run.steps_with_contacts
    );
}

fn still_json(found: &StillDrag) -> Value {
    json!({
        "wind_stress_pa": found.wind_stress,
        "speed_m_s": found.speed,
        "reynolds": found.reynolds,
        "drag_coefficient": found.coefficient,
        "steps": found.steps,
    })
}

fn eddies_json(run: &EddyRun, law: &FittedLaw) -> Value {
    let last = run.history.last();
    json!({
        "floes": last.map_or(0, Vec::len),
        "steps": run.times.len(),
        "iterations_per_step": run.iterations,
        "least_gap_cells": run.least_gap,
        "steps_with_contacts": run.steps_with_contacts,
        "drag_coefficient": law.coefficient,
        "share_of_square_force": law.explained,
        "distance_diameters": law.distance,
        "path_diameters": law.path,
        "velocity_difference": law.velocity_error,
    })
}

fn chart(still: &[StillDrag]) -> LineChart {
    let found = still.iter().map(|s| [s.reynolds, s.coefficient]);
    LineChart {
        title: "Form drag of a floe, resolved".into(),
        x_axis: Axis::log("Reynolds number U D/ν", Unit::None),
        y_axis: Axis::new("Drag coefficient F/(½ ρ D U²)", Unit::None),
        series: vec![
            Series::new("floe", found.collect()).with_style(LineStyle::Markers),
            // Three points are no curve.
            Series::new("circular cylinder, unbounded", CYLINDER.to_vec())
                .with_style(LineStyle::Markers),
        ],
        ..LineChart::default()
    }
}
