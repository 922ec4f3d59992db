//! Periodic flows: drags, mobilities, Korn's identity, threads.

use banquise_flow::{
    Body, Edges, Flow, Fluid, Grid, Load, SANGANI_ACRIVOS, Solution, SolverSettings, SquareArray,
    Wrench,
};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};

fn disc(x: f64, y: f64, radius: f64) -> Body {
    Body {
        shape: Shape::Disc(Disc::try_new(radius).unwrap()),
        pose: Pose {
            position: DVec2::new(x, y),
            rotation: Rotation::from_angle(0.0),
        },
    }
}

fn square(x: f64, y: f64, side: f64, angle: f64) -> Body {
    let half = 0.5 * side;
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corners = corners.map(|c| DVec2::from(c) * half);
    Body {
        shape: Shape::Outline(Outline::try_new(corners.to_vec()).unwrap()),
        pose: Pose {
            position: DVec2::new(x, y),
            rotation: Rotation::from_angle(angle),
        },
    }
}

const FLUID: Fluid = Fluid { viscosity: 1.7 };

/// Three discs, two of which nearly touch, and a square.
fn crowd() -> (Grid, Vec<Body>) {
    let grid = Grid::try_new([96, 80], 0.1, Edges::Periodic).unwrap();
    let bodies = vec![
        disc(2.0, 2.0, 0.9),
        disc(3.85, 2.1, 0.9),
        disc(9.5, 4.0, 0.7),
        square(6.4, 5.5, 1.3, 0.3),
    ];
    (grid, bodies)
}

fn pushed(body: usize, component: usize) -> Load {
    let mut wrenches = vec![Wrench::default(); 4];
    let unit = |k| if component == k { 1.0 } else { 0.0 };
    wrenches[body] = Wrench {
        force: DVec2::new(unit(0), unit(1)),
        torque: unit(2),
    };
    Load {
        wrenches,
        ..Load::default()
    }
}

fn components(solution: &Solution) -> Vec<f64> {
    let list = |m: &banquise_flow::RigidMotion| [m.velocity.x, m.velocity.y, m.angular_velocity];
    solution.motions.iter().flat_map(list).collect()
}

#[test]
fn drags_of_square_arrays_are_those_of_sangani_and_acrivos() {
    for (fraction, known) in SANGANI_ACRIVOS {
        let array = SquareArray {
            fraction,
            cells: 128,
        };
        let found = array.run(&SolverSettings::default()).unwrap();
        assert!(
            (found.drag / known - 1.0).abs() < 0.005,
            "{fraction}: {found:?}"
        );
        assert!(found.iterations < 40, "{fraction}: {found:?}");
    }
}

#[test]
fn mobility_is_symmetric_and_positive() {
    let (grid, bodies) = crowd();
    let settings = SolverSettings {
        tolerance: 1e-12,
        ..SolverSettings::default()
    };
    let mut flow = Flow::new(grid, FLUID, &bodies, &settings).unwrap();
    let columns: Vec<Vec<f64>> = (0..12)
        .map(|k| components(&flow.solve(&pushed(k / 3, k % 3), &settings).unwrap()))
        .collect();
    for (k, column) in columns.iter().enumerate() {
        assert!(column[k] > 0.0);
        for (l, other) in columns.iter().enumerate() {
            let error = (column[l] - other[k]).abs();
            assert!(
                error < 1e-10 * (column[k] * other[l]).sqrt(),
                "{k} {l}: {error:e}"
            );
        }
    }
}

#[test]
fn korns_identity_and_the_power_of_the_forces_hold_to_rounding() {
    let (grid, bodies) = crowd();
    let settings = SolverSettings {
        tolerance: 1e-12,
        ..SolverSettings::default()
    };
    let mut flow = Flow::new(grid, FLUID, &bodies, &settings).unwrap();
    let solution = flow.solve(&pushed(1, 0), &settings).unwrap();
    let [strain, gradient] = solution.dissipation(&grid, FLUID);
    assert!(
        (strain / gradient - 1.0).abs() < 1e-12,
        "{strain} {gradient}"
    );
    // Cut cells dissipate more than the fluid's viscosity does, so that the power of the force is an upper bound.
    let power = solution.motions[1].velocity.x;
    assert!(strain < power && strain > 0.9 * power, "{strain} {power}");
}

#[test]
fn bodies_move_rigidly() {
    let (grid, bodies) = crowd();
    let settings = SolverSettings {
        tolerance: 1e-10,
        ..SolverSettings::default()
    };
    let mut flow = Flow::new(grid, FLUID, &bodies, &settings).unwrap();
    let solution = flow.solve(&pushed(0, 1), &settings).unwrap();
    // Well inside the first disc.
    let motion = solution.motions[0];
    for (i, j) in [(20, 20), (16, 20), (20, 25), (23, 18)] {
        let at = DVec2::new(i as f64 + 0.5, j as f64 + 0.5) * grid.spacing;
        let rigid = motion.velocity + motion.angular_velocity * (at - DVec2::new(2.0, 2.0)).perp();
        let found = solution.velocity_at_centre(&grid, i, j);
        // Cut cells deform, by which the mean over the disc differs from its core by a part in a thousand.
        assert!(found.distance(rigid) < 2e-3 * motion.velocity.length());
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let (grid, bodies) = crowd();
    let settings = SolverSettings::default();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut flow = Flow::new(grid, FLUID, &bodies, &settings).unwrap();
            let solution = flow.solve(&pushed(2, 0), &settings).unwrap();
            (solution.stream, solution.iterations)
        })
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(3));
}

#[test]
fn iterations_do_not_grow_with_the_number_of_discs() {
    let mut counts = Vec::new();
    for side in [2, 6] {
        let cells = 32 * side;
        let grid = Grid::try_new([cells, cells], 1.0, Edges::Periodic).unwrap();
        let mut bodies = Vec::new();
        let mut wrenches = Vec::new();
        for k in 0..side * side {
            // Off the lattice by up to six cells, by a fixed rule.
            let shift = DVec2::new((7 * k % 13) as f64, (5 * k % 11) as f64) * 0.47;
            let at = DVec2::new((k % side) as f64, (k / side) as f64) * 32.0 + shift + 10.3;
            bodies.push(disc(at.x, at.y, 8.0));
            wrenches.push(Wrench {
                force: DVec2::new(1.0, 0.3 * (k % 3) as f64),
                torque: 0.0,
            });
        }
        let settings = SolverSettings {
            tolerance: 1e-6,
            ..SolverSettings::default()
        };
        let mut flow = Flow::new(grid, FLUID, &bodies, &settings).unwrap();
        let load = Load {
            wrenches,
            ..Load::default()
        };
        counts.push(flow.solve(&load, &settings).unwrap().iterations);
    }
    assert!(counts[1] as f64 <= 1.25 * counts[0] as f64, "{counts:?}");
    assert!(counts[1] <= 30, "{counts:?}");
}

#[test]
fn bodies_that_do_not_fit_are_refused() {
    let settings = SolverSettings::default();
    let grid = Grid::try_new([16, 16], 1.0, Edges::Box).unwrap();
    let refused = |bodies: &[Body]| Flow::new(grid, FLUID, bodies, &settings).unwrap_err();
    assert!(
        refused(&[disc(2.0, 8.0, 3.0)])
            .to_string()
            .contains("does not fit")
    );
    assert!(
        refused(&[disc(8.0, 8.0, 0.3)])
            .to_string()
            .contains("covers no cell")
    );
    assert!(Grid::try_new([4, 16], 1.0, Edges::Box).is_err());
}
