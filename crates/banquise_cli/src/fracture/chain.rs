//! `banquise fracture chain`: chains of masses that strike each other.

use std::process::ExitCode;

use banquise_fracture::run::{Event, Happening};
use banquise_fracture::source;
use banquise_fracture::{BreakRule, ChainImpact, Integrator, Run, RunSettings};
use serde_json::{Value, json};

use super::{budget_json, budget_line, integrator, law};
use crate::arguments::fracture::{CaseChoice, ChainArguments};
use crate::failure::Failure;

pub(super) fn chain(arguments: &ChainArguments) -> Result<ExitCode, Failure> {
    match arguments.case {
        Some(CaseChoice::ThreeFloesAsCoded) => Ok(as_coded(arguments)),
        Some(CaseChoice::ThreeFloes) => {
            let settings = settings(arguments, BreakRule::Tension);
            finish(
                arguments,
                source::three_floes_corrected(settings)?,
                source::END,
            )
        }
        None => {
            let breaking = match arguments.bond_energy {
                Some(_) => BreakRule::Tension,
                None => BreakRule::Never,
            };
            let blow = ChainImpact {
                nodes: arguments.nodes,
                mass: arguments.mass,
                stiffness: arguments.stiffness,
                dashpot: arguments.dashpot,
                bond_energy: arguments.bond_energy,
                striker_nodes: arguments.striker_nodes,
                striker_mass: arguments.striker_mass,
                speed: arguments.speed,
                pinned: arguments.pin,
                law: law(&arguments.percussion),
            };
            let run = blow.start(settings(arguments, breaking))?;
            finish(arguments, run, arguments.duration)
        }
    }
}

fn settings(arguments: &ChainArguments, breaking: BreakRule) -> RunSettings {
    RunSettings {
        integrator: integrator(arguments.percussion.integrator, Integrator::Implicit),
        dt: arguments.step,
        breaking,
    }
}

fn finish(arguments: &ChainArguments, mut run: Run, duration: f64) -> Result<ExitCode, Failure> {
    if !(duration > 0.0 && duration.is_finite()) {
        return Err(Failure::usage(
            format!("the duration must be positive and finite, not {duration}"),
            "give a positive --duration",
        ));
    }
    run.run_until(duration)?;
    let count = |is: fn(&Happening) -> bool| run.events().iter().filter(|e| is(&e.what)).count();
    let impacts = count(|what| matches!(what, Happening::Impact { .. }));
    let breaks = count(|what| matches!(what, Happening::Break { .. }));
    eprintln!("{impacts} impacts, {breaks} broken bonds");
    budget_line(run.budget());
    if arguments.json {
        let state = run.state();
        let along = |values: &[banquise_geometry::DVec2]| -> Vec<f64> {
            values.iter().map(|value| value.x).collect()
        };
        println!(
            "{}",
            json!({
                "time": state.time,
                "momentum_initial": run.initial_momentum().x,
                "momentum": run.momentum().x,
                "displacement": along(&state.displacement),
                "velocity": along(&state.velocity),
                "budget": budget_json(run.budget()),
                "events": run.events().iter().map(event_json).collect::<Vec<_>>(),
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn event_json(event: &Event) -> Value {
    let mut entry = match event.what {
        Happening::Impact {
            contact,
            speed,
            stays,
        } => json!({"event": "impact", "contact": contact, "speed": speed, "sustained": stays}),
        Happening::Release { contact } => json!({"event": "release", "contact": contact}),
        Happening::Break {
            bond,
            energy,
            tension,
        } => json!({"event": "break", "bond": bond, "bond_energy": energy, "tension": tension}),
    };
    entry["time"] = json!(event.time);
    entry["energy"] = json!(event.energy);
    entry
}

fn as_coded(arguments: &ChainArguments) -> ExitCode {
    let result = source::three_floes();
    for one in &result.breaks {
        eprintln!(
            "spring {} of floe {} breaks at {:.3}",
            one.spring, one.floe, one.time
        );
    }
    eprintln!(
        "momentum -10.02 becomes {:.2}, kinetic energy 47.478 becomes {:.2} by {:.2}: the program does not conserve them",
        result.momentum, result.kinetic, result.time,
    );
    if arguments.json {
        let breaks = result.breaks.iter();
        println!(
            "{}",
            json!({
                "breaks": breaks
                    .map(|b| json!({"time": b.time, "floe": b.floe, "spring": b.spring}))
                    .collect::<Vec<_>>(),
                "time": result.time,
                "momentum": result.momentum,
                "energy_kinetic": result.kinetic,
            })
        );
    }
    ExitCode::SUCCESS
}
