//! Any bytes are a plan or are refused with a text.

#![no_main]

use std::path::Path;

use banquise_io::plan::Plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = Plan::parse("x", &text, &[], Path::new("")) {
        assert!(error.render(false).starts_with("error: "));
    }
});
