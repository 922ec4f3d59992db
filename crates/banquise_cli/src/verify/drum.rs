//! Discs in a drum that turns: the angle at which they leave its walls, by contact law.

use std::f64::consts::TAU;

use banquise::{Touched, World};
use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use super::runs::{simulation, watch};
use crate::failure::Failure;

/// Walls of the drum of `viscous-lotto`, each a quarter of a turn on from the last, and its period \[s\].
const WALLS: [&str; 4] = ["bottom", "right", "top", "left"];
const PERIOD: f64 = 10.0;
/// Time of a run \[s\]: one turn.
const TIME: f64 = PERIOD;
/// Runs of each law, which differ in the random places and radii of the discs, and the quantile of Student's distribution for the
/// 95 % interval of the mean of so many.
const RUNS: u64 = 5;
const QUANTILE: f64 = 2.776;
/// A contact that neither pushes nor sticks for this time is lost, and one that was there for less is a bounce \[s\].
const LOST: f64 = 0.1;
const BOUNCE: f64 = 0.1;

/// A disc at a wall: since when and until when the wall pushed it or stuck to it \[s\], and the angle of the wall at first: zero as the floor, a quarter of a turn where it rises upright [rad].
#[derive(Debug, Clone, Copy)]
struct Held {
    from: f64,
    until: f64,
    angle: f64,
}

/// Discs at the walls of a drum, and the angles at which they left.
struct Drum {
    /// The wall that each body is.
    walls: Vec<Option<usize>>,
    held: Vec<[Option<Held>; WALLS.len()]>,
    angles: Vec<f64>,
}

impl Drum {
    fn of(world: &World) -> Self {
        let names = world.bodies.names().iter();
        let walls = names.map(|name| WALLS.iter().position(|wall| wall == name));
        Self {
            walls: walls.collect(),
            held: vec![[None; WALLS.len()]; world.bodies.len()],
            angles: Vec::new(),
        }
    }

    fn look(&mut self, world: &World) {
        let time = world.clock.time;
        for contact in world.contact_impulses() {
            let Touched::Body(other) = contact.other else {
                continue;
            };
            let rows = [contact.body, other].map(|id| world.bodies.row_of(id));
            let [Some(first), Some(second)] = rows else {
                continue;
            };
            let (disc, wall) = match (self.walls[first], self.walls[second]) {
                (Some(wall), None) => (second, wall),
                (None, Some(wall)) => (first, wall),
                _ => continue,
            };
            let held = self.held[disc][wall].get_or_insert(Held {
                from: time,
                until: time,
                angle: wall_angle(TAU * time / PERIOD, wall),
            });
            held.until = time;
        }
        for held in self.held.iter_mut().flatten() {
            let is_lost = |own: &mut Held| time - own.until > LOST;
            if let Some(own) = held.take_if(is_lost)
                && own.until - own.from >= BOUNCE
            {
                let turned = TAU * (own.until - own.from) / PERIOD;
                self.angles.push(own.angle + turned);
            }
        }
    }
}

/// Angle of a wall, from a quarter of a turn before it is the floor to three quarters after [rad].
fn wall_angle(turned: f64, wall: usize) -> f64 {
    let quarter = 0.25 * TAU;
    let angle = turned + quarter * wall as f64;
    (angle + quarter).rem_euclid(TAU) - quarter
}

/// A run: the mean angle at which discs left walls [°], how many did, and unsolved problems.
fn run(reference: &Reference, law: &[&str], seed: u64) -> Result<(f64, usize, u64), Failure> {
    let mut overrides: Vec<String> = law.iter().map(|&own| own.to_owned()).collect();
    overrides.push(format!("seed={seed}"));
    let mut run = simulation(reference, &overrides)?;
    let mut drum = Drum::of(&run.world);
    watch(&mut run, TIME, &mut |world, _| drum.look(world))?;
    let count = drum.angles.len();
    let mean = drum.angles.iter().sum::<f64>() / count as f64;
    Ok((mean.to_degrees(), count, run.contact.unsolved))
}

/// Mean of runs and half of its 95 % interval.
fn interval(means: &[f64]) -> [f64; 2] {
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let squares = means.iter().map(|own| (own - mean) * (own - mean));
    let variance = squares.sum::<f64>() / (count - 1.0);
    [mean, QUANTILE * (variance / count).sqrt()]
}

/// V15: smooth discs leave walls at larger angles than rough and dry ones. Five runs do not tell these two apart.
pub(super) fn detachment(reference: &Reference) -> Measured {
    let laws: [(&str, &[&str]); 3] = [
        ("dry", &["contact.law=\"inelastic\""]),
        (
            "rough",
            &["contact.law=\"rough\"", "contact.memory=\"1 N s\""],
        ),
        ("smooth", &["contact.law=\"gluey\""]),
    ];
    let all: Vec<(usize, u64)> = (0..laws.len())
        .flat_map(|law| (1..=RUNS).map(move |seed| (law, seed)))
        .collect();
    let runs: Vec<(f64, usize, u64)> = all
        .par_iter()
        .map(|&(law, seed)| run(reference, laws[law].1, seed))
        .collect::<Result<_, Failure>>()?;
    let of_laws: Vec<&[(f64, usize, u64)]> = runs.chunks(RUNS as usize).collect();
    let intervals = of_laws.iter().map(|runs| {
        let means: Vec<f64> = runs.iter().map(|own| own.0).collect();
        interval(&means)
    });
    let intervals: Vec<[f64; 2]> = intervals.collect();
    let mut measured = Vec::new();
    for ((name, _), [mean, _]) in laws.iter().zip(&intervals) {
        measured.push((format!("mean detachment angle, {name} (°)"), *mean));
    }
    let ([low, below], [high, above]) = (intervals[1], intervals[2]);
    measured.push((
        "space between the 95 % intervals of rough and smooth (°)".into(),
        high - above - (low + below),
    ));
    let fewest = runs.iter().map(|own| own.1).min().unwrap_or(0);
    measured.push(("fewest detachments of a run".into(), fewest as f64));
    let unsolved: u64 = runs.iter().map(|own| own.2).sum();
    measured.push(("unsolved contact problems".into(), unsolved as f64));
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_wall_becomes_the_top() {
        let degrees = |turned: f64, wall: usize| wall_angle(turned, wall).to_degrees();
        assert!((degrees(0.0, 0)).abs() < 1e-12);
        assert!((degrees(0.0, 1) - 90.0).abs() < 1e-12);
        assert!((degrees(0.25 * TAU, 1) - 180.0).abs() < 1e-12);
        // The left wall comes down.
        assert!((degrees(0.0, 3) + 90.0).abs() < 1e-12);
    }

    #[test]
    fn an_interval_is_that_of_students_distribution() {
        let [mean, half] = interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((mean - 3.0).abs() < 1e-12);
        // s = √2.5, t₀.₉₇₅(4) = 2.776.
        assert!((half - 2.776 * 0.5_f64.sqrt()).abs() < 1e-12);
    }
}
