//! Given currents: floes go with them, whatever their thickness, and the accounts close.

use banquise::units::{DAY, HOUR};
use banquise::{
    Coriolis, Domain, DragSettings, Force, Forcing, GriddedTide, OceanGrid, OceanModel, Pattern,
    Rectangle, Scheme, Simulation, SlabOcean, SpatialField, StepSettings, Thickness,
    TidalConstituent, Tilt, VectorSeries, World,
};
use banquise_geometry::DVec2;

use crate::{at, disc, moving, polygon, run_until};

fn layer(grid: Option<OceanGrid>) -> SlabOcean {
    let (layer_depth, base_friction_velocity) = SlabOcean::defaults(OceanModel::Anomaly);
    SlabOcean {
        model: OceanModel::Anomaly,
        layer_depth,
        base_friction_velocity,
        cell_area: grid.map_or(1e6, |grid| grid.cell_area()),
        grid,
    }
}

fn forcing(latitude: f64, slab_ocean: Option<SlabOcean>) -> Forcing {
    let turning_angle = match slab_ocean {
        Some(_) => 0.0,
        None => DragSettings::OBSERVED_TURNING_ANGLE,
    };
    Forcing {
        drag: Some(DragSettings {
            turning_angle,
            ..DragSettings::observed()
        }),
        tilt: Tilt::Geostrophic,
        coriolis: Coriolis::Latitude(latitude.to_radians()),
        slab_ocean,
        ..Forcing::none()
    }
}

fn start(thickness: f64, forcing: Forcing) -> Simulation {
    start_with(DVec2::ZERO, thickness, forcing)
}

fn start_with(velocity: DVec2, thickness: f64, forcing: Forcing) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    let mut floe = moving(disc(100.0), velocity.x, velocity.y, 0.0);
    floe.thickness = Thickness::Uniform(thickness);
    world.add(floe).unwrap();
    Simulation::new(world, forcing, StepSettings::default(), 30.0)
}

fn velocity(run: &Simulation) -> DVec2 {
    run.world.bodies.motions()[0].velocity.linear
}

#[test]
fn a_steady_current_carries_floes_of_any_thickness_in_both_hemispheres() {
    let current = DVec2::new(0.1, 0.0);
    for latitude in [81.0, -70.0] {
        for slab in [None, Some(layer(None))] {
            for thickness in [0.3, 1.0, 3.0] {
                let forcing = Forcing {
                    current: VectorSeries::constant(current),
                    ..forcing(latitude, slab)
                };
                let mut run = start(thickness, forcing);
                run_until(&mut run, 20.0 * DAY).unwrap();
                let drift = velocity(&run);
                let what = format!("{latitude}° {thickness} m {}", slab.is_some());
                // Asked for: 1 % and 1°.
                assert!((drift.length() / 0.1 - 1.0).abs() < 0.01, "{what}: {drift}");
                let angle = current.angle_to(drift).to_degrees();
                assert!(angle.abs() < 1.0, "{what}: {angle}°");
            }
        }
    }
}

#[test]
fn the_layer_of_the_source_loses_a_steady_current() {
    let slab = SlabOcean {
        model: OceanModel::Rabatel2015,
        ..layer(None)
    };
    let forcing = Forcing {
        current: VectorSeries::constant(DVec2::new(0.1, 0.0)),
        ..forcing(81.0, Some(slab))
    };
    let mut run = start(1.0, forcing);
    run_until(&mut run, 20.0 * DAY).unwrap();
    assert!(velocity(&run).length() < 0.05);
}

/// Two floes over two cells in a shear, with a wind that changes: everything that is coupled.
fn coupled(scheme: Scheme, domain: impl Fn(Rectangle) -> Domain) -> Simulation {
    let region = Rectangle {
        min: DVec2::ZERO,
        max: DVec2::new(2e3, 1e3),
    };
    let domain = domain(region);
    let grid = OceanGrid {
        region,
        columns: 2,
        rows: 1,
        is_periodic: matches!(domain, Domain::Periodic(_)),
        eddy_viscosity: 10.0,
    };
    let field = |rate: f64| SpatialField {
        patterns: vec![Pattern::Shear {
            through: DVec2::new(0.0, 500.0),
            direction: DVec2::X,
            rate,
        }],
        period: matches!(domain, Domain::Periodic(_)).then_some(region),
        ramp: HOUR,
        ..SpatialField::default()
    };
    let mut world = World::new(domain, 1);
    let wedge = polygon(&[(0.0, 0.0), (300.0, 0.0), (150.0, 80.0), (20.0, 200.0)]);
    world.add(at(wedge, 400.0, 200.0)).unwrap();
    world.add(at(disc(100.0), 1500.0, 700.0)).unwrap();
    let mut drag = DragSettings::observed();
    drag.turning_angle = 0.3;
    let winds = [(0.0, DVec2::new(0.0, -8.0)), (DAY, DVec2::new(6.0, 0.0))];
    let currents = [(0.0, DVec2::new(0.1, 0.0)), (DAY, DVec2::new(0.0, 0.05))];
    let forcing = Forcing {
        drag: Some(drag),
        wind: VectorSeries::try_new(&winds, HOUR).unwrap(),
        current: VectorSeries::try_new(&currents, 0.0).unwrap(),
        wind_field: Some(field(1e-3)),
        current_field: Some(field(1e-5)),
        tilt: Tilt::Full,
        ..forcing(80.0, Some(layer(Some(grid))))
    };
    let settings = StepSettings {
        scheme,
        ..StepSettings::default()
    };
    Simulation::new(world, forcing, settings, 10.0)
}

#[test]
fn budgets_close_with_tilt_turning_cells_and_fields_together() {
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        for periodic in [false, true] {
            let mut run = coupled(scheme, |region| {
                if periodic {
                    Domain::Periodic(region)
                } else {
                    Domain::Free
                }
            });
            run_until(&mut run, DAY).unwrap();
            let (world, budget) = (&run.world, run.world.budget);
            let works = Force::ALL.map(|force| budget.forces[force].work.abs());
            let gap = (world.kinetic_energy() - budget.work()).abs() / works.iter().sum::<f64>();
            // Some thousand steps of rounding.
            assert!(gap < 1e-12, "{scheme:?}: energy off by {gap}");
            let tilt = budget.forces[Force::Tilt];
            assert!(tilt.work != 0.0 && tilt.impulse.length() > 0.0);
            let gap = (world.momentum() - budget.impulse()).length();
            assert!(gap < 1e-12 * budget.forces[Force::Wind].impulse.length() + 1e-6);
            let mass = run.forcing.slab_ocean.unwrap().mass(1024.071);
            let held: DVec2 = world.ocean_velocities.iter().map(|&u| mass * u).sum();
            let layer = budget.layer;
            let turnover = layer.ice.length() + layer.wind.length() + layer.coriolis.length();
            assert!((held - layer.impulse()).length() < 1e-11 * turnover);
            assert_eq!(layer.data, DVec2::ZERO);
            if scheme == Scheme::Splitting {
                let given = budget.forces[Force::Ocean].impulse;
                assert!((layer.ice + given).length() < 1e-11 * given.length());
            }
        }
    }
}

#[test]
fn the_full_tilt_moves_a_floe_with_a_current_that_changes() {
    // Without drag, −g∇η alone accelerates the floe as it does the water, and Coriolis turns both alike.
    let currents = [(0.0, DVec2::ZERO), (DAY, DVec2::new(0.3, 0.0))];
    let forcing = Forcing {
        drag: None,
        tilt: Tilt::Full,
        current: VectorSeries::try_new(&currents, 0.0).unwrap(),
        ..forcing(81.0, None)
    };
    let mut run = start(2.0, forcing);
    run_until(&mut run, 0.7 * DAY).unwrap();
    // The error of the scheme is of order (f dt)² = 2e-5 of the speed.
    assert!((velocity(&run) - DVec2::new(0.21, 0.0)).length() < 1e-5);
}

#[test]
fn a_given_slope_drives_a_geostrophic_drift() {
    let slope = DVec2::new(0.0, 1e-6);
    let forcing = Forcing {
        tilt: Tilt::Slope(slope),
        drag: None,
        ..forcing(81.0, None)
    };
    let parameter = forcing.coriolis.parameter_at(0.0);
    let mut run = start(1.0, forcing);
    // From rest the drift is a cycloid; its mean is g |∇η| / f along the contours, high water to the right.
    let period = std::f64::consts::TAU / parameter;
    run_until(&mut run, period).unwrap();
    let mean = run.world.bodies.motions()[0].pose.position / period;
    let expected = DVec2::new(-9.81 * slope.y / parameter, 0.0);
    // Poses advance with the velocity at the start of a step of 30 s, f dt = 4e-3.
    assert!(
        (mean - expected).length() < 5e-3 * expected.length(),
        "{mean}"
    );
}

#[test]
fn the_turning_angle_turns_the_drift_to_the_right_in_the_north_and_left_in_the_south() {
    for (latitude, sign) in [(81.0, -1.0), (-81.0, 1.0)] {
        let mut turned = forcing(latitude, None);
        turned.wind = VectorSeries::constant(DVec2::new(8.0, 0.0));
        let mut plain = turned.clone();
        plain.drag.as_mut().unwrap().turning_angle = 0.0;
        let angle = |forcing: Forcing| {
            let mut run = start(1.0, forcing);
            run_until(&mut run, 2.0 * DAY).unwrap();
            DVec2::X.angle_to(velocity(&run)).to_degrees() * sign
        };
        let (turned, plain) = (angle(turned), angle(plain));
        assert!(plain > 0.0 && turned > plain + 9.0, "{plain}° {turned}°");
    }
}

#[test]
fn a_free_floe_goes_round_the_ellipse_of_the_tide() {
    let tide = TidalConstituent {
        period: 12.42 * HOUR,
        major: 0.2,
        minor: -0.08,
        inclination: 0.6,
        phase: 1.1,
    };
    for slab in [None, Some(layer(None))] {
        for thickness in [0.5, 3.0] {
            let forcing = Forcing {
                tides: vec![tide],
                ..forcing(75.0, slab)
            };
            // From the water's velocity: the slip of a start at rest would decay as ρᵢ h / (ρₒ Cₒ t), slowly.
            let mut run = start_with(tide.at(0.0), thickness, forcing);
            run_until(&mut run, 10.0 * DAY).unwrap();
            let water = tide.at(run.world.clock.time);
            // The error of a step of 30 s is of the order ω dt = 4e-3 of the current, where the drag is weak.
            let off = (velocity(&run) - water).length();
            assert!(off < 2e-3 * tide.major, "{thickness} m: {off}");
        }
    }
}

/// The amplitudes of a tide at the nodes of a grid of 4 × 3 cells around the origin, 10 km wide, turned by half a radian.
fn on_a_grid(period: f64, amplitudes: impl Fn(DVec2) -> [DVec2; 2]) -> SpatialField {
    let turn = DVec2::from_angle(0.5);
    let node =
        |k: usize| turn.rotate(10e3 * DVec2::new((k % 5) as f64 - 2.0, (k / 5) as f64 - 1.5));
    let nodes: Vec<DVec2> = (0..20).map(node).collect();
    let part = |index: usize| nodes.iter().map(|&n| amplitudes(n)[index]).collect();
    let parts = [part(0), part(1)];
    SpatialField {
        tides: vec![GriddedTide::try_new(period, 5, nodes, parts).unwrap()],
        ..SpatialField::default()
    }
}

#[test]
fn a_tide_that_is_the_same_at_all_nodes_is_the_uniform_tide() {
    let tide = TidalConstituent {
        period: 12.42 * HOUR,
        major: 0.2,
        minor: -0.08,
        inclination: 0.6,
        phase: 1.1,
    };
    // From rest and with any tilt of the rest of the current, the floe must go the same way, step by step.
    for (slab, tilt) in [(None, Tilt::None), (Some(layer(None)), Tilt::Full)] {
        let base = Forcing {
            tilt,
            ..forcing(75.0, slab)
        };
        let mut uniform = start(
            1.0,
            Forcing {
                tides: vec![tide],
                ..base.clone()
            },
        );
        let gridded = Forcing {
            current_field: Some(on_a_grid(tide.period, |_| tide.amplitudes())),
            ..base
        };
        let mut gridded = start(1.0, gridded);
        assert_eq!(uniform.stable_step(DAY), gridded.stable_step(DAY));
        run_until(&mut uniform, 2.0 * DAY).unwrap();
        run_until(&mut gridded, 2.0 * DAY).unwrap();
        let place = |run: &Simulation| run.world.bodies.motions()[0].pose.position;
        let off = (place(&uniform) - place(&gridded)).length();
        // Rounding of weights that sum to one, over 5760 steps.
        assert!(off < 1e-8 && place(&uniform).length() > 100.0, "{off}");
        let work = |run: &Simulation| run.world.budget.forces[Force::Tilt].work;
        assert!((work(&uniform) / work(&gridded) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_floe_goes_with_the_tide_at_its_place_on_a_grid() {
    // The current is along y and changes along x: a disc that moves with it stays at its x, and slip under it cancels.
    let period = 12.42 * HOUR;
    let amplitudes = |place: DVec2| {
        let (along, phase) = (0.1 + 5e-6 * place.x, 2e-6 * place.x);
        [along * DVec2::Y, phase * DVec2::Y]
    };
    let x = 4e3;
    let at_x = amplitudes(DVec2::new(x, 0.0));
    for (slab, tilt) in [
        (None, Tilt::None),
        (None, Tilt::Geostrophic),
        (Some(layer(None)), Tilt::Full),
    ] {
        let mut world = World::new(Domain::Free, 1);
        let mut floe = at(moving(disc(100.0), 0.0, at_x[0].y, 0.0), x, 0.0);
        floe.thickness = Thickness::Uniform(2.0);
        world.add(floe).unwrap();
        let forcing = Forcing {
            tilt,
            current_field: Some(on_a_grid(period, amplitudes)),
            ..forcing(-75.0, slab)
        };
        let mut run = Simulation::new(world, forcing, StepSettings::default(), 30.0);
        run_until(&mut run, 5.0 * DAY).unwrap();
        let (sin, cos) = (std::f64::consts::TAU * run.world.clock.time / period).sin_cos();
        let expected = cos * at_x[0] + sin * at_x[1];
        let off = (velocity(&run) - expected).length();
        // As for the uniform tide: a step of 30 s, ω dt = 4e-3 of the current.
        assert!(off < 2e-3 * 0.12, "{tilt:?}: {off}");
        let budget = run.world.budget;
        let works = Force::ALL.map(|force| budget.forces[force].work.abs());
        let held = run.world.kinetic_energy() - 0.5 * mass(&run) * at_x[0].length_squared();
        let gap = (held - budget.work()).abs() / works.iter().sum::<f64>();
        assert!(gap < 1e-10, "{tilt:?}: energy off by {gap}");
    }
}

fn mass(run: &Simulation) -> f64 {
    run.world.bodies.masses()[0]
}
