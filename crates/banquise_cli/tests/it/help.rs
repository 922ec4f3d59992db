//! The help of every verb, word for word.

use insta::assert_snapshot;

use crate::workbench::Workbench;

fn help(arguments: &[&str]) -> String {
    let outcome = Workbench::new().run(&[arguments, &["--help"]].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

#[test]
fn every_verb_has_its_help() {
    assert_snapshot!("help", help(&[]));
    for verb in [
        "run",
        "resume",
        "rerun",
        "check",
        "scenarios",
        "pack",
        "shapes",
        "report",
        "export",
        "view",
        "verify",
        "study",
        "sweep",
        "solve",
        "replay",
        "bench",
        "fluid",
        "fracture",
        "glacier",
    ] {
        assert_snapshot!(format!("help_{verb}"), help(&[verb]));
    }
    for verb in ["run", "stability", "dt-scan", "block-size", "iceberg"] {
        assert_snapshot!(format!("help_glacier_{verb}"), help(&["glacier", verb]));
    }
    assert_snapshot!("help_sweep_gather", help(&["sweep", "gather"]));
    for verb in ["show", "schema"] {
        assert_snapshot!(format!("help_scenarios_{verb}"), help(&["scenarios", verb]));
    }
}

#[test]
fn the_version_names_its_revision() {
    let outcome = Workbench::new().run(&["--version"]);
    assert_eq!(outcome.code, Some(0));
    let version = outcome.stdout.trim();
    let revision = version
        .strip_prefix(concat!("banquise ", env!("CARGO_PKG_VERSION"), " ("))
        .and_then(|rest| rest.strip_suffix(')'));
    assert!(revision.is_some_and(|word| !word.is_empty()), "{version}");
}
