//! Waves in the plane: drift, surge of a moored disc, mean force, budgets.

use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;

use banquise::{
    Attenuation, BodyId, Domain, DragSettings, Force, Forcing, Jonswap, Line, LineEnd, NoTimer,
    Simulation, StepSettings, Thickness, WaveComponent, Waves, World,
};
use banquise_geometry::DVec2;

use super::{at, disc};

const GRAVITY: f64 = 9.81;

fn regular(amplitude: f64, frequency: f64, added_mass: f64) -> Waves {
    Waves {
        components: vec![WaveComponent {
            amplitude,
            angular_frequency: frequency,
            direction: DVec2::X,
            phase: 0.0,
        }],
        added_mass,
        attenuation: None,
        ramp: 0.0,
    }
}

/// Linear drag with a velocity κ [m/s].
fn linear_drag(velocity: f64) -> DragSettings {
    DragSettings {
        linear_drag_velocity: Some(velocity),
        ..DragSettings::default()
    }
}

fn run(simulation: &mut Simulation, time: f64) {
    let mut go_on = |_: &World, _: &banquise::StepReport| ControlFlow::Continue(());
    let advanced = simulation.advance_to(time, &mut NoTimer, &mut go_on);
    assert!(advanced.unwrap().is_continue());
}

fn one_disc(thickness: f64, waves: Waves, drag: DragSettings, dt: f64) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    let mut spec = disc(1.0);
    spec.thickness = Thickness::Uniform(thickness);
    world.add(spec).unwrap();
    let forcing = Forcing {
        drag: Some(drag),
        waves: Some(waves),
        ..Forcing::none()
    };
    Simulation::new(world, forcing, StepSettings::default(), dt)
}

#[test]
fn drag_carries_a_floe_at_the_drift_of_stokes() {
    for (amplitude, period) in [(0.2, 4.0), (0.5, 8.0), (1.0, 12.0)] {
        let frequency = TAU / period;
        let wavenumber = frequency * frequency / GRAVITY;
        // 0.1 m of ice with κ = 1 m/s takes on the velocity of the water in 0.09 s.
        let waves = regular(amplitude, frequency, 0.1);
        let mut simulation = one_disc(0.1, waves, linear_drag(1.0), period / 400.0);
        run(&mut simulation, 5.0 * period);
        let start = simulation.world.bodies.motions()[0].pose.position.x;
        // In the mean the floe is carried along, and meets the waves a little less often.
        let count = 40.0;
        let expected = amplitude * amplitude * wavenumber * frequency;
        let encounter = TAU / (frequency - wavenumber * expected);
        run(&mut simulation, 5.0 * period + count * encounter);
        let end = simulation.world.bodies.motions()[0].pose.position.x;
        let drift = (end - start) / (count * encounter);
        let ratio = drift / expected;
        println!(
            "a {amplitude} m, T {period} s, ka {:.3}: drift over a²kω {ratio:.4}",
            wavenumber * amplitude
        );
        assert!((ratio - 1.0).abs() < 0.02, "{amplitude} {period}: {ratio}");
    }
}

#[test]
fn a_free_floe_with_weak_drag_drifts_along_the_waves_whatever_the_step() {
    let drifts = [0.5, 0.2].map(|dt| {
        let mut simulation = one_disc(
            0.5,
            regular(1.0, TAU / 10.0, 0.0),
            DragSettings::default(),
            dt,
        );
        // Weak drag takes two hours to lose the mean velocity of a start at rest.
        run(&mut simulation, 7200.0);
        let start = simulation.world.bodies.motions()[0].pose.position.x;
        run(&mut simulation, 14_400.0);
        let end = simulation.world.bodies.motions()[0].pose.position.x;
        (end - start) / 7200.0
    });
    println!("drift {drifts:?} m/s");
    // Sampled in the middle of the step, the slope would push against the waves: at −0.28 and −0.17 m/s by a scalar model of the step.
    assert!(
        drifts[0] > 0.015 && (drifts[1] / drifts[0] - 1.0).abs() < 0.02,
        "{drifts:?}"
    );
}

#[test]
fn a_floe_at_rest_drifts_along_waves_that_grow() {
    // Ten minutes after the start, with a ramp of five periods and without one.
    let drifts = [45.0, 0.0].map(|ramp| {
        let waves = Waves {
            ramp,
            ..regular(0.5, TAU / 9.0, 0.1)
        };
        let mut simulation = one_disc(0.5, waves, DragSettings::default(), 0.1);
        run(&mut simulation, 600.0);
        let start = simulation.world.bodies.motions()[0].pose.position.x;
        run(&mut simulation, 1500.0);
        let end = simulation.world.bodies.motions()[0].pose.position.x;
        (end - start) / 900.0
    });
    println!("drift {drifts:?} m/s");
    // That of Stokes, a²kω, is 0.0087 m/s.
    assert!(drifts[0] > 0.0 && drifts[0] < 0.02, "{drifts:?}");
    assert!(drifts[1] < -0.02, "{drifts:?}");
}

#[test]
fn a_moored_disc_surges_with_the_amplitude_and_phase_of_its_closed_form() {
    let (added_mass, thickness, kappa) = (0.3, 1.0, 0.05);
    for frequency in [0.35, 0.5, 0.7, 0.9, 1.3] {
        let waves = regular(0.01, frequency, added_mass);
        let mut simulation = one_disc(
            thickness,
            waves,
            linear_drag(kappa),
            0.002 * TAU / frequency,
        );
        let mass = simulation.world.bodies.masses()[0];
        let inertia = (1.0 + added_mass) * mass;
        // Its own frequency is among those of the waves.
        let stiffness = inertia * 0.7 * 0.7;
        let end = LineEnd::Body {
            id: BodyId(0),
            arm: DVec2::ZERO,
        };
        simulation.world.lines.push(Line {
            name: "mooring".into(),
            ends: [LineEnd::Point(DVec2::new(-200.0, 0.0)), end],
            stiffness,
            damping: 0.0,
            rest_length: 200.0,
            pushes: true,
            breaking_load: f64::INFINITY,
            broken_at: None,
            tension: 0.0,
        });
        let resistance = 1024.071 * kappa * PI;
        let [amplitude, phase] = surge(&mut simulation, frequency, inertia / resistance);
        // (1 + Cₘ) m ẍ + ρκA ẋ + k x = (1 + Cₘ) m u̇ + ρκA u with u = aω cos ωt, as Re X e^{iωt}.
        let (a, w) = (0.01, frequency);
        let top = [resistance * a * w, inertia * a * w * w];
        let bottom = [stiffness - inertia * w * w, resistance * w];
        let size = |z: [f64; 2]| z[0].hypot(z[1]);
        let expected = size(top) / size(bottom);
        let expected_phase = top[1].atan2(top[0]) - bottom[1].atan2(bottom[0]);
        let error = (phase - expected_phase + PI).rem_euclid(TAU) - PI;
        println!(
            "ω {frequency}: surge {amplitude:.6} m against {expected:.6}, phase off by {:.3}°",
            error.to_degrees()
        );
        assert!((amplitude / expected - 1.0).abs() < 0.01, "{frequency}");
        assert!(error.abs() < 0.01, "{frequency}: {error}");
    }
}

/// Amplitude and phase of the surge x = X cos(ωt + φ), after the transient.
fn surge(simulation: &mut Simulation, frequency: f64, relaxation: f64) -> [f64; 2] {
    let period = TAU / frequency;
    let start = ((12.0 * relaxation) / period).ceil() * period;
    run(simulation, start);
    let (mut re, mut im) = (0.0, 0.0);
    let count = 200;
    for k in 0..count {
        let time = start + period * f64::from(k) / f64::from(count);
        run(simulation, time);
        let x = simulation.world.bodies.motions()[0].pose.position.x;
        let (sin, cos) = (frequency * time).sin_cos();
        re += 2.0 / f64::from(count) * x * cos;
        im -= 2.0 / f64::from(count) * x * sin;
    }
    [re.hypot(im), im.atan2(re)]
}

#[test]
fn without_drag_a_floe_moves_with_the_water_whatever_its_added_mass() {
    for added_mass in [0.0, 0.7] {
        let waves = regular(0.01, 1.0, added_mass);
        let mut simulation = one_disc(1.0, waves, linear_drag(1e-9), 0.002);
        // It starts at rest, where the water has u = aω: from then on it has that much less.
        run(&mut simulation, PI / 2.0);
        let speed = simulation.world.bodies.motions()[0].velocity.linear.x;
        assert!((speed + 0.01).abs() < 3e-5, "{speed}");
    }
}

#[test]
fn waves_that_are_attenuated_push_with_half_their_energy_loss() {
    let (amplitude, rate) = (0.3, 2e-3);
    let waves = Waves {
        attenuation: Some(Attenuation {
            rate,
            edge: DVec2::ZERO,
        }),
        ..regular(amplitude, 0.8, 0.0)
    };
    let mut simulation = one_disc(1.0, waves.clone(), linear_drag(0.05), 0.05);
    simulation
        .world
        .bodies
        .set_velocity(0, banquise::Velocity::REST);
    let start = at(disc(1.0), 300.0, 0.0).pose.position;
    let sea = waves.at(start, 0.0);
    // ½ α E with E = ½ ρ g a², which is e^(−αx) of that at the edge.
    let energy = 0.5 * 1024.071 * GRAVITY * amplitude * amplitude * (-rate * 300.0_f64).exp();
    assert!((1024.071 * sea.mean_force.x - 0.5 * rate * energy).abs() < 1e-9 * energy);
    run(&mut simulation, 50.0);
    let budget = &simulation.world.budget;
    let left = simulation.world.kinetic_energy() - budget.work();
    assert!(left.abs() < 1e-10 * simulation.world.kinetic_energy());
}

#[test]
fn budgets_close_in_a_random_sea_with_moorings() {
    let sea = Jonswap {
        significant_height: 1.0,
        peak_period: 6.0,
        peak_enhancement: 3.3,
        direction: DVec2::new(0.6, 0.8),
        components: 50,
    };
    let waves = Waves {
        components: sea.components(5),
        added_mass: 0.2,
        attenuation: Some(Attenuation {
            rate: 1e-3,
            edge: DVec2::ZERO,
        }),
        ramp: 12.0,
    };
    let mut simulation = one_disc(0.8, waves, DragSettings::default(), 0.1);
    simulation.world.add(at(disc(2.0), 10.0, 1.0)).unwrap();
    let mass = simulation.world.bodies.masses()[0];
    let on = |id| LineEnd::Body {
        id: BodyId(id),
        arm: DVec2::new(0.5, 0.0),
    };
    simulation.world.lines.push(Line {
        name: String::new(),
        ends: [on(0), on(1)],
        stiffness: 0.5 * mass,
        damping: 0.1 * mass,
        rest_length: 9.0,
        pushes: false,
        breaking_load: f64::INFINITY,
        broken_at: None,
        tension: 0.0,
    });
    run(&mut simulation, 600.0);
    let world = &simulation.world;
    let turnover: f64 = Force::ALL
        .iter()
        .map(|&f| world.budget.forces[f].work.abs())
        .sum();
    let left = world.kinetic_energy() - world.budget.work();
    assert!(left.abs() < 1e-10 * turnover, "{left} of {turnover}");
    let left = world.momentum() - world.budget.impulse();
    assert!(left.length() < 1e-10 * turnover, "{left}");
    assert!(world.budget.forces[Force::Waves].work != 0.0);
}
