//! Tests through the public interface.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod decisions;
mod floes;
mod growth;
mod plates;
mod random_floes;
mod stokes;
