//! The integration tests of struck floes, in one binary.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod bars;
mod chains;
mod lattices;
mod source;
