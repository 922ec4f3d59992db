//! Floes squeezed between bodies on given paths: crushed at a stated pressure, with all books closed.

use std::ops::ControlFlow;

use banquise::{
    BodyPath, BodySpec, ContactSettings, CrushingPressure, Domain, Forcing, Integrator, NoTimer,
    Rectangle, Simulation, Squeeze, SqueezeCause, StepError, StepReport, StepSettings, Thickness,
    Waypoint, World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, polygon, run_until};

const PRESSURE: f64 = 1e6;

fn block(width: f64, height: f64) -> BodySpec {
    let (x, y) = (0.5 * width, 0.5 * height);
    polygon(&[(-x, -y), (x, -y), (x, y), (-x, y)])
}

fn along_x(from: f64, to: f64, duration: f64) -> BodyPath {
    let waypoint = |time: f64, x: f64| Waypoint {
        time,
        position: DVec2::new(x, 0.0),
        heading: 0.0,
    };
    BodyPath::try_new(vec![waypoint(0.0, from), waypoint(duration, to)]).unwrap()
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

/// Mass, momentum and energy are what the books say.
fn check_books(run: &Simulation, before: (f64, DVec2, f64)) {
    let world = &run.world;
    let budget = world.budget;
    let (mass, momentum, energy) = budget.exchange.net();
    let floes = || world.floe_rows();
    let now: f64 = floes().map(|row| world.bodies.masses()[row]).sum();
    assert!((now - before.0 - mass).abs() < 1e-12 * before.0);
    let turnover = budget.contact.work.abs() + before.2;
    let gap = world.kinetic_energy() - before.2 - budget.work() - energy;
    assert!(
        gap.abs() < 1e-12 * turnover,
        "energy off by {gap} of {turnover}"
    );
    let normal: f64 = world
        .bodies
        .contact_loads()
        .iter()
        .map(|load| load.normal)
        .sum();
    let gap = world.momentum() - before.1 - budget.impulse() - momentum;
    assert!(gap.length() < 1e-12 * normal, "momentum off by {gap}");
}

fn books(world: &World) -> (f64, DVec2, f64) {
    let mass = world
        .floe_rows()
        .map(|row| world.bodies.masses()[row])
        .sum();
    (mass, world.momentum(), world.kinetic_energy())
}

/// The chord of a disc of 20 m that is crushed on two sides, when bodies have closed by so much.
fn chord(closed: f64) -> f64 {
    let depth = 0.5 * closed;
    2.0 * (2.0 * 20.0 * depth - depth * depth).sqrt()
}

#[test]
fn the_force_on_a_pier_is_pressure_times_chord_times_thickness() {
    for (width, integrator) in [
        (6.0, Integrator::Event),
        (100.0, Integrator::Event),
        (100.0, Integrator::Stepping),
    ] {
        let mut run = pressed_disc(width, integrator);
        let before = books(&run.world);
        let distance = run.world.bodies.areas()[0].sqrt() * 0.01;
        let mut loads = Vec::new();
        let look = &mut |world: &World, report: &StepReport| {
            loads.push((world.clock.time, world.bodies.contact_loads()[2]));
            assert_eq!(report.contact.unsolved, 0);
            assert_eq!(first_meeting(world), None);
            ControlFlow::Continue(())
        };
        assert!(
            run.advance_to(200.0, &mut NoTimer, look)
                .unwrap()
                .is_continue()
        );
        // Either side of the floe may be the one that yields, so that forces are means over ten seconds.
        for ten in loads.windows(11).filter(|ten| ten[0].0 > 60.0) {
            let ((start, first), (end, last)) = (ten[0], ten[10]);
            let force = (last.normal - first.normal) / (end - start);
            // The bodies close at 0.1 m/s; they are 2 m apart at the start, and in contact half a collision distance before they touch.
            let closed = 0.1 * 0.5 * (start + end) - 2.0 + distance;
            let expected = PRESSURE * chord(closed).min(width);
            assert!(
                (force / expected - 1.0).abs() < 0.02,
                "{integrator:?} {start}: {force} not {expected}"
            );
            let crushing = last.crushing - first.crushing;
            let pressure = crushing / (last.crushing_area - first.crushing_area);
            assert!(
                crushing == 0.0 || (pressure / PRESSURE - 1.0).abs() < 1e-9,
                "{pressure}"
            );
        }
        check_books(&run, before);
        let budget = run.world.budget;
        let density =
            before.0 / run.world.bodies.mean_thicknesses()[0] / (std::f64::consts::PI * 400.0);
        let volume = budget.exchange.crushed.mass / density;
        let lost = budget.contact.crushing_loss;
        assert!(
            (lost / (PRESSURE * volume) - 1.0).abs() < 0.02,
            "{lost} J for {volume} m³"
        );
        assert!(budget.contact.normal_loss + budget.contact.tangent_loss >= 0.0);
    }
}

/// A block of 30 m × 60 m between a body on a path, which comes at 0.5 m/s for 16 s, and an obstacle.
fn pressed_block(ship: BodySpec, start: DVec2, heading: f64, pier: BodySpec) -> World {
    let mut world = World::new(Domain::Free, 1);
    world.add(block(30.0, 60.0)).unwrap();
    let waypoint = |time: f64| Waypoint {
        time,
        position: start + 0.5 * time * DVec2::from_angle(heading),
        heading,
    };
    let path = BodyPath::try_new(vec![waypoint(0.0), waypoint(16.0)]).unwrap();
    world.add_on_path(ship, &path).unwrap();
    let mut pier = pier;
    pier.kind = banquise::BodyKind::Obstacle;
    world.add(pier).unwrap();
    world
}

/// Energy of crushing over the pressure and crushed volume \[m³\] after 16 s.
fn crush_block(world: World, integrator: Integrator, step: f64) -> [f64; 2] {
    let density = world.bodies.masses()[0] / (30.0 * 60.0 * world.bodies.mean_thicknesses()[0]);
    let crush = Squeeze::Crush(CrushingPressure::Constant(PRESSURE));
    let mut run = Simulation::new(world, Forcing::none(), settings(integrator, crush), step);
    run_until(&mut run, 16.0).unwrap();
    assert_eq!(run.contact.unsolved, 0);
    let budget = run.world.budget;
    [
        budget.contact.crushing_loss / PRESSURE,
        budget.exchange.crushed.mass / density,
    ]
}

/// A world and its name.
type Case<'a> = (&'a str, &'a dyn Fn() -> World);

#[test]
fn energy_over_pressure_is_the_volume_for_any_face_step_and_integrator() {
    let flat = || polygon(&[(-30.0, -8.0), (0.0, -8.0), (0.0, 8.0), (-30.0, 8.0)]);
    let bow = || {
        let points = [
            (-30.0, -10.0),
            (0.0, -10.0),
            (10.0, 0.0),
            (0.0, 10.0),
            (-30.0, 10.0),
        ];
        polygon(&points)
    };
    let wall = || at(block(30.0, 400.0), 30.05, 0.0);
    let round = || at(disc(5.0), 20.05, 0.0);
    let angle = 30.0_f64.to_radians();
    let start = |x: f64| DVec2::new(x, 0.0);
    let cases: [Case<'_>; 4] = [
        ("flat", &|| pressed_block(flat(), start(-16.0), 0.0, wall())),
        ("bow", &|| pressed_block(bow(), start(-26.0), 0.0, wall())),
        ("aslant", &|| {
            pressed_block(flat(), start(-20.0), angle, wall())
        }),
        ("round pier", &|| {
            pressed_block(flat(), start(-16.0), 0.0, round())
        }),
    ];
    for (name, world) in cases {
        let mut volumes = Vec::new();
        for integrator in [Integrator::Event, Integrator::Stepping] {
            for step in [1.0, 0.04] {
                let [energy, volume] = crush_block(world(), integrator, step);
                // The cut takes a hundredth or less beside the face.
                assert!(
                    (energy / volume - 1.0).abs() < 0.02,
                    "{name} {integrator:?} {step}: {energy} for {volume} m³"
                );
                volumes.push(volume);
            }
        }
        // Bodies meet up to a step earlier or later.
        let (least, largest) = volumes
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(x, y), &own| {
                (x.min(own), y.max(own))
            });
        assert!(largest / least < 1.05, "{name}: {volumes:?}");
    }
}

/// Four floes of different thickness in a row between a press and a wall.
fn row_of_four(integrator: Integrator, squeeze: Squeeze) -> Simulation {
    let domain = Domain::walls(Rectangle {
        min: DVec2::new(-100.0, -50.0),
        max: DVec2::new(50.0, 50.0),
    });
    let mut world = World::new(domain, 1);
    for (number, thickness) in [1.0, 0.5, 1.0, 1.0].into_iter().enumerate() {
        let mut floe = at(block(20.0, 18.0), 21.0 * number as f64 - 25.0, 0.0);
        floe.thickness = Thickness::Uniform(thickness);
        world.add(floe).unwrap();
    }
    let mut press = block(4.0, 60.0);
    "press".clone_into(&mut press.name);
    world
        .add_on_path(press, &along_x(-40.0, -10.0, 300.0))
        .unwrap();
    Simulation::new(world, Forcing::none(), settings(integrator, squeeze), 1.0)
}

#[test]
fn the_thinnest_floe_of_a_row_is_crushed_and_obstacles_never() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let crush = Squeeze::Crush(CrushingPressure::Constant(PRESSURE));
        let mut run = row_of_four(integrator, crush);
        let before = books(&run.world);
        run_until(&mut run, 200.0).unwrap();
        let areas = run.world.bodies.areas();
        assert!(areas[1] < 200.0, "{integrator:?}: {areas:?}");
        for thick in [0, 2, 3] {
            assert!(areas[thick] > 350.0, "{integrator:?}: {areas:?}");
        }
        assert_eq!(areas[4], 240.0);
        assert_eq!(
            run.contact.unsolved, 0,
            "{integrator:?} {:e}",
            run.contact.residual
        );
        // The force is at most that of the thinnest floe over its width, and what stops the two floes behind it within a step of 1 s: the press moves
        // at 0.1 m/s.
        let load = run.world.wall_loads[1];
        let behind: f64 = [2, 3]
            .map(|row| run.world.bodies.masses()[row])
            .iter()
            .sum();
        let largest = PRESSURE * 0.5 * 18.0 + 0.1 * behind;
        assert!(load.largest <= largest, "{} of {largest}", load.largest);
        check_books(&run, before);
    }
}

#[test]
fn rigid_floes_that_are_squeezed_stop_the_run_before_any_absurd_load() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut run = row_of_four(integrator, Squeeze::Stop);
        let error = run_until(&mut run, 200.0).unwrap_err();
        let StepError::Squeezed {
            floes,
            first,
            second,
            speed,
            cause,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((*floes, *cause), (4, SqueezeCause::Kinematic));
        let mut between = [first.as_str(), second.as_str()];
        between.sort_unstable();
        assert_eq!(between, ["\"press\"", "the east wall"]);
        assert!((speed - 0.1).abs() < 1e-12);
        assert!(error.hint().contains("crush"));
        // No floe was faster than the press, nor a load more than what stopped the floes.
        let mass: f64 = run
            .world
            .floe_rows()
            .map(|row| run.world.bodies.masses()[row])
            .sum();
        for load in run.world.bodies.contact_loads() {
            assert!(load.largest <= mass * 0.1 * 2.0, "{}", load.largest);
        }
    }
}

#[test]
fn the_pressure_of_iso_19906() {
    let iso = CrushingPressure::Iso19906 { strength: 2.8e6 };
    assert!((iso.of(1.0, 1.0) - 2.8e6).abs() < 1.0);
    // 2.8 MPa × 50^−0.16 = 1.497 MPa, and with 2^−0.3 for 2 m of ice.
    assert!((iso.of(1.0, 50.0) / 1.4974e6 - 1.0).abs() < 1e-3);
    assert!((iso.of(2.0, 100.0) / (1.4974e6 * 0.8123) - 1.0).abs() < 1e-3);
    assert!(iso.of(0.5, 0.1) > iso.of(1.0, 0.1));
}

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
fn discs_that_only_friction_could_throw_out_are_locked() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut world = World::new(Domain::Free, 1);
        for (x, y, thickness) in [(0.0, 0.0, 0.4), (30.1, 1.0, 2.0)] {
            let mut floe = at(disc(15.0), x, y);
            floe.thickness = Thickness::Uniform(thickness);
            world.add(floe).unwrap();
        }
        let ship = along_x(-37.0, -14.0, 40.0);
        world.add_on_path(block(40.0, 40.0), &ship).unwrap();
        let mut pier = at(block(30.0, 400.0), 60.2, 0.0);
        pier.kind = banquise::BodyKind::Obstacle;
        world.add(pier).unwrap();
        let settings = settings(integrator, Squeeze::Stop);
        let mut run = Simulation::new(world, Forcing::none(), settings, 0.1);
        let error = run_until(&mut run, 40.0).unwrap_err();
        assert!(matches!(error, StepError::Squeezed { .. }), "{error}");
        // The ship comes at 0.575 m/s.
        let speeds = run.world.bodies.motions().iter();
        for speed in speeds.map(|motion| motion.velocity.linear.length()) {
            assert!(speed < 2.0, "{speed}");
        }
    }
}
