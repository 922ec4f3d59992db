//! The integration tests of the crate, in one binary, which links once.

#![expect(clippy::unwrap_used, reason = "a test may stop at any surprise")]

mod figure;
mod plan;
mod plan_garbage;
mod recording;
mod scenario_garbage;
mod scenario_messages;
mod zarr;
