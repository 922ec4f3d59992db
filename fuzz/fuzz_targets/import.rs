//! Any bytes are outlines, which stay valid when simplified, or are refused with a reason.

#![no_main]

use banquise_io::image::SegmentSettings;
use banquise_io::shapes::{Coordinates, ImportSettings, import_bytes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let coordinates = [None, Some(Coordinates::Metres), Some(Coordinates::Degrees(None))];
    for (coordinates, is_labels) in coordinates.into_iter().zip([false, true, true]) {
        let settings = ImportSettings {
            unit: Some(10.0),
            coordinates,
            is_labels,
            segment: SegmentSettings { min_pixels: 4, ..SegmentSettings::default() },
            only_whole: false,
        };
        match import_bytes(bytes, &settings) {
            Ok(imported) => {
                let simple = imported.simplified(12);
                assert_eq!(simple.len(), imported.outlines.len());
            }
            Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
        }
    }
});
