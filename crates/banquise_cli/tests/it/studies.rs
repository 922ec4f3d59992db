//! `banquise study`: short runs of single tests.

use std::fs;

use serde_json::Value;

use crate::workbench::Workbench;

fn study(bench: &Workbench, arguments: &[&str]) -> Vec<Value> {
    let outcome = bench.run(&[&["study"], arguments, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn a_channel_is_compared_test_by_test_and_pack_by_pack() {
    let bench = Workbench::new();
    let short = [
        "channel",
        "--seeds",
        "2",
        "--set",
        "pack.count=20",
        "--set",
        "pack.min_size=\"60 m\"",
        "--set",
        "time.duration=\"10 min\"",
        "--out",
        "out",
    ];
    let first = study(&bench, &[&short[..], &["--test", "4"]].concat());
    let members = || {
        let folders = fs::read_dir(bench.path("out/members")).unwrap();
        let files = folders.map(|folder| folder.unwrap().path().join("member.json"));
        let mut results: Vec<_> = files
            .map(|file| (file.clone(), fs::read(file).unwrap()))
            .collect();
        results.sort();
        results
    };
    let before = members();
    let both = ["--test", "1", "--test", "4", "--resume"];
    let runs = study(&bench, &[&short[..], &both[..]].concat());
    assert_eq!(runs[2..], first[..]);
    // Members that are done are not run again: even their wall times are those of before.
    assert_eq!((before.len(), members().len()), (2, 4));
    assert!(before.iter().all(|member| members().contains(member)));
    let named: Vec<(u64, u64)> = runs
        .iter()
        .map(|run| (run["test"].as_u64().unwrap(), run["seed"].as_u64().unwrap()))
        .collect();
    assert_eq!(named, [(1, 1), (1, 2), (4, 1), (4, 2)]);
    for run in &runs {
        assert_eq!((&run["unsolved"], &run["overlaps"]), (&0.into(), &0.into()));
        let energy = run["largest_energy_over_free_drift"].as_f64().unwrap();
        assert!(energy > 0.2 && energy < 1.0, "{energy}");
    }
    for name in [
        "study.html",
        "study.json",
        "energy.svg",
        "held.svg",
        "held-at-end.svg",
        "energy-of-pack.svg",
        "impulse-of-pack.svg",
    ] {
        assert!(
            fs::metadata(bench.path("out").join(name)).unwrap().len() > 0,
            "{name}"
        );
    }
}

#[test]
fn a_channel_shows_its_ice_at_the_times_of_the_source() {
    let bench = Workbench::new();
    let runs = study(
        &bench,
        &[
            "channel",
            "--test",
            "3",
            "--test",
            "4",
            "--seeds",
            "1",
            "--set",
            "pack.count=20",
            "--set",
            "pack.min_size=\"60 m\"",
            "--set",
            "time.duration=\"126 min\"",
            "--out",
            "out",
        ],
    );
    assert_eq!(runs[0]["normal_impulse_n_s"].as_array().unwrap().len(), 126);
    // Two tests, at the first of two times.
    let maps = fs::read_to_string(bench.path("out/snapshots.svg")).unwrap();
    for heading in ["test 3, t = 2.07 h", "test 4, t = 2.07 h"] {
        assert!(maps.contains(heading), "{heading}");
    }
    assert!(!maps.contains("t = 3.67 h"));
}

#[test]
fn a_week_of_drift_keeps_its_ice_in_the_cell() {
    let bench = Workbench::new();
    let runs = study(
        &bench,
        &[
            "drift-week",
            "--test",
            "6",
            "--test",
            "11",
            "--set",
            "pack.count=50",
            "--set",
            "pack.min_size=\"80 m\"",
            "--set",
            "time.duration=\"2 h\"",
            "--out",
            "out",
        ],
    );
    for run in &runs {
        let values: Vec<f64> = run["concentration"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_f64().unwrap())
            .collect();
        assert_eq!(values.len(), 5);
        let is_periodic = run["test"] == 6;
        let spread = values
            .iter()
            .fold(0.0_f64, |most, value| most.max((value - values[0]).abs()));
        assert_eq!(is_periodic, spread < 1e-12, "{spread}");
        assert!((values[0] - 0.7).abs() < if is_periodic { 1e-9 } else { 0.1 });
        assert!(run["max_speed_m_s-1"].as_f64() <= run["max_bound_m_s-1"].as_f64());
    }
    assert!(fs::metadata(bench.path("out").join("pair_correlation.svg")).is_ok());
}

#[test]
fn restitution_is_fitted_to_filmed_collisions() {
    let bench = Workbench::new();
    let fits = study(&bench, &["basin", "--out", "out"]);
    assert_eq!(fits.len(), 8);
    for fit in &fits[..7] {
        let [implied, fitted] =
            ["implied_restitution", "fitted_restitution"].map(|key| fit[key].as_f64().unwrap());
        // Drag slows the modelled discs in the second that is compared, so that they need a little more.
        assert!(fitted > implied && fitted < implied + 0.015, "{fit}");
    }
    let common = fits[7]["fitted_restitution"].as_f64().unwrap();
    assert!((common - 0.428).abs() < 0.002, "{common}");
    assert!(fs::metadata(bench.path("out").join("path-7.svg")).is_ok());
}
