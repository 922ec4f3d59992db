//! Contacts that crush: stored problems, judged by the conditions of a solution, and their JSON.

use std::fs;
use std::path::Path;

use banquise_solver::{
    ContactProblem, Crushing, Effort, ImpactReport, Method, Problem, SolverContext, SolverSettings,
    SolverWorkspace, solve_crushing,
};

fn stored(name: &str) -> (ContactProblem, Vec<Crushing>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crushing");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    match Problem::from_json(&text).unwrap() {
        Problem::Crushing(problem, contacts) => (problem, contacts),
        other => panic!("{name} is no problem of crushing: {other:?}"),
    }
}

/// The largest violation of the conditions of a solution, in m/s for velocities and as a share of the largest impulse for impulses.
fn violation(after: &ContactProblem, contacts: &[Crushing], report: &ImpactReport) -> [f64; 2] {
    let most = contacts.iter().map(|own| own.largest).fold(0.0, f64::max);
    let [mut velocity, mut impulse] = [0.0_f64; 2];
    let all = after.contacts.iter().zip(contacts).zip(&report.impulses);
    for ((contact, own), &[normal, tangent]) in all {
        let [u, slip] = after.relative_velocity(contact);
        let cone = contact.friction * normal;
        let outside = [-normal, normal - own.largest, tangent.abs() - cone];
        impulse = outside.iter().fold(impulse, |x, &y| x.max(y / most));
        let share = 1e-6 * most;
        if normal < own.largest - share {
            velocity = velocity.max(own.least - u);
        }
        if normal > share {
            velocity = velocity.max(u - own.least);
        }
        // Friction opposes the slip, and is less than its bound only where nothing slips.
        if tangent > share - cone {
            velocity = velocity.max(slip);
        }
        if tangent < cone - share {
            velocity = velocity.max(-slip);
        }
    }
    [velocity, impulse]
}

#[test]
fn redundant_contacts_at_their_bounds_are_solved() {
    for (name, needs_path) in [
        ("drift.json", false),
        ("drift-2.json", false),
        ("path.json", true),
    ] {
        let (mut problem, mut contacts) = stored(name);
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let mut report = ImpactReport::default();
        solve_crushing(
            context,
            &mut problem,
            &mut contacts,
            Effort::Solve,
            &mut report,
        );
        assert_eq!(report.unsolved, 0, "{name}: {:e}", report.residual);
        let uses_path = report.methods[Method::Lemke as usize] > 0;
        assert_eq!(uses_path, needs_path, "{name}");
        // The press moves at 0.33 m/s; the tolerance of the residual is 1e-8, and masses differ by a factor of 1e4.
        let [velocity, impulse] = violation(&problem, &contacts, &report);
        assert!(
            velocity < 1e-6 && impulse < 1e-9,
            "{name}: {velocity:e} {impulse:e}"
        );
        // Seven times what the hardest of them takes.
        let operations = workspace.take_statistics().operations;
        assert!(operations < 4_000_000_000, "{name}: {operations:e}");
    }
}

#[test]
fn strengths_read_back_exactly() {
    let (problem, contacts) = stored("drift.json");
    let text = problem.to_json_with_crushing(&contacts);
    assert_eq!(
        Problem::from_json(&text).unwrap(),
        Problem::Crushing(problem, contacts)
    );
}

#[test]
fn a_strength_that_is_missing_or_negative_is_refused() {
    let text = |first: &str, second: &str| {
        let contact = |x: f64, b: usize, strength: &str| {
            format!(r#"{{"a": 0, "b": {b}, "point": [{x}, 0], "normal": [{x}, 0]{strength}}}"#)
        };
        format!(
            r#"{{"bodies": [{{"mass": 1, "inertia": 1, "position": [0, 0], "velocity": [0, 0, 0]}},
            {{"fixed": true, "position": [2, 0], "velocity": [-1, 0, 0]}}, {{"fixed": true, "position": [-2, 0]}}],
            "contacts": [{}, {}]}}"#,
            contact(1.0, 1, first),
            contact(-1.0, 2, second)
        )
    };
    let [strong, weak] = [r#", "largest_impulse": 5"#, r#", "largest_impulse": 3"#];
    let answer = Problem::from_json(&text(strong, weak)).unwrap().answer();
    assert_eq!(answer["yields"], serde_json::json!([false, true]));
    let energy = answer["energy_lost_crushing"].as_f64().unwrap();
    assert!((energy - 3.0).abs() < 1e-12, "{answer}");
    for (second, expected) in [
        ("", "`contacts[1].largest_impulse`"),
        (r#", "largest_impulse": -1"#, "zero or positive"),
        (r#", "largest_impuls": 1"#, "did you mean"),
    ] {
        let message = Problem::from_json(&text(strong, second))
            .unwrap_err()
            .to_string();
        assert!(message.contains(expected), "{message}");
    }
}
