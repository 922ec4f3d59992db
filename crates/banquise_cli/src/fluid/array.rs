//! `banquise fluid array`: the drag of a square array of discs.

use std::process::ExitCode;

use banquise_flow::SquareArray;
use serde_json::json;

use super::outputs::check_files;
use super::picture::{Picture, all_nodes};
use super::settings;
use crate::arguments::fluid::ArrayArguments;
use crate::failure::Failure;

pub(super) fn run(arguments: &ArrayArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    check_files(&[arguments.svg.as_deref(), arguments.vtk.as_deref()])?;
    let array = SquareArray {
        fraction: arguments.fraction,
        cells: arguments.cells,
    };
    let found = array.run(&settings)?;
    eprintln!(
        "drag F/(μU) = {:.6} at an area fraction of {}: radius {:.2} cells, gap {:.2} cells, {} iterations",
        found.drag, array.fraction, found.radius_cells, found.gap_cells, found.iterations
    );
    let is_resolved = found.is_resolved();
    if !is_resolved {
        eprintln!(
            "warning: the drag may be off by more than half a percent: that takes 64 cells a side, 10 in the gap, 2.5 in the radius, and a strain rate of at most 1e-3 left in the disc"
        );
    }
    if arguments.svg.is_some() || arguments.vtk.is_some() {
        let (grid, bodies) = (&found.grid, std::slice::from_ref(&found.body));
        // In the frame of the disc.
        let motion = found.solution.motions[0].velocity;
        let stream = all_nodes(grid, &found.solution.stream, |at| {
            motion.y * at.x - motion.x * at.y
        });
        let picture = Picture::new(grid, bodies, stream)
            .with_pressure(found.pressure.clone(), arguments.show);
        picture.write(arguments.svg.as_deref(), arguments.vtk.as_deref())?;
    }
    if arguments.json {
        let numbers = json!({
            "fraction": array.fraction,
            "cells": array.cells,
            "drag": found.drag,
            "radius_cells": found.radius_cells,
            "gap_cells": found.gap_cells,
            "is_resolved": is_resolved,
            "iterations": found.iterations,
            "residual": found.solution.residual,
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}
