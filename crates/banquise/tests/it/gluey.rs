//! Contact laws other than Coulomb's: inelastic, gluey and rough.

use banquise::{
    BodyForce, BodyKind, BodyPath, BodySpec, ContactLaw, Domain, Forcing, Integrator,
    LubricationForce, Push, Rectangle, Roughness, RunState, Simulation, SolidContact, Spin,
    StepSettings, World, first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, disc, floe_with_bay, moving, polygon, run_until, with};

/// A simulation in fixed steps with a contact law.
fn simulation(
    domain: Domain,
    bodies: Vec<BodySpec>,
    forces: Vec<BodyForce>,
    law: ContactLaw,
    dt: f64,
) -> Simulation {
    let mut world = World::new(domain, 1);
    for body in bodies {
        world.add(body).unwrap();
    }
    let forcing = Forcing {
        body_forces: forces,
        ..Forcing::none()
    };
    let mut settings = StepSettings::default();
    settings.contact.integrator = Integrator::Stepping;
    settings.contact.law = law;
    Simulation::new(world, forcing, settings, dt)
}

fn acceleration(y: f64, from: f64, until: f64) -> BodyForce {
    BodyForce {
        from,
        until,
        ..BodyForce::new(Push::Acceleration(DVec2::new(0.0, y)))
    }
}

fn walls(width: f64, height: f64) -> Domain {
    Domain::walls(Rectangle {
        min: DVec2::ZERO,
        max: DVec2::new(width, height),
    })
}

/// A disc of 1 kg half a metre above the ground.
fn above_ground(forces: Vec<BodyForce>, law: ContactLaw, dt: f64) -> Simulation {
    let disc = BodySpec {
        mass: Some(1.0),
        ..disc(0.25)
    };
    simulation(
        walls(20.0, 1e4),
        vec![at(disc, 10.0, 0.75)],
        forces,
        law,
        dt,
    )
}

/// Pushed down for two seconds, then pulled up.
fn push_pull(law: ContactLaw, dt: f64) -> Simulation {
    let forces = vec![
        acceleration(-1.0, 0.0, 2.0),
        acceleration(1.0, 2.0, f64::INFINITY),
    ];
    above_ground(forces, law, dt)
}

fn height(run: &Simulation) -> f64 {
    run.world.bodies.motions()[0].pose.position.y - 0.25
}

fn memory(run: &Simulation) -> f64 {
    run.world.adhesions().map(|(.., memory)| memory).sum()
}

#[test]
fn a_particle_that_was_pushed_takes_off_when_it_was_pulled_as_much() {
    // Case V11 of the specification: first order in the step.
    for (dt, expected) in [(0.1, 1.9), (0.05, 1.95), (0.01, 1.99), (0.001, 1.999)] {
        let mut run = push_pull(ContactLaw::Gluey, dt);
        run_until(&mut run, 2.0 + dt).unwrap();
        // The velocity that forces gave until then is projected at the start of the next step.
        assert!((memory(&run) + 2.0).abs() < 1e-9, "{}", memory(&run));
        run_until(&mut run, 6.0).unwrap();
        let found = height(&run);
        assert!((found - expected).abs() < 1e-9, "{dt}: {found}");
        assert_eq!((run.contact.sticks, run.contact.take_offs), (1, 1));
    }
    // q(6) = (6 − t)²/2 with the take-off t at 2 s without memory, and at 3.5 s where 1.5 N s are remembered.
    let rough = ContactLaw::Rough(Roughness::Impulse(1.5));
    for (law, take_off) in [(ContactLaw::Inelastic, 2.0_f64), (rough, 3.5)] {
        let mut run = push_pull(law, 0.001);
        run_until(&mut run, 6.0).unwrap();
        let expected = 0.5 * (6.0 - take_off).powi(2);
        assert!((height(&run) - expected).abs() < 5e-3, "{}", height(&run));
    }
}

#[test]
fn momentum_and_memory_add_up_to_the_impulse_of_the_forces() {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as f64 / (1_u64 << 31) as f64 - 0.5
    };
    let mut worst = 0.0_f64;
    for _ in 0..50 {
        let forces: Vec<BodyForce> = (0..12)
            .map(|window| {
                acceleration(
                    4.0 * random() - 0.3,
                    f64::from(window),
                    f64::from(window) + 1.0,
                )
            })
            .collect();
        let given: Vec<f64> = forces
            .iter()
            .map(|force| match force.push {
                Push::Acceleration(given) => given.y,
                Push::Force(_) | Push::Toward { .. } => 0.0,
            })
            .collect();
        let mut run = above_ground(forces, ContactLaw::Gluey, 0.125);
        let mut impulse = 0.0;
        for step in 1..=96 {
            run_until(&mut run, 0.125 * f64::from(step)).unwrap();
            impulse += 0.125 * given[(step - 1) as usize / 8];
            let velocity = run.world.bodies.motions()[0].velocity.linear.y;
            worst = worst.max((velocity + memory(&run) - impulse).abs());
            assert!(height(&run) >= -1e-15 && memory(&run) <= 0.0);
        }
    }
    println!("balance {worst:e} N s");
    assert!(worst < 1e-13);
}

/// The viscous billiard: a disc meets one at rest off its centre.
fn billiard(law: ContactLaw, dt: f64) -> Simulation {
    let radius = 0.02;
    let ball = || BodySpec {
        mass: Some(1.0),
        ..disc(radius)
    };
    let struck = at(ball(), 0.0, 0.0);
    let moving = moving(at(ball(), -0.25, -0.25), 0.05, 0.2 * (0.25 - radius), 0.0);
    simulation(Domain::Free, vec![struck, moving], Vec::new(), law, dt)
}

#[test]
fn two_discs_that_meet_turn_round_each_other_until_the_pull_has_made_up_for_the_blow() {
    let mut run = billiard(ContactLaw::Gluey, 0.01);
    let (mut stuck, mut parted) = (0.0, 0.0);
    let angle = |run: &Simulation| {
        let motions = run.world.bodies.motions();
        let apart = motions[1].pose.position - motions[0].pose.position;
        apart.y.atan2(apart.x)
    };
    let mut angles = [0.0; 2];
    for step in 1..=1200 {
        run_until(&mut run, 0.01 * f64::from(step)).unwrap();
        if run.contact.sticks == 1 && stuck == 0.0 {
            (stuck, angles[0]) = (run.world.clock.time, angle(&run));
        }
        if run.contact.take_offs == 1 && parted == 0.0 {
            (parted, angles[1]) = (run.world.clock.time, angle(&run));
        }
    }
    let turned = (angles[1] - angles[0])
        .rem_euclid(std::f64::consts::TAU)
        .to_degrees();
    let energy = run.world.kinetic_energy();
    println!("contact {stuck} s, take-off {parted} s, turned {turned}°, energy {energy} J");
    // Case V14 of the specification, for steps of 0.01 s; exact values are 4.652, 8.695 and 144.8.
    assert!((stuck - 4.66).abs() < 1e-9);
    assert!((parted - 8.71).abs() < 0.011);
    assert!((energy - 1.31025e-3).abs() < 2e-5);
}

/// Discs and floes with bays that are driven into a corner.
fn crowd(law: ContactLaw, discs_only: bool) -> Simulation {
    let mut bodies = Vec::new();
    for index in 0..36 {
        let (column, row) = (f64::from(index % 6), f64::from(index / 6));
        let (sin, cos) = (2.4 * f64::from(index)).sin_cos();
        let shape = if discs_only {
            disc(18.0 + 4.0 * cos)
        } else {
            floe_with_bay()
        };
        let spec = with(moving(shape, 0.3 * cos, 0.3 * sin, 0.002 * cos), 0.0, 0.0);
        bodies.push(at(spec, 30.0 + 60.0 * column, 30.0 + 60.0 * row));
    }
    let drive = |x: f64, y: f64, from: f64, until: f64| BodyForce {
        push: Push::Acceleration(DVec2::new(x, y)),
        ..acceleration(0.0, from, until)
    };
    let forces = vec![
        drive(-2e-3, -1e-3, 0.0, 600.0),
        drive(2e-3, 1e-3, 600.0, 1e4),
    ];
    simulation(walls(360.0, 360.0), bodies, forces, law, 2.0)
}

#[test]
fn discs_and_floes_of_all_laws_do_not_overlap_and_budgets_close() {
    let rough = ContactLaw::Rough(Roughness::Impulse(1e5));
    for law in [ContactLaw::Inelastic, rough, ContactLaw::Gluey] {
        for discs_only in [true, false] {
            let mut run = crowd(law, discs_only);
            let start = run.world.kinetic_energy();
            run_until(&mut run, 1200.0).unwrap();
            let budget = run.world.budget;
            let work: f64 = budget.forces.iter().map(|account| account.work).sum();
            let contact = budget.contact;
            let energy = start + work + contact.work - contact.normal_loss;
            let error = (run.world.kinetic_energy() - energy) / work.abs();
            println!(
                "{law:?}: {} contacts at once, residual {:.1e}, drift {:.1e} m, {} sticks, {} take-offs, {} regularised, {} shortened",
                run.contact.largest,
                run.contact.residual,
                run.contact.gap_drift,
                run.contact.sticks,
                run.contact.take_offs,
                run.contact.regularised,
                run.contact.shortened
            );
            assert!(error.abs() < 1e-10, "{error:e}");
            assert_eq!(run.contact.unsolved, 0, "{law:?} {discs_only}");
            if discs_only {
                assert!(
                    least_gap(&run.world) > -1e-6 * 14.0,
                    "{}",
                    least_gap(&run.world)
                );
            } else {
                assert_eq!(first_meeting(&run.world).map(|_| ()), None);
            }
        }
    }
}

#[test]
fn floes_that_turn_do_not_overlap_discs() {
    for law in [ContactLaw::Inelastic, ContactLaw::Gluey] {
        // Between the floes, which turn by 1.7 degrees in a step.
        let mut bodies = vec![BodySpec {
            kind: BodyKind::Obstacle,
            ..at(disc(8.0), 180.0, 180.0)
        }];
        for index in 0..36 {
            let (column, row) = (f64::from(index % 6), f64::from(index / 6));
            let turn = if index % 2 == 0 { 0.015 } else { -0.015 };
            let floe = moving(floe_with_bay(), 0.0, 0.0, turn);
            bodies.push(at(floe, 30.0 + 60.0 * column, 30.0 + 60.0 * row));
        }
        let drive = BodyForce {
            push: Push::Acceleration(DVec2::new(-4e-3, -2e-3)),
            ..acceleration(0.0, 0.0, 1e4)
        };
        let mut run = simulation(walls(360.0, 360.0), bodies, vec![drive], law, 2.0);
        let disc = run.world.bodies.ids()[0];
        let mut touched = 0;
        for step in 1..=300 {
            run_until(&mut run, 2.0 * f64::from(step)).unwrap();
            assert_eq!(first_meeting(&run.world), None, "{law:?}, step {step}");
            touched += run
                .world
                .contact_impulses()
                .filter(|own| own.body == disc)
                .count();
        }
        assert!(touched > 20, "{law:?}: {touched}");
    }
}

/// The smallest gap of two discs [m].
fn least_gap(world: &World) -> f64 {
    let (motions, radii) = (world.bodies.motions(), world.bodies.radii());
    let mut least = f64::INFINITY;
    for b in 0..motions.len() {
        for a in 0..b {
            let apart = motions[b].pose.position - motions[a].pose.position;
            least = least.min(apart.length() - radii[a] - radii[b]);
        }
    }
    least
}

#[test]
fn rough_contact_without_memory_is_inelastic_to_the_last_bit() {
    let hash = |law| {
        let mut run = crowd(law, false);
        run_until(&mut run, 900.0).unwrap();
        run.world.state_hash()
    };
    let rough = ContactLaw::Rough(Roughness::Impulse(0.0));
    assert_eq!(hash(rough), hash(ContactLaw::Inelastic));
}

#[test]
fn a_run_goes_on_from_its_bytes_with_its_memories() {
    let mut run = crowd(ContactLaw::Gluey, true);
    run_until(&mut run, 500.0).unwrap();
    assert!(run.world.adhesions().count() > 10);
    let state = RunState::from_bytes(&run.state_bytes()).unwrap();
    let mut again = Simulation::resumed(state, run.forcing.clone(), run.settings, run.max_dt);
    assert_eq!(again.world.state_hash(), run.world.state_hash());
    run_until(&mut run, 900.0).unwrap();
    run_until(&mut again, 900.0).unwrap();
    assert_eq!(again.world.state_hash(), run.world.state_hash());
}

/// A disc that slides on the ground at 1 m/s, pressed on it with 1 N.
fn sliding(law: ContactLaw, solid: SolidContact) -> Simulation {
    let disc = BodySpec {
        mass: Some(1.0),
        ..with(moving(disc(0.25), 1.0, 0.0, 0.0), 0.3, 0.0)
    };
    let forces = vec![acceleration(-1.0, 0.0, f64::INFINITY)];
    let body = at(disc, 5.0, 0.25);
    let mut run = simulation(walls(100.0, 1e4), vec![body], forces, law, 0.01);
    run.settings.contact.solid = solid;
    run
}

#[test]
fn a_disc_that_slides_rolls_in_the_end_and_friction_begins_with_solid_contact() {
    let rough = |memory| ContactLaw::Rough(Roughness::Impulse(memory));
    for (law, start) in [
        (ContactLaw::Inelastic, 0.0),
        (rough(0.0), 0.0),
        (rough(0.5), 0.5),
    ] {
        let mut run = sliding(law, SolidContact::Roll);
        let state = |run: &Simulation| run.world.bodies.motions()[0].velocity;
        run_until(&mut run, start + 0.5).unwrap();
        // Coulomb's friction on the whole push, after the memory is full.
        let speed = state(&run).linear.x;
        assert!((speed - (1.0 - 0.3 * 0.5)).abs() < 0.01, "{law:?}: {speed}");
        run_until(&mut run, 4.0).unwrap();
        let velocity = state(&run);
        // A disc that rolls has two thirds of its speed left.
        assert!((velocity.linear.x - 2.0 / 3.0).abs() < 1e-6, "{velocity:?}");
        assert!((velocity.angular * 0.25 + velocity.linear.x).abs() < 1e-6);
        let budget = run.world.budget;
        let energy = 0.5 + budget.work();
        assert!((run.world.kinetic_energy() - energy).abs() < 1e-12);
        assert!((budget.contact.tangent_loss - 1.0 / 6.0).abs() < 0.01);
        assert_eq!(run.contact.unsolved, 0);
    }
    let mut run = sliding(ContactLaw::Inelastic, SolidContact::Rotate);
    run_until(&mut run, 1.0).unwrap();
    let velocity = run.world.bodies.motions()[0].velocity;
    // On the ground it turns as one with it: not at all.
    assert!(velocity.linear.x.abs() < 1e-9 && velocity.angular.abs() < 1e-9);
    let mut run = sliding(ContactLaw::Inelastic, SolidContact::Smooth);
    run_until(&mut run, 1.0).unwrap();
    assert_eq!(run.world.bodies.motions()[0].velocity.linear.x, 1.0);
}

#[test]
fn rough_contact_without_memory_is_inelastic_to_the_last_bit_with_friction_too() {
    for solid in [SolidContact::Roll, SolidContact::Rotate] {
        let hash = |law| {
            let mut run = sliding(law, solid);
            run_until(&mut run, 3.0).unwrap();
            run.world.state_hash()
        };
        let rough = ContactLaw::Rough(Roughness::Impulse(0.0));
        assert_eq!(hash(rough), hash(ContactLaw::Inelastic));
    }
}

#[test]
fn films_take_energy_and_budgets_close() {
    let force = LubricationForce {
        viscosity: 10.0,
        cutoff: 0.05,
        reference_gap: 2.0,
    };
    let films: [(ContactLaw, bool, Option<LubricationForce>); 2] = [
        (ContactLaw::Gluey, true, None),
        (ContactLaw::Inelastic, false, Some(force)),
    ];
    for (law, tangential, force) in films {
        let mut plain = crowd(law, true);
        let mut run = crowd(law, true);
        run.settings.contact.tangential_lubrication = tangential;
        run.settings.contact.lubrication_force = force;
        let start = run.world.kinetic_energy();
        run_until(&mut run, 1200.0).unwrap();
        run_until(&mut plain, 1200.0).unwrap();
        assert_ne!(plain.world.state_hash(), run.world.state_hash());
        let budget = run.world.budget;
        let work: f64 = budget.forces.iter().map(|account| account.work).sum();
        let contact = budget.contact;
        let loss = contact.normal_loss + contact.tangent_loss;
        let energy = start + work + contact.work - loss;
        let error = (run.world.kinetic_energy() - energy) / work.abs();
        assert!(error.abs() < 1e-10, "{law:?}: {error:e}");
        assert_eq!(contact.tangent_loss > 0.0, tangential);
        assert!(least_gap(&run.world) > -1e-6 * 14.0);
        assert_eq!(run.contact.unsolved, 0);
    }
}

/// Discs in a box that turns, under gravity.
fn drum(law: ContactLaw) -> Simulation {
    let gravity = vec![acceleration(-10.0, 0.0, f64::INFINITY)];
    let mut bodies = Vec::new();
    for index in 0..25 {
        let (column, row) = (f64::from(index % 5), f64::from(index / 5));
        let spec = BodySpec {
            mass: Some(1.0),
            ..disc(0.02 + 0.004 * column)
        };
        bodies.push(at(spec, 0.09 * (column - 2.0), 0.09 * (row - 2.0)));
    }
    let mut run = simulation(Domain::Free, bodies, gravity, law, 0.002);
    for side in 0..4 {
        let wall = polygon(&[(-0.25, -0.3), (0.25, -0.3), (0.25, -0.25), (-0.25, -0.25)]);
        let spin = Spin {
            center: DVec2::ZERO,
            velocity: DVec2::ZERO,
            period: 5.0,
            position: DVec2::ZERO,
            heading: std::f64::consts::FRAC_PI_2 * f64::from(side),
        };
        let path = BodyPath::spinning(spin).unwrap();
        run.world.add_on_path(wall, &path).unwrap();
    }
    run
}

#[test]
fn discs_stay_in_a_box_that_turns() {
    for law in [ContactLaw::Inelastic, ContactLaw::Gluey] {
        let mut run = drum(law);
        let mut time = 0.0;
        while time < 6.0 {
            time += 0.05;
            run_until(&mut run, time).unwrap();
            let world = &run.world;
            assert!(least_gap_of_discs(world) > -1e-6 * 0.02);
            let turned = DVec2::from_angle(-std::f64::consts::TAU * world.clock.time / 5.0);
            for row in world.floe_rows() {
                let center = turned.rotate(world.bodies.motions()[row].pose.position);
                let reach = center.abs().max_element() + world.bodies.radii()[row];
                assert!(reach < 0.25 + 1e-6 * 0.02, "{reach}");
            }
        }
        assert_eq!(run.contact.unsolved, 0);
        // Energy: gravity and the walls give it, contacts take it.
        let budget = run.world.budget;
        let work: f64 = budget.forces.iter().map(|account| account.work).sum();
        let given = work + budget.contact.work - budget.contact.normal_loss;
        let error = (run.world.kinetic_energy() - given) / budget.contact.work;
        assert!(error.abs() < 1e-9, "{error:e}");
        let state = RunState::from_bytes(&run.state_bytes()).unwrap();
        assert_eq!(state.world.state_hash(), run.world.state_hash());
    }
}

/// The smallest gap of two floes that are discs [m].
fn least_gap_of_discs(world: &World) -> f64 {
    let (motions, radii) = (world.bodies.motions(), world.bodies.radii());
    let rows: Vec<usize> = world.floe_rows().collect();
    let mut least = f64::INFINITY;
    for (index, &b) in rows.iter().enumerate() {
        for &a in &rows[..index] {
            let apart = motions[b].pose.position - motions[a].pose.position;
            least = least.min(apart.length() - radii[a] - radii[b]);
        }
    }
    least
}
