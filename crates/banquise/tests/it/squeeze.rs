//! Floes squeezed between bodies on given paths: crushed at a stated pressure, with all books closed.

use std::ops::ControlFlow;

use banquise::{
    BodySpec, ContactSettings, CrushingPressure, Domain, Forcing, Integrator, NoTimer, Path,
    Simulation, Squeeze, StepReport, StepSettings, Waypoint, World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, polygon};

const PRESSURE: f64 = 1e6;

fn block(width: f64, height: f64) -> BodySpec {
    let (x, y) = (0.5 * width, 0.5 * height);
    polygon(&[(-x, -y), (x, -y), (x, y), (-x, y)])
}

fn along_x(from: f64, to: f64, duration: f64) -> Path {
    let waypoint = |time: f64, x: f64| Waypoint {
        time,
        position: DVec2::new(x, 0.0),
        heading: 0.0,
    };
    Path::try_new(vec![waypoint(0.0, from), waypoint(duration, to)]).unwrap()
}

fn settings(integrator: Integrator, squeeze: Squeeze) -> StepSettings {
    StepSettings {
        contact: ContactSettings {
            integrator,
            squeeze,
            ..ContactSettings::default()
        },
        ..StepSettings::default()
    }
}

/// A disc of 20 m between a wall that comes at 0.1 m/s and a pier.
fn pressed_disc(pier_width: f64, integrator: Integrator) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    world.add(disc(20.0)).unwrap();
    world
        .add_on_path(block(4.0, 200.0), &along_x(-23.0, 7.0, 300.0))
        .unwrap();
    let mut pier = at(block(20.0, pier_width), 31.0, 0.0);
    pier.kind = banquise::BodyKind::Obstacle;
    world.add(pier).unwrap();
    let crush = Squeeze::Crush(CrushingPressure::Constant(PRESSURE));
    Simulation::new(world, Forcing::none(), settings(integrator, crush), 1.0)
}

#[test]
fn the_force_on_a_pier_is_pressure_times_chord_times_thickness() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        for width in [6.0, 100.0] {
            let mut run = pressed_disc(width, integrator);
            let thickness = run.world.bodies.mean_thicknesses()[0];
            let mut last = (0.0, 0.0);
            let mut forces = Vec::new();
            let look = &mut |world: &World, report: &StepReport| {
                let load = world.bodies.contact_loads()[2];
                let force = (load.normal - last.0) / (world.clock.time - last.1);
                last = (load.normal, world.clock.time);
                forces.push((world.clock.time, force));
                assert_eq!(report.contact.unsolved, 0);
                assert_eq!(first_meeting(world), None);
                ControlFlow::Continue(())
            };
            assert!(
                run.advance_to(200.0, &mut NoTimer, look)
                    .unwrap()
                    .is_continue()
            );
            // From 1 m of crushing on; forces of five steps together, since either side of the floe may be the one that yields.
            for five in forces[30..].chunks(5) {
                let force = five.iter().map(|(_, force)| force).sum::<f64>() / five.len() as f64;
                println!("{integrator:?} {width} {} {force}", five[0].0);
            }
            let budget = run.world.budget;
            println!("{:?} {:?} {thickness}", budget.contact, budget.exchange);
        }
    }
}
