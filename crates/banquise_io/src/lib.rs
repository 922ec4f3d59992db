//! Scenarios in, recordings and reports out.
#![forbid(unsafe_code)]

pub mod scenario;
