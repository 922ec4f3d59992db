//! The study of a channel: is the ice blocked? (Rabatel 2015, section 3.2.1.)

use banquise::diagnostics::energy::{common_energy, free_drift, is_held};
use banquise::units::MINUTE;
use banquise::{Simulation, World, first_meeting};
use banquise_geometry::{DVec2, Shape};
use banquise_io::diagnostics::HELD_SHARE;
use banquise_io::plan::PreparedRun;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{advance, run_of};
use crate::failure::Failure;

/// A test of the source: its number, what it sets, and whether ice is blocked in the source.
pub(crate) struct Test {
    pub(crate) number: u8,
    overrides: &'static [&'static str],
    pub(super) is_blocked_in_source: bool,
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
pub(super) const BLOCKED_SHARE: f64 = 0.1;
/// The part of the run that is evaluated.
const END: f64 = 0.8;
/// Seed of the pack that is drawn.
pub(super) const DRAWN_PACK: u64 = 1;
/// When the source shows the ice \[s\].
const SNAPSHOTS: [f64; 2] = [124.0 * MINUTE, 220.0 * MINUTE];

/// Results of a run. Times are in seconds; energies are shares of that of free drift.
#[derive(Serialize, Deserialize)]
pub(crate) struct Run {
    pub(super) test: u8,
    pub(super) seed: u64,
    pub(super) times: Vec<f64>,
    pub(super) energy: Vec<f64>,
    /// Share of the floes that are held.
    pub(super) held: Vec<f64>,
    /// Their share of the mass.
    pub(super) held_mass: Vec<f64>,
    /// Sum of the normal impulses of all contacts since the start \[N s\].
    pub(super) impulse: Vec<f64>,
    /// Of the pack that is drawn.
    pub(super) snapshots: Vec<Snapshot>,
    pub(crate) unsolved: u64,
    pub(crate) overlaps: u32,
}

/// The ice at a time \[s\].
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) time: f64,
    /// Outlines \[m\] and speeds \[m/s\].
    pub(super) floes: Vec<(Vec<[f64; 2]>, f64)>,
    /// Outlines \[m\].
    pub(super) shores: Vec<Vec<[f64; 2]>>,
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
    pub(super) fn held_mass(&self) -> f64 {
        self.late(&self.held_mass)
    }

    pub(crate) fn is_blocked(&self) -> bool {
        self.held() >= BLOCKED_SHARE
    }

    /// Largest energy, over that of free drift.
    pub(crate) fn peak(&self) -> f64 {
        self.energy.iter().copied().fold(0.0, f64::max)
    }

    pub(super) fn to_json(&self) -> Value {
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
            "normal_impulse_n_s": self.impulse,
        })
    }
}

/// A run that is ready to start.
pub(super) fn prepare(
    test: &Test,
    seed: u64,
    overrides: &[String],
) -> Result<PreparedRun, Failure> {
    run_of("channel", &self::overrides(test, seed, overrides))
}

/// What a run sets in the scenario.
pub(super) fn overrides(test: &Test, seed: u64, set: &[String]) -> Vec<String> {
    let mut all: Vec<String> = test.overrides.iter().map(|&text| text.into()).collect();
    all.push(format!("seed={seed}"));
    all.extend_from_slice(set);
    all
}

/// One run of a test.
pub(crate) fn run(test: &Test, seed: u64, overrides: &[String]) -> Result<Run, Failure> {
    let mut prepared = prepare(test, seed, overrides)?;
    let mut run = Run {
        test: test.number,
        seed,
        times: Vec::new(),
        energy: Vec::new(),
        held: Vec::new(),
        held_mass: Vec::new(),
        impulse: Vec::new(),
        snapshots: Vec::new(),
        unsolved: 0,
        overlaps: 0,
    };
    let every = prepared.record_every;
    for record in 1..=(prepared.duration / every).round() as u32 {
        advance(&mut prepared.simulation, every * f64::from(record))?;
        look(&mut run, &prepared.simulation);
        let time = prepared.simulation.world.clock.time;
        let is_shown = SNAPSHOTS
            .iter()
            .any(|shown| (time - shown).abs() < 0.5 * every);
        if is_shown && seed == DRAWN_PACK {
            run.snapshots.push(snapshot(&prepared.simulation.world));
        }
    }
    run.unsolved = prepared.simulation.contact.unsolved;
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
    run.impulse.push(simulation.contact.normal_impulse);
    run.overlaps += u32::from(first_meeting(world).is_some());
}

fn snapshot(world: &World) -> Snapshot {
    let bodies = &world.bodies;
    let outline = |row: usize| -> Option<Vec<[f64; 2]>> {
        let Shape::Outline(outline) = &bodies.shapes()[row] else {
            return None;
        };
        let pose = bodies.motions()[row].pose;
        let points = outline.vertices().iter();
        Some(
            points
                .map(|&p| pose.world_from_body(p).to_array())
                .collect(),
        )
    };
    let speed = |row: usize| bodies.motions()[row].velocity.linear.length();
    let obstacles = (0..bodies.len()).filter(|&row| !bodies.is_floe(row));
    Snapshot {
        time: world.clock.time,
        floes: world
            .floe_rows()
            .filter_map(|row| Some((outline(row)?, speed(row))))
            .collect(),
        shores: obstacles.filter_map(outline).collect(),
    }
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
