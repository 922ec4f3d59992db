//! Below the stable step floes never outrun the free drift, whatever the weather.

use banquise::{
    Domain, DragSettings, Forcing, Scheme, Simulation, StepError, StepSettings, Thickness,
    VectorSeries, World,
};
use banquise_geometry::DVec2;
use proptest::prelude::*;

use crate::{disc, moving, run_until};

fn vector(limit: f64) -> impl Strategy<Value = DVec2> {
    (-limit..limit, -limit..limit).prop_map(|(x, y)| DVec2::new(x, y))
}

proptest! {
    #![proptest_config(crate::config(256))]

    /// Invariant I-21 in the plane: |v| ≤ Na max|Uₐ| + max|Uₒ| from rest with the longest step.
    #[test]
    fn speed_stays_below_the_free_drift(
        winds in proptest::collection::vec(vector(15.0), 2..6),
        currents in proptest::collection::vec(vector(1.5), 2..6),
        thickness in 0.2..3.0_f64,
        euler in any::<bool>(),
    ) {
        let series = |values: &[DVec2]| {
            let samples: Vec<_> =
                values.iter().enumerate().map(|(i, &v)| (3600.0 * i as f64, v)).collect();
            VectorSeries::try_new(&samples, 0.0).unwrap()
        };
        let drag = DragSettings::default();
        let (wind, current) = (series(&winds), series(&currents));
        let forcing = Forcing { drag: Some(drag), wind, current, ..Forcing::none() };
        let mut world = World::new(Domain::Free, 1);
        let mut floe = disc(100.0);
        floe.thickness = Thickness::Uniform(thickness);
        world.add(floe).unwrap();
        let scheme = if euler { Scheme::Euler } else { Scheme::Splitting };
        let mut run = Simulation::new(world, forcing, StepSettings { scheme, ..StepSettings::default() }, 1.0);
        run.max_dt = run.stable_step(6.0 * 3600.0);
        let largest = |values: &[DVec2]| values.iter().map(|v| v.length()).fold(0.0, f64::max);
        let limit = drag.nansen_number() * largest(&winds) + largest(&currents);
        for hour in 1..=6 {
            run_until(&mut run, 3600.0 * f64::from(hour)).unwrap();
            let speed = run.world.bodies.motions()[0].velocity.linear.length();
            prop_assert!(speed <= limit * (1.0 + 1e-12), "{speed} above {limit}");
        }
    }
}

#[test]
fn a_speed_no_forecast_knew_of_is_caught_on_the_way() {
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        ..Forcing::none()
    };
    let mut world = World::new(Domain::Free, 1);
    world.add(moving(disc(10.0), 100.0, 0.0, 0.0)).unwrap();
    let mut run = Simulation::new(world, forcing, StepSettings::default(), 10.0);
    assert!(run.stable_step(1.0) < 10.0);
    assert!(matches!(
        run_until(&mut run, 100.0),
        Err(StepError::Unstable { .. })
    ));
}
