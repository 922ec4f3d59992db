//! `banquise fluid`: rigid bodies in a viscous fluid that is resolved around them.

mod array;
mod bench;
mod checkpoint;
mod convergence;
mod elements;
mod falling;
mod floes;
mod frames;
mod jeffery;
mod moving;
mod outputs;
mod picture;
mod scenario;
mod sea;
mod shear;
mod squeeze;
mod strokes;
mod swimmer;
mod unsplit;
mod viscosity;

use std::process::ExitCode;

use banquise_flow::SolverSettings;

use crate::arguments::fluid::{FluidArguments, FluidVerb};
use crate::arguments::fluid_groups::{SolverArguments, ToleranceArguments};
use crate::failure::Failure;
use crate::threads::use_threads;

pub(crate) use bench::{Gauges, SCENES, bench};
pub(crate) use convergence::Convergence;
pub(crate) use elements::{ElementStudy, orders, sheared, sheared_between_sides};
pub(crate) use moving::{VESICLE_VISCOSITIES, vesicle_spring};
pub(crate) use swimmer::{SHAPES, compare_with_elements, energies};

pub(crate) fn fluid(arguments: &FluidArguments) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        FluidVerb::Array(arguments) => array::run(arguments),
        FluidVerb::Convergence(arguments) => convergence::run(arguments),
        FluidVerb::Shear(arguments) => shear::run(arguments),
        FluidVerb::Swimmer(arguments) => swimmer::run(arguments),
        FluidVerb::Valve(arguments) => moving::valve(arguments),
        FluidVerb::Vesicle(arguments) => moving::vesicle(arguments),
        FluidVerb::Bed(arguments) => moving::bed(arguments),
        FluidVerb::Dkt(arguments) => falling::dkt(arguments),
        FluidVerb::Sediment(arguments) => falling::sediment(arguments),
        FluidVerb::Viscosity(arguments) => viscosity::run(arguments),
        FluidVerb::Jeffery(arguments) => jeffery::run(arguments),
        FluidVerb::Floes(arguments) => floes::run(arguments),
        FluidVerb::Run(arguments) => scenario::run(arguments),
        FluidVerb::Unsplit(arguments) => unsplit::run(arguments),
        FluidVerb::Squeeze(arguments) => squeeze::run(arguments),
    }
}

/// Settings of the solver; the threads are started too.
fn settings(arguments: &SolverArguments) -> Result<SolverSettings, Failure> {
    use_threads(arguments.threads)?;
    with_tolerance(arguments.tolerance)
}

fn with_tolerance(arguments: ToleranceArguments) -> Result<SolverSettings, Failure> {
    let tolerance = arguments.tolerance;
    if !(1e-13..1.0).contains(&tolerance) {
        return Err(Failure::usage(
            format!("--tolerance is {tolerance}"),
            "give a value from 1e-13, which rounding allows, to below 1",
        ));
    }
    Ok(SolverSettings {
        tolerance,
        ..SolverSettings::default()
    })
}
