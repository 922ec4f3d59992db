//! Without a contact law a run stops where bodies meet.

use banquise::{
    BodyKind, BodySpec, Domain, Forcing, Meeting, Rectangle, Simulation, StepError, StepSettings,
    World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, moving, polygon, run_until};

fn run(domain: Domain, bodies: Vec<BodySpec>) -> Simulation {
    let mut world = World::new(domain, 1);
    for body in bodies {
        world.add(body).unwrap();
    }
    Simulation::new(world, Forcing::none(), StepSettings::default(), 1.0)
}

fn square() -> BodySpec {
    polygon(&[(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)])
}

fn touching_time(mut run: Simulation) -> f64 {
    match run_until(&mut run, 1000.0) {
        Err(StepError::Touching { time, .. } | StepError::AtWall { time, .. }) => time,
        other => panic!("expected a touch, got {other:?}"),
    }
}

#[test]
fn a_disc_stops_at_a_polygon_a_polygon_and_another_disc() {
    let target = [square(), disc(10.0)];
    for target in target {
        for striker in [square(), disc(10.0)] {
            let bodies = vec![
                target.clone(),
                at(moving(striker, -1.0, 0.0, 0.0), 100.5, 0.0),
            ];
            // 80.5 m apart at 1 m/s.
            assert_eq!(touching_time(run(Domain::Free, bodies)), 80.0);
        }
    }
}

#[test]
fn circles_that_overlap_are_not_yet_a_touch() {
    let bodies = vec![square(), at(square(), 20.5, 0.0)];
    assert_eq!(first_meeting(&run(Domain::Free, bodies).world), None);
    let bodies = vec![square(), at(square(), 19.5, 0.0)];
    assert_eq!(
        first_meeting(&run(Domain::Free, bodies).world),
        Some(Meeting::Bodies(0, 1))
    );
}

#[test]
fn a_floe_meets_its_neighbour_across_a_periodic_edge() {
    let cell = Domain::Periodic(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(200.0),
    });
    let bodies = vec![
        at(square(), 20.0, 5.0),
        at(moving(disc(10.0), 1.0, 0.0, 0.0), 120.5, 195.0),
    ];
    // 20 + 200 − 120.5 − 20 = 79.5 m apart through the edge, and 10 m across the other one.
    let time = touching_time(run(cell, bodies));
    assert!((79.0..=80.0).contains(&time), "{time}");
}

#[test]
fn a_wall_stops_the_run_and_an_obstacle_may_stand_in_it() {
    let walls = Domain::Walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(100.0),
    });
    let post = BodySpec {
        kind: BodyKind::Obstacle,
        ..at(disc(5.0), 0.0, 0.0)
    };
    let bodies = vec![post, at(moving(square(), 1.0, 0.0, 0.0), 50.0, 50.5)];
    assert_eq!(touching_time(run(walls, bodies)), 39.0);
}

#[test]
fn obstacles_never_move() {
    let rock = BodySpec {
        kind: BodyKind::Obstacle,
        ..moving(square(), 1.0, 1.0, 1.0)
    };
    let mut simulation = run(Domain::Free, vec![rock, at(square(), 500.0, 0.0)]);
    let before = simulation.world.bodies.motions()[0];
    run_until(&mut simulation, 100.0).unwrap();
    assert_eq!(simulation.world.bodies.motions()[0], before);
    assert_eq!(before.velocity.linear, DVec2::ZERO);
    assert_eq!(simulation.world.bodies.masses()[0], f64::INFINITY);
}
