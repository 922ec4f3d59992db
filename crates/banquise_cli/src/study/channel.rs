//! The study of a channel: is the ice blocked? (Rabatel 2015, section 3.2.1.)

use banquise::diagnostics::energy::{common_energy, free_drift, is_held};
use banquise::{Simulation, World, first_meeting};
use banquise_geometry::DVec2;
use banquise_io::diagnostics::HELD_SHARE;
use banquise_io::figure::{Axis, LineChart, Series, Unit};
use banquise_io::plan::Plan;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{Comparison, advance, run_of};
use crate::failure::Failure;

/// A test of the source: its number, what it sets, and whether ice is blocked in the source.
pub(crate) struct Test {
    pub(crate) number: u8,
    overrides: &'static [&'static str],
    is_blocked_in_source: bool,
}

pub(crate) const TESTS: [Test; 5] = [
    Test {
        number: 1,
        overrides: &[],
        is_blocked_in_source: true,
    },
    Test {
        number: 2,
        overrides: &["contact.restitution=0.6"],
        is_blocked_in_source: true,
    },
    Test {
        number: 3,
        overrides: &["contact.restitution=1"],
        is_blocked_in_source: false,
    },
    Test {
        number: 4,
        overrides: &["contact.restitution=0.6", "contact.friction=0.5"],
        is_blocked_in_source: false,
    },
    Test {
        number: 5,
        overrides: &["coriolis={parameter=\"1.44e-4 /s\"}"],
        is_blocked_in_source: true,
    },
];

/// A run is blocked when floes of this share of the mass are held, on average over the last fifth of it.
const BLOCKED_SHARE: f64 = 0.25;
/// The part of the run that is looked at.
const END: f64 = 0.8;

/// What is kept of a run. Times are in seconds; energies are shares of that of free drift.
pub(crate) struct Run {
    test: u8,
    seed: u64,
    times: Vec<f64>,
    energy: Vec<f64>,
    held: Vec<f64>,
    pub(crate) unsolved: u64,
    pub(crate) overlaps: u32,
}

impl Run {
    /// Share of the mass that is held at the end.
    pub(crate) fn held(&self) -> f64 {
        let from = END * self.times.last().copied().unwrap_or_default();
        let late = self.times.iter().zip(&self.held);
        let late: Vec<f64> = late.filter(|(t, _)| **t >= from).map(|(_, h)| *h).collect();
        late.iter().sum::<f64>() / late.len() as f64
    }

    pub(crate) fn is_blocked(&self) -> bool {
        self.held() >= BLOCKED_SHARE
    }

    /// Largest energy, over that of free drift.
    pub(crate) fn peak(&self) -> f64 {
        self.energy.iter().copied().fold(0.0, f64::max)
    }

    fn to_json(&self) -> Value {
        json!({
            "test": self.test,
            "seed": self.seed,
            "blocked": self.is_blocked(),
            "held_share_of_mass": self.held(),
            "largest_energy_over_free_drift": self.peak(),
            "unsolved": self.unsolved,
            "overlaps": self.overlaps,
            "time_s": self.times,
            "energy_over_free_drift": self.energy,
            "held": self.held,
        })
    }
}

/// The plan of a run.
pub(super) fn plan(test: &Test, seed: u64, overrides: &[String]) -> Result<Plan, Failure> {
    let mut all: Vec<String> = test.overrides.iter().map(|&text| text.into()).collect();
    all.push(format!("seed={seed}"));
    all.extend_from_slice(overrides);
    run_of("channel", &all)
}

/// One run of a test.
pub(crate) fn run(test: &Test, seed: u64, overrides: &[String]) -> Result<Run, Failure> {
    let mut plan = plan(test, seed, overrides)?;
    let mut run = Run {
        test: test.number,
        seed,
        times: Vec::new(),
        energy: Vec::new(),
        held: Vec::new(),
        unsolved: 0,
        overlaps: 0,
    };
    let every = plan.record_every;
    for record in 1..=(plan.duration / every).round() as u32 {
        advance(&mut plan.simulation, every * f64::from(record))?;
        look(&mut run, &plan.simulation);
    }
    run.unsolved = plan.simulation.contact.unsolved;
    eprintln!("test {}, pack {seed}: held {:.3}", test.number, run.held());
    Ok(run)
}

fn look(run: &mut Run, simulation: &Simulation) {
    let world = &simulation.world;
    let drag = simulation.forcing.drag.unwrap_or_default();
    let free = free_drift(drag.nansen_number(), simulation.wind(), simulation.water());
    let limit = common_energy(masses(world).map(|(mass, _)| mass), free);
    let all: f64 = masses(world).map(|(mass, _)| mass).sum();
    let held: f64 = masses(world)
        .filter(|(_, velocity)| is_held(*velocity, free, HELD_SHARE))
        .map(|(mass, _)| mass)
        .sum();
    run.times.push(world.clock.time);
    run.energy.push(world.kinetic_energy() / limit);
    run.held.push(held / all);
    run.overlaps += u32::from(first_meeting(world).is_some());
}

/// Mass and velocity of each floe.
fn masses(world: &World) -> impl Iterator<Item = (f64, DVec2)> + '_ {
    let bodies = &world.bodies;
    world
        .floe_rows()
        .map(|row| (bodies.masses()[row], bodies.motions()[row].velocity.linear))
}

/// Runs the tests with the packs of seeds 1 to `seeds`, and compares.
pub(super) fn compare(
    tests: &[&Test],
    seeds: u64,
    overrides: &[String],
) -> Result<Comparison, Failure> {
    let all: Vec<(&Test, u64)> = tests
        .iter()
        .flat_map(|&test| (1..=seeds).map(move |seed| (test, seed)))
        .collect();
    let runs: Vec<Run> = all
        .into_par_iter()
        .map(|(test, seed)| run(test, seed, overrides))
        .collect::<Result<_, _>>()?;
    let rows = tests.iter().map(|test| row(test, &runs)).collect();
    Ok(Comparison {
        title: "Ice blocked before a channel".into(),
        text: format!(
            "A run is blocked when floes of {BLOCKED_SHARE} of the mass or more are held (slower than {HELD_SHARE} of free drift), on \
             average over the last fifth of it."
        ),
        header: [
            "test",
            "runs",
            "blocked",
            "held share of mass",
            "largest energy",
            "unsolved",
            "overlaps",
            "source",
        ]
        .map(Into::into)
        .to_vec(),
        rows,
        figures: vec![
            ("energy", energy(tests, &runs)),
            ("held", held(tests, &runs)),
        ],
        json: runs.iter().map(Run::to_json).collect(),
    })
}

fn row(test: &Test, runs: &[Run]) -> Vec<String> {
    let of: Vec<&Run> = runs.iter().filter(|run| run.test == test.number).collect();
    let blocked = of.iter().filter(|run| run.is_blocked()).count();
    let held = of.iter().map(|run| run.held()).sum::<f64>() / of.len() as f64;
    let peak = of.iter().map(|run| run.peak()).fold(0.0, f64::max);
    let source = if test.is_blocked_in_source {
        "blocked"
    } else {
        "not blocked"
    };
    vec![
        test.number.to_string(),
        of.len().to_string(),
        blocked.to_string(),
        format!("{held:.3}"),
        format!("{peak:.3}"),
        of.iter().map(|run| run.unsolved).sum::<u64>().to_string(),
        of.iter().map(|run| run.overlaps).sum::<u32>().to_string(),
        source.into(),
    ]
}

/// Mean over the seeds of each test.
fn mean(test: &Test, runs: &[Run], value: impl Fn(&Run) -> &[f64]) -> Series {
    let of: Vec<&Run> = runs.iter().filter(|run| run.test == test.number).collect();
    let points = of[0].times.iter().enumerate().map(|(record, &time)| {
        let sum: f64 = of.iter().map(|run| value(run)[record]).sum();
        [time, sum / of.len() as f64]
    });
    Series::new(&format!("test {}", test.number), points.collect())
}

fn energy(tests: &[&Test], runs: &[Run]) -> String {
    chart(
        "Kinetic energy over that of free drift, mean of all packs",
        "Energy over that of free drift",
        tests.iter().map(|test| mean(test, runs, |run| &run.energy)),
    )
}

fn held(tests: &[&Test], runs: &[Run]) -> String {
    chart(
        "Share of the mass that is held, mean of all packs",
        "Held share of the mass",
        tests.iter().map(|test| mean(test, runs, |run| &run.held)),
    )
}

fn chart(title: &str, measured: &str, series: impl Iterator<Item = Series>) -> String {
    LineChart {
        title: title.into(),
        x_axis: Axis::new("Time", Unit::Time),
        y_axis: Axis {
            range: Some([0.0, 1.0]),
            ..Axis::new(measured, Unit::None)
        },
        series: series.collect(),
        ..LineChart::default()
    }
    .to_svg()
}
