//! Closed forms of springs, lines and waves, for one disc.

use std::f64::consts::{PI, TAU};

use banquise::{Forcing, LineEnd, Simulation, Velocity};
use banquise_geometry::DVec2;

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation};
use crate::failure::Failure;

const GRAVITY: f64 = 9.81;

fn x(simulation: &Simulation) -> f64 {
    simulation.world.bodies.motions()[0].pose.position.x
}

fn speed(simulation: &Simulation) -> f64 {
    simulation.world.bodies.motions()[0].velocity.linear.x
}

/// The disc on its spring, without waves and drag.
fn oscillator(reference: &Reference, step: f64) -> Result<Simulation, Failure> {
    let mut run = simulation(reference, &[])?;
    run.forcing = Forcing::none();
    run.max_dt = step;
    Ok(run)
}

/// The rate √(k/m) of the mooring [rad/s].
fn rate(run: &Simulation) -> f64 {
    (run.world.lines[0].stiffness / run.world.bodies.masses()[0]).sqrt()
}

/// L1: spring, mass and damper, and a line with slack that breaks.
pub(super) fn oscillators(reference: &Reference) -> Measured {
    let mut largest = 0.0_f64;
    for ratio in [0.0, 0.1, 0.5, 1.0, 2.0] {
        let mut run = oscillator(reference, 1e-3)?;
        let frequency = rate(&run);
        run.world.lines[0].damping = 2.0 * ratio * run.world.bodies.masses()[0] * frequency;
        stretch(&mut run, 1.0);
        for k in 1..=20 {
            let time = 2.0 * f64::from(k);
            advance(&mut run, time)?;
            largest = largest.max((x(&run) - displacement(ratio, frequency, time)).abs());
        }
    }
    let mut undamped = oscillator(reference, 5e-3)?;
    stretch(&mut undamped, 1.0);
    let energy = |run: &Simulation| run.world.kinetic_energy() + run.world.line_energy();
    let period = TAU / rate(&undamped);
    // The energy swings within a period: the mean over one is compared.
    let mean = |run: &mut Simulation, from: f64| -> Result<f64, Failure> {
        let mut sum = 0.0;
        for k in 0..100 {
            advance(run, from + period * f64::from(k) / 100.0)?;
            sum += energy(run) / 100.0;
        }
        Ok(sum)
    };
    let before = mean(&mut undamped, 0.0)?;
    let after = mean(&mut undamped, 100.0 * period)?;
    let [tension, left] = slack(reference)?;
    Ok(vec![
        ("largest error of the displacement (m)".into(), largest),
        (
            "energy after a hundred periods over that at the start".into(),
            after / before,
        ),
        ("largest tension over v sqrt(k m)".into(), tension),
        ("speed after breaking over 0.8 v".into(), left),
    ])
}

/// Moves the fixed end of the mooring away, so that it is longer by this much \[m\]. The disc is still at the origin: its place of rest is at −length.
fn stretch(run: &mut Simulation, length: f64) {
    let line = &mut run.world.lines[0];
    line.ends[0] = LineEnd::Point(DVec2::new(-line.rest_length - length, 0.0));
}

/// x(t) of an oscillator with x(0) = 1 and ẋ(0) = 0, less one: the disc starts at the origin.
fn displacement(ratio: f64, frequency: f64, time: f64) -> f64 {
    let decay = ratio * frequency;
    let value = if ratio < 1.0 {
        let damped = frequency * (1.0 - ratio * ratio).sqrt();
        let (sin, cos) = (damped * time).sin_cos();
        (-decay * time).exp() * (cos + decay / damped * sin)
    } else if ratio > 1.0 {
        let root = frequency * (ratio * ratio - 1.0).sqrt();
        let (slow, fast) = (root - decay, -root - decay);
        (fast * (slow * time).exp() - slow * (fast * time).exp()) / (fast - slow)
    } else {
        (-decay * time).exp() * (1.0 + decay * time)
    };
    value - 1.0
}

/// A disc that runs into a slack line: its largest tension, and its speed after a weaker one broke.
fn slack(reference: &Reference) -> Result<[f64; 2], Failure> {
    let fast = 0.5;
    let start = |load: f64| -> Result<Simulation, Failure> {
        let mut run = oscillator(reference, 1e-3)?;
        let velocity = Velocity {
            linear: DVec2::new(fast, 0.0),
            angular: 0.0,
        };
        run.world.bodies.set_velocity(0, velocity);
        let line = &mut run.world.lines[0];
        (line.pushes, line.rest_length, line.breaking_load) = (false, line.rest_length + 5.0, load);
        Ok(run)
    };
    let mut held = start(f64::INFINITY)?;
    let mass = held.world.bodies.masses()[0];
    let greatest = fast * (held.world.lines[0].stiffness * mass).sqrt();
    let quarter = 0.5 * PI / rate(&held);
    advance(&mut held, 5.0 / fast + quarter)?;
    let tension = held.world.lines[0].tension / greatest;
    let mut broken = start(0.6 * greatest)?;
    advance(&mut broken, 5.0 / fast + 4.0 * quarter)?;
    Ok([tension, speed(&broken) / (0.8 * fast)])
}

/// W1: amplitude and phase of the surge at five frequencies.
pub(super) fn surge(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for frequency in [0.35, 0.5, 0.7, 0.9, 1.3] {
        let period = TAU / frequency;
        let overrides = [
            format!("waves.period=\"{period} s\""),
            format!("time.step=\"{} s\"", period / 500.0),
        ];
        let mut run = simulation(reference, &overrides)?;
        let bodies = &run.world.bodies;
        let inertia = 1.3 * bodies.masses()[0];
        let drag = run.forcing.drag.unwrap_or_default();
        let resistance = drag.linear_factor().unwrap_or_default() * bodies.areas()[0];
        let stiffness = inertia * 0.7 * 0.7;
        run.world.lines[0].stiffness = stiffness;
        let start = (12.0 * inertia / resistance / period).ceil() * period;
        advance(&mut run, start)?;
        let (mut re, mut im) = (0.0, 0.0);
        for k in 0..200 {
            let time = start + period * f64::from(k) / 200.0;
            advance(&mut run, time)?;
            let (sin, cos) = (frequency * time).sin_cos();
            re += x(&run) * cos / 100.0;
            im -= x(&run) * sin / 100.0;
        }
        // As Re X e^{iωt}: (1 + Cₘ) m ẍ + ρκA ẋ + k x = (1 + Cₘ) m u̇ + ρκA u with u = aω cos ωt.
        let amplitude = 0.01 * frequency;
        let top = [resistance * amplitude, inertia * amplitude * frequency];
        let bottom = [
            stiffness - inertia * frequency * frequency,
            resistance * frequency,
        ];
        let expected = top[0].hypot(top[1]) / bottom[0].hypot(bottom[1]);
        let turned = im.atan2(re) - (top[1].atan2(top[0]) - bottom[1].atan2(bottom[0]));
        let phase = (turned + PI).rem_euclid(TAU) - PI;
        let name = format!("amplitude at {frequency} rad/s");
        measured.push((name, re.hypot(im) / expected));
        measured.push((format!("phase at {frequency} rad/s (rad)"), phase));
    }
    Ok(measured)
}

/// W2: drift of a disc adrift with strong drag.
pub(super) fn drift(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (amplitude, period) in [(0.2, 4.0), (0.5, 8.0), (1.0, 12.0)] {
        let overrides = [
            format!("waves.period=\"{period} s\""),
            format!("waves.amplitude=\"{amplitude} m\""),
            "drag.linear_drag_velocity=\"1 m/s\"".to_owned(),
            "floe[0].thickness=\"0.1 m\"".to_owned(),
            format!("time.step=\"{} s\"", period / 400.0),
            "line[0].stiffness=\"0 N/m\"".to_owned(),
        ];
        let mut run = simulation(reference, &overrides)?;
        run.world.lines.clear();
        let frequency = TAU / period;
        let wavenumber = frequency * frequency / GRAVITY;
        let expected = amplitude * amplitude * wavenumber * frequency;
        advance(&mut run, 5.0 * period)?;
        let start = x(&run);
        // The disc is carried along, and meets the waves a little less often.
        let time = 40.0 * TAU / (frequency - wavenumber * expected);
        advance(&mut run, 5.0 * period + time)?;
        let drift = (x(&run) - start) / time;
        measured.push((
            format!("drift for {amplitude} m at {period} s"),
            drift / expected,
        ));
    }
    Ok(measured)
}
