//! Bodies on paths that close on no floe: those that move together, and one that passes.

use banquise::{BodyPath, Domain, Forcing, Integrator, Simulation, Squeeze, Waypoint, World};
use banquise_geometry::DVec2;

use crate::run_until;
use crate::squeeze::{along_x, block, settings};

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
