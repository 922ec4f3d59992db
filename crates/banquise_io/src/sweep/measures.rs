//! What is measured of each member at the times of its records: one number each.

use banquise::diagnostics::clusters::{cluster_sizes, clusters};
use banquise::diagnostics::concentration::{concentration_within, pack_concentration};
use banquise::diagnostics::dispersion::dispersion;
use banquise::diagnostics::energy::{common_energy, free_drift, is_held};
use banquise::diagnostics::pairs::PairDistances;
use banquise::{Domain, Simulation, World, first_meeting};
use banquise_geometry::{DVec2, Pose, Shape};

use crate::diagnostics::HELD_SHARE;
use crate::recording::RecordReader;

/// A number that is measured of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Unit as CF writes it.
    pub unit: String,
    /// Meaning.
    pub meaning: String,
}

/// How a measure is read.
type Read = fn(&Simulation) -> f64;

/// Measures of the pack: name, unit, meaning.
#[rustfmt::skip]
pub const MEASURES: &[(&str, &str, &str)] = &[
    ("floe_count", "1", "floes in the world"),
    ("max_speed", "m s-1", "largest speed of a floe"),
    ("centre_x", "m", "centre of mass of the floes, eastward"),
    ("centre_y", "m", "centre of mass of the floes, northward"),
    ("concentration", "1", "share of ice in the periodic cell, or in the hull of the pack"),
    ("dispersion", "m", "root mean square distance of the floes from their centre of mass"),
    ("median_distance", "m", "median distance of pairs of floes"),
    ("held_floes", "1", "share of the floes slower than a tenth of free drift"),
    ("held_mass", "1", "share of the mass slower than a tenth of free drift"),
    ("energy_over_free_drift", "1", "kinetic energy over that of free drift"),
    ("cluster_count", "1", "groups of two floes or more"),
    ("largest_cluster", "1", "floes of the largest group"),
    ("clustered_floes", "1", "share of the floes in groups of two or more"),
    ("overlap", "1", "1 if two bodies overlap, else 0"),
];

/// Measured where a study names none: what costs little.
pub(super) const DEFAULT: [&str; 6] = [
    "kinetic_energy",
    "collision_count",
    "unsolved_count",
    "max_speed",
    "concentration",
    "dispersion",
];

/// Floes at most this share of the mean of √area apart are of one group, as in reports.
const CLUSTER_GAP: f64 = 0.02;

fn reader(name: &str) -> Option<Read> {
    Some(match name {
        "floe_count" => |s| s.world.floe_rows().count() as f64,
        "max_speed" => max_speed,
        "centre_x" => |s| s.world.floe_center().x,
        "centre_y" => |s| s.world.floe_center().y,
        "concentration" => concentration,
        "dispersion" => |s| {
            let (masses, positions) = (floe_masses(&s.world), positions(&s.world));
            dispersion(&masses, &positions)
        },
        "median_distance" => |s| {
            let distances = PairDistances::of(&positions(&s.world), &s.world.domain);
            distances.median().unwrap_or(f64::NAN)
        },
        "held_floes" => |s| held(s)[0],
        "held_mass" => |s| held(s)[1],
        "energy_over_free_drift" => |s| {
            let masses = floe_masses(&s.world);
            s.world.kinetic_energy() / common_energy(masses.into_iter(), free(s))
        },
        "cluster_count" => |s| groups(&s.world).len() as f64,
        "largest_cluster" => |s| {
            groups(&s.world)
                .first()
                .map_or(1.0, |&largest| largest as f64)
        },
        "clustered_floes" => |s| {
            let grouped: usize = groups(&s.world).iter().sum();
            grouped as f64 / s.world.floe_rows().count() as f64
        },
        "overlap" => |s| f64::from(u8::from(first_meeting(&s.world).is_some())),
        _ => return None,
    })
}

/// The measure of that name: of the pack, or a variable of recordings with one value a record.
pub(super) fn find(name: &str) -> Option<Measure> {
    let own = MEASURES.iter().find(|(own, ..)| *own == name);
    let own = own.map(|&(name, unit, meaning)| (name.into(), unit.into(), meaning.into()));
    let found = own.or_else(|| RecordReader::describe(name));
    found.map(|(name, unit, meaning)| Measure {
        name,
        unit,
        meaning,
    })
}

/// Names of all measures.
pub(super) fn names() -> Vec<&'static str> {
    let own = MEASURES.iter().map(|(name, ..)| *name);
    own.chain(RecordReader::names()).collect()
}

/// Reads all measures at the present time.
pub(super) fn read_all(measures: &[Measure], simulation: &Simulation) -> Vec<f64> {
    let records = RecordReader::new(simulation);
    let read = |measure: &Measure| match reader(&measure.name) {
        Some(read) => read(simulation),
        None => records.read(&measure.name).unwrap_or(f64::NAN),
    };
    measures.iter().map(read).collect()
}

fn positions(world: &World) -> Vec<DVec2> {
    let rows = world.floe_rows();
    rows.map(|row| world.unwrapped_position(row)).collect()
}

fn floe_masses(world: &World) -> Vec<f64> {
    let rows = world.floe_rows();
    rows.map(|row| world.bodies.masses()[row]).collect()
}

/// Shapes and poses of the floes.
fn floes(world: &World) -> (Vec<Shape>, Vec<Pose>) {
    let bodies = &world.bodies;
    let floe = |row: usize| (bodies.shapes()[row].clone(), bodies.motions()[row].pose);
    world.floe_rows().map(floe).unzip()
}

fn max_speed(simulation: &Simulation) -> f64 {
    let world = &simulation.world;
    let speed = |row: usize| world.bodies.motions()[row].velocity.linear.length();
    world.floe_rows().map(speed).fold(0.0, f64::max)
}

fn concentration(simulation: &Simulation) -> f64 {
    let world = &simulation.world;
    let (shapes, poses) = floes(world);
    match &world.domain {
        Domain::Periodic(cell) => concentration_within(&shapes, &poses, &world.domain, cell),
        Domain::Free | Domain::Bounded(_) if shapes.is_empty() => f64::NAN,
        Domain::Free | Domain::Bounded(_) => pack_concentration(&shapes, &poses, &world.domain),
    }
}

/// Velocity of free drift at the centre of the pack [m/s].
fn free(simulation: &Simulation) -> DVec2 {
    let drag = simulation.forcing.drag.unwrap_or_default();
    free_drift(drag.nansen_number(), simulation.wind(), simulation.water())
}

/// Shares of the floes and of their mass that are held.
fn held(simulation: &Simulation) -> [f64; 2] {
    let bodies = &simulation.world.bodies;
    let free = free(simulation);
    let [mut count, mut mass, mut held_count, mut held_mass] = [0.0; 4];
    for row in simulation.world.floe_rows() {
        let own = bodies.masses()[row];
        count += 1.0;
        mass += own;
        if is_held(bodies.motions()[row].velocity.linear, free, HELD_SHARE) {
            held_count += 1.0;
            held_mass += own;
        }
    }
    [held_count / count, held_mass / mass]
}

/// Sizes of the groups of two floes or more, the largest first.
fn groups(world: &World) -> Vec<usize> {
    let (shapes, poses) = floes(world);
    let mean = shapes.iter().map(|shape| shape.area().sqrt()).sum::<f64>() / shapes.len() as f64;
    let groups = clusters(&shapes, &poses, &world.domain, CLUSTER_GAP * mean);
    let mut sizes = cluster_sizes(&groups);
    sizes.retain(|&size| size > 1);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::plan::Plan;
    use std::path::Path;

    #[test]
    fn every_measure_can_be_read_and_names_are_known() {
        for (name, ..) in MEASURES {
            assert!(reader(name).is_some(), "{name}");
        }
        let text = builtin::find("drift").unwrap().text;
        let run = Plan::parse("drift", text, &[], Path::new("")).unwrap();
        let simulation = run.build().unwrap().simulation;
        let all: Vec<Measure> = names().into_iter().filter_map(find).collect();
        assert_eq!(all.len(), names().len());
        let values = read_all(&all, &simulation);
        let count = all.iter().position(|m| m.name == "floe_count").unwrap();
        assert_eq!(values[count], simulation.world.floe_rows().count() as f64);
        for name in DEFAULT {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
