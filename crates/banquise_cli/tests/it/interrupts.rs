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
fn lengths(bench: &Workbench, run: &str) -> Vec<u64> {
    let path = bench.path(&format!("runs/{run}/recording.zarr/zarr.json"));
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
    let lengths = lengths(&bench, "inertial-circle");
    assert!(lengths[0] >= 2, "{lengths:?}");
    assert!(lengths.iter().all(|&length| length == lengths[0]));
    // The last record is the state it was stopped in.
    assert_eq!(bench.run(&["report", "runs/inertial-circle"]).code, Some(0));
}

/// 900 squares that the wind presses together: a solve takes seconds.
const SLOW: &str = r#"
[time]
duration = "10 min"
step = "1 s"
record_every = "1 s"
[domain]
edges = "walls"
size = ["310 m", "310 m"]
[wind]
velocity = ["10 m/s", "0 m/s"]
[contact]
friction = 2.0
restitution = 0.2
integrator = "stepping"
[[floe]]
outline = { unit = "m", points = [[0, 0], [10, 0], [10, 10], [0, 10]] }
thickness = "1 m"
grid = { columns = 30, rows = 30, spacing = "10.05 m" }
"#;

/// State of a process, and the processor time it has taken [s]. An ended process stays there until it is waited for.
fn process(id: u32) -> (char, f64) {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // The name, in brackets, may have spaces.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
    let ticks = |field: usize| fields[field].parse::<f64>().unwrap();
    // Linux counts a hundred ticks a second for every program.
    (
        fields[1].chars().next().unwrap(),
        0.01 * (ticks(12) + ticks(13)),
    )
}

#[test]
fn an_interrupt_ends_a_long_solve_within_a_second() {
    let bench = Workbench::new();
    std::fs::write(bench.path("slow.toml"), SLOW).unwrap();
    let mut child = bench
        .command(&["run", "slow.toml", "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    sleep(Duration::from_secs(3));
    let id = child.id().to_string();
    let (_, before) = process(child.id());
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    // Processor time: other tests may hold the processors for any time.
    let taken = loop {
        let (state, taken) = process(child.id());
        if state == 'Z' {
            break taken - before;
        }
        sleep(Duration::from_millis(1));
    };
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(taken < 1.0, "{taken} s");
    let attributes = bench.attributes("runs/slow");
    assert_eq!(attributes["status"], "interrupted");
    assert!(lengths(&bench, "slow")[0] >= 1);
    assert_eq!(bench.run(&["report", "runs/slow"]).code, Some(0));
    // Within a step there is no last state, and no hash of one.
    assert_eq!(attributes.get("state_hash"), None);
    let rerun = bench.run(&["rerun", "runs/slow"]);
    assert_eq!(rerun.code, Some(2), "{}", rerun.stderr);
    assert!(rerun.stderr.contains("within a step"), "{}", rerun.stderr);
}

#[test]
fn a_termination_lets_a_long_step_end_and_keeps_its_state() {
    let bench = Workbench::new();
    // Steps of some hundredths of a second.
    let text = SLOW.replace("columns = 30, rows = 30", "columns = 9, rows = 9");
    let text = text.replace("\"310 m\"", "\"94 m\"");
    std::fs::write(bench.path("slow.toml"), text).unwrap();
    let mut child = bench
        .command(&["run", "slow.toml", "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !bench.path("runs/slow/checkpoint.bin").exists() {
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_secs(2));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let attributes = bench.attributes("runs/slow");
    assert_eq!(attributes["status"], "interrupted");
    let checkpoint = std::fs::read(bench.path("runs/slow/checkpoint.bin")).unwrap();
    let checkpoint = banquise_io::checkpoint::Checkpoint::from_bytes(&checkpoint).unwrap();
    // Only on a machine on which such a step takes five seconds is it broken off.
    if let Some(hash) = attributes.get("state_hash") {
        assert_eq!(*hash, checkpoint.header.state_hash);
        assert_eq!(attributes["steps"], checkpoint.header.steps);
        assert!(checkpoint.header.steps > 0);
    }
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
        let lengths = lengths(&bench, "inertial-circle");
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
    assert!(lengths(&bench, "inertial-circle")[0] > 1);
    let report = bench.run(&["report", "runs/inertial-circle"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
}
