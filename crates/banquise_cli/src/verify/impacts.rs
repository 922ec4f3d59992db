//! The cases of Rabatel 2015 for bodies that meet.

use banquise::{Force, Simulation, World, first_meeting};
use banquise_geometry::DVec2;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation, watch};
use crate::failure::Failure;

fn velocity(world: &World, row: usize) -> DVec2 {
    world.bodies.motions()[row].velocity.linear
}

fn spin(world: &World, row: usize) -> f64 {
    world.bodies.motions()[row].velocity.angular
}

/// V-01: each angle with the polygons of the source, placed five millimetres apart.
pub(super) fn three_discs(reference: &Reference) -> Measured {
    let cases = [
        ("60", 24, 24, 1.0),
        ("45", 32, 32, 1.0),
        ("30", 48, 24, 0.5),
        ("22.5", 48, 48, 0.5),
    ];
    let (mut differences, mut asymmetries, mut spins) = (Vec::new(), Vec::new(), Vec::new());
    for (name, sides, struck_sides, radius) in cases {
        let angle = name.parse::<f64>().unwrap_or(f64::NAN).to_radians();
        let (sin, cos) = angle.sin_cos();
        let distance = 1.0 + radius + 5e-3;
        let mut overrides = vec![format!("floe[0].disc.sides={sides}")];
        for (row, side) in [(1, 1.0), (2, -1.0)] {
            let (x, y) = (distance * cos, side * distance * sin);
            overrides.push(format!("floe[{row}].position=[\"{x} m\", \"{y} m\"]"));
            overrides.push(format!("floe[{row}].disc.radius=\"{radius} m\""));
            overrides.push(format!("floe[{row}].disc.sides={struck_sides}"));
        }
        let mut run = simulation(reference, &overrides)?;
        advance(&mut run, 1.0)?;
        let scale = 1.0 + 2.0 * cos * cos;
        let expected = [
            DVec2::new((1.0 - 2.0 * cos * cos) / scale, 0.0),
            DVec2::new(2.0 * cos * cos, 2.0 * sin * cos) / scale,
            DVec2::new(2.0 * cos * cos, -2.0 * sin * cos) / scale,
        ];
        let difference = (0..3).map(|row| (velocity(&run.world, row) - expected[row]).length());
        let (upper, lower) = (velocity(&run.world, 1), velocity(&run.world, 2));
        let asymmetry = (upper - DVec2::new(lower.x, -lower.y)).length();
        let turning = (0..3).map(|row| spin(&run.world, row).abs());
        differences.push((
            format!("largest difference to the closed form, {name} deg (m/s)"),
            difference.fold(0.0, f64::max),
        ));
        asymmetries.push((
            format!("asymmetry of the struck discs, {name} deg (m/s)"),
            asymmetry,
        ));
        spins.push((
            format!("largest angular velocity, {name} deg (rad/s)"),
            turning.fold(0.0, f64::max),
        ));
    }
    differences.extend(asymmetries);
    differences.extend(spins);
    Ok(differences)
}

/// V-02: displacements, and the friction at which the box starts to slide.
pub(super) fn sliding_box(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for friction in ["0", "0.025", "0.05", "0.075", "0.09", "0.103", "0.2"] {
        measured.push((
            format!("displacement at friction {friction} (m)"),
            displacement(reference, friction)?,
        ));
    }
    let (mut slides, mut holds) = (0.1, 0.104);
    while holds - slides > 1e-4 {
        let middle = 0.5 * (slides + holds);
        if displacement(reference, &middle.to_string())? > 1e-6 {
            slides = middle;
        } else {
            holds = middle;
        }
    }
    measured.push(("critical friction".into(), 0.5 * (slides + holds)));
    Ok(measured)
}

fn displacement(reference: &Reference, friction: &str) -> Result<f64, Failure> {
    let mut run = simulation(reference, &[format!("contact.friction={friction}")])?;
    advance(&mut run, 7.0)?;
    Ok(run.world.bodies.motions()[0].pose.position.x)
}

/// V-03: three balls, in both modes.
pub(super) fn cradle(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let mut rounds = 0;
    for mode in ["simultaneous", "active"] {
        let mut run = simulation(reference, &[format!("contact.mode=\"{mode}\"")])?;
        advance(&mut run, 1.0)?;
        for (row, ball) in ["first", "second", "third"].into_iter().enumerate() {
            measured.push((
                format!("{ball} ball, {mode} (m/s)"),
                velocity(&run.world, row).x,
            ));
        }
        rounds = run.contact.rounds;
    }
    measured.push(("rounds, active".into(), rounds as f64));
    Ok(measured)
}

/// V-04: speed of the upper ball after the impact.
pub(super) fn cannon(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for radius in ["1", "0.5", "0.1", "0.01", "0.001"] {
        let size: f64 = radius.parse().unwrap_or(f64::NAN);
        let overrides = [
            format!("floe[1].disc.radius=\"{radius} m\""),
            format!("floe[1].position=[\"0 m\", \"{} m\"]", 3.0 + size + 5e-6),
        ];
        let mut run = simulation(reference, &overrides)?;
        let mut shot = f64::NAN;
        watch(&mut run, 0.5, &mut |world, report| {
            if report.contact.impacts > 0 && shot.is_nan() {
                shot = velocity(world, 1).y;
            }
        })?;
        measured.push((format!("speed of the upper ball of {radius} m (m/s)"), shot));
    }
    Ok(measured)
}

/// Height of the lowest point of the ball of half a metre above the ground \[m\].
fn gap(world: &World) -> f64 {
    world.bodies.motions()[0].pose.position.y - 0.5
}

/// V-05: times of the impacts and the state at the end.
pub(super) fn bouncing_ball(reference: &Reference) -> Measured {
    let mut run = simulation(reference, &[])?;
    let mut times = Vec::new();
    let mut smallest = f64::INFINITY;
    watch(&mut run, 5.0, &mut |world, report| {
        if report.contact.impacts > 0 {
            times.push(world.clock.time - report.dt);
        }
        smallest = smallest.min(gap(world));
    })?;
    let mut measured: Vec<(String, f64)> = (0..5)
        .map(|index| {
            let time = times.get(index).copied().unwrap_or(f64::NAN);
            (format!("time of impact {} (s)", index + 1), time)
        })
        .collect();
    measured.push(("end of the run (s)".into(), run.world.clock.time));
    measured.push(("smallest gap, negative (m)".into(), smallest.min(0.0)));
    measured.push((
        "final gap over collision distance".into(),
        gap(&run.world) / 1e-3,
    ));
    Ok(measured)
}

/// Bounces after which the height is compared. A polygon that bounces on its lowest vertex is unstable:
/// rounding turns it in the end, after some ten bounces.
const BOUNCES: usize = 8;

/// V-06: how much higher the ball is after some bounces without loss.
pub(super) fn elastic_ball(reference: &Reference) -> Measured {
    let coarse = height_drift(reference, 5e-4)?;
    let fine = height_drift(reference, 2.5e-4)?;
    Ok(vec![
        (
            "drift of the height is positive".into(),
            f64::from(u8::from(coarse > 0.0 && fine > 0.0)),
        ),
        ("drift over that with half the step".into(), coarse / fine),
    ])
}

fn height_drift(reference: &Reference, step: f64) -> Result<f64, Failure> {
    let overrides = [
        "contact.restitution=1.0".to_owned(),
        "time.scheme=\"euler\"".to_owned(),
        format!("time.step=\"{step} s\""),
        // A small zone of contact, so that its depth does not blur the effect of the step.
        "contact.distance=\"0.001 mm\"".to_owned(),
    ];
    let mut run: Simulation = simulation(reference, &overrides)?;
    let mut peaks = Vec::new();
    let mut highest = 0.0_f64;
    watch(&mut run, 9.0, &mut |world, report| {
        if report.contact.impacts > 0 {
            peaks.push(highest);
            highest = 0.0;
        }
        highest = highest.max(gap(world));
    })?;
    // The start counts as the first peak.
    Ok(peaks.get(BOUNCES).copied().unwrap_or(f64::NAN) - 1.0)
}

/// V-07: rows of balls.
pub(super) fn long_cradle(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for count in [3, 10, 30, 100] {
        let columns = format!("floe[1].grid.columns={}", count - 1);
        let mut run = simulation(reference, &[columns])?;
        advance(&mut run, 1.0)?;
        let last = velocity(&run.world, count - 1).x;
        let sideways = (0..count).map(|row| {
            let across = velocity(&run.world, row).y.abs();
            across.max(spin(&run.world, row).abs())
        });
        measured.push((
            format!("speed error of the last of {count} balls, per ball (m/s)"),
            (last - 1.0) / count as f64,
        ));
        measured.push((
            format!("largest sideways speed or spin of {count} balls"),
            sideways.fold(0.0, f64::max),
        ));
    }
    Ok(measured)
}

/// Velocities before (u₁, v₁, u₂, v₂) [cm/s], restitution and angle of the normal from the y axis
/// [deg] of the seven simulated collisions: Rabatel 2015, table 3.2, and what its numbers imply.
const BASIN: [([f64; 4], f64, f64); 7] = [
    ([-0.84, -21.72, -0.62, -0.44], 0.379, -1.4),
    ([-1.65, -27.65, -0.19, -0.64], 0.438, -1.2),
    ([-0.41, -20.06, -0.91, 1.25], 0.525, 2.5),
    ([3.33, -25.14, 0.41, 2.78], 0.403, -24.5),
    ([-1.46, -22.60, 0.49, -0.43], 0.429, -16.7),
    ([0.30, -19.95, 0.35, -0.29], 0.350, 14.6),
    ([-7.38, -27.28, 2.00, 0.26], 0.447, -17.4),
];

/// V-11: velocities just after each collision.
pub(super) fn basin(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let mut worst = 0.0_f64;
    for (index, ([u1, v1, u2, v2], restitution, degrees)) in BASIN.into_iter().enumerate() {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let distance = 0.9905;
        let overrides = [
            format!("contact.restitution={restitution}"),
            "drag.enabled=false".to_owned(),
            format!("floe[0].velocity=[\"{u1} cm/s\", \"{v1} cm/s\"]"),
            format!("floe[1].velocity=[\"{u2} cm/s\", \"{v2} cm/s\"]"),
            format!(
                "floe[1].position=[\"{} m\", \"{} m\"]",
                -distance * sin,
                -distance * cos
            ),
        ];
        let mut run = simulation(reference, &overrides)?;
        let momentum = run.world.momentum();
        advance(&mut run, 0.1)?;
        let change = (run.world.momentum() - momentum).length() / momentum.length();
        worst = worst.max(change);
        for (row, body) in ["first", "second"].into_iter().enumerate() {
            let after = 100.0 * velocity(&run.world, row);
            for (name, value) in [("u", after.x), ("v", after.y)] {
                let check = format!("collision {}, {body} {name} after (cm/s)", index + 1);
                measured.push((check, value));
            }
        }
    }
    measured.push(("largest relative change of momentum".into(), worst));
    Ok(measured)
}

/// Contacts to be solved in the shaken box, and steps between two exact looks for overlaps.
const EVENTS: u64 = 1_000_000;
const LOOK_EVERY: u64 = 100;

/// I-16: a million contact events.
pub(super) fn shaken_box(reference: &Reference) -> Measured {
    let mut run = simulation(reference, &[])?;
    let (mut events, mut overlaps) = (0, 0);
    while events < EVENTS {
        let end = run.world.clock.time + 60.0;
        watch(&mut run, end, &mut |world, report| {
            events += report.contact.impact_contacts;
            if world.clock.step % LOOK_EVERY == 0 && first_meeting(world).is_some() {
                overlaps += 1;
            }
        })?;
    }
    let budget = run.world.budget;
    let given = budget.forces[Force::BodyForce].work.abs();
    let turnover = given + budget.contact.normal_loss + budget.contact.tangent_loss;
    let gap = (run.world.kinetic_energy() - budget.work()).abs() / turnover;
    Ok(vec![
        (
            "contacts solved, at least a million".into(),
            f64::from(u8::from(events >= EVENTS)),
        ),
        (
            "unsolved contact problems".into(),
            run.contact.unsolved as f64,
        ),
        ("overlaps found".into(), f64::from(overlaps)),
        ("gap of the energy budget".into(), gap),
        ("largest scaled residual".into(), run.contact.residual),
    ])
}
