//! `banquise fluid unsplit`: contact forces found together with the flow, beside a projection after it.

use std::process::ExitCode;

use banquise_flow::CoupledDiscs;
use serde_json::json;

use super::settings;
use crate::arguments::fluid::UnsplitArguments;
use crate::failure::Failure;

pub(super) fn run(arguments: &UnsplitArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    let mut scene = CoupledDiscs::heap(usize::from(arguments.discs), arguments.cells)?;
    let mut list = Vec::new();
    for step in 1..=arguments.steps {
        let found = scene.solve(&settings)?;
        for (disc, motion) in scene.discs.iter_mut().zip(&found.coupled) {
            disc.0 += scene.dt * motion.velocity;
        }
        let pushing = found.contact_forces.iter().filter(|f| **f > 0.0).count();
        let gap = scene.least_gap() / scene.gap;
        eprintln!(
            "step {step}: {pushing} of {} contacts push; velocities of the splitting differ by {:.1} %; momentum of contacts {:.1e}, least gap {gap:.6} cells",
            found.contact_forces.len(),
            100.0 * found.difference(),
            found.unbalanced,
        );
        list.push(json!({
            "contacts": found.contact_forces.len(),
            "pushing": pushing,
            "largest_force": found.contact_forces.iter().copied().fold(0.0, f64::max),
            "difference_to_splitting": found.difference(),
            "momentum_of_contacts": found.unbalanced,
            "residual": found.residual,
            "least_gap_cells": gap,
        }));
    }
    if arguments.json {
        println!(
            "{}",
            json!({"discs": arguments.discs, "cells": arguments.cells, "steps": list})
        );
    }
    Ok(ExitCode::SUCCESS)
}
