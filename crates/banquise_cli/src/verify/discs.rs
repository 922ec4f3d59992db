//! Many discs: settling by contact law.

use banquise::World;
use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation};

fn mean_height(world: &World) -> f64 {
    let motions = world.bodies.motions();
    let heights = world.floe_rows().map(|row| motions[row].pose.position.y);
    heights.sum::<f64>() / world.floe_rows().count() as f64
}

/// Time over which settling is measured \[s\].
const SETTLING: f64 = 1.5;

/// Mean settling speed of one suspension: dry, rough, gluey, and with the explicit force of lubrication.
pub(super) fn settling(reference: &Reference) -> Measured {
    let rough = "contact.lubrication={viscosity=\"30 Pa s\", roughness=\"0.15 mm\", reference_gap=\"5 mm\"}";
    let explicit = "contact.lubrication_force={viscosity=\"30 Pa s\", cutoff=\"0.3 mm\", reference_gap=\"5 mm\"}";
    let laws: [(&str, &str, Option<&str>); 4] = [
        ("dry", "inelastic", None),
        ("explicit lubrication", "inelastic", Some(explicit)),
        ("rough", "rough", Some(rough)),
        ("gluey", "gluey", None),
    ];
    let fall = |(name, law, extra): &(&str, &str, Option<&str>)| {
        let law = format!("contact.law=\"{law}\"");
        let few = "discs[0].count=300".to_owned();
        let extra = extra.map(str::to_owned);
        let overrides: Vec<String> = [law, few].into_iter().chain(extra).collect();
        let mut run = simulation(reference, &overrides)?;
        let start = mean_height(&run.world);
        advance(&mut run, SETTLING)?;
        let speed = (start - mean_height(&run.world)) / SETTLING;
        Ok((format!("mean settling speed, {name} (m/s)"), speed))
    };
    laws.par_iter().map(fall).collect()
}
