//! Any text is a series or a path that increases, or is refused.

#![no_main]

use banquise_io::scenario::{SeriesColumns, read_path, read_series};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match read_series(text, &SeriesColumns::default()) {
        Ok(samples) => {
            assert!(samples.is_sorted_by(|a, b| a.time < b.time));
            assert!(samples.iter().all(|s| s.x.is_finite() && s.y.is_finite()));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
    if let Ok(waypoints) = read_path(text, 0.0) {
        assert!(waypoints.is_sorted_by(|a, b| a.time < b.time));
        assert!(waypoints.iter().all(|w| w.position.is_finite() && w.heading.is_finite()));
    }
});
