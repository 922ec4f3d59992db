//! The integration tests of the glacier, in one binary.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![expect(
    clippy::disallowed_methods,
    reason = "references may use the platform's functions"
)]

mod chain;

/// Property tests with a fixed seed: the same cases on every run.
pub(crate) fn config(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        cases,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_150_917),
        ..proptest::test_runner::Config::default()
    }
}
