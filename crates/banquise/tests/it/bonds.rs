//! Floes that are frozen together: elastic joints, their strength, their energy, and how they heal.

use banquise::{
    BodyForce, BodyId, BodyKind, BodySpec, BondSettings, ContactLaw, Domain, DragSettings, Forcing,
    Healing, Integrator, Push, Rectangle, RunState, Simulation, StepSettings, VectorSeries, World,
    first_meeting,
};
use banquise_geometry::DVec2;

use crate::{at, polygon, run_until, with};

/// Side of the squares and space between them [m].
const SIDE: f64 = 10.0;
const SPACE: f64 = 0.05;
/// From one centre to the next [m].
const PITCH: f64 = SIDE + SPACE;
const YOUNG: f64 = 1e9;
const POISSON: f64 = 0.3;

/// Joints that never break and never heal.
fn unbreakable() -> BondSettings {
    BondSettings {
        initial: true,
        young: YOUNG,
        poisson: POISSON,
        tensile_strength: 1e15,
        cohesion: 1e15,
        internal_friction: 0.7,
        healing: None,
    }
}

fn square() -> BodySpec {
    let half = 0.5 * SIDE;
    polygon(&[(-half, -half), (half, -half), (half, half), (-half, half)])
}

/// A wall whose face is half a space to the left of the origin.
fn wall() -> BodySpec {
    let face = -0.5 * SPACE;
    let shape = polygon(&[
        (face - 5.0, -20.0),
        (face, -20.0),
        (face, 20.0),
        (face - 5.0, 20.0),
    ]);
    BodySpec {
        kind: BodyKind::Obstacle,
        ..shape
    }
}

fn simulation(
    domain: Domain,
    bodies: Vec<BodySpec>,
    forcing: Forcing,
    bonds: BondSettings,
    dt: f64,
) -> Simulation {
    let mut world = World::new(domain, 1);
    for body in bodies {
        world.add(body).unwrap();
    }
    let mut settings = StepSettings::default();
    settings.contact.integrator = Integrator::Stepping;
    settings.contact.law = ContactLaw::Bonded(bonds);
    Simulation::new(world, forcing, settings, dt)
}

fn force_on(body: u32, x: f64, y: f64) -> BodyForce {
    BodyForce {
        bodies: vec![BodyId(body)],
        ..BodyForce::new(Push::Force(DVec2::new(x, y)))
    }
}

fn with_forces(forces: Vec<BodyForce>) -> Forcing {
    Forcing {
        body_forces: forces,
        ..Forcing::none()
    }
}

/// A wall and a row of squares frozen to it and to each other.
fn row(count: usize, forces: Vec<BodyForce>, bonds: BondSettings, dt: f64) -> Simulation {
    let mut bodies = vec![wall()];
    bodies.extend((0..count).map(|number| at(square(), (number as f64 + 0.5) * PITCH, 0.0)));
    simulation(Domain::Free, bodies, with_forces(forces), bonds, dt)
}

/// Takes steps with a moment on the last body [N m] beside the forces.
fn steps_with_moment(run: &mut Simulation, moment: f64, count: usize) {
    let last = run.world.bodies.len() - 1;
    for _ in 0..count {
        let end = run.world.clock.time + run.max_dt;
        run_until(run, end).unwrap();
        let mut velocity = run.world.bodies.motions()[last].velocity;
        velocity.angular += run.max_dt * moment / run.world.bodies.inertias()[last];
        run.world.bodies.set_velocity(last, velocity);
    }
}

#[test]
fn a_row_of_squares_bends_as_a_beam() {
    let shear_modulus = YOUNG / (2.0 * (1.0 + POISSON));
    let inertia = SIDE.powi(3) / 12.0;
    for count in [1, 2, 5, 10, 20] {
        let length = count as f64 * PITCH;
        // A deflection of 1e-5 of the length: its square, by which the beam stiffens, is below the tolerance.
        let load = 1e-5 * length * 3.0 * YOUNG * inertia / length.powi(3);
        let forces = vec![force_on(count as u32, 0.0, load)];
        // The load is at the end of the row, half a square from the centre of the last.
        let mut run = row(count, forces, unbreakable(), 2.0);
        steps_with_moment(&mut run, 0.5 * PITCH * load, 300);
        assert_eq!(run.world.bonds().len(), count);
        assert!(
            run.world
                .bonds()
                .iter()
                .all(|bond| (bond.width() - SIDE).abs() < 1e-12)
        );
        let pose = run.world.bodies.motions()[count].pose;
        let tip = pose.position.y + 0.5 * PITCH * pose.rotation.sin;
        let number = count as f64;
        let bending =
            load * length.powi(3) / (3.0 * YOUNG * inertia) * (1.0 + 1.0 / (2.0 * number * number));
        let shear = load * (length - 0.5 * PITCH) / (shear_modulus * SIDE);
        let error = tip / (bending + shear) - 1.0;
        println!(
            "{count} squares: tip {tip:e} m, error {error:e}, residual {:e}",
            run.contact.residual
        );
        assert!(error.abs() < 1e-6, "{count}: {error:e}");
        assert_eq!(run.contact.unsolved, 0);
    }
}

#[test]
fn a_pair_under_tension_shear_and_moment_follows_closed_forms() {
    let bonds = unbreakable();
    let stiffness = YOUNG / (0.5 * PITCH) * SIDE;
    let shear_stiffness = stiffness / (2.0 * (1.0 + POISSON));
    let turning_stiffness = stiffness * SIDE * SIDE / 12.0;
    let load = 1e4;
    let rest = |forces, moment| {
        let mut run = row(1, forces, bonds, 0.5);
        steps_with_moment(&mut run, moment, 40);
        run
    };
    let place = |run: &Simulation| run.world.bodies.motions()[1].pose;
    let pulled = rest(vec![force_on(1, load, 0.0)], 0.0);
    let opening = place(&pulled).position.x - 0.5 * PITCH;
    assert!((opening * stiffness / load - 1.0).abs() < 1e-7, "{opening}");
    let stress = pulled.world.bond_stresses().next().unwrap();
    assert!((stress.tension * SIDE / load - 1.0).abs() < 1e-7);
    let energy = 0.5 * load * load / stiffness;
    assert!((pulled.world.bond_energy() / energy - 1.0).abs() < 1e-7);
    // A shear force at the joint: at the centre it has the moment of its arm, which is taken away.
    let sheared = rest(vec![force_on(1, 0.0, load)], -0.5 * PITCH * load);
    let slip = place(&sheared).position.y;
    assert!((slip * shear_stiffness / load - 1.0).abs() < 1e-6, "{slip}");
    assert!(place(&sheared).rotation.sin.abs() < 1e-6 * slip);
    let stress = sheared.world.bond_stresses().next().unwrap();
    assert!((stress.shear * SIDE / load - 1.0).abs() < 1e-6);
    let moment = 1e5;
    let bent = rest(Vec::new(), moment);
    let turn = place(&bent).rotation.sin;
    assert!(
        (turn * turning_stiffness / moment - 1.0).abs() < 1e-7,
        "{turn}"
    );
    let stress = bent.world.bond_stresses().next().unwrap();
    // M (w/2)/(h w³/12).
    assert!((stress.tension * SIDE * SIDE / (6.0 * moment) - 1.0).abs() < 1e-7);
}

/// Load at which a square breaks off a wall, to a thousandth of `strength`: from nine tenths of it on.
fn load_at_break(direction: DVec2, moment: f64, bonds: BondSettings, strength: f64) -> f64 {
    let share = 1e-3;
    for number in 900..1100 {
        let load = share * f64::from(number) * strength;
        let force = load * direction;
        // Each load from rest, with damped steps: the strain of the end is the largest.
        let mut run = row(1, vec![force_on(1, force.x, force.y)], bonds, 1.0);
        let mut loaded = |count| steps_with_moment(&mut run, load * moment, count);
        loaded(12);
        if run.world.bonds().is_empty() {
            assert_eq!(run.contact.bonds_broken, 1);
            return load;
        }
    }
    panic!("the joint did not break");
}

#[test]
fn joints_break_at_the_stated_strength() {
    let bonds = BondSettings {
        tensile_strength: 50e3,
        cohesion: 40e3,
        ..unbreakable()
    };
    let tension = bonds.tensile_strength * SIDE;
    let found = load_at_break(DVec2::X, 0.0, bonds, tension);
    assert!(
        (found / tension - 1.0).abs() < 1.5e-3,
        "{}",
        found / tension
    );
    // Shear at the joint, without a moment there.
    let shear = bonds.cohesion * SIDE;
    let found = load_at_break(DVec2::Y, -0.5 * PITCH, bonds, shear);
    assert!((found / shear - 1.0).abs() < 1.5e-3, "{}", found / shear);
    // With as much pressure as shear, the strength is c/(1 − μ).
    let pressed = shear / (1.0 - bonds.internal_friction);
    let found = load_at_break(DVec2::new(-1.0, 1.0), -0.5 * PITCH, bonds, pressed);
    assert!(
        (found / pressed - 1.0).abs() < 1.5e-3,
        "{}",
        found / pressed
    );
    // A moment breaks the extreme fibre: M = σ h w²/6, by cohesion where c/μ is less than the tensile strength.
    let moment = bonds.tensile_strength * SIDE * SIDE / 6.0;
    let found = load_at_break(DVec2::ZERO, 1.0, bonds, moment);
    assert!((found / moment - 1.0).abs() < 1.5e-3, "{}", found / moment);
}

fn storm(speed: f64) -> Forcing {
    Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::try_new(
            &[
                (0.0, DVec2::ZERO),
                (200.0, DVec2::ZERO),
                (300.0, DVec2::new(speed, 0.4 * speed)),
                (700.0, DVec2::new(-speed, 0.0)),
                (900.0, DVec2::ZERO),
            ],
            0.0,
        )
        .unwrap(),
        ..Forcing::none()
    }
}

/// A pack of squares between walls, with an obstacle in it, that is frozen together, breaks and heals.
fn pack(dt: f64) -> Simulation {
    let mut bodies = vec![BodySpec {
        kind: BodyKind::Obstacle,
        ..at(square(), 2.0 * PITCH, 2.0 * PITCH)
    }];
    for index in 0..25_u32 {
        let (column, line) = (f64::from(index % 5), f64::from(index / 5));
        if (column, line) != (2.0, 2.0) {
            bodies.push(at(with(square(), 0.3, 0.0), column * PITCH, line * PITCH));
        }
    }
    let domain = Domain::walls(Rectangle {
        min: DVec2::splat(-20.0),
        max: DVec2::splat(80.0),
    });
    // Strains at the strength are those of ice, 6e-6.
    let bonds = BondSettings {
        young: 1e7,
        tensile_strength: 60.0,
        cohesion: 60.0,
        healing: Some(Healing {
            time: 100.0,
            speed: 1e-2,
        }),
        ..unbreakable()
    };
    simulation(domain, bodies, storm(25.0), bonds, dt)
}

#[test]
fn a_pack_that_breaks_and_heals_keeps_its_books() {
    let mut run = pack(2.0);
    run_until(&mut run, 2.0).unwrap();
    let (first, largest) = (run.world.bonds().len(), run.world.cluster_sizes());
    assert_eq!(first, 40);
    assert_eq!(largest.len(), 1);
    let mut least = usize::MAX;
    for step in 1..=400 {
        run_until(&mut run, 2.0 + 2.0 * f64::from(step)).unwrap();
        least = least.min(run.world.bonds().len());
        let contact = run.world.budget.contact;
        let held = contact.bond_stored - contact.bond_broken;
        let scale = contact.bond_stored.abs() + contact.bond_broken + 1e-6;
        assert!(
            (run.world.bond_energy() - held).abs() <= 1e-10 * scale,
            "{step}"
        );
    }
    let contact = run.world.budget.contact;
    let work = run.world.budget.work();
    let turnover: f64 = run
        .world
        .budget
        .forces
        .iter()
        .map(|own| own.work.abs())
        .sum();
    let error = (run.world.kinetic_energy() - work) / turnover;
    println!(
        "bonds {first} → {least} → {}, formed {}, broken {}, energy error {error:e}, stored {:e} J, damped {:e} J, broken {:e} J, friction {:e} J, contact {:e} J, unsolved {}, residual {:e}, clusters {:?}",
        run.world.bonds().len(),
        run.contact.bonds_formed,
        run.contact.bonds_broken,
        contact.bond_stored,
        contact.bond_loss,
        contact.bond_broken,
        contact.tangent_loss,
        contact.normal_loss,
        run.contact.unsolved,
        run.contact.residual,
        run.world.cluster_sizes().len(),
    );
    assert!(error.abs() < 1e-10, "{error:e}");
    assert_eq!(run.contact.unsolved, 0);
    assert!(run.contact.residual <= 1e-9);
    assert!(contact.bond_loss > 0.0 && contact.tangent_loss > 0.0 && contact.bond_broken > 0.0);
    assert!(run.contact.bonds_broken > 0 && run.contact.bonds_formed > first as u64);
    assert_eq!(first_meeting(&run.world).map(|_| ()), None);
}

#[test]
fn a_stiff_pack_that_is_pressed_against_walls_is_solved_to_1e_9() {
    // Joints of real ice and steps of 5 s: impulses of joints are far larger than what they leave of the velocities.
    let mut run = pack(5.0);
    run.settings.contact.law = ContactLaw::Bonded(BondSettings {
        young: 9e9,
        tensile_strength: 60.0,
        cohesion: 60.0,
        healing: Some(Healing {
            time: 60.0,
            speed: 1e-2,
        }),
        ..unbreakable()
    });
    run_until(&mut run, 1500.0).unwrap();
    println!(
        "formed {}, broken {}, unsolved {} of {}, residual {:e}",
        run.contact.bonds_formed,
        run.contact.bonds_broken,
        run.contact.unsolved,
        run.contact.impacts,
        run.contact.residual
    );
    assert!(run.contact.bonds_broken > 0);
    assert_eq!(run.contact.unsolved, 0);
    assert!(run.contact.residual <= 1e-9);
}

#[test]
fn bits_of_a_frozen_pack_do_not_depend_on_threads() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut run = pack(2.0);
            run_until(&mut run, 600.0).unwrap();
            run.world.state_hash()
        })
    };
    assert_eq!(hash(1), hash(3));
}

#[test]
fn a_run_goes_on_from_its_bytes_with_its_joints() {
    let mut run = pack(2.0);
    run_until(&mut run, 400.0).unwrap();
    let state = RunState::from_bytes(&run.state_bytes()).unwrap();
    let mut again = Simulation::resumed(state, run.forcing.clone(), run.settings, run.max_dt);
    assert_eq!(again.world.state_hash(), run.world.state_hash());
    run_until(&mut run, 600.0).unwrap();
    run_until(&mut again, 600.0).unwrap();
    assert_eq!(again.world.state_hash(), run.world.state_hash());
}
