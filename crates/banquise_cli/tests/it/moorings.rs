//! Mooring lines that break, and logs that are thinned: where a user reads of them.

use std::fs;

use serde_json::Value;

use crate::workbench::Workbench;

/// A floe on two lines in a rising wind, of which one breaks, and another that drifts down on it.
const MOORED: &str = r#"
[time]
duration = "1 h"
step = "1 s"
record_every = "1 min"

[wind]
series = [
  { time = "0 h", velocity = ["5 m/s", "0 m/s"] },
  { time = "1 h", velocity = ["15 m/s", "0 m/s"] },
]

[[floe]]
name = "moored"
thickness = "1 m"
air_drag_coefficient = 2e-3
disc = { radius = "30 m" }

[[floe]]
name = "adrift"
thickness = "1 m"
position = ["-90 m", "3 m"]
disc = { radius = "20 m" }

[[line]]
name = "weak"
from = { body = "moored", at = ["-30 m", "0 m"] }
to = { point = ["-130 m", "0 m"] }
stiffness = "2 kN/m"
damping = "40 kN s/m"
breaking_load = "400 N"

[[line]]
name = "strong"
from = { body = "moored" }
to = { point = ["-100 m", "0 m"] }
length = "150 m"
stiffness = "2 kN/m"
damping = "40 kN s/m"

[report]
collisions = { min_impulse = "1e6 kN s" }
"#;

#[test]
fn a_line_that_breaks_is_told_in_words_numbers_and_tables() {
    let bench = Workbench::with_scenario(MOORED);
    let summary = bench.run_json(&["s.toml", "--out", "out"]);
    let happened = summary["what_happened"].to_string();
    assert!(
        happened.contains("1 of 2 lines broke, the first (weak) after"),
        "{happened}"
    );
    let outcome = bench.run(&["report", "out", "--json"]);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let [weak, strong] = [0, 1].map(|line| &report["lines"][line]);
    let time = weak["broken_at_s"].as_f64().unwrap();
    assert!((1.0..3600.0).contains(&time), "{time}");
    assert!(weak["largest_recorded_tension_n"].as_f64().unwrap() <= 400.0);
    assert!(strong["broken_at_s"].is_null() && strong["line"] == "strong");
    assert!(bench.run(&["export", "out", "--to", "csv"]).code == Some(0));
    let table = |name: &str| fs::read_to_string(bench.path("out/csv").join(name)).unwrap();
    let lines = table("lines.csv");
    let header = "record,time [s],line,tension [N],length [m],broken_at [s]\n";
    assert!(lines.starts_with(header), "{lines}");
    assert_eq!(lines.lines().count(), 1 + 2 * 61);
    let last = lines.lines().rev().nth(1).unwrap();
    assert!(last.starts_with("60,3600,weak,,") && last.ends_with(&format!(",{time}")));
    let bodies = table("bodies.csv");
    let column = bodies.lines().next().unwrap().split(',');
    let column = column.collect::<Vec<_>>();
    let column = column
        .iter()
        .position(|name| *name == "air_drag_coefficient")
        .unwrap();
    let cells: Vec<&str> = bodies
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(column).unwrap())
        .collect();
    assert_eq!(cells, ["0.002", ""]);
}

#[test]
fn a_log_too_thin_for_force_chains_says_so() {
    let bench = Workbench::with_scenario(MOORED);
    let summary = bench.run_json(&["s.toml", "--out", "out"]);
    let trust = summary["how_far_to_trust_it"].to_string();
    assert!(
        trust.contains("The log of collisions keeps 0 of ") && trust.contains("there are none"),
        "{trust}"
    );
    let whole = [
        "s.toml",
        "--out",
        "whole",
        "--set",
        "report.collisions=true",
    ];
    let trust = bench.run_json(&whole)["how_far_to_trust_it"].to_string();
    assert!(!trust.contains("log of collisions"), "{trust}");
}
