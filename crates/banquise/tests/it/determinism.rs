//! Same inputs, same bits.

use std::ops::ControlFlow;

use banquise::step::{StepScratch, step};
use banquise::units::HOUR;
use banquise::{
    Coriolis, Domain, DragSettings, Forcing, NoTimer, OceanModel, Rectangle, Simulation, SlabOcean,
    StepSettings, VectorSeries, World,
};
use banquise_geometry::{DVec2, math};

use crate::{at, disc, moving, polygon, run_until};

/// More than two chunks of floes of two shapes, with everything that sums over floes switched on.
fn field_of_floes(domain: Domain) -> Simulation {
    let mut world = World::new(domain, 1);
    for index in 0..700 {
        let phase = f64::from(index);
        let (x, y) = (f64::from(index % 28) * 400.0, f64::from(index / 28) * 400.0);
        let spec = if index % 3 == 0 {
            disc(60.0 + 10.0 * math::sin(phase))
        } else {
            polygon(&[
                (-80.0, -50.0),
                (70.0, -60.0),
                (90.0, 40.0),
                (10.0, 20.0),
                (-30.0, 90.0),
            ])
        };
        let spec = moving(
            spec,
            0.01 * math::sin(phase),
            0.01 * math::cos(phase),
            1e-5 * phase,
        );
        world.add(at(spec, x, y)).unwrap();
    }
    let slab = SlabOcean {
        model: OceanModel::Rabatel2015,
        layer_depth: 15.0,
        base_friction_velocity: 1e-5,
        cell_area: 2e8,
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
fn any_number_of_threads_gives_the_same_bits() {
    let hashes: Vec<u64> = [1, 2, 3, 8]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut run = field_of_floes(Domain::Free);
                run_until(&mut run, HOUR).unwrap();
                run.world.state_hash()
            })
        })
        .collect();
    assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
}

#[test]
fn fresh_scratch_at_every_step_changes_no_bit() {
    let mut kept = field_of_floes(Domain::Free);
    run_until(&mut kept, 100.0).unwrap();
    let mut fresh = field_of_floes(Domain::Free);
    for _ in 0..10 {
        let Simulation {
            world,
            forcing,
            settings,
            ..
        } = &mut fresh;
        step(
            world,
            forcing,
            settings,
            10.0,
            &mut StepScratch::default(),
            &mut NoTimer,
        )
        .unwrap();
    }
    assert_eq!(kept.world.state_hash(), fresh.world.state_hash());
}

#[test]
fn stopping_and_going_on_changes_no_bit() {
    let mut whole = field_of_floes(Domain::Free);
    run_until(&mut whole, 200.0).unwrap();
    let mut halves = field_of_floes(Domain::Free);
    let stop_at_half = &mut |world: &World, _: &_| {
        if world.clock.step == 7 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    assert!(
        halves
            .advance_to(200.0, &mut NoTimer, stop_at_half)
            .unwrap()
            .is_break()
    );
    let Simulation {
        world,
        forcing,
        settings,
        max_dt,
        ..
    } = halves;
    let mut resumed = Simulation::new(world, forcing, settings, max_dt);
    run_until(&mut resumed, 200.0).unwrap();
    assert_eq!(whole.world.state_hash(), resumed.world.state_hash());
}

#[test]
fn periodic_edges_only_rename_places() {
    let cell = Rectangle {
        min: DVec2::new(-200.0, -200.0),
        max: DVec2::new(11_000.0, 9_800.0),
    };
    let mut free = field_of_floes(Domain::Free);
    let mut periodic = field_of_floes(Domain::Periodic(cell));
    run_until(&mut free, 6.0 * HOUR).unwrap();
    run_until(&mut periodic, 6.0 * HOUR).unwrap();
    let wound = periodic
        .world
        .bodies
        .motions()
        .iter()
        .filter(|m| m.winding != [0, 0])
        .count();
    assert!(wound > 0, "the test wants floes that cross an edge");
    for row in 0..700 {
        let difference =
            periodic.world.unwrapped_position(row) - free.world.unwrapped_position(row);
        assert!(difference.length() < 1e-8, "row {row}: {difference}");
    }
}

#[test]
fn the_hash_sees_a_single_bit() {
    let mut run = field_of_floes(Domain::Free);
    let before = run.world.state_hash();
    let mut velocity = run.world.bodies.motions()[5].velocity;
    velocity.angular = f64::from_bits(velocity.angular.to_bits() ^ 1);
    run.world.bodies.set_velocity(5, velocity);
    assert_ne!(before, run.world.state_hash());
}
