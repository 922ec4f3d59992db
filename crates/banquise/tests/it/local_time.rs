//! Local time stepping against the common step.

use banquise::diagnostics::dispersion::dispersion;
use banquise::step::{StepScratch, step};
use banquise::{
    CollisionDistance, Coriolis, Domain, DragSettings, Force, Forcing, NoTimer, OceanModel,
    Rectangle, Simulation, SlabOcean, StepSettings, VectorSeries, World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, floe_with_bay, moving, run_until};

/// Two groups of floes 20 km apart, each of which falls upon itself.
fn two_clusters(local_time: bool) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    for (x, count) in [(0.0, 4), (20_000.0, 5)] {
        for index in 0..count {
            let turn = f64::from(index) / f64::from(count) * std::f64::consts::TAU;
            let (sin, cos) = turn.sin_cos();
            let spec = if index == 0 {
                floe_with_bay()
            } else {
                disc(15.0 + f64::from(index))
            };
            let speed = -0.2 - 0.03 * f64::from(index);
            let spec = moving(spec, speed * cos, speed * sin, 0.0);
            world.add(at(spec, x + 60.0 * cos, 60.0 * sin)).unwrap();
        }
    }
    let mut settings = StepSettings::default();
    settings.contact.local_time = local_time;
    settings.contact.distance = CollisionDistance::Fixed(1e-3);
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        ..Forcing::none()
    };
    Simulation::new(world, forcing, settings, 5.0)
}

#[test]
fn two_clusters_go_the_same_way_in_local_and_in_common_time() {
    let [mut local, mut common] = [true, false].map(two_clusters);
    for minute in 1..=10 {
        run_until(&mut local, 60.0 * f64::from(minute)).unwrap();
        run_until(&mut common, 60.0 * f64::from(minute)).unwrap();
        assert_eq!(first_meeting(&local.world), None);
    }
    let (steps, common_steps) = (local.world.clock.step, common.world.clock.step);
    println!(
        "{steps} and {common_steps} steps, {} and {} impacts",
        local.contact.impacts, common.contact.impacts
    );
    assert_eq!(steps, 120);
    assert!(common_steps > steps + 5);
    assert!(local.contact.impacts >= 8);
    // A floe that approaches is stopped somewhere in the last tenth of the collision distance, 0.1 mm; an impact of
    // convex bodies multiplies a difference by some ten, and a floe has one or two of them. And drag is of
    // first order in the step, which is a shorter one for all in common time. Found: 5 mm.
    let mut worst = 0.0_f64;
    for row in 0..9 {
        let [x, y] = [&local, &common].map(|run| run.world.bodies.motions()[row].pose.position);
        worst = worst.max((x - y).length());
    }
    println!("places differ by at most {worst:.1e} m");
    assert!(worst < 0.01, "{worst} m");
}

/// A pack that collides in a periodic cell, with drag and an ocean layer: more than two chunks of floes.
fn colliding_pack(side: usize) -> Simulation {
    let cell = Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(60.0 * side as f64),
    };
    let mut world = World::new(Domain::Periodic(cell), 1);
    for index in 0..side * side {
        let place = 60.0 * DVec2::new((index % side) as f64, (index / side) as f64);
        let (sin, cos) = (2.4 * index as f64).sin_cos();
        let shape = if index % 2 == 0 {
            disc(22.0)
        } else {
            floe_with_bay()
        };
        let spec = moving(shape, 0.3 * cos, 0.3 * sin, 0.002 * cos);
        world.add(at(spec, place.x + 20.0, place.y + 25.0)).unwrap();
    }
    let slab = SlabOcean {
        model: OceanModel::Rabatel2015,
        layer_depth: 15.0,
        base_friction_velocity: 1e-5,
        cell_area: cell.area(),
        grid: None,
    };
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(7.0, 3.0)),
        coriolis: Coriolis::LatitudePerFloe(1.4),
        slab_ocean: Some(slab),
        ..Forcing::none()
    };
    Simulation::new(world, forcing, StepSettings::default(), 10.0)
}

#[test]
fn any_number_of_threads_gives_the_same_bits_in_collisions() {
    let hashes = [1, 2, 3, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut run = colliding_pack(24);
            run_until(&mut run, 200.0).unwrap();
            assert!(run.contact.impacts > 500, "{}", run.contact.impacts);
            run.world.state_hash()
        })
    });
    assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
}

#[test]
fn fresh_scratch_at_every_step_changes_no_bit_in_collisions() {
    let mut kept = colliding_pack(8);
    run_until(&mut kept, 1000.0).unwrap();
    let mut fresh = colliding_pack(8);
    for _ in 0..100 {
        let Simulation {
            world,
            forcing,
            settings,
            ..
        } = &mut fresh;
        let mut scratch = StepScratch::default();
        step(world, forcing, settings, 10.0, &mut scratch, &mut NoTimer).unwrap();
    }
    assert!(kept.contact.impacts > 250, "{}", kept.contact.impacts);
    assert_eq!(kept.world.state_hash(), fresh.world.state_hash());
}

#[test]
fn budgets_close_in_local_time() {
    let mut run = colliding_pack(8);
    let (energy, momentum) = (run.world.kinetic_energy(), run.world.momentum());
    let water = run.world.ocean_velocity();
    run_until(&mut run, 1000.0).unwrap();
    let (world, budget) = (&run.world, run.world.budget);
    let contact = &budget.contact;
    let through = budget.forces[Force::Wind].work.abs()
        + budget.forces[Force::Ocean].work.abs()
        + contact.normal_loss
        + energy;
    let work = world.kinetic_energy() - energy - budget.work();
    let momentum_change = world.momentum() - momentum;
    let impulse = (momentum_change - budget.impulse()).length();
    let pushed =
        budget.forces[Force::Wind].impulse.length() + budget.forces[Force::Ocean].impulse.length();
    println!(
        "work {:.1e}, impulse {:.1e}",
        work / through,
        impulse / pushed
    );
    // Round-off of some thousand steps of floes.
    assert!(work.abs() < 1e-12 * through);
    assert!(impulse < 1e-12 * pushed);
    let cell = 480.0 * 480.0;
    let mass = 15.0 * DragSettings::default().ocean_density * cell;
    let layer = mass * (world.ocean_velocity() - water) - budget.layer.impulse();
    assert!(layer.length() < 1e-12 * pushed);
    // What the ice gave to the water, the water took from the ice.
    let exchanged = (budget.layer.ice + budget.forces[Force::Ocean].impulse).length();
    assert!(exchanged < 1e-12 * pushed, "{exchanged}");
    assert_eq!(first_meeting(world), None);
    assert_eq!(run.contact.unsolved, 0);
}

/// Of a small pack after ten minutes: energy in its own frame \[J\], energy lost in contacts \[J\], collisions, and
/// dispersion \[m\]. Velocities at the start are turned by an angle, so that runs of one pack differ.
fn statistics(local_time: bool, angle: f64) -> [f64; 4] {
    let mut run = colliding_pack(8);
    run.settings.contact.local_time = local_time;
    for row in 0..run.world.bodies.len() {
        let mut velocity = run.world.bodies.motions()[row].velocity;
        velocity.linear = DVec2::from_angle(angle).rotate(velocity.linear);
        run.world.bodies.set_velocity(row, velocity);
    }
    run_until(&mut run, 600.0).unwrap();
    let (world, bodies) = (&run.world, &run.world.bodies);
    let masses = bodies.masses();
    let mass: f64 = masses.iter().sum();
    let drift = 0.5 * world.momentum().length_squared() / mass;
    let positions: Vec<DVec2> = (0..bodies.len())
        .map(|row| world.unwrapped_position(row))
        .collect();
    let loss = world.budget.contact;
    [
        world.kinetic_energy() - drift,
        loss.normal_loss + loss.tangent_loss,
        run.contact.collisions as f64,
        dispersion(masses, &positions),
    ]
}

#[test]
fn statistics_are_the_same_in_local_and_in_common_time() {
    const RUNS: usize = 12;
    let samples = [true, false].map(|local_time| {
        let angle = |number: usize| number as f64 / RUNS as f64 * std::f64::consts::TAU;
        (0..RUNS)
            .map(|number| statistics(local_time, angle(number)))
            .collect::<Vec<_>>()
    });
    for (index, name) in ["energy", "loss", "collisions", "dispersion"]
        .into_iter()
        .enumerate()
    {
        let [(local, local_error), (common, common_error)] = samples.each_ref().map(|runs| {
            let count = RUNS as f64;
            let mean = runs.iter().map(|run| run[index]).sum::<f64>() / count;
            let squares = runs.iter().map(|run| (run[index] - mean).powi(2));
            (mean, (squares.sum::<f64>() / (count - 1.0) / count).sqrt())
        });
        let error = local_error.hypot(common_error);
        println!(
            "{name}: {local:.4e} and {common:.4e}, standard error of the difference {error:.1e}"
        );
        assert!(error < 0.1 * common, "{name}: too few runs to tell");
        assert!((local - common).abs() < 2.5 * error, "{name}");
    }
}

#[test]
fn a_floe_made_fast_by_an_impact_finds_neighbours_it_did_not_have() {
    // A heavy floe strikes a small one, which flies off faster than its box allowed for, at a third.
    let mut world = World::new(Domain::Free, 1);
    world
        .add(at(moving(disc(200.0), 1.0, 0.0, 0.0), 0.0, 0.0))
        .unwrap();
    world.add(at(disc(2.0), 203.0, 0.0)).unwrap();
    world.add(at(disc(2.0), 260.0, 0.5)).unwrap();
    let mut settings = StepSettings::default();
    settings.contact.local_time = true;
    let mut run = Simulation::new(world, Forcing::none(), settings, 100.0);
    run_until(&mut run, 100.0).unwrap();
    assert_eq!(first_meeting(&run.world), None);
    assert_eq!(run.world.clock.step, 1);
    assert!(run.contact.collisions >= 2, "{}", run.contact.collisions);
    assert!(run.world.bodies.motions()[2].velocity.linear.x > 0.5);
}
