//! Any metadata are read or refused.

#![no_main]

use std::fs;

use banquise_io::zarr::ZarrReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder for the store");
    fs::write(folder.path().join("zarr.json"), bytes).expect("room for the metadata");
    let Ok(reader) = ZarrReader::open(folder.path()) else {
        return;
    };
    for info in reader.arrays() {
        reader.read_f64(&info.name).ok();
        reader.read_i64(&info.name).ok();
        reader.read_bool(&info.name).ok();
    }
});
