//! `banquise fracture`: floes made of masses, springs and dashpots, struck; elastic plates that crack.

mod bar;
mod bar_page;
mod chain;
mod lattice;
mod plate;
mod plate_map;
mod plate_page;
pub(crate) mod specimen;
mod told;

use std::process::ExitCode;

use banquise_fracture::{Budget, Ice, Integrator, Percussion};
use serde_json::{Value, json};

use crate::arguments::fracture::{
    FractureArguments, FractureVerb, IceArguments, IntegratorChoice, LawChoice, PercussionArguments,
};
use crate::failure::Failure;

pub(crate) fn fracture(arguments: &FractureArguments) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        FractureVerb::Bar(arguments) => bar::bar(arguments),
        FractureVerb::Chain(arguments) => chain::chain(arguments),
        FractureVerb::Lattice(arguments) => lattice::lattice(arguments),
        FractureVerb::Plate(arguments) => plate::run(arguments),
    }
}

fn ice(arguments: &IceArguments) -> Ice {
    Ice {
        young: arguments.young,
        density: arguments.density,
        fracture_energy: arguments.fracture_energy,
        ..Ice::default()
    }
}

fn law(arguments: &PercussionArguments) -> Percussion {
    let restitution = arguments.restitution;
    match arguments.law {
        LawChoice::Complementarity => Percussion::Complementarity { restitution },
        LawChoice::Impulse => Percussion::Impulse {
            restitution,
            duration: arguments.impact_time,
        },
        LawChoice::Merge => Percussion::Merge { wall: false },
        LawChoice::MergeWall => Percussion::Merge { wall: true },
    }
}

fn integrator(choice: Option<IntegratorChoice>, usual: Integrator) -> Integrator {
    match choice {
        Some(IntegratorChoice::Implicit) => Integrator::Implicit,
        Some(IntegratorChoice::Symplectic) => Integrator::Symplectic,
        None => usual,
    }
}

/// The budgets, in joules where the units are SI.
fn budget_json(budget: &Budget) -> Value {
    json!({
        "energy_initial": budget.initial,
        "energy_kinetic": budget.kinetic,
        "energy_elastic": budget.elastic,
        "energy_dissipated": budget.dissipated,
        "energy_impacts": budget.impacts,
        "energy_broken": budget.broken,
        "energy_surface": budget.surface,
        "energy_error": budget.energy_error(),
        "external_impulse": [budget.external_impulse.x, budget.external_impulse.y],
    })
}

/// The budgets as a line for people.
fn budget_line(budget: &Budget) {
    let share = |energy: f64| 100.0 * energy / budget.initial;
    eprintln!(
        "energy: {:.2} % kinetic, {:.2} % elastic, {:.2} % in dashpots, {:.2} % in impacts, {:.2} % in broken bonds; budget error {:.1e}",
        share(budget.kinetic),
        share(budget.elastic),
        share(budget.dissipated),
        share(budget.impacts),
        share(budget.broken),
        budget.energy_error(),
    );
}
