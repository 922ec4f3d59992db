//! A hundred real outlines that collide.

use banquise::{
    BodyForce, BodyKind, BodySpec, Domain, Forcing, Material, Push, Rectangle, Simulation,
    StepSettings, Thickness, Velocity, World, first_meeting,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};
use serde_json::Value;

use crate::{run_until, shared_data};

/// The hundred floes of FloeDyn's example, where the data is there.
fn hundred_floes(material: Material) -> Option<Vec<BodySpec>> {
    let Some(path) = shared_data("floedyn_cases/ex100_topaz/initial.json") else {
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
            velocity: Velocity::REST,
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
        let Some(floes) = hundred_floes(material) else {
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

/// The hundred floes in a closed box, shaken by an acceleration that changes direction.
fn shaken_box(floes: Vec<BodySpec>) -> Simulation {
    let half = 470.0;
    let walls = Domain::Walls(Rectangle {
        min: DVec2::splat(-half),
        max: DVec2::splat(half),
    });
    let mut world = World::new(walls, 1);
    for floe in floes {
        world.add(floe).unwrap();
    }
    let pushes = (0..2000).map(|index| {
        let (sin, cos) = (2.4 * f64::from(index)).sin_cos();
        BodyForce {
            push: Push::Acceleration(0.02 * DVec2::new(cos, sin)),
            from: 20.0 * f64::from(index),
            until: 20.0 * f64::from(index + 1),
            bodies: Vec::new(),
        }
    });
    let forcing = Forcing {
        body_forces: pushes.collect(),
        ..Forcing::none()
    };
    Simulation::new(world, forcing, StepSettings::default(), 1.0)
}

#[test]
fn shaken_floes_never_overlap() {
    let Some(floes) = hundred_floes(Material::default()) else {
        return;
    };
    let mut run = shaken_box(floes);
    let start = std::time::Instant::now();
    let mut dts = Vec::new();
    let mut last = 0;
    while run.contact.impact_contacts < 100_000 {
        let end = run.world.clock.time + 20.0;
        run_until(&mut run, end).unwrap();
        assert_eq!(first_meeting(&run.world), None);
        dts.push(run.world.clock.step - last);
        last = run.world.clock.step;
    }
    let budget = run.world.budget;
    let turnover =
        budget.body_force.work.abs() + budget.contact.normal_loss + budget.contact.tangent_loss;
    let gap = (run.world.kinetic_energy() - budget.work()).abs() / turnover;
    println!(
        "{:?} t {} steps {} wall {:?} gap {gap:e} steps per window {:?}",
        run.contact,
        run.world.clock.time,
        run.world.clock.step,
        start.elapsed(),
        &dts[..dts.len().min(60)]
    );
}
