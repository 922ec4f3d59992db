//! Impacts with closed forms.

use banquise_solver::{Body, Contact, ContactProblem, ImpactSettings, Mode, solve_impact};
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
    }
}

fn settings(mode: Mode) -> ImpactSettings {
    ImpactSettings {
        mode,
        ..ImpactSettings::default()
    }
}

fn cradle(mode: Mode) -> (Vec<f64>, u64) {
    let bodies = vec![
        ball(0.0, 0.0, 1.0, 0.0),
        ball(2.0, 0.0, 0.0, 0.0),
        ball(4.0, 0.0, 0.0, 0.0),
    ];
    let contacts = vec![contact(&bodies, 0, 1, 1.0), contact(&bodies, 1, 2, 1.0)];
    let mut problem = ContactProblem { bodies, contacts };
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
