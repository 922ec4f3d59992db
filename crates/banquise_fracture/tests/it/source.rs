//! The source's three-floe case as coded there.

use banquise_fracture::source::three_floes;

#[test]
fn the_sources_program_breaks_springs_at_its_own_times() {
    let result = three_floes();
    println!("{result:?}");
    assert!((result.breaks[0].time - 3.816).abs() < 0.012 + 1e-9);
    assert!((result.breaks[1].time - 8.196).abs() < 0.012 + 1e-9);
}
