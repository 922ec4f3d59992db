//! Problems that broke the solver: each has its verdict, judged by the independent checker.

use std::fs;
use std::path::Path;

use banquise_solver::{Problem, solve_impact};

use crate::infeasible::checked;

/// How a stored problem ends.
fn verdict_of(name: &str) -> &'static str {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let Problem::Contacts(before, settings) = Problem::from_json(&text).unwrap() else {
        panic!("{name} is no impact");
    };
    let mut after = before.clone();
    let report = solve_impact(&mut after, &settings);
    checked(&before, &after, &report)
}

#[test]
fn a_body_between_walls_that_close_has_no_solution() {
    assert_eq!(verdict_of("infeasible.json"), "kinematic");
}

#[test]
fn friction_between_moving_obstacles_has_no_solution() {
    for name in ["1", "10", "149"] {
        let name = format!("moving_obstacle_{name}.json");
        assert_eq!(verdict_of(&name), "locking", "{name}");
    }
}

#[test]
fn light_bodies_between_heavy_ones_do_not_approach() {
    for name in [
        "stack1e10_0",
        "stack1e10_10",
        "stack1e10_30",
        "chain50_1e10_0",
        "chain50_1e10_9",
        "chain50_1e10_19",
        "copies10_231",
    ] {
        assert_eq!(verdict_of(&format!("{name}.json")), "solved", "{name}");
    }
}
