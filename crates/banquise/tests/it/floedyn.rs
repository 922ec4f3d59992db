//! A month of free drift against FloeDyn, the program of the thesis, on real wind and current.
//!
//! FloeDyn turns hourly values into a table of minutes: polar interpolation, a first ramp of
//! twelve hours from rest *and from the angle zero*, and each minute's value held until the next.
//! The table is made again here, as a series, so that only the model itself is compared.

use std::f64::consts::{PI, TAU};
use std::path::Path;

use banquise::{Coriolis, Domain, DragSettings, Forcing, Scheme, Simulation, StepSettings};
use banquise::{VectorSeries, World};
use banquise_geometry::{DVec2, Outline, Shape};

use crate::{of_shape, run_until};

/// Minutes of FloeDyn's ramp.
const RAMP: usize = 720;
/// FloeDyn reads beyond its table after this \[s\].
const END: f64 = 2_541_600.0;

/// The rows of a CSV file as numbers.
fn rows(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    let numbers = |line: &str| {
        line.split(',')
            .map(|field| field.parse().unwrap())
            .collect()
    };
    text.lines().skip(1).map(numbers).collect()
}

/// The value of every minute, from hourly ones.
fn minutes(hours: &[DVec2]) -> Vec<DVec2> {
    let polar = |v: &DVec2| (v.length(), v.y.atan2(v.x));
    let mut table = Vec::new();
    let mut before = (0.0, 0.0);
    for (index, after) in hours.iter().map(polar).enumerate() {
        let count = if index == 0 { RAMP } else { 60 };
        let mut turn = after.1 - before.1;
        if turn.abs() > PI {
            turn -= TAU.copysign(turn);
        }
        table.extend((0..count).map(|minute| {
            let weight = minute as f64 / count as f64;
            let speed = before.0 + weight * (after.0 - before.0);
            speed * DVec2::from_angle(before.1 + weight * turn)
        }));
        before = after;
    }
    table
}

/// The table as a series: a value holds from its minute until just before the next.
fn held(table: &[DVec2]) -> VectorSeries {
    let pair = |(minute, &value): (usize, &DVec2)| {
        let start = 60.0 * minute as f64;
        [(start, value), (start + 59.0, value)]
    };
    let samples: Vec<_> = table.iter().enumerate().flat_map(pair).collect();
    VectorSeries::try_new(&samples, 0.0).unwrap()
}

fn simulation(forcing_rows: &[Vec<f64>]) -> Simulation {
    let column = |x: usize| -> Vec<DVec2> {
        let vector = |row: &Vec<f64>| DVec2::new(row[x], row[x + 1]);
        forcing_rows.iter().map(vector).collect()
    };
    let mut world = World::new(Domain::Free, 1);
    let outline = Outline::regular_polygon(50.0, 25).unwrap();
    world.add(of_shape(Shape::Outline(outline))).unwrap();
    let forcing = Forcing {
        drag: Some(DragSettings::default()),
        wind: held(&minutes(&column(2))),
        current: held(&minutes(&column(4))),
        coriolis: Coriolis::LatitudePerFloe(80.207_f64.to_radians()),
        ..Forcing::none()
    };
    let settings = StepSettings {
        scheme: Scheme::Euler,
        ..StepSettings::default()
    };
    Simulation::new(world, forcing, settings, 10.0)
}

#[test]
fn a_month_of_drift_ends_where_floedyn_ends() {
    let wind = crate::shared_data("topaz_point/topaz_36.84E_80.21N_hourly.csv");
    let expected = crate::shared_data("floedyn_cases/single_topaz/energy.csv");
    let (Some(wind), Some(expected)) = (wind, expected) else {
        println!("skipped: real data not found");
        return;
    };
    let mut simulation = simulation(&rows(&wind));
    let (mut largest, mut path, mut last) = (0.0_f64, 0.0, DVec2::ZERO);
    for row in rows(&expected).iter().filter(|row| row[0] <= END) {
        run_until(&mut simulation, row[0]).unwrap();
        let center = DVec2::new(row[2], row[3]);
        let found = simulation.world.bodies.motions()[0].pose.position;
        largest = largest.max((found - center).length());
        path += (center - last).length();
        last = center;
    }
    println!("largest distance {largest:.4} m on a path of {path:.0} m");
    assert!(path > 500_000.0);
    // Found: 0.024 m. The hourly values have six digits; 1e-6 of the path would be half a metre.
    assert!(largest < 0.05, "{largest} m");
}
