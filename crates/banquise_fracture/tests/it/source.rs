//! The source's three-floe case as coded there.

use banquise_fracture::source::three_floes;

#[test]
fn the_sources_program_breaks_springs_at_its_own_times() {
    let result = three_floes();
    let breaks: Vec<(usize, f64)> = result.breaks.iter().map(|b| (b.spring, b.time)).collect();
    assert_eq!(breaks.len(), 2);
    // Times are on a grid of 0.012.
    assert!(breaks[0].0 == 4 && (breaks[0].1 - 3.816).abs() < 1e-9);
    assert!(breaks[1].0 == 1 && (breaks[1].1 - 8.196).abs() < 1e-9);
    // Its momentum goes from -10.02 to -2.18, its kinetic energy from 47.478 to 11.77.
    assert!((result.time - 28.956).abs() < 1e-9);
    assert!((result.momentum + 2.18).abs() < 0.005);
    assert!((result.kinetic - 11.77).abs() < 0.005);
}
