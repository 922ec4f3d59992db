//! Recordings written and read back, whole and damaged.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use banquise::{Domain, NoTimer};
use banquise_io::plan::Plan;
use banquise_io::recording::{DATASET, Manifest, Recording, RecordingWriter, RunStatus};
use banquise_io::report::report;
use banquise_io::zarr::ZarrError;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

const SCENARIO: &str = r#"
[time]
duration = "1 min"
step = "10 s"
[domain]
edges = "periodic"
size = ["10 km", "5 km"]
[wind]
velocity = ["5 m/s", "1 m/s"]
[coriolis]
latitude = "81 degN"
[[floe]]
name = "square"
position = ["9.99 km", "1 km"]
velocity = ["1 m/s", "0.3 m/s"]
angular_velocity = "1e-3 rad/s"
thickness = "1 m"
outline = { unit = "m", points = [[0, 0], [100, 0], [100, 100], [0, 90]] }
[[floe]]
position = ["3 km", "3 km"]
thickness = "0.5 m"
disc = { radius = "50 m" }
[[obstacle]]
name = "rock"
position = ["6 km", "2 km"]
disc = { radius = "10 m", sides = 5 }
"#;

/// What a record should hold of `x`, `heading` and `kinetic_energy`.
type Seen = (Vec<f64>, Vec<f64>, f64);

/// Runs the scenario into a new folder and says what was seen.
fn record() -> (TempDir, Vec<Seen>) {
    let folder = tempdir().unwrap();
    let plan = Plan::parse("tiny", SCENARIO, &[], Path::new(""))
        .unwrap()
        .build()
        .unwrap();
    let mut simulation = plan.simulation;
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: SCENARIO.into(),
        overrides: vec!["a=1".into()],
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut writer = RecordingWriter::create(folder.path(), &manifest, &simulation).unwrap();
    let mut seen = Vec::new();
    for record in 0..7 {
        let time = f64::from(record) * 10.0;
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
        let world = &simulation.world;
        let rows = 0..world.bodies.len();
        let motions = world.bodies.motions();
        seen.push((
            rows.map(|row| world.unwrapped_position(row).x).collect(),
            motions.iter().map(|m| m.pose.rotation.angle()).collect(),
            world.kinetic_energy(),
        ));
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    (folder, seen)
}

#[test]
fn values_come_back_bit_for_bit() {
    let (folder, seen) = record();
    let recording = Recording::open(folder.path()).unwrap();
    let times: Vec<f64> = (0..7).map(|i| f64::from(i) * 10.0).collect();
    assert_eq!(recording.series("time").unwrap(), times);
    let energies = recording.series("kinetic_energy").unwrap();
    for (index, (x, heading, energy)) in seen.iter().enumerate() {
        assert_eq!(&recording.bodies_at("x", index).unwrap(), x);
        assert_eq!(&recording.bodies_at("heading", index).unwrap(), heading);
        assert_eq!(energies[index].to_bits(), energy.to_bits());
    }
    // The square has left the cell in the east; its path goes on.
    assert!(seen[6].0[0] > 10_000.0);
}

#[test]
fn bodies_and_manifest_come_back() {
    let (folder, _) = record();
    let recording = Recording::open(folder.path()).unwrap();
    let table = recording.body_table().unwrap();
    assert_eq!(table.names, ["square", "", "rock"]);
    assert_eq!(table.is_obstacle, [false, false, true]);
    let counts: Vec<usize> = table.outlines.iter().map(Vec::len).collect();
    assert_eq!(counts, [4, 0, 5]);
    assert_eq!(table.discs[1].map(|(_, radius)| radius), Some(50.0));
    assert_eq!((table.discs[0], table.masses[2]), (None, f64::INFINITY));
    assert_eq!(recording.text("title"), "tiny");
    assert_eq!(recording.text("scenario"), SCENARIO);
    assert_eq!(recording.text("status"), "complete");
    assert_eq!(recording.texts("scenario_overrides"), ["a=1"]);
    assert_eq!(recording.number("duration_s"), Some(60.0));
    assert_eq!(recording.snapshots(), [0.0, 20.0, 40.0, 60.0]);
    assert!(matches!(recording.domain(), Domain::Periodic(cell) if cell.max.x == 10_000.0));
    let report = report(folder.path()).unwrap();
    let files: Vec<&str> = report.figures.iter().map(|(file, _)| *file).collect();
    let expected = [
        "trajectories.svg",
        "configuration.svg",
        "speed.svg",
        "kinetic_energy.svg",
        "wind.svg",
        "work.svg",
        "drift_angle.svg",
        "drift_factor.svg",
    ];
    assert_eq!(files, expected, "two floes that touch nothing");
}

/// A floe between walls and a rock, which it hits by turns.
const BOUNCING: &str = r#"
[time]
duration = "200 s"
step = "1 s"
[domain]
edges = "walls"
size = ["100 m", "100 m"]
[contact]
restitution = 1.0
[drag]
enabled = false
[[floe]]
position = ["50 m", "50 m"]
velocity = ["1 m/s", "0 m/s"]
thickness = "1 m"
disc = { radius = "10 m" }
[[obstacle]]
name = "rock"
position = ["10 m", "50 m"]
disc = { radius = "5 m" }
"#;

#[test]
fn loads_come_back_by_obstacle_and_wall() {
    let folder = tempdir().unwrap();
    let plan = Plan::parse("tiny", BOUNCING, &[], Path::new(""))
        .unwrap()
        .build()
        .unwrap();
    let mut simulation = plan.simulation;
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: BOUNCING.into(),
        overrides: vec![],
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut writer = RecordingWriter::create(folder.path(), &manifest, &simulation).unwrap();
    let mut seen = Vec::new();
    for record in 0..5 {
        let time = f64::from(record) * 50.0;
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
        let world = &simulation.world;
        seen.push([
            world.bodies.contact_loads()[1].normal,
            world.wall_loads[1].normal,
        ]);
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    let recording = Recording::open(folder.path()).unwrap();
    let table = recording.loads().unwrap();
    let names = ["rock", "west wall", "east wall", "south wall", "north wall"];
    assert_eq!(table.names, names);
    for (record, [rock, east]) in seen.iter().enumerate() {
        assert_eq!(table.normal[0][record], *rock);
        assert_eq!(table.normal[2][record], *east);
        assert_eq!(table.normal[1][record], 0.0);
    }
    // 40 m to the wall, then 65 m from one to the other, at 1 m/s.
    assert!(table.normal[2][1] > 0.0 && table.normal[0][1] == 0.0);
    assert_eq!(
        table.largest[0],
        simulation.world.bodies.contact_loads()[1].largest
    );
    let collisions = recording.series("collision_count").unwrap();
    assert_eq!(collisions, [0.0, 1.0, 1.0, 2.0, 3.0]);
    with_metadata(folder.path(), |root| {
        root["attributes"]["obstacle_names"] = json!(["rock"]);
    });
    assert!(report(folder.path()).is_err(), "a column without its name");
}

/// A disc and a square that the wind presses on a wall, one behind the other, with a record for each step.
const PRESSED: &str = r#"
[time]
duration = "10 min"
step = "5 s"
record_every = "5 s"
[domain]
edges = "walls"
size = ["1 km", "1 km"]
[contact]
integrator = "stepping"
[report]
contact_forces = true
[wind]
velocity = ["20 m/s", "0 m/s"]
[[floe]]
position = ["949 m", "500 m"]
thickness = "1 m"
disc = { radius = "50 m" }
[[floe]]
position = ["790 m", "450 m"]
thickness = "1 m"
outline = { unit = "m", points = [[0, 0], [100, 0], [100, 100], [0, 100]] }
"#;

#[test]
fn forces_of_single_contacts_add_up_to_the_load_of_the_wall() {
    let folder = tempdir().unwrap();
    let plan = Plan::parse("pressed", PRESSED, &[], Path::new(""))
        .unwrap()
        .build()
        .unwrap();
    let mut simulation = plan.simulation;
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: PRESSED.into(),
        overrides: vec![],
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut writer = RecordingWriter::create(folder.path(), &manifest, &simulation).unwrap();
    writer.record(&simulation).unwrap();
    for record in 1..=120 {
        let time = 5.0 * f64::from(record);
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    let recording = Recording::open(folder.path()).unwrap();
    let forces = recording.contact_forces().unwrap();
    let last: Vec<_> = forces.iter().filter(|force| force.time == 600.0).collect();
    let wall: Vec<_> = last.iter().filter(|force| force.other.is_none()).collect();
    let loads = recording.loads().unwrap();
    let east = loads
        .names
        .iter()
        .position(|name| name == "east wall")
        .unwrap();
    let gain = loads.normal[east][120] - loads.normal[east][119];
    let sum: f64 = wall.iter().map(|force| force.normal).sum();
    // The sum over a run of 120 steps is rounded to some 1e-14 of itself.
    assert!((sum - gain / 5.0).abs() < 1e-10 * sum, "{sum} {gain}");
    // The wall bears both floes, and what is between them bears the one behind.
    let drag = |area: f64| 1.341 * 1.35e-3 * 400.0 * area;
    let disc = std::f64::consts::PI * 2500.0;
    assert!((sum / drag(disc + 1e4) - 1.0).abs() < 0.01, "{sum}");
    let between: Vec<_> = last.iter().filter(|force| force.other.is_some()).collect();
    let sum: f64 = between.iter().map(|force| force.normal).sum();
    assert!((sum / drag(1e4) - 1.0).abs() < 0.01, "{sum}");
    // The disc touches the wall in the east, and the square in the west.
    assert!((wall[0].point.x - 1000.0).abs() < 2.0 && wall[0].body == 0);
    assert!((between[0].point.x - 900.0).abs() < 3.0);
    let report = report(folder.path()).unwrap();
    assert!(
        report
            .findings
            .happened
            .iter()
            .any(|text| text.contains("east wall"))
    );
}

#[test]
fn several_ocean_cells_are_recorded_and_drawn_and_one_is_not() {
    let layer = "[ocean_layer]\ncells = [3, 2]\neddy_viscosity = \"1 m2/s\"\n";
    let wind = "[wind]\nvelocity = [\"5 m/s\", \"1 m/s\"]\n";
    for (more, has_cells) in [(layer, true), ("[ocean_layer]\ncells = [1, 1]\n", false)] {
        let folder = tempdir().unwrap();
        // The ice must feel the water.
        let bouncing = BOUNCING.replace("[drag]\nenabled = false\n", "");
        let text = format!("{bouncing}\n{more}{wind}");
        let plan = Plan::parse("tiny", &text, &[], Path::new(""));
        let plan = plan.and_then(Plan::build).unwrap();
        let mut simulation = plan.simulation;
        let manifest = Manifest {
            title: plan.title,
            version: "0".into(),
            scenario: text,
            overrides: vec![],
            start: None,
            origin: None,
            duration: plan.duration,
            report: plan.report,
        };
        let mut writer = RecordingWriter::create(folder.path(), &manifest, &simulation).unwrap();
        writer.record(&simulation).unwrap();
        let flow = simulation.advance_to(50.0, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
        writer.finish(&simulation, RunStatus::Complete).unwrap();
        let recording = Recording::open(folder.path()).unwrap();
        assert_eq!(recording.has_ocean_cells(), has_cells);
        let figures = report(folder.path()).unwrap().figures;
        let is_drawn = figures.iter().any(|(name, _)| *name == "ocean_cells.svg");
        assert_eq!(is_drawn, has_cells);
        if has_cells {
            let last = recording.bodies_at("ocean_velocity_x", 1).unwrap();
            let cells = simulation.world.ocean_velocities.iter();
            assert_eq!(last, cells.map(|velocity| velocity.x).collect::<Vec<f64>>());
        }
    }
}

#[test]
fn nothing_but_the_whole_dataset_is_in_the_folder() {
    let (folder, _) = record();
    let entries = fs::read_dir(folder.path()).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [DATASET]);
}

/// Opens the recording with other metadata.
fn with_metadata(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join(DATASET).join("zarr.json");
    let mut root: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut root);
    fs::write(&path, root.to_string()).unwrap();
}

/// The error of opening and of reporting, which must be one.
fn refusal(folder: &Path) -> ZarrError {
    assert!(report(folder).is_err());
    let opened = Recording::open(folder).and_then(|recording| recording.body_table().map(drop));
    opened.expect_err("damaged")
}

#[test]
fn arrays_of_different_lengths_are_refused() {
    for (name, shape) in [
        ("area", json!([2])),
        ("is_obstacle", json!([1])),
        ("disc_radius", json!([0])),
        ("outline_x", json!([3])),
        ("kinetic_energy", json!([6])),
        ("x", json!([6, 3])),
    ] {
        let (folder, _) = record();
        with_metadata(folder.path(), |root| {
            root["consolidated_metadata"]["metadata"][name]["shape"] = shape;
        });
        let error = refusal(folder.path());
        assert!(error.to_string().contains("as long as"), "{name}: {error}");
    }
}

#[test]
fn missing_variables_are_named() {
    for name in [
        "time",
        "x",
        "area",
        "outline_start",
        "is_obstacle",
        "work_wind",
    ] {
        let (folder, _) = record();
        with_metadata(folder.path(), |root| {
            let arrays = &mut root["consolidated_metadata"]["metadata"];
            arrays.as_object_mut().unwrap().remove(name);
        });
        let error = refusal(folder.path());
        assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn variables_on_other_dimensions_are_refused() {
    let (folder, _) = record();
    with_metadata(folder.path(), |root| {
        let names = json!(["body", "time"]);
        root["consolidated_metadata"]["metadata"]["x"]["dimension_names"] = names;
    });
    assert!(
        refusal(folder.path())
            .to_string()
            .contains("x/dimension_names")
    );
}

/// Changes the numbers of a chunk file, with the checksum that belongs to them, as a forger can.
pub(crate) fn forge(chunk: &Path, change: impl FnOnce(&mut [u8])) {
    let mut bytes = fs::read(chunk).unwrap();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    bytes.extend_from_slice(&banquise_io::zarr::crc32c(&bytes).to_le_bytes());
    fs::write(chunk, bytes).unwrap();
}

/// An error with its causes.
fn refused_with(error: impl std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[test]
fn a_flipped_bit_of_a_recording_is_told_with_its_file() {
    let (folder, _) = record();
    let chunk = folder.path().join(DATASET).join("x/c/0/0");
    let good = fs::read(&chunk).unwrap();
    for place in [0, good.len() / 2, good.len() - 1] {
        let mut flipped = good.clone();
        flipped[place] ^= 1;
        fs::write(&chunk, flipped).unwrap();
        let text = refused_with(report(folder.path()).err().expect("it is damaged"));
        assert!(
            text.contains("checksum") && text.contains("x/c/0/0"),
            "{text}"
        );
    }
}

#[test]
fn outlines_outside_the_vertices_are_refused() {
    for start in [-1, 6, i64::MAX, i64::MIN] {
        let (folder, _) = record();
        let chunk = folder.path().join(DATASET).join("outline_start/c/0");
        forge(&chunk, |bytes| {
            bytes[..8].copy_from_slice(&start.to_le_bytes());
        });
        assert!(
            refusal(folder.path()).to_string().contains("outline_start"),
            "{start}"
        );
    }
}

#[test]
fn a_manifest_without_its_texts_still_gives_a_report() {
    let (folder, _) = record();
    with_metadata(folder.path(), |root| root["attributes"] = json!({}));
    assert!(report(folder.path()).unwrap().html.contains("<svg"));
}

proptest! {
    #![proptest_config(crate::config(48))]

    #[test]
    fn damaged_values_never_panic(
        name in prop::sample::select(vec![
            "time/c/0", "x/c/0/0", "heading/c/0/0", "velocity_x/c/0/0", "kinetic_energy/c/0",
            "outline_x/c/0", "outline_count/c/0", "disc_radius/c/0", "area/c/0",
        ]),
        place in any::<prop::sample::Index>(),
        value in prop_oneof![any::<u64>(), Just(f64::NAN.to_bits()), Just(f64::INFINITY.to_bits()), Just(f64::MAX.to_bits())],
    ) {
        let (folder, _) = record();
        let chunk = folder.path().join(DATASET).join(name);
        forge(&chunk, |bytes| {
            let at = 8 * place.index(bytes.len() / 8);
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        });
        report(folder.path()).ok();
    }

    #[test]
    fn damaged_domains_never_panic(
        edges in prop::sample::select(vec!["walls", "periodic", "free", ""]),
        corners in prop::array::uniform4(prop_oneof![any::<f64>(), Just(0.0)]),
        snapshot in any::<f64>(),
    ) {
        let (folder, _) = record();
        let [a, b, c, d] = corners;
        with_metadata(folder.path(), |root| {
            root["attributes"]["domain"] = json!({ "edges": edges, "min_m": [a, b], "max_m": [c, d] });
            root["attributes"]["snapshots_s"] = json!([snapshot, 1.0]);
        });
        report(folder.path()).ok();
    }
}
