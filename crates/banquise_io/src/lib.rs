//! Scenarios in, recordings and reports out: bytes and formats, no physics.
//!
//! | module | holds |
//! |---|---|
//! | [`scenario`] | TOML with units, read into a simulation ready to run; messages that point |
//! | [`recording`] | the dataset a run leaves, written and read back |
//! | [`zarr`] | the format of that dataset |

#![forbid(unsafe_code)]

pub mod recording;
pub mod scenario;
pub mod zarr;
