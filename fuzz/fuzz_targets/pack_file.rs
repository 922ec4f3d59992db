//! Any text is a pack that reads back the same, or is refused.

#![no_main]

use banquise_io::pack_file::PackFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match PackFile::from_json(text) {
        Ok(pack) => {
            let again = PackFile::from_json(&pack.to_json(&().into()));
            assert_eq!(again.expect("what we write can be read"), pack);
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
});
