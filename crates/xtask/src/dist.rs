//! What is handed to people who do not build: program, wheel, completions, manual pages, schemas, book, checksums.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{python, run, target};

/// The target whose C library can be linked into the program: it then runs on any Linux of this processor.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Makes everything anew under `target/dist`.
pub(crate) fn make(root: &Path) -> Result<(), String> {
    let folder = target().join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let program = folder.join("banquise");
    build_program(&program)?;
    let tools = target().join("dist-tools");
    python::set_up(&tools, &maturin(root)?)?;
    python::build_wheel(&tools, &program, &folder)?;
    run(static_cargo("run")
        .args(["--example", "dist_files", "--"])
        .arg(&folder))?;
    build_book(root, &folder)?;
    try_out(&folder, &program)?;
    write_checksums(&folder)
}

/// The program with everything it needs inside, without symbols.
fn build_program(to: &Path) -> Result<(), String> {
    run(&mut static_cargo("build"))?;
    let built = target().join(TARGET).join("release/banquise");
    let copied = fs::copy(&built, to);
    copied.map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(())
}

/// Cargo on the command's crate, with the C library linked into what it builds, and no symbols.
fn static_cargo(verb: &str) -> Command {
    let mut command = Command::new("cargo");
    command
        .args([verb, "--release", "--package", "banquise_cli"])
        .args(["--target", TARGET])
        .env(
            "RUSTFLAGS",
            "-C target-feature=+crt-static -C strip=symbols",
        );
    command
}

/// The line of the tests' requirements that says which maturin.
fn maturin(root: &Path) -> Result<String, String> {
    let path = root.join("tests/python/requirements.txt");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let line = text.lines().find(|line| line.starts_with("maturin=="));
    line.map(|line| format!("{line}\n"))
        .ok_or_else(|| format!("{} has no maturin", path.display()))
}

/// The book as pages, where mdBook is installed.
fn build_book(root: &Path, folder: &Path) -> Result<(), String> {
    let version = Command::new("mdbook").arg("--version").output();
    if !version.is_ok_and(|output| output.status.success()) {
        eprintln!("xtask: no mdbook here: the book is left out");
        return Ok(());
    }
    run(Command::new("mdbook")
        .arg("build")
        .arg(root.join("docs"))
        .arg("--dest-dir")
        .arg(folder.join("book")))
}

/// Runs the tutorial's first command with what was made: the program without any environment, and both from the
/// wheel in an environment that has nothing else.
fn try_out(folder: &Path, program: &Path) -> Result<(), String> {
    let trial = target().join("dist-trial");
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&trial))?;
    run(Command::new(trial.join("bin/pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .arg(python::wheel_in(folder)?))?;
    for (name, command) in [("program", program), ("wheel", &trial.join("bin/banquise"))] {
        run(Command::new(command)
            .args(["run", "drift", "--out"])
            .arg(trial.join(name))
            .env_clear())?;
    }
    run(Command::new(trial.join("bin/python"))
        .args(["-c", "import banquise; print(banquise.pack())"])
        .env_clear())
}

/// A line for each file, as `sha256sum --check SHA256SUMS` reads it.
fn write_checksums(folder: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    let names = files
        .iter()
        .filter_map(|file| file.strip_prefix(folder).ok());
    let output = Command::new("sha256sum")
        .current_dir(folder)
        .args(names)
        .output()
        .map_err(|error| format!("sha256sum did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("sha256sum ended with {}", output.status));
    }
    fs::write(folder.join("SHA256SUMS"), &output.stdout).map_err(|error| error.to_string())?;
    show(folder, &files)
}

/// All files below a folder, in order.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Prints what was made with its size, pages of the book left out.
fn show(folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(file);
        if !name.starts_with("book") {
            let about = fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
            eprintln!("{:>10} {}", about.len(), name.display());
        }
    }
    Ok(())
}
