//! Any bytes are a plan, of floes or of a glacier, or are refused with a text.

#![no_main]

use std::path::Path;

use banquise_io::glacier::GlacierPlan;
use banquise_io::plan::Plan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = Plan::parse("x", &text, &[], Path::new("")).and_then(Plan::build) {
        assert!(error.render(false).starts_with("error: "));
    }
    if let Err(error) = GlacierPlan::parse("x", &text, &[], Path::new("")) {
        assert!(error.render(false).starts_with("error: "));
    }
});
