//! Bodies on paths that move together, or pass along floes.

use std::ops::ControlFlow;

use banquise::{
    BodyPath, Domain, Forcing, Integrator, NoTimer, Simulation, Squeeze, StepError, StepReport,
    Waypoint, World,
};
use banquise_geometry::DVec2;

use crate::squeeze::{PRESSURE, along_x, block, books, check_books, crushing, settings};
use crate::{at, moving, polygon, run_until, with};

#[test]
fn bodies_that_move_together_squeeze_nothing() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut world = World::new(Domain::Free, 1);
        world.add(block(20.0, 20.0)).unwrap();
        // The same velocity, but for rounding.
        for (from, to) in [(-20.1, 9.9), (20.1, 50.1)] {
            world
                .add_on_path(block(20.0, 30.0), &along_x(from, to, 60.0))
                .unwrap();
        }
        let settings = settings(integrator, Squeeze::Stop);
        let mut run = Simulation::new(world, Forcing::none(), settings, 0.5);
        run_until(&mut run, 10.0).unwrap();
        assert_eq!(run.contact.unsolved, 0);
    }
}

#[test]
fn a_floe_between_bodies_that_move_together_takes_its_momentum_and_no_more() {
    for gap in [0.1, 0.01, 0.0] {
        for integrator in [Integrator::Event, Integrator::Stepping] {
            let mut world = World::new(Domain::Free, 1);
            world.add(block(20.0, 20.0)).unwrap();
            for side in [-1.0, 1.0] {
                let start = side * (20.0 + gap);
                world
                    .add_on_path(block(20.0, 30.0), &along_x(start, start + 30.0, 60.0))
                    .unwrap();
            }
            let momentum = 0.5 * world.bodies.masses()[0];
            let settings = settings(integrator, Squeeze::Stop);
            let mut run = Simulation::new(world, Forcing::none(), settings, 0.1);
            run_until(&mut run, 5.0).unwrap();
            assert!((run.world.bodies.motions()[0].velocity.linear.x - 0.5).abs() < 1e-9);
            for load in run.world.bodies.contact_loads() {
                // With restitution 0.4 both ships are struck.
                let share = load.normal / momentum;
                assert!(share < 2.0, "{gap} {integrator:?}: {share}");
            }
        }
    }
}

#[test]
fn a_ship_that_passes_a_floe_leaves_it_alone() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut world = World::new(Domain::Free, 1);
        world.add(block(100.0, 100.0)).unwrap();
        let waypoint = |time: f64| Waypoint {
            time,
            position: DVec2::new(time - 40.0, 60.1),
            heading: 0.0,
        };
        let path = BodyPath::try_new(vec![waypoint(0.0), waypoint(120.0)]).unwrap();
        world.add_on_path(block(60.0, 20.0), &path).unwrap();
        let settings = settings(integrator, Squeeze::Stop);
        let mut run = Simulation::new(world, Forcing::none(), settings, 0.5);
        run_until(&mut run, 120.0).unwrap();
        let load = run.world.bodies.contact_loads()[1].normal;
        assert!(load == 0.0, "{integrator:?}: {load}");
    }
}

/// A bar of 20 m that leans against a hull, which slides along a quay at 0.5 m/s: turning with it, the bar would become higher than the channel.
fn bar_in_a_channel() -> World {
    let mut world = World::new(Domain::Free, 1);
    let bar = polygon(&[(1.0, -10.0), (3.0, -10.0), (1.0, 10.0), (-1.0, 10.0)]);
    world
        .add(with(moving(bar, 0.0, 0.0, -0.01), 0.5, 0.2))
        .unwrap();
    let mut quay = at(with(block(200.0, 4.0), 0.5, 0.2), 0.0, -12.02);
    quay.kind = banquise::BodyKind::Obstacle;
    world.add(quay).unwrap();
    let waypoint = |time: f64, x: f64| Waypoint {
        time,
        position: DVec2::new(x, 12.02),
        heading: 0.0,
    };
    let path = BodyPath::try_new(vec![waypoint(0.0, 0.0), waypoint(20.0, 10.0)]).unwrap();
    let hull = with(block(200.0, 4.0), 0.5, 0.2);
    world.add_on_path(hull, &path).unwrap();
    world
}

#[test]
fn a_bar_that_friction_locks_between_passing_bodies_is_squeezed() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let settings = settings(integrator, Squeeze::Stop);
        let mut run = Simulation::new(bar_in_a_channel(), Forcing::none(), settings, 0.1);
        let error = run_until(&mut run, 20.0).unwrap_err();
        assert!(matches!(error, StepError::Squeezed { .. }), "{error}");
        let mut run = crushing(bar_in_a_channel(), integrator, 0.1);
        let before = books(&run.world);
        let mut normal = 0.0;
        let look = &mut |world: &World, report: &StepReport| {
            // Its ends are 2 m wide, and 1 m thick.
            let now = world.bodies.contact_loads()[1].normal;
            assert!(
                now - normal <= PRESSURE * 2.0 * report.dt,
                "{}",
                now - normal
            );
            normal = now;
            ControlFlow::Continue(())
        };
        let end = run.advance_to(20.0, &mut NoTimer, look).unwrap();
        assert!(end.is_continue());
        assert_eq!(run.contact.unsolved, 0);
        check_books(&run, before);
        // It locks until it has turned past the direction across the channel: 0.1 rad.
        assert!(run.world.budget.contact.crushing_loss > 0.0);
        assert!(run.world.bodies.motions()[0].pose.rotation.angle() < -0.1);
    }
}
