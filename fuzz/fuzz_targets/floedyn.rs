//! Bytes as an input file of FloeDyn.

#![no_main]

use banquise_io::floedyn::read_floedyn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for record in [0, -1] {
        if let Ok(floes) = read_floedyn(bytes.to_vec(), record) {
            assert!(floes.iter().all(|floe| floe.outline.area() > 0.0));
        }
    }
});
