//! The Python tests: a virtual environment in the target folder, made when its requirements change.

use std::fs;
use std::path::Path;
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
