//! Films of fluid between discs: tangential lubrication, and settling under several laws.

use banquise::World;
use banquise_suspension::tangential::Roller;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation};
use crate::failure::Failure;

/// Radius and speed along the plane of the particle of `push-pull` [m, m/s].
const RADIUS: f64 = 0.25;
const SPEED: f64 = 0.2;

/// A disc of unit mass that slides while it is pushed and pulled: where it is after 6 s \[m\], and the largest error of its energy \[J\].
fn slide(step: f64) -> [f64; 2] {
    let mut roller = Roller::sphere(RADIUS, 0.5, [SPEED, 0.0]);
    roller.inertia = 0.5 * RADIUS * RADIUS;
    let start = roller.energy();
    let count = (6.0 / step).round() as u32;
    let (mut place, mut error) = (0.0, 0.0_f64);
    for number in 0..count {
        let push = if f64::from(number) * step < 2.0 - 0.5 * step {
            -1.0
        } else {
            1.0
        };
        let before = roller.sliding;
        roller.step([0.0, push], step);
        place += 0.5 * step * (before + roller.sliding);
        let budget = roller.budget;
        let sum = start + budget.work + budget.impacts + budget.film;
        error = error.max((roller.energy() - sum).abs());
    }
    [place, error]
}

/// Sliding and rolling on a film: the balance of energy, and a disc of the world beside the particle.
pub(super) fn tangential(reference: &Reference) -> Measured {
    let [exact, error] = slide(1e-4);
    let mut measured = vec![
        ("error of the energy balance (J)".into(), error),
        ("place after 6 s (m)".into(), exact),
    ];
    let mut errors = Vec::new();
    for step in [0.01, 0.001] {
        let overrides = [
            format!("time.step=\"{step} s\""),
            format!("floe[0].velocity=[\"{SPEED} m/s\", \"0 m/s\"]"),
            "contact.tangential_lubrication=true".to_owned(),
        ];
        let mut run = simulation(reference, &overrides)?;
        advance(&mut run, 6.0)?;
        let place = run.world.bodies.motions()[0].pose.position.x;
        errors.push((place - exact).abs());
        let name = format!("difference of a disc in contact, step {step} s (m)");
        measured.push((name, place - exact));
    }
    let order = (errors[0] / errors[1]).log10();
    measured.push(("order of convergence".into(), order));
    Ok(measured)
}

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
    let speed = |law: &str, extra: Option<&str>| -> Result<f64, Failure> {
        let law = format!("contact.law=\"{law}\"");
        let few = "discs[0].count=300".to_owned();
        let extra = extra.map(str::to_owned);
        let overrides: Vec<String> = [law, few].into_iter().chain(extra).collect();
        let mut run = simulation(reference, &overrides)?;
        let start = mean_height(&run.world);
        advance(&mut run, SETTLING)?;
        Ok((start - mean_height(&run.world)) / SETTLING)
    };
    let each = laws.into_iter().map(|(name, law, extra)| {
        let name = format!("mean settling speed, {name} (m/s)");
        Ok((name, speed(law, extra)?))
    });
    each.collect()
}
