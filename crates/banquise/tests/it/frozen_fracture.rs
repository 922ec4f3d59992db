//! Floes that are frozen together and break: joints are cut by cracks, and hand on what breaks their floes.

use banquise::{
    BodyForce, BodyId, BodySpec, Bond, BondSettings, Bounds, ContactLaw, Domain, Forcing,
    FractureSettings, Integrator, Push, Rectangle, RunState, Simulation, StepSettings, World,
    first_meeting,
};
use banquise_geometry::{DVec2, split};

use crate::{at, disc, moving, polygon, run_until};

/// Side of the squares and space between them [m].
const SIDE: f64 = 60.0;
const SPACE: f64 = 0.3;
const PITCH: f64 = SIDE + SPACE;

/// Joints that never break and never heal.
const STRONG: BondSettings = BondSettings {
    initial: true,
    young: 1e9,
    poisson: 0.3,
    tensile_strength: 1e15,
    cohesion: 1e15,
    internal_friction: 0.7,
    healing: None,
};

fn square() -> BodySpec {
    let half = 0.5 * SIDE;
    polygon(&[(-half, -half), (half, -half), (half, half), (-half, half)])
}

fn simulation(bodies: Vec<BodySpec>, forcing: Forcing, bonds: BondSettings) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    for body in bodies {
        world.add(body).unwrap();
    }
    let mut settings = StepSettings::default();
    settings.contact.integrator = Integrator::Stepping;
    settings.contact.law = ContactLaw::Bonded(bonds);
    settings.fracture = Some(FractureSettings {
        nodes: 150,
        ..FractureSettings::default()
    });
    Simulation::new(world, forcing, settings, 0.5)
}

fn force_on(body: u32, x: f64, y: f64) -> BodyForce {
    BodyForce {
        bodies: vec![BodyId(body)],
        ..BodyForce::new(Push::Force(DVec2::new(x, y)))
    }
}

fn forces(forces: Vec<BodyForce>) -> Forcing {
    Forcing {
        body_forces: forces,
        ..Forcing::none()
    }
}

/// A row of squares, frozen to each other at its first step.
fn row(count: usize, given: Forcing, bonds: BondSettings) -> Simulation {
    let bodies = (0..count).map(|number| at(square(), number as f64 * PITCH, 0.0));
    simulation(bodies.collect(), given, bonds)
}

fn kinetic_energy(world: &World) -> f64 {
    let bodies = &world.bodies;
    let energy = |row: usize| {
        let velocity = bodies.motions()[row].velocity;
        let turning = bodies.inertias()[row] * velocity.angular * velocity.angular;
        0.5 * (bodies.masses()[row] * velocity.linear.length_squared() + turning)
    };
    world.floe_rows().map(energy).sum()
}

/// Kinetic energy is that before and all work, and joints hold what was stored, less what was lost with them.
fn assert_books_close(run: &Simulation, kinetic_before: f64) {
    let world = &run.world;
    let budget = &world.budget;
    let (_, _, carried) = budget.exchange.net();
    let kinetic = kinetic_energy(world);
    let open = kinetic - (kinetic_before + budget.work() + carried);
    let scale = kinetic.max(kinetic_before) + budget.contact.bond_loss.abs();
    let held = world.bond_energy() - (budget.contact.bond_stored - budget.contact.bond_broken);
    let stored = budget.contact.bond_stored.abs() + budget.contact.bond_broken.abs();
    println!(
        "kinetic book {:e}, joints {:e}",
        open / scale,
        held / stored
    );
    assert!(open.abs() <= 1e-12 * scale, "{open:e} of {scale:e} J");
    assert!(
        held.abs() <= 1e-12 * scale.max(stored),
        "{held:e} of {stored:e} J"
    );
}

#[test]
fn a_crack_cuts_the_joint_that_it_meets() {
    // Pulled apart, sheared and bent, so that all three parts of the energy are there.
    let given = forces(vec![
        force_on(0, -3e5, 2e4),
        force_on(1, 1e5, -4e4),
        force_on(2, 2e5, 2e4),
    ]);
    let mut run = row(3, given, STRONG);
    run.settings.fracture = None;
    run_until(&mut run, 30.0).unwrap();
    let before = run.world.bond_energy();
    let widths: Vec<f64> = run.world.bonds().iter().map(Bond::width).collect();
    assert_eq!(widths.len(), 2);
    let middle = run.world.bodies.row_of(BodyId(1)).unwrap();
    let whole = run.world.bodies.ice_of(middle).unwrap();
    // From left to right through both joints, a third of the way up.
    let (height, half) = (SIDE / 6.0, 0.5 * SIDE);
    let path = vec![DVec2::new(-half, height), DVec2::new(half, height)];
    let halves = split(&whole, &path, 0.2).unwrap();
    let pieces = run.world.split(BodyId(1), &halves).unwrap();
    let bonds = run.world.bonds();
    assert_eq!(bonds.len(), 4);
    for &piece in &pieces {
        for neighbour in [BodyId(0), BodyId(2)] {
            let pair = [piece.min(neighbour), piece.max(neighbour)];
            assert!(bonds.iter().any(|bond| bond.bodies() == pair), "{pair:?}");
        }
    }
    // The slit is divided in its middle: no width is lost, two thirds are below the crack.
    let sum: f64 = bonds.iter().map(Bond::width).sum();
    assert!((sum - widths.iter().sum::<f64>()).abs() < 1e-9 * sum);
    let largest = bonds.iter().map(Bond::width).fold(0.0, f64::max);
    assert!((largest - 2.0 / 3.0 * SIDE).abs() < 1e-3, "{largest}");
    // What the parts hold is what the whole did: the rest is booked.
    let after = run.world.bond_energy();
    let lost = run.world.budget.contact.bond_broken;
    println!("{before} J before, {after} J after, {lost:e} J lost");
    assert!((after / before - 1.0).abs() < 1e-6);
    assert!((before - after - lost).abs() <= 1e-12 * before);
    assert_books_close(&run, 0.0);
}

#[test]
fn a_frozen_floe_breaks_when_it_is_struck() {
    let mut run = row(3, Forcing::none(), STRONG);
    let striker = moving(at(disc(20.0), PITCH, 60.0), 0.0, -4.0, 0.0);
    run.world.add(striker).unwrap();
    let kinetic = kinetic_energy(&run.world);
    run_until(&mut run, 20.0).unwrap();
    println!("{:?}", run.fracture);
    assert!(run.fracture.struck_broken >= 1);
    assert!(run.world.budget.contact.fracture_loss > 0.0);
    assert_eq!(run.contact.unsolved, 0);
    assert!(first_meeting(&run.world).is_none());
    assert!(!run.world.bonds().is_empty());
    assert_books_close(&run, kinetic);
}

#[test]
fn a_blow_breaks_a_floe_behind_its_joint() {
    // The floe that is struck is small and cannot break: it is below two smallest pieces. Its joint hands the blow on.
    let half = 6.0;
    let small = polygon(&[(-half, -half), (half, -half), (half, half), (-half, half)]);
    // Closer than the collision distance of the smaller of the two.
    let small = at(small, 0.5 * SIDE + 0.05 + half, 0.0);
    let striker = at(disc(20.0), 0.5 * SIDE + 2.0 * half + 25.0, 0.0);
    let bodies = vec![square(), small, moving(striker, -4.0, 0.0, 0.0)];
    let mut run = simulation(bodies, Forcing::none(), STRONG);
    let kinetic = kinetic_energy(&run.world);
    run_until(&mut run, 0.5).unwrap();
    assert_eq!(run.world.bonds().len(), 1);
    run_until(&mut run, 20.0).unwrap();
    assert!(run.fracture.struck_broken >= 1, "{:?}", run.fracture);
    assert!(run.world.budget.contact.bond_stored > 0.0);
    assert!(run.world.bodies.row_of(BodyId(0)).is_none());
    assert!(run.world.bodies.row_of(BodyId(1)).is_some());
    assert_books_close(&run, kinetic);
}

#[test]
fn a_floe_that_its_joints_bend_breaks_and_no_contact_touches_it() {
    // Three squares: the outer ones are pushed one way, the middle one the other.
    let bend = |load: f64| {
        let given = forces(vec![
            force_on(0, 0.0, load),
            force_on(1, 0.0, -2.0 * load),
            force_on(2, 0.0, load),
        ]);
        let mut run = row(3, given, STRONG);
        run_until(&mut run, 20.0).unwrap();
        assert_books_close(&run, 0.0);
        assert_eq!(run.contact.unsolved, 0);
        run.fracture
    };
    let held = bend(1e3);
    assert_eq!(held.pressed_broken, 0);
    assert!(held.pressed > 0);
    assert!(bend(2e8).pressed_broken > 0);
}

/// Squares in a box, frozen together, into which two discs are driven.
fn pack() -> Simulation {
    let mut run = simulation(Vec::new(), Forcing::none(), STRONG);
    let bounds = Bounds {
        rectangle: Rectangle {
            min: DVec2::new(-100.0, -100.0),
            max: DVec2::new(500.0, 400.0),
        },
        open: [false; 4],
    };
    run.world = World::new(Domain::Bounded(bounds), 1);
    for number in 0..12 {
        let (column, line) = (f64::from(number % 4), f64::from(number / 4));
        run.world
            .add(at(square(), column * PITCH, line * PITCH))
            .unwrap();
    }
    let strikers = [(-75.0, 30.0, 5.0, 0.0), (130.0, 350.0, 0.5, -5.0)];
    for (x, y, u, v) in strikers {
        run.world
            .add(moving(at(disc(20.0), x, y), u, v, 0.0))
            .unwrap();
    }
    run.settings.contact.law = ContactLaw::Bonded(BondSettings {
        tensile_strength: 3e5,
        cohesion: 3e5,
        healing: Some(banquise::Healing {
            time: 20.0,
            speed: 0.05,
        }),
        ..STRONG
    });
    run
}

#[test]
fn joints_and_floes_break_together_the_same_on_any_number_of_threads_and_after_a_restart() {
    let on = |threads: usize, restart: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut run = pack();
            let kinetic = kinetic_energy(&run.world);
            run_until(&mut run, 60.0).unwrap();
            if restart {
                let state = RunState::from_bytes(&run.state_bytes()).unwrap();
                run = Simulation::resumed(state, run.forcing.clone(), run.settings, run.max_dt);
            }
            run_until(&mut run, 120.0).unwrap();
            assert_books_close(&run, kinetic);
            assert!(first_meeting(&run.world).is_none());
            run
        })
    };
    let run = on(1, false);
    println!(
        "{} joints broke, {} floes broke, {} pieces, {} joints left, {} of {} unsolved",
        run.contact.bonds_broken,
        run.fracture.struck_broken + run.fracture.pressed_broken,
        run.fracture.pieces,
        run.world.bonds().len(),
        run.contact.unsolved,
        run.contact.impacts
    );
    assert!(run.contact.bonds_broken > 0);
    assert!(run.fracture.struck_broken + run.fracture.pressed_broken > 0);
    assert_eq!(run.contact.unsolved, 0);
    let hash = run.world.state_hash();
    assert_eq!(on(3, false).world.state_hash(), hash);
    assert_eq!(on(2, true).world.state_hash(), hash);
}
