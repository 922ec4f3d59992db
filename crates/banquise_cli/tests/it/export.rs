//! `banquise export`: what it writes, and what it refuses. Foreign programs open the files in `tests/python`.

use std::fs;

use insta::assert_snapshot;

use crate::bad_input::refusal;
use crate::workbench::{GOOD, Workbench};

const FORMATS: [(&str, &str); 6] = [
    ("csv", "csv"),
    ("paraview", "paraview"),
    ("geojson", "floes.geojson"),
    ("geojsonseq", "floes.geojsonl"),
    ("netcdf", "trajectories.nc"),
    ("floedyn", "floedyn.h5"),
];

/// A bench with a run of 13 records in `run`.
fn with_run() -> Workbench {
    let bench = Workbench::with_scenario(GOOD);
    bench.run_json(&["s.toml", "--out", "run", "--set", "time.record_every=5 min"]);
    bench
}

#[test]
fn every_format_is_written_under_its_own_name_or_another() {
    let bench = with_run();
    for (format, name) in FORMATS {
        let outcome = bench.run(&["export", "run", "--to", format]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert!(outcome.stderr.ends_with(&format!("{format}: run/{name}\n")));
        assert!(bench.path("run").join(name).exists());
        let other = bench.run(&["export", "run", "--to", format, "--out", format]);
        assert_eq!(other.code, Some(0), "{}", other.stderr);
        assert!(bench.path(format).exists());
    }
    let left = bench.listing();
    assert!(left.iter().all(|path| !path.ends_with(".partial")));
}

#[test]
fn fewer_records_are_taken_and_always_the_last() {
    let bench = with_run();
    let lines = |every: &str| {
        let out = format!("every-{every}");
        let arguments = [
            "export", "run", "--to", "csv", "--every", every, "--out", &out,
        ];
        assert_eq!(bench.run(&arguments).code, Some(0));
        let table = fs::read_to_string(bench.path(&out).join("records.csv")).unwrap();
        let times = table.lines().skip(1).map(|line| line.split(',').nth(1));
        times
            .map(|time| time.unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("1").len(), 13);
    assert_eq!(lines("5"), ["0", "1500", "3000", "3600"]);
    assert_eq!(lines("100"), ["0", "3600"]);
}

#[test]
fn what_cannot_be_exported_is_refused_and_leaves_nothing() {
    let bench = with_run();
    bench.write("run/floes.geojson", "mine");
    bench.write("empty/note.txt", "no dataset");
    let refusals = [
        &["run", "--to", "shapefile"][..],
        &["run", "--to", "geojson"],
        &["run", "--to", "csv", "--out", "s.toml"],
        &["nowhere", "--to", "csv"],
        &["empty", "--to", "paraview"],
        &["run"],
        &["run", "--to", "csv", "--every", "0"],
        &["run/recording.zarr", "--to", "csv"],
        &["run", "--to", "csv", "--out", "missing/out"],
        &["run", "--to", "csv", "--color", "speed"],
        &["run", "--to", "png", "--fps", "10"],
        &["run", "--to", "netcdf", "--plain"],
        &["run", "--to", "mp4", "--size", "640x361"],
        &["run", "--to", "gif", "--fps", "61"],
    ]
    .map(|arguments| refusal(&bench, &[&["export"], arguments].concat()));
    assert_snapshot!("refused_exports", refusals.join("\n"));
    assert_eq!(
        fs::read_to_string(bench.path("run/floes.geojson")).unwrap(),
        "mine"
    );
    for verb in ["view", "report"] {
        let words = refusal(&bench, &[verb, "run/recording.zarr"]);
        assert!(
            words.ends_with("hint: name the directory of the run, run\n"),
            "{words}"
        );
    }
}

#[test]
fn a_damaged_dataset_is_refused_and_leaves_nothing() {
    let bench = with_run();
    fs::remove_file(bench.path("run/recording.zarr/heading/c/0/0")).unwrap();
    for (format, _) in FORMATS {
        let words = refusal(&bench, &["export", "run", "--to", format]);
        assert!(words.contains("heading"), "{words}");
    }
}
