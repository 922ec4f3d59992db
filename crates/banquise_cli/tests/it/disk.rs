//! Disks that are full or may not be written, files that are cut or flipped, exports that are broken off: each has its message, and what was complete stays.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workbench::{GOOD, Outcome, Workbench};

/// Records of two floes, four days long: 9 chunks of each variable.
fn long() -> String {
    GOOD.replace("1 h", "4 d").replace(
        "step = \"10 s\"",
        "step = \"10 s\"\nrecord_every = \"10 s\"",
    )
}

/// Runs a script, in which `$BANQUISE` is the program.
fn shell(bench: &Workbench, program: &[&str], script: &str) -> Outcome {
    let output = Command::new(program[0])
        .args(&program[1..])
        .arg(script)
        .env("BANQUISE", env!("CARGO_BIN_EXE_banquise"))
        .current_dir(bench.path("."))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Outcome::from(output)
}

const SHELL: &[&str] = &["sh", "-c"];

/// A shell in which disks can be mounted, that no other process sees; `None` where the system does not let us.
fn mounting_shell(bench: &Workbench) -> Option<&'static [&'static str]> {
    let shells: [&[&str]; 2] = [
        &["unshare", "--mount", "sh", "-c"],
        &["unshare", "--map-root-user", "--mount", "sh", "-c"],
    ];
    let may = |program: &&&[&str]| {
        let tried = Command::new(program[0])
            .args(&program[1..])
            .arg("mkdir tried && mount -t tmpfs -o size=64k none tried")
            .current_dir(bench.path("."))
            .stderr(Stdio::null())
            .status();
        drop(fs::remove_dir(bench.path("tried")));
        tried.is_ok_and(|status| status.success())
    };
    shells.iter().find(may).copied()
}

/// No half-written file is left.
fn assert_no_partial(bench: &Workbench) {
    let left = bench.listing();
    let is_partial = |path: &&std::path::PathBuf| path.to_string_lossy().contains(".partial");
    assert_eq!(left.iter().find(is_partial), None);
}

fn read(bench: &Workbench, name: &str) -> String {
    fs::read_to_string(bench.path(name)).unwrap()
}

#[test]
fn a_run_on_a_full_disk_says_what_is_safe_and_goes_on_when_there_is_room() {
    let bench = Workbench::with_scenario(&long());
    let Some(program) = mounting_shell(&bench) else {
        // A limit of file sizes stops the first large file instead; `resume.rs` has a checkpoint that cannot be written later on.
        let script = "trap '' XFSZ; ulimit -f 8; \"$BANQUISE\" run s.toml --out full";
        let full = shell(&bench, SHELL, script);
        assert_eq!(full.code, Some(1), "{}", full.stderr);
        assert!(full.stderr.contains("cannot write"), "{}", full.stderr);
        return;
    };
    let whole = bench.run_json(&["s.toml", "--out", "whole"]);
    let script = "mkdir disk && mount -t tmpfs -o size=12m none disk || exit 9
        \"$BANQUISE\" run s.toml --out disk/run --checkpoint-every '0.02 s' 2> first.txt; echo $? > first.code
        cp disk/run/recording.zarr/zarr.json full.json
        \"$BANQUISE\" report disk/run > /dev/null 2> report.txt; echo $? > report.code
        \"$BANQUISE\" resume disk/run 2> still.txt; echo $? > still.code
        mount -o remount,size=64m disk
        \"$BANQUISE\" resume disk/run 2> second.txt; echo $? > second.code
        cp -r disk/run copy";
    let ended = shell(&bench, program, script);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let first = read(&bench, "first.txt");
    assert_eq!(read(&bench, "first.code"), "1\n", "{first}");
    for part in ["No space left", "safe up to", "banquise resume disk/run"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    // It does not begin to doubt the recording while there is no room.
    let still = read(&bench, "still.txt");
    assert_eq!(read(&bench, "still.code"), "1\n", "{still}");
    for part in ["No space left", "safe up to", "banquise resume disk/run"] {
        assert!(still.contains(part), "{part}: {still}");
    }
    let full: Value = serde_json::from_str(&read(&bench, "full.json")).unwrap();
    assert_eq!(full["attributes"]["status"], "failed");
    // A report is made, or refused with the reason: the disk has a little room, or none.
    let report = read(&bench, "report.txt");
    let is_refused = report.contains("No space left");
    assert_eq!(read(&bench, "report.code") != "0\n", is_refused, "{report}");
    let second = read(&bench, "second.txt");
    assert_eq!(read(&bench, "second.code"), "0\n", "{second}");
    let copy = bench.attributes("copy");
    assert_eq!(copy["status"], "complete");
    assert_eq!(copy["state_hash"], whole["state_hash"]);
    assert_no_partial(&bench);
}

#[test]
fn a_folder_that_may_not_be_written_is_told_and_stays_as_it_is() {
    let bench = Workbench::with_scenario(GOOD);
    let cut = ["run", "s.toml", "--out", "cut", "--wall-time", "0.001 s"];
    assert_eq!(bench.run(&cut).code, Some(130));
    let before = bench.listing();
    let commands = [
        "run s.toml --out cut/new",
        "resume cut",
        "report cut",
        "export cut --to csv",
        "export cut --to netcdf",
    ];
    let (program, close, open) = match mounting_shell(&bench) {
        Some(program) => {
            let close = "mount --bind cut cut && mount -o remount,bind,ro cut";
            (program, close, "true")
        }
        None => (SHELL, "chmod -R a-w cut", "chmod -R u+w cut"),
    };
    for command in commands {
        let script = format!(
            "{close}; touch cut/x 2> /dev/null && exit 9; \"$BANQUISE\" {command}; code=$?; {open}; exit $code"
        );
        let refused = shell(&bench, program, &script);
        if refused.code == Some(9) {
            // No system here keeps anything from being written: another place that cannot be written does for the run.
            fs::remove_file(bench.path("cut/x")).unwrap();
            let refused = bench.run(&["run", "s.toml", "--out", "/proc/banquise"]);
            assert_eq!(refused.code, Some(2), "{}", refused.stderr);
            continue;
        }
        let text = &refused.stderr;
        assert!(matches!(refused.code, Some(1 | 2)), "{command}: {text}");
        assert!(text.contains("hint:"), "{command}: {text}");
        let is_named = text.contains("Read-only") || text.contains("ermission");
        assert!(is_named, "{command}: {text}");
    }
    assert_eq!(bench.listing(), before);
    assert_eq!(bench.run(&["resume", "cut"]).code, Some(0));
}

#[test]
fn a_recording_that_is_cut_or_flipped_is_told_and_the_rest_stays() {
    let bench = Workbench::with_scenario(GOOD);
    let cut = ["run", "s.toml", "--out", "cut", "--wall-time", "0.001 s"];
    assert_eq!(bench.run(&cut).code, Some(130));
    let chunk = bench.path("cut/recording.zarr/x/c/0/0");
    let good = fs::read(&chunk).unwrap();
    let mut flipped = good.clone();
    flipped[3] ^= 0x20;
    for (damaged, expected) in [
        (&flipped[..], "checksum"),
        (&good[..good.len() / 3], "bytes"),
    ] {
        fs::write(&chunk, damaged).unwrap();
        for command in [
            &["resume", "cut"][..],
            &["report", "cut"],
            &["export", "cut", "--to", "csv"],
        ] {
            let refused = bench.run(command);
            let text = &refused.stderr;
            assert!(matches!(refused.code, Some(1 | 2)), "{command:?}: {text}");
            assert!(
                text.contains(expected) && text.contains("x/c/0/0") && text.contains("hint:"),
                "{command:?}: {text}"
            );
        }
    }
    assert_no_partial(&bench);
    fs::write(&chunk, good).unwrap();
    assert_eq!(bench.run(&["resume", "cut"]).code, Some(0));
    let whole = bench.run_json(&["s.toml", "--out", "whole"]);
    assert_eq!(bench.attributes("cut")["state_hash"], whole["state_hash"]);
}

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn an_export_that_is_interrupted_leaves_nothing_behind() {
    let bench = Workbench::with_scenario(&long());
    bench.run_json(&["s.toml", "--out", "run"]);
    let before = names(&bench.path("run"));
    for format in ["csv", "png", "paraview", "geojson"] {
        for signal in ["-INT", "-TERM"] {
            let child = bench
                .command(&["export", "run", "--to", format])
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let begun = Instant::now();
            while names(&bench.path("run")).len() == before.len() {
                assert!(begun.elapsed() < Duration::from_secs(60), "{format}");
                sleep(Duration::from_millis(1));
            }
            let id = child.id().to_string();
            let sent = Command::new("kill").args([signal, &id]).status();
            assert!(sent.unwrap().success());
            let ended = Outcome::from(child.wait_with_output().unwrap());
            assert_eq!(ended.code, Some(130), "{format}: {}", ended.stderr);
            assert!(ended.stderr.contains("interrupted"), "{}", ended.stderr);
            assert_eq!(names(&bench.path("run")), before, "{format}");
        }
    }
}

#[test]
fn exports_and_reports_without_room_leave_what_was_there() {
    let bench = Workbench::with_scenario(GOOD);
    bench.run_json(&["s.toml", "--out", "run"]);
    let before = names(&bench.path("run"));
    let page = fs::read(bench.path("run/report.html")).unwrap();
    for command in [
        "report run",
        "export run --to csv",
        "export run --to netcdf",
    ] {
        // Files of 512 bytes at most: the system's answer is that of a full disk, but for its words.
        let script = format!("trap '' XFSZ; ulimit -f 1; \"$BANQUISE\" {command}");
        let refused = shell(&bench, SHELL, &script);
        assert!(
            matches!(refused.code, Some(1 | 2)) && refused.stderr.contains("too large"),
            "{command}: {}",
            refused.stderr
        );
        assert_eq!(names(&bench.path("run")), before, "{command}");
    }
    assert!(fs::read(bench.path("run/report.html")).unwrap() == page);
}

#[test]
fn a_recording_that_lacks_a_chunk_is_told() {
    let bench = Workbench::with_scenario(GOOD);
    let cut = [
        "run",
        "s.toml",
        "--out",
        "cut",
        "--set",
        "time.duration=900 d",
    ];
    let cut = [&cut[..], &["--wall-time", "0.3 s"]].concat();
    assert_eq!(bench.run(&cut).code, Some(130));
    fs::remove_dir_all(bench.path("cut/recording.zarr/x/c")).unwrap();
    let refused = bench.run(&["resume", "cut"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("recording does not fit"),
        "{}",
        refused.stderr
    );
    // The run itself is not lost.
    let again = ["--set", "title=\"again\"", "--out", "new"];
    assert!(
        refused.stderr.contains("--set title="),
        "{}",
        refused.stderr
    );
    let again = [&["resume", "cut", "--wall-time", "0.1 s"], &again[..]].concat();
    let again = bench.run(&again);
    assert_eq!(again.code, Some(130), "{}", again.stderr);
    assert_eq!(bench.attributes("new")["status"], "interrupted");
}
