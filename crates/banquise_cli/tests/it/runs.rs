//! Runs from beginning to end.

use std::fs;

use serde_json::json;

use crate::workbench::{GOOD, Workbench};

/// A short run of the default scenario.
const SHORT: [&str; 5] = [
    "drift",
    "--set",
    "time.duration=\"2 h\"",
    "--set",
    "report.snapshots=[\"0 h\", \"2 h\"]",
];

#[test]
fn drift_writes_a_dataset_and_a_report() {
    let bench = Workbench::new();
    let outcome = bench.run(&["run", "drift"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains("report: runs/drift/report.html"));
    let page = fs::read_to_string(bench.path("runs/drift/report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("Seven floes under a turning wind"));
    let attributes = bench.attributes("runs/drift");
    assert_eq!(attributes["status"], "complete");
    assert_eq!(attributes["steps"], 51840);
    assert_eq!(attributes["title"], "Seven floes under a turning wind");
}

#[test]
fn a_run_cut_short_leaves_later_snapshots_out_and_says_so() {
    let bench = Workbench::with_scenario(&format!(
        "{GOOD}[report]\nsnapshots = [\"0 s\", \"5 min\", \"1 h\"]\n"
    ));
    let cut = [
        "run",
        "s.toml",
        "--set",
        "time.duration=10 min",
        "--out",
        "cut",
    ];
    let outcome = bench.run(&cut);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let words = "note: `report.snapshots` after the end of the run are left out: 1\n";
    assert!(outcome.stderr.starts_with(words), "{}", outcome.stderr);
    assert_eq!(bench.attributes("cut")["snapshots_s"], json!([0.0, 300.0]));
    // Snapshots that are given with the end are to be within the run.
    let both = [&cut[..4], &["--set", "report.snapshots=[\"1 h\"]"]].concat();
    let outcome = bench.run(&both);
    assert_eq!(outcome.code, Some(2));
    assert!(
        outcome.stderr.contains("must be within the run"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn robeson_runs_out_of_the_box_and_ends_with_two_lines_in_words() {
    let bench = Workbench::new();
    let summary = bench.run_json(&["robeson", "--set", "time.duration=\"2 h\"", "--out", "rob"]);
    assert_eq!(summary["status"], "complete");
    assert_eq!(summary["contact"]["unsolved"], 0);
    assert_eq!(summary["floes"], 300);
    let obstacles = summary["loads"].as_array().unwrap().iter();
    let obstacles: Vec<_> = obstacles.map(|load| &load["obstacle"]).collect();
    assert_eq!(obstacles, ["Ellesmere Island", "Greenland"]);
    let happened = summary["what_happened"][0].as_str().unwrap();
    assert!(happened.starts_with("300 floes moved"), "{happened}");
    let trust = summary["how_far_to_trust_it"][0].as_str().unwrap();
    assert!(
        trust.starts_with("All ") && trust.contains("solved"),
        "{trust}"
    );
    let page = fs::read_to_string(bench.path("rob/report.html")).unwrap();
    assert!(page.contains("What happened") && page.contains("How far to trust it"));
    assert!(page.contains("approximate shores"));
}

#[test]
fn small_runs_have_no_figures_of_rounding_errors() {
    let bench = Workbench::new();
    let outcome = bench.run(&["run", "cradle"]);
    let lines: Vec<&str> = outcome.stderr.lines().rev().take(2).collect();
    assert!(lines[1].starts_with("3 floes moved"), "{}", outcome.stderr);
    assert!(lines[0].starts_with("The contact problem was solved"));
    let page = fs::read_to_string(bench.path("runs/cradle/report.html")).unwrap();
    for absent in [
        "Rotary spectrum",
        "The pack",
        "Work since the start",
        "No values to draw",
    ] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_report_is_opened_where_it_can_be() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Workbench::with_scenario(GOOD);
    let arguments = ["run", "s.toml", "--open", "--out", "a"];
    let without = bench
        .command(&arguments)
        .env("PATH", bench.path("none"))
        .output();
    let without = without.unwrap();
    assert_eq!(without.status.code(), Some(0));
    let words = String::from_utf8(without.stderr).unwrap();
    assert!(
        words.contains("warning: the report was not opened: `xdg-open`"),
        "{words}"
    );
    assert!(
        words.contains("hint: open a/report.html in a browser"),
        "{words}"
    );
    bench.write(
        "bin/xdg-open",
        "#!/bin/sh\necho \"$1\" > opened.part\nmv opened.part opened\n",
    );
    let opener = bench.path("bin/xdg-open");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bench.path("bin").display());
    let arguments = ["run", "s.toml", "--open", "--out", "b"];
    let with = bench
        .command(&arguments)
        .env("PATH", path)
        .output()
        .unwrap();
    assert_eq!(with.status.code(), Some(0));
    // The opener is not waited for.
    let mut waits = 0;
    while !bench.path("opened").exists() && waits < 100 {
        std::thread::sleep(std::time::Duration::from_millis(50));
        waits += 1;
    }
    let opened = fs::read_to_string(bench.path("opened")).unwrap();
    assert_eq!(opened.trim(), "b/report.html");
}

#[test]
fn json_has_the_documented_keys() {
    let bench = Workbench::new();
    let summary = bench.run_json(&SHORT);
    let keys: Vec<&String> = summary.as_object().unwrap().keys().collect();
    let expected = [
        "contact",
        "dataset",
        "directory",
        "floes",
        "fracture",
        "how_far_to_trust_it",
        "kinetic_energy_j",
        "loads",
        "motion_hash",
        "report",
        "simulated_s",
        "sources",
        "state_hash",
        "status",
        "steps",
        "wall_s",
        "watchdogs",
        "what_happened",
    ];
    assert_eq!(keys, expected);
    assert_eq!(summary["status"], "complete");
    assert_eq!(summary["floes"], 7);
    assert_eq!(summary["steps"], 720);
    assert_eq!(summary["simulated_s"], 7200.0);
    assert!(bench.path(summary["report"].as_str().unwrap()).is_file());
    assert_eq!(
        bench.attributes("runs/drift")["state_hash"],
        summary["state_hash"]
    );
}

#[test]
fn a_second_run_gets_a_directory_of_its_own() {
    let bench = Workbench::new();
    assert_eq!(bench.run_json(&SHORT)["directory"], "runs/drift");
    assert_eq!(bench.run_json(&SHORT)["directory"], "runs/drift-2");
    assert_eq!(bench.run_json(&SHORT)["directory"], "runs/drift-3");
}

#[test]
fn out_names_the_directory_and_may_be_an_empty_one() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("mine")).unwrap();
    for directory in ["mine", "new/inside"] {
        let summary = bench.run_json(&[&SHORT[..], &["--out", directory]].concat());
        assert_eq!(summary["directory"], directory);
        assert!(bench.path(directory).join("recording.zarr").is_dir());
    }
    assert!(!bench.path("runs").exists());
}

#[test]
fn overrides_take_quotes_bare_strings_and_indices() {
    let bench = Workbench::with_scenario(GOOD);
    let ways = [
        "time.duration=\"20 min\"",
        "time.duration=20 min",
        " time . duration = 20 min ",
    ];
    for way in ways {
        let summary = bench.run_json(&["s.toml", "--set", way]);
        assert_eq!(summary["simulated_s"], 1200.0, "{way}");
    }
    let plain = bench.run_json(&["s.toml"]);
    for way in ["floe[1].thickness=2 m", "floe.1.thickness=2 m"] {
        let thick = bench.run_json(&["s.toml", "--set", way, "--out", way]);
        assert_ne!(thick["state_hash"], plain["state_hash"], "{way}");
        assert_eq!(bench.attributes(way)["scenario_overrides"], json!([way]));
    }
}

#[test]
fn the_state_is_the_same_bits_for_any_number_of_threads() {
    let bench = Workbench::new();
    // Enough floes for several chunks of work, not so many that the test is slow.
    let rows = ["--set", "floe[0].grid.rows=12"];
    let field = [&["field", "--set", "time.duration=10 min"], &rows[..]].concat();
    for scenario in [&SHORT[..], &field[..]] {
        let hashes = ["1", "2", "3", "8"].map(|threads| {
            let arguments = [scenario, &["--threads", threads]].concat();
            bench.run_json(&arguments)["state_hash"].clone()
        });
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    }
}

#[test]
fn a_wind_from_a_file_is_the_wind_written_in_the_scenario() {
    let constant = "velocity = [\"5 m/s\", \"0 m/s\"]";
    let samples = "series = [{ time = \"0 h\", velocity = [\"5 m/s\", \"0 m/s\"] }, \
                   { time = \"1 h\", velocity = [\"1 m/s\", \"7 m/s\"] }]";
    let bench = Workbench::new();
    bench.write("folder/inline.toml", GOOD.replace(constant, samples));
    bench.write(
        "folder/file.toml",
        GOOD.replace(constant, "series = \"data/wind.csv\""),
    );
    bench.write(
        "folder/data/wind.csv",
        "# a station\ntime [h],u [m/s],v [m/s]\n0,5,0\n1,1,7\n",
    );
    let inline = bench.run_json(&["folder/inline.toml"]);
    let file = bench.run_json(&["folder/file.toml"]);
    assert_eq!(inline["state_hash"], file["state_hash"]);
    assert_eq!(file["directory"], "runs/file");
}

#[test]
fn a_path_from_a_file_is_the_path_written_in_the_scenario() {
    let ship = "[[obstacle]]\nname = \"ship\"\ndisc = { radius = \"20 m\", sides = 5 }\npath = ";
    let samples = "[{ time = \"10 min\", position = [\"-300 m\", \"50 m\"] }, \
                   { time = \"1 h\", position = [\"2 km\", \"60 m\"], heading = \"90 deg\" }]";
    let bench = Workbench::new();
    bench.write("inline.toml", format!("{GOOD}\n{ship}{samples}"));
    bench.write("file.toml", format!("{GOOD}\n{ship}\"ship.csv\""));
    bench.write(
        "ship.csv",
        "t [min],x [km],y [m],heading [deg]\n10,-0.3,50,0\n60,2,60,90\n",
    );
    let inline = bench.run_json(&["inline.toml"]);
    let file = bench.run_json(&["file.toml"]);
    assert_eq!(inline["state_hash"], file["state_hash"]);
    assert_eq!(inline["loads"], file["loads"]);
    let load = &inline["loads"][0];
    assert_eq!(load["obstacle"], "ship");
    assert!(load["normal_impulse_n_s"].as_f64().unwrap() > 0.0);
    // Action and reaction.
    let borne = load["impulse_n_s"][0].as_f64().unwrap();
    let given = inline["contact"]["impulse_obstacles_n_s"][0]
        .as_f64()
        .unwrap();
    assert!((borne + given).abs() <= 1e-12 * given.abs());
    assert!(inline["contact"]["work_obstacles_j"].as_f64().unwrap() > 0.0);
}

#[test]
fn floes_that_meet_go_on_and_what_contact_did_is_told() {
    let bench = Workbench::new();
    bench.write(
        "meet.toml",
        GOOD.replace(
            "name = \"square\"",
            "velocity = [\"1 m/s\", \"0 m/s\"]\nname = \"square\"",
        ),
    );
    let arguments = ["run", "meet.toml", "--json"];
    let quiet = ["--set", "wind.velocity=[\"0 m/s\", \"0 m/s\"]"];
    let no_drag = ["--set", "drag.enabled=false"];
    let outcome = bench.run(&[&arguments[..], &quiet, &no_drag].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let line = outcome
        .stderr
        .lines()
        .find(|line| line.starts_with("contacts: "));
    insta::assert_snapshot!("contact_line", line.unwrap());
    let summary: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let contact = &summary["contact"];
    assert_eq!(contact["impacts"], 1);
    assert_eq!(contact["unsolved"], 0);
    assert_eq!(
        bench.attributes("runs/meet")["contact_statistics"],
        *contact
    );
    // A square of 100 m and a disc of 50 m, frontal: ½ (1 − ε²) of the reduced mass times 1 m²/s².
    let (square, disc) = (917.0 * 1e4, 917.0 * std::f64::consts::PI * 2500.0);
    let expected = 0.5 * (1.0 - 0.4 * 0.4) * square * disc / (square + disc);
    let lost = contact["energy_lost_restitution_j"].as_f64().unwrap();
    let friction = contact["energy_lost_friction_j"].as_f64().unwrap();
    let energy = summary["kinetic_energy_j"].as_f64().unwrap();
    assert!((energy + lost + friction - 0.5 * square).abs() <= 1e-12 * square);
    // The square's centre is not on the path of the disc's: some of the energy turns into spin.
    assert!(lost > 0.0 && lost < expected, "{lost} {expected}");
}

#[test]
fn a_step_that_fails_ends_the_run_and_the_recording_is_kept() {
    let bench = Workbench::with_scenario(&format!(
        "{GOOD}\n[[force]]\nacceleration = [\"100 m/s2\", \"0 m/s2\"]\nfrom = \"30 min\"\n"
    ));
    let outcome = bench.run(&["run", "s.toml", "--json"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    insta::assert_snapshot!(
        "failed_step",
        outcome
            .stderr
            .lines()
            .filter(|line| !line.starts_with("failed: "))
            .collect::<Vec<_>>()
            .join("\n")
    );
    let summary: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(summary["status"], "failed");
    assert_eq!(bench.attributes("runs/s")["status"], "failed");
    let time = summary["simulated_s"].as_f64().unwrap();
    assert!((1800.0..3600.0).contains(&time), "{time}");
    assert!(bench.path("runs/s/report.html").is_file());
    assert_eq!(bench.run(&["report", "runs/s"]).code, Some(0));
}

#[test]
fn check_says_what_would_run_and_writes_nothing() {
    let bench = Workbench::with_scenario(GOOD);
    let before = bench.listing();
    let outcome = bench.run(&["check", "s.toml"]);
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.stdout, "");
    insta::assert_snapshot!("check", outcome.stderr);
    assert_eq!(bench.listing(), before);
}

#[test]
fn every_listed_scenario_can_be_checked() {
    let bench = Workbench::new();
    let list = bench.run(&["scenarios"]);
    assert_eq!(list.code, Some(0));
    insta::assert_snapshot!("scenarios", list.stdout);
    // The coast that one of them asks for: an island in place of land.
    let island = "[[-65, 81.9], [-64.5, 81.9], [-64.5, 82], [-65, 82], [-65, 81.9]]";
    let island = format!(r#"{{"type": "Polygon", "coordinates": [{island}]}}"#);
    bench.write("land.geojson", island);
    for line in list.stdout.lines() {
        let name = line.split_whitespace().next().unwrap();
        let outcome = bench.run(&["check", name]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
}

#[test]
fn a_scenario_that_is_shown_and_saved_gives_the_same_run() {
    let bench = Workbench::new();
    let shown = bench.run(&["scenarios", "show", "drift"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
    bench.write("copy.toml", shown.stdout);
    let builtin = bench.run_json(&SHORT);
    let copy = bench.run_json(&[&["copy.toml"], &SHORT[1..]].concat());
    assert_eq!(builtin["state_hash"], copy["state_hash"]);
    assert_eq!(copy["directory"], "runs/copy");
    let hash = |run| bench.attributes(run)["scenario_hash"].clone();
    assert_eq!(hash("runs/drift"), hash("runs/copy"));
}

#[test]
fn report_makes_the_same_page_again_and_the_figures_beside_it() {
    let bench = Workbench::new();
    bench.run_json(&SHORT);
    let page = fs::read(bench.path("runs/drift/report.html")).unwrap();
    fs::remove_file(bench.path("runs/drift/report.html")).unwrap();
    let outcome = bench.run(&["report", "runs/drift", "--svg", "--json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let numbers: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let keys: Vec<&String> = numbers.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "contact", "drift", "energy", "fracture", "lines", "loads", "pack"
        ]
    );
    let again = fs::read(bench.path("runs/drift/report.html")).unwrap();
    assert!(again == page);
    let figures = [
        "trajectories",
        "configuration",
        "speed",
        "kinetic_energy",
        "wind",
        "water",
        "work",
        "drift_angle",
    ];
    for figure in figures {
        let svg = bench.path(&format!("runs/drift/{figure}.svg"));
        assert!(
            fs::read_to_string(svg).unwrap().starts_with("<svg"),
            "{figure}"
        );
    }
}
