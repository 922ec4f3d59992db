//! A run that stalls, and is killed then, keeps its records.

use std::env;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use banquise::NoTimer;
use banquise_io::plan::Plan;
use banquise_io::recording::{Manifest, Recording, RecordingWriter};
use tempfile::tempdir;

/// Names the folder in which `records_and_stalls` writes; without it that test does nothing.
const STALLED_FOLDER: &str = "BANQUISE_STALLED";
/// Records before the stall.
const RECORDS: u32 = 30;

const SCENARIO: &str = r#"
title = "stalled"
[time]
duration = "1 h"
step = "1 s"
record_every = "10 s"
[[floe]]
velocity = ["0.3 m/s", "0 m/s"]
thickness = "1 m"
disc = { radius = "50 m" }
"#;

/// Not a test by itself: the process that `a_stalled_run_keeps_its_records` kills.
#[test]
fn records_and_stalls() {
    let Some(folder) = env::var_os(STALLED_FOLDER) else {
        return;
    };
    let plan = Plan::parse("stalled", SCENARIO, &[], Path::new(""));
    let plan = plan.and_then(Plan::build).unwrap();
    let mut simulation = plan.simulation;
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: SCENARIO.into(),
        overrides: vec![],
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut writer = RecordingWriter::create(Path::new(&folder), &manifest, &simulation).unwrap();
    for record in 0..RECORDS {
        let time = 10.0 * f64::from(record);
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
    }
    // The step that never ends.
    loop {
        sleep(Duration::from_secs(1));
    }
}

fn spawn(folder: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "stalled::records_and_stalls"])
        .env(STALLED_FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_stalled_run_keeps_its_records() {
    let folder = tempdir().unwrap();
    let mut child = spawn(folder.path());
    let begun = Instant::now();
    let count = || {
        let recording = Recording::open(folder.path()).ok()?;
        recording.record_count().ok()
    };
    while count() != Some(RECORDS as usize) {
        // 2 s for the timer; the rest for machines that are slow to start a process.
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", count());
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        sleep(Duration::from_millis(20));
    }
    println!("all records are safe after {:?}", begun.elapsed());
    child.kill().unwrap();
    child.wait().unwrap();
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!(recording.record_count().unwrap(), RECORDS as usize);
    assert_eq!(recording.text("status"), "running");
    let last = recording.frame(RECORDS as usize - 1).unwrap();
    assert_eq!(last.time, 10.0 * f64::from(RECORDS - 1));
    assert!(last.is_alive(0) && last.positions[0].x > 0.0);
}
