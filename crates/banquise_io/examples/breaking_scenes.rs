//! Runs built-in scenarios whose floes break, with exact tests of overlap on the way: unsolved contact problems, breaks, and how well the energy books close.
//!
//! `cargo run --release -p banquise_io --example breaking_scenes -- SEEDS SCENARIO [KEY=VALUE ...]`
//!
//! Each of SEEDS seeds, from 1 on, is a run; sums are printed after each.

#![expect(
    clippy::print_stdout,
    reason = "a program that prints what it measures"
)]

use std::ops::ControlFlow;
use std::path::Path;

use banquise::{NoTimer, Simulation, StepReport, World, first_meeting};
use banquise_io::builtin;
use banquise_io::plan::Plan;

type Failure = Box<dyn std::error::Error>;

/// Exact tests of overlap in each run.
const LOOKS: u32 = 40;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().ok_or("how many seeds?")?.parse()?;
    let name = arguments.next().ok_or("which scenario?")?;
    let builtin = builtin::find(&name).ok_or("there is no such scenario")?;
    let overrides: Vec<String> = arguments.collect();
    let (mut breaks, mut worst) = (0, 0.0_f64);
    for seed in 1..=seeds {
        let mut overrides = overrides.clone();
        if seeds > 1 {
            overrides.push(format!("seed={seed}"));
        }
        let prepared = Plan::parse(&name, builtin.text, &overrides, Path::new(""))?.build()?;
        let mut simulation = prepared.simulation;
        let start = simulation.world.kinetic_energy();
        let floes = simulation.world.floe_rows().count();
        let overlaps = run(&mut simulation, prepared.duration)?;
        let report = &simulation.fracture;
        let broken = report.struck_broken + report.pressed_broken;
        breaks += broken;
        let error = energy_error(&simulation, start);
        worst = worst.max(error);
        println!(
            "{name}, seed {}: {floes} floes, {} at the end, {broken} breaks ({} pressed), {} pieces, {} refused, {} unsolved, {overlaps} overlaps in {LOOKS} looks, energy books close to {error:.1e}; in all {breaks} breaks, {worst:.1e}",
            simulation.world.seed,
            simulation.world.floe_rows().count(),
            report.pressed_broken,
            report.pieces,
            report.refused,
            simulation.contact.unsolved,
        );
    }
    Ok(())
}

/// Runs to the end; returns in how many looks bodies overlapped.
fn run(simulation: &mut Simulation, duration: f64) -> Result<u32, Failure> {
    let mut overlaps = 0;
    let mut go_on = |_: &World, _: &StepReport| ControlFlow::Continue(());
    for look in 1..=LOOKS {
        let time = duration * f64::from(look) / f64::from(LOOKS);
        if simulation
            .advance_to(time, &mut NoTimer, &mut go_on)?
            .is_break()
        {
            break;
        }
        overlaps += u32::from(first_meeting(&simulation.world).is_some());
    }
    Ok(overlaps)
}

/// Kinetic energy less what the budgets say it is, over the energy that was exchanged [–].
fn energy_error(simulation: &Simulation, start: f64) -> f64 {
    let world = &simulation.world;
    let budget = &world.budget;
    let booked = start + budget.work() + budget.exchange.net().2;
    let contact = &budget.contact;
    let lost = contact.normal_loss + contact.tangent_loss + contact.fracture_loss;
    (world.kinetic_energy() - booked).abs() / (start + lost + contact.crushing_loss)
}
