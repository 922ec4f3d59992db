//! Runs of bodies that move in a resolved fluid, to the end times of their references: minutes of work, run only when named.

use banquise_flow::elements::bed::{Bed, BedSettings};
use banquise_flow::elements::valve::{Valve, ValveSettings};
use banquise_flow::elements::vesicle::{Regime, Vesicle, VesicleSettings, regime};
use banquise_flow::settling::{PairState, SettlingSettings, phases};
use banquise_flow::{ContactLaw, Unsteady};

use super::Measured;
use super::reference::Reference;
use crate::failure::Failure;
use crate::fluid::{VESICLE_VISCOSITIES, vesicle_spring};

/// End times: of two discs and of 228 that fall \[s\], of the fluidised bed, and of the vesicles, in the units of the studies.
const DKT_END: f64 = 0.25;
const SEDIMENT_END: f64 = 2.5;
const BED_END: f64 = 3.0;
const VESICLE_END: f64 = 12.0;
/// Periods of the valve's inflow.
const VALVE_PERIODS: usize = 15;

fn steps(end: f64, dt: f64) -> usize {
    (end / dt).round() as usize
}

/// Steps to an end time, or until `ends` says so. Returns by how much of a cell gaps were ever less than one.
fn fall(
    flow: &mut Unsteady,
    steps: usize,
    mut ends: impl FnMut(&Unsteady) -> bool,
) -> Result<f64, Failure> {
    let cell = flow.grid().spacing;
    let mut missing = 0.0_f64;
    for _ in 0..steps {
        missing = missing.max(1.0 - flow.step()?.least_gap / cell);
        if ends(flow) {
            break;
        }
    }
    Ok(missing)
}

/// V3: two discs draft, kiss and tumble.
pub(super) fn drafting(_: &Reference) -> Measured {
    let settings = SettlingSettings::TWO_DISCS;
    let mut flow = settings.two_discs()?;
    let diameter = 2.0 * flow.bodies[0].body.shape.bounding_radius();
    let mut history = vec![PairState::of(&flow)];
    let missing = fall(&mut flow, steps(DKT_END, settings.dt), |flow| {
        let state = PairState::of(flow);
        history.push(state);
        state.places.iter().any(|at| at.y < diameter)
    })?;
    let found = phases(&history, flow.grid().spacing, diameter);
    let in_order = match (found.drafting, found.kissing, found.tumbling) {
        (Some(drafting), Some(kissing), Some(tumbling)) => drafting < kissing && kissing < tumbling,
        _ => false,
    };
    Ok(vec![
        (
            "drafting, kissing, tumbling in this order".into(),
            f64::from(u8::from(in_order)),
        ),
        ("gap missing to one cell (cells)".into(), missing),
    ])
}

/// V10: 228 discs settle.
pub(super) fn sedimentation(_: &Reference) -> Measured {
    let settings = SettlingSettings::SUSPENSION;
    let mut flow = settings.suspension()?;
    let missing = fall(&mut flow, steps(SEDIMENT_END, settings.dt), |_| false)?;
    let heights = flow.bodies.iter().map(|disc| disc.body.pose.position.y);
    let mean = heights.sum::<f64>() / flow.bodies.len() as f64;
    Ok(vec![
        ("gap missing to one cell (cells)".into(), missing),
        (
            "mean height at the end missing to that of the densest packing (cm)".into(),
            (densest_mean_height(&flow) - mean).max(0.0),
        ),
        ("mean height at the end (cm)".into(), mean),
    ])
}

/// Half the height of a heap of all discs, a cell apart and as dense as discs can be, π/√12: no heap of them has its mean lower.
fn densest_mean_height(flow: &Unsteady) -> f64 {
    let grid = flow.grid();
    let packed = std::f64::consts::PI / 12f64.sqrt();
    let area: f64 = flow
        .bodies
        .iter()
        .map(|disc| {
            let reach = disc.body.shape.bounding_radius() + 0.5 * grid.spacing;
            std::f64::consts::PI * reach * reach
        })
        .sum();
    0.5 * area / (packed * grid.size()[0])
}

/// How far a disc must rise, and fall again, to count as one that goes round.
const ROUND: f64 = 0.2;

/// V9: a fluidised bed, with dry and with gluey contacts.
pub(super) fn fluidised_bed(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (law, name) in [(ContactLaw::Dry, "dry"), (ContactLaw::Gluey, "gluey")] {
        let settings = BedSettings {
            law,
            ..BedSettings::default()
        };
        let mut bed = Bed::new(settings)?;
        let first: Vec<f64> = bed.discs.iter().map(|disc| disc.place.y).collect();
        let mut highest = first.clone();
        let mut round = vec![false; first.len()];
        let (mut missing, mut outside) = (0.0_f64, 0.0_f64);
        for _ in 0..steps(BED_END, settings.dt) {
            missing = missing.max(1.0 - bed.step()?.least_gap);
            for (k, disc) in bed.discs.iter().enumerate() {
                let low = disc.place.min_element() - disc.radius;
                let high = disc.place.max_element() + disc.radius;
                outside = outside.max(-low).max(high - 1.0);
                highest[k] = highest[k].max(disc.place.y);
                let has_risen = highest[k] - first[k] > ROUND;
                round[k] |= has_risen && highest[k] - disc.place.y > ROUND;
            }
        }
        measured.push((format!("gap missing to one cell (cells), {name}"), missing));
        measured.push((format!("reach of a disc beyond the box, {name}"), outside));
        let count = round.iter().filter(|is_round| **is_round).count();
        measured.push((
            format!("share of discs that rose by {ROUND} and fell again, {name}"),
            count as f64 / round.len() as f64,
        ));
    }
    Ok(measured)
}

/// V4: a leaflet on a hinge.
pub(super) fn valve(_: &Reference) -> Measured {
    let settings = ValveSettings::default();
    let mut valve = Valve::new(settings)?;
    let period = steps(settings.period, settings.dt);
    let (mut hinge, mut angles) = (0.0_f64, vec![valve.state.angle]);
    for _ in 0..VALVE_PERIODS * period {
        let state = valve.step()?;
        hinge = hinge.max(state.hinge_velocity);
        angles.push(state.angle);
    }
    let last = &angles[angles.len() - period..];
    let before = &angles[angles.len() - 2 * period..][..period];
    let off = last.iter().zip(before).map(|(a, b)| (a - b).abs());
    let ends = [f64::INFINITY, f64::NEG_INFINITY];
    let [low, high] = last.iter().fold(ends, |[low, high], &angle| {
        [low.min(angle), high.max(angle)]
    });
    Ok(vec![
        ("velocity of the hinge".into(), hinge),
        (
            "swing in the last period (°)".into(),
            (high - low).to_degrees(),
        ),
        (
            "difference to the period before over the swing".into(),
            off.fold(0.0, f64::max) / (high - low),
        ),
    ])
}

/// V8: vesicles with five viscosities inside.
pub(super) fn vesicles(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    let (mut area, mut gap) = (0.0_f64, 0.0_f64);
    for inner in VESICLE_VISCOSITIES {
        let settings = VesicleSettings {
            inner_viscosity: inner,
            spring: vesicle_spring(inner),
            ..VesicleSettings::default()
        };
        let mut vesicle = Vesicle::new(settings)?;
        let mut history = vec![vesicle.state];
        for _ in 0..steps(VESICLE_END, settings.dt) {
            let state = vesicle.step()?;
            area = area.max((state.area - 1.0).abs());
            gap = gap.max(state.worst_gap);
            history.push(state);
        }
        let number = match regime(&history) {
            Regime::TankTreading => 0.0,
            Regime::Between => 1.0,
            Regime::Tumbling => 2.0,
        };
        measured.push((format!("regime, viscosity {inner}"), number));
    }
    measured.push(("area, relative".into(), area));
    measured.push(("distances of neighbours (radii)".into(), gap));
    Ok(measured)
}
