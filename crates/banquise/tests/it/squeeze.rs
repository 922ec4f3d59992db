//! Floes squeezed between bodies on given paths: crushed at a stated pressure, with all books closed.

use std::f64::consts::PI;
use std::ops::ControlFlow;

use banquise::{
    BodyPath, BodySpec, ContactSettings, CrushingPressure, Domain, Forcing, Integrator, NoTimer,
    Rectangle, Simulation, Squeeze, SqueezeCause, StepError, StepReport, StepSettings, Thickness,
    Waypoint, World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, polygon, run_until, with};

pub(crate) const PRESSURE: f64 = 1e6;

pub(crate) fn block(width: f64, height: f64) -> BodySpec {
    let (x, y) = (0.5 * width, 0.5 * height);
    polygon(&[(-x, -y), (x, -y), (x, y), (-x, y)])
}

pub(crate) fn along_x(from: f64, to: f64, duration: f64) -> BodyPath {
    let waypoint = |time: f64, x: f64| Waypoint {
        time,
        position: DVec2::new(x, 0.0),
        heading: 0.0,
    };
    BodyPath::try_new(vec![waypoint(0.0, from), waypoint(duration, to)]).unwrap()
}

pub(crate) fn settings(integrator: Integrator, squeeze: Squeeze) -> StepSettings {
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
pub(crate) fn check_books(run: &Simulation, before: (f64, DVec2, f64)) {
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

pub(crate) fn books(world: &World) -> (f64, DVec2, f64) {
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
            // The bodies close at 0.1 m/s; they are 2 m apart at the start, and crush ice a twentieth of a collision distance before they touch.
            let closed = 0.1 * 0.5 * (start + end) - 2.0 + 2.0 * 0.05 * distance;
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
        let density = before.0 / run.world.bodies.mean_thicknesses()[0] / (PI * 400.0);
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
    // Its sides advance by a twentieth of its way.
    let slender = || {
        let points = [
            (-40.0, -2.5),
            (-20.0, -2.5),
            (0.0, -1.5),
            (0.0, 1.5),
            (-20.0, 2.5),
            (-40.0, 2.5),
        ];
        polygon(&points)
    };
    let cases: [Case<'_>; 5] = [
        ("slender", &|| {
            pressed_block(slender(), start(-16.0), 0.0, wall())
        }),
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
fn discs_nearly_in_line_are_locked_before_they_are_thrown_out() {
    // At 0.05 m of 20 m out of line the middle disc would leave at ninety times the closing speed.
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut world = World::new(Domain::Free, 1);
        for (x, y) in [(0.0, 0.0), (21.0, 0.05), (42.0, 0.0)] {
            let mut floe = at(disc(10.0), x, y);
            floe.material.friction = 0.0;
            world.add(floe).unwrap();
        }
        let press = along_x(-30.0, 20.0, 100.0);
        world.add_on_path(block(10.0, 100.0), &press).unwrap();
        let mut anvil = at(block(10.0, 100.0), 65.0, 0.0);
        anvil.kind = banquise::BodyKind::Obstacle;
        world.add(anvil).unwrap();
        let momentum = 3.0 * world.bodies.masses()[0] * 0.5;
        let settings = settings(integrator, Squeeze::Stop);
        let mut run = Simulation::new(world, Forcing::none(), settings, 1.0);
        let error = run_until(&mut run, 100.0).unwrap_err();
        let is_locked = matches!(
            error,
            StepError::Squeezed {
                cause: SqueezeCause::Locked,
                ..
            }
        );
        assert!(is_locked, "{error}");
        for load in run.world.bodies.contact_loads() {
            assert!(load.largest < 2.0 * momentum, "{}", load.largest);
        }
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

/// Energy of crushing over the pressure, crushed volume \[m³\], and the force of each obstacle in the last second [N].
fn crush_until(mut run: Simulation, time: f64) -> ([f64; 2], Vec<DVec2>) {
    let bodies = &run.world.bodies;
    let row = run.world.floe_rows().next().unwrap();
    let density = bodies.masses()[row] / (bodies.areas()[row] * bodies.mean_thicknesses()[row]);
    let loads = |run: &Simulation| {
        let bodies = &run.world.bodies;
        let rows = (0..bodies.len()).filter(|&row| !bodies.is_floe(row));
        rows.map(|row| bodies.contact_loads()[row].impulse)
            .collect::<Vec<_>>()
    };
    run_until(&mut run, time - 1.0).unwrap();
    let before = loads(&run);
    run_until(&mut run, time).unwrap();
    assert_eq!(run.contact.unsolved, 0);
    let forces = loads(&run)
        .iter()
        .zip(before)
        .map(|(x, y)| *x - y)
        .collect();
    let budget = run.world.budget;
    let energy = budget.contact.crushing_loss / PRESSURE;
    let volume = budget.exchange.crushed.mass / density;
    ([energy, volume], forces)
}

pub(crate) fn crushing(world: World, integrator: Integrator, step: f64) -> Simulation {
    let crush = Squeeze::Crush(CrushingPressure::Constant(PRESSURE));
    Simulation::new(world, Forcing::none(), settings(integrator, crush), step)
}

#[test]
fn bodies_that_close_from_three_sides_each_crush_along_their_own_way() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        for step in [1.0, 0.1] {
            let mut world = World::new(Domain::Free, 1);
            world.add(disc(20.0)).unwrap();
            for heading in [0.2, 0.2 + 2.0 * PI / 3.0, 0.2 + 4.0 * PI / 3.0] {
                let waypoint = |time: f64| Waypoint {
                    time,
                    position: (0.5 * time - 31.0) * DVec2::from_angle(heading),
                    heading,
                };
                let path = BodyPath::try_new(vec![waypoint(0.0), waypoint(16.0)]).unwrap();
                world.add_on_path(block(20.0, 14.0), &path).unwrap();
            }
            let run = crushing(world, integrator, step);
            let ([energy, volume], forces) = crush_until(run, 16.0);
            assert!(
                (energy / volume - 1.0).abs() < 0.02,
                "{integrator:?} {step}: {energy} for {volume} m³"
            );
            for force in forces {
                let share = force.length() / (PRESSURE * 14.0);
                assert!((share - 1.0).abs() < 0.01, "{integrator:?} {step}: {share}");
            }
        }
    }
}

#[test]
fn a_bow_bears_friction_on_its_own_sides_and_none_on_its_hull() {
    let bow = [
        (-30.0, -10.0),
        (0.0, -10.0),
        (10.0, 0.0),
        (0.0, 10.0),
        (-30.0, 10.0),
    ];
    for (integrator, friction) in [
        (Integrator::Event, 0.3),
        (Integrator::Event, 0.7),
        (Integrator::Stepping, 0.3),
    ] {
        for step in [1.0, 0.1] {
            let mut world = World::new(Domain::Free, 1);
            world.add(with(block(30.0, 60.0), friction, 0.0)).unwrap();
            let ship = with(polygon(&bow), friction, 0.0);
            world
                .add_on_path(ship, &along_x(-26.0, -6.0, 40.0))
                .unwrap();
            let mut pier = at(block(30.0, 400.0), 30.05, 0.0);
            pier.kind = banquise::BodyKind::Obstacle;
            world.add(pier).unwrap();
            // The hull is 4 m deep in the ice at the end.
            let run = crushing(world, integrator, step);
            let ([energy, volume], forces) = crush_until(run, 40.0);
            assert!(
                (energy / volume - 1.0).abs() < 0.02,
                "{integrator:?} {step}: {energy} for {volume} m³"
            );
            // p h w of the pressure, and as much times friction on sides at 45°.
            let expected = PRESSURE * 20.0 * (1.0 + friction);
            let share = -forces[0].x / expected;
            assert!((share - 1.0).abs() < 0.01, "{integrator:?} {step}: {share}");
        }
    }
}

#[test]
fn a_ship_on_a_curve_crushes_what_it_sweeps() {
    let bow = [
        (-30.0, -10.0),
        (0.0, -10.0),
        (10.0, 0.0),
        (0.0, 10.0),
        (-30.0, 10.0),
    ];
    for integrator in [Integrator::Event, Integrator::Stepping] {
        for step in [1.0, 0.1] {
            let mut world = World::new(Domain::Free, 1);
            world.add(block(100.0, 100.0)).unwrap();
            let waypoint = |number: usize| {
                let time = 1.5 * number as f64;
                let heading = 0.5 * time / 60.0;
                let on_circle = DVec2::new(heading.sin(), 1.0 - heading.cos());
                let position = DVec2::new(-60.5, 0.0) + 60.0 * on_circle;
                Waypoint {
                    time,
                    position,
                    heading,
                }
            };
            let path = BodyPath::try_new((0..=30).map(waypoint).collect()).unwrap();
            world.add_on_path(polygon(&bow), &path).unwrap();
            let mut pier = at(block(30.0, 400.0), 65.05, 0.0);
            pier.kind = banquise::BodyKind::Obstacle;
            world.add(pier).unwrap();
            let run = crushing(world, integrator, step);
            let ([energy, volume], _) = crush_until(run, 45.0);
            assert!(
                (energy / volume - 1.0).abs() < 0.02,
                "{integrator:?} {step}: {energy} for {volume} m³"
            );
        }
    }
}

/// Twelve floes of different shape and thickness in a dock, between a ship at 0.5 m/s and a quay.
fn docked_pack() -> World {
    let mut world = World::new(Domain::Free, 1);
    for number in 0..12_u32 {
        let (column, row) = (f64::from(number / 3), f64::from(number % 3));
        let (radius, sides) = (8.0 + 0.15 * f64::from(number * 5 % 12), 4 + number % 4);
        let corner = |side: u32| {
            let angle = 2.0 * PI * f64::from(side) / f64::from(sides) + f64::from(number);
            (radius * angle.cos(), radius * angle.sin())
        };
        let corners: Vec<(f64, f64)> = (0..sides).map(corner).collect();
        let mut floe = at(polygon(&corners), 20.0 * column, 20.0 * (row - 1.0));
        floe.thickness = Thickness::Uniform(0.6 + 0.07 * f64::from(number * 7 % 12));
        world.add(floe).unwrap();
    }
    let ship = block(20.0, 40.0);
    world.add_on_path(ship, &along_x(-22.0, 8.0, 60.0)).unwrap();
    let walls = [
        (block(20.0, 120.0), 81.0, 0.0),
        (block(140.0, 10.0), 30.0, 36.0),
        (block(140.0, 10.0), 30.0, -36.0),
    ];
    for (wall, x, y) in walls {
        let mut wall = at(wall, x, y);
        wall.kind = banquise::BodyKind::Obstacle;
        world.add(wall).unwrap();
    }
    world
}

#[test]
fn a_pack_between_a_ship_and_a_quay_is_crushed_at_the_pressure() {
    for (integrator, step) in [
        (Integrator::Event, 1.0),
        (Integrator::Event, 0.2),
        (Integrator::Stepping, 1.0),
        (Integrator::Stepping, 0.2),
    ] {
        let run = crushing(docked_pack(), integrator, step);
        let ([energy, volume], _) = crush_until(run, 60.0);
        assert!(volume > 10.0);
        // Chords are means over motions that are known to 5 %.
        assert!(
            (energy / volume - 1.0).abs() < 0.05,
            "{integrator:?} {step}: {energy} for {volume} m³"
        );
    }
}
