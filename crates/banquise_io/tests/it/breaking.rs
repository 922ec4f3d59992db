//! Built-in scenarios whose floes break: nothing overlaps, and all contact problems are solved. The whole runs are those of the example `breaking_scenes`.

use std::ops::ControlFlow;
use std::path::Path;

use banquise::{NoTimer, first_meeting};
use banquise_io::builtin;
use banquise_io::plan::Plan;
use banquise_io::recording::{Manifest, Recording, RecordingWriter, RunStatus};
use banquise_io::report::report;

/// Runs the first part of a scenario \[s\], with coarse meshes.
fn check(name: &str, duration: f64) {
    let text = builtin::find(name).unwrap().text;
    let overrides = ["fracture.nodes=80".to_owned()];
    let plan = Plan::parse(name, text, &overrides, Path::new("")).unwrap();
    let mut simulation = plan.build().unwrap().simulation;
    let start = simulation.world.kinetic_energy();
    for look in 1..=10 {
        let time = 0.1 * duration * f64::from(look);
        let mut go_on = |_: &_, _: &_| ControlFlow::Continue(());
        let ended = simulation.advance_to(time, &mut NoTimer, &mut go_on);
        assert!(ended.is_ok(), "{name}: {ended:?}");
        let meeting = first_meeting(&simulation.world);
        assert!(meeting.is_none(), "{name} at {time} s: {meeting:?}");
    }
    let report = &simulation.fracture;
    assert!(report.struck_broken + report.pressed_broken > 0, "{name}");
    assert_eq!(simulation.contact.unsolved, 0, "{name}");
    let world = &simulation.world;
    let booked = start + world.budget.work() + world.budget.exchange.net().2;
    let contact = &world.budget.contact;
    let scale = start + contact.normal_loss + contact.tangent_loss + contact.crushing_loss;
    let error = (world.kinetic_energy() - booked).abs();
    assert!(error <= 1e-10 * scale, "{name}: {error} J of {scale} J");
}

#[test]
fn a_pack_breaks_without_overlap_and_with_closed_books() {
    check("breaking-pack", 40.0);
}

#[test]
fn floes_in_a_funnel_break_without_overlap_and_with_closed_books() {
    check("breaking-channel", 900.0);
}

#[test]
fn a_ship_breaks_floes_without_overlap_and_with_closed_books() {
    check("ship-breaking", 100.0);
}

#[test]
fn cracks_are_recorded_where_they_opened_with_the_forces_that_opened_them() {
    let text = builtin::find("struck-disc").unwrap().text;
    let overrides = ["fracture.nodes=80".to_owned()];
    let plan = Plan::parse("struck-disc", text, &overrides, Path::new("")).unwrap();
    let mut run = plan.build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest {
        title: run.title.clone(),
        version: "0".into(),
        scenario: run.scenario.clone(),
        overrides: run.overrides.clone(),
        start: run.start.clone(),
        origin: run.origin,
        duration: run.duration,
        report: run.report.clone(),
    };
    let simulation = &mut run.simulation;
    let mut writer = RecordingWriter::create(folder.path(), &manifest, simulation).unwrap();
    writer.record(simulation).unwrap();
    let mut go_on = |_: &_, _: &_| ControlFlow::Continue(());
    let ended = simulation.advance_to(60.0, &mut NoTimer, &mut go_on);
    assert!(ended.unwrap().is_continue());
    writer.record(simulation).unwrap();
    writer.finish(simulation, RunStatus::Complete).unwrap();
    let recording = Recording::open(folder.path()).unwrap();
    let breakages = recording.breakages().unwrap();
    assert_eq!(breakages.len() as u64, simulation.fracture.struck_broken);
    let lines = breakages.iter().flat_map(|own| &own.cracks);
    let length: f64 = lines.map(|[a, b]| a.distance(*b)).sum();
    // Cracks that end on another lose half a slit there, and both ends of all are on a polygon.
    let booked = simulation.fracture.crack_length;
    assert!((length / booked - 1.0).abs() < 0.02, "{length} of {booked}");
    for own in &breakages {
        // A disc of 50 m that is struck at its rim, towards its middle.
        assert!(own.time > 0.0 && own.time < 60.0);
        let strongest = own
            .forces
            .iter()
            .max_by(|a, b| a.force.length().total_cmp(&b.force.length()));
        let force = strongest.unwrap();
        assert!((force.point.length() / 50.0 - 1.0).abs() < 0.02);
        assert!(force.force.dot(force.point) < 0.0);
        for [a, b] in &own.cracks {
            let reach = |point: &banquise_geometry::DVec2| point.distance(own.pose.position);
            assert!(reach(a) < 50.5 && reach(b) < 50.5, "{a} {b}");
        }
    }
    let report = report(folder.path()).unwrap();
    for file in ["cracks.svg", "generations.svg", "breaking_stress.svg"] {
        let figure = report.figures.iter().find(|(name, _)| *name == file);
        let (_, svg) = figure.unwrap_or_else(|| panic!("{file}"));
        assert!(svg.contains("<path"), "{file}");
    }
}
