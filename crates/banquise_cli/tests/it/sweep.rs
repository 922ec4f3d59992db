//! `banquise sweep`: each member runs once, however many processes share the folder.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::workbench::{Outcome, Workbench};

/// A small pack that collides.
const PACK: &str = r#"
[time]
duration = "10 min"
step = "5 s"
record_every = "1 min"
[domain]
edges = "periodic"
size = ["240 m", "240 m"]
[wind]
speed = "12 m/s"
toward = "90 deg"
[contact]
friction = 0.5
[pack]
concentration = 0.6
count = 20
min_size = "20 m"
max_size = "120 m"
thickness = { from = "25 cm", to = "38 cm" }
"#;

/// Eight members.
const STUDY: &str = r#"
title = "Friction and wind"
scenario = "pack.toml"
seeds = 2
measures = ["kinetic_energy", "collision_count", "concentration", "largest_cluster"]
[grid]
contact.friction = [0.2, 0.7]
wind.speed = ["5 m/s", "12 m/s"]
[[outcome]]
name = "late energy"
measure = "kinetic_energy"
take = "mean"
from = "5 min"
[[outcome]]
measure = "collision_count"
"#;

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("pack.toml", PACK);
    bench.write("study.toml", STUDY);
    bench
}

fn sweep(bench: &Workbench, arguments: &[&str]) -> Outcome {
    let outcome = bench.run(&[&["sweep"], arguments].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    outcome
}

fn table(bench: &Workbench, out: &str) -> String {
    fs::read_to_string(bench.path(out).join("table.csv")).unwrap()
}

#[test]
fn members_are_run_once_and_the_table_is_the_same_for_shards_and_threads() {
    let bench = bench();
    sweep(&bench, &["study.toml", "--out", "whole", "--threads", "1"]);
    let whole = table(&bench, "whole");
    assert_eq!(whole.lines().count(), 9, "{whole}");
    assert!(whole.starts_with(
        "member,contact.friction,wind.speed,seed,status,late energy,collision_count,"
    ));
    let rows: Vec<Vec<&str>> = whole
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    assert!(rows.iter().all(|row| row[4] == "complete"), "{whole}");
    // More wind, more energy, for each friction and pack.
    for pair in [(0, 2), (1, 3), (4, 6), (5, 7)] {
        let energy = |row: usize| rows[row][5].parse::<f64>().unwrap();
        assert!(energy(pair.0) < energy(pair.1), "{whole}");
    }
    for shard in ["1/2", "0/2"] {
        let arguments = [
            "study.toml",
            "--out",
            "parts",
            "--shard",
            shard,
            "--threads",
            "2",
        ];
        sweep(&bench, &arguments);
    }
    assert_eq!(table(&bench, "parts"), whole);
    // Nothing is left to run.
    let again = sweep(&bench, &["study.toml", "--out", "parts", "--json"]);
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(
        (&again["run_here"], &again["present"]),
        (&0.into(), &8.into())
    );
    for name in [
        "sweep.html",
        "map.svg",
        "curves_concentration.svg",
        "against_1.svg",
    ] {
        assert!(bench.path("parts").join(name).is_file(), "{name}");
    }
    // Each member is the run of its scenario, bit for bit.
    let member = bench.run_json(&[
        "pack.toml",
        "--out",
        "run",
        "--set",
        "contact.friction=0.7",
        "--set",
        "wind.speed=12 m/s",
        "--set",
        "seed=2",
    ]);
    assert!(
        rows[7].contains(&member["state_hash"].as_str().unwrap()),
        "{whole}"
    );
}

#[test]
fn a_member_that_fails_stays_in_the_table_and_the_others_go_on() {
    let bench = bench();
    let text = "scenario = \"pack.toml\"\nseeds = 1\n[grid]\ncontact.friction = [0.3, -1]\npack.concentration = [0.5, 2]\n";
    bench.write("bad.toml", text);
    let outcome = sweep(&bench, &["bad.toml", "--out", "out"]);
    assert!(
        outcome.stderr.contains("1 complete, 3 failed"),
        "{}",
        outcome.stderr
    );
    let rows = table(&bench, "out");
    assert!(rows.contains("failed"), "{rows}");
    assert!(rows.contains("friction"), "{rows}");
    let page = fs::read_to_string(bench.path("out/sweep.html")).unwrap();
    assert!(page.contains("failed: "), "the page has the reason");
}

#[test]
fn a_study_whose_every_member_is_refused_is_refused() {
    let bench = bench();
    bench.write(
        "bad.toml",
        "scenario = \"pack.toml\"\n[grid]\nwind.sped = [\"5 m/s\"]\n",
    );
    let outcome = bench.run(&["sweep", "bad.toml", "--out", "out"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("sped"), "{}", outcome.stderr);
    assert!(!bench.path("out").exists());
    bench.write("other/file.txt", "not a sweep");
    let outcome = bench.run(&["sweep", "study.toml", "--out", "other"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    let outcome = bench.run(&["sweep", "gather", "other"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
}

/// Two processes share a folder and are killed at random instants. `BANQUISE_KILLS` asks for more kills.
#[test]
fn two_processes_that_are_killed_again_and_again_make_the_same_table() {
    let kills: u64 = std::env::var("BANQUISE_KILLS").map_or(4, |text| text.parse().unwrap());
    let bench = bench();
    sweep(&bench, &["study.toml", "--out", "whole"]);
    let often = [
        "study.toml",
        "--out",
        "killed",
        "--threads",
        "1",
        "--checkpoint-every",
        "0.01 s",
    ];
    let spawn = || {
        let mut command = bench.command(&[&["sweep"], &often[..]].concat());
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    for kill in 0..kills {
        let mut both = [spawn(), spawn()];
        sleep(Duration::from_millis(40 + 37 * (kill % 7)));
        for child in &mut both {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    let mut both = [spawn(), spawn()];
    for child in &mut both {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(table(&bench, "killed"), table(&bench, "whole"));
}

/// The script of Slurm is run as an array of two tasks, by hand.
#[test]
fn a_batch_script_runs_all_members() {
    let bench = bench();
    sweep(&bench, &["study.toml", "--out", "whole"]);
    sweep(
        &bench,
        &[
            "study.toml",
            "--out",
            "queue",
            "--slurm=2",
            "--wall-time",
            "1h",
        ],
    );
    let script = bench.path("queue/sweep.sbatch");
    let text = fs::read_to_string(&script).unwrap();
    for line in ["#SBATCH --array=0-1", "#SBATCH --time=01:00:00"] {
        assert!(text.contains(line), "{text}");
    }
    for task in ["0", "1"] {
        let done = Command::new("bash")
            .arg(&script)
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("BANQUISE", env!("CARGO_BIN_EXE_banquise"))
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
    assert_eq!(table(&bench, "queue"), table(&bench, "whole"));
}

#[test]
fn members_are_drawn_by_latin_hypercubes_and_read_from_tables() {
    let bench = bench();
    bench.write(
        "rows.csv",
        "contact.friction,wind.speed\n0.3,\"6 m/s\"\n0.4,\n",
    );
    let text = "scenario = \"pack.toml\"\ncsv = \"rows.csv\"\nset = [\"time.duration=2 min\"]\n\
                [latin_hypercube]\nmembers = 3\nranges = { \"wind.toward\" = { from = \"0 deg\", to = \"90 deg\" } }\n";
    bench.write("drawn.toml", text);
    let outcome = sweep(&bench, &["drawn.toml", "--out", "out"]);
    assert!(outcome.stderr.contains("6 complete"), "{}", outcome.stderr);
    let gathered = sweep(&bench, &["gather", "out", "--json"]);
    let gathered: Value = serde_json::from_str(&gathered.stdout).unwrap();
    assert_eq!(gathered["members"], 6);
    let metadata = fs::read(bench.path("out/ensemble.zarr/zarr.json")).unwrap();
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    let arrays = &metadata["consolidated_metadata"]["metadata"];
    assert_eq!(arrays["wind_toward"]["attributes"]["units"], "rad");
    assert_eq!(arrays["kinetic_energy"]["shape"], serde_json::json!([6, 3]));
}
