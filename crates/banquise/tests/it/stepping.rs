//! Fixed steps.

use banquise::step::{StepScratch, step};
use banquise::{
    Domain, DragSettings, Force, Forcing, Integrator, NoTimer, Rectangle, Simulation, StepSettings,
    VectorSeries, World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, floe_with_bay, moving, run_until, with};

/// Floes of two shapes that fly about between walls, in a wind that drives them into a corner.
fn box_of_floes(integrator: Integrator, side: u32, wind: f64) -> Simulation {
    let walls = Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(60.0 * f64::from(side)),
    });
    let mut world = World::new(walls, 1);
    for index in 0..side * side {
        let place = DVec2::new(f64::from(index % side), f64::from(index / side));
        let position = 60.0 * place + DVec2::splat(30.0);
        let (sin, cos) = (2.4 * f64::from(index)).sin_cos();
        let shape = if index % 2 == 0 {
            disc(22.0)
        } else {
            floe_with_bay()
        };
        let spec = moving(shape, 0.3 * cos, 0.3 * sin, 0.002 * cos);
        let spec = with(spec, 0.5, 0.4);
        world.add(at(spec, position.x, position.y)).unwrap();
    }
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(wind, 0.5 * wind)),
        ..Forcing::none()
    };
    let mut settings = StepSettings::default();
    settings.contact.integrator = integrator;
    Simulation::new(world, forcing, settings, 2.0)
}

#[test]
fn a_box_of_floes_keeps_its_step_and_its_budget_and_no_floes_overlap() {
    let mut run = box_of_floes(Integrator::Stepping, 6, 8.0);
    let mut energy = run.world.kinetic_energy();
    for minute in 1..=60 {
        run_until(&mut run, 60.0 * f64::from(minute)).unwrap();
        assert_eq!(first_meeting(&run.world), None, "minute {minute}");
    }
    let budget = run.world.budget;
    energy +=
        budget.forces[Force::Wind].work + budget.forces[Force::Ocean].work + budget.contact.work;
    energy -= budget.contact.normal_loss + budget.contact.tangent_loss;
    let turnover = budget.forces[Force::Wind].work.abs() + budget.forces[Force::Ocean].work.abs();
    let gap = (run.world.kinetic_energy() - energy) / turnover;
    println!(
        "{} steps, {} impacts, largest {}, budget {gap:.1e}, residual {:.1e}",
        run.world.clock.step, run.contact.impacts, run.contact.largest, run.contact.residual
    );
    assert!(gap.abs() < 1e-12);
    assert_eq!(run.contact.unsolved, 0);
    assert!(run.contact.largest > 20);
    assert!(run.contact.residual <= 1e-9);
    assert!(run.world.clock.step - run.contact.shortened >= 1790);
}

#[test]
fn it_agrees_with_events_on_statistics() {
    let runs = [Integrator::Event, Integrator::Stepping].map(|integrator| {
        let mut run = box_of_floes(integrator, 8, 0.0);
        run_until(&mut run, 300.0).unwrap();
        let energy = run.world.kinetic_energy();
        let loss = run.world.budget.contact;
        (energy, loss.normal_loss + loss.tangent_loss)
    });
    let [(energy, loss), (other_energy, other_loss)] = runs;
    println!("energy {energy:.3e} {other_energy:.3e}, lost {loss:.3e} {other_loss:.3e}");
    assert!((other_energy / energy - 1.0).abs() < 0.15);
    assert!((other_loss / loss - 1.0).abs() < 0.1);
}

#[test]
fn neither_threads_nor_scratch_change_a_bit() {
    let kept = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut run = box_of_floes(Integrator::Stepping, 20, 8.0);
            run_until(&mut run, 60.0).unwrap();
            run.world.state_hash()
        })
    };
    let mut run = box_of_floes(Integrator::Stepping, 20, 8.0);
    for _ in 0..30 {
        let scratch = &mut StepScratch::default();
        let (forcing, settings) = (&run.forcing, &run.settings);
        step(
            &mut run.world,
            forcing,
            settings,
            2.0,
            scratch,
            &mut NoTimer,
        )
        .unwrap();
    }
    for threads in [1, 2, 3, 8] {
        assert_eq!(kept(threads), run.world.state_hash(), "{threads} threads");
    }
}

#[test]
fn a_floe_that_is_struck_rebounds_by_its_restitution() {
    let mut world = World::new(Domain::Free, 1);
    world
        .add(at(
            with(moving(disc(10.0), 0.5, 0.0, 0.0), 0.0, 0.4),
            0.0,
            0.0,
        ))
        .unwrap();
    world
        .add(at(with(disc(10.0), 0.0, 0.4), 30.0, 0.0))
        .unwrap();
    let mut settings = StepSettings::default();
    settings.contact.integrator = Integrator::Stepping;
    let mut run = Simulation::new(world, Forcing::none(), settings, 1.0);
    run_until(&mut run, 60.0).unwrap();
    let velocities = run
        .world
        .bodies
        .motions()
        .iter()
        .map(|motion| motion.velocity.linear.x);
    let velocities: Vec<f64> = velocities.collect();
    assert!((velocities[0] - 0.15).abs() < 1e-9, "{velocities:?}");
    assert!((velocities[1] - 0.35).abs() < 1e-9, "{velocities:?}");
    assert_eq!(run.world.clock.step, 60);
}
