//! The last state of the built-in scenarios, bit for bit.
//!
//! A change here is a change of results: say in the changelog why. The new table is what this test
//! prints when it fails. `cargo xtask test` runs it in a debug and in a release build, which must
//! agree.

use crate::workbench::Workbench;

/// Scenario, duration, state hash.
const GOLDEN: &[(&str, &str, &str)] = &[
    ("drift", "1 d", "ac47c3ce7565aee1"),
    ("deviation", "1 d", "c4292e10d8967836"),
    ("inertial", "1 d", "443fc3a3373bd194"),
    ("inertial-circle", "3 d", "3f976e7eebbd488e"),
    ("characteristic-speed", "10 s", "2c694a395903735e"),
    ("field", "2 min", "cc09b021982e659a"),
];

#[test]
fn golden_states_do_not_change() {
    let bench = Workbench::new();
    let found: Vec<(&str, &str, String)> = GOLDEN
        .iter()
        .map(|&(name, duration, _)| {
            let duration_key = format!("time.duration={duration}");
            let summary = bench.run_json(&[name, "--set", &duration_key, "--set", "report={}"]);
            let hash = summary["state_hash"].as_str().unwrap().to_owned();
            (name, duration, hash)
        })
        .collect();
    let same = |((_, _, golden), (_, _, hash)): (&(_, _, &str), &(_, _, String))| golden == hash;
    let is_unchanged = GOLDEN.iter().zip(&found).all(same);
    assert!(is_unchanged, "the states are now\n{found:#?}");
}
