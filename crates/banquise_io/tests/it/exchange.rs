//! Bodies that come and go, in the recording and everything that reads it.

use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use banquise::{
    BodyId, BodyKind, BodySpec, Bounds, Domain, Forcing, Material, NoTimer, Rectangle, Simulation,
    StepSettings, Thickness, Velocity, World,
};
use banquise_geometry::{Aabb, DVec2, Disc, Outline, Pose, Rotation, Shape};
use banquise_io::diagnostics::Diagnostics;
use banquise_io::export::{self, Source};
use banquise_io::plan::Plan;
use banquise_io::recording::{
    DATASET, Frame, Manifest, Recording, RecordingWriter, ReportSettings, RunStatus,
};
use banquise_io::report::report;
use serde_json::{Value, json};
use tempfile::tempdir;

/// Names the folder of the run that Python opens; without it the run is in a folder of its own.
const PIECES_FOLDER: &str = "BANQUISE_PIECES";
/// Replacements of a record, and records.
const REPLACED: usize = 10;
const RECORDS: usize = 100;

fn manifest(duration: f64) -> Manifest {
    Manifest {
        title: "Pieces".into(),
        version: "0".into(),
        scenario: String::new(),
        overrides: Vec::new(),
        start: None,
        origin: None,
        duration,
        report: ReportSettings {
            snapshots: vec![0.0, 0.5 * duration, duration],
            ..ReportSettings::default()
        },
    }
}

fn simulation(world: World, max_dt: f64) -> Simulation {
    Simulation::new(world, Forcing::none(), StepSettings::default(), max_dt)
}

fn floe(shape: Shape, position: DVec2, velocity: DVec2) -> BodySpec {
    BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
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

fn advance(simulation: &mut Simulation, time: f64) {
    let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
    assert!(flow.unwrap().is_continue());
}

/// The two halves of a floe, cut near its centroid across its longer side, a little smaller than the floe.
fn halves(world: &World, row: usize) -> Vec<BodySpec> {
    let Shape::Outline(outline) = &world.bodies.shapes()[row] else {
        panic!("all floes are outlines");
    };
    let motion = world.bodies.motions()[row];
    let (min, max) = outline.vertices().iter().fold(
        (DVec2::INFINITY, DVec2::NEG_INFINITY),
        |(min, max), &vertex| (min.min(vertex), max.max(vertex)),
    );
    let axis = if max.x - min.x > max.y - min.y {
        DVec2::X
    } else {
        DVec2::Y
    };
    // Not quite through the middle, where an edge as short as a rounding would be left.
    let cut = 0.013 * (max - min) * axis;
    let (all_min, all_max) = (min - DVec2::ONE, max + DVec2::ONE);
    let across = DVec2::ONE - axis;
    let windows = [
        Aabb {
            min: all_min,
            max: all_max * across + cut,
        },
        Aabb {
            min: all_min * across + cut,
            max: all_max,
        },
    ];
    let halves = windows
        .iter()
        .flat_map(|window| outline.clipped(window).unwrap());
    let halves = halves.map(|half| {
        let centroid = half.centroid();
        let arm = motion.pose.rotation.rotate(centroid);
        let spin = motion.velocity.angular;
        let smaller = half.vertices().iter().map(|&v| 0.97 * (v - centroid));
        BodySpec {
            pose: Pose {
                position: motion.pose.position + arm,
                rotation: motion.pose.rotation,
            },
            velocity: Velocity {
                linear: motion.velocity.linear
                    + spin * DVec2::new(-arm.y, arm.x)
                    + 2e-4 * arm.normalize_or_zero(),
                angular: spin,
            },
            ..floe(
                Shape::Outline(Outline::try_new(smaller.collect()).unwrap()),
                DVec2::ZERO,
                DVec2::ZERO,
            )
        }
    });
    halves.collect()
}

/// Twenty large floes that are cut in two again and again, a thousand times, in a hundred records.
fn cut_a_thousand_times(folder: &Path) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    for index in 0..20 {
        let place = 700.0 * DVec2::new(f64::from(index % 5), f64::from(index / 5));
        let radius = 180.0 + 15.0 * f64::from(index % 7);
        let outline = Outline::regular_polygon(radius, 12).unwrap();
        let velocity = 1e-5 * (place - DVec2::new(1400.0, 1050.0));
        let mut spec = floe(Shape::Outline(outline), place, velocity);
        spec.velocity.angular = 1e-5 * f64::from(index % 3 - 1);
        world.add(spec).unwrap();
    }
    let mut simulation = simulation(world, 60.0);
    let step = 60.0;
    let manifest = manifest(step * RECORDS as f64);
    let mut writer =
        RecordingWriter::create_with_room(folder, &manifest, &simulation, 256).unwrap();
    writer.record(&simulation).unwrap();
    // Before its first step a world is being set up, and nothing is booked.
    advance(&mut simulation, 0.5 * step);
    for record in 1..=RECORDS {
        for _ in 0..REPLACED {
            let world = &mut simulation.world;
            // The largest floe that is left, the first of them.
            let areas = world.bodies.areas();
            let largest = areas.iter().copied().fold(0.0, f64::max);
            let row = areas.iter().position(|&area| area == largest).unwrap();
            let pieces = halves(world, row);
            let id = world.bodies.ids()[row];
            assert_eq!(world.replace(id, pieces).unwrap().len(), 2);
        }
        advance(&mut simulation, step * record as f64);
        writer.record(&simulation).unwrap();
        if record % 7 == 0 {
            writer.flush().unwrap();
        }
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    simulation
}

#[test]
fn a_thousand_replacements_are_recorded() {
    let own = tempdir().unwrap();
    let folder = env::var_os(PIECES_FOLDER).map_or(own.path().join("pieces"), PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    let simulation = cut_a_thousand_times(&folder);
    let world = &simulation.world;
    let count = 20 + 2 * REPLACED * RECORDS;
    assert_eq!(world.bodies.next_id(), BodyId(count as u32));
    let recording = Recording::open(&folder).unwrap();
    let table = recording.body_table().unwrap();
    assert_eq!(table.len(), count);
    assert_eq!(table.ids, (0..count as i64).collect::<Vec<_>>());
    // The last record is the world as it is, and nothing of those that are gone.
    let frame = recording.frame(RECORDS).unwrap();
    assert_eq!(same_bits(&frame), same_bits(&Frame::of(&simulation)));
    let living: Vec<usize> = frame.living().collect();
    let ids = world.bodies.ids().iter().map(|id| id.0 as usize);
    assert_eq!(living, ids.collect::<Vec<_>>());
    assert_eq!(living.len(), 20 + REPLACED * RECORDS);
    // Every piece has a parent that was there before it, and went when it came.
    for row in 20..count {
        let parent = usize::try_from(table.parents[row]).unwrap();
        assert!(parent < row);
        assert_eq!(table.gone[parent], table.born[row]);
        assert_eq!(table.generations[row], table.generations[parent] + 1);
        let (row, parent) = (table.shape(row).unwrap(), table.shape(parent).unwrap());
        assert!(row.area() < parent.area());
    }
    assert!(table.parents[..20].iter().all(|&parent| parent == -1));
    // Budgets are those of the world.
    let last = |name: &str| *recording.series(name).unwrap().last().unwrap();
    let exchange = &world.budget.exchange;
    assert_eq!(last("floes_replaced"), (REPLACED * RECORDS) as f64);
    assert_eq!(last("floes_pieces"), (2 * REPLACED * RECORDS) as f64);
    assert_eq!(last("mass_pieces"), exchange.pieces.mass);
    assert_eq!(last("momentum_replaced_y"), exchange.replaced.momentum.y);
    assert_eq!((last("floes_entered"), last("floes_left")), (0.0, 0.0));
    check_readers(&folder, living.len());
}

/// All bits of a frame: what is not in the world is not equal to itself.
fn same_bits(frame: &Frame) -> Vec<u64> {
    let vectors = frame.positions.iter().chain(&frame.velocities);
    let numbers = frame.headings.iter().chain(&frame.impulses);
    let vectors = vectors.flat_map(DVec2::to_array);
    vectors
        .chain(numbers.copied())
        .map(|number| {
            if number.is_nan() {
                u64::MAX
            } else {
                number.to_bits()
            }
        })
        .collect()
}

/// The report, the diagnostics and every format read the recording; some of them are looked at.
fn check_readers(folder: &Path, living: usize) {
    let recording = Recording::open(folder).unwrap();
    let diagnostics = Diagnostics::of(&recording).unwrap();
    let pack = diagnostics.pack.unwrap();
    assert_eq!(pack.sizes.len(), living);
    assert!(pack.dispersion.iter().all(|spread| *spread > 0.0));
    let sizes = pack.clusters.sizes.last().unwrap();
    assert_eq!(sizes.iter().sum::<usize>(), living);
    let page = report(folder).unwrap();
    assert!(!page.html.contains("NaN"), "the report has a hole in it");
    let mut source = Source::open(folder, 25).unwrap();
    source.film.width = 320;
    source.film.height = 240;
    for format in export::FORMATS {
        let out = folder.join(format!("export-{}", format.name));
        export::export(&source, format, Some(&out), &mut |_, _| {
            ControlFlow::Continue(())
        })
        .unwrap();
    }
    let lines = fs::read_to_string(folder.join("export-geojsonseq")).unwrap();
    let last = *source.records.last().unwrap();
    let features = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let at_last = |feature: &Value| feature["properties"]["record"] == json!(last);
    assert_eq!(features.filter(at_last).count(), living);
    let motions = fs::read_to_string(folder.join("export-csv/motions.csv")).unwrap();
    let of_last = format!("{last},");
    let rows = motions.lines().filter(|line| line.starts_with(&of_last));
    assert_eq!(rows.clone().count(), living);
    assert!(rows.into_iter().all(|line| !line.contains(",,")));
}

#[test]
fn what_was_flushed_of_a_run_with_births_opens() {
    let folder = tempdir().unwrap();
    let disc = |x: f64| {
        let shape = Shape::Disc(Disc::try_new(10.0).unwrap());
        floe(shape, DVec2::new(x, 0.0), DVec2::ZERO)
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(disc(0.0)).unwrap();
    let mut simulation = simulation(world, 1.0);
    let mut writer = RecordingWriter::create(folder.path(), &manifest(9.0), &simulation).unwrap();
    for record in 0..9_u32 {
        advance(&mut simulation, f64::from(record));
        writer.record(&simulation).unwrap();
        if record == 4 {
            writer.flush().unwrap();
        }
        // One comes and one goes, and another comes and goes between two records.
        let world = &mut simulation.world;
        world.add(disc(100.0 + 100.0 * f64::from(record))).unwrap();
        world.remove(world.bodies.ids()[0]).unwrap();
        let brief = world.add(disc(5e3)).unwrap();
        world.remove(brief).unwrap();
    }
    // As a run that is killed: what was recorded after the flush is lost.
    drop(writer);
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!(recording.record_count().unwrap(), 5);
    let table = recording.body_table().unwrap();
    assert_eq!((table.len(), table.names.len()), (9, 9));
    for (record, id) in [0, 1, 3, 5, 7].into_iter().enumerate() {
        let frame = recording.frame(record).unwrap();
        assert_eq!(frame.living().collect::<Vec<_>>(), [id]);
        assert_eq!(frame.positions.len(), 9);
        assert!(!table.masses[id].is_nan() && table.shape(id).is_some());
        assert_eq!(table.born[id], record.saturating_sub(1) as f64);
    }
    for brief in [2, 4, 6, 8] {
        assert!(table.masses[brief].is_nan() && table.shape(brief).is_none());
        assert_eq!(table.born[brief], table.gone[brief]);
    }
    assert_eq!(table.gone[..2], [0.0, 1.0]);
    assert!(table.gone[7].is_nan());
}

/// A recording as it was before bodies came and went: without the variables that tell of it.
fn forget_lives(folder: &Path) {
    let path = folder.join(DATASET).join("zarr.json");
    let mut root: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let arrays = root
        .pointer_mut("/consolidated_metadata/metadata")
        .and_then(Value::as_object_mut)
        .unwrap();
    let is_new = |name: &str| {
        let ends = ["_entered", "_left", "_replaced", "_pieces"];
        let plain = name.trim_end_matches("_x").trim_end_matches("_y");
        ["born_s", "gone_s", "parent", "generation"].contains(&name)
            || ends.iter().any(|end| plain.ends_with(end))
    };
    arrays.retain(|name, _| !is_new(name));
    fs::write(&path, root.to_string()).unwrap();
}

#[test]
fn a_recording_without_lives_reads_as_before() {
    let folder = tempdir().unwrap();
    let mut world = World::new(Domain::Free, 1);
    for x in [0.0, 50.0, 100.0, 200.0] {
        let shape = Shape::Disc(Disc::try_new(10.0).unwrap());
        world
            .add(floe(shape, DVec2::new(x, 0.1 * x * x), DVec2::X))
            .unwrap();
    }
    let mut simulation = simulation(world, 1.0);
    let mut writer = RecordingWriter::create(folder.path(), &manifest(2.0), &simulation).unwrap();
    for record in 0..3 {
        advance(&mut simulation, f64::from(record));
        writer.record(&simulation).unwrap();
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    let now = report(folder.path()).unwrap();
    forget_lives(folder.path());
    let recording = Recording::open(folder.path()).unwrap();
    assert!(!recording.has_exchange());
    let table = recording.body_table().unwrap();
    assert_eq!(table.born, [0.0; 4]);
    assert!(table.gone.iter().all(|gone| gone.is_nan()));
    assert_eq!(
        (table.parents, table.generations),
        (vec![-1; 4], vec![0; 4])
    );
    assert_eq!(report(folder.path()).unwrap().html, now.html);
    let source = Source::open(folder.path(), 1).unwrap();
    for name in ["csv", "netcdf", "paraview", "geojson", "floedyn"] {
        let format = export::find(name).unwrap();
        export::export(&source, format, None, &mut |_, _| ControlFlow::Continue(())).unwrap();
    }
}

#[test]
fn an_open_domain_comes_back() {
    let folder = tempdir().unwrap();
    let bounds = Bounds {
        rectangle: Rectangle {
            min: DVec2::new(-1.0, -2.0),
            max: DVec2::new(3.0, 4.0),
        },
        open: [true, false, false, true],
    };
    for domain in [Domain::Bounded(bounds), Domain::walls(bounds.rectangle)] {
        let folder = folder
            .path()
            .join(format!("{}", domain == Domain::Bounded(bounds)));
        fs::create_dir(&folder).unwrap();
        let simulation = simulation(World::new(domain, 1), 1.0);
        let mut writer = RecordingWriter::create(&folder, &manifest(1.0), &simulation).unwrap();
        writer.record(&simulation).unwrap();
        writer.finish(&simulation, RunStatus::Complete).unwrap();
        assert_eq!(Recording::open(&folder).unwrap().domain(), domain);
    }
}

const CHANNEL: &str = r#"
[time]
duration = "20 min"
step = "5 s"
record_every = "1 min"
[domain]
size = ["600 m", "400 m"]
edges = { west = "open", east = "open" }
[current]
velocity = ["1 m/s", "0 m/s"]
[[source]]
region = { corner = ["30 m", "50 m"], size = ["50 m", "300 m"] }
interval = "30 s"
min_size = "10 m"
max_size = "30 m"
exponent = 1.5
thickness = "1 m"
velocity = ["1 m/s", "0 m/s"]
"#;

#[test]
fn floes_enter_a_channel_and_leave_it() {
    let folder = tempdir().unwrap();
    let plan = Plan::parse("channel", CHANNEL, &[], Path::new(""));
    let plan = plan.and_then(Plan::build).unwrap();
    let mut simulation = plan.simulation;
    let mut writer =
        RecordingWriter::create(folder.path(), &manifest(plan.duration), &simulation).unwrap();
    for record in 0..=20 {
        advance(&mut simulation, 60.0 * f64::from(record));
        writer.record(&simulation).unwrap();
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
    let recording = Recording::open(folder.path()).unwrap();
    let table = recording.body_table().unwrap();
    let (entered, left) = (
        recording.series("floes_entered").unwrap(),
        recording.series("floes_left").unwrap(),
    );
    assert!(entered[20] > 20.0 && left[20] > 5.0, "{entered:?} {left:?}");
    for record in 0..=20 {
        let frame = recording.frame(record).unwrap();
        let living = frame.living().count() as f64;
        assert_eq!(living, entered[record] - left[record]);
        // Presence in a record agrees with births and ends.
        for row in 0..table.len() {
            let (born, gone) = (table.born[row], table.gone[row]);
            let is_there = born <= frame.time && (gone.is_nan() || gone > frame.time);
            assert_eq!(
                frame.is_alive(row),
                is_there,
                "floe {row} in record {record}"
            );
        }
    }
    assert_eq!(
        same_bits(&recording.frame(20).unwrap()),
        same_bits(&Frame::of(&simulation))
    );
    let Domain::Bounded(bounds) = recording.domain() else {
        panic!("the channel has edges");
    };
    assert_eq!(bounds.open, [true, true, false, false]);
    report(folder.path()).unwrap();
}

/// The message of a channel whose lines are changed.
fn refused(from: &str, to: &str) -> String {
    assert!(CHANNEL.contains(from), "{from}");
    let text = CHANNEL.replace(from, to);
    let plan = Plan::parse("channel", &text, &[], Path::new(""));
    plan.and_then(Plan::build).expect_err(to).render(false)
}

#[test]
fn a_bad_source_or_edge_is_refused_with_its_place() {
    let cases = [
        (
            "interval = \"30 s\"",
            "interval = \"1e-3 s\"",
            "interval = \"1e-3 s\"",
            "let at least",
        ),
        (
            "corner = [\"30 m\", \"50 m\"]",
            "corner = [\"580 m\", \"50 m\"]",
            "region",
            "inside the edges of the domain",
        ),
        ("west = \"open\"", "west = \"gate\"", "gate", "open"),
        ("west = \"open\"", "top = \"open\"", "top", "north"),
        ("exponent = 1.5", "", "exponent", "1.5"),
        ("min_size = \"10 m\"", "", "min_size", "50 m"),
        (
            "max_size = \"30 m\"",
            "max_size = \"3 m\"",
            "max_size",
            "min_size",
        ),
        ("step = \"5 s\"", "step = \"600 s\"", "step", "stable"),
        (
            "[[source]]",
            "[ocean_layer]\ncells = [32, 16]\neddy_viscosity = \"1 m2/s\"\n[[source]]",
            "the largest floe of a source",
            "cells",
        ),
    ];
    for (from, to, place, help) in cases {
        let message = refused(from, to);
        assert!(message.contains(place), "{message}");
        assert!(message.contains(help), "{message}");
    }
}
