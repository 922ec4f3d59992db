//! Closed forms of free drift.

use banquise::units::{DAY, HOUR};
use banquise::{
    BodyForce, Coriolis, Domain, DragSettings, Force, Forcing, Pattern, Push, Scheme, Simulation,
    SpatialField, StepSettings, VectorSeries, World,
};
use banquise_geometry::DVec2;

use crate::{disc, moving, polygon, run_until};

const DRAG: DragSettings = DragSettings {
    air_density: 1.341,
    air_drag_coefficient: 1.7e-3,
    ocean_density: 1024.071,
    ocean_drag_coefficient: 5e-3,
    linear_drag_velocity: None,
    turning_angle: 0.0,
};

fn latitude() -> Coriolis {
    Coriolis::Latitude(81.0_f64.to_radians())
}

fn simulation(forcing: Forcing, scheme: Scheme, dt: f64) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    world.add(disc(100.0)).unwrap();
    Simulation::new(
        world,
        forcing,
        StepSettings {
            scheme,
            ..StepSettings::default()
        },
        dt,
    )
}

fn velocity(simulation: &Simulation) -> DVec2 {
    simulation.world.bodies.motions()[0].velocity.linear
}

fn wind(x: f64) -> Forcing {
    let wind = VectorSeries::constant(DVec2::new(x, 0.0));
    Forcing {
        drag: Some(DRAG),
        wind,
        ..Forcing::none()
    }
}

/// From rest, v = V tanh(k V t) with V the drift speed and k = ρₒ Cₒ / ρᵢ h.
fn spin_up_error(scheme: Scheme, dt: f64) -> f64 {
    let mut run = simulation(wind(10.0), scheme, dt);
    run_until(&mut run, 1000.0).unwrap();
    let drift = DRAG.nansen_number() * 10.0;
    let rate = DRAG.ocean_factor() / 917.0;
    (velocity(&run).x - drift * (rate * drift * 1000.0).tanh()).abs()
}

#[test]
fn spin_up_follows_the_hyperbolic_tangent_at_first_order() {
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        let (coarse, fine) = (spin_up_error(scheme, 10.0), spin_up_error(scheme, 5.0));
        assert!(coarse < 5e-4, "{scheme:?}: {coarse}");
        assert!(
            (coarse / fine - 2.0).abs() < 0.05,
            "{scheme:?}: {coarse} then {fine}"
        );
    }
}

#[test]
fn thirty_days_of_coriolis_keep_the_speed() {
    let forcing = Forcing {
        coriolis: latitude(),
        ..Forcing::none()
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(100.0), 0.2, -0.1, 1e-4)).unwrap();
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 10.0);
    let speed = velocity(&run).length();
    run_until(&mut run, 30.0 * DAY).unwrap();
    let change = velocity(&run).length() / speed - 1.0;
    assert!(change.abs() < 1e-10, "{change}");
}

#[test]
fn explicit_euler_pumps_energy_as_predicted() {
    let forcing = Forcing {
        coriolis: latitude(),
        ..Forcing::none()
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(100.0), 0.2, 0.0, 0.0)).unwrap();
    let mut run = Simulation::new(
        world,
        forcing,
        StepSettings {
            scheme: Scheme::Euler,
            ..StepSettings::default()
        },
        10.0,
    );
    run_until(&mut run, 6.0 * DAY).unwrap();
    // Specification E-43: each step stretches the velocity by √(1 + (fΔt)²), +5.5 % in six days.
    let parameter = latitude().parameter_at(0.0);
    let predicted = (0.5 * (parameter * 10.0).powi(2).ln_1p() * 6.0 * DAY / 10.0).exp();
    assert!((velocity(&run).length() / 0.2 - predicted).abs() < 1e-9);
    assert!((predicted - 1.055).abs() < 1e-3);
    // The account of Coriolis shows it.
    let gained = run.world.kinetic_energy() * (1.0 - predicted.powi(-2));
    assert!((run.world.budget.forces[Force::Coriolis].work / gained - 1.0).abs() < 1e-9);
}

#[test]
fn steady_drift_balances_wind_water_and_coriolis() {
    let forcing = Forcing {
        coriolis: latitude(),
        ..wind(4.0)
    };
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        let mut run = simulation(forcing.clone(), scheme, 10.0);
        run_until(&mut run, 20.0 * DAY).unwrap();
        let v = velocity(&run);
        let deviation = v.y.atan2(v.x).to_degrees();
        // Specification V-09: 17.37 degrees to the right, 0.0825 m/s.
        assert!((deviation + 17.37).abs() < 0.05, "{scheme:?}: {deviation}");
        assert!(
            (v.length() - 0.0825).abs() < 1e-4,
            "{scheme:?}: {}",
            v.length()
        );
        let f = latitude().parameter_at(0.0);
        let stress = DRAG.wind_stress(DVec2::new(4.0, 0.0)) - DRAG.ocean_factor() * v.length() * v
            + 917.0 * f * DVec2::new(v.y, -v.x);
        // Euler's steady state is that of the equations, the splitting's up to (fΔt)²/12 = 2e-7.
        let residual = stress.length() / (917.0 * f * v.length());
        assert!(residual < 2e-7, "{scheme:?}: {residual}");
    }
}

/// Linear drag of the water, τₒ = ρₒ κ u.
fn linear() -> DragSettings {
    DragSettings {
        linear_drag_velocity: Some(5e-4),
        ..DRAG
    }
}

/// Rate at which a floe of 1 m takes on the velocity of the water, ρₒ κ / ρᵢ h [1/s].
fn linear_rate() -> f64 {
    linear().linear_factor().unwrap() / 917.0
}

/// Largest distance from the exponential relaxation to the current, v = U (1 − e^(−kt)), relatively.
fn relaxation_error(scheme: Scheme, dt: f64) -> f64 {
    let current = DVec2::new(0.3, -0.1);
    let forcing = Forcing {
        drag: Some(linear()),
        current: VectorSeries::constant(current),
        ..Forcing::none()
    };
    let mut run = simulation(forcing, scheme, dt);
    let mut largest = 0.0_f64;
    for hour in 1..=3 {
        let time = f64::from(hour) * HOUR;
        run_until(&mut run, time).unwrap();
        let expected = current * -(-linear_rate() * time).exp_m1();
        largest = largest.max((velocity(&run) - expected).length() / current.length());
    }
    largest
}

#[test]
fn linear_drag_relaxes_exponentially_to_the_current() {
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        let (coarse, fine) = (
            relaxation_error(scheme, 20.0),
            relaxation_error(scheme, 10.0),
        );
        // (1 − kΔt)ⁿ for e^(−kt): off by ½ kΔt · kt e^(−kt), at most ½ kΔt/e = 2.1e-3 at 20 s.
        assert!(coarse < 2.1e-3, "{scheme:?}: {coarse}");
        assert!(
            (coarse / fine - 2.0).abs() < 0.02,
            "{scheme:?}: {coarse} then {fine}"
        );
    }
}

#[test]
fn linear_drag_slows_a_spin_at_the_same_rate() {
    let forcing = Forcing {
        drag: Some(linear()),
        ..Forcing::none()
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(100.0), 0.0, 0.0, 1e-3)).unwrap();
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 1.0);
    run_until(&mut run, HOUR).unwrap();
    let motion = run.world.bodies.motions()[0];
    // ∫ ρₒ κ r² ds over ∫ ρᵢ h r² ds is the rate of translation: the quadrature is exact for r².
    let expected = 1e-3 * (1.0 - linear_rate()).powi(3600);
    assert!((motion.velocity.angular / expected - 1.0).abs() < 1e-10);
    assert!(motion.velocity.linear.length() < 1e-15);
}

#[test]
fn steady_drift_with_linear_drag_is_that_of_the_complex_plane() {
    let forcing = Forcing {
        drag: Some(linear()),
        coriolis: latitude(),
        ..wind(4.0)
    };
    let f = latitude().parameter_at(0.0);
    let acceleration = DRAG.wind_stress(DVec2::new(4.0, 0.0)).x / 917.0;
    let k = linear_rate();
    // 0 = a − k v + f (v_y, −v_x), so that v = a (k, −f) / (k² + f²).
    let expected = acceleration / (k * k + f * f) * DVec2::new(k, -f);
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        let mut run = simulation(forcing.clone(), scheme, 10.0);
        run_until(&mut run, 2.0 * DAY).unwrap();
        let off = (velocity(&run) - expected).length() / expected.length();
        // Euler's steady state is that of the equations, the splitting's up to (fΔt)²/12 = 2e-7.
        assert!(off < 2e-7, "{scheme:?}: {off}");
    }
}

#[test]
fn linear_drag_feels_the_lever_of_uneven_thickness_and_fields_alike() {
    // The same water as one vector and as a field must load a floe that turns alike.
    let water = DVec2::new(0.2, 0.1);
    let uniform = Forcing {
        drag: Some(linear()),
        current: VectorSeries::constant(water),
        ..Forcing::none()
    };
    let no_shear = SpatialField {
        patterns: vec![Pattern::Shear {
            through: DVec2::ZERO,
            direction: DVec2::X,
            rate: 0.0,
        }],
        ..SpatialField::default()
    };
    let varying = Forcing {
        current_field: Some(no_shear),
        ..uniform.clone()
    };
    let [first, second] = [uniform, varying].map(|forcing| {
        let mut world = World::new(Domain::Free, 1);
        let wedge = polygon(&[(0.0, 0.0), (300.0, 0.0), (150.0, 80.0), (20.0, 400.0)]);
        world.add(moving(wedge, -0.2, 0.05, 4e-4)).unwrap();
        let mut run = Simulation::new(world, forcing, StepSettings::default(), 10.0);
        run_until(&mut run, HOUR).unwrap();
        run.world.bodies.motions()[0].velocity
    });
    assert!((first.linear - second.linear).length() < 1e-13);
    assert!((first.angular - second.angular).abs() < 1e-15);
}

#[test]
fn gravity_alone_is_a_parabola_half_a_step_late() {
    let push = Push::Acceleration(DVec2::new(0.0, -9.81));
    let gravity = BodyForce::new(push);
    let forcing = Forcing {
        body_forces: vec![gravity],
        ..Forcing::none()
    };
    let mut run = simulation(forcing, Scheme::Splitting, 0.03);
    run_until(&mut run, 2.0).unwrap();
    let fallen = run.world.bodies.motions()[0].pose.position.y;
    // Positions advance with the velocity at the start of the step: late by half a step.
    let mut expected = 0.0;
    let mut velocity = 0.0;
    for step in 0..67 {
        let dt = if step == 66 { 2.0 - 66.0 * 0.03 } else { 0.03 };
        expected += dt * velocity;
        velocity -= 9.81 * dt;
    }
    assert!((fallen - expected).abs() < 1e-12, "{fallen}");
    assert!((fallen + 0.5 * 9.81 * 4.0 - 0.5 * 9.81 * 2.0 * 0.03).abs() < 1e-2);
}

#[test]
fn a_push_in_a_window_gives_its_impulse_whatever_the_step() {
    let push = Push::Force(DVec2::new(1e6, 0.0));
    let window = BodyForce {
        from: 1.0,
        until: 5.0,
        ..BodyForce::new(push)
    };
    let forcing = Forcing {
        body_forces: vec![window],
        ..Forcing::none()
    };
    for dt in [0.7, 1.3, 6.0] {
        let mut run = simulation(forcing.clone(), Scheme::Splitting, dt);
        run_until(&mut run, 7.0).unwrap();
        let momentum = run.world.momentum();
        assert!(
            (momentum - DVec2::new(4e6, 0.0)).length() < 1e-6,
            "{momentum} with {dt} s"
        );
    }
}

#[test]
fn a_floe_that_only_turns_is_slowed_by_the_water() {
    let forcing = Forcing {
        drag: Some(DRAG),
        ..Forcing::none()
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(100.0), 0.0, 0.0, 1e-3)).unwrap();
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 1.0);
    run_until(&mut run, HOUR).unwrap();
    let motion = run.world.bodies.motions()[0];
    // I dω/dt = −ρₒ Cₒ (2π/5) R⁵ ω², hence 1/ω = 1/ω₀ + (4/5)(ρₒ Cₒ R / ρᵢ h) t.
    let expected = 1.0 / (1000.0 + 0.8 * DRAG.ocean_factor() * 100.0 / 917.0 * HOUR);
    // Quadrature of r³ on 25 elements is within 0.1 % (see the drag tests), the step is 1 s.
    assert!((motion.velocity.angular / expected - 1.0).abs() < 2e-3);
    assert!(motion.velocity.linear.length() < 1e-15);
}
