//! Flows that are killed, stopped and go on: numbers, pictures and films are those of an undisturbed command, bit for bit.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workbench::Workbench;

/// Steps in the last checkpoint: its header is JSON near the start of the file.
fn steps_done(folder: &Path) -> u64 {
    let bytes = fs::read(folder.join("checkpoint.bin")).unwrap_or_default();
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
    let after = head.split("\"steps\":").nth(1).unwrap_or("0");
    let digits = after.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// What a command prints, without wall times.
fn numbers(stdout: &str) -> Value {
    let mut numbers: Value = serde_json::from_str(stdout).unwrap();
    numbers.as_object_mut().unwrap().remove("steps_per_s");
    assert!(numbers["state_hash"].is_string());
    numbers
}

fn pictures(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut list: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        })
        .filter(|(name, _)| !name.ends_with(".partial"))
        .collect();
    list.sort();
    list
}

/// Kills a command at random instants, with one and two threads in turn; the same command goes on each time. `BANQUISE_KILLS` asks for more kills.
fn killed_again_and_again(study: &[&str], steps: u64, kills: u64) {
    let kills = std::env::var("BANQUISE_KILLS").map_or(kills, |text| text.parse().unwrap());
    let bench = Workbench::with_scenario("");
    let options = |name: &str| {
        let file = |end: &str| format!("{name}{end}");
        [
            "--frames".to_owned(),
            file("-frames"),
            "--film".to_owned(),
            file(".gif"),
        ]
    };
    let with = |name: &str, more: &[&str]| {
        let options = options(name);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let count = ["--frame-count", "5", "--json"];
        [&["fluid"], study, &options[..], &count, more]
            .concat()
            .iter()
            .map(|s| (*s).to_owned())
            .collect::<Vec<_>>()
    };
    let run = |arguments: &[String]| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        bench.command(&arguments)
    };
    let whole = run(&with("whole", &["--threads", "1"])).output().unwrap();
    assert!(
        whole.status.success(),
        "{}",
        String::from_utf8_lossy(&whole.stderr)
    );
    let whole = numbers(&String::from_utf8(whole.stdout).unwrap());
    let often = ["--checkpoint", "kept", "--checkpoint-every", "0.001 s"];
    let kept = bench.path("kept");
    let (mut died, mut seed) = (0, 7_u64);
    for kill in 0..kills {
        let threads = if kill % 2 == 0 { "1" } else { "2" };
        let arguments = with("killed", &[&often[..], &["--threads", threads]].concat());
        let mut child = run(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let aim = (steps * (1000 * kill + (seed >> 33) % 1000) / (1000 * kills + 1000)).max(1);
        let begun = Instant::now();
        while steps_done(&kept) < aim && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(120), "no progress");
            sleep(Duration::from_millis(2));
        }
        sleep(Duration::from_millis((seed >> 50) % 20));
        child.kill().unwrap();
        died += u64::from(child.wait().unwrap().code().is_none());
    }
    let end = run(&with("killed", &often)).output().unwrap();
    assert!(
        end.status.success(),
        "{}",
        String::from_utf8_lossy(&end.stderr)
    );
    assert_eq!(numbers(&String::from_utf8(end.stdout).unwrap()), whole);
    assert!(pictures(&bench.path("killed-frames")) == pictures(&bench.path("whole-frames")));
    let film = |name: &str| fs::read(bench.path(name)).unwrap();
    assert!(film("killed.gif") == film("whole.gif"), "the films differ");
    assert!(
        died * 2 >= kills,
        "only {died} of {kills} kills hit the run"
    );
}

#[test]
fn two_discs_that_fall_are_killed_again_and_again() {
    let study = [
        "dkt",
        "--resolution",
        "16",
        "--step",
        "0.004",
        "--duration",
        "0.2",
    ];
    killed_again_and_again(&study, 50, 4);
}

#[test]
fn a_suspension_is_killed_again_and_again() {
    let study = [
        "sediment",
        "--resolution",
        "60",
        "--step",
        "0.02",
        "--duration",
        "0.16",
    ];
    killed_again_and_again(&study, 8, 2);
}

#[test]
fn a_gluey_bed_is_killed_again_and_again() {
    let study = [
        "bed",
        "--law",
        "gluey",
        "--cells",
        "80",
        "--gravity",
        "60",
        "--duration",
        "0.06",
    ];
    killed_again_and_again(&study, 6, 2);
}

#[test]
fn other_settings_and_damage_are_told() {
    let bench = Workbench::with_scenario("");
    let study = [
        "fluid",
        "dkt",
        "--resolution",
        "16",
        "--step",
        "0.01",
        "--duration",
        "0.05",
    ];
    let run = |more: &[&str]| bench.run(&[&study[..], &["--checkpoint", "kept"], more].concat());
    let first = run(&[]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    // The run is complete: the same command gives the same numbers at once, and makes its film again.
    let [json, again] = [(); 2].map(|()| run(&["--json"]).stdout);
    assert_eq!(numbers(&json), numbers(&again));
    let other = run(&["--gravity", "900"]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(
        other.stderr.contains("900") && other.stderr.contains("981"),
        "{}",
        other.stderr
    );
    // The one before it is used, that of the start.
    let path = bench.path("kept/checkpoint.bin");
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    fs::write(&path, &flipped).unwrap();
    let end = run(&["--json"]);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert!(end.stderr.contains("checksum"), "{}", end.stderr);
    assert_eq!(numbers(&end.stdout), numbers(&json));
    for name in ["kept/checkpoint.bin", "kept/checkpoint-previous.bin"] {
        fs::write(bench.path(name), &good[..good.len() / 3]).unwrap();
    }
    let refused = run(&[]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("damaged"), "{}", refused.stderr);
}

#[test]
fn a_film_goes_on_with_the_same_colours_and_frames_alone() {
    let bench = Workbench::with_scenario("");
    let run = |more: &[&str]| {
        let study = ["fluid", "dkt", "--resolution", "16", "--step", "0.01"];
        let film = ["--duration", "0.05", "--checkpoint", "kept"];
        bench.run(&[&study[..], &film, more].concat())
    };
    let first = run(&["--film", "fall.gif"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    for other in [
        &["--film", "fall.gif", "--show", "pressure"][..],
        &["--film", "fall.gif", "--frame-count", "2"],
        &[],
    ] {
        let other = run(other);
        assert_eq!(other.code, Some(2), "{}", other.stderr);
        assert!(other.stderr.contains("is of"), "{}", other.stderr);
    }
    let again = run(&["--film", "fall.gif"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
}
