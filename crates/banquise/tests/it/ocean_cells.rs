//! The ocean layer as a grid of cells: momentum, the closed form of two cells, and one cell as before.

use banquise::units::{DAY, HOUR};
use banquise::{
    Coriolis, Domain, DragSettings, Force, Forcing, GriddedField, Integrator, OceanGrid,
    OceanModel, Pattern, Rectangle, Scheme, Simulation, SlabOcean, SpatialField, StepError,
    StepSettings, VectorSeries, World,
};
use banquise_geometry::DVec2;

use crate::{at, disc, floe_with_bay, moving, polygon, run_until, with};

const DEPTH: f64 = 15.0;

fn rectangle(width: f64, height: f64) -> Rectangle {
    Rectangle {
        min: DVec2::ZERO,
        max: DVec2::new(width, height),
    }
}

fn layer(grid: OceanGrid, base_friction_velocity: f64) -> SlabOcean {
    SlabOcean {
        model: OceanModel::Rabatel2015,
        layer_depth: DEPTH,
        base_friction_velocity,
        cell_area: grid.cell_area(),
        grid: Some(grid),
    }
}

/// Momentum of the layer [kg m/s].
fn layer_momentum(run: &Simulation) -> DVec2 {
    let slab = run.forcing.slab_ocean.unwrap();
    let mass = slab.mass(run.forcing.drag.unwrap().ocean_density);
    run.world.ocean_velocities.iter().map(|&u| mass * u).sum()
}

/// How contacts are treated.
#[derive(Debug, Clone, Copy)]
enum Mode {
    LocalTime,
    CommonStep,
    FixedStep,
}

/// A pack in a periodic domain over six ocean cells, with collisions, in water at rest.
fn pack(mode: Mode, forcing: Forcing) -> Simulation {
    let region = rectangle(480.0, 480.0);
    let mut world = World::new(Domain::Periodic(region), 1);
    for number in 0..36 {
        let (column, row) = (number % 6, number / 6);
        let angle = 2.4 * f64::from(number);
        let (x, y) = (
            40.0 + 80.0 * f64::from(column),
            40.0 + 80.0 * f64::from(row),
        );
        let floe = moving(floe_with_bay(), 0.3 * angle.cos(), 0.3 * angle.sin(), 1e-3);
        world.add(at(with(floe, 0.3, 0.5), x, y)).unwrap();
    }
    let grid = OceanGrid {
        region,
        columns: 3,
        rows: 2,
        is_periodic: true,
        eddy_viscosity: 5.0,
    };
    let base_friction_velocity = if forcing.coriolis == Coriolis::Off {
        0.0
    } else {
        1e-3
    };
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        slab_ocean: Some(layer(grid, base_friction_velocity)),
        ..forcing
    };
    let mut settings = StepSettings::default();
    settings.contact.local_time = matches!(mode, Mode::LocalTime);
    if matches!(mode, Mode::FixedStep) {
        settings.contact.integrator = Integrator::Stepping;
    }
    Simulation::new(world, forcing, settings, 10.0)
}

#[test]
fn drag_and_exchange_keep_the_momentum_of_ice_and_ocean_together() {
    for mode in [Mode::LocalTime, Mode::CommonStep, Mode::FixedStep] {
        let mut run = pack(mode, Forcing::none());
        let before = run.world.momentum() + layer_momentum(&run);
        let masses = run.world.bodies.masses().iter();
        let turnover: f64 = masses.map(|mass| 0.3 * mass).sum();
        run_until(&mut run, HOUR).unwrap();
        assert!(
            run.contact.impacts > 20,
            "{mode:?}: {}",
            run.contact.impacts
        );
        let velocities = &run.world.ocean_velocities;
        let differ = |pair: &[DVec2]| (pair[0] - pair[1]).length() > 1e-6;
        assert!(velocities.windows(2).all(differ), "{velocities:?}");
        let gap = (run.world.momentum() + layer_momentum(&run) - before).length() / turnover;
        println!("{mode:?}: {gap:.1e}");
        assert!(gap < 1e-12, "{mode:?}: {gap}");
    }
}

#[test]
fn with_coriolis_wind_and_base_friction_the_balance_closes() {
    for mode in [Mode::LocalTime, Mode::CommonStep, Mode::FixedStep] {
        let forcing = Forcing {
            coriolis: Coriolis::Latitude(81.0_f64.to_radians()),
            wind: VectorSeries::constant(DVec2::new(3.0, 4.0)),
            ..Forcing::none()
        };
        let mut run = pack(mode, forcing);
        let (ice, water) = (run.world.momentum(), layer_momentum(&run));
        run_until(&mut run, 2.0 * HOUR).unwrap();
        let budget = run.world.budget;
        let layer = budget.layer;
        let turnover = layer.ice.length() + layer.wind.length() + layer.coriolis.length();
        // The exchange has no account: its sum over all cells is zero.
        let layer_gap = (layer_momentum(&run) - water - layer.impulse()).length() / turnover;
        let ice_gap = (run.world.momentum() - ice - budget.impulse()).length() / turnover;
        let drag_gap = (layer.ice + budget.forces[Force::Ocean].impulse).length() / turnover;
        println!("{mode:?}: {layer_gap:.1e} {ice_gap:.1e} {drag_gap:.1e}");
        assert!(
            layer_gap < 1e-12 && ice_gap < 1e-12 && drag_gap < 1e-12,
            "{mode:?}"
        );
        assert!(layer.base.length() > 1e-4 * turnover);
    }
}

/// Two closed cells of 1 km, side by side, and a wind toward +x north of y = 650 m in the first one only.
fn two_cells(wind_from: f64, dt: f64, floe: bool) -> Simulation {
    let grid = OceanGrid {
        region: rectangle(2000.0, 1000.0),
        columns: 2,
        rows: 1,
        is_periodic: false,
        eddy_viscosity: 100.0,
    };
    let (x, y) = (
        [0.0, 900.0, 1100.0, 2000.0],
        [0.0, wind_from - 50.0, wind_from, 1000.0],
    );
    let nodes: Vec<DVec2> = y
        .iter()
        .flat_map(|&y| x.map(|x| DVec2::new(x, y)))
        .collect();
    let wind = |node: &DVec2| {
        let blows = node.x < 1000.0 && node.y >= wind_from;
        if blows {
            DVec2::new(WIND, 0.0)
        } else {
            DVec2::ZERO
        }
    };
    let values = nodes.iter().map(wind).collect();
    let wind_field = SpatialField {
        grid: Some(GriddedField::try_new(4, nodes, vec![0.0], values).unwrap()),
        ..SpatialField::default()
    };
    let mut world = World::new(Domain::Free, 1);
    if floe {
        let strip = polygon(&[
            (-300.0, -50.0),
            (300.0, -50.0),
            (300.0, 50.0),
            (-300.0, 50.0),
        ]);
        world.add(at(strip, 500.0, 850.0)).unwrap();
    }
    let forcing = Forcing {
        drag: Some(linear_drag()),
        wind_field: Some(wind_field),
        slab_ocean: Some(layer(grid, 0.0)),
        ..Forcing::none()
    };
    Simulation::new(world, forcing, StepSettings::default(), dt)
}

const WIND: f64 = 10.0;
/// Of the exchange between the two cells, ν l / (d A) [1/s].
const RATE: f64 = 100.0 * 1000.0 / (1000.0 * 1e6);

/// Linear, so that ice and two cells are a linear system.
fn linear_drag() -> DragSettings {
    DragSettings {
        linear_drag_velocity: Some(2e-2),
        ..DragSettings::default()
    }
}

/// Largest distance from the closed form of two cells with a constant force on the first, relatively.
fn exchange_error(dt: f64) -> f64 {
    // The wind blows over the whole of the first cell, its centre included.
    let mut run = two_cells(100.0, dt, false);
    let acceleration =
        linear_drag().wind_stress(DVec2::new(WIND, 0.0)).x / (linear_drag().ocean_density * DEPTH);
    let mut largest = 0.0_f64;
    for hour in 1..=4 {
        let time = f64::from(hour) * HOUR;
        run_until(&mut run, time).unwrap();
        // dU₁/dt = a − κ(U₁ − U₂), dU₂/dt = κ(U₁ − U₂): the sum grows as a t, the difference saturates.
        let sum = acceleration * time;
        let difference = -acceleration / (2.0 * RATE) * (-2.0 * RATE * time).exp_m1();
        let [first, second] = run.world.ocean_velocities[..] else {
            panic!("two cells");
        };
        let found = DVec2::new(
            first.x - 0.5 * (sum + difference),
            second.x - 0.5 * (sum - difference),
        );
        largest = largest.max(found.length() / (acceleration / (2.0 * RATE)));
        assert!((first.x + second.x - sum).abs() < 1e-12 * sum);
    }
    largest
}

#[test]
fn two_cells_follow_the_closed_form_at_first_order() {
    let (coarse, fine) = (exchange_error(60.0), exchange_error(30.0));
    println!("{coarse:.2e} {fine:.2e}");
    // Euler's (1 − 2κΔt)ⁿ for e^(−2κt): the difference is off by ½ 2κΔt/e = 2.2e-3 at most, each cell by half of it.
    assert!(coarse < 1.6e-3, "{coarse}");
    assert!((coarse / fine - 2.0).abs() < 0.02, "{coarse} then {fine}");
}

/// e^(A t) y for the augmented system y = (v, U₁, U₂, 1), by Taylor's series in small steps.
fn advance(matrix: [[f64; 4]; 4], time: f64) -> [f64; 4] {
    let apply = |y: [f64; 4]| matrix.map(|row| row.iter().zip(y).map(|(a, y)| a * y).sum::<f64>());
    let steps = 1000;
    let dt = time / f64::from(steps);
    let mut y = [0.0, 0.0, 0.0, 1.0];
    for _ in 0..steps {
        let (mut term, mut sum) = (y, y);
        for order in 1..=12 {
            term = apply(term).map(|value| value * dt / f64::from(order));
            for (sum, term) in sum.iter_mut().zip(term) {
                *sum += term;
            }
        }
        y = sum;
    }
    y
}

/// Velocities of the strip and of both cells [m/s], found and in closed form.
fn strip_under_wind(dt: f64, time: f64) -> ([f64; 3], [f64; 3]) {
    // The wind blows over the strip, and not at the centre of its cell.
    let mut run = two_cells(700.0, dt, true);
    run_until(&mut run, time).unwrap();
    let found = [
        run.world.bodies.motions()[0].velocity.linear.x,
        run.world.ocean_velocities[0].x,
        run.world.ocean_velocities[1].x,
    ];
    let drag = linear_drag();
    let ice = drag.linear_factor().unwrap() / 917.0;
    let push = drag.wind_stress(DVec2::new(WIND, 0.0)).x / 917.0;
    // Force of the strip over the mass of its cell.
    let on_cell = drag.linear_factor().unwrap() * 6e4 / (drag.ocean_density * DEPTH * 1e6);
    let closed = advance(
        [
            [-ice, ice, 0.0, push],
            [on_cell, -on_cell - RATE, RATE, 0.0],
            [0.0, RATE, -RATE, 0.0],
            [0.0; 4],
        ],
        time,
    );
    (found, [closed[0], closed[1], closed[2]])
}

#[test]
fn a_strip_of_ice_under_wind_moves_its_own_cell_first_and_the_neighbour_after() {
    let ([ice, own, neighbour], _) = strip_under_wind(10.0, 600.0);
    assert!(ice > 10.0 * own && own > 0.0, "{ice} {own}");
    assert!(
        neighbour > 0.0 && neighbour < 0.05 * own,
        "{own} {neighbour}"
    );
    let error = |dt: f64| {
        let (found, closed) = strip_under_wind(dt, 2.0 * HOUR);
        println!("{found:?} {closed:?}");
        let off = [1, 2].map(|cell| (found[cell] / closed[cell] - 1.0).abs());
        off.into_iter().fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(40.0), error(20.0));
    // First order in Δt: that of the ice is ½ kΔt of its spin-up, that of the neighbour Δt/t.
    assert!(coarse < 2.5e-3, "{coarse}");
    assert!((coarse / fine - 2.0).abs() < 0.1, "{coarse} then {fine}");
    let ([_, own, neighbour], _) = strip_under_wind(10.0, 6.0 * HOUR);
    assert!(
        neighbour > 0.5 * own && neighbour < own,
        "{own} {neighbour}"
    );
}

#[test]
fn one_cell_with_a_place_gives_the_same_bits_as_one_without() {
    let hash = |has_place: bool, scheme: Scheme| {
        let region = rectangle(2000.0, 1000.0);
        let grid = OceanGrid {
            region,
            columns: 1,
            rows: 1,
            is_periodic: true,
            eddy_viscosity: 100.0,
        };
        let mut slab = layer(grid, 1e-5);
        slab.grid = slab.grid.filter(|_| has_place);
        let mut world = World::new(Domain::Periodic(region), 1);
        world
            .add(moving(at(disc(100.0), 500.0, 500.0), 0.3, 0.1, 1e-3))
            .unwrap();
        world
            .add(moving(at(disc(50.0), 800.0, 510.0), -0.3, 0.1, 0.0))
            .unwrap();
        let current = [
            (0.0, DVec2::new(0.1, 0.0)),
            (2.0 * DAY, DVec2::new(0.0, 0.05)),
        ];
        let forcing = Forcing {
            drag: Some(DragSettings::default()),
            wind: VectorSeries::constant(DVec2::new(-2.0, 5.0)),
            current: VectorSeries::try_new(&current, 0.0).unwrap(),
            coriolis: Coriolis::Latitude(80.0_f64.to_radians()),
            slab_ocean: Some(slab),
            ..Forcing::none()
        };
        let settings = StepSettings {
            scheme,
            ..StepSettings::default()
        };
        let mut run = Simulation::new(world, forcing, settings, 10.0);
        run_until(&mut run, DAY).unwrap();
        assert!(run.contact.impacts > 0);
        run.world.state_hash()
    };
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        assert_eq!(hash(true, scheme), hash(false, scheme));
    }
}

#[test]
fn a_cell_more_than_full_has_no_open_water_and_no_negative_one() {
    let grid = OceanGrid {
        region: rectangle(1000.0, 500.0),
        columns: 2,
        rows: 1,
        is_periodic: false,
        eddy_viscosity: 0.0,
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(at(disc(300.0), 100.0, 250.0)).unwrap();
    let wind = DVec2::new(0.0, 10.0);
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::constant(wind),
        slab_ocean: Some(layer(grid, 0.0)),
        ..Forcing::none()
    };
    let stress = DragSettings::default().wind_stress(wind);
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 10.0);
    run_until(&mut run, 100.0).unwrap();
    let expected = 100.0 * grid.cell_area() * stress;
    assert!((run.world.budget.layer.wind - expected).length() < 1e-12 * expected.length());
}

#[test]
fn a_floe_feels_the_cell_under_it_and_beyond_the_edge_the_nearest_one() {
    let grid = OceanGrid {
        region: rectangle(1000.0, 500.0),
        columns: 2,
        rows: 1,
        is_periodic: false,
        eddy_viscosity: 0.0,
    };
    let mut world = World::new(Domain::Free, 1);
    for x in [250.0, 750.0, 3000.0] {
        world.add(at(disc(50.0), x, 250.0)).unwrap();
    }
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        slab_ocean: Some(layer(grid, 0.0)),
        ..Forcing::none()
    };
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 10.0);
    run.world.ocean_velocities = vec![DVec2::new(0.1, 0.0), DVec2::new(0.0, 0.2)];
    assert_eq!(run.water_at(DVec2::new(10.0, 10.0)), DVec2::new(0.1, 0.0));
    assert_eq!(run.water(), DVec2::new(0.05, 0.1));
    run_until(&mut run, 10.0).unwrap();
    let velocities: Vec<DVec2> = run
        .world
        .bodies
        .motions()
        .iter()
        .map(|m| m.velocity.linear)
        .collect();
    assert!(velocities[0].x > 0.0 && velocities[0].y.abs() < 1e-12);
    assert!(velocities[1].y > 0.0 && velocities[1].x.abs() < 1e-12);
    assert!((velocities[2] - velocities[1]).length() < 1e-15);
}

#[test]
fn a_wind_field_acts_on_one_cell_too_and_gaps_over_a_cell_are_told() {
    let no_shear = SpatialField {
        patterns: vec![Pattern::Shear {
            through: DVec2::ZERO,
            direction: DVec2::X,
            rate: 0.0,
        }],
        ..SpatialField::default()
    };
    let wind = VectorSeries::constant(DVec2::new(5.0, 2.0));
    let [uniform, varying] = [None, Some(no_shear)].map(|wind_field| {
        let mut world = World::new(Domain::Free, 1);
        world.add(disc(100.0)).unwrap();
        let forcing = Forcing {
            drag: Some(DragSettings::default()),
            wind: wind.clone(),
            wind_field,
            slab_ocean: Some(SlabOcean {
                model: OceanModel::Rabatel2015,
                layer_depth: DEPTH,
                base_friction_velocity: 1e-5,
                cell_area: 1e5,
                grid: None,
            }),
            ..Forcing::none()
        };
        let mut run = Simulation::new(world, forcing, StepSettings::default(), 10.0);
        run_until(&mut run, HOUR).unwrap();
        run.world.ocean_velocity()
    });
    assert!((uniform - varying).length() < 1e-12 * uniform.length());

    let mut run = two_cells(700.0, 10.0, true);
    run.forcing
        .slab_ocean
        .as_mut()
        .unwrap()
        .grid
        .as_mut()
        .unwrap()
        .region
        .max
        .x = 6000.0;
    assert!(matches!(
        run_until(&mut run, 100.0),
        Err(StepError::NoWindOverCell { .. })
    ));
}
