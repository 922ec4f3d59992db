//! To be written.

pub mod recording;
pub mod zarr;
