//! A hundred real outlines that collide.

use banquise::{
    BodyKind, BodySpec, Domain, DragSettings, Forcing, Material, Rectangle, Scheme, Simulation,
    StepRule, StepSettings, Thickness, Velocity, World, first_meeting,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};
use serde_json::Value;

use crate::{at, disc, floe_with_bay, moving, run_until, shared_data};

/// The floes of one of FloeDyn's cases, where the data is there.
fn floedyn_floes(case: &str, material: Material) -> Option<Vec<BodySpec>> {
    let Some(path) = shared_data(&format!("floedyn_cases/{case}/initial.json")) else {
        println!("skipped: real data not found");
        return None;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let floes = file["floes"].as_array().unwrap().iter().map(|floe| {
        let outline = floe["outline"].as_array().unwrap().iter();
        let vertices: Vec<DVec2> = outline
            .map(|p| DVec2::new(number(&p[0]), number(&p[1])))
            .collect();
        BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            shape: Shape::Outline(Outline::from_ring(&vertices).unwrap()),
            pose: Pose {
                position: DVec2::new(number(&floe["x"]), number(&floe["y"])),
                rotation: Rotation::from_angle(number(&floe["theta"])),
            },
            velocity: Velocity {
                linear: DVec2::new(number(&floe["vx"]), number(&floe["vy"])),
                angular: number(&floe["omega"]),
            },
            thickness: Thickness::Uniform(number(&floe["thickness"])),
            material,
            mass: None,
            inertia: None,
        }
    });
    Some(floes.collect())
}

fn angular_momentum(world: &World) -> f64 {
    let bodies = &world.bodies;
    let one = |row: usize| {
        let motion = bodies.motions()[row];
        let momentum = bodies.masses()[row] * motion.velocity.linear;
        motion.pose.position.perp_dot(momentum) + bodies.inertias()[row] * motion.velocity.angular
    };
    world.floe_rows().map(one).sum()
}

fn kicked_inwards(floes: Vec<BodySpec>, max_dt: f64) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    for mut floe in floes {
        let inwards = -floe.pose.position.normalize_or_zero();
        floe.velocity.linear = 0.3 * inwards;
        world.add(floe).unwrap();
    }
    Simulation::new(world, Forcing::none(), StepSettings::default(), max_dt)
}

#[test]
fn elastic_floes_without_friction_keep_their_energy() {
    let material = Material {
        friction: 0.0,
        restitution: 1.0,
        ..Material::default()
    };
    for max_dt in [1.0, 0.1, 0.01] {
        let Some(floes) = floedyn_floes("ex100_topaz", material) else {
            return;
        };
        let mut run = kicked_inwards(floes, max_dt);
        let energy = run.world.kinetic_energy();
        let (momentum, angular) = (run.world.momentum(), angular_momentum(&run.world));
        run_until(&mut run, 500.0).unwrap();
        let masses = run.world.bodies.masses();
        let scale: f64 = run.world.floe_rows().map(|row| 0.3 * masses[row]).sum();
        let energy_change = run.world.kinetic_energy() / energy - 1.0;
        let momentum_change = (run.world.momentum() - momentum).length() / scale;
        let angular_change = (angular_momentum(&run.world) - angular).abs() / (400.0 * scale);
        println!(
            "{max_dt} s: energy {energy_change:.1e}, momentum {momentum_change:.1e}, angular \
             momentum {angular_change:.1e}, {} impacts in {} steps",
            run.contact.impacts, run.world.clock.step
        );
        assert!(energy_change.abs() < 1e-10);
        assert!(momentum_change < 1e-12);
        assert!(angular_change < 1e-12);
        assert!(run.contact.impacts > 500);
        assert_eq!(run.contact.unsolved, 0);
        assert_eq!(first_meeting(&run.world), None);
    }
}

/// Floes of two shapes in a periodic cell of 300 m, repeated `copies` times in each direction within a
/// cell as many times larger.
fn periodic_pack(copies: u32) -> Simulation {
    let side = 300.0;
    let cell = Domain::Periodic(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(side * f64::from(copies)),
    });
    let mut world = World::new(cell, 1);
    for column in 0..copies {
        for row in 0..copies {
            let corner = side * DVec2::new(f64::from(column), f64::from(row));
            for index in 0..25 {
                let place = DVec2::new(f64::from(index % 5), f64::from(index / 5));
                let position = corner + 60.0 * place + DVec2::new(20.0, 25.0);
                let (sin, cos) = (2.4 * f64::from(index)).sin_cos();
                let shape = if index % 2 == 0 {
                    disc(22.0)
                } else {
                    floe_with_bay()
                };
                let spec = moving(shape, 0.3 * cos, 0.3 * sin, 0.002 * cos);
                world.add(at(spec, position.x, position.y)).unwrap();
            }
        }
    }
    Simulation::new(world, Forcing::none(), StepSettings::default(), 0.2)
}

#[test]
fn periodic_edges_equal_explicit_copies() {
    // In local time the moment of an impact, anywhere in the last tenth of the collision distance, depends on
    // when the pair was looked at before, and round-off can make that one look more or less: 1e-4 s, in
    // which a floe turns by 2e-7 rad.
    for (local_time, tolerance) in [(false, 1e-8), (true, 1e-6)] {
        compare_images_and_copies(local_time, tolerance);
    }
}

fn compare_images_and_copies(local_time: bool, tolerance: f64) {
    let [mut images, mut copies] = [1, 2].map(periodic_pack);
    for run in [&mut images, &mut copies] {
        run.settings.contact.local_time = local_time;
    }
    let cell = images.world.domain;
    for step in 1..=1000 {
        let time = 0.2 * f64::from(step);
        run_until(&mut images, time).unwrap();
        run_until(&mut copies, time).unwrap();
    }
    assert!(images.contact.impacts > 30, "{}", images.contact.impacts);
    assert!(images.world.clock.step >= 1000);
    assert_eq!(copies.contact.impacts, 4 * images.contact.impacts);
    let mut worst = 0.0_f64;
    for row in 0..100 {
        let original = images.world.bodies.motions()[row % 25];
        let copy = copies.world.bodies.motions()[row];
        let apart = cell.nearest_image(copy.pose.position - original.pose.position);
        // Collisions of convex bodies multiply a difference by some ten each: round-off of 1e-14 m
        // grows to some 1e-10 m.
        worst = worst.max(apart.length());
        let change = copy.velocity.linear - original.velocity.linear;
        assert!(change.length() < tolerance, "row {row}: {change}");
    }
    println!("places differ by at most {worst:.1e} m");
    assert!(worst < if local_time { 1e-4 } else { 1e-9 });
    assert_eq!(first_meeting(&copies.world), None);
}

#[test]
fn optimistic_steps_are_fewer_and_leave_no_overlap() {
    let mut steps = Vec::new();
    for step_rule in [StepRule::Guaranteed, StepRule::Optimistic] {
        let mut run = periodic_pack(1);
        run.settings.contact.step_rule = step_rule;
        run.settings.contact.local_time = false;
        run.max_dt = 5.0;
        // Turning fast, so that a bound that forgets it is wrong now and then.
        for row in 0..25 {
            let mut velocity = run.world.bodies.motions()[row].velocity;
            velocity.angular *= 40.0;
            run.world.bodies.set_velocity(row, velocity);
        }
        for minute in 1..=10 {
            run_until(&mut run, 60.0 * f64::from(minute)).unwrap();
            assert_eq!(first_meeting(&run.world), None, "{step_rule:?}");
        }
        assert_eq!(run.contact.unsolved, 0);
        steps.push((run.world.clock.step, run.contact.rollbacks));
    }
    println!(
        "guaranteed {:?}, optimistic {:?} (steps, taken back)",
        steps[0], steps[1]
    );
    assert_eq!(steps[0].1, 0);
    assert!(steps[1].0 < steps[0].0, "{steps:?}");
}

#[test]
fn two_squares_meet_as_in_floedyn() {
    let Some(floes) = floedyn_floes("two_headon", Material::default()) else {
        return;
    };
    let mut world = World::new(Domain::Free, 1);
    for floe in floes {
        world.add(floe).unwrap();
    }
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        ..Forcing::none()
    };
    let settings = StepSettings {
        scheme: Scheme::Euler,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(world, forcing, settings, 10.0);
    let path = shared_data("floedyn_cases/two_headon/energy.csv").unwrap();
    let mut worst = 0.0_f64;
    for line in std::fs::read_to_string(path).unwrap().lines().skip(1) {
        let fields: Vec<f64> = line
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        let (time, energy) = (fields[0], fields[1]);
        run_until(&mut run, time).unwrap();
        // FloeDyn's floes meet after this time, ours just before it.
        let is_at_impact = (45.0..60.0).contains(&time);
        if !is_at_impact {
            worst = worst.max((run.world.kinetic_energy() / energy - 1.0).abs());
        }
    }
    println!("kinetic energy within {worst:.2e} of FloeDyn's");
    assert!(worst < 2e-4, "{worst}");
    // FloeDyn adds up what both floes received.
    assert!((2.0 * run.contact.normal_impulse / 777_425.454 - 1.0).abs() < 2e-3);
    assert_eq!(run.contact.impacts, 1);
}
