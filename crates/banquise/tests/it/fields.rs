//! Floes in wind and current that differ from place to place.

use banquise::{
    Domain, DragSettings, Forcing, GriddedField, Pattern, Simulation, SpatialField, StepError,
    StepSettings, Velocity, World,
};
use banquise_geometry::DVec2;

use crate::{at, disc, moving, polygon, run_until};

fn patterned(pattern: Pattern) -> SpatialField {
    SpatialField {
        patterns: vec![pattern],
        ..SpatialField::default()
    }
}

fn simulation(specs: Vec<banquise::BodySpec>, forcing: Forcing, step: f64) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    for spec in specs {
        world.add(spec).unwrap();
    }
    Simulation::new(world, forcing, StepSettings::default(), step)
}

fn velocity(simulation: &Simulation, row: usize) -> Velocity {
    simulation.world.bodies.motions()[row].velocity
}

/// A grid of 2 km cells over 20 km, with the values of a pattern at its nodes.
fn grid_of(pattern: Pattern) -> SpatialField {
    let node =
        |index: usize| 2000.0 * DVec2::new((index % 11) as f64 - 5.0, (index / 11) as f64 - 5.0);
    let nodes: Vec<DVec2> = (0..121).map(node).collect();
    let values = nodes.iter().map(|&node| pattern.at(node, 0.0)).collect();
    let grid = GriddedField::try_new(11, nodes, vec![0.0], values).unwrap();
    SpatialField {
        grid: Some(grid),
        ..SpatialField::default()
    }
}

#[test]
fn a_field_that_is_the_same_everywhere_is_a_uniform_wind() {
    let current = DVec2::new(0.1, -0.2);
    let field = |velocity| {
        patterned(Pattern::Inertial {
            velocity,
            rate: 0.0,
        })
    };
    let wind = DVec2::new(6.0, 3.0);
    let none = Forcing {
        drag: Some(DragSettings::default()),
        ..Forcing::none()
    };
    let uniform = Forcing {
        wind: banquise::VectorSeries::constant(wind),
        current: banquise::VectorSeries::constant(current),
        ..none.clone()
    };
    let varying = Forcing {
        wind_field: Some(field(wind)),
        current_field: Some(field(current)),
        ..none
    };
    let wedge = || {
        moving(
            polygon(&[(0.0, 0.0), (90.0, 10.0), (20.0, 60.0)]),
            0.1,
            0.3,
            1e-3,
        )
    };
    let mut runs = [uniform, varying].map(|forcing| simulation(vec![wedge()], forcing, 10.0));
    for run in &mut runs {
        run_until(run, 3600.0).unwrap();
    }
    let [one, other] = runs.map(|run| velocity(&run, 0));
    // The same sums in another order.
    assert!(
        (one.linear - other.linear).length() < 1e-14 && (one.angular - other.angular).abs() < 1e-16
    );
}

#[test]
fn a_floe_in_a_solid_rotation_turns_with_the_water() {
    // Two shears across each other are a rotation by their rate.
    let shear = |direction| Pattern::Shear {
        through: DVec2::ZERO,
        direction,
        rate: 1e-4,
    };
    let field = SpatialField {
        patterns: vec![shear(DVec2::X), shear(DVec2::Y)],
        ..SpatialField::default()
    };
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        current_field: Some(field),
        ..Forcing::none()
    };
    let mut run = simulation(vec![disc(500.0)], forcing, 20.0);
    run_until(&mut run, 5.0 * 86_400.0).unwrap();
    let velocity = velocity(&run, 0);
    // The difference s of the angular velocities decays like ds/dt = −(4/5) (ρₒ Cₒ R / ρ h) s².
    let rate = 0.8 * DragSettings::default().ocean_factor() * 500.0 / 917.0;
    let left = 1e-4 / (1.0 + 1e-4 * rate * 5.0 * 86_400.0);
    // Found: 3e-4 of it, from the step of 20 s and the cells of the disc.
    let found = 1e-4 - velocity.angular;
    assert!((found / left - 1.0).abs() < 1e-3, "{found} {left}");
    // Its centre stays but for the rounding of its cells, which spin-up turns into a push.
    let place = run.world.bodies.motions()[0].pose.position;
    assert!(place.length() < 1e-6, "{place} {}", velocity.linear);
}

#[test]
fn a_grid_of_a_linear_pattern_is_the_pattern() {
    let pattern = Pattern::Convergence {
        center: DVec2::new(300.0, -200.0),
        rate: 2e-4,
    };
    let forcing = |field| Forcing {
        drag: Some(DragSettings::default()),
        current_field: Some(field),
        ..Forcing::none()
    };
    let floes = || {
        vec![
            at(disc(400.0), 3000.0, 1000.0),
            at(disc(300.0), -4000.0, -5000.0),
        ]
    };
    let mut closed = simulation(floes(), forcing(patterned(pattern)), 10.0);
    let mut gridded = simulation(floes(), forcing(grid_of(pattern)), 10.0);
    for run in [&mut closed, &mut gridded] {
        run_until(run, 7200.0).unwrap();
    }
    for row in 0..2 {
        let (one, other) = (velocity(&closed, row), velocity(&gridded, row));
        // A bilinear map is exact for it.
        assert!((one.linear - other.linear).length() < 1e-12);
        assert!(one.linear.length() > 0.1, "{}", one.linear);
    }
}

#[test]
fn a_floe_that_leaves_the_grid_stops_the_run() {
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind_field: Some(grid_of(Pattern::Inertial {
            velocity: DVec2::new(12.0, 0.0),
            rate: 0.0,
        })),
        ..Forcing::none()
    };
    let floes = vec![disc(400.0), at(disc(200.0), 9000.0, 0.0)];
    let mut run = simulation(floes, forcing, 10.0);
    let error = run_until(&mut run, 86_400.0).unwrap_err();
    let StepError::NoData { body, what, x, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((body.0, what), (1, "wind"));
    // Its edge has just left the grid, which ends at 10 km: quadrature points lie inside the floe.
    assert!((9800.0..9900.0).contains(&x), "{x}");
}
