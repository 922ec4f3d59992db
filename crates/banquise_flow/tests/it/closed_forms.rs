//! Closed forms of slow flows around discs and ellipses.

use banquise_flow::{DiluteViscosity, JefferyOrbit, SolverSettings, SqueezedDiscs};

#[test]
fn dilute_suspensions_have_the_viscosity_of_einstein_in_the_plane() {
    let study = DiluteViscosity {
        fractions: vec![0.005, 0.01, 0.02],
        radius_cells: 10.0,
    };
    let found = study.run(&SolverSettings::default()).unwrap();
    assert!((found.limit.unwrap() / 2.0 - 1.0).abs() < 0.02, "{found:?}");
}

#[test]
fn ellipses_turn_with_the_period_of_jeffery() {
    let orbit = JefferyOrbit {
        ratio: 2.0,
        cells: Some(192),
        minor_cells: 6.0,
    };
    let found = orbit.run(&SolverSettings::default()).unwrap();
    assert!((found.period / found.exact - 1.0).abs() < 0.01, "{found:?}");
}

#[test]
fn squeezed_discs_resist_like_a_lubrication_film_in_any_set_up_that_tells_a_limit() {
    let known = 1.5 * std::f64::consts::PI;
    for (radius_cells, gaps, cells) in [
        (100.0, vec![6.0, 10.0, 20.0], None),
        (40.0, vec![6.0, 8.5], None),
        (50.0, vec![6.0, 7.0, 9.0, 12.0], Some(400)),
        (60.0, vec![7.0, 29.0], Some(720)),
    ] {
        let study = SqueezedDiscs {
            radius_cells,
            gaps,
            cells,
        };
        let found = study.run(&SolverSettings::default()).unwrap();
        let limit = found.limit.unwrap();
        assert!((limit / known - 1.0).abs() < 0.01, "{limit} {found:?}");
    }
}

#[test]
fn the_resistance_of_a_gap_is_that_of_the_closed_form_but_for_images() {
    let study = SqueezedDiscs {
        radius_cells: 20.0,
        gaps: vec![8.0, 16.0],
        cells: Some(640),
    };
    let found = study.run(&SolverSettings::default()).unwrap();
    for gap in &found.gaps {
        // Images are 28 radii away and more, gaps have eight cells and more.
        assert!(
            (gap.resistance / gap.unbounded - 1.0).abs() < 0.01,
            "{gap:?}"
        );
    }
}
