//! Obstacles that move on a given path, and what obstacles and walls bear.

use std::ops::ControlFlow;

use banquise::{
    BodyKind, BodyPath, BodySpec, Coriolis, Domain, DragSettings, Force, Forcing, NoTimer,
    Rectangle, Simulation, StepError, StepReport, StepSettings, VectorSeries, Waypoint, World,
    first_meeting,
};
use banquise_geometry::{DVec2, Pose, Rotation};

use crate::{at, disc, moving, polygon, run_until, with};

fn path(waypoints: &[(f64, f64, f64, f64)]) -> BodyPath {
    let waypoint = |&(time, x, y, heading): &(f64, f64, f64, f64)| Waypoint {
        time,
        position: DVec2::new(x, y),
        heading,
    };
    BodyPath::try_new(waypoints.iter().map(waypoint).collect()).unwrap()
}

fn bar() -> BodySpec {
    polygon(&[(-2.0, -30.0), (2.0, -30.0), (2.0, 30.0), (-2.0, 30.0)])
}

fn walls(side: f64) -> Domain {
    Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(side),
    })
}

fn free_run(world: World, max_dt: f64) -> Simulation {
    Simulation::new(world, Forcing::none(), StepSettings::default(), max_dt)
}

#[test]
fn a_paddle_hands_its_speed_on_by_the_restitution() {
    for restitution in [0.0, 0.4, 1.0] {
        let mut world = World::new(Domain::Free, 1);
        world.add(with(disc(5.0), 0.3, restitution)).unwrap();
        let way = path(&[(0.0, -50.0, 0.0, 0.0), (1000.0, 1950.0, 0.0, 0.0)]);
        let paddle = world
            .add_on_path(with(bar(), 0.3, restitution), &way)
            .unwrap();
        assert_eq!(paddle.0, 1);
        let mut run = free_run(world, 1.0);
        run_until(&mut run, 60.0).unwrap();
        let world = &run.world;
        let mass = world.bodies.masses()[0];
        let speed = world.bodies.motions()[0].velocity.linear.x;
        let expected = 2.0 * (1.0 + restitution);
        if restitution > 0.0 {
            assert!((speed - expected).abs() < 1e-12, "{speed}");
        } else {
            // It touches the paddle for ever, and is struck again by rounding only.
            assert!((speed - expected).abs() < 1e-9, "{speed}");
        }
        let load = world.bodies.contact_loads()[1];
        assert!((load.normal / (mass * expected) - 1.0).abs() < 1e-9);
        assert!((load.impulse.x + load.normal).abs() < 1e-9 * load.normal);
        assert!((load.largest / load.normal - 1.0).abs() < 1e-9);
        let work = world.budget.contact.work;
        assert!((work / (2.0 * load.normal) - 1.0).abs() < 1e-9, "{work}");
        assert_eq!(run.contact.collisions, 1);
        assert_eq!(world.bodies.motions()[1].velocity.linear.x, 2.0);
    }
}

#[test]
fn an_obstacle_is_exactly_on_its_path_at_every_step() {
    let way = path(&[
        (3.3, 0.0, 0.0, 0.0),
        (17.1, 40.0, 10.0, 2.0),
        (17.2, 40.0, 10.2, -1.0),
        (80.0, -60.0, 70.0, 9.0),
    ]);
    let mut world = World::new(Domain::Free, 1);
    // The centre is not the origin of the frame the path is given for.
    let wedge = polygon(&[(0.0, 0.0), (30.0, 0.0), (5.0, 12.0)]);
    let centre = wedge.shape.centroid();
    world.add_on_path(wedge, &way).unwrap();
    world.add(at(disc(5.0), 1000.0, 0.0)).unwrap();
    let mut run = free_run(world, 1.0);
    let own = way.of_point(centre);
    let mut ends = Vec::new();
    let look = &mut |world: &World, report: &StepReport| {
        let motion = world.bodies.motions()[0];
        ends.push(world.clock.time - report.dt);
        let (pose, _) = own.at(world.clock.time);
        assert_eq!(motion.pose, pose, "{}", world.clock.time);
        ControlFlow::Continue(())
    };
    let flow = run.advance_to(100.0, &mut NoTimer, look).unwrap();
    assert!(flow.is_continue());
    for time in [3.3, 17.1, 17.2, 80.0] {
        let nearest = ends.iter().fold(f64::INFINITY, |near, end: &f64| {
            near.min((end - time).abs())
        });
        assert!(nearest < 1e-12, "no step ends at {time} s");
    }
    let Pose { position, rotation } = run.world.bodies.motions()[0].pose;
    let origin = position - rotation.rotate(centre);
    assert!((origin - DVec2::new(-60.0, 70.0)).length() < 1e-9);
    assert!((rotation.angle() - Rotation::from_angle(9.0).angle()).abs() < 1e-12);
}

/// Floes in a box, stirred by a bar that turns, under a wind.
fn stirred(domain: Domain) -> Simulation {
    let mut world = World::new(domain, 1);
    for index in 0..36 {
        let (column, row) = (f64::from(index % 6), f64::from(index / 6));
        let spec = if index % 2 == 0 {
            disc(8.0)
        } else {
            polygon(&[
                (-8.0, -7.0),
                (7.0, -8.0),
                (9.0, 2.0),
                (1.0, 8.0),
                (-6.0, 5.0),
            ])
        };
        let (x, y) = (20.0 + 25.0 * column, 20.0 + 22.0 * row);
        if (2.0..4.0).contains(&row) && (1.0..5.0).contains(&column) {
            continue;
        }
        world.add(at(moving(spec, 0.0, 0.1, 1e-3), x, y)).unwrap();
    }
    let turns = path(&[
        (0.0, 80.0, 80.0, 0.3),
        (200.0, 110.0, 80.0, 6.0),
        (400.0, 60.0, 70.0, -3.0),
    ]);
    let stirrer = polygon(&[(-2.0, -18.0), (2.0, -18.0), (2.0, 18.0), (-2.0, 18.0)]);
    world.add_on_path(stirrer, &turns).unwrap();
    assert_eq!(first_meeting(&world), None);
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(7.0, 3.0)),
        coriolis: Coriolis::Parameter(1.4e-4),
        ..Forcing::none()
    };
    Simulation::new(world, forcing, StepSettings::default(), 1.0)
}

#[test]
fn energy_and_momentum_close_with_an_obstacle_on_its_way() {
    let mut run = stirred(walls(180.0));
    let (energy, momentum) = (run.world.kinetic_energy(), run.world.momentum());
    run_until(&mut run, 400.0).unwrap();
    let world = &run.world;
    let budget = world.budget;
    assert!(
        budget.contact.work > 0.1 * world.kinetic_energy(),
        "{}",
        budget.contact.work
    );
    let gained = world.kinetic_energy() - energy;
    let turnover =
        budget.contact.work + budget.contact.normal_loss + budget.forces[Force::Wind].work;
    let gap = (gained - budget.work()).abs() / turnover;
    assert!(gap < 1e-12, "energy off by {gap}");
    let given = world.momentum() - momentum;
    let obstacles = (0..world.bodies.len()).filter(|&row| !world.bodies.is_floe(row));
    let obstacles = obstacles.map(|row| &world.bodies.contact_loads()[row]);
    let bearers = world.wall_loads.iter().chain(obstacles);
    let turnover: f64 = bearers.clone().map(|load| load.normal).sum();
    let gap = (given - budget.impulse()).length() / turnover;
    assert!(gap < 1e-12, "momentum off by {gap}");
    let all: DVec2 = world
        .wall_loads
        .iter()
        .chain(world.bodies.contact_loads())
        .map(|load| load.impulse)
        .sum();
    assert!(
        all.length() < 1e-12 * turnover,
        "action is not reaction: {all}"
    );
    // What walls and bar bore is what they gave, with the other sign.
    let borne: DVec2 = bearers.map(|load| load.impulse).sum();
    let gap = (borne + budget.contact.impulse).length() / turnover;
    assert!(gap < 1e-12, "loads off by {gap}");
    assert_eq!(run.contact.unsolved, 0);
}

#[test]
fn no_floe_overlaps_an_obstacle_on_its_way() {
    let periodic = Domain::Periodic(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(180.0),
    });
    for domain in [walls(180.0), periodic] {
        let mut run = stirred(domain);
        let look = &mut |world: &World, _: &StepReport| {
            assert_eq!(first_meeting(world), None, "{}", world.clock.time);
            ControlFlow::Continue(())
        };
        let flow = run.advance_to(400.0, &mut NoTimer, look).unwrap();
        assert!(flow.is_continue());
        assert!(run.contact.collisions > 10, "{}", run.contact.collisions);
        assert!(run.contact.collisions <= run.contact.contacts);
    }
}

#[test]
fn walls_bear_twice_the_momentum_of_each_bounce() {
    let mut world = World::new(walls(100.0), 1);
    world
        .add(at(
            moving(with(disc(10.0), 0.0, 1.0), 1.0, 0.0, 0.0),
            50.0,
            50.0,
        ))
        .unwrap();
    let mass = world.bodies.masses()[0];
    let mut run = free_run(world, 1.0);
    run_until(&mut run, 280.0).unwrap();
    // 40 m to the first bounce, 80 m to each next: at 40, 120, 200 and 280 s, but for the zone of contact.
    let [west, east, south, north] = run.world.wall_loads;
    assert!(
        (east.normal / (4.0 * mass) - 1.0).abs() < 1e-12,
        "{}",
        east.normal
    );
    assert!((west.normal / (4.0 * mass) - 1.0).abs() < 1e-12);
    assert_eq!(
        (east.largest, west.largest),
        (0.5 * east.normal, 0.5 * west.normal)
    );
    assert_eq!((south.normal, north.normal, east.moment), (0.0, 0.0, 0.0));
    assert_eq!(run.contact.collisions, 4);
}

#[test]
fn an_obstacle_bears_the_moment_of_a_push_off_its_centre() {
    let mut world = World::new(Domain::Free, 1);
    let rock = BodySpec {
        kind: BodyKind::Obstacle,
        ..with(bar(), 0.0, 0.0)
    };
    world.add(rock).unwrap();
    world
        .add(at(
            moving(with(disc(5.0), 0.0, 0.0), 1.0, 0.0, 0.0),
            -20.0,
            12.0,
        ))
        .unwrap();
    let mass = world.bodies.masses()[1];
    let mut run = free_run(world, 1.0);
    run_until(&mut run, 30.0).unwrap();
    let load = run.world.bodies.contact_loads()[0];
    assert!((load.impulse - DVec2::new(mass, 0.0)).length() < 1e-9 * mass);
    // r × p = −12 m · p.
    assert!((load.moment + 12.0 * mass).abs() < 1e-9 * 12.0 * mass);
    let floe = run.world.bodies.contact_loads()[1];
    assert_eq!((floe.normal, floe.impulse), (load.normal, -load.impulse));
    // The contact is in the middle of the gap, a collision distance at most from the rim of the disc.
    let squeeze = floe.virial / (5.0 * mass);
    assert!((squeeze - 1.0).abs() < 0.01, "{squeeze}");
}

#[test]
fn floes_between_two_pushes_are_under_pressure() {
    // Three discs in a row; the outer two come in at 1 m/s and stop: each gives its momentum to the middle one.
    let mut world = World::new(Domain::Free, 1);
    for (x, speed) in [(0.0, 0.0), (-30.0, 1.0), (30.0, -1.0)] {
        let floe = at(moving(with(disc(10.0), 0.0, 0.0), speed, 0.0, 0.0), x, 0.0);
        world.add(floe).unwrap();
    }
    let mass = world.bodies.masses()[0];
    let mut run = free_run(world, 0.5);
    run_until(&mut run, 60.0).unwrap();
    let [middle, left, right] = [0, 1, 2].map(|row| run.world.bodies.contact_loads()[row]);
    let near =
        |value: f64, expected: f64, tolerance: f64| (value / expected - 1.0).abs() < tolerance;
    assert!(near(middle.normal, 2.0 * mass, 1e-9), "{}", middle.normal);
    assert!(near(left.normal, mass, 1e-9) && near(right.normal, mass, 1e-9));
    // The contacts are in the middle of the gaps, less than a percent of the radius away.
    assert!(near(middle.virial, 20.0 * mass, 0.01), "{}", middle.virial);
    assert!(near(left.virial, 10.0 * mass, 0.01), "{}", left.virial);
    assert!(middle.impulse.length() < 1e-9 * mass);
}

#[test]
fn bodies_that_touch_at_the_start_have_not_met() {
    let mut world = World::new(Domain::Free, 1);
    world.add(disc(10.0)).unwrap();
    world.add(at(disc(10.0), 20.05, 0.0)).unwrap();
    let mut run = free_run(world, 1.0);
    run_until(&mut run, 10.0).unwrap();
    assert!(run.contact.contacts > 0);
    assert_eq!(run.contact.collisions, 0);
}

#[test]
fn a_floe_that_trembles_against_a_wall_has_met_it_once() {
    let mut world = World::new(walls(100.0), 1);
    world.add(at(disc(10.0), 80.0, 50.0)).unwrap();
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(10.0, 0.0)),
        ..Forcing::none()
    };
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 5.0);
    run_until(&mut run, 7200.0).unwrap();
    // The wind presses it on for the whole time: contacts without end, after a few bounces that are bounces.
    assert!(run.contact.impacts > 500, "{}", run.contact.impacts);
    assert!(
        (1..=3).contains(&run.contact.collisions),
        "{}",
        run.contact.collisions
    );
}

#[test]
fn a_floe_crushed_against_a_wall_stops_the_run() {
    let mut world = World::new(walls(100.0), 1);
    world.add(at(disc(10.0), 85.0, 50.0)).unwrap();
    let way = path(&[(0.0, 40.0, 50.0, 0.0), (60.0, 90.0, 50.0, 0.0)]);
    world.add_on_path(bar(), &way).unwrap();
    let mut run = free_run(world, 1.0);
    let error = run_until(&mut run, 60.0).unwrap_err();
    assert!(matches!(error, StepError::Squeezed { .. }), "{error}");
    assert!(run.world.clock.step < 1000, "{}", run.world.clock.step);
    assert_eq!(first_meeting(&run.world), None);
}

#[test]
fn a_path_out_of_the_cell_goes_on() {
    let cell = Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(200.0),
    };
    let mut world = World::new(Domain::Periodic(cell), 1);
    let way = path(&[(0.0, 150.0, 100.0, 0.0), (100.0, 650.0, 100.0, 0.0)]);
    world.add_on_path(disc(5.0), &way).unwrap();
    let mut run = free_run(world, 1.0);
    run_until(&mut run, 90.0).unwrap();
    assert_eq!(run.world.bodies.motions()[0].winding, [3, 0]);
    assert!((run.world.unwrapped_position(0).x - 600.0).abs() < 1e-9);
}
