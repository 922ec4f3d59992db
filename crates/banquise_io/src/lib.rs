//! To be written.

pub mod zarr;
