//! Runs a pack of FloeDyn from its input file, and compares with FloeDyn's own run.
//!
//! ```sh
//! cargo run --release --example floedyn -- in.h5 topaz_hourly.csv energy.csv
//! ```
//!
//! The second file has hourly wind and current (columns 3 to 6), the third the energy [J] and the centre of
//! mass \[m\] of FloeDyn's run (columns 2 to 4) at the times \[s\] of column 1.

use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use banquise::{NoTimer, World};
use banquise_geometry::{DVec2, math};
use banquise_io::plan::Plan;

/// Minutes of FloeDyn's ramp.
const RAMP: usize = 720;

/// FloeDyn's choices: explicit Euler, friction in decompression bounded by the new impulse alone,
/// each floe at its own latitude.
const SCENARIO: &str = r#"
title = "A pack of FloeDyn"
[time]
duration = "DURATION s"
step = "10 s"
scheme = "euler"
[contact]
cone = "literal"
[coriolis]
latitude = "80.207 degN"
per_floe = true
[wind]
series = "WIND"
[current]
series = "CURRENT"
[ocean]
model = "rabatel-2015"
[floedyn]
file = "INPUT"
"#;

/// How far apart the two runs were.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// Floes of the pack.
    pub(crate) floes: usize,
    /// Largest relative difference of the kinetic energies.
    pub(crate) energy: f64,
    /// Largest distance of the centres of mass \[m\].
    pub(crate) center: f64,
    /// Impacts that no method solved.
    pub(crate) unsolved: u64,
    /// Simulated seconds for each second of work.
    pub(crate) ratio: f64,
}

#[expect(clippy::print_stdout, reason = "its result is for people")]
fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args().skip(1).map(PathBuf::from).collect();
    let [input, weather, expected] = &paths[..] else {
        return Err("give an input file, hourly weather, and the energies to compare with".into());
    };
    let comparison = compare(input, weather, expected)?;
    println!(
        "{} floes: kinetic energy within {:.3} %, centre of mass within {:.3} m, {} unsolved, {:.0} times real time",
        comparison.floes,
        100.0 * comparison.energy,
        comparison.center,
        comparison.unsolved,
        comparison.ratio,
    );
    Ok(())
}

/// Runs the pack of `input` until the last time of `expected`.
pub(crate) fn compare(
    input: &Path,
    weather: &Path,
    expected: &Path,
) -> Result<Comparison, Box<dyn Error>> {
    let hours = rows(weather)?;
    let expected = rows(expected)?;
    let end = expected.last().ok_or("no times to compare at")?[0];
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("wind.csv"), minutes(&hours, 2)?)?;
    fs::write(folder.path().join("current.csv"), minutes(&hours, 4)?)?;
    let scenario = SCENARIO
        .replace("DURATION", &end.to_string())
        .replace("WIND", "wind.csv")
        .replace("CURRENT", "current.csv")
        .replace("INPUT", &fs::canonicalize(input)?.display().to_string());
    let plan = Plan::parse("floedyn", &scenario, &[], folder.path())
        .and_then(Plan::build)
        .map_err(|error| error.render(false))?;
    let mut simulation = plan.simulation;
    let start = Instant::now();
    let (mut energy, mut center) = (0.0_f64, 0.0_f64);
    for row in &expected {
        let after = &mut |_: &World, _: &_| ControlFlow::Continue(());
        simulation
            .advance_to(row[0], &mut NoTimer, after)?
            .continue_value();
        let found = simulation.world.kinetic_energy();
        if row[1] > 0.0 {
            energy = energy.max((found / row[1] - 1.0).abs());
        }
        let distance = center_of_mass(&simulation.world) - DVec2::new(row[2], row[3]);
        center = center.max(distance.length());
    }
    Ok(Comparison {
        floes: simulation.world.floe_rows().count(),
        energy,
        center,
        unsolved: simulation.contact.unsolved,
        ratio: end / start.elapsed().as_secs_f64(),
    })
}

fn center_of_mass(world: &World) -> DVec2 {
    let masses = world.bodies.masses();
    let mass: f64 = world.floe_rows().map(|row| masses[row]).sum();
    let rows = world.floe_rows();
    let moment: DVec2 = rows
        .map(|row| masses[row] * world.unwrapped_position(row))
        .sum();
    moment / mass
}

/// The rows of a CSV file as numbers.
fn rows(path: &Path) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let numbers = |line: &str| line.split(',').map(str::parse).collect::<Result<_, _>>();
    Ok(text
        .lines()
        .skip(1)
        .map(numbers)
        .collect::<Result<_, _>>()?)
}

/// FloeDyn's table of minutes from hourly vectors, as a series: polar interpolation, a first ramp of
/// twelve hours from rest *and from the angle zero*, and each value held until the next.
fn minutes(hours: &[Vec<f64>], column: usize) -> Result<String, Box<dyn Error>> {
    let mut text = "time_s,u_mps,v_mps\n".to_owned();
    let (mut minute, mut speed, mut angle) = (0_usize, 0.0, 0.0);
    for (index, row) in hours.iter().enumerate() {
        let (x, y) = (row[column], row[column + 1]);
        let (next_speed, next_angle) = (x.hypot(y), math::atan2(y, x));
        let count = if index == 0 { RAMP } else { 60 };
        let mut turn = next_angle - angle;
        if turn.abs() > PI {
            turn -= TAU.copysign(turn);
        }
        for step in 0..count {
            let weight = step as f64 / count as f64;
            let held = speed + weight * (next_speed - speed);
            let (sin, cos) = math::sin_cos(angle + weight * turn);
            let (x, y, start) = (held * cos, held * sin, 60.0 * minute as f64);
            writeln!(text, "{start},{x},{y}\n{},{x},{y}", start + 59.999)?;
            minute += 1;
        }
        (speed, angle) = (next_speed, next_angle);
    }
    Ok(text)
}
