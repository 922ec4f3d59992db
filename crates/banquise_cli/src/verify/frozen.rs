//! Floes that are frozen together.

use banquise::Simulation;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation};
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

/// A pack that freezes in a calm and breaks in wind: sizes of frozen clusters, and what the solver left.
pub(super) fn pack(reference: &Reference) -> Measured {
    let mut run = simulation(reference, &[])?;
    advance(&mut run, CALM_END)?;
    let clusters = run.world.cluster_sizes();
    let frozen = clusters.into_iter().map(|(floes, _)| floes).max();
    let frozen = frozen.map_or(0.0, |floes| floes as f64);
    advance(&mut run, PACK_END)?;
    let contact = &run.contact;
    Ok(vec![
        ("largest cluster after the calm".into(), frozen),
        ("joints that formed".into(), contact.bonds_formed as f64),
        ("joints that broke".into(), contact.bonds_broken as f64),
        ("unsolved contact problems".into(), contact.unsolved as f64),
        ("largest residual".into(), contact.residual),
    ])
}
