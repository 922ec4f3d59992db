//! Tells the program which revision it was built from.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/refs/heads");
    let revision = Command::new("git")
        .args(["rev-parse", "--short=10", "HEAD"])
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok());
    let revision = revision.as_deref().map_or("unknown", str::trim);
    println!("cargo::rustc-env=BANQUISE_REVISION={revision}");
}
