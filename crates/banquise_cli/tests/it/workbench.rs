//! A folder to run the program in, and what came out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A scenario in which nothing is wrong; the cases change a line of it.
pub(crate) const GOOD: &str = r#"title = "Two floes"

[time]
duration = "1 h"
step = "10 s"

[wind]
velocity = ["5 m/s", "0 m/s"]

[[floe]]
name = "square"
thickness = "1 m"
outline = { unit = "m", points = [[0, 0], [100, 0], [100, 100], [0, 100]] }

[[floe]]
name = "disc"
position = ["1 km", "0 m"]
thickness = "1 m"
disc = { radius = "50 m" }
"#;

/// An empty folder that the program runs in, so that no path of this machine is in its messages.
pub(crate) struct Workbench {
    folder: TempDir,
}

impl Workbench {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A bench with the scenario `s.toml` on it.
    pub(crate) fn with_scenario(text: &str) -> Self {
        let bench = Self::new();
        bench.write("s.toml", text);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The program, about to run here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_banquise"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::from(self.command(arguments).output().unwrap())
    }

    /// Runs a scenario with `--json` and gives what it prints.
    pub(crate) fn run_json(&self, arguments: &[&str]) -> Value {
        let outcome = self.run(&[&["run"], arguments, &["--json"]].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        serde_json::from_str(&outcome.stdout).unwrap()
    }

    /// Everything in the folder, sorted.
    pub(crate) fn listing(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        list(self.folder.path(), &mut found);
        found.sort();
        found
    }

    /// The root attributes of the dataset of a run.
    pub(crate) fn attributes(&self, run: &str) -> Value {
        let metadata = fs::read(self.path(run).join("recording.zarr/zarr.json")).unwrap();
        let metadata: Value = serde_json::from_slice(&metadata).unwrap();
        metadata["attributes"].clone()
    }
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, found);
        }
        found.push(path);
    }
}

/// How a run of the program ended.
pub(crate) struct Outcome {
    /// Exit status; `None` after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// What a command that needs no scenario prints with `--json`.
pub(crate) fn json_of(arguments: &[&str]) -> Value {
    let bench = Workbench::with_scenario("");
    let outcome = bench.run(&[arguments, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// A number is the expected one within a relative tolerance.
pub(crate) fn close(value: &Value, expected: f64, relative: f64) {
    let value = value.as_f64().unwrap();
    assert!(
        (value / expected - 1.0).abs() < relative,
        "{value} is not {expected}"
    );
}
