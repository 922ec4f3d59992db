//! Floes that are struck, from the command line.

use serde_json::Value;

use crate::workbench::{Workbench, close, json_of};

fn json(arguments: &[&str]) -> Value {
    json_of(&[&["fracture"], arguments].concat())
}

#[test]
fn a_struck_bar_prints_its_wave() {
    let ice = ["--young", "9e9", "--density", "920", "--nodes", "400"];
    let lengths = [
        "bar",
        "--striker-length",
        "50",
        "--length",
        "100",
        "--speed",
        "0.2",
    ];
    let spall = json(&[&lengths[..], &ice].concat());
    close(&spall["contact_time_s"], 31.972e-3, 1e-3);
    close(&spall["stress_pa"], 287.75e3, 1e-4);
    close(&spall["first_tension_s"], 47.958e-3, 1e-3);
    close(&spall["from_rear_m"], 50.0, 0.01);
    close(&spall["restitution"], 0.5, 1e-3);
    // Other ice, other lengths: the closed form is beside the result.
    let other = json(&[
        "bar",
        "--striker-length",
        "30",
        "--length",
        "12",
        "--speed",
        "1.5",
        "--young",
        "5e9",
        "--density",
        "900",
        "--nodes",
        "200",
    ]);
    for key in [
        "contact_time_s",
        "stress_pa",
        "first_tension_s",
        "from_rear_m",
        "restitution",
    ] {
        close(&other[key], other["exact"][key].as_f64().unwrap(), 0.02);
    }
    assert_eq!(other["tension_in"], "striker");
}

#[test]
fn chains_and_lattices_close_their_budgets() {
    let chain = json(&["chain", "--case", "three-floes"]);
    assert!(chain["budget"]["energy_error"].as_f64().unwrap().abs() < 1e-10);
    let coded = json(&["chain", "--case", "three-floes-as-coded"]);
    close(&coded["breaks"][0]["time"], 3.816, 1e-9);
    close(&coded["breaks"][1]["time"], 8.196, 1e-9);
    let lattice = json(&[
        "lattice",
        "--kind",
        "square",
        "--side",
        "40",
        "--integrator",
        "implicit",
    ]);
    assert!(lattice["budget"]["energy_error"].as_f64().unwrap().abs() < 1e-10);
    assert_eq!(lattice["pieces"], 1);
}

#[test]
fn bad_values_are_refused() {
    let bench = Workbench::with_scenario("");
    for (arguments, message) in [
        (
            &["bar", "--speed", "-1"][..],
            "error: speed (m/s) must be positive and finite, not -1\nhint: give a value in that range\n",
        ),
        (
            &["bar", "--nodes", "2"],
            "error: nodes must be between 5 and 20000, not 2\nhint: give a value in that range\n",
        ),
        (
            &["chain", "--restitution", "1.5"],
            "error: restitution must be between 0 and 1, not 1.5\nhint: give a value in that range\n",
        ),
        (
            &["chain", "--integrator", "symplectic", "--step", "1"],
            "error: a step of 1 s is unstable: the springs and dashpots allow 2.3166e-1 s\nhint: shorten the step, or choose the implicit integrator\n",
        ),
        (
            &["lattice", "--spacing", "0"],
            "error: spacing (m) must be positive and finite, not 0\nhint: give a value in that range\n",
        ),
        (
            &["plate", "--spacing", "-3"],
            "error: the spacing of nodes is -3: it must be from 0.25 to 25 m\nhint: plates of 100 m take 3 m\n",
        ),
        (
            &["plate", "--segment", "1"],
            "error: --segment is 1 m\nhint: it must be at least --spacing (3 m) and at most 100 m\n",
        ),
    ] {
        let outcome = bench.run(&[&["fracture"], arguments].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(2), message));
    }
}

#[test]
fn a_crack_goes_through_a_plate_and_releases_its_energy() {
    let bench = Workbench::with_scenario("");
    let drawing = ["plate", "--spacing", "5", "--svg", "plate.svg", "--json"];
    let outcome = bench.run(&[&["fracture"], &drawing[..]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let plate: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(plate["goes_through"], true);
    let segments = plate["segments"].as_array().unwrap();
    close(&segments[segments.len() - 1]["released_share"], 1.0, 1e-6);
    // ½ E (u/L)² L² h at 1 m.
    close(&plate["energy_j"], 4.5e9, 1e-9);
}

#[test]
fn a_bar_and_a_plate_are_scenarios_with_a_report() {
    let bench = Workbench::with_scenario("");
    let bar = bench.run(&["run", "spall-bar", "--out", "bar", "--json"]);
    assert_eq!(bar.code, Some(0), "{}", bar.stderr);
    let numbers: Value = serde_json::from_str(&bar.stdout).unwrap();
    // ρ c v/2, and the plane of the continuum; the chain has a spacing of 1 m.
    close(&numbers["stress_pa"], 503_562.0, 1e-3);
    close(&numbers["breaks"][0]["from_rear_m"], 50.0, 0.02);
    close(&numbers["exact"]["from_rear_m"], 50.0, 1e-12);
    let plate = bench.run(&["run", "square-tension", "--out", "plate", "--json"]);
    assert_eq!(plate.code, Some(0), "{}", plate.stderr);
    let numbers: Value = serde_json::from_str(&plate.stdout).unwrap();
    assert_eq!(numbers["goes_through"], true);
    for file in [
        "bar/report.html",
        "bar/stress.svg",
        "bar/contact.svg",
        "bar/contact.csv",
        "plate/report.html",
        "plate/plate.svg",
        "plate/load.svg",
        "plate/crack.csv",
    ] {
        assert!(bench.path(file).is_file(), "{file}");
    }
    for (arguments, message) in [
        (
            &["run", "spall-bar", "--steps"][..],
            "error: `--steps` means nothing to a bar or a plate\nhint: leave it out; it is for scenarios of floes\n",
        ),
        (
            &["view", "spall-bar"],
            "error: `spall-bar` is a bar or a plate, not a scenario of floes\nhint: run it with `banquise run spall-bar`\n",
        ),
        (
            &["run", "square-tension", "--set", "plate.segment=\"1 m\""],
            "error: the segment of the crack is 1 m\nhint: it must be at least the spacing (4 m) and at most 100 m\n",
        ),
    ] {
        let outcome = bench.run(arguments);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(2), message));
    }
}
