//! Bytes as an input file of FloeDyn.

#![no_main]

use banquise_io::floedyn::read_floedyn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(floes) = read_floedyn(bytes.to_vec()) {
        assert!(floes.iter().all(|floe| floe.outline.area() > 0.0));
    }
});
