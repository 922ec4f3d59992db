//! The workspace's own tool: `cargo xtask test` runs everything continuous integration runs.

#![expect(clippy::print_stderr, reason = "a terminal program")]

mod browser;
mod dist;
mod modules;
mod python;
mod tidy;
mod validation;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask <command>

  test   format, lints, documentation, tidiness, all tests, published cases, Python
  tidy   the house rules a compiler does not know
  python the wheel of the Python module, and the Python tests alone
  dist   what is handed out, under target/dist: program, wheel, completions, manual pages, schemas, book
  validation
         write the book's page of validations from what the released command measures
";

fn main() -> ExitCode {
    let outcome = match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("tidy") => tidy::check(&root()),
        Some("validation") => cargo(&["build", "--release"])
            .and_then(|()| validation::write_page(&root(), &released_command())),
        Some("dist") => dist::make(&root()),
        Some("python") => cargo(&["build", "--release"]).and_then(|()| python::test(&root())),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("xtask: {complaint}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir
        .ancestors()
        .nth(2)
        .unwrap_or(manifest_dir)
        .to_path_buf()
}

/// Runs every check, cheapest first, and stops at the first that fails.
fn test() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    let comparison = ["--manifest-path", "benches/compare/Cargo.toml"];
    cargo(&[&["fmt", "--check"], &comparison[..]].concat())?;
    tidy::check(&root())?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])?;
    run(Command::new("cargo")
        .args(["doc", "--workspace", "--no-deps", "--quiet"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    cargo(&["test", "--workspace", "--doc", "--quiet"])?;
    if Command::new("cargo")
        .args(["nextest", "--version"])
        .output()
        .is_ok_and(|o| o.status.success())
    {
        cargo(&["nextest", "run", "--workspace"])?;
    } else {
        // A test program of the Python module would have to be linked with Python.
        let python = ["--exclude", "banquise_python"];
        cargo(&[&["test", "--workspace", "--all-targets"], &python[..]].concat())?;
    }
    // A release build must end in the same states, bit for bit.
    let golden = ["--package", "banquise_cli", "--test", "it", "golden"];
    cargo(&[&["test", "--release", "--quiet"], &golden[..]].concat())?;
    cargo(&["build", "--release"])?;
    run(Command::new(released_command()).arg("verify"))?;
    python::test(&root())
}

/// Where cargo builds.
fn target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    root().join(folder)
}

/// The command as its users build it.
fn released_command() -> PathBuf {
    target().join("release/banquise")
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    run(Command::new("cargo").args(arguments))
}

/// Runs a command in the workspace's folder and reports its line when it fails.
fn run(command: &mut Command) -> Result<(), String> {
    eprintln!("xtask: {command:?}");
    match command.current_dir(root()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} ended with {status}")),
        Err(error) => Err(format!("{command:?} did not start: {error}")),
    }
}
