//! A pack whose floes fly about and collide, against FloeDyn's own run: how close its energy stays, and how long it
//! takes.
//!
//! `cargo run --release -p banquise --example kicked_pack -- shared/data/floedyn_cases/asm350_60_kick`
//!
//! After the folder may come the longest step \[s\], by which share the initial velocities are changed in each run, and
//! `common`, for the step of all together.

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

/// Runs from nearly the same start: single runs of a gas are chance.
const RUNS: u32 = 32;
/// By which share velocities at the start differ. In 100 s at 0.3 m/s it is 3 cm, a third of the collision distance of a middle
/// floe: less than how differently two programs see where an impact begins.
const CHANGE: f64 = 1e-3;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name the folder of a case")?;
    // The longest step of FloeDyn's run.
    let max_dt = arguments.next().map_or(Ok(10.0), |word| word.parse())?;
    let change = arguments.next().map_or(Ok(CHANGE), |word| word.parse())?;
    let local_time = arguments.next().is_none_or(|word| word != "common");
    let case = serde_json::from_str(&std::fs::read_to_string(format!("{folder}/initial.json"))?)?;
    let expected = read_energies(&std::fs::read_to_string(format!("{folder}/energy.csv"))?)?;
    let mut runs = Vec::new();
    for number in 0..RUNS {
        let mut simulation = simulation(&case, max_dt, local_time)?;
        change_velocities(&mut simulation, number, change);
        runs.push(run(simulation, &expected)?);
    }
    let reference: Vec<f64> = expected.iter().map(|&(_, energy)| energy).collect();
    let mean = mean_of(&runs);
    println!(
        "time (s)   FloeDyn (MJ)   mean of {RUNS} runs (MJ)   standard deviation (%)   difference (%)"
    );
    let mut within = 0;
    for (row, &(time, reference)) in expected.iter().enumerate() {
        let square = runs.iter().map(|run| (run[row] - mean[row]).powi(2));
        let deviation = (square.sum::<f64>() / f64::from(RUNS - 1)).sqrt();
        within += usize::from((mean[row] - reference).abs() <= 2.0 * deviation);
        if row % 10 == 0 {
            println!(
                "{time:8.1} {:12.5} {:16.5} {:20.2} {:24.2}",
                1e-6 * reference,
                1e-6 * mean[row],
                100.0 * deviation / mean[row],
                100.0 * (mean[row] / reference - 1.0),
            );
        }
    }
    println!(
        "FloeDyn is within two standard deviations at {within} of {} times",
        expected.len()
    );
    compare(&runs, &reference, &mean);
    Ok(())
}

/// How far FloeDyn is from the runs, and each run from the others: is it one of them?
fn compare(runs: &[Vec<f64>], reference: &[f64], mean: &[f64]) {
    let own: Vec<[f64; 3]> = (0..runs.len())
        .map(|one| {
            let mut others = runs.to_vec();
            let run = others.remove(one);
            distance(&run, &mean_of(&others))
        })
        .collect();
    let theirs = distance(reference, mean);
    for (column, name) in [
        "on average",
        "at most",
        "at most, of the energy at the start",
    ]
    .into_iter()
    .enumerate()
    {
        let mut own: Vec<f64> = own.iter().map(|distance| distance[column]).collect();
        own.sort_by(f64::total_cmp);
        let farther = own.iter().filter(|&&own| own > theirs[column]).count();
        println!(
            "from the mean of the runs, {name}: FloeDyn {:.2} %; a run of ours from the others {:.2} % (middle), {:.2} % (largest), {farther} of {RUNS} farther than FloeDyn",
            100.0 * theirs[column],
            100.0 * own[own.len() / 2],
            100.0 * own[own.len() - 1],
        );
    }
}

fn mean_of(runs: &[Vec<f64>]) -> Vec<f64> {
    let sum = |row: usize| runs.iter().map(|run| run[row]).sum::<f64>();
    (0..runs[0].len())
        .map(|row| sum(row) / runs.len() as f64)
        .collect()
}

/// How far two curves are apart, relative to the second: on average and at most, and at most relative to where it begins.
fn distance(one: &[f64], other: &[f64]) -> [f64; 3] {
    let (mut sum, mut most, mut most_of_start) = (0.0, 0.0_f64, 0.0_f64);
    for (a, b) in one.iter().zip(other) {
        let difference = (a - b).abs();
        sum += difference / b;
        most = most.max(difference / b);
        most_of_start = most_of_start.max(difference / other[0]);
    }
    [sum / one.len() as f64, most, most_of_start]
}

/// Changes each speed by up to a share of it, differently in each run; the first run has the velocities given.
fn change_velocities(simulation: &mut Simulation, run: u32, share: f64) {
    let bodies = &mut simulation.world.bodies;
    for row in 0..bodies.len() {
        // Multiples of numbers far from every fraction: even, and no two runs alike.
        let number =
            0.754_877_666_246_692_8 * (row as f64 + 1.0) + 0.569_840_290_998_053_2 * f64::from(run);
        let change = if run == 0 {
            0.0
        } else {
            share * (2.0 * number.fract() - 1.0)
        };
        let mut velocity = bodies.motions()[row].velocity;
        velocity.linear *= 1.0 + change;
        bodies.set_velocity(row, velocity);
    }
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
