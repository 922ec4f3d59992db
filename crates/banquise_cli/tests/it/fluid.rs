//! Bodies in a resolved fluid, from the command line.

use serde_json::Value;

use crate::workbench::{Workbench, close, json_of};

fn json(arguments: &[&str]) -> Value {
    json_of(&[&["fluid"], arguments].concat())
}

#[test]
fn drags_of_arrays_are_printed_for_any_fraction() {
    let drag = |fraction: &str| json(&["array", "--fraction", fraction])["drag"].clone();
    // Sangani and Acrivos 1982; the smallest from 512 cells a side.
    for (fraction, known) in [("0.01", 7.983), ("0.2", 51.53), ("0.6", 1763.0)] {
        close(&drag(fraction), known, 0.005);
    }
}

#[test]
fn threads_do_not_change_a_printed_digit() {
    let array = |threads: &str| json(&["array", "--cells", "64", "--threads", threads]);
    assert_eq!(array("1"), array("2"));
}

#[test]
fn studies_draw_what_they_compute() {
    let bench = Workbench::with_scenario("");
    for (arguments, holds) in [
        (&["array", "--cells", "32"][..], "streamlines"),
        (&["shear", "--cells", "30"], "streamlines"),
        (
            &["jeffery", "--cells", "64", "--minor-cells", "5"],
            "Jeffery",
        ),
        (
            &[
                "convergence",
                "--cells",
                "30",
                "--cells",
                "50",
                "--reference",
                "300",
                "--penalty",
                "1e-3",
            ],
            "order 2",
        ),
    ] {
        let path = bench.path("flow.svg");
        let drawing = ["--svg", path.to_str().unwrap()];
        let outcome = bench.run(&[&["fluid"], arguments, &drawing].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("<svg") && text.contains(holds));
    }
}

#[test]
fn discs_fall_and_keep_their_gaps() {
    let bench = Workbench::with_scenario("");
    let (frames, film) = (bench.path("frames"), bench.path("film.gif"));
    let frames = [
        "--frames",
        frames.to_str().unwrap(),
        "--frame-count",
        "2",
        "--vtk",
        "--film",
        film.to_str().unwrap(),
        "--show",
        "pressure",
    ];
    let dkt = [
        "fluid",
        "dkt",
        "--resolution",
        "24",
        "--duration",
        "0.005",
        "--json",
    ];
    let outcome = bench.run(&[&dkt[..], &frames].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let pair: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(pair["steps"], 10);
    assert!(pair["drafting_s"].is_null());
    assert_eq!(std::fs::read_dir(frames[1]).unwrap().count(), 4);
    let vtk = std::fs::read_to_string(bench.path("frames").join("frame-00000.vtk")).unwrap();
    assert!(vtk.contains("SCALARS pressure"));
    assert!(std::fs::read(&film).unwrap().starts_with(b"GIF89a"));
    let again = bench.run(&[&dkt[..], &["--film", frames[6]]].concat());
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    let settled = json(&["sediment", "--resolution", "64", "--duration", "0.05"]);
    assert_eq!(settled["discs"], 228);
    assert!(settled["least_gap_cells"].as_f64() > Some(1.0 - 1e-6));
    let heights = settled["mean_height_cm"].as_array().unwrap();
    assert!(heights[1].as_f64() < heights[0].as_f64());
}

#[test]
fn contact_forces_inside_the_flow_are_not_those_of_the_splitting() {
    let found = json(&["unsplit", "--discs", "10", "--cells", "48", "--steps", "2"]);
    let steps = found["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2);
    for step in steps {
        assert!(step["momentum_missing"].as_f64() < Some(1e-10));
        assert!(step["difference_to_splitting"].as_f64() > Some(1e-3));
        assert!(step["least_gap_cells"].as_f64() > Some(1.0 - 1e-6));
    }
}

#[test]
fn an_ellipse_that_turns_has_nearly_the_period_of_its_angular_velocities() {
    let found = json(&[
        "jeffery",
        "--cells",
        "64",
        "--minor-cells",
        "4",
        "--turn",
        "0.4",
    ]);
    let period = found["period"].as_f64().unwrap();
    // Steps of 0.4: the error of a period is of second order.
    close(&found["period_turning"], period, 0.005);
}

#[test]
fn bad_values_are_refused_with_a_hint() {
    let bench = Workbench::with_scenario("");
    for arguments in [
        &["array", "--fraction", "0.9"][..],
        &["array", "--fraction", "-1"],
        &["array", "--cells", "3"],
        &["array", "--tolerance", "0"],
        &["array", "--fraction", "1e-9"],
        &["viscosity", "--fraction", "nan"],
        &["jeffery", "--ratio", "0"],
        &["jeffery", "--minor-cells", "500"],
        &["squeeze", "--gap", "-2"],
        &["squeeze", "--radius-cells", "100", "--cells", "256"],
        &["squeeze", "--gap", "0.1"],
        &["jeffery", "--turn", "100"],
        &["jeffery", "--turn", "1e-9"],
        &["convergence", "--method", "elements", "--cells", "100000"],
        &[
            "convergence",
            "--method",
            "elements",
            "--cells",
            "30",
            "--reference",
            "3",
        ],
        &["array", "--fraction", "0.785", "--cells", "64"],
        &["valve", "--stiffness", "1e5"],
        &["valve", "--step", "1"],
        &["vesicle", "--inner-viscosity", "nan"],
        &["floes", "--wind", "1e9"],
        &["floes", "--wind", "1e-9"],
        &["floes", "--corners", "100000"],
        &["floes", "--floes", "0", "--film", "none.gif"],
        &["unsplit", "--cells", "16"],
        &["unsplit", "--cells", "4096"],
        &["convergence", "--cells", "7"],
        &["convergence", "--penalty", "0"],
        &["dkt", "--step", "0"],
        &["dkt", "--gravity", "-1"],
        &["sediment", "--resolution", "1"],
        &["sediment", "--resolution", "50"],
        &["floes", "--viscosity", "0"],
        &["floes", "--corners", "2"],
        &["floes", "--duration", "1e9"],
        &["floes", "--wind", "-1"],
        &["unsplit", "--cells", "4"],
    ] {
        let outcome = bench.run(&[&["fluid"], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("hint:"), "{}", outcome.stderr);
    }
}

#[test]
fn what_cannot_be_written_is_known_before_the_run() {
    let bench = Workbench::with_scenario("");
    let folder = bench.path("no");
    let nowhere = folder.join("flow.svg");
    let film = folder.join("film.gif");
    let (nowhere, film) = (nowhere.to_str().unwrap(), film.to_str().unwrap());
    // Each of these would run for minutes.
    for arguments in [
        &["array", "--cells", "4096", "--svg", nowhere][..],
        &["array", "--cells", "4096", "--vtk", nowhere],
        &["convergence", "--svg", nowhere],
        &["viscosity", "--fraction", "1e-5", "--picture", nowhere],
        &["squeeze", "--radius-cells", "800", "--vtk", nowhere],
        &["dkt", "--svg", nowhere],
        &["sediment", "--duration", "100", "--film", film],
        &["valve", "--svg", nowhere],
        &["vesicle", "--film", film],
        &["bed", "--svg", nowhere],
        &["floes", "--svg", nowhere],
        &["unsplit", "--steps", "1000", "--film", film],
        &["swimmer", "--elements", "--svg", nowhere],
        &["array", "--cells", "4096", "--svg", "a", "--vtk", "a"],
    ] {
        let outcome = bench.run(&[&["fluid"], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("hint:"), "{}", outcome.stderr);
    }
}

#[test]
fn steps_in_which_bodies_are_lost_end_a_run() {
    let bench = Workbench::with_scenario("");
    for arguments in [
        &[
            "dkt",
            "--resolution",
            "24",
            "--step",
            "0.1",
            "--duration",
            "1",
        ][..],
        &["dkt", "--resolution", "24", "--gravity", "1e9"],
        &[
            "bed",
            "--cells",
            "80",
            "--inflow",
            "100",
            "--duration",
            "0.1",
        ],
        &[
            "vesicle",
            "--inner-viscosity",
            "1",
            "--spring",
            "1e5",
            "--duration",
            "1",
        ],
    ] {
        let outcome = bench.run(&[&["fluid"], arguments].concat());
        assert_eq!(outcome.code, Some(1), "{arguments:?}: {}", outcome.stderr);
        let message = &outcome.stderr;
        assert!(message.contains("times its radius in a step"), "{message}");
    }
}

#[test]
fn limits_that_a_set_up_does_not_tell_are_null_with_a_reason() {
    for arguments in [
        &[
            "squeeze",
            "--radius-cells",
            "20",
            "--gap",
            "5",
            "--gap",
            "10",
        ][..],
        &["squeeze", "--radius-cells", "40", "--cells", "240"],
        &["viscosity", "--fraction", "0.5"],
        &["viscosity", "--radius-cells", "2"],
    ] {
        let found = json(arguments);
        assert!(found["limit"].is_null(), "{found}");
        assert!(found["no_limit_since"].is_string(), "{found}");
    }
    let found = json(&[
        "squeeze",
        "--radius-cells",
        "40",
        "--gap",
        "6",
        "--gap",
        "12",
    ]);
    close(&found["limit"], 1.5 * std::f64::consts::PI, 0.01);
    for (arguments, is_resolved) in [
        (&["array", "--cells", "32"][..], false),
        (&["array", "--cells", "64"], true),
        (&["array", "--cells", "64", "--tolerance", "0.9"], false),
        (&["jeffery", "--cells", "64"], false),
    ] {
        assert_eq!(json(arguments)["is_resolved"], is_resolved, "{arguments:?}");
    }
}

const FLOES_AND_A_PIER: &str = r#"
[time]
duration = "400 s"
step = "10 s"
[domain]
edges = "periodic"
corner = ["-600 m", "-300 m"]
size = ["1200 m", "600 m"]
[wind]
velocity = ["12 m/s", "0 m/s"]
[ice]
thickness = "2 m"
[contact]
integrator = "stepping"
law = "inelastic"
[[floe]]
name = "square"
position = ["-300 m", "20 m"]
outline = { unit = "m", points = [[-60, -60], [60, -60], [60, 60], [-60, 60]] }
[[floe]]
name = "round"
position = ["-60 m", "-40 m"]
velocity = ["0.3 m/s", "0 m/s"]
disc = { radius = "70 m" }
[[obstacle]]
name = "pier"
position = ["120 m", "0 m"]
disc = { radius = "60 m" }
"#;

#[test]
fn floes_of_a_scenario_move_in_resolved_water() {
    let bench = Workbench::with_scenario(FLOES_AND_A_PIER);
    let scenario = bench.path("s.toml");
    let scenario = scenario.to_str().unwrap();
    let run = |more: &[&str]| json(&[&["run", scenario, "--cells", "8"], more].concat());
    let found = run(&[]);
    let [square, round] = [0, 1].map(|k| found["floes"][k].clone());
    assert_eq!(square["name"], "square");
    // The wind pushes the square; the disc starts with a velocity of 0.3 m/s and shares it with the water, which pushes the pier.
    let pushed = square["displacement_m"][0].as_f64().unwrap();
    assert!((1.0..40.0).contains(&pushed), "{found}");
    let travelled = round["displacement_m"][0].as_f64().unwrap();
    assert!((15.0..110.0).contains(&travelled), "{found}");
    assert_eq!(found["obstacles"][0]["name"], "pier");
    let force = found["obstacles"][0]["mean_force_n_m"][0].as_f64().unwrap();
    assert!(force.is_finite() && force != 0.0, "{found}");
    assert!(found["least_gap_cells"].as_f64().unwrap() > 0.99, "{found}");
    assert_eq!(found, run(&["--frame-count", "3"]));
    // Water of so little viscosity needs finer cells, and the numbers say so.
    assert_eq!(run(&["--viscosity", "1e-6"])["is_resolved"], false);
    // Discs alone can be gluey.
    let outcome = bench.run(&["fluid", "run", scenario, "--set", "contact.law=\"gluey\""]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("gluey contacts are of discs"),
        "{}",
        outcome.stderr
    );
    for (set, says) in [
        ("current.velocity=[\"1 m/s\", \"0 m/s\"]", "a current"),
        ("domain.size=[\"1200 m\", \"617.3 m\"]", "no grid"),
    ] {
        let outcome = bench.run(&["fluid", "run", scenario, "--set", set]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains(says) && outcome.stderr.contains("hint:"),
            "{}",
            outcome.stderr
        );
    }
}
