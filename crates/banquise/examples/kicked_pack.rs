//! A pack whose floes fly about and collide, against FloeDyn's own run: how close its energy stays, and how long it
//! takes.
//!
//! `cargo run --release -p banquise --example kicked_pack -- shared/data/floedyn_cases/asm350_60_kick`
//!
//! After the folder may come the longest step \[s\] and `common`, for the step of all together.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::ops::ControlFlow;
use std::time::Instant;

use banquise::{
    BodyKind, BodySpec, Cone, Coriolis, Domain, DragSettings, Forcing, Material, NoTimer, Scheme,
    Simulation, StepReport, StepSettings, Thickness, Velocity, World, first_meeting,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// Runs that differ in their longest step by a part in a thousand each: single runs of a gas are chance.
const RUNS: u32 = 16;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name the folder of a case")?;
    // The longest step of FloeDyn's run.
    let max_dt = arguments.next().map_or(Ok(10.0), |word| word.parse())?;
    let local_time = arguments.next().is_none_or(|word| word != "common");
    let case = serde_json::from_str(&std::fs::read_to_string(format!("{folder}/initial.json"))?)?;
    let expected = read_energies(&std::fs::read_to_string(format!("{folder}/energy.csv"))?)?;
    let mut runs = Vec::new();
    for number in 0..RUNS {
        let max_dt = max_dt * (1.0 - 1e-3 * f64::from(number));
        runs.push(run(simulation(&case, max_dt, local_time)?, &expected)?);
    }
    println!(
        "time (s)   FloeDyn (MJ)   mean of {RUNS} runs (MJ)   standard deviation (%)   difference (%)"
    );
    let count = f64::from(RUNS);
    let (mut worst, mut sum, mut within) = (0.0_f64, 0.0, 0);
    for (row, &(time, reference)) in expected.iter().enumerate() {
        let mean = runs.iter().map(|run| run[row]).sum::<f64>() / count;
        let square = runs.iter().map(|run| (run[row] - mean).powi(2));
        let deviation = (square.sum::<f64>() / (count - 1.0)).sqrt();
        let difference = (mean / reference - 1.0).abs();
        worst = worst.max(difference);
        sum += difference;
        within += usize::from((mean - reference).abs() <= 2.0 * deviation);
        if row % 10 == 0 {
            println!(
                "{time:8.1} {:12.5} {:16.5} {:20.2} {:24.2}",
                1e-6 * reference,
                1e-6 * mean,
                100.0 * deviation / mean,
                100.0 * (mean / reference - 1.0),
            );
        }
    }
    println!(
        "mean of the runs and FloeDyn: {:.2} % apart on average, {:.2} % at most; within two standard deviations at {within} of {} times",
        100.0 * sum / expected.len() as f64,
        100.0 * worst,
        expected.len(),
    );
    Ok(())
}

/// Times \[s\] and energies \[J\].
fn read_energies(text: &str) -> Result<Vec<(f64, f64)>, Failure> {
    let row = |line: &str| {
        let mut numbers = line.split(',').map(str::parse::<f64>);
        let mut next = || numbers.next().ok_or("a short line");
        Ok((next()??, next()??))
    };
    text.lines().skip(1).map(row).collect()
}

/// The energies \[J\] at the times given.
fn run(mut run: Simulation, times: &[(f64, f64)]) -> Result<Vec<f64>, Failure> {
    let mut energies = Vec::new();
    let start = Instant::now();
    for &(time, _) in times {
        let go_on = &mut |_: &World, _: &StepReport| ControlFlow::Continue(());
        _ = run.advance_to(time, &mut NoTimer, go_on)?;
        energies.push(run.world.kinetic_energy());
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} steps, {} impacts, {} unsolved, overlap {:?}; {seconds:.3} s, {:.0} times real time",
        run.world.clock.step,
        run.contact.impacts,
        run.contact.unsolved,
        first_meeting(&run.world),
        run.world.clock.time / seconds,
    );
    Ok(energies)
}

/// The case with FloeDyn's choices: its inertia, its explicit Euler, friction in decompression bounded by the new impulse
/// alone.
fn simulation(case: &Value, max_dt: f64, local_time: bool) -> Result<Simulation, Failure> {
    let mut world = World::new(Domain::Free, 1);
    for floe in case["floes"].as_array().ok_or("the case has no floes")? {
        world.add(spec(floe)?)?;
    }
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        coriolis: Coriolis::LatitudePerFloe(80.207_f64.to_radians()),
        ..Forcing::none()
    };
    let mut settings = StepSettings {
        scheme: Scheme::Euler,
        ..StepSettings::default()
    };
    settings.contact.cone = Cone::Literal;
    settings.contact.local_time = local_time;
    Ok(Simulation::new(world, forcing, settings, max_dt))
}

fn spec(floe: &Value) -> Result<BodySpec, Failure> {
    let number = |value: &Value| value.as_f64().ok_or("a number is missing");
    let ring = floe["outline"].as_array().ok_or("a floe without outline")?;
    let vertices = ring
        .iter()
        .map(|point| Ok(DVec2::new(number(&point[0])?, number(&point[1])?)))
        .collect::<Result<Vec<DVec2>, &str>>()?;
    Ok(BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
        shape: Shape::Outline(Outline::from_ring(&vertices)?),
        pose: Pose {
            position: DVec2::new(number(&floe["x"])?, number(&floe["y"])?),
            rotation: Rotation::from_angle(number(&floe["theta"])?),
        },
        velocity: Velocity {
            linear: DVec2::new(number(&floe["vx"])?, number(&floe["vy"])?),
            angular: number(&floe["omega"])?,
        },
        thickness: Thickness::Uniform(number(&floe["thickness"])?),
        material: Material {
            ocean_drag_coefficient: Some(number(&floe["C_w"])?),
            ..Material::default()
        },
        mass: Some(number(&floe["mass"])?),
        inertia: Some(number(&floe["inertia"])?),
    })
}
