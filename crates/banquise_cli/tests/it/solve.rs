//! `banquise solve`: the three forms, stored problems, and what is said to files that are none.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use crate::workbench::{Outcome, Workbench};

/// A body of 1 kg that hits a wall at 1 m/s.
const WALL: &str = r#"{"bodies":[{"mass":1.0,"inertia":0.5,"position":[0,0],"velocity":[1,0,0]},
 {"fixed":true,"position":[2,0],"velocity":[0,0,0]}],
 "contacts":[{"a":0,"b":1,"point":[1,0],"normal":[1,0],"friction":0.7,"restitution":0.4}],"mode":"simultaneous"}"#;
const LCP: &str = r#"{"M": [[2, 1], [1, 2]], "q": [-5, -6]}"#;
const LOCAL: &str =
    r#"{"W": {"row": [0, 1], "col": [0, 1], "val": [1, 3]}, "q": [-2, 5], "mu": [0.5]}"#;

fn solved(text: &str) -> Value {
    let bench = Workbench::new();
    bench.write("p.json", text);
    answer(&bench.run(&["solve", "p.json"]))
}

/// stdout is one JSON value, and nothing is said on stderr.
fn answer(outcome: &Outcome) -> Value {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap().iter();
    list.flat_map(|v| v.as_f64().map_or_else(|| numbers(v), |number| vec![number]))
        .collect()
}

fn assert_near(value: &Value, expected: &[f64]) {
    let found = numbers(value);
    assert_eq!(found.len(), expected.len(), "{value}");
    for (a, b) in found.iter().zip(expected) {
        // Rounding of a handful of operations on numbers of order one.
        assert!((a - b).abs() <= 1e-14, "{value}: {expected:?}");
    }
}

#[test]
fn a_body_that_hits_a_wall_comes_back_with_its_restitution() {
    let answer = solved(WALL);
    assert_eq!(answer["status"], "solved");
    assert_eq!(answer["method"], "closed_form");
    // Compression takes 1 N s, restitution gives 0.4 of it back; frontal, so there is no friction.
    let (mass, speed, restitution) = (1.0, 1.0, 0.4);
    let impulse = mass * speed * (1.0 + restitution);
    assert_near(&answer["impulses"], &[impulse, 0.0]);
    let after = speed - impulse / mass;
    assert_near(&answer["velocities"], &[after, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(answer["energy_before"], 0.5);
    let energy = answer["energy_after"].as_f64().unwrap();
    assert!((energy - 0.5 * mass * after * after).abs() <= 1e-15);
    assert!(answer["residual"].as_f64().unwrap() <= 1e-15);
    assert_eq!(answer["rounds"], 1);
}

#[test]
fn the_tangential_impulse_is_along_the_normal_turned_by_a_quarter() {
    // Sliding up the wall at 10 m/s, without spin: friction pushes the body down, so the wall up.
    let text = WALL.replace("[1,0,0]", "[1,10,0]").replace("0.4", "0");
    let answer = solved(&text);
    // 1/m + r²/I = 3 along the tangent: sticking would need 10/3 N s, the cone gives 0.7.
    assert_near(&answer["impulses"], &[1.0, 0.7]);
    assert_near(&answer["velocities"], &[0.0, 9.3, -1.4, 0.0, 0.0, 0.0]);
}

#[test]
fn a_mass_given_to_a_fixed_body_is_ignored() {
    let text = WALL.replace("\"fixed\":true", "\"fixed\":true,\"mass\":3,\"inertia\":-1");
    assert_eq!(solved(&text), solved(WALL));
}

#[test]
fn the_modes_of_newtons_cradle_differ() {
    let ball = |x: i32, speed: i32| {
        format!(r#"{{"mass":1,"inertia":1,"position":[{x},0],"velocity":[{speed},0,0]}}"#)
    };
    let contact = |a: i32| {
        let point = 2 * a + 1;
        format!(
            r#"{{"a":{a},"b":{},"point":[{point},0],"normal":[1,0],"restitution":1}}"#,
            a + 1
        )
    };
    for (mode, expected) in [
        ("simultaneous", [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
        ("active", [0.0, 0.0, 1.0]),
    ] {
        let answer = solved(&format!(
            r#"{{"bodies":[{},{},{}],"contacts":[{},{}],"mode":"{mode}"}}"#,
            ball(0, 1),
            ball(2, 0),
            ball(4, 0),
            contact(0),
            contact(1)
        ));
        let speeds: Vec<f64> = numbers(&answer["velocities"])
            .into_iter()
            .step_by(3)
            .collect();
        for (speed, expected) in speeds.iter().zip(expected) {
            assert!((speed - expected).abs() <= 1e-14, "{mode}: {speeds:?}");
        }
    }
}

#[test]
fn a_complementarity_problem_gives_z_and_w() {
    let answer = solved(LCP);
    assert_eq!(
        (&answer["status"], &answer["method"]),
        (&"solved".into(), &"lemke".into())
    );
    // 2 z₁ + z₂ = 5 and z₁ + 2 z₂ = 6.
    assert_near(&answer["z"], &[4.0 / 3.0, 7.0 / 3.0]);
    assert_near(&answer["w"], &[0.0, 0.0]);
    assert_eq!(answer["pivots"], 2);
}

#[test]
fn no_solution_is_an_answer_with_its_reason() {
    let answer = solved(r#"{"M": [[-1]], "q": [-1]}"#);
    assert_eq!(answer["status"], "no_solution_found");
    assert_eq!(answer["reason"], "infeasible");
    assert_eq!(answer["z"], Value::Null);
    // Too many unknowns for a proof.
    let row = format!("[{}0]", "0,".repeat(29));
    let text = format!(
        r#"{{"M": [{}{row}], "q": [{}-1]}}"#,
        format!("{row},").repeat(29),
        "-1,".repeat(29)
    );
    let answer = solved(&text);
    assert_eq!(answer["status"], "no_solution_found");
    assert_eq!(answer["reason"], "ray");
}

#[test]
fn a_friction_problem_slides_at_the_edge_of_its_cone() {
    let answer = solved(LOCAL);
    assert_eq!(answer["status"], "solved");
    assert_near(&answer["impulses"], &[2.0, -1.0]);
    assert_near(&answer["velocities"], &[0.0, 2.0]);
}

#[test]
fn the_standard_input_is_a_file_too() {
    let bench = Workbench::new();
    let mut command = bench.command(&["solve", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(WALL.as_bytes())
        .unwrap();
    let outcome = Outcome::from(child.wait_with_output().unwrap());
    assert_eq!(answer(&outcome), solved(WALL));
}

#[test]
fn numbers_read_back_exactly() {
    let text = r#"{"M": [[3, 0.1], [0.1, 7]], "q": [-0.1, -0.3]}"#;
    let answer = solved(text);
    let z = numbers(&answer["z"]);
    let again: Vec<f64> = z
        .iter()
        .map(|z| format!("{z:?}").parse().unwrap())
        .collect();
    assert_eq!(z, again);
    // Without a loss of digits on the way, w is zero to the last one or two.
    assert!((3.0 * z[0] + 0.1 * z[1] - 0.1).abs() <= 1e-16);
}

/// The JSON files of a folder of the shared data; none where it is not there.
fn stored(folder: &str) -> Vec<PathBuf> {
    let root = std::env::var_os("BANQUISE_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    paths.sort();
    paths
}

#[test]
fn every_stored_complementarity_problem_is_solved_or_proved_to_have_no_solution() {
    for path in stored("lcp") {
        let name = path.display();
        let answer = answer(&Workbench::new().run(&["solve", path.to_str().unwrap()]));
        let stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let listed = stored["solutions"].as_array().unwrap();
        if listed.is_empty() {
            assert_eq!(answer["status"], "no_solution_found", "{name}");
            assert_eq!(answer["reason"], "infeasible", "{name}");
            continue;
        }
        assert_eq!(answer["status"], "solved", "{name}");
        assert!(answer["residual"].as_f64().unwrap() <= 1e-12, "{name}");
        let z = numbers(&answer["z"]);
        let is_found = |listed: &Value| {
            let listed = numbers(listed);
            listed
                .iter()
                .zip(&z)
                .all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + a.abs()))
        };
        assert!(listed.iter().any(is_found), "{name}: {z:?} is not listed");
    }
}

#[test]
fn every_stored_friction_problem_is_solved() {
    for path in stored("friction2d") {
        let name = path.display();
        let answer = answer(&Workbench::new().run(&["solve", path.to_str().unwrap()]));
        assert_eq!(answer["status"], "solved", "{name}");
        assert!(answer["residual"].as_f64().unwrap() <= 1e-10, "{name}");
    }
}

/// Refused politely: status 2, nothing on stdout, no panic. Gives the words.
fn refusal(bench: &Workbench, arguments: &[&str]) -> String {
    let outcome = bench.run(arguments);
    assert_eq!(
        outcome.code,
        Some(2),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
    assert_eq!(outcome.stdout, "");
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    outcome.stderr
}

/// The problem of the wall with one text in place of another, which it must have.
fn wall(from: &str, to: &str) -> String {
    assert!(WALL.contains(from), "{from}");
    WALL.replacen(from, to, 1)
}

/// The problem in local form, with one text in place of another.
fn local(from: &str, to: &str) -> String {
    assert!(LOCAL.contains(from), "{from}");
    LOCAL.replacen(from, to, 1)
}

#[test]
fn files_that_are_no_problems_are_refused_with_a_reason() {
    let cases = [
        ("empty", String::new()),
        ("prose", "It was a dark and stormy night.".into()),
        ("cut short", WALL[..100].into()),
        ("two values", format!("{LCP} {LCP}")),
        ("a list", "[1, 2]".into()),
        ("another object", r#"{"a": 1}"#.into()),
        ("nested deep", "[".repeat(1000)),
        ("no q", r#"{"M": [[1]]}"#.into()),
        ("word for a number", r#"{"M": [["one"]], "q": [1]}"#.into()),
        ("null for a number", r#"{"M": [[null]], "q": [1]}"#.into()),
        (
            "number too large to read",
            r#"{"M": [[1e999]], "q": [1]}"#.into(),
        ),
        (
            "number too large to use",
            r#"{"M": [[1e200]], "q": [1]}"#.into(),
        ),
        ("M not square", r#"{"M": [[1, 2]], "q": [1]}"#.into()),
        (
            "M and q of different sizes",
            r#"{"M": [[1]], "q": [1, 2]}"#.into(),
        ),
        (
            "q given twice",
            r#"{"M": [[1]], "q": [1], "q": [2]}"#.into(),
        ),
        (
            "too many unknowns",
            format!(r#"{{"M": [], "q": [{}0]}}"#, "0,".repeat(20_000)),
        ),
        (
            "W as a matrix",
            r#"{"W": [[1, 0], [0, 1]], "q": [0, 0], "mu": [0]}"#.into(),
        ),
        ("W without columns", local("\"col\": [0, 1], ", "")),
        (
            "W with a row too few",
            local("\"row\": [0, 1]", "\"row\": [0]"),
        ),
        (
            "W beyond its size",
            local("\"row\": [0, 1]", "\"row\": [0, 2]"),
        ),
        (
            "W with a negative index",
            local("\"row\": [0, 1]", "\"row\": [0, -1]"),
        ),
        ("W with a negative diagonal", local("[1, 3]", "[1, -3]")),
        ("q without tangents", local("[-2, 5]", "[-2]")),
        ("negative mu", local("[0.5]", "[-0.5]")),
        (
            "too many contacts",
            local("[0.5]", &format!("[{}0]", "0,".repeat(100_000))),
        ),
        ("no contacts", r#"{"bodies": []}"#.into()),
        ("no mass", wall("\"mass\":1.0,", "")),
        ("zero mass", wall("\"mass\":1.0", "\"mass\":0")),
        ("negative inertia", wall("0.5", "-0.5")),
        ("velocity without rotation", wall("[1,0,0]", "[1,0]")),
        ("body that is not there", wall("\"b\":1", "\"b\":2")),
        ("body with itself", wall("\"b\":1", "\"b\":0")),
        ("two fixed bodies", wall("\"mass\":1.0", "\"fixed\":true")),
        (
            "normal too long",
            wall("\"normal\":[1,0]", "\"normal\":[1,1]"),
        ),
        (
            "normal of zeros",
            wall("\"normal\":[1,0]", "\"normal\":[0,0]"),
        ),
        ("negative friction", wall("0.7", "-0.7")),
        ("restitution above one", wall("0.4", "1.4")),
        ("unknown mode", wall("simultaneous", "alternating")),
        (
            "negative slack",
            wall("\"mode\"", "\"slack_velocity\":-1,\"mode\""),
        ),
    ];
    let bench = Workbench::new();
    let mut said = Vec::new();
    for (name, text) in &cases {
        bench.write("p.json", text);
        said.push(format!(
            "# {name}\n{}",
            refusal(&bench, &["solve", "p.json"])
        ));
    }
    bench.write("p.json", b"\x89PNG\r\n\x1a\n\0\xff");
    for (name, file) in [
        ("not text", "p.json"),
        ("not there", "nowhere.json"),
        ("a folder", "."),
    ] {
        said.push(format!("# {name}\n{}", refusal(&bench, &["solve", file])));
    }
    assert_snapshot!("solve_refused", said.join("\n"));
}

#[test]
fn only_capsules_can_be_replayed() {
    let bench = Workbench::new();
    bench.write("wall.json", WALL);
    bench.write("lcp.json", LCP);
    bench.write("half.json", WALL.replacen('{', "{\"capsule\":{},", 1));
    let mut said = String::new();
    for file in ["wall.json", "lcp.json", "half.json", "nowhere.json"] {
        said += &refusal(&bench, &["replay", file]);
    }
    assert_snapshot!("replay_refused", said);
}
