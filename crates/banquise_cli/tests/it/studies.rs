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
    let runs = study(
        &bench,
        &[
            "channel",
            "--test",
            "1",
            "--test",
            "4",
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
        ],
    );
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
    for name in ["study.html", "study.json", "energy.svg", "held.svg"] {
        assert!(
            fs::metadata(bench.path("out").join(name)).unwrap().len() > 0,
            "{name}"
        );
    }
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
        assert!(run["max_speed_m_s-1"].as_f64() <= run["max_free_drift_m_s-1"].as_f64());
    }
    assert!(fs::metadata(bench.path("out").join("pair_correlation.svg")).is_ok());
}
