//! A browser for the tests of the page.

use std::process::Command;

use crate::run;

/// Names of the browser the tests look for.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Installs Chromium on a Debian machine that has none, where we may. Elsewhere the tests of the page are skipped, and
/// say so.
pub(crate) fn set_up() -> Result<(), String> {
    if NAMES.iter().any(|name| answers(name, "--version")) {
        return Ok(());
    }
    let may_install = answers("apt-get", "--version")
        && Command::new("id")
            .arg("-u")
            .output()
            .is_ok_and(|output| output.stdout == b"0\n");
    if !may_install {
        eprintln!("xtask: no Chromium here: the tests of the page will be skipped");
        return Ok(());
    }
    let install = || {
        run(Command::new("apt-get")
            .args(["install", "--yes", "--quiet=2", "--no-install-recommends"])
            .arg("chromium")
            .env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // The list of packages may be old, or not there yet.
    install().or_else(|_| {
        run(Command::new("apt-get").args(["update", "--quiet=2"]))?;
        install()
    })
}

fn answers(command: &str, argument: &str) -> bool {
    let output = Command::new(command).arg(argument).output();
    output.is_ok_and(|output| output.status.success())
}
