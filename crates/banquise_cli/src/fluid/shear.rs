//! `banquise fluid shear`: a disc in a box whose walls shear the fluid.

use std::process::ExitCode;

use banquise_flow::box_disc::{BoxDisc, SHEAR};
use serde_json::json;

use super::outputs::check_files;
use super::picture::{Picture, Units, all_nodes};
use super::{elements, settings};
use crate::arguments::fluid::{Method, ShearArguments};
use crate::failure::Failure;

/// Cells along a side of the grid.
const CELLS: usize = 100;

pub(super) fn run(arguments: &ShearArguments) -> Result<ExitCode, Failure> {
    check_files(&[arguments.svg.as_deref(), arguments.vtk.as_deref()])?;
    if arguments.method == Method::Elements {
        if arguments.vtk.is_some() {
            return Err(Failure::usage(
                "--vtk writes the flow on a grid, and --method is elements",
                "leave --method or --vtk out",
            ));
        }
        return elements::shear(arguments);
    }
    let settings = settings(&arguments.solver)?;
    let disc = BoxDisc {
        cells: arguments.cells.unwrap_or(CELLS),
    };
    let (grid, solution, pressure) = disc.with_pressure(true, &settings)?;
    let spin = solution.motions[0].angular_velocity;
    eprintln!(
        "angular velocity over shear rate {spin:.9} (0.5 by symmetry), {} iterations",
        solution.iterations
    );
    if arguments.svg.is_some() || arguments.vtk.is_some() {
        // v = x about the middle of the box, in whose frame the disc turns in its place.
        let bodies = [BoxDisc::body()?];
        let stream = all_nodes(&grid, &solution.stream, |at| {
            -0.5 * SHEAR.yx * (at.x - 0.5) * (at.x - 0.5)
        });
        let picture = Picture::new(&grid, &bodies, stream)
            .with_pressure(pressure, arguments.show)
            .with_units(Units::NONE);
        picture.write(arguments.svg.as_deref(), arguments.vtk.as_deref())?;
    }
    if arguments.json {
        let numbers = json!({
            "cells": disc.cells,
            "angular_velocity": spin,
            "iterations": solution.iterations,
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}
