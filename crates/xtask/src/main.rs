//! The workspace's own tool: `cargo xtask test` runs everything continuous integration runs.

#![expect(clippy::print_stderr, reason = "a terminal program")]

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        _ => {
            eprintln!("usage: cargo xtask test");
            ExitCode::from(2)
        }
    }
}

/// Runs every check in order and stops at the first that fails.
fn test() -> ExitCode {
    let checks: [&[&str]; 3] = [
        &["fmt", "--all", "--check"],
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        &["test", "--workspace"],
    ];
    for arguments in checks {
        eprintln!("xtask: cargo {}", arguments.join(" "));
        let passed = Command::new("cargo").args(arguments).status().is_ok_and(|s| s.success());
        if !passed {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
