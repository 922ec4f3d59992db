//! Bodies between walls: settling in a box, shear, convergence, penalty.

use banquise_flow::SolverSettings;
use banquise_flow::box_disc::{BoxDisc, SETTLING_VELOCITY, compare, order};

#[test]
fn a_disc_settles_in_a_box_as_fundamental_solutions_say() {
    let settings = SolverSettings::default();
    // The published tolerance, and four times as much where the radius has half as many cells.
    for (cells, tolerance) in [(50, 0.008), (100, 0.002), (128, 0.002), (150, 0.002)] {
        let (_, solution) = BoxDisc { cells }.settle(&settings).unwrap();
        let velocity = solution.motions[0].velocity;
        assert!(
            (velocity.y + SETTLING_VELOCITY).abs() < tolerance,
            "{cells}: {velocity}"
        );
        assert!(velocity.x.abs() < 1e-9);
        assert!(solution.iterations < 40, "{cells}: {}", solution.iterations);
    }
}

#[test]
fn a_disc_turns_with_half_the_shear_rate_between_walls_that_shear() {
    let settings = SolverSettings::default();
    let (_, solution) = BoxDisc { cells: 60 }.shear(&settings).unwrap();
    let spin = solution.motions[0].angular_velocity;
    assert!((spin - 0.5).abs() < 1e-6, "{spin}");
}

#[test]
fn the_penalty_method_tends_to_rigid_bodies_with_order_one() {
    let settings = SolverSettings {
        tolerance: 1e-10,
        ..SolverSettings::default()
    };
    let disc = BoxDisc { cells: 60 };
    let (grid, rigid) = disc.settle(&settings).unwrap();
    let difference = |epsilon: f64| {
        let penalty = SolverSettings {
            viscosity_ratio: 1.0 / epsilon,
            ..settings
        };
        let (grid_too, soft) = disc.settle(&penalty).unwrap();
        let difference = compare((&grid_too, &soft), (&grid, &rigid));
        [epsilon, difference.velocity, difference.gradient]
    };
    let found = [1e-3, 1e-4, 1e-5].map(difference);
    for norm in [1, 2] {
        let slope = order(&found.map(|f| [f[0], f[norm]]));
        assert!((slope - 1.0).abs() < 0.05, "{found:?}");
    }
}

#[test]
fn cut_cells_converge_with_order_two() {
    let settings = SolverSettings::default();
    let (fine_grid, fine) = BoxDisc { cells: 600 }.settle(&settings).unwrap();
    let difference = |cells: usize| {
        let (grid, solution) = BoxDisc { cells }.settle(&settings).unwrap();
        let difference = compare((&grid, &solution), (&fine_grid, &fine));
        [grid.spacing, difference.velocity, difference.gradient]
    };
    let found = [30, 50, 60, 100, 150].map(difference);
    let [velocity, gradient] = [1, 2].map(|norm| order(&found.map(|f| [f[0], f[norm]])));
    assert!(
        velocity > 1.8 && gradient > 0.9,
        "{velocity} {gradient} {found:?}"
    );
}
