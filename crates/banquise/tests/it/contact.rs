//! Floes that meet.

use std::ops::ControlFlow;

use banquise::StepRule;
use banquise::{
    BodyForce, BodyKind, BodySpec, Capture, Cone, ContactBudget, ContactSettings, Domain,
    DragSettings, Forcing, Integrator, Meeting, Mode, NoTimer, OnUnsolved, Push, Rectangle,
    Simulation, StepError, StepReport, StepSettings, VectorSeries, World, first_meeting,
};
use banquise_geometry::DVec2;
use banquise_solver::{Attempt, Row, Tolerance, solve_impact};

use crate::{at, disc, moving, polygon, run_until, with};

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

fn speed(simulation: &Simulation, row: usize) -> DVec2 {
    simulation.world.bodies.motions()[row].velocity.linear
}

#[test]
fn equal_floes_exchange_velocities_by_their_restitution() {
    for restitution in [0.0, 0.4, 1.0] {
        for (first, second) in [
            (square(), square()),
            (disc(10.0), disc(10.0)),
            (square(), square()),
        ] {
            let bodies = vec![
                with(first, 0.0, restitution),
                at(
                    moving(with(second, 0.0, restitution), -1.0, 0.0, 0.0),
                    100.0,
                    0.0,
                ),
            ];
            let mut simulation = run(Domain::Free, bodies);
            run_until(&mut simulation, 150.0).unwrap();
            let expected = 0.5 * (1.0 + restitution);
            assert!(
                (speed(&simulation, 0).x + expected).abs() < 1e-12,
                "{restitution}"
            );
            assert!((speed(&simulation, 1).x + 1.0 - expected).abs() < 1e-12);
            assert_eq!(first_meeting(&simulation.world), None);
            assert_eq!(simulation.contact.unsolved, 0);
        }
    }
}

#[test]
fn a_floe_bounces_off_walls_and_obstacles() {
    let walls = Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(100.0),
    });
    let bodies = vec![at(
        moving(with(square(), 0.0, 1.0), 1.0, 0.3, 0.0),
        50.0,
        50.0,
    )];
    let mut simulation = run(walls, bodies);
    run_until(&mut simulation, 1000.0).unwrap();
    assert!((simulation.world.kinetic_energy() / (0.5 * 917.0 * 400.0 * 1.09) - 1.0).abs() < 1e-12);
    assert_eq!(first_meeting(&simulation.world), None);
    let rock = BodySpec {
        kind: BodyKind::Obstacle,
        ..with(square(), 0.0, 1.0)
    };
    let bodies = vec![
        rock,
        at(moving(with(disc(5.0), 0.0, 1.0), -1.0, 0.0, 0.0), 50.0, 0.0),
    ];
    let mut simulation = run(Domain::Free, bodies);
    run_until(&mut simulation, 100.0).unwrap();
    assert!((speed(&simulation, 1).x - 1.0).abs() < 1e-12);
    assert_eq!(speed(&simulation, 0), DVec2::ZERO);
}

#[test]
fn a_box_at_rest_stays_at_rest_and_slides_down_a_steep_slope() {
    // Gravity tilted by an angle below and above that of friction.
    for (tilt, slides) in [(0.2_f64, false), (0.5, true)] {
        let ground = BodySpec {
            kind: BodyKind::Obstacle,
            ..with(
                polygon(&[(-500.0, -50.0), (500.0, -50.0), (500.0, 0.0), (-500.0, 0.0)]),
                0.3,
                0.0,
            )
        };
        let crate_ = at(with(square(), 0.3, 0.0), 0.0, 10.1);
        let mut simulation = run(Domain::Free, vec![ground, crate_]);
        let pull = 9.81 * DVec2::new(tilt.sin(), -tilt.cos());
        simulation.forcing.body_forces = vec![BodyForce::new(Push::Acceleration(pull))];
        simulation.max_dt = 0.01;
        run_until(&mut simulation, 5.0).unwrap();
        let moved = simulation.world.bodies.motions()[1].pose.position.x;
        let acceleration = (9.81 * (tilt.sin() - 0.3 * tilt.cos())).max(0.0);
        let expected = 0.5 * acceleration * 25.0;
        if slides {
            assert!((moved / expected - 1.0).abs() < 0.02, "{moved} {expected}");
        } else {
            assert!(moved.abs() < 1e-6, "{moved}");
        }
        assert_eq!(first_meeting(&simulation.world), None);
        assert!(
            simulation.world.clock.step < 2000,
            "{}",
            simulation.world.clock.step
        );
    }
}

#[test]
fn a_heap_comes_to_rest() {
    // Floes that a steady push has laid against a side of a box: there are no more collisions.
    let walls = Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(130.0),
    });
    let mut bodies = Vec::new();
    for number in 0..20_u32 {
        let (column, line) = (number % 5, number / 5);
        let x = 14.0 + 25.0 * f64::from(column) + 3.0 * f64::from(line);
        let floe = if number % 2 == 0 {
            square()
        } else {
            disc(11.0)
        };
        bodies.push(at(floe, x, 14.0 + 28.0 * f64::from(line)));
    }
    let mut simulation = run(walls, bodies);
    simulation.forcing.body_forces =
        vec![BodyForce::new(Push::Acceleration(DVec2::new(3e-4, -1e-3)))];
    run_until(&mut simulation, 1500.0).unwrap();
    let before = simulation.contact;
    run_until(&mut simulation, 2000.0).unwrap();
    let impacts = simulation.contact.impacts - before.impacts;
    let pressed = simulation.contact.pressed - before.pressed;
    assert!(impacts > 400);
    assert_eq!(pressed, impacts);
}

#[test]
fn capture_keeps_suspicious_impacts_and_changes_no_bit() {
    let run_with = |capture: Capture| {
        let walls = Domain::walls(Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(120.0),
        });
        let bodies = (0..9).map(|index| {
            let (column, row) = (f64::from(index % 3), f64::from(index / 3));
            let spec = moving(with(square(), 0.9, 0.9), 0.7 - row, column - 1.2, 0.05);
            at(spec, 20.0 + 40.0 * column, 20.0 + 40.0 * row)
        });
        let mut simulation = run(walls, bodies.collect());
        simulation.settings.contact = ContactSettings {
            mode: Mode::Simultaneous,
            cone: Cone::Literal,
            capture,
            ..ContactSettings::default()
        };
        let mut captured = Vec::new();
        let flow = simulation
            .advance_to(300.0, &mut NoTimer, &mut |_, report| {
                captured.extend(report.captured.iter().cloned());
                ControlFlow::Continue(())
            })
            .unwrap();
        assert!(flow.is_continue());
        (simulation, captured)
    };
    let (without, nothing) = run_with(Capture::Nothing);
    let (with, captured) = run_with(Capture::Suspicious);
    assert_eq!(with.world.state_hash(), without.world.state_hash());
    assert_eq!(with.contact, without.contact);
    assert!(nothing.is_empty());
    let contact = &with.contact;
    assert_eq!(
        captured.len() as u64,
        contact.reflections + contact.reductions
    );
    assert!(captured.len() > 3, "{contact:?}");
    for impact in captured {
        let mut problem = impact.before.clone();
        let report = solve_impact(&mut problem, &impact.settings);
        assert_eq!(report, impact.report);
        assert_eq!(problem.bodies, impact.after);
        assert!(impact.clock.time < 300.0);
    }
}

#[test]
fn an_unsolved_problem_stops_the_run_or_is_counted() {
    /// The relaxation alone, which is not a solution where bodies slide.
    const RELAXATION: &[Row] = &[Row {
        attempt: Attempt::Relaxation,
        contacts: [1, usize::MAX],
        limit: 200,
        tolerance: Tolerance::Rounding,
    }];
    let run_with = |on_unsolved: OnUnsolved| {
        let discs = vec![
            moving(disc(10.0), 1.0, 10.0, 0.0),
            at(moving(disc(10.0), -1.0, 0.0, 0.0), 20.1, 0.0),
        ];
        let mut simulation = run(Domain::Free, discs);
        let contact = &mut simulation.settings.contact;
        contact.on_unsolved = on_unsolved;
        contact.solver.policy.event = RELAXATION;
        let mut go_on = |_: &World, _: &StepReport| ControlFlow::Continue(());
        let result = simulation.advance_to(10.0, &mut NoTimer, &mut go_on);
        (result, simulation.contact.unsolved)
    };
    let (result, unsolved) = run_with(OnUnsolved::Continue);
    assert!(result.unwrap().is_continue());
    assert!(unsolved > 0);
    let (result, _) = run_with(OnUnsolved::Stop);
    let error = result.unwrap_err();
    let is_expected = matches!(
        error,
        StepError::Unsolved {
            count: 1,
            largest: 1,
            ..
        }
    );
    assert!(is_expected, "{error}");
    assert!(error.to_string().contains("without a solution"), "{error}");
    assert!(error.hint().contains("on_unsolved"));
}

#[test]
fn overlap_is_seen_and_touch_is_not_overlap() {
    let overlapping = run(Domain::Free, vec![square(), at(square(), 19.5, 0.0)]);
    assert_eq!(
        first_meeting(&overlapping.world),
        Some(Meeting::Bodies(0, 1))
    );
    let touching = run(Domain::Free, vec![square(), at(square(), 20.0, 0.0)]);
    assert_eq!(first_meeting(&touching.world), None);
    let walls = Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(100.0),
    });
    let outside = run(walls, vec![at(square(), 5.0, 50.0)]);
    assert_eq!(first_meeting(&outside.world), Some(Meeting::Wall(0)));
}

#[test]
fn a_periodic_pack_of_discs_keeps_momentum_and_loses_energy() {
    let cell = Domain::Periodic(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(200.0),
    });
    let mut bodies = Vec::new();
    for index in 0..36 {
        let (x, y) = (
            f64::from(index % 6) * 33.0 + 5.0,
            f64::from(index / 6) * 33.0 + 5.0,
        );
        let angle = 2.399 * f64::from(index);
        let (vy, vx) = angle.sin_cos();
        let body = if index % 2 == 0 { disc(11.0) } else { square() };
        bodies.push(at(moving(body, vx, vy, 0.01 * vx), x, y));
    }
    let mut simulation = run(cell, bodies);
    let (energy, momentum) = (
        simulation.world.kinetic_energy(),
        simulation.world.momentum(),
    );
    for _ in 0..20 {
        let end = simulation.world.clock.time + 10.0;
        run_until(&mut simulation, end).unwrap();
        assert_eq!(first_meeting(&simulation.world), None);
    }
    let scale = energy.sqrt() * simulation.world.bodies.masses()[0].sqrt();
    assert!((simulation.world.momentum() - momentum).length() < 1e-12 * scale);
    let budget = simulation.world.budget.contact;
    let lost = energy - simulation.world.kinetic_energy();
    assert!(lost > 0.5 * energy);
    assert!((lost - budget.normal_loss - budget.tangent_loss).abs() < 1e-12 * energy);
    println!("{:?}", simulation.contact);
    assert_eq!(simulation.contact.unsolved, 0);
    assert!(simulation.contact.impacts > 20);
}

#[test]
fn contact_settings_have_the_defaults_of_the_specification() {
    let settings = ContactSettings::default();
    assert_eq!(settings.slack_velocity, 0.0);
}

/// Steps for `time` [s] and looks for overlaps after every second.
fn run_and_look(simulation: &mut Simulation, seconds: u32) {
    for second in 1..=seconds {
        run_until(simulation, f64::from(second)).unwrap();
        assert_eq!(first_meeting(&simulation.world), None, "after {second} s");
    }
    assert_eq!(simulation.contact.unsolved, 0);
}

#[test]
fn a_fast_turning_floe_never_enters_a_large_disc() {
    // In the frame of the small floe the centre of the disc is far away and sweeps along fast.
    let kite = [
        (0.42, 0.03),
        (-0.16, 0.6),
        (-0.45, 0.11),
        (0.08, -0.63),
        (0.4, -0.17),
    ];
    for angle in 0..20 {
        let mut small = with(moving(polygon(&kite), 0.3, 0.8, 2.4), 1.5, 0.0);
        small.pose.rotation = small.pose.rotation.turned_by(0.3 * f64::from(angle));
        let large = with(at(disc(5.5), 0.3, 6.5), 1.5, 0.0);
        let mut simulation = run(Domain::Free, vec![small, large]);
        simulation.max_dt = 10.0;
        run_and_look(&mut simulation, 5);
    }
}

#[test]
fn a_box_in_a_turning_cup_does_not_stop_the_clock() {
    let cup = [
        (-6.0, -6.0),
        (6.0, -6.0),
        (6.0, 6.0),
        (4.0, 6.0),
        (4.0, -4.0),
        (-4.0, -4.0),
        (-4.0, 6.0),
        (-6.0, 6.0),
    ];
    let small = polygon(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]);
    for (friction, restitution) in [(0.7, 0.4), (0.0, 0.0), (1.5, 0.0)] {
        let bodies = vec![
            with(moving(polygon(&cup), 0.0, 0.0, 0.2), friction, restitution),
            with(at(small.clone(), 1.0, -2.0), friction, restitution),
        ];
        let mut simulation = run(Domain::Free, bodies);
        run_and_look(&mut simulation, 60);
    }
}

#[test]
fn bodies_that_touch_at_the_start_can_go_on() {
    let spinning = vec![
        moving(disc(10.0), 0.0, 0.0, 0.1),
        at(moving(disc(10.0), 0.0, 0.0, 0.1), 20.0, 0.0),
    ];
    run_and_look(&mut run(Domain::Free, spinning), 20);
    let row = vec![
        moving(square(), 0.1, 0.0, 0.01),
        at(square(), 20.0, 5.0),
        at(moving(square(), -0.1, 0.0, 0.0), 40.0, 10.0),
    ];
    run_and_look(&mut run(Domain::Free, row), 20);
}

/// Two squares of 50 m side by side, with nothing between them.
fn touching_squares(integrator: Integrator) -> Simulation {
    let large = || polygon(&[(0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)]);
    let mut simulation = run(Domain::Free, vec![large(), at(large(), 50.0, 0.0)]);
    simulation.settings.contact.integrator = integrator;
    simulation
}

#[test]
fn bodies_that_touch_and_do_not_move_stay_at_rest() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut simulation = touching_squares(integrator);
        let before = simulation.world.bodies.motions().to_vec();
        run_until(&mut simulation, 60.0).unwrap();
        assert_eq!(simulation.world.bodies.motions(), before, "{integrator:?}");
        assert_eq!(simulation.world.kinetic_energy(), 0.0);
        assert_eq!(simulation.world.budget.contact, ContactBudget::default());
    }
}

#[test]
fn a_push_has_an_account_of_its_own() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut simulation = touching_squares(integrator);
        simulation.forcing.body_forces.push(BodyForce {
            until: 5.0,
            ..BodyForce::new(Push::Acceleration(DVec2::new(1e-4, 0.0)))
        });
        let mut lost = 0.0;
        let mut after_step = |world: &World, _: &StepReport| {
            let contact = &world.budget.contact;
            let sum = contact.normal_loss + contact.tangent_loss;
            assert!(sum >= lost, "{integrator:?}: {sum} after {lost}");
            lost = sum;
            ControlFlow::Continue(())
        };
        let advanced = simulation.advance_to(60.0, &mut NoTimer, &mut after_step);
        assert!(advanced.unwrap().is_continue());
        let budget = &simulation.world.budget;
        assert!(budget.contact.push_gain > 0.0, "{integrator:?}");
        let energy = simulation.world.kinetic_energy();
        assert!((energy - budget.work()).abs() < 1e-12 * energy);
        assert_eq!(first_meeting(&simulation.world), None);
    }
}

/// A hundred squares of 10 m side by side, with much friction and wind, in a box with walls of this length.
fn squares_in_a_box(integrator: Integrator, side: f64) -> Simulation {
    let walls = Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(side),
    });
    let tile = || polygon(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]);
    let place = |index: i32| DVec2::new(f64::from(index % 10), f64::from(index / 10)) * 10.0;
    let tiles = (0..100).map(|i| at(with(tile(), 2.0, 0.2), place(i).x, place(i).y));
    let mut simulation = run(walls, tiles.collect());
    simulation.settings.contact.integrator = integrator;
    simulation.forcing.drag = Some(DragSettings::default());
    simulation.forcing.wind = VectorSeries::constant(DVec2::new(10.0, 0.0));
    simulation
}

#[test]
fn squares_that_touch_are_blown_about_with_much_friction() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut simulation = squares_in_a_box(integrator, 110.0);
        run_and_look(&mut simulation, 60);
        assert_eq!(simulation.contact.unsolved, 0, "{integrator:?}");
        assert_eq!(simulation.contact.budget_spent, 0, "{integrator:?}");
        // At less than half a nanosecond each: within real time.
        let operations = simulation.contact.solver.operations;
        assert!(operations < 60_000_000_000, "{operations}");
    }
}

#[test]
fn ice_that_fills_a_box_stays_at_rest_under_wind() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut simulation = squares_in_a_box(integrator, 100.0);
        let before = simulation.world.bodies.motions().to_vec();
        run_until(&mut simulation, 60.0).unwrap();
        for (motion, before) in simulation.world.bodies.motions().iter().zip(&before) {
            assert_eq!(motion.pose, before.pose, "{integrator:?}");
        }
        assert_eq!(simulation.contact.unsolved, 0, "{integrator:?}");
        let operations = simulation.contact.solver.operations;
        assert!(operations < 60_000_000_000, "{operations}");
        // Ten squares in a row hand the drag of the wind on to the wall; stress of the ice itself would be far above it.
        let walls = -simulation.world.budget.contact.impulse.x;
        let all = simulation.contact.normal_impulse;
        assert!(
            walls > 0.0 && all < 50.0 * walls,
            "{integrator:?}: {all} {walls}"
        );
    }
}

#[test]
fn an_optimistic_step_sees_every_wall() {
    let walls = Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(100.0),
    });
    let arm = polygon(&[(-1.0, -20.0), (1.0, -20.0), (1.0, 20.0), (-1.0, 20.0)]);
    let mut simulation = run(walls, vec![at(moving(arm, 0.5, -0.5, 0.3), 22.0, 23.0)]);
    simulation.settings.contact.step_rule = StepRule::Optimistic;
    simulation.max_dt = 10.0;
    run_and_look(&mut simulation, 100);
}

#[test]
fn a_large_floe_that_lies_against_a_wall_is_not_thrown_off() {
    // Its collision distance is 177 m: opening a fiftieth of it in half a second would take 7 m/s.
    let walls = Rectangle {
        min: DVec2::ZERO,
        max: DVec2::splat(100_000.0),
    };
    let side = 17_700.0;
    let floe = polygon(&[(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]);
    let mut run = run(Domain::walls(walls), vec![at(floe, 0.0, 50_000.0)]);
    run_until(&mut run, 600.0).unwrap();
    let speed = run.world.bodies.motions()[0].velocity.linear.length();
    assert!(speed <= 0.01, "{speed}");
}

#[test]
fn a_spin_without_end_is_told_with_its_body() {
    let message = |spin: f64| {
        let bodies = vec![moving(square(), 0.0, 0.0, spin), at(square(), 29.0, 0.0)];
        let mut simulation = run(Domain::Free, bodies);
        // Far on, where the clock cannot take a short step.
        simulation.world.clock.time = 1e9;
        run_until(&mut simulation, 1e9 + 10.0).unwrap_err()
    };
    // Its energy is infinite.
    let infinite = message(1e160);
    assert!(
        matches!(infinite, StepError::NonFinite { count: 1, .. }),
        "{infinite}"
    );
    // It is finite, and no step is short enough.
    let collapsed = message(1e20);
    assert!(
        matches!(collapsed, StepError::StepCollapsed { .. }),
        "{collapsed}"
    );
    let text = collapsed.to_string();
    assert!(text.contains("1.000e20 rad/s"), "{text}");
}
