//! The projection onto convex bounds, against an independent quadratic program and the exact contact problem.

use banquise_solver::{
    Body, BoundKind, Contact, ContactProblem, ConvexBound, ImpactSettings, Mode, ProjectionMethod,
    ProjectionReport, ProjectionSettings, SolverContext, SolverSettings, SolverWorkspace,
    project_velocities, solve_impact,
};
use glam::DVec2;

use crate::random_problems::Random;

fn project(
    problem: &mut ContactProblem,
    bounds: &[ConvexBound],
    settings: &ProjectionSettings,
) -> ProjectionReport {
    let workspace = SolverWorkspace::default();
    let context = SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &workspace,
    };
    let mut report = ProjectionReport::default();
    project_velocities(context, problem, bounds, settings, &mut report);
    report
}

/// Discs that do not overlap, dropped at random in a box, with all pairs closer than half a radius as contacts; then the bounds that keep their gaps for `dt`.
fn packing(random: &mut Random, count: usize, dt: f64) -> (ContactProblem, Vec<ConvexBound>) {
    let width = 2.2 * (count as f64).sqrt();
    let mut bodies: Vec<(Body, f64)> = Vec::new();
    for _ in 0..200 * count {
        if bodies.len() == count {
            break;
        }
        let radius = random.between(0.6, 1.0);
        let position = DVec2::new(random.between(0.0, width), random.between(0.0, width));
        let overlaps =
            |(body, other): &(Body, f64)| (body.position - position).length() < other + radius;
        if bodies.iter().any(overlaps) {
            continue;
        }
        let mass = random.between(0.5, 3.0);
        let velocity = DVec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let body = Body {
            inv_mass: if random.next() < 0.05 {
                0.0
            } else {
                1.0 / mass
            },
            inv_inertia: 0.0,
            position,
            linear_velocity: velocity,
            angular_velocity: 0.0,
        };
        bodies.push((body, radius));
    }
    let (mut contacts, mut bounds) = (Vec::new(), Vec::new());
    for b in 0..bodies.len() {
        for a in 0..b {
            let apart = bodies[b].0.position - bodies[a].0.position;
            let gap = apart.length() - bodies[a].1 - bodies[b].1;
            let moves = bodies[a].0.inv_mass + bodies[b].0.inv_mass > 0.0;
            if gap > 0.5 || !moves {
                continue;
            }
            let normal = apart.normalize();
            contacts.push(Contact {
                a,
                b,
                arms: [bodies[a].1 * normal, -bodies[b].1 * normal],
                normal,
                friction: 0.0,
                restitution: 0.0,
                gap,
                start: [0.0; 2],
            });
            bounds.push(ConvexBound {
                least: -gap / dt,
                ..ConvexBound::default()
            });
        }
    }
    let bodies = bodies.into_iter().map(|(body, _)| body).collect();
    (ContactProblem { bodies, contacts }, bounds)
}

/// Hildreth's method (1957), one bound after the other: slow, and nothing in common with the solvers. Ends when a whole sweep changes no velocity by more than
/// rounding.
fn reference(problem: &ContactProblem, bounds: &[ConvexBound]) -> ContactProblem {
    let mut problem = problem.clone();
    let mut impulses = vec![0.0; bounds.len()];
    for _ in 0..2_000_000 / bounds.len().max(1) {
        let mut largest = 0.0_f64;
        for (index, bound) in bounds.iter().enumerate() {
            let contact = problem.contacts[index];
            let inv_mass = [contact.a, contact.b]
                .into_iter()
                .zip(contact.arms)
                .map(|(row, arm)| {
                    let body = &problem.bodies[row];
                    body.inv_mass + body.inv_inertia * arm.perp_dot(contact.normal).powi(2)
                })
                .sum::<f64>();
            let velocity = problem.relative_velocity(&contact)[0] - bound.least;
            let next = f64::max(
                impulses[index] - velocity / inv_mass,
                bound.kind.least_impulse(),
            );
            let change = next - impulses[index];
            largest = largest.max((change * inv_mass).abs());
            impulses[index] = next;
            problem.apply(index, [change, 0.0]);
        }
        if largest < 1e-15 {
            break;
        }
    }
    problem
}

/// Largest difference of two sets of velocities.
fn difference(first: &ContactProblem, second: &ContactProblem) -> f64 {
    let both = first.bodies.iter().zip(&second.bodies);
    both.map(|(x, y)| {
        let linear = (x.linear_velocity - y.linear_velocity).length();
        linear.max((x.angular_velocity - y.angular_velocity).abs())
    })
    .fold(0.0, f64::max)
}

#[test]
fn packings_have_the_velocities_of_a_reference_quadratic_program() {
    let mut random = Random(21);
    let mut worst = [0.0_f64; 3];
    for scene in 0..200 {
        let count = 2 + scene % 24;
        let (problem, mut bounds) = packing(&mut random, count, 0.4);
        // Some bounds are exact, with or without a limit of the pull: closest pairs, as trees so that they do not contradict each other.
        let mut cluster: Vec<usize> = (0..problem.bodies.len()).collect();
        for (contact, bound) in problem.contacts.iter().zip(&mut bounds) {
            let (a, b) = (cluster[contact.a], cluster[contact.b]);
            let is_free = [contact.a, contact.b]
                .iter()
                .all(|&row| problem.bodies[row].inv_mass > 0.0);
            if a == b || !is_free || random.next() > 0.4 {
                continue;
            }
            for label in &mut cluster {
                if *label == b {
                    *label = a;
                }
            }
            bound.kind = if random.next() < 0.5 {
                BoundKind::Exactly
            } else {
                BoundKind::ExactlyUpTo(random.between(0.0, 0.5))
            };
        }
        let expected = reference(&problem, &bounds);
        let mut solved = problem.clone();
        let report = project(&mut solved, &bounds, &ProjectionSettings::DEFAULT);
        assert!(
            report.is_solved && !report.is_regularised,
            "{scene}: {report:?}"
        );
        worst[0] = worst[0].max(report.residual);
        worst[1] = worst[1].max(difference(&solved, &expected));
        for ((contact, bound), &impulse) in
            solved.contacts.iter().zip(&bounds).zip(&report.impulses)
        {
            let velocity = solved.relative_velocity(contact)[0] - bound.least;
            assert!(impulse >= bound.kind.least_impulse(), "{scene}");
            // The sizes of the velocities here are of order one.
            let error = velocity.min(impulse - bound.kind.least_impulse()).abs();
            worst[2] = worst[2].max(error);
        }
        let momentum = |problem: &ContactProblem| -> DVec2 {
            let free = problem.bodies.iter().filter(|body| body.inv_mass > 0.0);
            free.map(|body| body.linear_velocity / body.inv_mass).sum()
        };
        if problem.bodies.iter().all(|body| body.inv_mass > 0.0) {
            assert!((momentum(&solved) - momentum(&problem)).length() < 1e-12);
        }
        let change = problem.kinetic_energy() - solved.kinetic_energy();
        if problem.bodies.iter().all(|body| body.inv_mass > 0.0) {
            assert!((change - report.loss).abs() < 1e-11, "{scene}: {change}");
        }
    }
    println!("residual, velocity, conditions: {worst:?}");
    assert!(worst[0] <= 1e-10 && worst[1] <= 1e-8 && worst[2] <= 1e-8);
}

#[test]
fn uzawa_ends_within_its_tolerance_of_the_same_velocities() {
    let mut random = Random(5);
    for scene in 0..20 {
        let (problem, bounds) = packing(&mut random, 30, 0.4);
        let mut fast = problem.clone();
        project(&mut fast, &bounds, &ProjectionSettings::DEFAULT);
        let mut slow = problem.clone();
        let settings = ProjectionSettings {
            method: ProjectionMethod::Uzawa {
                step: 0.3,
                tolerance: 1e-9,
                iterations: 1_000_000,
            },
            ..ProjectionSettings::DEFAULT
        };
        let report = project(&mut slow, &bounds, &settings);
        assert!(report.is_solved, "{scene}");
        // The distance of the two is the tolerance times the condition of the packing.
        let difference = difference(&fast, &slow);
        assert!(difference < 1e-5, "{scene}: {difference:e}");
    }
}

/// Seven equal discs in a hexagon: twelve contacts, eleven ways to deform. One gap is wider than the others.
#[test]
fn bounds_that_contradict_each_other_are_met_in_least_squares() {
    let place = |k: usize| {
        let angle = std::f64::consts::FRAC_PI_3 * k as f64;
        DVec2::new(2.0 * angle.cos(), 2.0 * angle.sin())
    };
    let mut positions = vec![DVec2::ZERO];
    positions.extend((0..6).map(place));
    let bodies = positions.iter().map(|&position| Body {
        inv_mass: 1.0,
        inv_inertia: 2.0,
        position,
        linear_velocity: DVec2::new(1.0, 0.5),
        angular_velocity: 0.0,
    });
    let mut problem = ContactProblem {
        bodies: bodies.collect(),
        contacts: Vec::new(),
    };
    let pairs = (1..7).flat_map(|k| [(0, k), (k, k % 6 + 1)]);
    for (a, b) in pairs {
        let normal = (positions[b] - positions[a]).normalize();
        problem.contacts.push(Contact {
            a,
            b,
            arms: [normal, -normal],
            normal,
            friction: 0.0,
            restitution: 0.0,
            gap: 0.0,
            start: [0.0; 2],
        });
    }
    let exact = ConvexBound {
        kind: BoundKind::Exactly,
        ..ConvexBound::default()
    };
    let mut bounds = [exact; 12];
    let settings = ProjectionSettings::DEFAULT;
    let report = project(&mut problem.clone(), &bounds, &settings);
    assert!(report.is_solved && !report.is_regularised, "{report:?}");
    let error = 1e-3;
    bounds[0].least = -error;
    let report = project(&mut problem, &bounds, &settings);
    assert!(report.is_solved && report.is_regularised, "{report:?}");
    // The self-stress has entries of equal size in all twelve contacts: least squares share out the error among them.
    let share = error / 12.0;
    println!("drift {:e} of {error:e}", report.drift);
    assert!(report.drift < 1.1 * (error - share) && report.drift > 0.9 * share);
    let mean = problem.bodies.iter().map(|body| body.linear_velocity);
    let mean = mean.sum::<DVec2>() / 7.0;
    assert!((mean - DVec2::new(1.0, 0.5)).length() < 1e-9);
}

/// A regular polygon of unit radius with its moment of inertia.
fn polygon(random: &mut Random, position: DVec2) -> (Body, Vec<DVec2>) {
    let corners = 3 + random.below(5);
    let turn = random.between(0.0, 6.0);
    let angles = (0..corners).map(|k| turn + std::f64::consts::TAU * k as f64 / corners as f64);
    let mass = random.between(0.5, 3.0);
    let half = std::f64::consts::PI / corners as f64;
    // Regular polygon: I = m R² (2 + cos 2π/n) / 6.
    let inertia = mass * (2.0 + (2.0 * half).cos()) / 6.0;
    let body = Body {
        inv_mass: 1.0 / mass,
        inv_inertia: 1.0 / inertia,
        position,
        linear_velocity: DVec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0)),
        angular_velocity: random.between(-1.0, 1.0),
    };
    (
        body,
        angles
            .map(|angle| DVec2::new(angle.cos(), angle.sin()))
            .collect(),
    )
}

/// Polygons and discs hung together: a corner of each new one, or an edge of it, is on an edge of one that is there. Some have a further contact with a third.
fn touching_scene(random: &mut Random) -> ContactProblem {
    let mut problem = ContactProblem::default();
    let mut shapes: Vec<Vec<DVec2>> = Vec::new();
    let count = 2 + random.below(8);
    for index in 0..count {
        let (mut body, corners) = polygon(random, DVec2::ZERO);
        let is_disc = random.next() < 0.3;
        if index > 0 {
            let other = random.below(index);
            let own = &shapes[other];
            let edge = random.below(own.len());
            let (start, end) = (own[edge], own[(edge + 1) % own.len()]);
            let normal = -(end - start).normalize().perp();
            let base: DVec2 = problem.bodies[other].position;
            let point = base + start + random.between(0.1, 0.9) * (end - start);
            let arm = if is_disc {
                -normal
            } else {
                corners[random.below(corners.len())]
            };
            body.position = point - arm;
            problem.bodies.push(body);
            add_contact(&mut problem, [other, index], point, normal);
            if !is_disc && random.next() < 0.5 {
                add_contact(
                    &mut problem,
                    [other, index],
                    point + 0.3 * (end - start),
                    normal,
                );
            }
            let third = random.below(index);
            if third != other && random.next() < 0.5 {
                let apart = body.position - problem.bodies[third].position;
                let point = problem.bodies[third].position + 0.5 * apart;
                add_contact(&mut problem, [third, index], point, apart.normalize());
            }
        } else {
            problem.bodies.push(body);
        }
        shapes.push(corners);
    }
    if random.next() < 0.3 {
        let fixed = &mut problem.bodies[0];
        (fixed.inv_mass, fixed.inv_inertia) = (0.0, 0.0);
        (fixed.linear_velocity, fixed.angular_velocity) = (DVec2::ZERO, 0.0);
    }
    problem
}

fn add_contact(problem: &mut ContactProblem, [a, b]: [usize; 2], point: DVec2, normal: DVec2) {
    let arms = [a, b].map(|row| point - problem.bodies[row].position);
    problem.contacts.push(Contact {
        a,
        b,
        arms,
        normal,
        friction: 0.0,
        restitution: 0.0,
        gap: 0.0,
        start: [0.0; 2],
    });
}

#[test]
fn touching_bodies_have_the_velocities_of_the_exact_contact_problem() {
    let mut random = Random(1000);
    let mut worst = 0.0_f64;
    let settings = ImpactSettings {
        mode: Mode::Simultaneous,
        ..ImpactSettings::default()
    };
    for scene in 0..1000 {
        let problem = touching_scene(&mut random);
        let mut exact = problem.clone();
        let report = solve_impact(&mut exact, &settings);
        assert_eq!(report.unsolved, 0, "{scene}: {report:?}");
        let mut projected = problem.clone();
        let bounds = vec![ConvexBound::default(); problem.contacts.len()];
        let report = project(&mut projected, &bounds, &ProjectionSettings::DEFAULT);
        assert!(
            report.is_solved && !report.is_regularised,
            "{scene}: {report:?}"
        );
        worst = worst.max(difference(&exact, &projected));
    }
    println!("largest difference {worst:e} m/s");
    assert!(worst < 1e-9);
}
