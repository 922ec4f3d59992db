//! Runs that are stopped from outside: what was recorded stays readable.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workbench::Workbench;

/// A run too long to end by itself.
const LONG: [&str; 6] = [
    "run",
    "inertial-circle",
    "--set",
    "time.duration=20000 d",
    "--set",
    "time.record_every=1 d",
];

/// Starts the long run and waits until its dataset is there.
fn start(bench: &Workbench) -> Child {
    let child = bench
        .command(&LONG)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let metadata = bench.path("runs/inertial-circle/recording.zarr/x/zarr.json");
    while !metadata.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
        sleep(Duration::from_millis(1));
    }
    child
}

/// Lengths of the variables that grow with time.
fn lengths(bench: &Workbench) -> Vec<u64> {
    let path = bench.path("runs/inertial-circle/recording.zarr/zarr.json");
    let root: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let arrays = root["consolidated_metadata"]["metadata"]
        .as_object()
        .unwrap();
    arrays
        .values()
        .filter(|array| array["dimension_names"][0] == "time")
        .map(|array| array["shape"][0].as_u64().unwrap())
        .collect()
}

#[test]
fn an_interrupt_ends_the_run_in_order() {
    let bench = Workbench::new();
    let mut child = start(&bench);
    sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let attributes = bench.attributes("runs/inertial-circle");
    assert_eq!(attributes["status"], "interrupted");
    assert!(bench.path("runs/inertial-circle/report.html").is_file());
    let lengths = lengths(&bench);
    assert!(lengths[0] >= 2, "{lengths:?}");
    assert!(lengths.iter().all(|&length| length == lengths[0]));
    // The last record is the state it was stopped in.
    assert_eq!(bench.run(&["report", "runs/inertial-circle"]).code, Some(0));
}

#[test]
fn a_killed_run_leaves_a_dataset_that_opens() {
    // Moments spread over the first chunks, fixed so that a failure can be seen again.
    for milliseconds in [0, 7, 61, 240, 530] {
        let bench = Workbench::new();
        let mut child = start(&bench);
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None);
        let report = bench.run(&["report", "runs/inertial-circle"]);
        assert_eq!(report.code, Some(0), "{}", report.stderr);
        let attributes = bench.attributes("runs/inertial-circle");
        assert_eq!(attributes["status"], "running");
        let lengths = lengths(&bench);
        assert!(lengths.iter().all(|&length| length == lengths[0]));
    }
}

#[test]
fn a_killed_run_loses_a_few_seconds_at_most() {
    let bench = Workbench::new();
    let mut child = start(&bench);
    // Long enough for two flushes by the timer.
    sleep(Duration::from_secs(5));
    child.kill().unwrap();
    child.wait().unwrap();
    // One chunk is not full yet: only the timer can have flushed.
    let root = bench.path("runs/inertial-circle/recording.zarr/zarr.json");
    let age = std::fs::metadata(root).unwrap().modified().unwrap();
    let age = age.elapsed().unwrap();
    assert!(age < Duration::from_secs(5), "flushed {age:?} before");
    assert!(lengths(&bench)[0] > 1);
    let report = bench.run(&["report", "runs/inertial-circle"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
}
