//! The integration tests of the crate, in one binary, which links once.

mod figure;
mod plan;
mod plan_garbage;
mod recording;
mod scenario_garbage;
mod scenario_messages;
mod zarr;
