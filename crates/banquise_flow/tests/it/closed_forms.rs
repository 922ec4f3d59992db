//! Closed forms of slow flows around discs and ellipses.

use banquise_flow::{DiluteViscosity, JefferyOrbit, SolverSettings, SqueezedDiscs, squeeze_limit};

#[test]
fn dilute_suspensions_have_the_viscosity_of_einstein_in_the_plane() {
    let study = DiluteViscosity {
        fractions: vec![0.005, 0.01, 0.02],
        radius_cells: 10.0,
    };
    let found = study.run(&SolverSettings::default()).unwrap();
    assert!((found.limit / 2.0 - 1.0).abs() < 0.02, "{found:?}");
}

#[test]
fn ellipses_turn_with_the_period_of_jeffery() {
    let orbit = JefferyOrbit {
        ratio: 2.0,
        cells: 192,
        minor_cells: 6.0,
    };
    let found = orbit.run(&SolverSettings::default()).unwrap();
    assert!((found.period / found.exact - 1.0).abs() < 0.01, "{found:?}");
}

#[test]
fn squeezed_discs_resist_like_a_lubrication_film() {
    let study = SqueezedDiscs {
        radius_cells: 100.0,
        gaps: vec![5.0, 10.0, 20.0],
        cells: 480,
    };
    let found = study.run(&SolverSettings::default()).unwrap();
    let limit = squeeze_limit(&found).unwrap();
    let known = 1.5 * std::f64::consts::PI;
    assert!((limit / known - 1.0).abs() < 0.01, "{limit} {found:?}");
}
