//! Measures do not depend on where the floe is, how it is turned or where its list starts.

use std::f64::consts::PI;

use banquise_geometry::{DVec2, Outline, Rotation, math};
use proptest::prelude::*;

use crate::polygons::{moments_about, outline};
use crate::{assert_close, config};

/// Everything that must not change when the floe moves.
fn measures(outline: &Outline) -> [f64; 7] {
    [
        outline.area(),
        outline.second_moment(),
        outline.perimeter(),
        outline.roundness(),
        outline.mean_caliper_diameter(),
        outline.convexity(),
        outline.enclosing_circle().radius,
    ]
}

/// Whether a point of a small integer grid is in an outline of integer vertices, boundary included.
///
/// Counts the edges crossed by a segment to a far point that passes through no other point of the
/// grid; all in integers.
fn grid_contains(vertices: &[(i64, i64)], (x, y): (i64, i64)) -> bool {
    let far = (1_000_003, 7_919);
    let side = |a: (i64, i64), b: (i64, i64), c: (i64, i64)| {
        ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum()
    };
    let mut is_inside = false;
    for (k, &a) in vertices.iter().enumerate() {
        let b = vertices[(k + 1) % vertices.len()];
        let is_between = (a.0 - x) * (b.0 - x) <= 0 && (a.1 - y) * (b.1 - y) <= 0;
        if side(a, b, (x, y)) == 0 && is_between {
            return true;
        }
        let parts_line = side((x, y), far, a) != side((x, y), far, b);
        is_inside ^= parts_line && side(a, b, (x, y)) != side(a, b, far);
    }
    is_inside
}

fn assert_same_measures(outline: &Outline, other: &Outline, tolerance: f64) {
    for (value, expected) in measures(other).into_iter().zip(measures(outline)) {
        assert_close(value, expected, expected, tolerance);
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn measures_agree_with_an_independent_formula(outline in outline(200)) {
        let [area, x, y, ..] = moments_about(&outline, DVec2::ZERO);
        assert_close(outline.area(), area, area, 1e-13);
        let centroid = DVec2::new(x, y) / area;
        prop_assert!((outline.centroid() - centroid).length() < 1e-13);
        let [_, _, _, xx, _, yy] = moments_about(&outline, centroid);
        assert_close(outline.second_moment(), xx + yy, xx + yy, 1e-12);
        prop_assert!(outline.roundness() >= 1.0);
    }

    #[test]
    fn an_exact_translation_changes_no_bit_of_the_moments(
        outline in outline(100),
        metres in prop_oneof![Just(1.0), Just(1e3), Just(1e5)],
        sign in prop_oneof![Just(-1.0), Just(1.0)],
    ) {
        // Vertices are multiples of 2⁻³⁰ m, so these sums are exact.
        let offset = DVec2::new(sign * metres, metres + 3.0);
        let moved = outline.translated(offset).unwrap();
        prop_assert_eq!(moved.area(), outline.area());
        prop_assert_eq!(moved.second_moment(), outline.second_moment());
        prop_assert_eq!(moved.perimeter(), outline.perimeter());
        prop_assert_eq!(moved.mean_caliper_diameter(), outline.mean_caliper_diameter());
        // Coordinates near 1e5 m are rounded at 1.5e-11 m.
        prop_assert!((moved.centroid() - outline.centroid() - offset).length() < 3e-11);
        assert_same_measures(&outline, &moved, 1e-10);
    }

    #[test]
    fn rotation_changes_nothing(outline in outline(100), angle in -PI..PI) {
        let rotation = Rotation::from_angle(angle);
        let turned = outline.rotated(rotation).unwrap();
        assert_same_measures(&outline, &turned, 1e-12);
        let centroid = rotation.rotate(outline.centroid());
        prop_assert!((turned.centroid() - centroid).length() < 1e-13);
    }

    #[test]
    fn scaling_follows_the_dimensions(outline in outline(60), factor in 1e-3..1e5_f64) {
        let scaled = outline.scaled(factor).unwrap();
        assert_close(scaled.area() / factor.powi(2), outline.area(), outline.area(), 1e-12);
        let second = outline.second_moment();
        assert_close(scaled.second_moment() / factor.powi(4), second, second, 1e-12);
        assert_close(scaled.perimeter() / factor, outline.perimeter(), 1.0, 1e-12);
        assert_close(scaled.roundness(), outline.roundness(), outline.roundness(), 1e-12);
    }

    #[test]
    fn renumbering_and_reversal_change_nothing(outline in outline(100), start in 0..100_usize) {
        let mut vertices = outline.vertices().to_vec();
        let count = vertices.len();
        vertices.rotate_left(start % count);
        let renumbered = Outline::try_new(vertices.clone()).unwrap();
        assert_same_measures(&outline, &renumbered, 1e-12);
        prop_assert!((renumbered.centroid() - outline.centroid()).length() < 1e-13);
        vertices.reverse();
        let last = vertices[0];
        let reversed = Outline::try_new(vertices).unwrap();
        prop_assert_eq!(reversed.vertices()[0], last);
        assert_same_measures(&outline, &reversed, 1e-12);
    }

    #[test]
    fn the_mean_caliper_is_the_width_averaged_over_directions(outline in outline(60)) {
        let count = 20_000;
        let width = |k: i32| {
            let (sin, cos) = math::sin_cos(PI * f64::from(k) / f64::from(count));
            let heights = outline.vertices().iter().map(|v| v.dot(DVec2::new(cos, sin)));
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
                (low.min(h), high.max(h))
            });
            high - low
        };
        let mean = (0..count).map(width).sum::<f64>() / f64::from(count);
        // The trapezoidal rule on a function with kinks errs like 1/count².
        assert_close(outline.mean_caliper_diameter(), mean, mean, 1e-7);
    }

    #[test]
    fn the_hull_is_convex_and_contains_every_vertex(outline in outline(200)) {
        let hull = outline.convex_hull();
        prop_assert!(hull.is_convex());
        prop_assert!(outline.vertices().iter().all(|&vertex| hull.contains(vertex)));
        prop_assert!(hull.vertices().iter().all(|vertex| outline.vertices().contains(vertex)));
        prop_assert!(outline.convexity() <= 1.0 + 1e-14);
        prop_assert_eq!(outline.is_convex(), hull.vertices().len() == outline.vertices().len());
        // The hull of a valid outline passes the checks itself.
        prop_assert_eq!(&Outline::try_new(hull.vertices().to_vec()).unwrap(), &hull);
    }

    #[test]
    fn inside_is_exact_on_a_small_grid(
        vertices in proptest::collection::vec((0..6_i64, 0..6_i64), 3..8),
    ) {
        let point = |(x, y): (i64, i64)| DVec2::new(x as f64, y as f64);
        let ring: Vec<DVec2> = vertices.iter().copied().map(point).collect();
        let Ok(outline) = Outline::try_new(ring) else { return Ok(()) };
        for x in -1..7 {
            for y in -1..7 {
                let expected = grid_contains(&vertices, (x, y));
                prop_assert_eq!(outline.contains(point((x, y))), expected, "{:?}", (x, y));
            }
        }
    }

    #[test]
    fn inside_agrees_with_the_signed_angle_seen_from_the_point(
        outline in outline(60), x in -1.5..1.5_f64, y in -1.5..2.5_f64,
    ) {
        let point = DVec2::new(x, y);
        let turn: f64 = outline
            .edges()
            .map(|(a, b)| math::atan2((a - point).perp_dot(b - point), (a - point).dot(b - point)))
            .sum();
        prop_assert_eq!(outline.contains(point), turn.abs() > PI);
        prop_assert!(outline.vertices().iter().all(|&vertex| outline.contains(vertex)));
    }
}
