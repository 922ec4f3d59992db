//! Whatever the list of points, the answer is an outline with finite measures or an error.

use banquise_geometry::{DVec2, GeometryError, Mesh, Outline, Shape};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::config;

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => (-3..=3_i32).prop_map(f64::from),
        10 => -10.0..10.0_f64,
        2 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY)],
        2 => prop_oneof![Just(1e9), Just(-1e9), Just(1e10), Just(1e308), Just(-1e155)],
        2 => prop_oneof![Just(1e-9), Just(-1e-29), Just(1e-31), Just(5e-324), Just(-0.0)],
        2 => prop_oneof![Just(1.0 + f64::EPSILON), Just(3.0 - 4e-16), Just(1e-16)],
        1 => any::<f64>(),
    ]
}

/// Coordinates that are in range but of every magnitude.
fn wild_coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e9..1e9_f64,
        2 => -1.0..1.0_f64,
        1 => -1e-20..1e-20_f64,
        1 => prop_oneof![Just(0.0), Just(1e9), Just(-1e9)],
    ]
}

fn points(coordinate: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Vec<DVec2>> {
    vec(
        (coordinate.clone(), coordinate).prop_map(|(x, y)| DVec2::new(x, y)),
        0..9,
    )
}

fn check(result: &Result<Outline, GeometryError>) {
    let outline = match result {
        Ok(outline) => outline,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.hint().is_empty());
            return;
        }
    };
    let shape = Shape::Outline(outline.clone());
    let measures = [
        shape.area(),
        shape.second_moment(),
        shape.perimeter(),
        shape.roundness(),
        shape.mean_caliper_diameter(),
        shape.enclosing_circle().radius,
        shape.bounding_radius(),
        outline.convexity(),
    ];
    assert!(
        measures.iter().all(|m| m.is_finite() && *m > 0.0),
        "{measures:?} of {outline:?}"
    );
    assert!(shape.centroid().is_finite());
    let mesh = Mesh::of(&shape);
    let sound = |(point, weight): (DVec2, f64)| point.is_finite() && weight > 0.0;
    assert!(mesh.quadrature().all(sound), "{mesh:?} of {outline:?}");
}

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    fn garbage_never_panics(points in points(coordinate().boxed())) {
        check(&Outline::from_ring(&points));
        check(&Outline::try_new(points));
    }

    #[test]
    fn coordinates_of_every_magnitude_never_panic(points in points(wild_coordinate().boxed())) {
        check(&Outline::from_ring(&points));
        check(&Outline::try_new(points));
    }

    #[test]
    fn a_valid_outline_stays_valid_or_says_why_when_moved(
        points in points(coordinate().boxed()), x in coordinate(), y in coordinate(),
    ) {
        if let Ok(outline) = Outline::from_ring(&points) {
            check(&outline.translated(DVec2::new(x, y)));
            check(&outline.scaled(x));
            let distance = outline.distance_to_point(DVec2::new(x, y));
            prop_assert!(distance >= 0.0);
        }
    }
}
