//! To be written.

pub mod figure;
