//! Discs that move in a fluid with inertia.

use banquise_flow::{
    Body, Edges, Fluid, Grid, MovingDisc, RigidMotion, SolverSettings, Unsteady, UnsteadySettings,
};
use banquise_geometry::DVec2;

fn disc(at: [f64; 2], radius: f64) -> MovingDisc {
    MovingDisc {
        body: Body::disc(at.into(), radius).unwrap(),
        density: 2.0,
        motion: RigidMotion::default(),
    }
}

fn settings(dt: f64, gravity: f64, gap: f64) -> UnsteadySettings {
    UnsteadySettings {
        dt,
        density: 1.0,
        gravity: DVec2::new(0.0, -gravity),
        gap,
        solver: SolverSettings {
            tolerance: 1e-7,
            ..SolverSettings::default()
        },
    }
}

#[test]
fn a_disc_in_very_viscous_fluid_settles_as_in_slow_flow() {
    // The settling disc of the box: excess weight 500 for each unit of area, viscosity 1; at unit density the flow is steady after some diffusion times.
    let grid = Grid::try_new([60, 60], 1.0 / 60.0, Edges::Box).unwrap();
    let fluid = Fluid { viscosity: 1000.0 };
    let discs = vec![disc([0.5, 0.5], 0.1)];
    let mut flow = Unsteady::new(grid, fluid, discs, settings(1e-5, 5e5, 1.0 / 60.0)).unwrap();
    for _ in 0..20 {
        flow.step().unwrap();
    }
    let velocity = flow.discs[0].motion.velocity;
    // 0.9317 on this grid without inertia; Reynolds number 1e-4.
    assert!((velocity.y + 0.9317).abs() < 0.003, "{velocity}");
    assert!(velocity.x.abs() < 1e-6);
}

#[test]
fn a_disc_starts_with_the_acceleration_of_its_added_mass() {
    // Without viscosity, far from walls: (ρ_B − ρ_f) g = (ρ_B + ρ_f) a.
    let grid = Grid::try_new([160, 160], 1.0 / 160.0, Edges::Periodic).unwrap();
    let fluid = Fluid { viscosity: 1e-4 };
    let discs = vec![disc([0.5, 0.5], 0.05)];
    let mut flow = Unsteady::new(grid, fluid, discs, settings(1e-4, 9.81, 0.0)).unwrap();
    flow.step().unwrap();
    let acceleration = -flow.discs[0].motion.velocity.y / 1e-4;
    // The fluid of half a cell around the disc, an eighth of its radius, moves with it, and the array covers 0.8 % of the area: 4 %.
    assert!(
        (acceleration / (9.81 / 3.0) - 1.0).abs() < 0.04,
        "{acceleration}"
    );
}

/// `K_n(z)`, by the trapezoidal rule on ∫ exp(−z cosh t) cosh(n t) dt, which converges exponentially.
fn bessel_k(n: f64, z: f64) -> f64 {
    let step = 0.01;
    let sum: f64 = (0..2000)
        .map(|k| {
            let t = step * f64::from(k);
            let weight = if k == 0 { 0.5 } else { 1.0 };
            weight * (-z * t.cosh()).exp() * (n * t).cosh()
        })
        .sum();
    step * sum
}

/// Acceleration of a disc of 0.05 m in a first step, over g, and that of the same step in unbounded fluid: the added mass is 1 + 4 K₁(z)/(z K₀(z)) displaced masses,
/// z = R √(ρ/(μ Δt)).
fn first_acceleration(cells: usize, layer: f64) -> [f64; 2] {
    let (radius, dt) = (0.05, 1e-4);
    let grid = Grid::try_new([cells; 2], 1.0 / cells as f64, Edges::Periodic).unwrap();
    let fluid = Fluid {
        viscosity: layer * layer / dt,
    };
    let discs = vec![disc([0.5, 0.5], radius)];
    let mut flow = Unsteady::new(grid, fluid, discs, settings(dt, 9.81, 0.0)).unwrap();
    flow.step().unwrap();
    let z = radius / layer;
    let mass = 1.0 + 4.0 * bessel_k(1.0, z) / (z * bessel_k(0.0, z));
    [
        -flow.discs[0].motion.velocity.y / (dt * 9.81),
        1.0 / (2.0 + mass),
    ]
}

#[test]
fn the_added_mass_is_right_where_the_grid_resolves_the_layer_of_a_step() {
    // In a step the disc drags along a layer of √(μΔt/ρ). Where cells are larger than that, the layer is some fifth of a cell in place of it: that is the error of a start
    // without viscosity, and it halves with the cells.
    let off = |cells: usize, layer: f64| {
        let [found, known] = first_acceleration(cells, layer);
        println!("{cells} {layer} {found} {known} {}", found / known - 1.0);
        found / known - 1.0
    };
    let resolved = off(160, 2.0 / 160.0);
    let (coarse, fine) = (off(160, 1e-4), off(320, 1e-4));
    // An array of 0.8 % of the area has (1 + φ)/(1 − φ) times the added mass: half a percent of the acceleration.
    assert!(resolved.abs() < 0.01, "{resolved}");
    assert!(
        coarse.abs() < 0.04 && fine.abs() < 0.6 * coarse.abs() + 0.002,
        "{coarse} {fine}"
    );
}

#[test]
fn discs_that_pile_up_keep_their_gaps() {
    let h = 1.0 / 64.0;
    let grid = Grid::try_new([64, 96], h, Edges::Box).unwrap();
    let fluid = Fluid { viscosity: 0.01 };
    let discs = (0..12)
        .map(|k| {
            let shift = 0.02 * f64::from(k % 2);
            disc(
                [
                    0.2 + 0.28 * f64::from(k % 3) + shift,
                    0.15 + 0.2 * f64::from(k / 3),
                ],
                0.06,
            )
        })
        .collect();
    let mut flow = Unsteady::new(grid, fluid, discs, settings(0.01, 10.0, h)).unwrap();
    let mut least: f64 = f64::INFINITY;
    let mut contacts = 0;
    for _ in 0..60 {
        let report = flow.step().unwrap();
        least = least.min(report.least_gap);
        contacts = contacts.max(report.contacts);
    }
    // Gaps of discs are convex along straight paths: what the linear bounds allow is kept, to the accuracy of the solver.
    assert!(least > h * (1.0 - 1e-6), "{} {contacts}", least / h);
    assert!(contacts > 0);
}
