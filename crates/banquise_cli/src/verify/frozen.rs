//! Floes that are frozen together.

use banquise::{ContactReport, Simulation, World};
use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation, watch};
use crate::failure::Failure;

/// Squares of `frozen-beam`, their side, the distance of their centres \[m\], and the load \[N\].
const COUNT: usize = 10;
const SIDE: f64 = 10.0;
const PITCH: f64 = 10.05;
const LOAD: f64 = 250.0;
/// Young's modulus and shear modulus \[Pa\].
const YOUNG: f64 = 1e9;
const SHEAR_MODULUS: f64 = YOUNG / 2.6;
/// Pull at which a joint reaches the default tensile strength of 50 kPa \[N\].
const STRENGTH: f64 = 50e3 * SIDE;

/// A row of squares that bends, and breaks under a pull.
pub(super) fn beam(reference: &Reference) -> Measured {
    let run = |force: [f64; 2]| -> Result<Simulation, Failure> {
        let force = format!("force[0].force=[\"{} N\", \"{} N\"]", force[0], force[1]);
        let mut run = simulation(reference, &[force])?;
        advance(&mut run, 600.0)?;
        Ok(run)
    };
    let bent = run([0.0, LOAD])?;
    let bodies = &bent.world.bodies;
    let last = bodies.names().iter().position(|name| name == "square-10");
    let tip = last.map_or(f64::NAN, |row| bodies.motions()[row].pose.position.y);
    // Places of the load beyond each joint, in units of the distance of centres; the first joint has half the length.
    let arms = (1..COUNT).map(|joint| (COUNT - joint) as f64 - 0.5);
    let first = COUNT as f64 - 0.5;
    let sum = 0.5 * first * first + arms.map(|arm| arm * arm).sum::<f64>();
    let bending = LOAD * PITCH.powi(3) / (YOUNG * SIDE.powi(3) / 12.0) * sum;
    let shear = LOAD * first * PITCH / (SHEAR_MODULUS * SIDE);
    let mut measured = vec![
        ("joints".into(), bent.world.bonds().len() as f64),
        (
            "error of the deflection".into(),
            tip / (bending + shear) - 1.0,
        ),
    ];
    for share in [0.998, 1.002] {
        let pulled = run([share * STRENGTH, 0.0])?;
        let is_whole = pulled.world.bonds().len() == COUNT;
        let name = format!("whole under {share} of its tensile strength");
        measured.push((name, f64::from(u8::from(is_whole))));
    }
    Ok(measured)
}

/// When the calm of `freezing-pack` ends, and when the run does \[s\].
const CALM_END: f64 = 3.5 * 3600.0;
const PACK_END: f64 = 6.0 * 3600.0;
/// Seeds of the packs.
const SEEDS: [u64; 4] = [4, 5, 6, 7];

/// A pack that freezes and breaks.
struct FrozenPack {
    /// Floes of the largest cluster at the end of the calm, and the fewest that it had in the wind.
    calm: usize,
    wind: usize,
    contact: ContactReport,
}

fn largest_cluster(world: &World) -> usize {
    let clusters = world.cluster_sizes().into_iter();
    clusters.map(|(floes, _)| floes).max().unwrap_or(0)
}

fn frozen_pack(reference: &Reference, seed: u64) -> Result<FrozenPack, Failure> {
    let mut run = simulation(reference, &[format!("seed={seed}")])?;
    advance(&mut run, CALM_END)?;
    let calm = largest_cluster(&run.world);
    let mut wind = usize::MAX;
    watch(&mut run, PACK_END, &mut |world, _| {
        wind = wind.min(largest_cluster(world));
    })?;
    let contact = run.contact;
    Ok(FrozenPack {
        calm,
        wind,
        contact,
    })
}

/// Packs that freeze in a calm and break in wind: sizes of frozen clusters, and what the solver left.
pub(super) fn pack(reference: &Reference) -> Measured {
    let packs = SEEDS.par_iter().map(|&seed| frozen_pack(reference, seed));
    let packs: Vec<FrozenPack> = packs.collect::<Result<_, Failure>>()?;
    let least = |of: fn(&FrozenPack) -> usize| packs.iter().map(of).min().unwrap_or(0) as f64;
    let most = |of: fn(&FrozenPack) -> usize| packs.iter().map(of).max().unwrap_or(0) as f64;
    let sum = |of: fn(&ContactReport) -> u64| -> f64 {
        packs.iter().map(|own| of(&own.contact)).sum::<u64>() as f64
    };
    let residuals = packs.iter().map(|own| own.contact.residual);
    Ok(vec![
        (
            "smallest of the largest clusters after the calm".into(),
            least(|own| own.calm),
        ),
        (
            "largest of the largest clusters in the wind, each at its least".into(),
            most(|own| own.wind),
        ),
        ("joints that formed".into(), sum(|own| own.bonds_formed)),
        ("joints that broke".into(), sum(|own| own.bonds_broken)),
        ("unsolved contact problems".into(), sum(|own| own.unsolved)),
        ("largest residual".into(), residuals.fold(0.0, f64::max)),
    ])
}
