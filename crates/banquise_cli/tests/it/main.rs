//! The command as its users meet it: the real program, run in a folder of its own.

#![expect(clippy::unwrap_used, reason = "a test may stop at any surprise")]

mod bad_input;
mod capsules;
mod chain;
mod compare;
mod disk;
mod export;
mod fclib;
mod films;
mod fluid;
mod fluid_resume;
mod forgiving;
mod fracture;
mod fuzz;
mod glacier;
mod golden;
mod help;
mod interrupts;
mod moorings;
mod packs;
mod resume;
mod runs;
mod shapes;
mod solve;
mod squeeze;
mod studies;
mod sweep;
#[path = "../../../../fuzz/targets.rs"]
mod targets;
mod tides;
mod view;
mod watchdogs;
mod weather;
mod workbench;

/// A file of real data, if it is there: in `$BANQUISE_DATA`, or beside the repository.
fn shared_data(path: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("BANQUISE_DATA").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        std::path::PathBuf::from,
    );
    let path = folder.join(path);
    path.exists().then_some(path)
}
