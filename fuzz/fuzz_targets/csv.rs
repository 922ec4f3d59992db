//! Any text is a series that increases or is refused.

#![no_main]

use banquise_io::scenario::{SeriesColumns, read_series};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match read_series(text, &SeriesColumns::default()) {
        Ok(samples) => {
            assert!(samples.is_sorted_by(|a, b| a.time < b.time));
            assert!(samples.iter().all(|s| s.x.is_finite() && s.y.is_finite()));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
});
