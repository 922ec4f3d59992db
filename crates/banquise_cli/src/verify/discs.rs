//! The cases of Lefebvre 2007 with many discs: the rotating box and the sedimentation.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use banquise::{Simulation, Touched, World};
use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use super::runs::{simulation, watch};
use crate::failure::Failure;

/// Runs of each law, with their own places of the discs.
const SEEDS: u64 = 5;
/// 97.5 % point of Student's law with four degrees of freedom.
const STUDENT: f64 = 2.776;
/// A contact with a wall that was held for less is a blow, and its end no detachment \[s\].
const HELD: f64 = 0.1;
/// Time of a turn and of a run \[s\].
const PERIOD: f64 = 10.0;
const END: f64 = 20.0;

/// V15: where discs leave the walls of a rotating box, by law.
pub(super) fn lotto(reference: &Reference) -> Measured {
    let laws: [(&str, &[&str]); 3] = [
        ("inelastic", &["contact.law=\"inelastic\""]),
        (
            "rough",
            &["contact.law=\"rough\"", "contact.memory=\"1 N s\""],
        ),
        ("gluey", &["contact.law=\"gluey\""]),
    ];
    let mut measured = Vec::new();
    let mut intervals = Vec::new();
    for (law, overrides) in laws {
        let run = |seed: u64| -> Result<f64, Failure> {
            let own = overrides.iter().map(|&text| text.to_owned());
            let overrides: Vec<String> = own.chain([format!("seed={seed}")]).collect();
            mean_detachment(&mut simulation(reference, &overrides)?)
        };
        let means: Vec<f64> = (1..=SEEDS)
            .into_par_iter()
            .map(run)
            .collect::<Result<_, Failure>>()?;
        let count = SEEDS as f64;
        let mean = means.iter().sum::<f64>() / count;
        let square: f64 = means.iter().map(|own| (own - mean) * (own - mean)).sum();
        let half = STUDENT * (square / (count - 1.0) / count).sqrt();
        measured.push((format!("mean angle of detachment, {law} (deg)"), mean));
        intervals.push([mean - half, mean + half]);
    }
    for (pair, name) in intervals
        .windows(2)
        .zip(["rough over dry", "smooth over rough"])
    {
        let name = format!("distance of the 95 % intervals, {name} (deg)");
        measured.push((name, pair[1][0] - pair[0][1]));
    }
    Ok(measured)
}

/// Mean angle of the wall behind the lowest place at which discs leave it [deg], from −90 to 270.
fn mean_detachment(run: &mut Simulation) -> Result<f64, Failure> {
    let names = ["bottom", "right", "top", "left"];
    let walls: Vec<_> = names
        .iter()
        .map(|name| {
            let bodies = &run.world.bodies;
            let row = bodies.names().iter().position(|own| own == name);
            row.map(|row| bodies.ids()[row])
        })
        .collect();
    let number_of = |touched: Touched| match touched {
        Touched::Body(id) => walls.iter().position(|wall| *wall == Some(id)),
        Touched::Wall(_) => None,
    };
    // Since when each disc is held by each wall, and when it was last seen there.
    let mut held: BTreeMap<_, [f64; 2]> = BTreeMap::new();
    let mut angles = Vec::new();
    watch(run, END, &mut |world: &World, _| {
        let now = world.clock.time;
        let pushed = world.contact_impulses().map(|own| (own.body, own.other));
        let stuck = world.adhesions().map(|(body, other, _)| (body, other));
        for (body, other) in pushed.chain(stuck) {
            // The body with the lower id is first, and walls come before discs.
            let pair = match (number_of(Touched::Body(body)), other) {
                (Some(wall), Touched::Body(disc)) => Some((disc, wall)),
                _ => number_of(other).map(|wall| (body, wall)),
            };
            if let Some(pair) = pair {
                held.entry(pair).or_insert([now; 2])[1] = now;
            }
        }
        held.retain(|&(_, wall), &mut [since, last]| {
            if last < now && last - since >= HELD {
                let turned = TAU * (last / PERIOD) + FRAC_PI_2 * wall as f64;
                let angle = (turned + FRAC_PI_2).rem_euclid(TAU) - FRAC_PI_2;
                angles.push(angle.to_degrees());
            }
            last == now
        });
    })?;
    Ok(angles.iter().sum::<f64>() / angles.len() as f64)
}

/// Radius of the smallest disc, as the source rounds it \[m\].
const LEAST_RADIUS: f64 = 0.015;

/// V16: a thousand discs fall through obstacles, until 5 s, with Uzawa's method and the fast one.
pub(super) fn sedimentation(reference: &Reference) -> Measured {
    let uzawa = format!(
        "contact.uzawa={{tolerance=\"{} m\", step=0.15, iterations=10000}}",
        0.02 * LEAST_RADIUS
    );
    let mut measured = Vec::new();
    for law in ["inelastic", "gluey"] {
        for (method, own) in [("Uzawa", Some(uzawa.clone())), ("Newton", None)] {
            let overrides = [format!("contact.law=\"{law}\"")].into_iter().chain(own);
            let mut run = simulation(reference, &overrides.collect::<Vec<_>>())?;
            let end = run.max_dt * (5.0 / run.max_dt).floor();
            let mut least = 0.0_f64;
            let mut step = 0;
            watch(&mut run, end, &mut |world, _| {
                // All pairs: not at every step.
                step += 1;
                if step % 20 == 0 {
                    least = least.min(least_gap(world));
                }
            })?;
            let name = |what: &str| format!("{what}, {law}, {method}");
            let contact = &run.contact;
            measured.push((name("iteration caps hit"), contact.unsolved as f64));
            measured.push((name("least gap over least radius"), least / LEAST_RADIUS));
            let stuck = run.world.adhesions().count() as f64;
            measured.push((name("contacts that stick at 5 s"), stuck));
            let rows: Vec<usize> = run.world.floe_rows().collect();
            let motions = run.world.bodies.motions();
            let heights = rows.iter().map(|&row| motions[row].pose.position.y);
            let mean = heights.sum::<f64>() / rows.len() as f64;
            measured.push((name("mean height at 5 s (m)"), mean));
        }
    }
    Ok(measured)
}

/// The least gap of all pairs of discs, and of discs and walls \[m\]; negative where they overlap.
fn least_gap(world: &World) -> f64 {
    let bodies = &world.bodies;
    let discs = |row: usize| (bodies.motions()[row].pose.position, bodies.radii()[row]);
    let mut order: Vec<_> = (0..bodies.len()).map(discs).collect();
    order.sort_by(|x, y| x.0.x.total_cmp(&y.0.x));
    let widest = order.iter().map(|disc| disc.1).fold(0.0, f64::max);
    let mut least = f64::INFINITY;
    for (index, &(center, radius)) in order.iter().enumerate() {
        let near = order[index + 1..].iter();
        for &(other, own) in near.take_while(|disc| disc.0.x < center.x + radius + widest) {
            least = least.min(center.distance(other) - radius - own);
        }
    }
    let floes = world.floe_rows().map(discs);
    for (center, radius) in floes {
        least = least.min(center.y.min(1.0 - center.x.abs()) - radius);
    }
    least
}
