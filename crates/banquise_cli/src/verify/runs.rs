//! Running the scenario of a case.

use std::ops::ControlFlow;

use banquise::{NoTimer, Simulation, StepReport, World};

use super::reference::Reference;
use crate::failure::Failure;
use crate::scenarios::find;

/// The simulation of the case, with overrides.
pub(super) fn simulation(
    reference: &Reference,
    overrides: &[String],
) -> Result<Simulation, Failure> {
    Ok(find(&reference.scenario, overrides)?.run.simulation)
}

/// Advances to `time` \[s\].
pub(super) fn advance(simulation: &mut Simulation, time: f64) -> Result<(), Failure> {
    watch(simulation, time, &mut |_, _| {})
}

/// Advances, showing every step's result.
pub(super) fn watch(
    simulation: &mut Simulation,
    time: f64,
    look: &mut dyn FnMut(&World, &StepReport),
) -> Result<(), Failure> {
    let after_step = &mut |world: &World, report: &StepReport| {
        look(world, report);
        ControlFlow::Continue(())
    };
    simulation
        .advance_to(time, &mut NoTimer, after_step)
        .map(|_| ())
        .map_err(Failure::Step)
}
