//! The Python tests: a virtual environment in the target folder, made when its requirements change, with the
//! wheel of the module in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{browser, released_command, run, target};

/// Runs pytest on `tests/python` with the released command.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    browser::set_up()?;
    let environment = target().join("python");
    let requirements = root.join("tests/python/requirements.txt");
    let wanted = fs::read_to_string(&requirements)
        .map_err(|e| format!("{}: {e}", requirements.display()))?;
    let stamp = environment.join("requirements.txt");
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&environment))?;
        run(Command::new(environment.join("bin/pip"))
            .args([
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .arg(&requirements))?;
        fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    }
    let wheel = build_wheel(&environment)?;
    run(Command::new(environment.join("bin/pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--no-index", "--force-reinstall"])
        .arg(&wheel))?;
    run(Command::new(environment.join("bin/python"))
        .args([
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "tests/python",
        ])
        .env("BANQUISE", released_command()))
}

/// Builds the wheel of the Python module beside what cargo has built already, and says where it is.
fn build_wheel(environment: &Path) -> Result<PathBuf, String> {
    let folder = target().join("wheels");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    run(Command::new(environment.join("bin/maturin"))
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg("crates/banquise_python/Cargo.toml")
        .arg("--interpreter")
        .arg(environment.join("bin/python"))
        .arg("--out")
        .arg(&folder)
        .env("CARGO_TARGET_DIR", target()))?;
    let mut entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    match entries.next() {
        Some(Ok(entry)) => Ok(entry.path()),
        _ => Err(format!("{} has no wheel", folder.display())),
    }
}
