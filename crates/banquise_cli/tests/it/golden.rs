//! The last state of the built-in scenarios, bit for bit.
//!
//! A change here is a change of results: say in the changelog why. The new table is what this test
//! prints when it fails. `cargo xtask test` runs it in a debug and in a release build, which must
//! agree.

use crate::workbench::Workbench;

/// Scenario, duration, state hash.
const GOLDEN: &[(&str, &str, &str)] = &[
    ("drift", "1 d", "e59d3ea481e499d9"),
    ("deviation", "1 d", "c61dba5adf748297"),
    ("inertial", "1 d", "baddfbd886138619"),
    ("inertial-circle", "3 d", "129d8e4029e0ee72"),
    ("characteristic-speed", "10 s", "b8242e970319855e"),
    ("eddy", "1 h", "0c962fc02a08a61a"),
    ("field", "2 min", "affa40a5ce53ff28"),
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
