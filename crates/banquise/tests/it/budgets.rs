//! Every conserved quantity has an account, and the accounts close.

use banquise::units::{DAY, HOUR};
use banquise::{
    Account, BodyForce, Coriolis, Domain, DragSettings, Force, Forcing, OceanModel, Push, Scheme,
    Simulation, SlabOcean, StepSettings, VectorSeries, World,
};
use banquise_geometry::DVec2;

use crate::{at, disc, moving, polygon, run_until};

/// Three floes with everything switched on.
fn everything(scheme: Scheme) -> Simulation {
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(100.0), 0.3, 0.1, 1e-3)).unwrap();
    let wedge = polygon(&[(0.0, 0.0), (300.0, 0.0), (150.0, 80.0), (20.0, 400.0)]);
    world
        .add(at(moving(wedge, -0.2, 0.05, -4e-4), 50_000.0, 0.0))
        .unwrap();
    world.add(at(disc(30.0), 0.0, 50_000.0)).unwrap();
    let north_wind = DVec2::new(0.0, -8.0);
    let west_wind = DVec2::new(6.0, 0.0);
    let current = [
        (0.0, DVec2::new(0.1, 0.0)),
        (2.0 * DAY, DVec2::new(0.0, 0.05)),
    ];
    let tow = Push::Force(DVec2::new(1e3, 2e3));
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: VectorSeries::try_new(&[(0.0, north_wind), (2.0 * DAY, west_wind)], HOUR).unwrap(),
        current: VectorSeries::try_new(&current, 0.0).unwrap(),
        coriolis: Coriolis::LatitudePerFloe(80.0_f64.to_radians()),
        slab_ocean: Some(SlabOcean {
            model: OceanModel::Rabatel2015,
            layer_depth: 15.0,
            base_friction_velocity: 1e-5,
            cell_area: 1e6,
            grid: None,
        }),
        body_forces: vec![BodyForce {
            from: HOUR,
            until: DAY,
            ..BodyForce::new(tow)
        }],
        ..Forcing::none()
    };
    Simulation::new(
        world,
        forcing,
        StepSettings {
            scheme,
            ..StepSettings::default()
        },
        10.0,
    )
}

/// The run of `everything`, with linear drag of the water if asked for.
fn with_law(scheme: Scheme, linear: bool) -> Simulation {
    let mut run = everything(scheme);
    if linear {
        run.forcing.drag = Some(DragSettings {
            linear_drag_velocity: Some(5e-4),
            ..DragSettings::default()
        });
    }
    run
}

#[test]
fn energy_and_momentum_of_the_floes_close() {
    for (scheme, linear) in [
        (Scheme::Splitting, false),
        (Scheme::Euler, false),
        (Scheme::Splitting, true),
        (Scheme::Euler, true),
    ] {
        let mut run = with_law(scheme, linear);
        let (energy, momentum) = (run.world.kinetic_energy(), run.world.momentum());
        run_until(&mut run, 2.0 * DAY).unwrap();
        let budget = run.world.budget;
        let gained = run.world.kinetic_energy() - energy;
        // Works cancel to a small rest: judge the rest against what went through.
        let [quadratic, law] = [Force::Ocean, Force::LinearDrag].map(|law| budget.forces[law]);
        let (water, none) = if linear {
            (law, quadratic)
        } else {
            (quadratic, law)
        };
        assert_eq!(none, Account::default());
        let turnover = budget.forces[Force::Wind].work.abs() + water.work.abs();
        let gap = (gained - budget.work()).abs() / turnover;
        assert!(gap < 1e-12, "{scheme:?}: energy off by {gap}");
        let given = run.world.momentum() - momentum;
        let turnover = budget.forces[Force::Wind].impulse.length()
            + budget.forces[Force::Coriolis].impulse.length();
        let gap = (given - budget.impulse()).length() / turnover;
        assert!(gap < 1e-12, "{scheme:?}: momentum off by {gap}");
    }
}

#[test]
fn coriolis_does_no_work_by_default() {
    let mut run = everything(Scheme::Splitting);
    run_until(&mut run, DAY).unwrap();
    assert_eq!(run.world.budget.forces[Force::Coriolis].work, 0.0);
}

#[test]
fn momentum_of_the_ocean_layer_closes() {
    for scheme in [Scheme::Splitting, Scheme::Euler] {
        let mut run = everything(scheme);
        let before = run.world.ocean_velocity();
        run_until(&mut run, 2.0 * DAY).unwrap();
        let mass = run.forcing.slab_ocean.unwrap().mass(1024.071);
        let layer = run.world.budget.layer;
        let given = mass * (run.world.ocean_velocity() - before);
        let turnover = layer.ice.length() + layer.wind.length() + layer.coriolis.length();
        let gap = (given - layer.impulse()).length() / turnover;
        assert!(gap < 1e-12, "{scheme:?}: off by {gap}");
    }
}

#[test]
fn ice_and_water_exchange_momentum_without_loss() {
    for (linear, law) in [(false, Force::Ocean), (true, Force::LinearDrag)] {
        let mut run = with_law(Scheme::Splitting, linear);
        run_until(&mut run, DAY).unwrap();
        let budget = run.world.budget;
        let given = budget.forces[law].impulse;
        let gap = (budget.layer.ice + given).length() / given.length();
        assert!(gap < 1e-12, "{law:?}: {gap}");
    }
}
