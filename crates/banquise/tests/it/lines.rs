//! Springs, dampers and mooring lines, and given forces in time and place: closed forms, budgets, stability, breaking.

use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;

use banquise::{
    BodyForce, BodyId, ContactSettings, Domain, DragSettings, ExternalLoad, Force, ForceGradient,
    ForceProfile, Forcing, Integrator, Line, LineEnd, NoTimer, Push, Rectangle, RunState,
    Simulation, StepError, StepSettings, VectorSeries, World,
};
use banquise_geometry::DVec2;

use super::{at, disc, moving, polygon};

fn line(ends: [LineEnd; 2], stiffness: f64, rest_length: f64) -> Line {
    Line {
        name: String::new(),
        ends,
        stiffness,
        damping: 0.0,
        rest_length,
        pushes: false,
        breaking_load: f64::INFINITY,
        broken_at: None,
        tension: 0.0,
    }
}

fn on(id: u32, x: f64, y: f64) -> LineEnd {
    LineEnd::Body {
        id: BodyId(id),
        arm: DVec2::new(x, y),
    }
}

fn simulation(world: World, dt: f64) -> Simulation {
    Simulation::new(world, Forcing::none(), StepSettings::default(), dt)
}

fn run(simulation: &mut Simulation, time: f64) -> Result<(), StepError> {
    let mut go_on = |_: &World, _: &banquise::StepReport| ControlFlow::Continue(());
    let flow = simulation.advance_to(time, &mut NoTimer, &mut go_on)?;
    assert!(flow.is_continue());
    Ok(())
}

fn position(simulation: &Simulation) -> DVec2 {
    simulation.world.bodies.motions()[0].pose.position
}

/// A disc on a spring to the origin, stretched by 1 m.
fn oscillator(damping_ratio: f64, frequency: f64) -> World {
    let mut world = World::new(Domain::Free, 1);
    world.add(at(disc(10.0), 101.0, 0.0)).unwrap();
    let mass = world.bodies.masses()[0];
    world.lines.push(Line {
        damping: 2.0 * damping_ratio * mass * frequency,
        pushes: true,
        ..line(
            [LineEnd::Point(DVec2::ZERO), on(0, 0.0, 0.0)],
            mass * frequency * frequency,
            100.0,
        )
    });
    world
}

#[test]
fn a_spring_mass_and_damper_follow_their_closed_form() {
    let frequency = 0.5;
    for ratio in [0.0, 0.1, 0.5, 1.0, 2.0] {
        let dt = 0.002;
        let mut simulation = simulation(oscillator(ratio, frequency), dt);
        for k in 1..=20 {
            let time = 2.0 * f64::from(k);
            run(&mut simulation, time).unwrap();
            let x = position(&simulation).x - 100.0;
            let expected = displacement(ratio, frequency, time);
            // First order in the step: ω Δt = 1e-3.
            assert!(
                (x - expected).abs() < 1.5e-3,
                "{ratio} {time}: {x} {expected}"
            );
        }
    }
}

/// x(t) with x(0) = 1 and ẋ(0) = 0.
fn displacement(ratio: f64, frequency: f64, time: f64) -> f64 {
    let decay = ratio * frequency;
    if ratio < 1.0 {
        let damped = frequency * (1.0 - ratio * ratio).sqrt();
        let (sin, cos) = (damped * time).sin_cos();
        (-decay * time).exp() * (cos + decay / damped * sin)
    } else if ratio == 1.0 {
        (-decay * time).exp() * (1.0 + decay * time)
    } else {
        let root = frequency * (ratio * ratio - 1.0).sqrt();
        let (slow, fast) = (root - decay, -root - decay);
        (fast * (slow * time).exp() - slow * (fast * time).exp()) / (fast - slow)
    }
}

#[test]
fn an_undamped_spring_keeps_its_energy_for_a_thousand_periods() {
    let mut simulation = simulation(oscillator(0.0, 0.5), 0.5);
    let total = |simulation: &Simulation| {
        simulation.world.kinetic_energy() + simulation.world.line_energy()
    };
    let start = total(&simulation);
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for k in 1..=3000 {
        run(&mut simulation, 4.19 * f64::from(k)).unwrap();
        let now = total(&simulation) / start;
        (least, most) = (least.min(now), most.max(now));
    }
    // It swings by ω Δt / 2 = 1/8 about a mean that stays.
    assert!(least > 0.85 && most < 1.2, "{least} {most}");
}

#[test]
fn a_disc_on_a_slack_line_is_free_then_held_then_thrown_back() {
    let mut world = World::new(Domain::Free, 1);
    world
        .add(moving(at(disc(10.0), 20.0, 0.0), 0.5, 0.0, 0.0))
        .unwrap();
    let mass = world.bodies.masses()[0];
    let frequency = 0.2;
    let stiffness = mass * frequency * frequency;
    world.lines.push(line(
        [LineEnd::Point(DVec2::ZERO), on(0, 0.0, 0.0)],
        stiffness,
        50.0,
    ));
    let mut simulation = simulation(world, 0.005);
    // 30 m of slack at 0.5 m/s.
    run(&mut simulation, 60.0).unwrap();
    assert_eq!(simulation.world.lines[0].tension, 0.0);
    assert!((position(&simulation).x - 50.0).abs() < 1e-9);
    // A quarter of a period: the largest tension v √(k m).
    run(&mut simulation, 60.0 + 0.5 * PI / frequency).unwrap();
    let tension = simulation.world.lines[0].tension;
    let expected = 0.5 * (stiffness * mass).sqrt();
    assert!(
        (tension / expected - 1.0).abs() < 2e-3,
        "{tension} {expected}"
    );
    // Half of one, and it leaves as fast as it came, and is back after as long as it took.
    run(&mut simulation, 120.0 + PI / frequency).unwrap();
    let velocity = simulation.world.bodies.motions()[0].velocity.linear;
    assert!((velocity.x + 0.5).abs() < 1e-3, "{velocity}");
    assert!((position(&simulation).x - 20.0).abs() < 0.05);
    assert_eq!(simulation.world.lines[0].tension, 0.0);
}

/// A disc that runs into its mooring, which breaks at a share of the largest tension.
fn breaking(share: f64) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(10.0), 0.5, 0.0, 0.0)).unwrap();
    let mass = world.bodies.masses()[0];
    let stiffness = mass * 0.04;
    world.lines.push(Line {
        breaking_load: share * 0.5 * (stiffness * mass).sqrt(),
        ..line(
            [LineEnd::Point(DVec2::ZERO), on(0, 0.0, 0.0)],
            stiffness,
            5.0,
        )
    });
    simulation(world, 0.005)
}

#[test]
fn a_line_that_breaks_has_taken_its_energy_and_stays_broken() {
    let mut simulation = breaking(0.6);
    run(&mut simulation, 60.0).unwrap();
    assert!(!simulation.world.lines[0].is_intact());
    let speed = simulation.world.bodies.motions()[0].velocity.linear.x;
    // ½ m v² − T²/2k: v √(1 − 0.36).
    assert!((speed - 0.4).abs() < 1e-3, "{speed}");
    let mut holds = breaking(1.01);
    run(&mut holds, 60.0).unwrap();
    assert!(holds.world.lines[0].is_intact());
}

#[test]
fn a_broken_line_is_in_the_state_and_comes_back() {
    let mut whole = breaking(0.6);
    let mut first = breaking(0.6);
    for time in [12.0, 40.0] {
        // A stop shortens a step: the whole run has the same ones.
        run(&mut whole, time).unwrap();
        run(&mut first, time).unwrap();
        let state = RunState::from_bytes(&first.state_bytes()).unwrap();
        assert_eq!(state.world.state_hash(), first.world.state_hash());
        first = Simulation::resumed(state, Forcing::none(), StepSettings::default(), 0.005);
    }
    run(&mut whole, 60.0).unwrap();
    run(&mut first, 60.0).unwrap();
    assert!(!whole.world.lines[0].is_intact());
    assert_eq!(first.world.state_hash(), whole.world.state_hash());
}

/// Three floes tied to each other and to a point, which also collide.
fn tied(settings: &StepSettings) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(10.0), 0.4, 0.1, 0.01)).unwrap();
    let square = polygon(&[(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)]);
    world
        .add(moving(at(square, 24.0, 3.0), -0.3, 0.0, -0.02))
        .unwrap();
    world
        .add(moving(at(disc(6.0), 0.0, 30.0), 0.0, -0.5, 0.0))
        .unwrap();
    let mass = world.bodies.masses()[0];
    for (ends, length) in [
        ([on(0, 3.0, 4.0), on(1, -8.0, 0.0)], 10.0),
        ([on(1, 8.0, 8.0), on(2, 0.0, 6.0)], 20.0),
        (
            [LineEnd::Point(DVec2::new(0.0, 60.0)), on(2, 0.0, 0.0)],
            25.0,
        ),
    ] {
        world.lines.push(Line {
            damping: 0.02 * mass,
            ..line(ends, 0.05 * mass, length)
        });
    }
    Simulation::new(world, Forcing::none(), *settings, 0.2)
}

#[test]
fn budgets_of_tied_floes_close_with_every_integrator() {
    for (integrator, local_time) in [
        (Integrator::Event, true),
        (Integrator::Event, false),
        (Integrator::Stepping, false),
    ] {
        let settings = StepSettings {
            contact: ContactSettings {
                integrator,
                local_time,
                ..ContactSettings::default()
            },
            ..StepSettings::default()
        };
        let mut simulation = tied(&settings);
        let (energy, momentum) = (
            simulation.world.kinetic_energy(),
            simulation.world.momentum(),
        );
        run(&mut simulation, 300.0).unwrap();
        let world = &simulation.world;
        assert!(simulation.contact.collisions > 2);
        let budget = &world.budget;
        assert!(budget.forces[Force::Line].work.abs() > 0.01 * energy);
        let left = world.kinetic_energy() - energy - budget.work();
        assert!(left.abs() < 1e-10 * energy, "{integrator:?} {left}");
        let left = world.momentum() - momentum - budget.impulse();
        assert!(left.length() < 1e-10 * momentum.length(), "{left}");
    }
}

#[test]
fn lines_between_floes_keep_momentum() {
    let mut simulation = tied(&StepSettings::default());
    simulation.world.lines.pop();
    let momentum = simulation.world.momentum();
    run(&mut simulation, 100.0).unwrap();
    let change = (simulation.world.momentum() - momentum).length();
    assert!(change < 1e-12 * momentum.length(), "{change}");
}

#[test]
fn a_moored_floe_comes_to_rest_where_line_and_wind_cancel() {
    // At rest the momentum is nothing, and what is left of the two forces their rounding: checks of debug builds must measure it by the forces.
    let mut world = World::new(Domain::Free, 1);
    world.add(at(disc(300.0), 0.0, 0.0)).unwrap();
    let mass = world.bodies.masses()[0];
    for anchor in [DVec2::new(-400.0, 431.0), DVec2::new(-390.0, -497.0)] {
        world.lines.push(Line {
            damping: mass,
            pushes: true,
            ..line(
                [LineEnd::Point(anchor), on(0, 0.0, 0.0)],
                mass,
                anchor.length(),
            )
        });
    }
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(DVec2::new(30.0, 1.0)),
        ..Forcing::none()
    };
    let mut moored = Simulation::new(world, forcing, StepSettings::default(), 0.5);
    run(&mut moored, 400.0).unwrap();
    let velocity = moored.world.bodies.motions()[0].velocity.linear;
    assert!(velocity.length() < 1e-12, "{velocity}");
    assert!(moored.world.lines[0].tension > 1e3);
}

#[test]
fn the_bound_of_the_step_is_sharp_for_one_spring_and_refused_beyond() {
    for ratio in [0.0, 0.3, 1.5] {
        let limit = oscillator(ratio, 0.5).stable_line_step(0.0).0;
        let mut stable = simulation(oscillator(ratio, 0.5), 0.98 * limit);
        run(&mut stable, 2000.0 * limit).unwrap();
        assert!((position(&stable).x - 100.0).abs() < 20.0);
        let mut unstable = simulation(oscillator(ratio, 0.5), 1.02 * limit);
        let error = run(&mut unstable, 100.0 * limit).unwrap_err();
        assert!(matches!(error, StepError::LineUnstable { .. }), "{error}");
        assert_eq!(stable.stable_step(1e3), limit);
    }
}

#[test]
fn a_mooring_follows_the_piece_it_is_fastened_to() {
    let mut world = World::new(Domain::Free, 1);
    let square = polygon(&[(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)]);
    let id = world.add(square).unwrap();
    world.lines.push(line(
        [LineEnd::Point(DVec2::new(30.0, 0.0)), on(0, 8.0, 2.0)],
        1e4,
        10.0,
    ));
    let half = |x: f64| {
        at(
            polygon(&[(-5.0, -10.0), (5.0, -10.0), (5.0, 10.0), (-5.0, 10.0)]),
            x,
            0.0,
        )
    };
    let pieces = world.replace(id, vec![half(-5.0), half(5.0)]).unwrap();
    let LineEnd::Body { id, arm } = world.lines[0].ends[1] else {
        panic!("{:?}", world.lines)
    };
    assert_eq!(id, pieces[1]);
    assert!((arm - DVec2::new(3.0, 2.0)).length() < 1e-12, "{arm}");
    world.remove(pieces[1]).unwrap();
    assert!(!world.lines[0].is_intact());
}

#[test]
fn a_tow_by_a_moving_body_pulls_the_floe_along() {
    let mut world = World::new(Domain::Free, 1);
    world.add(disc(10.0)).unwrap();
    let waypoint = |time: f64, x: f64| banquise::Waypoint {
        time,
        position: DVec2::new(x, 0.0),
        heading: 0.0,
    };
    let way = vec![waypoint(0.0, 60.0), waypoint(1000.0, 560.0)];
    let path = banquise::BodyPath::try_new(way).unwrap();
    let tug = world.add_on_path(disc(5.0), &path).unwrap();
    let mass = world.bodies.masses()[0];
    world.lines.push(Line {
        damping: 0.2 * mass,
        ..line([on(0, 0.0, 0.0), on(tug.0, 0.0, 0.0)], 0.04 * mass, 50.0)
    });
    let drag = DragSettings {
        linear_drag_velocity: Some(0.02),
        ..DragSettings::default()
    };
    let forcing = Forcing {
        drag: Some(drag),
        ..Forcing::none()
    };
    let mut simulation = Simulation::new(world, forcing, StepSettings::default(), 0.5);
    run(&mut simulation, 900.0).unwrap();
    let velocity = simulation.world.bodies.motions()[0].velocity.linear;
    assert!((velocity.x - 0.5).abs() < 1e-6, "{velocity}");
    // The tension is the drag of the water, ρₒ κ A V.
    let tension = simulation.world.lines[0].tension;
    let expected = 1024.071 * 0.02 * PI * 100.0 * 0.5;
    assert!(
        (tension / expected - 1.0).abs() < 1e-6,
        "{tension} {expected}"
    );
}

fn force(push: DVec2) -> BodyForce {
    BodyForce::new(Push::Force(push))
}

fn driven(force: BodyForce, dt: f64) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    world.add(disc(10.0)).unwrap();
    let forcing = Forcing {
        body_forces: vec![force],
        ..Forcing::none()
    };
    Simulation::new(world, forcing, StepSettings::default(), dt)
}

#[test]
fn a_sinusoidal_force_gives_the_velocity_of_its_integral() {
    let period = 30.0;
    let mut simulation = driven(
        BodyForce {
            profile: ForceProfile::Sinusoid { period, phase: 0.4 },
            ..force(DVec2::new(1e4, -2e3))
        },
        0.01,
    );
    run(&mut simulation, 47.0).unwrap();
    let mass = simulation.world.bodies.masses()[0];
    let integral = period / TAU * (0.4_f64.cos() - (TAU * 47.0 / period + 0.4).cos());
    let expected = integral / mass * DVec2::new(1e4, -2e3);
    let velocity = simulation.world.bodies.motions()[0].velocity.linear;
    // Midpoint rule: (ω Δt)²/24.
    assert!((velocity - expected).length() < 1e-6 * expected.length());
}

#[test]
fn a_series_of_forces_gives_its_impulse() {
    // There and back: the vector goes through zero, and does not turn.
    let samples = vec![
        (0.0, DVec2::ZERO),
        (10.0, DVec2::new(4e4, 0.0)),
        (20.0, DVec2::new(-1e4, 0.0)),
    ];
    let mut simulation = driven(
        BodyForce {
            profile: ForceProfile::Series(samples),
            ..force(DVec2::ZERO)
        },
        0.1,
    );
    run(&mut simulation, 40.0).unwrap();
    let impulse = simulation.world.momentum();
    assert!(
        (impulse - DVec2::new(3.5e5, 0.0)).length() < 1e-3,
        "{impulse}"
    );
    let booked = simulation.world.budget.forces[Force::BodyForce].impulse;
    assert!((booked - impulse).length() < 1e-6);
}

#[test]
fn a_force_toward_a_point_is_a_spring_that_keeps_its_energy() {
    let mut world = World::new(Domain::Free, 1);
    world.add(at(disc(10.0), 3.0, 0.0)).unwrap();
    let pull = BodyForce {
        gradient: Some(ForceGradient {
            center: DVec2::ZERO,
            rows: [DVec2::new(-0.04, 0.0), DVec2::new(0.0, -0.04)],
        }),
        ..BodyForce::new(Push::Acceleration(DVec2::ZERO))
    };
    let forcing = Forcing {
        body_forces: vec![pull],
        ..Forcing::none()
    };
    let mut simulation = Simulation::new(world, forcing, StepSettings::default(), 0.01);
    assert!((simulation.stable_step(1.0) - 2.0 / (0.04 * 2.0_f64.sqrt()).sqrt()).abs() < 1e-12);
    // Ten periods of 2π/0.2 s.
    run(&mut simulation, 10.0 * TAU / 0.2).unwrap();
    let place = position(&simulation);
    assert!((place - DVec2::new(3.0, 0.0)).length() < 0.01, "{place}");
}

#[test]
fn a_force_within_an_area_acts_there_alone() {
    let within = |x: f64| {
        Some(Rectangle {
            min: DVec2::new(x, -1.0),
            max: DVec2::new(x + 2.0, 1.0),
        })
    };
    for (x, moves) in [(-1.0, true), (5.0, false)] {
        let own = BodyForce {
            within: within(x),
            ..force(DVec2::new(0.0, 1e3))
        };
        let mut simulation = driven(own, 0.1);
        run(&mut simulation, 1.0).unwrap();
        assert_eq!(simulation.world.momentum().y > 0.0, moves);
    }
}

#[test]
fn loads_from_outside_push_and_turn_and_are_booked() {
    let mut simulation = driven(force(DVec2::ZERO), 0.5);
    simulation.forcing.external_loads = vec![ExternalLoad {
        force: DVec2::new(2e3, 0.0),
        torque: 5e3,
    }];
    run(&mut simulation, 10.0).unwrap();
    assert!((simulation.world.momentum().x - 2e4).abs() < 1e-6);
    let spin = simulation.world.bodies.motions()[0].velocity.angular;
    let inertia = simulation.world.bodies.inertias()[0];
    assert!((spin * inertia - 5e4).abs() < 1e-6);
    let left = simulation.world.kinetic_energy() - simulation.world.budget.work();
    assert!(left.abs() < 1e-10 * simulation.world.kinetic_energy());
}
