//! The integration tests of the solvers, in one binary.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![expect(clippy::print_stdout, reason = "tests report what they measured")]

mod budget;
mod cases;
mod checker;
mod corpus;
mod corpus_reader;
mod crushing;
mod expansion;
mod hard_problems;
mod high_friction;
mod impacts;
mod infeasible;
mod islands;
mod json;
mod made;
mod projection;
mod random_problems;
mod stored_problems;
mod variations;

use std::path::{Path, PathBuf};

use proptest::test_runner::{Config, RngSeed};

/// Proptest with a fixed seed: the same cases on every run.
pub(crate) fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(20_150_917),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Real data beside the project, where it is there.
pub(crate) fn shared_data(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BANQUISE_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(path);
    path.exists().then_some(path)
}
