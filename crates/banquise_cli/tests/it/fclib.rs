//! `banquise solve` with files of FCLIB: problems written and read back, in both forms, and what is refused.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::Value;

use crate::bad_input::refusal;
use crate::workbench::{Outcome, Workbench};

/// A body of 1 kg that hits a wall at 1 m/s.
const WALL: &str = r#"{"bodies":[{"mass":1.0,"inertia":0.5,"position":[0,0],"velocity":[1,0.5,0]},
 {"fixed":true,"position":[2,0],"velocity":[0,0,0]}],
 "contacts":[{"a":0,"b":1,"point":[1,0],"normal":[1,0],"friction":0.2,"restitution":0}],"mode":"simultaneous"}"#;

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

#[test]
fn a_problem_has_the_same_impulses_in_all_forms() {
    let bench = Workbench::new();
    bench.write("wall.json", WALL);
    let of_bodies = numbers(&answer(&bench.run(&["solve", "wall.json"]))["impulses"]);
    for form in ["local", "global"] {
        let out = format!("{form}.hdf5");
        let written = answer(&bench.run(&["solve", "wall.json", "--fclib", &out, "--form", form]));
        assert_eq!(written["fclib"], out.as_str());
        let answer = answer(&bench.run(&["solve", &out]));
        assert_eq!(answer["status"], "solved");
        let impulses = numbers(&answer["impulses"]);
        for (a, b) in impulses.iter().zip(&of_bodies) {
            // Rounding of a handful of operations on numbers of order one.
            assert!(
                (a - b).abs() <= 1e-14,
                "{form}: {impulses:?}, {of_bodies:?}"
            );
        }
    }
    // What was read from one file of FCLIB can be written to another, without the bodies.
    answer(&bench.run(&["solve", "global.hdf5", "--fclib", "again.hdf5"]));
    let again = answer(&bench.run(&["solve", "again.hdf5"]));
    assert_eq!(
        again,
        answer(&bench.run(&["solve", "global.hdf5"])),
        "local form"
    );
}

/// A stored problem of more than 100 contacts in both forms.
#[test]
fn a_stored_problem_of_a_jam_is_solved_from_both_forms() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../banquise_solver/tests/corpus");
    let bench = Workbench::new();
    for name in ["fixed-61-200-jam-day-7641", "event-61-200-jam-4897"] {
        let text = fs::read_to_string(corpus.join(format!("{name}.json"))).unwrap();
        bench.write("jam.json", text);
        for form in ["local", "global"] {
            let out = format!("{name}-{form}.hdf5");
            answer(&bench.run(&["solve", "jam.json", "--fclib", &out, "--form", form]));
            let answer = answer(&bench.run(&["solve", &out]));
            assert_eq!(answer["status"], "solved", "{name}, {form}");
            assert!(answer["residual"].as_f64().unwrap() <= 1e-9);
        }
    }
}

#[test]
fn what_has_no_place_in_the_format_is_refused() {
    let bench = Workbench::new();
    bench.write("wall.json", WALL);
    bench.write("lcp.json", r#"{"M": [[2, 1], [1, 2]], "q": [-5, -6]}"#);
    bench.write(
        "local.json",
        r#"{"W": {"row": [0, 1], "col": [0, 1], "val": [1, 3]}, "q": [-2, 5], "mu": [0.5]}"#,
    );
    bench.write("empty.json", r#"{"bodies": [], "contacts": []}"#);
    let crushed = WALL.replace(
        "\"restitution\":0",
        "\"restitution\":0,\"largest_impulse\":1",
    );
    bench.write("crushed.json", crushed);
    bench.write("damaged.hdf5", b"\x89HDF\r\n\x1a\n and nothing of it");
    let cases: [&[&str]; 8] = [
        &["solve", "lcp.json", "--fclib", "out.hdf5"],
        &["solve", "crushed.json", "--fclib", "out.hdf5"],
        &["solve", "empty.json", "--fclib", "out.hdf5"],
        &[
            "solve",
            "local.json",
            "--fclib",
            "out.hdf5",
            "--form",
            "global",
        ],
        &["solve", "wall.json", "--fclib", "lcp.json"],
        &["solve", "wall.json", "--fclib", "no/folder/out.hdf5"],
        &["solve", "wall.json", "--form", "global"],
        &["solve", "damaged.hdf5"],
    ];
    let said = cases.map(|case| format!("# {}\n{}", case.join(" "), refusal(&bench, case)));
    assert_snapshot!("fclib_refused", said.join("\n"));
}
