//! The last state of built-in scenarios and benchmark scenes, bit for bit.
//!
//! A change here is a change of results: say in the changelog why, and by how much. The new table is what a test prints when
//! it fails. `cargo xtask test` runs these tests in a debug and in a release build, which must agree.

use serde_json::Value;

use crate::workbench::Workbench;

/// A scene with its arguments, and the motion hash and the state hash at its end.
type Golden = (&'static [&'static str], [&'static str; 2]);

/// Free drift: no contact in any of them.
const DRIFT: &[Golden] = &[
    (
        &["drift", "--set", "time.duration=1 d"],
        ["e59d3ea481e499d9", "fa21a1f603e03e69"],
    ),
    (
        &["deviation", "--set", "time.duration=1 d"],
        ["c61dba5adf748297", "78008b4ba6a20486"],
    ),
    (
        &["inertial", "--set", "time.duration=1 d"],
        ["baddfbd886138619", "4e74e18ca302d877"],
    ),
    (
        &["inertial-circle", "--set", "time.duration=3 d"],
        ["129d8e4029e0ee72", "2d91f1b5c947dee6"],
    ),
    (
        &["characteristic-speed", "--set", "time.duration=10 s"],
        ["b8242e970319855e", "b608f33d896330d2"],
    ),
    (
        &["eddy", "--set", "time.duration=1 h"],
        ["0c962fc02a08a61a", "6852a8d7335334a9"],
    ),
    (
        &["field", "--set", "time.duration=2 min"],
        ["affa40a5ce53ff28", "4c089f3ee4d80b5f"],
    ),
];

/// Contacts by the event-driven integrator, with local time stepping.
const SHAKEN_BOX: &[Golden] = &[(
    &["shaken-box", "--set", "time.duration=20 min"],
    ["ce7088b3be7d287f", "580f2c54e5a26b2d"],
)];
const DRIFT_WEEK: &[Golden] = &[(
    &["drift-week", "--set", "time.duration=6 h"],
    ["7cccabe81ea103f6", "15f87f1f057259b6"],
)];
const CHANNEL: &[Golden] = &[(
    &["channel", "--set", "time.duration=5 h"],
    ["f775dc468dc1d5cd", "1e02834c917832de"],
)];
/// Contacts by the event-driven integrator with one step for all bodies.
const COMMON_STEP: &[Golden] = &[(
    &[
        "shaken-box",
        "--set",
        "time.duration=3 min",
        "--set",
        "contact.local_time=false",
    ],
    ["1fab57ee5f0f99de", "2a9fa16ba31ab13c"],
)];

/// Scenes of `bench`, event-driven and with fixed steps.
const SQUARE: &[Golden] = &[
    (
        &["square", "--steps", "50"],
        ["729ec51f59e07694", "aa6e01373299aa4a"],
    ),
    (
        &[
            "square",
            "--steps",
            "300",
            "--set",
            "contact.integrator=stepping",
            "--set",
            "time.step=2 s",
        ],
        ["b5d472e1940c7762", "c9f3833ffdf55dd1"],
    ),
];
const JAM_DAY: &[Golden] = &[(
    &["jam-day", "--steps", "1200"],
    ["180c6cab8a0678ae", "8015d29b71878ea6"],
)];

#[test]
fn drift_does_not_change() {
    check("run", DRIFT);
}

#[test]
fn shaken_box_does_not_change() {
    check("run", SHAKEN_BOX);
}

#[test]
fn drift_week_does_not_change() {
    check("run", DRIFT_WEEK);
}

#[test]
fn channel_does_not_change() {
    check("run", CHANNEL);
}

#[test]
fn common_step_does_not_change() {
    check("run", COMMON_STEP);
}

#[test]
fn bench_square_does_not_change() {
    check("bench", SQUARE);
}

#[test]
fn bench_jam_day_does_not_change() {
    check("bench", JAM_DAY);
}

/// Compares the last states on one and on three threads with the table.
fn check(verb: &str, golden: &[Golden]) {
    for threads in ["1", "3"] {
        let found: Vec<(&[&str], [String; 2])> = golden
            .iter()
            .map(|&(arguments, _)| (arguments, last_hashes(verb, arguments, threads)))
            .collect();
        let is_unchanged = golden
            .iter()
            .zip(&found)
            .all(|((_, golden), (_, hash))| golden == hash);
        assert!(
            is_unchanged,
            "on {threads} thread(s) the states are now\n{found:#?}"
        );
    }
}

fn last_hashes(verb: &str, arguments: &[&str], threads: &str) -> [String; 2] {
    let bench = Workbench::new();
    let threads = ["--threads", threads, "--json"];
    let report: &[&str] = match verb {
        "run" => &["--set", "report={}"],
        _ => &[],
    };
    let outcome = bench.run(&[&[verb], arguments, report, &threads].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let summary: Value = serde_json::from_str(&outcome.stdout).unwrap();
    ["motion_hash", "state_hash"].map(|key| summary[key].as_str().unwrap().to_owned())
}
