//! What the diagnostics say of recordings whose numbers are known.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;

use banquise::NoTimer;
use banquise_io::diagnostics::Diagnostics;
use banquise_io::plan::Plan;
use banquise_io::recording::{DATASET, Manifest, Recording, RecordingWriter, RunStatus};
use banquise_io::report::report;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

/// Runs a scenario and records it at its own times.
fn recorded(scenario: &str) -> TempDir {
    let folder = tempdir().unwrap();
    let plan = Plan::parse("known", scenario, &[], Path::new(""))
        .unwrap()
        .build()
        .unwrap();
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: scenario.into(),
        overrides: vec![],
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut simulation = plan.simulation;
    let mut writer = RecordingWriter::create(folder.path(), &manifest, &simulation).unwrap();
    let count = (plan.duration / plan.record_every).round() as u32;
    for record in 0..=count {
        let time = f64::from(record) * plan.record_every;
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        writer.record(&simulation).unwrap();
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    folder
}

fn diagnostics(scenario: &str) -> Diagnostics {
    let folder = recorded(scenario);
    Diagnostics::of(&Recording::open(folder.path()).unwrap()).unwrap()
}

/// Four discs at the corners of a square of 200 m that opens at 1e-3 s⁻¹ and drifts, free of all forces.
const OPENING: &str = r#"
[time]
duration = "1000 s"
step = "10 s"
record_every = "100 s"
[drag]
enabled = false
[ice]
thickness = "1 m"
[report]
area = { corner = ["-50 m", "-50 m"], size = ["300 m", "300 m"] }
[[floe]]
position = ["0 m", "0 m"]
velocity = ["0.4 m/s", "-0.1 m/s"]
disc = { radius = "20 m" }
[[floe]]
position = ["200 m", "0 m"]
velocity = ["0.6 m/s", "-0.1 m/s"]
disc = { radius = "20 m" }
[[floe]]
position = ["200 m", "200 m"]
velocity = ["0.6 m/s", "0.1 m/s"]
disc = { radius = "20 m" }
[[floe]]
position = ["0 m", "200 m"]
velocity = ["0.4 m/s", "0.1 m/s"]
disc = { radius = "20 m" }
"#;

#[test]
fn a_square_that_opens_has_its_dispersion_distances_and_strain() {
    let pack = diagnostics(OPENING).pack.unwrap();
    assert_eq!(pack.times.len(), 11);
    for (record, &time) in pack.times.iter().enumerate() {
        let side = 200.0 + 0.2 * time;
        let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-9 * expected.abs();
        assert!(close(pack.dispersion[record], side / 2.0_f64.sqrt()));
        // Four sides and two diagonals: half of the six pairs are within a side.
        assert!(close(pack.median_distance[record], side));
        // d(side)/dt over the side, in both directions.
        assert!(
            close(pack.divergence[record], 0.4 / side),
            "{}",
            pack.divergence[record]
        );
        assert!(pack.shear[record] < 1e-12);
        // The hull of four discs is the square grown by their radius; discs are polygons of 96 sides.
        let (radius, pi) = (20.0, std::f64::consts::PI);
        let hull = side * side + 4.0 * side * radius + pi * radius * radius;
        let expected = 4.0 * pi * radius * radius / hull;
        assert!((pack.concentration[record] / expected - 1.0).abs() < 1e-4);
    }
    // At the start all four discs are in the area, at the end the two in the west have left it by half or more.
    let share = |count: f64| count * std::f64::consts::PI * 400.0 / 9e4;
    assert!((pack.area_concentration[0] - share(4.0)).abs() < 1e-12);
    assert_eq!(pack.area_concentration[10], 0.0);
    assert_eq!(pack.clusters.sizes[0], [1, 1, 1, 1]);
    assert_eq!(pack.law, None, "four floes have no law");
}

/// A disc between two walls, without loss: a bounce every 80 s.
const BOUNCING: &str = r#"
[time]
duration = "800 s"
step = "1 s"
record_every = "5 s"
[report]
time_window = "20 s"
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
mass = "1000 kg"
disc = { radius = "10 m" }
"#;

#[test]
fn bounces_are_loads_of_twice_the_momentum() {
    let found = diagnostics(BOUNCING);
    // At 40 s in the east, 120 s in the west, and so on: ten bounces.
    let bounces: f64 = found
        .contact
        .collisions
        .iter()
        .map(|window| window.sum)
        .sum();
    assert_eq!(bounces, 10.0);
    assert_eq!(found.contact.collisions.len(), 40);
    let names: Vec<&str> = found.loads.iter().map(|load| load.name.as_str()).collect();
    assert_eq!(
        names,
        ["west wall", "east wall", "south wall", "north wall"]
    );
    for load in &found.loads[..2] {
        let (normal, tangent) = load.total();
        assert!((normal - 1e4).abs() < 1e-8, "{normal}");
        assert!(tangent < 1e-9, "{tangent}");
        assert!((load.largest - 2000.0).abs() < 1e-9);
        // 2 000 N s in a window of 20 s, in five windows of forty.
        assert!((load.peak().unwrap().rate() - 100.0).abs() < 1e-9);
        let (force, share) = *load.exceedance.last().unwrap();
        assert!(
            (force - 100.0).abs() < 1e-9 && share <= 0.125,
            "{force} {share}"
        );
        let reached = load.exceedance.first().unwrap().1;
        assert_eq!(reached, 0.125);
    }
    assert_eq!(found.loads[2].total(), (0.0, 0.0));
    assert!(found.free_drift_energy.is_empty(), "no drag, no free drift");
    assert_eq!(found.pack, None, "one floe is no pack");
}

/// One disc under a steady wind without rotation: it ends at Na times the wind.
const DRIFTING: &str = r#"
[time]
duration = "1 d"
step = "10 s"
[wind]
velocity = ["0 m/s", "-10 m/s"]
[[floe]]
thickness = "1 m"
disc = { radius = "100 m" }
"#;

#[test]
fn free_drift_is_the_limit_of_speed_and_energy() {
    let found = diagnostics(DRIFTING);
    let (last, limit) = (
        found.kinetic_energy.last().unwrap(),
        found.free_drift_energy.last().unwrap(),
    );
    assert!(
        (last / limit - 1.0).abs() < 1e-6 && last <= limit,
        "{last} {limit}"
    );
    let drift = found.drift.unwrap();
    let response = drift.response.last().unwrap().unwrap();
    assert!(
        (response.factor - 0.0188).abs() < 1e-4,
        "{}",
        response.factor
    );
    assert!(response.angle.abs() < 1e-9);
    assert!(drift.fit.unwrap().1 > 0.99);
}

#[test]
fn every_figure_of_a_ship_among_floes_is_drawn_and_its_numbers_are_plain_json() {
    let scenario = fs::read_to_string("../../scenarios/ship.toml").unwrap();
    let folder = recorded(
        &scenario
            .replace("duration = \"15 min\"", "duration = \"4 min\"")
            .replace("\"5 min\", \"15 min\"", "\"4 min\""),
    );
    let report = report(folder.path()).unwrap();
    let files: Vec<&str> = report.figures.iter().map(|(file, _)| *file).collect();
    for file in [
        "load.svg",
        "load_exceedance.svg",
        "normal_impulse.svg",
        "collisions.svg",
        "dispersion.svg",
        "concentration.svg",
        "pair_correlation.svg",
        "clusters.svg",
        "deformation.svg",
        "drift_angle.svg",
    ] {
        assert!(files.contains(&file), "{file} {files:?}");
    }
    assert!(
        !files.contains(&"sizes.svg"),
        "two sizes are no distribution"
    );
    assert!(report.figures.iter().all(|(_, svg)| !svg.contains("NaN")));
    let value = report.diagnostics.to_json();
    let text = value.to_string();
    let again: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(again, value);
    let peak = value["loads"][0]["peak_normal_force_n"].as_f64().unwrap();
    assert!(peak > 0.0, "{peak}");
    let moved = value["pack"]["dispersion_m"].as_array().unwrap();
    assert!(moved.iter().all(Value::is_f64));
}

/// Five floes and a rock, close to each other.
const CROWD: &str = r#"
[time]
duration = "1 min"
step = "1 s"
record_every = "10 s"
[domain]
edges = "periodic"
size = ["100 m", "80 m"]
[wind]
velocity = ["5 m/s", "1 m/s"]
[ice]
thickness = "1 m"
[report]
area = { size = ["50 m", "50 m"] }
[[floe]]
position = ["15 m", "15 m"]
velocity = ["0.5 m/s", "0.2 m/s"]
outline = { unit = "m", points = [[-8, -7], [7, -8], [9, 2], [1, 8], [-6, 5]] }
grid = { columns = 2, rows = 2, spacing = "20 m" }
[[floe]]
position = ["70 m", "20 m"]
disc = { radius = "9 m" }
[[obstacle]]
name = "rock"
position = ["60 m", "40 m"]
disc = { radius = "5 m" }
"#;

/// One recording for all cases, copied for each.
fn crowd() -> TempDir {
    static ORIGINAL: OnceLock<TempDir> = OnceLock::new();
    let original = ORIGINAL.get_or_init(|| recorded(CROWD));
    let copy = tempdir().unwrap();
    copy_folder(original.path(), copy.path());
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(crate::config(64))]

    #[test]
    fn damaged_packs_never_panic_nor_hang(
        name in prop::sample::select(vec![
            "time/c/0", "x/c/0/0", "y/c/0/0", "heading/c/0/0", "velocity_x/c/0/0", "momentum_x/c/0", "wind_x/c/0",
            "outline_x/c/0", "disc_radius/c/0", "mass/c/0", "load_normal/c/0/0", "collision_count/c/0",
        ]),
        place in any::<prop::sample::Index>(),
        value in prop_oneof![any::<u64>(), Just(f64::NAN.to_bits()), Just(f64::MAX.to_bits()), Just(1e12_f64.to_bits())],
        edges in prop::sample::select(vec!["walls", "periodic", "free"]),
        corners in prop::array::uniform4(prop_oneof![any::<f64>(), Just(0.0), Just(1e-3), Just(90.0)]),
    ) {
        let folder = crowd();
        let dataset = folder.path().join(DATASET);
        crate::recording::forge(&dataset.join(name), |bytes| {
            let at = 8 * place.index(bytes.len() / 8);
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        });
        let mut root: Value = serde_json::from_slice(&fs::read(dataset.join("zarr.json")).unwrap()).unwrap();
        let [a, b, c, d] = corners;
        root["attributes"]["domain"] = json!({ "edges": edges, "min_m": [a, b], "max_m": [c, d] });
        root["attributes"]["area"] = json!({ "min_m": [d, c], "max_m": [b, a] });
        fs::write(dataset.join("zarr.json"), root.to_string()).unwrap();
        report(folder.path()).ok();
    }
}
