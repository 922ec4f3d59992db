//! Built-in scenarios whose floes break: nothing overlaps, and all contact problems are solved. The whole runs are those of the example `breaking_scenes`.

use std::ops::ControlFlow;
use std::path::Path;

use banquise::{NoTimer, first_meeting};
use banquise_io::builtin;
use banquise_io::plan::Plan;

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
