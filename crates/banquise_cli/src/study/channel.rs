//! The study of a channel: is the ice blocked? (Rabatel 2015, section 3.2.1.)

use banquise::diagnostics::energy::{common_energy, free_drift, is_held};
use banquise::{Simulation, World, first_meeting};
use banquise_geometry::DVec2;
use banquise_io::diagnostics::HELD_SHARE;
use banquise_io::figure::{Axis, Figure, LineChart, LineStyle, Reference, Series, Unit};
use banquise_io::plan::Plan;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Comparison, advance, run_of, table};
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

/// A run is blocked when this share of the floes is held, on average over the last fifth of it.
const BLOCKED_SHARE: f64 = 0.1;
/// The same in words; a floe slower than [`HELD_SHARE`] of free drift is held.
const CRITERION: &str = "A run is blocked when a tenth of its floes or more are held (slower than a tenth of free drift), on average \
                         over the last fifth of it.";
/// The part of the run that is looked at.
const END: f64 = 0.8;

/// What is kept of a run. Times are in seconds; energies are shares of that of free drift.
#[derive(Serialize, Deserialize)]
pub(crate) struct Run {
    test: u8,
    seed: u64,
    times: Vec<f64>,
    energy: Vec<f64>,
    /// Share of the floes that are held.
    held: Vec<f64>,
    /// Their share of the mass.
    held_mass: Vec<f64>,
    pub(crate) unsolved: u64,
    pub(crate) overlaps: u32,
}

impl Run {
    /// Mean over the end of the run.
    fn late(&self, shares: &[f64]) -> f64 {
        let from = END * self.times.last().copied().unwrap_or_default();
        let late = self.times.iter().zip(shares);
        let late: Vec<f64> = late.filter(|(t, _)| **t >= from).map(|(_, h)| *h).collect();
        late.iter().fold(0.0, |sum, share| sum + share) / late.len() as f64
    }

    /// Share of the floes that are held at the end.
    pub(crate) fn held(&self) -> f64 {
        self.late(&self.held)
    }

    /// Share of the mass that is held at the end.
    fn held_mass(&self) -> f64 {
        self.late(&self.held_mass)
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
            "held_share_of_floes": self.held(),
            "held_share_of_mass": self.held_mass(),
            "largest_energy_over_free_drift": self.peak(),
            "unsolved": self.unsolved,
            "overlaps": self.overlaps,
            "time_s": self.times,
            "energy_over_free_drift": self.energy,
            "held_floes": self.held,
            "held_mass": self.held_mass,
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
        held_mass: Vec::new(),
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
    let [count, mass] = total(masses(world));
    let held = masses(world).filter(|(_, velocity)| is_held(*velocity, free, HELD_SHARE));
    let [held_count, held_mass] = total(held);
    run.times.push(world.clock.time);
    run.energy.push(world.kinetic_energy() / limit);
    run.held.push(held_count / count);
    run.held_mass.push(held_mass / mass);
    run.overlaps += u32::from(first_meeting(world).is_some());
}

/// How many, and their mass.
fn total(floes: impl Iterator<Item = (f64, DVec2)>) -> [f64; 2] {
    floes.fold([0.0, 0.0], |[count, sum], (mass, _)| {
        [count + 1.0, sum + mass]
    })
}

/// Mass and velocity of each floe.
fn masses(world: &World) -> impl Iterator<Item = (f64, DVec2)> + '_ {
    let bodies = &world.bodies;
    world
        .floe_rows()
        .map(|row| (bodies.masses()[row], bodies.motions()[row].velocity.linear))
}

/// The runs of some tests side by side.
pub(super) fn compare(tests: &[&Test], runs: &[Run]) -> Comparison {
    Comparison {
        title: "Ice blocked before a channel".into(),
        text: format!("{CRITERION} {}", verdict(runs)),
        tables: vec![table(
            "",
            [
                "test",
                "runs",
                "blocked",
                "held share of floes",
                "least",
                "most",
                "of mass",
                "largest energy",
                "unsolved",
                "overlaps",
                "source",
            ],
            tests.iter().map(|test| row(test, runs)).collect(),
        )],
        figures: vec![
            ("held-at-end", held_at_end(tests, runs)),
            ("held", held(tests, runs)),
            ("energy", energy(tests, runs)),
        ],
        json: runs.iter().map(Run::to_json).collect(),
    }
}

/// Blocked runs and all runs, of tests that are blocked in the source or of those that are not.
pub(crate) fn count(runs: &[Run], is_blocked_in_source: bool) -> [u32; 2] {
    let of = runs.iter().filter(|run| {
        let mut tests = TESTS.iter();
        tests.any(|test| {
            test.number == run.test && test.is_blocked_in_source == is_blocked_in_source
        })
    });
    of.fold([0, 0], |[blocked, all], run| {
        [blocked + u32::from(run.is_blocked()), all + 1]
    })
}

/// Whether both kinds of tests differ, in words.
fn verdict(runs: &[Run]) -> String {
    let ([a, m], [b, n]) = (count(runs, true), count(runs, false));
    if m == 0 || n == 0 {
        return String::new();
    }
    format!(
        "Blocked are {a} of {m} runs of the tests that are blocked in the source, and {b} of {n} of the others. Were it all the \
         same, so great a difference would come by chance with probability {:.2e} (Fisher's exact test, one-sided).",
        fisher([a, m], [b, n])
    )
}

/// Probability that a or more of m, and so b or fewer of n, fall to the first kind by chance, when a + b of
/// all m + n do (Fisher's exact test, one-sided).
pub(crate) fn fisher([a, m]: [u32; 2], [b, n]: [u32; 2]) -> f64 {
    let choose = |from: u32, some: u32| -> f64 {
        let factors = (0..some).map(|k| f64::from(from - k) / f64::from(some - k));
        factors.product()
    };
    let drawn = a + b;
    let ways = (a..=m.min(drawn)).map(|k| {
        let rest = drawn - k;
        choose(m, k) * choose(n, rest)
    });
    ways.sum::<f64>() / choose(m + n, drawn)
}

fn row(test: &Test, runs: &[Run]) -> [String; 11] {
    let of: Vec<&Run> = runs.iter().filter(|run| run.test == test.number).collect();
    let blocked = of.iter().filter(|run| run.is_blocked()).count();
    let held = of.iter().map(|run| run.held()).sum::<f64>() / of.len() as f64;
    let least = of.iter().map(|run| run.held()).fold(1.0, f64::min);
    let most = of.iter().map(|run| run.held()).fold(0.0, f64::max);
    let mass = of.iter().map(|run| run.held_mass()).sum::<f64>() / of.len() as f64;
    let peak = of.iter().map(|run| run.peak()).fold(0.0, f64::max);
    let source = if test.is_blocked_in_source {
        "blocked"
    } else {
        "not blocked"
    };
    [
        test.number.to_string(),
        of.len().to_string(),
        blocked.to_string(),
        format!("{held:.3}"),
        format!("{least:.3}"),
        format!("{most:.3}"),
        format!("{mass:.3}"),
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

fn energy(tests: &[&Test], runs: &[Run]) -> Figure {
    let means = tests.iter().map(|test| mean(test, runs, |run| &run.energy));
    let measured = "Energy over that of free drift";
    let chart = chart("Kinetic energy, mean of all packs", measured, means);
    Figure::new(chart.to_svg(), "All floes together, every minute.")
}

/// The held share at the end of every run: a dot each, the packs of a test side by side.
fn held_at_end(tests: &[&Test], runs: &[Run]) -> Figure {
    let packs = runs.iter().map(|run| run.seed).max().unwrap_or(1) as f64;
    let kinds = [
        (true, "blocked in the source"),
        (false, "not blocked in the source"),
    ];
    let dots = kinds.map(|(is_blocked_in_source, label)| {
        let of = tests
            .iter()
            .filter(|test| test.is_blocked_in_source == is_blocked_in_source);
        let points = of.flat_map(|test| {
            let runs = runs.iter().filter(|run| run.test == test.number);
            runs.map(|run| {
                let aside = 0.6 * ((run.seed as f64 - 0.5) / packs - 0.5);
                [f64::from(test.number) + aside, run.held()]
            })
        });
        Series::new(label, points.collect()).with_style(LineStyle::Markers)
    });
    let chart = LineChart {
        x_axis: Axis {
            range: Some([0.5, 5.5]),
            ..Axis::new("Test", Unit::None)
        },
        references: vec![Reference::Horizontal {
            value: BLOCKED_SHARE,
            label: "blocked".into(),
        }],
        ..chart(
            "Floes held in the last fifth of each run",
            HELD,
            dots.into_iter(),
        )
    };
    let caption = "A dot for each run, the packs of a test side by side.";
    Figure::new(chart.to_svg(), caption)
}

fn held(tests: &[&Test], runs: &[Run]) -> Figure {
    let means = tests.iter().map(|test| mean(test, runs, |run| &run.held));
    let chart = chart("Floes that are held, mean of all packs", HELD, means);
    Figure::new(chart.to_svg(), "Held: slower than a tenth of free drift.")
}

/// Axis of the held share.
const HELD: &str = "Held share of the floes";

fn chart(title: &str, measured: &str, series: impl Iterator<Item = Series>) -> LineChart {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lady_who_tastes_tea_is_right_by_chance_in_17_of_70_cases() {
        // Fisher 1935: three or four of four cups told apart from four others.
        assert!((fisher([3, 4], [1, 4]) - 17.0 / 70.0).abs() < 1e-15);
        assert!((fisher([4, 4], [0, 4]) - 1.0 / 70.0).abs() < 1e-15);
        assert_eq!(fisher([0, 30], [0, 20]), 1.0);
    }
}
