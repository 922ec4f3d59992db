//! `banquise pack`: what it writes, and what it refuses.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::workbench::Workbench;

const PACK: &str = r#"
[domain]
edges = "periodic"
size = ["1 km", "1 km"]

[pack]
concentration = 0.8
count = 60
max_size = "250 m"
exponent = 1.5
thickness = { from = "0.25 m", to = "0.38 m" }
"#;

fn make(bench: &Workbench, arguments: &[&str]) -> Value {
    let outcome = bench.run(&[&["pack", "s.toml"], arguments].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn a_pack_is_written_drawn_told_and_included() {
    let bench = Workbench::with_scenario(PACK);
    let summary = make(&bench, &["--out", "made.json"]);
    assert_eq!(summary["floes"], 60);
    assert!((summary["concentration"].as_f64().unwrap() - 0.8).abs() < 1e-9);
    let fit = &summary["fit"];
    let error = fit["exponent"].as_f64().unwrap() - 1.5;
    assert!(error.abs() < fit["standard_error"].as_f64().unwrap());
    assert!(summary["smallest_gap_m"].as_f64() >= summary["gap_m"].as_f64());
    let picture = fs::read_to_string(bench.path("made.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("60 floes, 80.0 %"));
    // The floes read from the file are those made in place.
    let (domain, _) = PACK.split_once("[pack]").unwrap();
    let time =
        "[time]\nduration = \"5 min\"\nstep = \"5 s\"\n[wind]\nvelocity = [\"5 m/s\", \"0 m/s\"]\n";
    bench.write(
        "file.toml",
        format!("{time}{domain}[pack]\nfile = \"made.json\"\n"),
    );
    bench.write("made.toml", format!("{time}{PACK}"));
    let read = bench.run_json(&["file.toml", "--out", "read"]);
    let made = bench.run_json(&["made.toml", "--out", "made"]);
    assert_eq!(read["state_hash"], made["state_hash"]);
    assert!(read["contact"]["impacts"].as_u64() > Some(0));
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_threads() {
    let bench = Workbench::with_scenario(PACK);
    make(&bench, &["--out", "a.json", "--threads", "1"]);
    make(&bench, &["--out", "b.json", "--threads", "3"]);
    make(&bench, &["--out", "c.json", "--set", "seed=2"]);
    let read = |name: &str| fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!(read("a.json"), read("b.json"));
    assert_ne!(read("a.json"), read("c.json"));
}

#[test]
fn what_cannot_be_made_or_written_is_refused() {
    let bench = Workbench::with_scenario(PACK);
    bench.write("there.json", "");
    bench.write("bare.toml", "title = \"x\"\n");
    bench.write("file.toml", "[pack]\nfile = \"made.json\"\n");
    bench.write(
        "made.json",
        r#"{"name": "x", "floes": [{"thickness": 1, "outline": [[0, 0], [1, 0], [0, 1]]}]}"#,
    );
    let refusals: Vec<String> = [
        &["pack", "s.toml", "--out", "there.json"][..],
        &["pack", "s.toml", "--out", "no/such/folder.json"],
        &["pack", "bare.toml"],
        &["pack", "file.toml"],
        &["pack", "nowhere.toml"],
        &["pack", "s.toml", "--set", "pack.colour=3"],
        &["pack", "s.toml", "--set", "pack.count=3"],
    ]
    .into_iter()
    .map(|arguments| {
        let before = bench.listing();
        let outcome = bench.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        assert_eq!(bench.listing(), before);
        format!("banquise {}\n{}", arguments.join(" "), outcome.stderr)
    })
    .collect();
    assert_snapshot!(refusals.join("\n"));
}
