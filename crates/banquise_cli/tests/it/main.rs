//! The command as its users meet it: the real program, run in a folder of its own.

#![expect(clippy::unwrap_used, reason = "a test may stop at any surprise")]

mod bad_input;
mod capsules;
mod chain;
mod compare;
mod export;
mod films;
mod fluid;
mod forgiving;
mod fracture;
mod fuzz;
mod glacier;
mod golden;
mod help;
mod interrupts;
mod packs;
mod resume;
mod runs;
mod shapes;
mod solve;
mod squeeze;
mod studies;
mod sweep;
#[path = "../../../../fuzz/targets.rs"]
mod targets;
mod view;
mod watchdogs;
mod weather;
mod workbench;
