//! The integration tests of the crate, in one binary, which links once.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at any surprise, and says what it skips"
)]

mod breaking;
mod checkpoint;
mod collisions;
mod cuts;
mod diagnostics;
mod exchange;
mod figure;
mod floe_scenes;
mod floedyn;
mod notices;
mod outlines;
mod pack;
mod plan;
mod plan_garbage;
mod prop_masks;
mod recording;
mod scenario_garbage;
mod scenario_messages;
mod schema;
mod shapes;
mod stalled;
mod zarr;

/// Real data beside the project, where it is there.
pub(crate) fn shared_data(path: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("BANQUISE_DATA").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        std::path::PathBuf::from,
    );
    let path = folder.join(path);
    path.exists().then_some(path)
}

/// Property tests with a fixed seed: the same cases on every run.
pub(crate) fn config(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        cases,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_150_917),
        ..proptest::test_runner::Config::default()
    }
}
