//! The cases of the glacier front that run: Beguin 2020, completed and corrected.

use banquise_glacier::{Capsize, ContactForce, Iceberg, Run, StepReport};
use banquise_io::builtin;
use banquise_io::glacier::GlacierPlan;

use super::Measured;
use super::reference::Reference;
use crate::failure::Failure;

/// A plan of the case's scenario with other values.
pub(super) fn plan(reference: &Reference, overrides: &[&str]) -> Result<GlacierPlan, Failure> {
    let builtin = builtin::find_glacier(&reference.scenario).ok_or_else(|| {
        Failure::usage(
            format!("there is no glacier `{}`", reference.scenario),
            "name a built-in one in the reference",
        )
    })?;
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    Ok(GlacierPlan::parse(
        builtin.name,
        builtin.text,
        &overrides,
        std::path::Path::new(""),
    )?)
}

/// Runs a plan to its end, showing every step.
pub(super) fn follow(
    plan: &GlacierPlan,
    look: &mut dyn FnMut(&Run, &StepReport),
) -> Result<Run, Failure> {
    let mut run = plan.start().map_err(Failure::Glacier)?;
    for _ in 0..plan.steps() {
        let report = run.step().map_err(Failure::Glacier)?;
        look(&run, &report);
    }
    Ok(run)
}

/// Largest displacement of the front beyond steady sliding \[m\].
fn front(reference: &Reference, overrides: &[&str]) -> Result<f64, Failure> {
    let mut highest = 0.0_f64;
    follow(&plan(reference, overrides)?, &mut |run, _| {
        highest = highest.max(run.state().displacement[0]);
    })?;
    Ok(highest)
}

const NO_LOAD: &str = "contact={kind=\"none\"}";
const EULER: &str = "time.scheme=\"backward-euler\"";

/// G1: without load nothing moves beyond steady sliding.
pub(super) fn rest(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (scheme, step) in SCHEMES {
        let scheme_key = format!("time.scheme=\"{scheme}\"");
        let step_key = format!("time.step=\"{step} s\"");
        let keys = [NO_LOAD, "time.duration=\"300 s\"", &scheme_key, &step_key];
        let (mut displacement, mut force) = (0.0_f64, 0.0_f64);
        follow(&plan(reference, &keys)?, &mut |run, report| {
            displacement = displacement.max(run.state().displacement[0].abs());
            force = force.max(report.seismogenic.abs());
        })?;
        measured.push((format!("largest displacement, {scheme} (m)"), displacement));
        measured.push((format!("largest seismogenic force, {scheme} (N/m)"), force));
        let mut off = plan(reference, &keys)?;
        let steady = off.chain.equilibrium_velocity();
        off.settings.initial_velocity = Some(1.001 * steady);
        let run = follow(&off, &mut |_, _| {})?;
        measured.push((
            format!("speed over steady at the end, from 1.001, {scheme}"),
            run.state().velocity[0] / steady,
        ));
    }
    Ok(measured)
}

/// Each scheme with a stable step \[s\] for blocks of 25 m.
const SCHEMES: [(&str, &str); 4] = [
    ("lagged-verlet", "3.9e-4"),
    ("semi-implicit", "7.9e-3"),
    ("backward-euler", "0.1"),
    ("hht", "0.1"),
];

/// G2: one block by the lagged Verlet scheme, below and above its limit.
pub(super) fn cycle(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (step, slope) in [
        ("3.90e-4", "1 deg"),
        ("3.95e-4", "1 deg"),
        ("7.8e-4", "1 deg"),
        ("1e-3", "1 deg"),
        ("0.012", "1 deg"),
    ] {
        let cycle = last_cycles(reference, step, slope)?;
        measured.push((format!("mean speed over steady, step {step} s"), cycle.mean));
        if step == "3.95e-4" {
            measured.push((
                format!("lowest speed over steady, step {step} s"),
                cycle.low,
            ));
            measured.push((
                format!("highest speed over steady, step {step} s"),
                cycle.high,
            ));
            measured.push((
                format!("change after four steps, step {step} s"),
                cycle.after_four,
            ));
        }
    }
    // Slopes on which the ice slides at 4.1 and 4.0 µm/s.
    for speed in ["4.1e-6", "4.0e-6"] {
        let value: f64 = speed.parse().unwrap_or(f64::NAN);
        let slope = (5.623e6 * value.cbrt() / (920.0 * 9.81 * 800.0)).asin();
        let cycle = last_cycles(reference, "2e-4", &format!("{slope} rad"))?;
        let is_cycle = cycle.high - cycle.low > 1.0 && cycle.after_four < 1e-9;
        let name = format!("cycle of four steps, step 2e-4 s at {speed} m/s");
        measured.push((name, f64::from(u8::from(is_cycle))));
    }
    Ok(measured)
}

/// Speeds over the steady one in the last of many steps.
struct Cycle {
    mean: f64,
    low: f64,
    high: f64,
    after_four: f64,
}

/// Steps until the cycle is reached, and steps over which it is measured.
const SETTLING: u32 = 200_000;
const WATCHED: usize = 4000;

fn last_cycles(reference: &Reference, step: &str, slope: &str) -> Result<Cycle, Failure> {
    let step_key = format!("time.step=\"{step} s\"");
    let slope_key = format!("glacier.slope=\"{slope}\"");
    let keys = [
        "bed.law=\"weertman\"",
        "contact={kind=\"none\"}",
        "time.over_limit=\"warn\"",
    ];
    let mut plan = plan(reference, &[&keys[..], &[&step_key, &slope_key]].concat())?;
    // A little off, so that a growing mode has something to grow from.
    let steady = plan.chain.equilibrium_velocity();
    plan.settings.initial_velocity = Some(1.001 * steady);
    let mut run = plan.start().map_err(Failure::Glacier)?;
    for _ in 0..SETTLING {
        run.step().map_err(Failure::Glacier)?;
    }
    let mut speeds = Vec::with_capacity(WATCHED);
    for _ in 0..WATCHED {
        run.step().map_err(Failure::Glacier)?;
        speeds.push(run.state().velocity[0] / steady);
    }
    Ok(Cycle {
        mean: speeds.iter().sum::<f64>() / speeds.len() as f64,
        low: speeds.iter().copied().fold(f64::INFINITY, f64::min),
        high: speeds.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        after_four: speeds
            .windows(5)
            .map(|w| (w[4] - w[0]).abs())
            .fold(0.0, f64::max),
    })
}

/// G4: springs alone, just below and just above δl/c.
pub(super) fn springs(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let keys = [
        "bed.law=\"none\"",
        "glacier.slope=\"0 deg\"",
        "contact.peak=\"1 kN/m\"",
        "contact.duration=\"0.1 s\"",
        "time.duration=\"20 s\"",
        "time.over_limit=\"warn\"",
    ];
    let limit = plan(reference, &keys)?.chain;
    let limit = limit.spacing() / limit.wave_speed();
    measured.push(("limit of the blocks of 25 m (s)".to_owned(), limit));
    for scheme in ["lagged-verlet", "semi-implicit"] {
        let scheme_key = format!("time.scheme=\"{scheme}\"");
        let mut largest = [0.0_f64; 2];
        for (largest, factor) in largest.iter_mut().zip([0.999, 1.001]) {
            let step_key = format!("time.step=\"{} s\"", factor * limit);
            let plan = plan(reference, &[&keys[..], &[&scheme_key, &step_key]].concat())?;
            follow(&plan, &mut |run, _| {
                let velocity = run.state().velocity.iter();
                *largest = velocity.fold(*largest, |high, v| high.max(v.abs()));
            })?;
        }
        let impedance = 800.0 * (9e9_f64 * 920.0).sqrt();
        measured.push((
            format!("highest speed below the limit over F/(H √(E ρ)), {scheme}"),
            largest[0] * impedance / 1e3,
        ));
        measured.push((
            format!("grows above the limit, {scheme}"),
            f64::from(u8::from(largest[1] > 1e6 * largest[0])),
        ));
    }
    Ok(measured)
}

/// G5: a small step of the force, against the diffusion of displacement.
pub(super) fn step_force(reference: &Reference) -> Measured {
    let keys = [
        "glacier.blocks=200",
        "contact={kind=\"table\", samples=[{time=\"0 s\", force=\"1 kN/m\"}, {time=\"20 s\", force=\"1 kN/m\"}]}",
        "time.duration=\"10 s\"",
        "time.step=\"0.02 s\"",
    ];
    let euler = follow(
        &plan(reference, &[&keys[..], &[EULER]].concat())?,
        &mut |_, _| {},
    )?;
    let mut later = keys;
    later[1] = "contact={kind=\"table\", samples=[{time=\"1e-6 s\", force=\"1 kN/m\"}, {time=\"20 s\", force=\"1 kN/m\"}]}";
    let hht = follow(&plan(reference, &later)?, &mut |_, _| {})?;
    let chain = euler.chain();
    let tension = chain.settings().young_modulus * chain.settings().glacier_thickness;
    let diffusivity = tension / chain.bed().stress_slope(chain.equilibrium_velocity());
    let exact = 1e3 / tension * 2.0 * (diffusivity * 10.0 / std::f64::consts::PI).sqrt();
    Ok(vec![
        ("diffusivity (m²/s)".into(), diffusivity),
        ("closed form at 10 s (m)".into(), exact),
        (
            "backward Euler at 10 s (m)".into(),
            euler.state().displacement[0],
        ),
        ("HHT at 10 s (m)".into(), hht.state().displacement[0]),
    ])
}

/// G6: the pulse by backward Euler.
pub(super) fn pulse(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (size, blocks) in [(250, 8), (100, 20), (50, 40), (25, 80), (10, 200)] {
        let blocks = format!("glacier.blocks={blocks}");
        measured.push((
            format!("front, blocks of {size} m, step 0.05 s (m)"),
            front(reference, &[EULER, "time.step=\"0.05 s\"", &blocks])?,
        ));
    }
    for step in ["1", "0.01"] {
        let key = format!("time.step=\"{step} s\"");
        let name = format!("front, blocks of 25 m, step {step} s (m)");
        measured.push((name, front(reference, &[EULER, &key])?));
    }
    let keys = [EULER, "time.step=\"0.05 s\""];
    let (mut inside, mut low, mut high, mut force) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let node = plan(reference, &keys)?.chain.node_at(500.0);
    let mut highest = 0.0_f64;
    follow(&plan(reference, &keys)?, &mut |run, report| {
        let state = run.state();
        highest = highest.max(state.displacement[0]);
        inside = inside.max(state.displacement[node]);
        low = low.min(state.velocity[0]);
        high = high.max(state.velocity[0]);
        force = force.max(report.seismogenic);
    })?;
    let long = front(
        reference,
        &[
            &keys[..],
            &["glacier.length=\"5 km\"", "glacier.blocks=200"],
        ]
        .concat(),
    )?;
    measured.extend([
        ("500 m upstream (m)".to_owned(), inside),
        ("lowest velocity of the front (m/s)".to_owned(), low),
        ("highest velocity of the front (m/s)".to_owned(), high),
        ("largest seismogenic force (N/m)".to_owned(), force),
        (
            "one minus its ratio to the contact force".to_owned(),
            1.0 - force / 30e6,
        ),
        (
            "relative change with 5 km of glacier".to_owned(),
            long / highest - 1.0,
        ),
    ]);
    Ok(measured)
}

/// G7: without slope, a pure power law.
pub(super) fn power_law(reference: &Reference) -> Measured {
    let largest = |peak: f64, duration: f64| {
        let peak_key = format!("contact.peak=\"{peak} N/m\"");
        let duration_key = format!("contact.duration=\"{duration} s\"");
        let end_key = format!("time.duration=\"{} s\"", 1.1 * duration);
        let step_key = format!("time.step=\"{} s\"", 5e-4 * duration);
        let keys = [
            "glacier.slope=\"0 deg\"",
            "glacier.length=\"4 km\"",
            "glacier.blocks=800",
            EULER,
        ];
        front(
            reference,
            &[&keys[..], &[&peak_key, &duration_key, &end_key, &step_key]].concat(),
        )
    };
    let middle = largest(30e6, 100.0)?;
    let chain = plan(reference, &[])?.chain;
    let penetration = chain.penetration(30e6, 100.0);
    let settings = chain.settings();
    let scale = 30e6 * penetration / (settings.young_modulus * settings.glacier_thickness);
    Ok(vec![
        ("penetration scale (m)".into(), penetration),
        ("displacement scale (m)".into(), scale),
        ("front (m)".into(), middle),
        ("front over its scale".into(), middle / scale),
        (
            "exponent of the force".into(),
            (largest(60e6, 100.0)? / middle).log2(),
        ),
        (
            "exponent of the duration".into(),
            (largest(30e6, 200.0)? / middle).log2(),
        ),
    ])
}

/// G8: the identity at every step of loaded runs of every scheme.
pub(super) fn identity(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (scheme, step) in SCHEMES {
        let scheme_key = format!("time.scheme=\"{scheme}\"");
        let step_key = format!("time.step=\"{step} s\"");
        let keys = [&scheme_key[..], &step_key, "time.over_limit=\"warn\""];
        let mut largest = 0.0_f64;
        // The reports' own gap, over the total friction in steady sliding.
        follow(&plan(reference, &keys)?, &mut |_, report| {
            largest = largest.max(report.gap);
        })?;
        measured.push((format!("largest gap over the forces, {scheme}"), largest));
    }
    let worst = plan(reference, &["glacier.blocks=10000", "time.step=\"1 s\""])?;
    let run = follow(&worst, &mut |_, _| {})?;
    measured.push((
        "largest gap over the forces, hht, 10,000 blocks".into(),
        run.totals().largest_gap,
    ));
    Ok(measured)
}

/// G9: the pulse by HHT.
pub(super) fn hht(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let mut most = 0;
    for (alpha, name, step) in [
        (-0.25, "-1/4", "0.05"),
        (-0.25, "-1/4", "0.2"),
        (-0.25, "-1/4", "1"),
        (0.0, "0", "1"),
        (-1.0 / 3.0, "-1/3", "1"),
    ] {
        let alpha_key = format!("time.alpha={alpha:?}");
        let step_key = format!("time.step=\"{step} s\"");
        let mut highest = 0.0_f64;
        let run = follow(
            &plan(reference, &[&alpha_key, &step_key])?,
            &mut |run, _| {
                highest = highest.max(run.state().displacement[0]);
            },
        )?;
        most = most.max(run.totals().most_iterations);
        measured.push((format!("front, α = {name}, step {step} s (m)"), highest));
    }
    measured.push(("most iterations of a step".into(), f64::from(most)));
    Ok(measured)
}

/// B4: the rigid iceberg.
pub(super) fn iceberg(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let usual = Iceberg::default();
    let scale = usual.iceberg_density * usual.gravity * usual.iceberg_height.powi(2);
    let time = (usual.iceberg_height / usual.gravity).sqrt();
    let capsize = |iceberg: Iceberg| iceberg.capsize().map_err(Failure::Glacier);
    for ratio in [0.2, 0.3, 0.4, 0.5] {
        let iceberg_width = ratio * usual.iceberg_height;
        let peak = capsize(Iceberg {
            iceberg_width,
            ..usual
        })?
        .peak;
        measured.push((
            format!("largest force over ρ g H², width/height {ratio}"),
            peak / scale,
        ));
    }
    let usual_capsize = capsize(usual)?;
    let heavy = capsize(Iceberg {
        added_mass: 1.0,
        ..usual
    })?;
    measured.extend([
        (
            "half width over √(H/g)".into(),
            usual_capsize.half_width / time,
        ),
        ("contact over √(H/g)".into(), usual_capsize.duration / time),
        ("largest force, 800 m (N/m)".into(), usual_capsize.peak),
        (
            "time of the largest force, 800 m (s)".into(),
            usual_capsize.peak_time,
        ),
        ("half width, 800 m (s)".into(), usual_capsize.half_width),
        ("contact, 800 m (s)".into(), usual_capsize.duration),
        (
            "longer contact with added mass 1".into(),
            heavy.duration / usual_capsize.duration,
        ),
        (
            "largest force with added mass 1 over that without".into(),
            heavy.peak / usual_capsize.peak,
        ),
    ]);
    measured.push((
        "largest difference to the history in steps of 5 %".into(),
        history_difference(&usual_capsize)?,
    ));
    let mut seismogenic = 0.0_f64;
    follow(&plan(reference, &[])?, &mut |_, report| {
        seismogenic = seismogenic.max(report.seismogenic);
    })?;
    measured.push((
        "largest seismogenic force over that of the iceberg".into(),
        seismogenic / usual_capsize.peak,
    ));
    Ok(measured)
}

/// Force over its peak at 5 % steps of the contact. The last sample is not zero: the contact is counted to the last step
/// before the force is lost.
const HISTORY: [f64; 21] = [
    0.027, 0.028, 0.030, 0.036, 0.043, 0.054, 0.069, 0.089, 0.115, 0.149, 0.193, 0.250, 0.323,
    0.416, 0.531, 0.668, 0.821, 0.958, 0.987, 0.813, 0.013,
];

fn history_difference(capsize: &Capsize) -> Result<f64, Failure> {
    let load = ContactForce::Table(capsize.table(0.0).map_err(Failure::Glacier)?);
    let least = HISTORY[HISTORY.len() - 1] * capsize.peak;
    let poses = capsize.poses.windows(2);
    let end = poses
        .filter(|pair| pair[0].force >= least && pair[1].force < least)
        .map(|pair| {
            let part = (pair[0].force - least) / (pair[0].force - pair[1].force);
            pair[0].time + part * (pair[1].time - pair[0].time)
        })
        .fold(f64::NAN, f64::max);
    let differences = HISTORY.iter().enumerate().map(|(index, expected)| {
        let force = load.at(0.05 * index as f64 * end);
        (force / capsize.peak - expected).abs()
    });
    Ok(differences.fold(0.0, f64::max))
}
