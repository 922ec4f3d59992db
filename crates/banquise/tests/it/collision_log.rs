//! The log of collisions adds up to the statistics, changes no result, and goes on after a checkpoint.

use std::ops::ControlFlow;

use banquise::{
    BondSettings, Collision, CollisionLogSettings, ContactLaw, ContactSettings, Domain, Forcing,
    Integrator, NoTimer, Rectangle, RunState, Simulation, SolidContact, StepSettings, Velocity,
    World,
};
use banquise_geometry::DVec2;

use super::{disc, polygon};

/// Discs and squares that fly about in a box.
fn gas(settings: &StepSettings) -> Simulation {
    let mut world = World::new(
        Domain::walls(Rectangle {
            min: DVec2::ZERO,
            max: DVec2::new(100.0, 80.0),
        }),
        1,
    );
    for k in 0..12_u32 {
        let place = DVec2::new(
            12.0 + 20.0 * f64::from(k % 5),
            12.0 + 20.0 * f64::from(k / 5),
        );
        let mut spec = if k % 2 == 0 {
            disc(5.0)
        } else {
            polygon(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)])
        };
        spec.pose.position = place;
        spec.velocity = Velocity {
            linear: DVec2::new(1.0 - 0.3 * f64::from(k), 0.2 * f64::from(k) - 1.0),
            angular: 0.05 * f64::from(k),
        };
        spec.material.restitution = 0.7;
        spec.material.friction = 0.3;
        world.add(spec).unwrap();
    }
    Simulation::new(world, Forcing::none(), *settings, 0.5)
}

fn settings((integrator, local_time): (Integrator, bool), log: bool) -> StepSettings {
    StepSettings {
        contact: ContactSettings {
            integrator,
            local_time,
            log: log.then(CollisionLogSettings::default),
            ..ContactSettings::default()
        },
        ..StepSettings::default()
    }
}

fn run(simulation: &mut Simulation, time: f64) {
    let advanced = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
    assert!(advanced.unwrap().is_continue());
}

const SCHEMES: [(Integrator, bool); 3] = [
    (Integrator::Event, true),
    (Integrator::Event, false),
    (Integrator::Stepping, false),
];

#[test]
fn the_log_adds_up_to_the_statistics_and_changes_nothing() {
    for (integrator, local_time) in SCHEMES {
        let mut silent = gas(&settings((integrator, local_time), false));
        let mut logged = gas(&settings((integrator, local_time), true));
        run(&mut silent, 60.0);
        run(&mut logged, 60.0);
        assert_eq!(silent.world.state_hash(), logged.world.state_hash());
        assert!(silent.collisions.waiting().is_empty());
        let rows = logged.collisions.waiting();
        let collisions = rows.iter().filter(|row| row.is_collision).count() as u64;
        assert_eq!(collisions, logged.contact.collisions);
        assert!(collisions > 20, "{collisions}");
        let impulse: f64 = rows.iter().map(|row| row.normal_impulse).sum();
        let expected = logged.contact.normal_impulse;
        // Sums in another order.
        assert!((impulse - expected).abs() < 1e-12 * expected);
        assert_eq!(logged.collisions.counts().kept, rows.len() as u64);
    }
}

/// Net impulse on a body, from the log.
fn impulse_on(rows: &[Collision], id: u32) -> DVec2 {
    let of_row = |row: &Collision| {
        let vector = row.normal_impulse * row.normal + row.tangent_impulse * row.normal.perp();
        let body = banquise::BodyId(id);
        if row.body == body {
            -vector
        } else if row.other == banquise::Touched::Body(body) {
            vector
        } else {
            DVec2::ZERO
        }
    };
    rows.iter().map(of_row).sum()
}

#[test]
fn impulses_of_the_log_are_the_changes_of_momentum() {
    for (integrator, local_time) in SCHEMES {
        let mut simulation = gas(&settings((integrator, local_time), true));
        let momenta = |simulation: &Simulation| -> Vec<DVec2> {
            let bodies = &simulation.world.bodies;
            let motions = bodies.motions().iter().zip(bodies.masses());
            motions.map(|(m, mass)| *mass * m.velocity.linear).collect()
        };
        let before = momenta(&simulation);
        // With a push apart momentum changes without a row.
        run(&mut simulation, 8.0);
        assert_eq!(simulation.contact.pushed_apart, 0);
        let after = momenta(&simulation);
        for id in 0..12 {
            let change = after[id] - before[id];
            let logged = impulse_on(simulation.collisions.waiting(), id as u32);
            assert!(
                (change - logged).length() < 1e-9 * before[1].length(),
                "{id}"
            );
        }
    }
}

#[test]
fn two_discs_head_on_give_one_row_in_closed_form() {
    let mut world = World::new(Domain::Free, 1);
    for (x, speed) in [(-10.0, 1.0), (10.0, -0.5)] {
        let mut spec = disc(5.0);
        spec.pose.position.x = x;
        spec.velocity.linear.x = speed;
        spec.material.restitution = 0.5;
        world.add(spec).unwrap();
    }
    let mass = world.bodies.masses()[0];
    let mut simulation = Simulation::new(
        world,
        Forcing::none(),
        settings((Integrator::Event, true), true),
        1.0,
    );
    run(&mut simulation, 20.0);
    let [row] = simulation.collisions.waiting() else {
        panic!("{:?}", simulation.collisions)
    };
    assert!(row.is_collision);
    assert!((row.approach_speed - 1.5).abs() < 1e-12);
    // Reduced mass m/2, restitution 1/2.
    let expected = 0.5 * mass * 1.5 * 1.5;
    assert!((row.normal_impulse - expected).abs() < 1e-9 * expected);
    assert_eq!(row.normal, DVec2::X);
    assert!((row.time - 10.0 / 1.5).abs() < 0.1);
}

#[test]
fn a_log_goes_on_after_a_checkpoint() {
    let with_log = settings((Integrator::Event, true), true);
    let mut whole = gas(&with_log);
    run(&mut whole, 30.0);
    let mut first = gas(&with_log);
    run(&mut first, 11.0);
    let bytes = first.state_bytes();
    let state = RunState::from_bytes(&bytes).unwrap();
    let mut resumed = Simulation::resumed(state, Forcing::none(), with_log, 0.5);
    run(&mut resumed, 30.0);
    assert_eq!(whole.collisions, resumed.collisions);
}

#[test]
fn friction_belongs_to_its_contact_under_the_other_laws() {
    let bonds = BondSettings {
        healing: None,
        ..BondSettings::default()
    };
    for law in [ContactLaw::Inelastic, ContactLaw::Bonded(bonds)] {
        let mut settings = settings((Integrator::Stepping, false), true);
        settings.contact.law = law;
        settings.contact.solid = SolidContact::Roll;
        let mut simulation = gas(&settings);
        let before = simulation.world.momentum();
        run(&mut simulation, 40.0);
        let rows = simulation.collisions.waiting();
        let sum: f64 = rows.iter().map(|row| row.normal_impulse).sum();
        let expected = simulation.contact.normal_impulse;
        assert!(
            (sum - expected).abs() < 1e-12 * expected,
            "{sum} {expected}"
        );
        let most = rows.iter().map(|row| {
            // Coulomb's friction, μ = 0.3, to the tolerance of the projection.
            assert!(row.normal_impulse >= 0.0);
            assert!(row.tangent_impulse.abs() <= 0.3 * row.normal_impulse + 1e-6 * expected);
            row.tangent_impulse.abs()
        });
        assert!(most.fold(0.0, f64::max) > 0.0);
        let walls: DVec2 = (0..12).map(|id| impulse_on(rows, id)).sum();
        let change = simulation.world.momentum() - before;
        assert!(
            (change - walls).length() < 1e-9 * expected,
            "{change} {walls}"
        );
    }
}

#[test]
fn what_a_joint_holds_is_no_collision() {
    let bonds = BondSettings {
        initial: true,
        tensile_strength: 1e15,
        cohesion: 1e15,
        ..BondSettings::default()
    };
    let mut world = World::new(Domain::Free, 1);
    for (x, speed) in [(0.0, -0.01), (8.04, 0.01)] {
        let mut spec = polygon(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)]);
        spec.pose.position.x = x;
        spec.velocity.linear = DVec2::new(speed, speed);
        world.add(spec).unwrap();
    }
    let mut settings = settings((Integrator::Stepping, false), true);
    settings.contact.law = ContactLaw::Bonded(bonds);
    let mut simulation = Simulation::new(world, Forcing::none(), settings, 0.1);
    run(&mut simulation, 5.0);
    assert_eq!(simulation.world.bonds().len(), 1);
    let rows = simulation.collisions.waiting();
    let sum: f64 = rows.iter().map(|row| row.normal_impulse.abs()).sum();
    assert_eq!(sum, simulation.contact.normal_impulse);
    // The pull and the shear of the joint have no rows; a row is a contact that pushes.
    assert!(
        rows.iter()
            .all(|row| row.normal_impulse >= 0.0 && row.normal.x.abs() > 0.99)
    );
    let mass = simulation.world.bodies.masses()[0];
    assert!(sum < 0.01 * mass * 0.01, "{sum}");
}

/// A disc that flies between two walls, with this restitution.
fn bouncing(integrator: Integrator, restitution: f64) -> Simulation {
    let mut world = World::new(
        Domain::walls(Rectangle {
            min: DVec2::ZERO,
            max: DVec2::new(60.0, 30.0),
        }),
        1,
    );
    let mut spec = disc(5.0);
    spec.pose.position = DVec2::new(20.3, 15.0);
    spec.velocity.linear.x = 1.3;
    spec.material.restitution = restitution;
    world.add(spec).unwrap();
    Simulation::new(
        world,
        Forcing::none(),
        settings((integrator, false), true),
        1.0,
    )
}

#[test]
fn every_blow_of_a_disc_on_walls_is_a_new_row_with_its_speed_and_impulse() {
    for integrator in [Integrator::Event, Integrator::Stepping] {
        let mut simulation = bouncing(integrator, 0.8);
        let mass = simulation.world.bodies.masses()[0];
        run(&mut simulation, 400.0);
        let rows = simulation.collisions.waiting();
        assert!(rows.len() >= 5, "{integrator:?}: {rows:?}");
        assert_eq!(simulation.contact.collisions, rows.len() as u64);
        let mut speed = 1.3;
        for row in rows {
            assert!(row.is_collision, "{row:?}");
            // Rounding of a few steps.
            assert!((row.approach_speed - speed).abs() < 1e-12, "{row:?}");
            let expected = 1.8 * mass * speed;
            assert!(
                (row.normal_impulse / expected - 1.0).abs() < 1e-9,
                "{row:?}"
            );
            speed *= 0.8;
        }
    }
}

#[test]
fn a_blow_without_rebound_begins_with_a_new_row_that_has_its_speed() {
    let mut simulation = bouncing(Integrator::Stepping, 0.0);
    let mass = simulation.world.bodies.masses()[0];
    run(&mut simulation, 100.0);
    let rows = simulation.collisions.waiting();
    assert_eq!(simulation.contact.collisions, 1);
    assert!(rows[0].is_collision);
    assert!((rows[0].approach_speed - 1.3).abs() < 1e-12);
    assert!(rows[1..].iter().all(|row| !row.is_collision));
    // The disc reaches the wall at the end of the step, and stops in the next one.
    assert!(rows.len() <= 2, "{rows:?}");
    let total: f64 = rows.iter().map(|row| row.normal_impulse).sum();
    assert!((total / (1.3 * mass) - 1.0).abs() < 1e-9);
}

#[test]
fn collisions_carry_impulses_and_a_thinned_log_keeps_the_strongest() {
    for scheme in SCHEMES {
        let mut whole = gas(&settings(scheme, true));
        run(&mut whole, 60.0);
        let rows = whole.collisions.waiting();
        if scheme.0 == Integrator::Stepping {
            let has_impulse = |row: &&Collision| row.normal_impulse > 0.0;
            assert!(
                rows.iter()
                    .filter(|row| row.is_collision)
                    .all(|row| has_impulse(&row))
            );
        }
        let mut impulses: Vec<f64> = rows.iter().map(|row| row.normal_impulse).collect();
        impulses.sort_by(|a, b| b.total_cmp(a));
        let mut thinned = settings(scheme, true);
        thinned.contact.log = Some(CollisionLogSettings {
            sustained: false,
            min_impulse: impulses[4],
            ..CollisionLogSettings::default()
        });
        let mut simulation = gas(&thinned);
        run(&mut simulation, 60.0);
        let kept = simulation.collisions.waiting();
        assert_eq!(kept.len(), 5, "{scheme:?}");
        let counts = simulation.collisions.counts();
        let sum: f64 = kept.iter().map(|row| row.normal_impulse).sum();
        let expected = simulation.contact.normal_impulse;
        assert!(((sum + counts.left_out_impulse) / expected - 1.0).abs() < 1e-12);
        assert_eq!(
            5 + counts.left_out_collisions,
            simulation.contact.collisions
        );
    }
}
