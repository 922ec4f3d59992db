//! Runs and studies of a glacier front, from beginning to end.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::workbench::Workbench;

/// A glacier in which nothing is wrong; the cases change a line of it.
const GOOD: &str = r#"[glacier]
length = "2 km"
blocks = 20

[contact]
kind = "pulse"
peak = "30 MN/m"
duration = "100 s"

[time]
duration = "120 s"
step = "1 s"
"#;

fn json(bench: &Workbench, arguments: &[&str]) -> Value {
    let outcome = bench.run(&[&["glacier"], arguments, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn a_run_leaves_tables_figures_and_a_page() {
    let bench = Workbench::with_scenario(GOOD);
    let summary = json(&bench, &["run", "s.toml"]);
    let keys: Vec<&String> = summary.as_object().unwrap().keys().collect();
    assert_snapshot!("glacier_run_keys", format!("{keys:#?}"));
    assert_eq!(summary["status"], "complete");
    assert!(summary["identity_gap"].as_f64().unwrap() < 1e-12);
    // Blocks of 100 m: 8.1e-4 m.
    let moved = summary["max_displacement_m"].as_f64().unwrap();
    assert!((moved / 8.1e-4 - 1.0).abs() < 0.01, "{moved}");
    let table = fs::read_to_string(bench.path("runs/s/glacier.csv")).unwrap();
    assert_eq!(table.lines().count(), 122);
    assert!(table.starts_with("time [s],contact_force [N/m],seismogenic_force [N/m]"));
    for file in [
        "profiles.csv",
        "forces.svg",
        "displacement.svg",
        "velocity.svg",
        "report.html",
    ] {
        assert!(bench.path("runs/s").join(file).is_file(), "{file}");
    }
}

#[test]
fn a_run_over_its_limit_is_warned_of_or_stopped() {
    let explicit = GOOD.replace(
        "step = \"1 s\"",
        "scheme = \"lagged-verlet\"\nduration = \"20 s\"",
    );
    let explicit = explicit.replacen("duration = \"120 s\"\n", "", 1);
    let bench = Workbench::with_scenario(&explicit);
    let outcome = bench.run(&["glacier", "run", "s.toml"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("the slowest block slides at"),
        "{}",
        outcome.stderr
    );
    assert!(bench.path("runs/s/report.html").is_file());
    let warned = bench.run(&[
        "glacier",
        "run",
        "s.toml",
        "--set",
        "time.over_limit=\"warn\"",
        "--set",
        "time.duration=\"8 s\"",
    ]);
    assert_eq!(warned.code, Some(0), "{}", warned.stderr);
    assert!(warned.stderr.contains("do not trust"), "{}", warned.stderr);
}

#[test]
fn the_built_in_glaciers_run() {
    let bench = Workbench::new();
    for name in ["glacier-capsize", "glacier-pulse"] {
        assert_eq!(json(&bench, &["run", name])["status"], "complete");
    }
    let sliding = bench.run(&["glacier", "run", "glacier-sliding"]);
    assert!(
        sliding.stderr.contains("do not trust this run"),
        "{}",
        sliding.stderr
    );
    let block = json(
        &bench,
        &["run", "glacier-block", "--set", "time.duration=\"4 s\""],
    );
    assert_eq!(block["steps_over_limit"], 0);
    assert!(block["reversal_s"].is_array());
}

#[test]
fn studies_print_what_they_find() {
    let bench = Workbench::new();
    let stability = json(&bench, &["stability"]);
    let limit = |name: &str| stability["limits_s"][name].as_f64();
    assert!((limit("Verlet, chain").unwrap() - 3.9418e-4).abs() < 5e-9);
    assert!((limit("HHT as printed, without the 1/3").unwrap() - 4.381e-5).abs() < 5e-9);
    assert!(stability["limits_s"]["HHT, any α in [−1/3, 0]"].is_null());
    let iceberg = json(&bench, &["iceberg"]);
    assert!((iceberg["peak_n_per_m"].as_f64().unwrap() / 35.9e6 - 1.0).abs() < 2e-3);
    let sizes = json(&bench, &["block-size", "--set", "time.step=\"2 s\""]);
    assert_eq!(sizes["runs"].as_array().unwrap().len(), 9);
    let scan = json(
        &bench,
        &[
            "dt-scan",
            "--set",
            "glacier.blocks=2",
            "--set",
            "time.duration=\"20 s\"",
        ],
    );
    let sliding = scan["sliding"].as_array().unwrap();
    let moved = |run: &Value| run["displacement_m"].as_f64().unwrap().abs();
    assert!(moved(&sliding[0]) < 1e-12 && moved(&sliding[24]) > 1.0);
    for study in ["stability", "iceberg", "block-size", "dt-scan"] {
        assert!(
            bench
                .path(&format!("runs/glacier-{study}/report.html"))
                .is_file()
        );
    }
}

#[test]
fn check_knows_glaciers() {
    let bench = Workbench::with_scenario(GOOD);
    let outcome = bench.run(&["check", "s.toml"]);
    assert_eq!(outcome.code, Some(0));
    assert_snapshot!("glacier_check", outcome.stderr);
}

/// Refused politely: status 2, nothing on stdout, nothing written. Gives the words.
fn refusal(bench: &Workbench, arguments: &[&str]) -> String {
    let before = bench.listing();
    let outcome = bench.run(arguments);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    assert_eq!(bench.listing(), before);
    outcome.stderr
}

#[test]
fn bad_glaciers_are_refused() {
    let cases = [
        ("blocks = 20", "blocks = 0"),
        ("blocks = 20\n", ""),
        ("blocks = 20", "blocks = 20\nslope = \"100 deg\""),
        ("[contact]", "[bed]\nlaw = \"none\"\n[contact]"),
        ("[contact]", "[bed]\nlaw = \"regularised\"\n[contact]"),
        ("kind = \"pulse\"", "kind = \"puls\""),
        ("peak = \"30 MN/m\"", "peak = \"30 MN\""),
        ("kind = \"pulse\"", "kind = \"table\""),
        (
            "kind = \"pulse\"\npeak = \"30 MN/m\"\nduration = \"100 s\"",
            "kind = \"iceberg\"\nheight = \"800 m\"\nwidth = \"800 m\"",
        ),
        (
            "step = \"1 s\"",
            "step = \"1 s\"\nscheme = \"semi-implicit\"",
        ),
        (
            "step = \"1 s\"",
            "step = \"1 s\"\nscheme = \"lagged-verlet\"",
        ),
        ("step = \"1 s\"", "step = \"1 s\"\nalpha = 0.1"),
        ("step = \"1 s\"", "step = \"1e-12 s\""),
        ("[time]", "[report]\npoints = [\"3 km\"]\n[time]"),
    ];
    let mut words = String::new();
    for (from, to) in cases {
        assert!(GOOD.contains(from), "{from}");
        let bench = Workbench::with_scenario(&GOOD.replacen(from, to, 1));
        let refused = refusal(&bench, &["glacier", "run", "s.toml"]);
        assert_eq!(refused, refusal(&bench, &["check", "s.toml"]));
        words = [
            &words,
            "# ",
            from.lines().next().unwrap(),
            " -> ",
            to.lines().last().unwrap_or(""),
            "\n",
            &refused,
            "\n",
        ]
        .concat();
    }
    assert_snapshot!("glacier_refused", words);
}

#[test]
fn names_of_the_other_kind_are_refused_with_the_way_out() {
    let bench = Workbench::new();
    let commands: [&[&str]; 5] = [
        &["run", "glacier-pulse"],
        &["glacier", "run", "drift"],
        &["glacier", "run", "glacier-puls"],
        &["glacier", "iceberg", "glacier-pulse"],
        &["glacier", "melt"],
    ];
    let words: Vec<String> = commands
        .iter()
        .map(|command| refusal(&bench, command))
        .collect();
    assert_snapshot!("glacier_names", words.join("\n"));
}

#[test]
fn the_benchmark_of_a_glacier_has_no_keys() {
    let bench = Workbench::new();
    for option in [
        ["--steps", "10"],
        ["--set", "time.step=1"],
        ["--threads", "2"],
    ] {
        let outcome = bench.run(&["bench", "glacier", option[0], option[1]]);
        assert_eq!(outcome.code, Some(2), "{option:?}");
        assert!(outcome.stderr.contains("hint:"), "{}", outcome.stderr);
    }
}
