//! The drag kernel against references of high order, through one step of the world.

use std::f64::consts::PI;

use banquise::{
    BodySpec, Domain, DragSettings, Forcing, Simulation, StepSettings, Thickness, VectorSeries,
    World,
};
use banquise_geometry::{DVec2, Mesh};

use crate::{disc, moving, polygon, run_until};

/// Force and torque of the water on a body, read off the change of its velocity in one tiny step.
fn load(spec: BodySpec, current: DVec2) -> (DVec2, f64) {
    let before = spec.velocity;
    let mut world = World::new(Domain::Free, 1);
    world.add(spec).unwrap();
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        current: VectorSeries::constant(current),
        ..Forcing::none()
    };
    let dt = 1e-3;
    let mut run = Simulation::new(world, forcing, StepSettings::default(), dt);
    run_until(&mut run, dt).unwrap();
    let bodies = &run.world.bodies;
    let after = bodies.motions()[0].velocity;
    let factor = DragSettings::default().ocean_factor();
    (
        bodies.masses()[0] * (after.linear - before.linear) / dt / factor,
        bodies.inertias()[0] * (after.angular - before.angular) / dt / factor,
    )
}

/// ∫ |u|u and ∫ r∧|u|u over a disc with u = slip − spin r⊥: midpoint in radius², trapezoid in angle.
fn reference(radius: f64, slip: DVec2, spin: f64) -> (DVec2, f64) {
    let (rings, rays) = (2000, 256);
    let mut force = DVec2::ZERO;
    let mut torque = 0.0;
    let weight = PI * radius * radius / f64::from(rings * rays);
    for ring in 0..rings {
        let r = radius * ((f64::from(ring) + 0.5) / f64::from(rings)).sqrt();
        for ray in 0..rays {
            let (sin, cos) = (2.0 * PI * f64::from(ray) / f64::from(rays)).sin_cos();
            let arm = DVec2::new(r * cos, r * sin);
            let u = slip - spin * arm.perp();
            force += weight * u.length() * u;
            torque += weight * arm.perp_dot(u.length() * u);
        }
    }
    (force, torque)
}

#[test]
fn translation_is_integrated_exactly() {
    let (force, torque) = load(disc(50.0), DVec2::new(0.3, -0.4));
    let expected = PI * 2500.0 * 0.5 * DVec2::new(0.3, -0.4);
    assert!((force - expected).length() < 1e-8 * expected.length());
    assert!(torque.abs() < 1e-8 * expected.length() * 50.0);
}

#[test]
fn a_disc_that_turns_feels_two_fifths_pi_r5_omega2() {
    let (force, torque) = load(moving(disc(50.0), 0.0, 0.0, 0.01), DVec2::ZERO);
    let expected = -0.4 * PI * 50.0_f64.powi(5) * 1e-4;
    // |u|u·r is cubic in r, the rule is exact for quadratics: 25 elements leave this much.
    assert!(
        (torque / expected - 1.0).abs() < 1e-3,
        "{}",
        torque / expected - 1.0
    );
    assert!(force.length() < 1e-9 * expected.abs() / 50.0);
}

#[test]
fn a_disc_that_turns_in_a_current_matches_the_reference() {
    for (speed, spin) in [
        (0.5, 0.001),
        (0.5, 0.005),
        (0.3, 0.01),
        (0.1, -0.02),
        (0.02, 0.02),
    ] {
        let slip = DVec2::new(0.8 * speed, 0.6 * speed);
        let (force, torque) = load(moving(disc(50.0), 0.0, 0.0, spin), slip);
        let (true_force, true_torque) = reference(50.0, slip, spin);
        let force_error = (force - true_force).length() / true_force.length();
        let torque_error = (torque / true_torque - 1.0).abs();
        assert!(
            force_error < 5e-3,
            "force off by {force_error} at {speed} m/s, {spin} rad/s"
        );
        assert!(
            torque_error < 5e-3,
            "torque off by {torque_error} at {speed} m/s, {spin} rad/s"
        );
    }
}

#[test]
fn turning_a_floe_turns_its_drag() {
    let shape = [
        (0.0, 0.0),
        (90.0, 10.0),
        (70.0, 60.0),
        (40.0, 30.0),
        (10.0, 80.0),
    ];
    let straight = moving(polygon(&shape), 0.1, 0.2, 0.004);
    let mut turned = straight.clone();
    turned.pose.rotation = turned.pose.rotation.turned_by(1.0);
    turned.velocity.linear = turned.pose.rotation.rotate(straight.velocity.linear);
    let current = DVec2::new(-0.3, 0.25);
    let (force, torque) = load(straight, current);
    let rotation = turned.pose.rotation;
    let (turned_force, turned_torque) = load(turned, rotation.rotate(current));
    assert!((rotation.rotate(force) - turned_force).length() < 1e-7 * force.length());
    assert!((torque - turned_torque).abs() < 1e-7 * torque.abs());
}

#[test]
fn wind_turns_a_floe_whose_thickness_is_uneven() {
    let square = polygon(&[(-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0)]);
    let mesh = Mesh::of(&square.shape);
    let thicknesses: Vec<f64> = mesh
        .elements()
        .iter()
        .map(|e| if e.centroid.x > 0.0 { 2.0 } else { 1.0 })
        .collect();
    let mut world = World::new(Domain::Free, 1);
    world
        .add(BodySpec {
            thickness: Thickness::PerElement(thicknesses),
            ..square
        })
        .unwrap();
    // The heavy side lies east, so the centre of mass does too.
    assert!(world.bodies.motions()[0].pose.position.x > 1.0);
    let wind = VectorSeries::constant(DVec2::new(0.0, 10.0));
    let drag = DragSettings {
        ocean_drag_coefficient: 1e-12,
        ..DragSettings::default()
    };
    let forcing = Forcing {
        drag: Some(drag),
        wind,
        ..Forcing::none()
    };
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 1.0);
    run_until(&mut run, 10.0).unwrap();
    // Pushed north at the centroid, west of the centre of mass: clockwise.
    assert!(run.world.bodies.motions()[0].velocity.angular < 0.0);
}
