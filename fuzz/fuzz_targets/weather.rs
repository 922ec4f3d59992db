//! Any bytes are a NetCDF file of wind, or are refused.

#![no_main]

use banquise_io::geography::{LocalFrame, LonLat};
use banquise_io::weather::calendar::DateTime;
use banquise_io::weather::{FieldRequest, Gaps, FieldKind, read_field_from};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let request = FieldRequest {
        kind: FieldKind::Wind,
        variables: None,
        directions: None,
        unit: None,
        level: Some(0),
        gaps: Gaps::Nearest,
        max_gap: None,
        start: DateTime {
            year: 2016,
            month: 2,
            day: 1,
            seconds: 0.0,
        },
        duration: 3600.0,
        frame: LocalFrame::new(LonLat::from_degrees(5.0, 60.0)),
    };
    if let Err(error) = read_field_from(bytes, &request) {
        assert!(!error.to_string().is_empty() && !error.hint().is_empty());
    }
});
