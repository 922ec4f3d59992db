//! The Python tests: a virtual environment in the target folder, made when its requirements change, with the
//! wheel of the module in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{browser, released_command, run, target};

/// Runs pytest on `tests/python` with the released command, and with the wheel that holds it.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    browser::set_up()?;
    let environment = target().join("python");
    let requirements = root.join("tests/python/requirements.txt");
    let wanted = fs::read_to_string(&requirements)
        .map_err(|e| format!("{}: {e}", requirements.display()))?;
    set_up(&environment, &wanted)?;
    let folder = target().join("wheels");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let wheel = build_wheel(&environment, &released_command(), &folder)?;
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
        .env("BANQUISE", released_command())
        .env("BANQUISE_WHEEL", wheel))
}

/// Makes a virtual environment with these requirements, unless it is there.
pub(crate) fn set_up(environment: &Path, wanted: &str) -> Result<(), String> {
    let stamp = environment.join("requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(environment))?;
    // The stamp has its name only once all of it is installed.
    let list = environment.join("wanted.txt");
    fs::write(&list, wanted).map_err(|e| format!("{}: {e}", list.display()))?;
    run(Command::new(environment.join("bin/pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .arg("--requirement")
        .arg(&list))?;
    fs::rename(&list, &stamp).map_err(|e| format!("{}: {e}", stamp.display()))
}

/// Builds the wheel of the Python module, puts the command into it as a script, and says where it is in `folder`.
pub(crate) fn build_wheel(
    environment: &Path,
    command: &Path,
    folder: &Path,
) -> Result<PathBuf, String> {
    // Where maturin leaves the module alone.
    let bare = target().join("module-wheel");
    if bare.exists() {
        fs::remove_dir_all(&bare).map_err(|e| format!("{}: {e}", bare.display()))?;
    }
    run(Command::new(environment.join("bin/maturin"))
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg("crates/banquise_python/Cargo.toml")
        .arg("--interpreter")
        .arg(environment.join("bin/python"))
        .arg("--out")
        .arg(&bare)
        .env("CARGO_TARGET_DIR", target()))?;
    let module = wheel_in(&bare)?;
    let wheel = folder.join(module.file_name().unwrap_or_default());
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    run(Command::new(environment.join("bin/python"))
        .arg("crates/xtask/src/add_script.py")
        .args([&module, command, &wheel]))?;
    Ok(wheel)
}

/// The wheel in a folder.
pub(crate) fn wheel_in(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| format!("{} has no wheel", folder.display()))
}
