//! The integration tests of the crate, in one binary, which links once.

mod figure;
mod scenario_garbage;
mod scenario_messages;
mod zarr;
