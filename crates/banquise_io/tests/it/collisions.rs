//! The log of collisions in the dataset: it adds up, it is cut back and goes on, it is exported and drawn.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use banquise::{NoTimer, RunState, Simulation};
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::recording::{Manifest, Recording, RecordingWriter, RunStatus};
use banquise_io::report::report;
use tempfile::tempdir;

const GAS: &str = r#"
[time]
duration = "60 s"
step = "0.5 s"
record_every = "5 s"
[domain]
edges = "walls"
size = ["100 m", "60 m"]
[contact]
restitution = 0.95
[drag]
enabled = false
[[floe]]
position = ["20 m", "20 m"]
disc = { radius = "8 m" }
thickness = "1 m"
velocity = ["2 m/s", "1 m/s"]
[[floe]]
position = ["60 m", "30 m"]
thickness = "1 m"
outline = { unit = "m", points = [[-9, -6], [9, -6], [9, 6], [-9, 6]] }
velocity = ["-1 m/s", "0.7 m/s"]
[[floe]]
position = ["30 m", "45 m"]
disc = { radius = "5 m" }
thickness = "1 m"
velocity = ["0.5 m/s", "-1.5 m/s"]
"#;

fn prepared(log: &str) -> (PreparedRun, Manifest) {
    let text = format!("{GAS}[report]\ncollisions = {log}\n");
    let plan = Plan::parse("gas", &text, &[], Path::new("")).unwrap();
    let run = plan.build().unwrap();
    let manifest = Manifest {
        title: run.title.clone(),
        version: "0".into(),
        scenario: text,
        overrides: vec![],
        start: None,
        origin: None,
        duration: run.duration,
        report: run.report.clone(),
    };
    (run, manifest)
}

fn go(simulation: &mut Simulation, time: f64) {
    let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
    assert!(flow.unwrap().is_continue());
}

/// Records from some record on, dropping what is written.
fn record(
    writer: &mut RecordingWriter,
    simulation: &mut Simulation,
    records: std::ops::RangeInclusive<u32>,
) {
    for number in records {
        go(simulation, 5.0 * f64::from(number));
        writer.record(simulation).unwrap();
        simulation.collisions.drop_waiting();
    }
}

fn whole(folder: &Path, log: &str) -> Simulation {
    let (run, manifest) = prepared(log);
    let mut simulation = run.simulation;
    let mut writer = RecordingWriter::create(folder, &manifest, &simulation).unwrap();
    record(&mut writer, &mut simulation, 0..=12);
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    simulation
}

#[test]
fn the_recorded_log_and_what_it_leaves_out_add_up_to_the_statistics() {
    for log in [
        "true",
        "{ every = 7 }",
        "{ sustained = false, min_approach_speed = \"1 m/s\" }",
        "{ min_impulse = \"50 kN s\", max_rows = 5 }",
    ] {
        let folder = tempdir().unwrap();
        let simulation = whole(folder.path(), log);
        let recording = Recording::open(folder.path()).unwrap();
        let rows = recording.collisions().unwrap();
        let left = recording.value("collision_log");
        let statistics = recording.value("contact_statistics");
        assert_eq!(left["rows"], rows.len(), "{log}");
        let collisions = rows.iter().filter(|row| row.is_collision).count() as u64;
        let collisions = collisions + left["left_out_collisions"].as_u64().unwrap();
        assert_eq!(statistics["collisions"], collisions, "{log}");
        let impulse: f64 = rows.iter().map(|row| row.normal_impulse).sum();
        let impulse = impulse + left["left_out_normal_impulse_n_s"].as_f64().unwrap();
        let expected = simulation.contact.normal_impulse;
        assert!((impulse / expected - 1.0).abs() < 1e-12, "{log}: {impulse}");
        assert!(!rows.is_empty(), "{log}");
    }
}

#[test]
fn a_recording_that_is_resumed_has_the_same_log_byte_for_byte() {
    let folders = [tempdir().unwrap(), tempdir().unwrap()];
    whole(folders[0].path(), "{ every = 2 }");
    let (run, manifest) = prepared("{ every = 2 }");
    let mut simulation = run.simulation;
    let second = folders[1].path();
    let mut writer = RecordingWriter::create(second, &manifest, &simulation).unwrap();
    record(&mut writer, &mut simulation, 0..=5);
    // A checkpoint between two records, and then a kill some records later.
    let stop = simulation.advance_to(1e9, &mut NoTimer, &mut |world, _| {
        if world.clock.time > 27.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(stop.unwrap().is_break());
    writer.record_collisions(&simulation).unwrap();
    simulation.collisions.drop_waiting();
    let (position, bytes) = (writer.position(), simulation.state_bytes());
    record(&mut writer, &mut simulation, 6..=9);
    writer.flush().unwrap();
    drop(writer);
    let plan = Plan::parse("gas", &manifest.scenario, &[], Path::new("")).unwrap();
    let mut resumed = plan
        .resume(RunState::from_bytes(&bytes).unwrap())
        .simulation;
    let mut writer = RecordingWriter::resume(second, &manifest, &resumed, &position).unwrap();
    record(&mut writer, &mut resumed, 6..=12);
    writer.finish(&resumed, RunStatus::Complete).unwrap();
    let rows = folders.iter().map(|folder| {
        Recording::open(folder.path())
            .unwrap()
            .collisions()
            .unwrap()
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows[0].len() > 3, "{}", rows[0].len());
    assert_eq!(rows[0], rows[1]);
    let bytes = |folder: &Path| {
        let chunk = folder.join("recording.zarr/collision_normal_impulse/c/0");
        fs::read(chunk).unwrap()
    };
    assert_eq!(bytes(folders[0].path()), bytes(second));
}

#[test]
fn the_report_draws_force_chains_from_the_log() {
    let folder = tempdir().unwrap();
    whole(folder.path(), "true");
    let report = report(folder.path()).unwrap();
    let chains = report
        .figures
        .iter()
        .find(|(file, _)| *file == "force_chains.svg");
    assert!(chains.is_some());
    let none = tempdir().unwrap();
    whole(none.path(), "false");
    let report = banquise_io::report::report(none.path()).unwrap();
    assert!(
        report
            .figures
            .iter()
            .all(|(file, _)| *file != "force_chains.svg")
    );
}
