//! Impacts with closed forms.

use banquise_solver::{
    Body, Contact, ContactProblem, ImpactSettings, LocalProblem, Method, Mode, SolverContext,
    SolverSettings, SolverWorkspace, residual, solve_impact, solve_local,
};
use glam::DVec2;

fn ball(x: f64, y: f64, vx: f64, vy: f64) -> Body {
    Body {
        inv_mass: 1.0,
        inv_inertia: 2.0,
        position: DVec2::new(x, y),
        linear_velocity: DVec2::new(vx, vy),
        angular_velocity: 0.0,
    }
}

fn contact(bodies: &[Body], a: usize, b: usize, restitution: f64) -> Contact {
    let between = bodies[b].position - bodies[a].position;
    let point = bodies[a].position + 0.5 * between;
    Contact {
        a,
        b,
        arms: [point - bodies[a].position, point - bodies[b].position],
        normal: between.normalize(),
        friction: 0.0,
        restitution,
        gap: 0.0,
        start: [0.0; 2],
    }
}

fn settings(mode: Mode) -> ImpactSettings {
    ImpactSettings {
        mode,
        ..ImpactSettings::default()
    }
}

/// A ball that hits two in a row.
fn row_of_balls() -> ContactProblem {
    let bodies = vec![
        ball(0.0, 0.0, 1.0, 0.0),
        ball(2.0, 0.0, 0.0, 0.0),
        ball(4.0, 0.0, 0.0, 0.0),
    ];
    let contacts = vec![contact(&bodies, 0, 1, 1.0), contact(&bodies, 1, 2, 1.0)];
    ContactProblem { bodies, contacts }
}

#[test]
fn what_is_known_decides_which_method_comes_first() {
    let both = settings(Mode::Simultaneous);
    // Two contacts of which nothing is known have a closed form. Nothing is left to solve for in their decompression phase.
    let report = solve_impact(&mut row_of_balls(), &both);
    assert_eq!(report.methods[Method::ClosedForm as usize], 1);
    // From what they did before, Newton's method is sooner done.
    let mut problem = row_of_balls();
    for (contact, impulse) in problem.contacts.iter_mut().zip([2.0 / 3.0, 1.0 / 3.0]) {
        contact.start = [impulse, 0.0];
    }
    let report = solve_impact(&mut problem, &both);
    assert_eq!(report.methods[Method::GaussSeidelNewton as usize], 1);
    assert_eq!(report.methods[Method::ClosedForm as usize], 0);
}

fn cradle(mode: Mode) -> (Vec<f64>, u64) {
    let mut problem = row_of_balls();
    let report = solve_impact(&mut problem, &settings(mode));
    let speeds = problem.bodies.iter().map(|b| b.linear_velocity.x).collect();
    (speeds, report.rounds)
}

#[test]
fn newtons_cradle_disperses_fully_or_not_at_all() {
    let (speeds, _) = cradle(Mode::Simultaneous);
    for (speed, expected) in speeds.iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
        assert!((speed - expected).abs() < 1e-12, "{speeds:?}");
    }
    let (speeds, rounds) = cradle(Mode::Active);
    for (speed, expected) in speeds.iter().zip([0.0, 0.0, 1.0]) {
        assert!((speed - expected).abs() < 1e-12, "{speeds:?}");
    }
    assert_eq!(rounds, 2);
}

#[test]
fn three_discs_part_symmetrically() {
    for angle in [60.0_f64, 45.0, 30.0, 22.5] {
        let theta = angle.to_radians();
        let (sin, cos) = theta.sin_cos();
        let bodies = vec![
            ball(0.0, 0.0, 1.0, 0.0),
            ball(2.0 * cos, 2.0 * sin, 0.0, 0.0),
            ball(2.0 * cos, -2.0 * sin, 0.0, 0.0),
        ];
        let contacts = vec![contact(&bodies, 0, 1, 1.0), contact(&bodies, 0, 2, 1.0)];
        let mut problem = ContactProblem { bodies, contacts };
        solve_impact(&mut problem, &settings(Mode::Simultaneous));
        let denominator = 1.0 + 2.0 * cos * cos;
        let first = (1.0 - 2.0 * cos * cos) / denominator;
        let second = DVec2::new(2.0 * cos * cos, 2.0 * sin * cos) / denominator;
        assert!((problem.bodies[0].linear_velocity - DVec2::new(first, 0.0)).length() < 1e-14);
        assert!((problem.bodies[1].linear_velocity - second).length() < 1e-14);
    }
}

/// Columns of discs that fall on the ground together.
fn columns(count: usize, height: usize) -> ContactProblem {
    let ground = Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        position: DVec2::new(0.0, -1.0),
        linear_velocity: DVec2::ZERO,
        angular_velocity: 0.0,
    };
    let mut problem = ContactProblem {
        bodies: vec![ground],
        contacts: Vec::new(),
    };
    for column in 0..count {
        for level in 0..height {
            let (x, y) = (2.0 * column as f64, 2.0 * level as f64);
            let spin = 0.1 * ((column * 7 + level * 3) % 5) as f64;
            let mut body = ball(x, y, spin - 0.2, -1.0);
            body.angular_velocity = spin;
            problem.bodies.push(body);
            let index = problem.bodies.len() - 1;
            let below = if level == 0 { 0 } else { index - 1 };
            let mut touching = vec![(below, DVec2::Y)];
            if column > 0 {
                touching.push((index - height, DVec2::X));
            }
            for (other, normal) in touching {
                let point = problem.bodies[index].position - normal;
                problem.contacts.push(Contact {
                    a: other,
                    b: index,
                    arms: [point - problem.bodies[other].position, -normal],
                    normal,
                    friction: 0.5,
                    restitution: 0.3,
                    gap: 0.0,
                    start: [0.0; 2],
                });
            }
        }
    }
    problem
}

#[test]
fn a_wall_of_discs_is_solved_at_once() {
    for (count, height) in [(5, 8), (10, 12), (12, 30)] {
        let mut problem = columns(count, height);
        let before = problem.kinetic_energy();
        let report = solve_impact(&mut problem, &settings(Mode::Simultaneous));
        assert_eq!(report.unsolved, 0);
        assert!(report.residual < 1e-9, "{}", report.residual);
        assert!(problem.kinetic_energy() < before);
    }
}

#[test]
fn without_restitution_there_is_one_phase() {
    // The contact below has no restitution, the one beside carries no impulse.
    let mut problem = columns(1, 1);
    problem.contacts[0].restitution = 0.0;
    problem.bodies[1].linear_velocity = DVec2::new(1.0, -1.0);
    problem.contacts.push(Contact {
        arms: [-DVec2::X, -DVec2::X],
        normal: DVec2::X,
        restitution: 0.5,
        ..problem.contacts[0]
    });
    let report = solve_impact(&mut problem, &settings(Mode::Simultaneous));
    assert_eq!(report.unsolved, 0);
    assert_eq!(report.methods.iter().sum::<u64>(), 1);
}

#[test]
fn what_is_not_a_number_is_no_solution() {
    // A row of balls, one of which has no velocity that is a number: few and many contacts.
    for count in [2, 3, 5, 30, 100] {
        let mut bodies: Vec<Body> = (0..count)
            .map(|index| ball(2.0 * f64::from(index), 0.0, -f64::from(index), 0.0))
            .collect();
        bodies[1].linear_velocity.x = f64::NAN;
        let contacts = (1..bodies.len()).map(|b| contact(&bodies, b - 1, b, 0.5));
        let contacts: Vec<Contact> = contacts.collect();
        let problem = ContactProblem { bodies, contacts };
        let all: Vec<usize> = (0..problem.contacts.len()).collect();
        let context = SolverContext {
            settings: &SolverSettings::DEFAULT,
            workspace: &SolverWorkspace::default(),
        };
        let local = LocalProblem::of(context, &problem, &all);
        let none = vec![0.0; 2 * all.len()];
        assert_eq!(residual(&local, &none), f64::INFINITY, "{count}");
        assert!(!solve_local(&local).is_solved(), "{count}");
    }
}
