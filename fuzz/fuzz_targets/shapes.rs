//! Any text is a shape library that reads back the same, or is refused.

#![no_main]

use banquise_io::shapes::ShapeLibrary;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match ShapeLibrary::from_json(text) {
        Ok(library) => {
            let again = ShapeLibrary::from_json(&library.to_json());
            assert_eq!(again.expect("what we write can be read"), library);
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
});
