//! `banquise fracture lattice`: a floe as a lattice, struck.

use std::process::ExitCode;

use banquise_fracture::Integrator;
use banquise_fracture::lattice::{Kind, Lattice};
use banquise_fracture::lattice_impact::{LatticeImpact, Striker};
use serde_json::json;

use super::{budget_json, budget_line, ice, integrator, law};
use crate::arguments::fracture::{KindChoice, LatticeArguments};
use crate::failure::Failure;

/// Sides that a wave crosses in a run.
const CROSSINGS: f64 = 4.0;

pub(super) fn lattice(arguments: &LatticeArguments) -> Result<ExitCode, Failure> {
    let ice = ice(&arguments.ice).check()?;
    let crossing = arguments.side / ice.bar_speed();
    let impact = LatticeImpact {
        lattice: Lattice {
            kind: match arguments.kind {
                KindChoice::Square => Kind::Square,
                KindChoice::Triangular => Kind::Triangular,
                KindChoice::Delaunay => Kind::Delaunay,
            },
            ice,
            side: arguments.side,
            thickness: arguments.thickness,
            spacing: arguments.spacing,
            damping: arguments.ice.damping,
            seed: arguments.seed,
        },
        striker: arguments.striker_mass.map_or(Striker::Floe, Striker::Mass),
        speed: arguments.speed,
        law: law(&arguments.percussion),
        pinned: arguments.pin,
        breaks: arguments.ice.breaks,
        integrator: integrator(arguments.percussion.integrator, Integrator::Symplectic),
        duration: arguments.duration.unwrap_or(CROSSINGS * crossing),
    };
    let result = impact.run()?;
    eprintln!(
        "{} nodes and {} bonds, steps of {:.3e} s; contact until {:.3} ms, force up to {:.4e} N",
        result.nodes,
        result.bonds,
        result.dt,
        1e3 * result.contact_time,
        result.peak_force,
    );
    if let Some(first) = result.first_break {
        eprintln!(
            "{} bonds broke from {:.3} ms on; the struck floe is in {} pieces",
            result.broken,
            1e3 * first,
            result.pieces,
        );
    }
    budget_line(&result.budget);
    if arguments.json {
        println!(
            "{}",
            json!({
                "nodes": result.nodes,
                "bonds": result.bonds,
                "dt_s": result.dt,
                "duration_s": impact.duration,
                "contact_time_s": result.contact_time,
                "peak_force_n": result.peak_force,
                "impulse_n_s": result.impulse,
                "momentum_initial": [result.initial_momentum.x, result.initial_momentum.y],
                "momentum": [result.momentum.x, result.momentum.y],
                "broken_bonds": result.broken,
                "first_break_s": result.first_break,
                "pieces": result.pieces,
                "budget": budget_json(&result.budget),
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}
