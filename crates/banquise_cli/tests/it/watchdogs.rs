//! Runs that stop by themselves: the step that failed is kept, and is taken again.

use std::fs;

use serde_json::Value;

use crate::workbench::Workbench;

/// A floe between a press and an anvil, for which rigid ice has no answer.
const SQUEEZED: &str = r#"
[time]
duration = "200 s"
step = "1 s"
record_every = "7 s"
[[floe]]
name = "squeezed"
thickness = "1 m"
outline = { unit = "m", points = [[0, 0], [10, 0], [10, 10], [0, 10]] }
[[obstacle]]
name = "anvil"
position = ["30 m", "5 m"]
outline = { unit = "m", points = [[-5, -30], [5, -30], [5, 30], [-5, 30]] }
[[obstacle]]
name = "press"
outline = { unit = "m", points = [[-5, -30], [5, -30], [5, 30], [-5, 30]] }
path = [
  { time = "0 s", position = ["-20 m", "5 m"] },
  { time = "200 s", position = ["25 m", "5 m"] },
]
"#;

/// A disc pushed to and fro without drag.
const PUSHED: &str = r#"
[time]
duration = "4 min"
step = "1 s"
[drag]
enabled = false
[[floe]]
thickness = "1 m"
disc = { radius = "10 m" }
[[force]]
force = ["10 kN", "0 N"]
period = "60 s"
phase = "90 deg"
"#;

#[test]
fn a_force_that_takes_back_what_it_gave_stops_no_run() {
    let outcome = Workbench::with_scenario(PUSHED).run(&["run", "s.toml"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}

#[test]
fn forces_in_another_unit_than_the_header_of_their_file_are_refused() {
    let text = PUSHED.replace(
        "force = [\"10 kN\", \"0 N\"]\nperiod = \"60 s\"\nphase = \"90 deg\"",
        "series = \"push.csv\"\ncolumns = { time = \"time\", x = \"x\", y = \"y\" }",
    );
    let bench = Workbench::with_scenario(&text);
    bench.write(
        "push.csv",
        "time [s],x [kN],y [kN]\n0,0,0\n60,10,0\n120,0,0\n",
    );
    let outcome = bench.run(&["check", "s.toml"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    let told = "gives forces in kN, and they are read in N";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
    bench.write("s.toml", text + "unit = \"kN\"\n");
    assert_eq!(bench.run(&["check", "s.toml"]).code, Some(0));
}

#[test]
fn a_step_that_fails_is_kept_and_fails_again_when_it_is_replayed() {
    let bench = Workbench::with_scenario(SQUEEZED);
    let outcome = bench.run(&[
        "run",
        "s.toml",
        "--out",
        "run",
        "--checkpoint-every-simulated",
        "30 s",
    ]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let line = outcome
        .stderr
        .lines()
        .find(|line| line.starts_with("capsule: banquise replay "));
    let path = line.unwrap().rsplit(' ').next().unwrap();
    let replayed = bench.run(&["replay", path]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    let answer: Value = serde_json::from_str(&replayed.stdout).unwrap();
    assert_eq!(answer["identical"], true, "{answer}");
    assert_eq!(answer["state_is_whole"], true, "{answer}");
    let message = answer["error"].as_str().unwrap();
    assert!(message.contains("squeezed between"), "{message}");
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    assert_eq!(bench.attributes("run")["status"], "failed");
    // A capsule is no checkpoint, and a checkpoint no capsule.
    let refused = bench.run(&["replay", "run/checkpoint.bin"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("banquise resume"),
        "{}",
        refused.stderr
    );
    let mut damaged = fs::read(bench.path(path)).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    bench.write("damaged.bin", damaged);
    let refused = bench.run(&["replay", "damaged.bin"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("checksum"), "{}", refused.stderr);
}

#[test]
fn a_watchdog_stops_the_run_or_counts_its_events() {
    let bench = Workbench::with_scenario(crate::workbench::GOOD);
    let strict = ["run", "s.toml", "--min-step", "1 h"];
    let counted = bench.run(&[&strict[..], &["--out", "counted", "--json"]].concat());
    assert_eq!(counted.code, Some(0), "{}", counted.stderr);
    let summary: Value = serde_json::from_str(&counted.stdout).unwrap();
    assert_eq!(summary["watchdogs"]["step"], summary["steps"]);
    assert_eq!(summary["watchdogs"]["energy"], 0);
    assert!(
        counted.stderr.contains("watchdogs: step "),
        "{}",
        counted.stderr
    );
    let stopped = bench.run(&[&strict[..], &["--out", "stopped", "--watch", "step=stop"]].concat());
    assert_eq!(stopped.code, Some(1), "{}", stopped.stderr);
    assert!(
        stopped
            .stderr
            .contains("error: step 0 at 0 s: the step is 10.0 s"),
        "{}",
        stopped.stderr
    );
    let replayed = bench.run(&["replay", "stopped/capsules/step-0.bin"]);
    let answer: Value = serde_json::from_str(&replayed.stdout).unwrap();
    assert_eq!(
        (&answer["dt_s"], &answer["error"]),
        (&10.0.into(), &Value::Null)
    );
    // It goes on under another policy.
    let hint = "banquise resume stopped --watch NAME=continue";
    assert!(stopped.stderr.contains(hint), "{}", stopped.stderr);
    let again = bench.run(&["resume", "stopped"]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    let again = bench.run(&["resume", "stopped", "--watch", "step=continue", "--json"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["state_hash"], summary["state_hash"]);
    assert_eq!(again["watchdogs"]["step"], summary["steps"]);
    // A variant has the watchdogs of its origin.
    let longer = ["--set", "time.duration=2 h", "--out", "longer", "--json"];
    let longer = bench.run(&[&["resume", "counted"][..], &longer].concat());
    let longer: Value = serde_json::from_str(&longer.stdout).unwrap();
    let made = longer["steps"].as_u64().unwrap() - summary["steps"].as_u64().unwrap();
    assert_eq!(longer["watchdogs"]["step"], made);
    let refused = bench.run(&["run", "s.toml", "--watch", "speed=stop"]);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn a_complete_run_is_told_as_json_too() {
    let bench = Workbench::with_scenario(crate::workbench::GOOD);
    let run = bench.run_json(&["s.toml", "--out", "run"]);
    let again = bench.run(&["resume", "run", "--json"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let told: Value = serde_json::from_str(&again.stdout).unwrap();
    for key in ["status", "steps", "state_hash", "simulated_s", "dataset"] {
        assert_eq!(told[key], run[key], "{key}");
    }
}

/// With the laws other than Coulomb's, discs touch, and overlap by the tolerance of the solver.
#[test]
fn discs_that_touch_to_the_tolerance_of_the_solver_are_no_event() {
    let bench = Workbench::new();
    let duration = ["--set", "time.duration=6 s"];
    let summary = bench.run_json(&[&["crowd-door", "--out", "crowd"], &duration[..]].concat());
    assert_eq!(summary["status"], "complete");
    // Overlaps are looked for at every 256th step.
    assert!(summary["steps"].as_u64().unwrap() > 256);
}
