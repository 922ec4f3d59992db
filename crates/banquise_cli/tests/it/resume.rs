//! Runs that are killed, stopped and go on: the end is that of an undisturbed run, bit for bit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workbench::{GOOD, Outcome, Workbench};

/// Floes that enter, are pushed through others, are crushed and leave, over a coupled ocean layer, with all that is recorded.
const EVENTFUL: &str = r#"
title = "Eventful"
seed = 3
[time]
duration = "40 min"
step = "1 s"
record_every = "7 s"
[domain]
edges = { west = "open", east = "open", south = "wall", north = "wall" }
size = ["700 m", "300 m"]
[wind]
velocity = ["18 m/s", "2 m/s"]
[ocean_layer]
cell_area = "0.5 km2"
[contact]
squeeze = "crush"
[report]
contact_forces = true
[[force]]
floes = ["pushed"]
force = ["20 kN", "0 N"]
from = "10 s"
[[floe]]
name = "pushed"
position = ["150 m", "150 m"]
thickness = "2 m"
outline = { unit = "m", points = [[0, 0], [40, 10], [40, 30], [0, 40]] }
[[floe]]
name = "squeezed"
position = ["450 m", "45 m"]
thickness = "1 m"
disc = { radius = "10 m", sides = 5 }
[[floe]]
position = ["250 m", "110 m"]
outline = { unit = "m", points = [[0, 0], [30, 0], [30, 30], [0, 30]] }
thickness = "1 m"
grid = { columns = 4, rows = 4, spacing = "35 m" }
[[obstacle]]
name = "pier"
position = ["560 m", "170 m"]
disc = { radius = "20 m" }
[[obstacle]]
name = "anvil"
position = ["490 m", "45 m"]
outline = { unit = "m", points = [[-5, -30], [5, -30], [5, 30], [-5, 30]] }
[[obstacle]]
name = "press"
outline = { unit = "m", points = [[-5, -30], [5, -30], [5, 30], [-5, 30]] }
path = [
  { time = "0 s", position = ["420 m", "45 m"] },
  { time = "2000 s", position = ["475 m", "45 m"] },
]
[[source]]
region = { corner = ["20 m", "40 m"], size = ["60 m", "200 m"] }
interval = "60 s"
min_size = "8 m"
max_size = "15 m"
exponent = 1.5
thickness = "1 m"
velocity = ["0.5 m/s", "0 m/s"]
"#;

/// All files of a dataset.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|ending| ending != "partial") {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

fn assert_same_dataset(bench: &Workbench, run: &str, expected: &str) {
    let of = |run: &str| files(&bench.path(run).join("recording.zarr"));
    let (found, expected) = (of(run), of(expected));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected));
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{} differs", name.display());
    }
}

/// Numbers that look random and are the same each time.
fn random(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |&n| {
        Some(
            n.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        )
    })
    .map(|n| n >> 33)
}

/// A run of `s.toml` into `cut` that stops itself after 0.4 times the wall time of the whole run, with checkpoints before.
fn interrupted(bench: &Workbench, whole: &Value) -> Outcome {
    let wall = format!("{} s", 0.4 * whole["wall_s"].as_f64().unwrap());
    let arguments = ["run", "s.toml", "--out", "cut", "--wall-time", &wall];
    // Each is forced to the disk, and a run that is stopped waits for those that are under way.
    let often = ["--checkpoint-every-simulated", "5 min"];
    bench.run(&[&arguments[..], &often].concat())
}

/// A pack that breaks at a wall.
const BREAKING: &str = r#"
title = "Breaking"
seed = 2
[time]
duration = "40 s"
step = "1 s"
record_every = "4 s"
[domain]
size = ["700 m", "500 m"]
edges = "walls"
[wind]
velocity = ["20 m/s", "0 m/s"]
[contact]
integrator = "stepping"
friction = 0.3
[fracture]
smallest_size = "40 m"
nodes = 150
[pack]
concentration = 0.6
exponent = 1
min_size = "110 m"
max_size = "160 m"
thickness = "1 m"
velocity = ["1 m/s", "0.1 m/s"]
"#;

/// Frozen floes that drift onto a pier: joints break, and form again.
const FROZEN: &str = r#"
title = "Frozen"
[time]
duration = "6 min"
step = "0.5 s"
record_every = "5 s"
[domain]
edges = "walls"
size = ["400 m", "200 m"]
[wind]
velocity = ["25 m/s", "5 m/s"]
[contact]
law = "bonded"
[bonds]
initial = true
tensile_strength = "2 kPa"
cohesion = "2 kPa"
healing_time = "20 s"
healing_speed = "5 cm/s"
[[floe]]
position = ["40 m", "20 m"]
velocity = ["0.6 m/s", "0.1 m/s"]
thickness = "1 m"
outline = { unit = "m", points = [[0, 0], [30, 0], [30, 30], [0, 30]] }
grid = { columns = 3, rows = 3, spacing = "30 m" }
[[floe]]
position = ["260 m", "70 m"]
velocity = ["-0.4 m/s", "0 m/s"]
thickness = "1 m"
disc = { radius = "20 m", sides = 7 }
[[obstacle]]
name = "pier"
position = ["200 m", "70 m"]
disc = { radius = "15 m", sides = 12 }
"#;

/// Frozen floes that are struck: floes and joints break, joints are cut by cracks, and form again.
const FROZEN_BREAKING: &str = r#"
title = "Frozen and breaking"
[time]
duration = "90 s"
step = "0.5 s"
record_every = "5 s"
[domain]
edges = "walls"
size = ["600 m", "500 m"]
[wind]
velocity = ["20 m/s", "5 m/s"]
[contact]
law = "bonded"
[bonds]
initial = true
young = "1 GPa"
tensile_strength = "300 kPa"
cohesion = "300 kPa"
healing_time = "20 s"
healing_speed = "5 cm/s"
[fracture]
nodes = 150
[[floe]]
position = ["130 m", "130 m"]
thickness = "1 m"
outline = { unit = "m", points = [[-30, -30], [30, -30], [30, 30], [-30, 30]] }
grid = { columns = 4, rows = 3, spacing = "60.3 m" }
[[floe]]
position = ["40 m", "150 m"]
velocity = ["5 m/s", "0 m/s"]
thickness = "1 m"
disc = { radius = "20 m", sides = 12 }
[[floe]]
position = ["230 m", "450 m"]
velocity = ["0.5 m/s", "-5 m/s"]
thickness = "1 m"
disc = { radius = "20 m", sides = 12 }
"#;

/// A run is killed at random instants and goes on each time, with one and two threads in turn: its end is that of one that was not. `BANQUISE_KILLS`
/// asks for more kills. Gives the attributes of the dataset.
pub(crate) fn killed_again_and_again(bench: &Workbench, kills: u64) -> Value {
    let kills = std::env::var("BANQUISE_KILLS").map_or(kills, |text| text.parse().unwrap());
    let whole = ["s.toml", "--out", "whole", "--threads", "1", "--steps"];
    let whole = bench.run_json(&whole);
    // Kills are spread over the run by its table of steps, not by the clock: they hit it on any machine.
    let table = |run: &str| fs::metadata(bench.path(run).join("steps.csv")).map_or(0, |m| m.len());
    let length = table("whole");
    let often = ["--checkpoint-every", "0.02 s", "--steps"];
    let start = [&["run", "s.toml", "--out", "killed"], &often[..]].concat();
    let mut moments = random(11);
    let mut died = 0;
    for kill in 0..kills {
        let threads = if kill % 2 == 0 { "1" } else { "2" };
        let again = ["resume", "killed", "--checkpoint-every", "0.02 s"];
        let arguments = if kill == 0 { &start[..] } else { &again[..] };
        let mut child = bench
            .command(&[arguments, &["--threads", threads]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let aim = length * (1000 * kill + moments.next().unwrap() % 1000) / (1000 * kills + 1000);
        let begun = Instant::now();
        // Before its first checkpoint there is nothing to go on from.
        let checkpoint = bench.path("killed/checkpoint.bin");
        while !(checkpoint.exists() && table("killed") >= aim)
            && child.try_wait().unwrap().is_none()
        {
            assert!(begun.elapsed() < Duration::from_secs(60), "no progress");
            sleep(Duration::from_millis(2));
        }
        sleep(Duration::from_millis(moments.next().unwrap() % 20));
        child.kill().unwrap();
        died += u64::from(child.wait().unwrap().code().is_none());
    }
    let end = bench.run(&["resume", "killed", "--json"]);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    let end: Value = serde_json::from_str(&end.stdout).unwrap();
    for key in ["state_hash", "steps"] {
        assert_eq!(end[key], whole[key], "{key}");
    }
    // Of a run that was complete already less is known.
    for key in ["motion_hash", "contact"] {
        assert!(end[key] == whole[key] || end[key].is_null(), "{key}");
    }
    let attributes = bench.attributes("killed");
    assert_eq!(attributes["state_hash"], whole["state_hash"]);
    assert_same_dataset(bench, "killed", "whole");
    // The table of steps has no step twice, and none is missing.
    let table = fs::read_to_string(bench.path("killed/steps.csv")).unwrap();
    let steps = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap());
    let steps: Vec<u64> = steps.map(|step| step.parse().unwrap()).collect();
    let count = whole["steps"].as_u64().unwrap();
    assert!(steps.iter().copied().eq(0..count));
    assert!(
        died * 2 >= kills,
        "only {died} of {kills} kills hit the run"
    );
    attributes
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    let attributes = killed_again_and_again(&Workbench::with_scenario(EVENTFUL), 10);
    // The run was eventful: else the test shows little.
    let crushed = &attributes["contact_statistics"]["energy_lost_crushing_j"];
    assert!(crushed.as_f64() > Some(0.0));
    let joins = &attributes["contact_statistics"]["collisions"];
    assert!(joins.as_u64() > Some(0));
}

#[test]
fn a_recording_with_shards_is_killed_again_and_again() {
    let text = EVENTFUL.replace("[report]", "[report]\nshard = true");
    let bench = Workbench::with_scenario(&text);
    killed_again_and_again(&bench, 4);
    // Six chunks of 64 records share a file.
    let files = files(&bench.path("killed/recording.zarr/x/c"));
    assert!(files.keys().all(|name| name.starts_with("0")), "{files:?}");
}

#[test]
fn a_run_in_which_floes_break_is_killed_again_and_again() {
    let attributes = killed_again_and_again(&Workbench::with_scenario(BREAKING), 4);
    let cracks = &attributes["contact_statistics"]["energy_lost_fracture_j"];
    assert!(cracks.as_f64() > Some(0.0), "{cracks}");
}

#[test]
fn a_run_in_which_joints_break_and_heal_is_killed_again_and_again() {
    let bench = Workbench::with_scenario(&FROZEN.replace("6 min", "1 h"));
    let attributes = killed_again_and_again(&bench, 4);
    for key in ["bonds_formed", "bonds_broken"] {
        let count = &attributes["contact_statistics"][key];
        assert!(count.as_u64() > Some(0), "{key} {count}");
    }
}

#[test]
fn a_run_in_which_frozen_floes_break_is_killed_again_and_again() {
    let bench = Workbench::with_scenario(FROZEN_BREAKING);
    let attributes = killed_again_and_again(&bench, 4);
    let statistics = &attributes["contact_statistics"];
    for key in ["bonds_formed", "bonds_broken"] {
        assert!(statistics[key].as_u64() > Some(0), "{key} {statistics}");
    }
    let cracks = &statistics["energy_lost_fracture_j"];
    assert!(cracks.as_f64() > Some(0.0), "{cracks}");
}

#[test]
fn a_run_that_is_stopped_drops_the_record_of_the_interruption() {
    let bench = Workbench::with_scenario(&EVENTFUL.replace("40 min", "2 h"));
    let whole = bench.run_json(&["s.toml", "--out", "whole"]);
    let first = interrupted(&bench, &whole);
    assert_eq!(first.code, Some(130), "{}", first.stderr);
    assert!(
        first.stderr.contains("banquise resume cut"),
        "{}",
        first.stderr
    );
    assert_eq!(bench.attributes("cut")["status"], "interrupted");
    let end = bench.run(&["resume", "cut"]);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert_eq!(bench.attributes("cut")["state_hash"], whole["state_hash"]);
    assert_same_dataset(&bench, "cut", "whole");
    let again = bench.run(&["resume", "cut"]);
    assert_eq!(again.code, Some(0));
    assert!(again.stderr.contains("is complete"), "{}", again.stderr);
    let rerun = bench.run(&["rerun", "cut", "--json"]);
    assert_eq!(rerun.code, Some(0), "{}", rerun.stderr);
    let rerun: Value = serde_json::from_str(&rerun.stdout).unwrap();
    assert_eq!(rerun["identical"], true);
}

#[test]
fn damage_is_told_and_the_checkpoint_before_is_used() {
    let bench = Workbench::with_scenario(&EVENTFUL.replace("40 min", "2 h"));
    let whole = bench.run_json(&["s.toml", "--out", "whole"]);
    assert_eq!(interrupted(&bench, &whole).code, Some(130));
    let path = bench.path("cut/checkpoint.bin");
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    fs::write(&path, flipped).unwrap();
    let end = bench.run(&["resume", "cut"]);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert!(end.stderr.contains("checksum"), "{}", end.stderr);
    assert_eq!(bench.attributes("cut")["state_hash"], whole["state_hash"]);
    assert_same_dataset(&bench, "cut", "whole");

    // Both are cut short, then of another version, then gone.
    let both = |bytes: &[u8]| {
        for name in ["cut/checkpoint.bin", "cut/checkpoint-previous.bin"] {
            fs::write(bench.path(name), bytes).unwrap();
        }
        let refused = bench.run(&["resume", "cut"]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains("hint:"), "{}", refused.stderr);
        refused.stderr
    };
    assert!(both(&good[..good.len() / 3]).contains("damaged"));
    let mut later = good.clone();
    later[20] = 99;
    assert!(both(&later).contains("version 99"));
    assert!(both(b"something else").contains("not a checkpoint"));
}

#[test]
fn a_variant_starts_at_the_checkpoint_and_tells_its_origin() {
    let bench = Workbench::with_scenario(GOOD);
    let whole = bench.run_json(&["s.toml", "--out", "whole", "--set", "time.duration=2 h"]);
    let first = bench.run_json(&["s.toml", "--out", "first"]);
    let longer = ["resume", "first", "--out", "longer", "--json"];
    let longer = bench.run(&[&longer[..], &["--set", "time.duration=2 h"]].concat());
    assert_eq!(longer.code, Some(0), "{}", longer.stderr);
    let longer: Value = serde_json::from_str(&longer.stdout).unwrap();
    assert_eq!(longer["state_hash"], whole["state_hash"]);
    let origin = &bench.attributes("longer")["branched_from"];
    assert_eq!(origin["state_hash"], first["state_hash"]);
    assert_eq!(origin["time_s"], 3600.0);
    let windy = [
        "resume",
        "first",
        "--out",
        "windy",
        "--set",
        "time.duration=2 h",
    ];
    let windy = bench.run(
        &[
            &windy[..],
            &["--set", "wind.velocity=[\"9 m/s\", \"0 m/s\"]"],
        ]
        .concat(),
    );
    assert_eq!(windy.code, Some(0), "{}", windy.stderr);
    // Measured from its own start.
    for part in ["energy budget closes", "in 1 h"] {
        assert!(windy.stderr.contains(part), "{part}: {}", windy.stderr);
    }
    assert_ne!(bench.attributes("windy")["state_hash"], whole["state_hash"]);
    for (key, expected) in [
        ("seed=2", "in the state"),
        ("time.duration=\"30 min\"", "would end"),
    ] {
        let refused = bench.run(&["resume", "first", "--set", key]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
    let rerun = bench.run(&["rerun", "longer"]);
    assert_eq!(rerun.code, Some(2));
    assert!(rerun.stderr.contains("variant"), "{}", rerun.stderr);
}

#[test]
fn two_programs_do_not_write_one_folder() {
    let bench = Workbench::with_scenario(GOOD);
    let mut child = bench
        .command(&[
            "run",
            "s.toml",
            "--out",
            "busy",
            "--set",
            "time.duration=9000 d",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !bench.path("busy/checkpoint.bin").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
        sleep(Duration::from_millis(5));
    }
    let refused = bench.run(&["resume", "busy"]);
    let process = format!("process {}", child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains(&process), "{}", refused.stderr);
    // The lock went with the process.
    let resumed = bench.run(&["resume", "busy", "--wall-time", "0.1 s"]);
    assert_eq!(resumed.code, Some(130), "{}", resumed.stderr);
}

#[test]
fn a_changed_input_file_is_not_taken_for_the_old_one() {
    let wind = "time [s],u [m/s],v [m/s]\n0,5,0\n100000,6,0\n";
    let scenario = GOOD.replace("velocity = [\"5 m/s\", \"0 m/s\"]", "series = \"wind.csv\"");
    let bench = Workbench::with_scenario(&scenario);
    bench.write("wind.csv", wind);
    let cut = ["run", "s.toml", "--out", "cut", "--wall-time", "0.001 s"];
    let cut = bench.run(&cut);
    assert_eq!(cut.code, Some(130), "{}", cut.stderr);
    bench.write("wind.csv", wind.replace('6', "7"));
    let refused = bench.run(&["resume", "cut"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("has changed"), "{}", refused.stderr);
    bench.write("wind.csv", wind);
    assert_eq!(bench.run(&["resume", "cut"]).code, Some(0));
}

/// Runs the program through a shell, for what only a shell can arrange.
fn shell(bench: &Workbench, script: &str) -> (Option<i32>, String) {
    let output = Command::new("sh")
        .args(["-c", script])
        .env("BANQUISE", env!("CARGO_BIN_EXE_banquise"))
        .current_dir(bench.path("."))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

#[test]
fn a_standard_output_that_takes_nothing_is_an_error() {
    let bench = Workbench::with_scenario(GOOD);
    for command in [
        "scenarios",
        "scenarios show drift",
        "--help",
        "run --help",
        "--version",
        "run s.toml --json",
        "rerun runs/s --json",
    ] {
        let (code, text) = shell(&bench, &format!("\"$BANQUISE\" {command} > /dev/full"));
        assert_eq!(code, Some(1), "{command}: {text}");
        assert!(text.contains("standard output"), "{command}: {text}");
    }
    // A reader that has seen enough is none.
    let (code, text) = shell(&bench, "\"$BANQUISE\" scenarios | head -1; exit 0");
    assert_eq!(code, Some(0));
    assert_eq!(text, "");
}

#[test]
fn a_checkpoint_that_cannot_be_written_leaves_the_last_one_and_says_so() {
    let bench = Workbench::with_scenario(EVENTFUL);
    let whole = bench.run_json(&["s.toml", "--out", "whole"]);
    let often = ["--checkpoint-every", "0.01 s"];
    let child = bench
        .command(&[&["run", "s.toml", "--out", "full"], &often[..]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    // A folder in the place of the file that is written next: the system refuses it, as it does on a full disk.
    let partial = bench.path("full/checkpoint.bin.partial");
    while !bench.path("full/checkpoint.bin").exists() || fs::create_dir(&partial).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no checkpoint");
    }
    let end = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&end.stderr);
    assert_eq!(end.status.code(), Some(1), "{text}");
    assert!(text.contains("banquise resume full"), "{text}");
    fs::remove_dir(&partial).unwrap();
    let end = bench.run(&["resume", "full"]);
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert_eq!(bench.attributes("full")["state_hash"], whole["state_hash"]);
    assert_same_dataset(&bench, "full", "whole");
}

#[test]
fn ice_as_thick_as_numbers_go_is_refused() {
    let bench = Workbench::with_scenario(&GOOD.replacen("1 m", "1e308 m", 1));
    let refused = bench.run(&["check", "s.toml"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("mass per area"),
        "{}",
        refused.stderr
    );
}
