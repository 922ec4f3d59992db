//! `--capture` and `banquise replay`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::workbench::Workbench;

/// Floes thrown into a corner, with the cone that lets energy grow in one impact of twenty.
const CROWD: &str = r#"title = "Crowd"
[time]
duration = "60 s"
step = "1 s"
[domain]
edges = "walls"
size = ["140 m", "140 m"]
[drag]
enabled = false
[contact]
mode = "simultaneous"
cone = "literal"
friction = 0.9
restitution = 0.9
[[force]]
acceleration = ["0.02 m/s2", "-0.05 m/s2"]
[[floe]]
position = ["10 m", "10 m"]
velocity = ["0.3 m/s", "-0.5 m/s"]
angular_velocity = "0.05 rad/s"
thickness = "1 m"
outline = { unit = "m", points = [[-8, -7], [7, -8], [9, 2], [1, 8], [-6, 5]] }
grid = { columns = 5, rows = 3, spacing = "20 m" }
[[floe]]
position = ["10 m", "70 m"]
velocity = ["0.3 m/s", "-0.5 m/s"]
thickness = "1 m"
friction = 0.7
restitution = 0.5
disc = { radius = "9 m" }
grid = { columns = 5, rows = 3, spacing = "20 m" }
"#;

fn replayed(bench: &Workbench, file: &str) -> Value {
    let outcome = bench.run(&["replay", file]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn suspicious_impacts_are_stored_and_come_out_again_bit_for_bit() {
    let bench = Workbench::with_scenario(CROWD);
    let summary = bench.run_json(&["s.toml", "--capture"]);
    let contact = &summary["contact"];
    let suspicious =
        contact["reflections"].as_u64().unwrap() + contact["reductions"].as_u64().unwrap();
    assert!(suspicious > 10, "{contact}");
    assert_eq!(contact["unsolved"], 0);
    let written = suspicious.min(100);
    assert_eq!(
        summary["capsules"],
        json!({ "directory": "runs/s/capsules", "suspicious": suspicious, "written": written })
    );
    let files = fs::read_dir(bench.path("runs/s/capsules")).unwrap();
    assert_eq!(files.count() as u64, written);
    let mut reasons = Vec::new();
    for number in 1..=written {
        let file = format!("runs/s/capsules/{number:04}.json");
        let answer = replayed(&bench, &file);
        assert_eq!(answer["identical"], true, "{file}");
        reasons.push(answer["capsule"]["reasons"].clone());
        // `solve` reads a capsule as the problem it is.
        let solved = bench.run(&["solve", &file]);
        let solved: Value = serde_json::from_str(&solved.stdout).unwrap();
        assert_eq!(solved["velocities"], answer["velocities"]);
        assert_eq!(solved["impulses"], answer["impulses"]);
    }
    assert!(reasons.contains(&json!(["reflected"])));
    assert!(reasons.contains(&json!(["restitution_reduced"])));
}

#[test]
fn files_end_at_a_hundred_and_the_rest_is_counted() {
    let crowd = CROWD
        .replace("60 s", "400 s")
        .replace("columns = 5", "columns = 6");
    let bench = Workbench::with_scenario(&crowd);
    let outcome = bench.run(&["run", "s.toml", "--capture"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let line = outcome
        .stderr
        .lines()
        .find(|line| line.starts_with("capsules: "))
        .unwrap();
    assert!(
        line.starts_with("capsules: 100 in runs/s/capsules, "),
        "{line}"
    );
    assert!(line.ends_with(" more not written"), "{line}");
    let files = fs::read_dir(bench.path("runs/s/capsules")).unwrap();
    assert_eq!(files.count(), 100);
}

#[test]
fn capture_changes_no_bit() {
    let bench = Workbench::with_scenario(CROWD);
    let with = bench.run_json(&["s.toml", "--capture"]);
    let without = bench.run_json(&["s.toml"]);
    assert_eq!(with["state_hash"], without["state_hash"]);
    assert_eq!(with["contact"], without["contact"]);
    assert_eq!(without.get("capsules"), None);
    assert!(!bench.path("runs/s-2/capsules").exists());
}

#[test]
fn a_changed_capsule_does_not_come_out_the_same() {
    let bench = Workbench::with_scenario(CROWD);
    bench.run_json(&["s.toml", "--capture"]);
    let file = bench.path("runs/s/capsules/0001.json");
    let mut capsule: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    capsule["contacts"][0]["friction"] = json!(0.1);
    bench.write("changed.json", capsule.to_string());
    assert_eq!(replayed(&bench, "changed.json")["identical"], false);
}

#[test]
fn an_undisturbed_run_has_no_capsules() {
    let bench = Workbench::with_scenario(crate::workbench::GOOD);
    let outcome = bench.run(&["run", "s.toml", "--capture"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("capsules: none"),
        "{}",
        outcome.stderr
    );
    assert!(!bench.path("runs/s/capsules").exists());
}

#[test]
fn the_table_of_steps_adds_up_to_the_totals() {
    let bench = Workbench::with_scenario(CROWD);
    let events = bench.run_json(&["s.toml", "--steps"]);
    adds_up(&bench.path("runs/s/steps.csv"), &events);
    // Floes that turn fast, and steps too long for some of them.
    let set = ["contact.integrator=\"stepping\"", "time.step=\"2 s\""];
    let arguments = [
        "s.toml", "--steps", "--set", set[0], "--set", set[1], "--out", "given",
    ];
    let given = bench.run_json(&arguments);
    adds_up(&bench.path("given/steps.csv"), &given);
    let shortened = [&events, &given].map(|run| run["contact"]["shortened"].as_u64().unwrap());
    assert_eq!(shortened, [0, 4]);
}

fn adds_up(table: &Path, summary: &Value) {
    let table = fs::read_to_string(table).unwrap();
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.iter().map(|value| value.parse().unwrap()).collect())
        .collect();
    assert_eq!(json!(rows.len()), summary["steps"]);
    let place = |name: &str| columns.iter().position(|&column| column == name).unwrap();
    for name in [
        "contacts",
        "islands",
        "impacts",
        "pivots",
        "shortened",
        "collisions",
    ] {
        let sum: f64 = rows.iter().map(|row| row[place(name)]).sum();
        assert_eq!(Some(sum), summary["contact"][name].as_f64(), "{name}");
    }
    let largest = rows
        .iter()
        .map(|row| row[place("residual")])
        .fold(0.0, f64::max);
    assert_eq!(Some(largest), summary["contact"]["max_residual"].as_f64());
}
