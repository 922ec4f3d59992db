#![no_main]

#[allow(dead_code, reason = "each program has one target")]
#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::outline(bytes));
