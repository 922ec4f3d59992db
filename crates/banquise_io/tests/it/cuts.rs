//! Floes that are cut and keep their id, in the recording and everything that reads it.

use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use banquise::{
    BodyId, BodyKind, BodySpec, Domain, Forcing, Material, NoTimer, Simulation, StepSettings,
    Thickness, Velocity, World,
};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};
use banquise_io::diagnostics::Diagnostics;
use banquise_io::export::{self, Source};
use banquise_io::plan::Plan;
use banquise_io::recording::{
    BodyTable, DATASET, Manifest, Recording, RecordingWriter, ReportSettings, RunStatus,
    SeenVersions,
};
use banquise_io::report::report;
use serde_json::Value;
use tempfile::tempdir;

/// Names the folder of the run that Python opens; without it the run is in a folder of its own.
const CUTS_FOLDER: &str = "BANQUISE_CUTS";
const RECORDS: usize = 12;
/// Time between records \[s\].
const EVERY: f64 = 60.0;
/// What a cut takes off \[m\].
const DEPTH: f64 = 12.0;

fn body(kind: BodyKind, shape: Shape, position: DVec2, velocity: DVec2) -> BodySpec {
    BodySpec {
        name: String::new(),
        kind,
        shape,
        pose: Pose {
            position,
            rotation: Rotation::IDENTITY,
        },
        velocity: Velocity {
            linear: velocity,
            angular: 0.0,
        },
        thickness: Thickness::Uniform(1.0),
        material: Material::default(),
        mass: None,
        inertia: None,
    }
}

fn square(half: f64) -> Shape {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| half * DVec2::new(x, y));
    Shape::Outline(Outline::try_new(corners.to_vec()).unwrap())
}

/// A row of floes beside a pier. The first is a square, which is cut on its right before every second record from the third
/// on; the second a disc, which becomes a square once; the third is left alone, and the fourth is cut once and goes.
fn world() -> World {
    let mut world = World::new(Domain::Free, 1);
    let drift = DVec2::new(0.01, 0.0);
    let disc = Shape::Disc(Disc::try_new(90.0).unwrap());
    let floes = [
        (square(100.0), 0.0),
        (disc, 300.0),
        (square(80.0), 600.0),
        (square(60.0), 900.0),
    ];
    for (shape, x) in floes {
        let place = DVec2::new(x, 0.0);
        world
            .add(body(BodyKind::Floe, shape, place, drift))
            .unwrap();
    }
    let place = DVec2::new(450.0, -400.0);
    world
        .add(body(BodyKind::Obstacle, square(40.0), place, DVec2::ZERO))
        .unwrap();
    world
}

/// Takes a strip off the right side of a square or rectangle.
fn cut(world: &mut World, id: BodyId) {
    let row = world.bodies.row_of(id).unwrap();
    let Shape::Outline(outline) = &world.bodies.shapes()[row] else {
        panic!("a disc");
    };
    let right = outline.vertices().iter().map(|v| v.x).fold(0.0, f64::max);
    let left = outline
        .vertices()
        .iter()
        .map(|v| DVec2::new(v.x.min(right - DEPTH), v.y));
    let left = Outline::try_new(left.collect()).unwrap();
    world.reshape(id, Shape::Outline(left)).unwrap();
}

/// Areas of all bodies in each record, as the world had them; NaN where one was gone.
type Areas = Vec<Vec<f64>>;

fn record(folder: &Path) -> Areas {
    let mut simulation = Simulation::new(world(), Forcing::none(), StepSettings::default(), 30.0);
    let duration = EVERY * (RECORDS - 1) as f64;
    let manifest = Manifest {
        title: "Cuts".into(),
        version: "0".into(),
        scenario: String::new(),
        overrides: Vec::new(),
        start: None,
        origin: None,
        duration,
        report: ReportSettings {
            snapshots: vec![0.0, 0.3 * duration, 0.6 * duration, duration],
            ..ReportSettings::default()
        },
    };
    let mut writer = RecordingWriter::create(folder, &manifest, &simulation).unwrap();
    let mut areas = Vec::new();
    // What is known of the run while it goes on.
    let (mut live, mut seen) = (BodyTable::of(&simulation.world), SeenVersions::default());
    seen.update(&simulation.world);
    for number in 0..RECORDS {
        let time = EVERY * number as f64;
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        let world = &mut simulation.world;
        if number >= 2 && number % 2 == 0 {
            cut(world, BodyId(0));
        }
        if number == 5 {
            world.reshape(BodyId(1), square(60.0)).unwrap();
            // Twice between two records: one version.
            cut(world, BodyId(3));
            cut(world, BodyId(3));
        }
        if number == 9 {
            world.remove(BodyId(3)).unwrap();
        }
        writer.record(&simulation).unwrap();
        live.add_versions(&simulation.world, &seen.update(&simulation.world));
        let bodies = &simulation.world.bodies;
        let area = |id: u32| {
            bodies
                .row_of(BodyId(id))
                .map_or(f64::NAN, |row| bodies.areas()[row])
        };
        areas.push((0..5).map(area).collect());
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    let recorded = Recording::open(folder).unwrap().body_table().unwrap();
    assert_eq!(live.versions, recorded.versions);
    areas
}

fn run() -> (tempfile::TempDir, PathBuf, Areas) {
    let own = tempdir().unwrap();
    let folder = env::var_os(CUTS_FOLDER).map_or(own.path().join("cuts"), PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    let areas = record(&folder);
    (own, folder, areas)
}

fn ring_area(ring: &[DVec2]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .map(|(a, b)| 0.5 * a.perp_dot(*b))
        .sum()
}

#[test]
fn every_record_has_the_outlines_of_its_time() {
    let (_own, folder, areas) = run();
    let recording = Recording::open(&folder).unwrap();
    assert!(recording.has_versions());
    let table = recording.body_table().unwrap();
    // Five cuts of the first, one each of the second and the fourth.
    assert_eq!(table.versions.len(), 7);
    assert_eq!(table.areas[..2], [4e4, areas[0][1]]);
    for (record, areas) in areas.iter().enumerate() {
        let frame = recording.frame(record).unwrap();
        let then = table.at(frame.time);
        for row in frame.living() {
            assert_eq!(then.areas[row], areas[row], "body {row} in record {record}");
            let shape = then.shape(row).unwrap();
            assert!((shape.area() / areas[row] - 1.0).abs() < 1e-12);
            let density = table.masses[row] / table.areas[row];
            let is_floe = !table.is_obstacle[row];
            assert!(!is_floe || (then.masses[row] / (density * areas[row]) - 1.0).abs() < 1e-12);
        }
        // The left edge of the first stays where it drifts to: the centre moves, and not what remains.
        let left = then.outlines[0].iter().map(|v| v.x).fold(0.0, f64::min);
        let expected = -100.0 + 0.01 * frame.time;
        assert!((frame.positions[0].x + left - expected).abs() < 1e-9);
    }
    let crushed = recording.series("mass_crushed").unwrap();
    let ice = |record: usize| {
        let areas = areas[record][..3].iter();
        areas.sum::<f64>()
    };
    let lost = 900.0 * (ice(0) - ice(RECORDS - 1) + 2.0 * DEPTH * 120.0);
    let density = table.masses[0] / table.areas[0] / 900.0;
    assert!((crushed[RECORDS - 1] / (density * lost) - 1.0).abs() < 1e-9);
    assert_eq!(recording.series("floes_crushed").unwrap()[RECORDS - 1], 8.0);
}

#[test]
fn report_diagnostics_and_exports_read_the_outlines_of_their_time() {
    let (_own, folder, areas) = run();
    let figures = report(&folder).unwrap();
    let report_path = folder.join("report.html");
    fs::write(&report_path, &figures.html).unwrap();
    let drawn = figures.figures.iter().map(|(name, _)| *name);
    assert!(drawn.into_iter().any(|name| name == "crushed.svg"));
    // Without forces nothing but cuts changes the energy: the mean velocity stays.
    let recording = Recording::open(&folder).unwrap();
    let diagnostics = Diagnostics::of(&recording).unwrap();
    let drift = diagnostics.drift.unwrap();
    assert!(drift.velocity.iter().all(|v| (v.x - 0.01).abs() < 1e-12));
    let sizes = diagnostics.pack.unwrap().sizes;
    // Of the last record: 140 × 200, 120 × 120 and 160 × 160; the mean caliper of a rectangle is 2 (a + b) / π.
    let calipers = [240.0, 320.0, 340.0].map(|sum| 2.0 * sum / std::f64::consts::PI);
    for (size, expected) in sizes.iter().zip(calipers) {
        assert!((size / expected - 1.0).abs() < 1e-9, "{sizes:?}");
    }
    let source = Source::open(&folder, 1).unwrap();
    for format in export::FORMATS {
        let path = folder.join(format!("export-{}", format.name));
        (format.write)(&source, &path, &mut |_, _| ControlFlow::Continue(())).unwrap();
    }
    let text = fs::read_to_string(folder.join("export-geojson")).unwrap();
    let features: Value = serde_json::from_str(&text).unwrap();
    for feature in features["features"].as_array().unwrap() {
        let properties = &feature["properties"];
        let (record, row) = (
            properties["record"].as_u64().unwrap(),
            properties["body"].as_u64().unwrap(),
        );
        let expected = areas[record as usize][row as usize];
        assert_eq!(properties["area_m2"].as_f64(), Some(expected));
        let ring = feature["geometry"]["coordinates"][0].as_array().unwrap();
        let ring: Vec<DVec2> = ring[1..]
            .iter()
            .map(|p| DVec2::new(p[0].as_f64().unwrap(), p[1].as_f64().unwrap()))
            .collect();
        // A disc has 64 corners there.
        assert!((ring_area(&ring) / expected - 1.0).abs() < 2e-3);
    }
    let csv = folder.join("export-csv");
    let versions = fs::read_to_string(csv.join("outline_versions.csv")).unwrap();
    assert_eq!(versions.lines().count(), 1 + 7);
    let outlines = fs::read_to_string(csv.join("outline_version_outlines.csv")).unwrap();
    assert_eq!(outlines.lines().count(), 1 + 7 * 4);
}

#[test]
fn versions_that_are_damaged_are_refused() {
    let (_own, folder, _) = run();
    let path = folder.join(DATASET).join("zarr.json");
    let whole = fs::read_to_string(&path).unwrap();
    for (name, shape) in [
        ("outline_version_area", serde_json::json!([6])),
        ("outline_version_x", serde_json::json!([3])),
    ] {
        let mut root: Value = serde_json::from_str(&whole).unwrap();
        root["consolidated_metadata"]["metadata"][name]["shape"] = shape;
        fs::write(&path, root.to_string()).unwrap();
        assert!(Recording::open(&folder).is_err(), "{name}");
    }
    // A recording from before cuts: without their variables.
    let mut root: Value = serde_json::from_str(&whole).unwrap();
    let arrays = root["consolidated_metadata"]["metadata"]
        .as_object_mut()
        .unwrap();
    arrays.retain(|name, _| !name.starts_with("outline_version") && !name.contains("crushed"));
    fs::write(&path, root.to_string()).unwrap();
    let recording = Recording::open(&folder).unwrap();
    assert!(recording.body_table().unwrap().versions.is_empty() && recording.has_exchange());
    report(&folder).unwrap();
}

/// A square floe that a moving wall crushes against a pier.
const SQUEEZED: &str = r#"
title = "Squeezed"
[time]
duration = "60 s"
step = "1 s"
record_every = "1 s"
[drag]
enabled = false
[contact]
squeeze = "crush"
crushing_pressure = "2 MPa"
[[floe]]
thickness = "0.5 m"
disc = { radius = "10 m", sides = 4 }
[[obstacle]]
name = "pier"
position = ["16 m", "0 m"]
outline = { unit = "m", points = [[-5, -50], [5, -50], [5, 50], [-5, 50]] }
[[obstacle]]
name = "wall"
outline = { unit = "m", points = [[-5, -50], [5, -50], [5, 50], [-5, 50]] }
path = [
  { time = "0 s", position = ["-16 m", "0 m"] },
  { time = "60 s", position = ["-4 m", "0 m"] },
]
"#;

/// Runs the scenario into a folder.
fn squeeze(folder: &Path) {
    let plan = Plan::parse("squeezed", SQUEEZED, &[], Path::new(""));
    let plan = plan.and_then(Plan::build).unwrap();
    let mut simulation = plan.simulation;
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: SQUEEZED.into(),
        overrides: Vec::new(),
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut writer = RecordingWriter::create(folder, &manifest, &simulation).unwrap();
    for second in 0..=60 {
        let time = f64::from(second);
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
}

#[test]
fn loads_of_crushed_ice_have_pressures_and_exceedance() {
    let folder = tempdir().unwrap();
    squeeze(folder.path());
    let recording = Recording::open(folder.path()).unwrap();
    assert!(recording.has_versions());
    let drawn = report(folder.path()).unwrap();
    for name in ["load_peaks.svg", "pressure.svg", "pressure_exceedance.svg"] {
        assert!(drawn.figures.iter().any(|(own, _)| *own == name), "{name}");
    }
    let [pier, wall] = &drawn.diagnostics.loads[..] else {
        panic!("two obstacles");
    };
    for load in [pier, wall] {
        // The pressure is the one given wherever ice is crushed; steps end at its bound.
        let peak = load.peak_pressure().unwrap();
        assert!((peak / 2e6 - 1.0).abs() < 0.02, "{peak}");
        assert!(load.pressure.iter().all(|&p| p == 0.0 || p > 0.98 * 2e6));
        let crushed = load.pressure.iter().filter(|p| **p > 0.0).count() as f64;
        let (_, share) = load.pressure_exceedance[0];
        assert!((share - crushed / load.pressure.len() as f64).abs() < 1e-12);
        // No load is above pressure times thickness times the width of the floe.
        let force = load.peak().unwrap().rate();
        assert!(force > 1e6 && force <= 1.001 * 2e6 * 0.5 * 20.0, "{force}");
        assert_eq!(load.peaks.last().unwrap().1, 1.0);
    }
    let trust = drawn.findings.trust.join(" ");
    let (_, pressure) = trust.split_once("mean pressure of ").unwrap();
    let pressure: f64 = pressure.split_once(" MPa").unwrap().0.parse().unwrap();
    // Besides what the force crushed, cuts take a little beside the face.
    assert!((pressure / 2.0 - 1.0).abs() < 0.02, "{trust}");
    // The floe bears what it hands on: both bear the same at the end.
    let last = |load: &banquise_io::diagnostics::Load| load.normal.last().unwrap().rate();
    assert!((last(pier) / last(wall) - 1.0).abs() < 0.05);
    let json = drawn.diagnostics.to_json();
    let shares = &json["loads"][0]["pressure_exceedance"]["share_of_windows"];
    assert!(!shares.as_array().unwrap().is_empty());
    // A recording from before: without what is crushed.
    let path = folder.path().join(DATASET).join("zarr.json");
    let mut root: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let arrays = root["consolidated_metadata"]["metadata"]
        .as_object_mut()
        .unwrap();
    arrays.retain(|name, _| !name.contains("crush") && !name.starts_with("outline_version"));
    fs::write(&path, root.to_string()).unwrap();
    let older = report(folder.path()).unwrap();
    assert!(older.diagnostics.loads[0].peak_pressure().is_none());
}
