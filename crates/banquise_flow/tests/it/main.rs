//! Flows with known answers.

#![expect(clippy::unwrap_used, reason = "tests")]

mod closed_forms;
mod periodic;
mod two_discs;
mod unsteady;
mod walls;
