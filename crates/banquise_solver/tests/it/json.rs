//! Problems as JSON: what is written reads back bit for bit, and no text makes the reader panic.

use banquise_solver::lcp::solve;
use banquise_solver::{
    Body, Cone, Contact, ContactProblem, ImpactSettings, Mode, Problem, solve_impact, solve_local,
};
use glam::DVec2;
use proptest::prelude::*;

use crate::config;

/// Any number a problem may hold, with many digits and of all sizes.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        -1e3..1e3_f64,
        (-1.0..1.0_f64, -40..40_i32).prop_map(|(x, power)| x * 10_f64.powi(power)),
    ]
}

fn vector() -> impl Strategy<Value = DVec2> {
    (number(), number()).prop_map(|(x, y)| DVec2::new(x, y))
}

fn body() -> impl Strategy<Value = Body> {
    let inverse = prop_oneof![1e-9..1e3_f64, 1e-30..1e-20_f64];
    let inverses = prop_oneof![
        (inverse.clone(), inverse.clone()),
        // A body that cannot turn, and one that cannot move at all.
        (inverse, Just(0.0)),
        Just((0.0, 0.0)),
    ];
    (inverses, vector(), vector(), number()).prop_map(
        |((inv_mass, inv_inertia), position, linear_velocity, angular_velocity)| Body {
            inv_mass,
            inv_inertia,
            position,
            linear_velocity,
            angular_velocity,
        },
    )
}

fn contact(bodies: usize) -> impl Strategy<Value = Contact> {
    let arms = (vector(), vector());
    let material = (0.0..2.0_f64, 0.0..=1.0_f64, number());
    (1..bodies, arms, 0.0..7.0_f64, material).prop_map(
        |(b, arms, angle, (friction, restitution, gap))| Contact {
            a: 0,
            b,
            arms: arms.into(),
            normal: DVec2::from_angle(angle),
            friction,
            restitution,
            gap,
            start: [gap, friction],
        },
    )
}

fn problem() -> impl Strategy<Value = ContactProblem> {
    let bodies = prop::collection::vec(body(), 2..6).prop_map(|mut bodies| {
        // Every contact is with the first body, which moves.
        bodies[0].inv_mass = 0.3;
        bodies
    });
    bodies.prop_flat_map(|bodies| {
        let contacts = prop::collection::vec(contact(bodies.len()), 0..8);
        contacts.prop_map(move |contacts| ContactProblem {
            bodies: bodies.clone(),
            contacts,
        })
    })
}

fn settings() -> impl Strategy<Value = ImpactSettings> {
    let mode = prop_oneof![Just(Mode::Active), Just(Mode::Simultaneous)];
    let cone = prop_oneof![Just(Cone::Full), Just(Cone::Literal)];
    let slack = prop_oneof![Just(0.0), 0.0..1.0_f64];
    (mode, cone, slack).prop_map(|(mode, cone, slack_velocity)| ImpactSettings {
        mode,
        cone,
        slack_velocity,
    })
}

/// Every number of a problem, by its bits: `==` takes 0 and -0 for the same.
fn bits(problem: &ContactProblem) -> Vec<u64> {
    let mut numbers = Vec::new();
    for body in &problem.bodies {
        numbers.extend([body.inv_mass, body.inv_inertia, body.angular_velocity]);
        numbers.extend(body.position.to_array());
        numbers.extend(body.linear_velocity.to_array());
    }
    for contact in &problem.contacts {
        numbers.extend([contact.friction, contact.restitution, contact.gap]);
        numbers.extend(contact.arms.iter().flat_map(DVec2::to_array));
        numbers.extend(contact.normal.to_array());
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

/// Texts that are nearly problems: a good one with a piece replaced.
fn mutilated() -> impl Strategy<Value = String> {
    let good = prop_oneof![
        Just(r#"{"M": [[2, 1], [1, 2]], "q": [-5, -6]}"#),
        Just(
            r#"{"W": {"row": [0, 1], "col": [0, 1], "val": [1, 1]}, "q": [-1, 0.5], "mu": [0.3]}"#
        ),
        Just(
            r#"{"bodies": [{"mass": 1.0, "inertia": 0.5, "position": [0, 0], "velocity": [1, 0, 0]},
            {"fixed": true, "position": [2, 0], "velocity": [0, 0, 0]}], "contacts": [{"a": 0,
            "b": 1, "point": [1, 0], "normal": [1, 0], "friction": 0.7}], "mode": "active"}"#
        ),
    ];
    let piece = prop_oneof![
        "[0-9e.,\\-]{1,4}",
        Just("null".to_owned()),
        Just("1e300".to_owned()),
        Just("-1".to_owned()),
        Just("1e-300".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned()),
        ".{0,3}",
    ];
    (good, 0.0..1.0_f64, 0..4_usize, piece).prop_map(|(good, at, length, piece)| {
        let start = (at * good.len() as f64) as usize;
        let end = (start + length).min(good.len());
        format!("{}{piece}{}", &good[..start], &good[end..])
    })
}

/// Reads a text and solves what it may be.
fn read_and_solve(text: &str) {
    match Problem::from_json(text) {
        Ok(Problem::Lcp(lcp)) if lcp.size() <= 8 => {
            solve(&lcp);
        }
        Ok(Problem::Local(local)) if local.contact_count() <= 8 => {
            solve_local(&local);
        }
        Ok(Problem::Contacts(mut problem, settings)) if problem.contacts.len() <= 8 => {
            solve_impact(&mut problem, &settings);
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn a_contact_problem_reads_back_exactly(problem in problem(), settings in settings()) {
        let text = problem.to_json(&settings);
        let Ok(Problem::Contacts(again, again_settings)) = Problem::from_json(&text) else {
            panic!("{text}: {:?}", Problem::from_json(&text));
        };
        prop_assert_eq!(bits(&problem), bits(&again));
        prop_assert_eq!(&problem, &again);
        prop_assert_eq!(settings, again_settings);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_and_solve(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutilated_problems_are_read_or_refused(text in mutilated()) {
        read_and_solve(&text);
    }
}

#[test]
fn an_impact_is_the_same_bits_after_a_round_trip() {
    let bodies = [(0.0, 1.0), (2.0, -0.3), (4.1, -0.7)].map(|(x, speed)| Body {
        inv_mass: 1.0 / 3.0 + 0.01 * x,
        inv_inertia: 0.7 - 0.1 * x,
        position: DVec2::new(x, 0.1 * x * x),
        linear_velocity: DVec2::new(speed, 0.2),
        angular_velocity: 0.1 * speed,
    });
    let contacts = [(0, 1), (1, 2)].map(|(a, b)| {
        let between = bodies[b].position - bodies[a].position;
        let point = bodies[a].position + between / 3.0;
        Contact {
            a,
            b,
            arms: [point - bodies[a].position, point - bodies[b].position],
            normal: between.normalize(),
            friction: 0.7,
            restitution: 0.4,
            gap: 1e-3,
            start: [0.0; 2],
        }
    });
    let mut problem = ContactProblem {
        bodies: bodies.to_vec(),
        contacts: contacts.to_vec(),
    };
    let settings = ImpactSettings::default();
    let text = problem.to_json(&settings);
    let Ok(Problem::Contacts(mut again, _)) = Problem::from_json(&text) else {
        panic!("{text}");
    };
    assert_eq!(
        solve_impact(&mut problem, &settings),
        solve_impact(&mut again, &settings)
    );
    assert_eq!(bits(&problem), bits(&again));
}

#[test]
fn a_misspelt_key_is_refused_and_other_keys_are_not() {
    let text = |key: &str, name: &str| {
        format!(
            r#"{{"{name}": "a ball on the ground", "bodies": [
                {{"fixed": true, "position": [0, 0], "velocity": [0, 0, 0]}},
                {{"mass": 1, "inertia": 1, "position": [0, 1], "velocity": [0, -1, 0]}}],
            "contacts": [{{"a": 0, "b": 1, "point": [0, 0], "normal": [0, 1], "{key}": 0.5}}]}}"#
        )
    };
    let Ok(Problem::Contacts(problem, _)) = Problem::from_json(&text("friction", "title")) else {
        panic!("a problem with a title is a problem");
    };
    assert_eq!(problem.contacts[0].friction, 0.5);
    for key in ["fricton", "Friction", "restitutoin"] {
        let message = Problem::from_json(&text(key, "title"))
            .unwrap_err()
            .to_string();
        assert!(
            message.contains(key) && message.contains("did you mean"),
            "{message}"
        );
    }
    let message = Problem::from_json(&text("friction", "mod"))
        .unwrap_err()
        .to_string();
    assert!(message.contains("`mode`"), "{message}");
}

#[test]
fn a_body_that_touches_its_own_image_is_solved() {
    let text = r#"{"bodies": [{"mass": 1, "inertia": 1, "position": [0, 0], "velocity": [0, 0, 1]}],
        "contacts": [{"a": 0, "b": 0, "point": [1, 0], "shift": [2, 0], "normal": [1, 0], "friction": 0.5}]}"#;
    let Problem::Contacts(mut problem, settings) = Problem::from_json(text).unwrap() else {
        panic!("a problem of contacts");
    };
    let report = solve_impact(&mut problem, &settings);
    assert_eq!(report.unsolved, 0);
    let same = text.replace(r#""shift": [2, 0], "#, "");
    assert!(Problem::from_json(&same).is_err());
}
