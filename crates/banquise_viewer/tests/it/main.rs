//! The server as a browser meets it, and as others might.

#![expect(clippy::unwrap_used, reason = "a test may stop at any surprise")]

mod client;
mod live;
mod recorded;
mod security;
