//! Integration tests of the geometry, in one binary to link once.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "these are tests, though the lints only know functions marked #[test]"
)]

mod pairs;
mod polygons;
mod prop_bvh;
mod prop_circle;
mod prop_clip;
mod prop_contact;
mod prop_distance;
mod prop_garbage;
mod prop_measures;
mod prop_mesh;
mod prop_overlap;
mod prop_simplify;
mod prop_split;
mod real_outlines;

use std::path::{Path, PathBuf};

use proptest::test_runner::{Config, RngSeed};

/// Proptest with a fixed seed: the same cases on every run.
fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(20_150_917),
        ..Config::default()
    }
}

/// A file of the shared data: under `$BANQUISE_DATA`, else in `shared/data` beside the workspace.
fn shared_data(path: &str) -> Option<PathBuf> {
    let named = std::env::var_os("BANQUISE_DATA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    named
        .into_iter()
        .chain([beside])
        .map(|root| root.join(path))
        .find(|file| file.exists())
}

/// Panics unless `value` is within `tolerance` times `scale` of `expected`.
#[track_caller]
fn assert_close(value: f64, expected: f64, scale: f64, tolerance: f64) {
    let error = (value - expected).abs() / scale;
    assert!(
        error <= tolerance,
        "{value} is not {expected}: error {error:e} > {tolerance:e}"
    );
}
