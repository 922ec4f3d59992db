//! Problems without a solution, built with known multipliers: all are called infeasible, with a certificate that an independent
//! checker accepts.

use banquise_solver::{
    Body, Contact, ContactProblem, SolverContext, SolverSettings, SolverWorkspace,
    kinematic_certificate,
};
use glam::DVec2;

use crate::checker::proves_infeasible;
use crate::random_problems::Random;

fn body(random: &mut Random, mass: f64) -> Body {
    let number = |random: &mut Random| random.between(-3.0, 3.0);
    Body {
        inv_mass: 1.0 / mass,
        inv_inertia: 1.0 / (mass * random.between(0.1, 1.0)),
        position: DVec2::new(number(random), number(random)),
        linear_velocity: DVec2::new(number(random), number(random)),
        angular_velocity: number(random),
    }
}

fn wall(random: &mut Random) -> Body {
    Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        ..body(random, 1.0)
    }
}

fn contact(random: &mut Random, bodies: &[Body], ends: [usize; 2], at: DVec2, n: DVec2) -> Contact {
    let [a, b] = ends;
    Contact {
        a,
        b,
        arms: [at - bodies[a].position, at - bodies[b].position],
        normal: n,
        friction: random.pick(&[0.0, 0.3, 0.5, 1.0]),
        restitution: random.pick(&[0.0, 0.5, 1.0]),
        gap: 0.0,
        start: [0.0; 2],
    }
}

fn direction(random: &mut Random) -> DVec2 {
    DVec2::from_angle(random.between(0.0, std::f64::consts::TAU))
}

/// A chain of bodies. Each is pushed by the one before it and by walls, and hands on the sum of the forces along their line of action to
/// the next one, the last to a wall: λ is known, and the last wall closes by as much as makes λ·w negative.
pub(crate) fn infeasible_problem(random: &mut Random, length: usize) -> ContactProblem {
    let masses = [1.0, 1.0, 1e3, 1e10];
    let mut bodies: Vec<Body> = (0..length)
        .map(|_| {
            let mass = random.pick(&masses);
            body(random, mass)
        })
        .collect();
    let mut contacts = Vec::new();
    let mut multipliers = Vec::new();
    // Force on the body at hand, and its torque about the origin.
    let (mut force, mut torque) = (DVec2::ZERO, 0.0);
    for row in 0..length {
        let pushes = if row == 0 {
            1 + random.below(3)
        } else {
            random.below(3)
        };
        for _ in 0..pushes {
            bodies.push(wall(random));
            let (n, size) = (direction(random), random.between(0.5, 2.0));
            let at = bodies[row].position + direction(random);
            let ends = [bodies.len() - 1, row];
            contacts.push(contact(random, &bodies, ends, at, n));
            multipliers.push(size);
            force += size * n;
            torque += size * at.perp_dot(n);
        }
        let next = if row + 1 < length {
            row + 1
        } else {
            bodies.push(wall(random));
            bodies.len() - 1
        };
        let size = force.length();
        let n = force / size;
        // The line of action, at its point closest to the origin and somewhere along it.
        let at = -torque / size * n.perp() + random.between(-1.0, 1.0) * n;
        contacts.push(contact(random, &bodies, [row, next], at, n));
        multipliers.push(size);
    }
    let work = |bodies: &[Body]| -> f64 {
        let still = ContactProblem {
            bodies: bodies.to_vec(),
            contacts: Vec::new(),
        };
        let imposed = contacts.iter().map(|c| {
            let mut still = still.clone();
            for body in still.bodies.iter_mut().filter(|body| body.inv_mass > 0.0) {
                (body.linear_velocity, body.angular_velocity) = (DVec2::ZERO, 0.0);
            }
            still.relative_velocity(c)[0]
        });
        imposed.zip(&multipliers).map(|(w, m)| w * m).sum()
    };
    let (last, n) = (bodies.len() - 1, contacts[contacts.len() - 1].normal);
    let surplus = work(&bodies) + random.between(0.01, 1.0);
    bodies[last].linear_velocity -= surplus / multipliers[multipliers.len() - 1] * n;
    // Others that change nothing of it.
    for _ in 0..random.below(2 * length) {
        let (a, b) = (random.below(length), random.below(bodies.len()));
        if a != b {
            let at = bodies[a].position + direction(random);
            let n = direction(random);
            contacts.push(contact(random, &bodies, [a, b], at, n));
        }
    }
    ContactProblem { bodies, contacts }
}

#[test]
fn certificates_of_problems_with_known_multipliers() {
    let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
    let context = SolverContext {
        settings: &settings,
        workspace: &workspace,
    };
    let mut random = Random(7);
    for index in 0..900 {
        let length = if index % 100 == 0 { 50 } else { 1 + index % 12 };
        let problem = infeasible_problem(&mut random, length);
        let least = vec![0.0; problem.contacts.len()];
        let certificate = kinematic_certificate(context, &problem, &least);
        let certificate = certificate.unwrap_or_else(|| panic!("problem {index}"));
        assert!(certificate.holds(&problem, &least), "problem {index}");
        assert!(
            proves_infeasible(&problem, &least, &certificate),
            "problem {index}"
        );
    }
}

#[test]
fn walls_that_drift_together_squeeze_nobody() {
    let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
    let context = SolverContext {
        settings: &settings,
        workspace: &workspace,
    };
    let mut random = Random(11);
    for index in 0..100 {
        let mut problem = infeasible_problem(&mut random, 1 + index % 12);
        for body in problem
            .bodies
            .iter_mut()
            .filter(|body| body.inv_mass == 0.0)
        {
            body.linear_velocity = DVec2::new(0.3, -0.7);
            body.angular_velocity = 0.0;
        }
        let least = vec![0.0; problem.contacts.len()];
        assert_eq!(kinematic_certificate(context, &problem, &least), None);
        // Bounds that let everybody approach can be kept by bodies at rest.
        let least = vec![-2.0; problem.contacts.len()];
        assert_eq!(kinematic_certificate(context, &problem, &least), None);
    }
}
