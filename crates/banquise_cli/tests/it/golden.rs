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
        ["e59d3ea481e499d9", "d12d635a338006b4"],
    ),
    (
        &["deviation", "--set", "time.duration=1 d"],
        ["c61dba5adf748297", "07d824882f9f372c"],
    ),
    (
        &["inertial", "--set", "time.duration=1 d"],
        ["baddfbd886138619", "6c35f2e0b7cd4ea9"],
    ),
    (
        &["inertial-circle", "--set", "time.duration=3 d"],
        ["129d8e4029e0ee72", "afa3f65a30d93bb1"],
    ),
    (
        &["characteristic-speed", "--set", "time.duration=10 s"],
        ["b8242e970319855e", "d73ed614eb75c9b6"],
    ),
    (
        &["eddy", "--set", "time.duration=1 h"],
        ["0c962fc02a08a61a", "0bf5240f05617fb1"],
    ),
    (
        &["field", "--set", "time.duration=2 min"],
        ["affa40a5ce53ff28", "2b75771fa03c3ebd"],
    ),
];

/// Contacts by the event-driven integrator, with local time stepping.
const SHAKEN_BOX: &[Golden] = &[(
    &["shaken-box", "--set", "time.duration=20 min"],
    ["ce7088b3be7d287f", "3bdda57972291bb1"],
)];
const DRIFT_WEEK: &[Golden] = &[(
    &["drift-week", "--set", "time.duration=6 h"],
    ["220488db46b3583f", "5944d9d9a978d739"],
)];
const CHANNEL: &[Golden] = &[(
    &["channel", "--set", "time.duration=5 h"],
    ["f775dc468dc1d5cd", "81bc5d63164cbca9"],
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
    ["1fab57ee5f0f99de", "427a11dffc26f474"],
)];

/// Scenes of `bench`, event-driven and with fixed steps.
const SQUARE: &[Golden] = &[
    (
        &["square", "--steps", "50"],
        ["729ec51f59e07694", "a8a54ddf3b3e4599"],
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
        ["b5d472e1940c7762", "45da642c0dec4996"],
    ),
];
const JAM_DAY: &[Golden] = &[(
    &["jam-day", "--steps", "1200"],
    ["180c6cab8a0678ae", "dcbaa886f8cdd7c4"],
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
