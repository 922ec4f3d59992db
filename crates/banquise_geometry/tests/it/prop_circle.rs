//! The smallest enclosing circle contains everything and cannot be smaller.

use banquise_geometry::{
    Circle, DVec2, Outline,
    predicates::{Orientation, orientation},
};
use proptest::prelude::*;

use crate::polygons::outline;
use crate::{assert_close, config};

/// The smallest of the circles on two or three vertices that contain all of them.
fn by_brute_force(vertices: &[DVec2]) -> f64 {
    let mut smallest = f64::INFINITY;
    let mut consider = |circle: Circle| {
        let limit = circle.radius * (1.0 + 1e-12);
        if vertices
            .iter()
            .all(|&v| (v - circle.center).length() <= limit)
        {
            smallest = smallest.min(circle.radius);
        }
    };
    for (i, &a) in vertices.iter().enumerate() {
        for (j, &b) in vertices.iter().enumerate().skip(i + 1) {
            consider(Circle {
                center: 0.5 * (a + b),
                radius: 0.5 * (b - a).length(),
            });
            for &c in vertices.iter().skip(j + 1) {
                consider(circumcircle(a, b, c));
            }
        }
    }
    smallest
}

/// By Cramer's rule on |p - a|² = |p - b|² = |p - c|².
fn circumcircle(a: DVec2, b: DVec2, c: DVec2) -> Circle {
    let (u, v) = (b - a, c - a);
    let (p, q) = (0.5 * u.dot(u), 0.5 * v.dot(v));
    let determinant = u.x * v.y - u.y * v.x;
    let x = (p * v.y - q * u.y) / determinant;
    let y = (q * u.x - p * v.x) / determinant;
    Circle {
        center: a + DVec2::new(x, y),
        radius: x.hypot(y),
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn it_is_minimal_on_few_vertices(outline in outline(10)) {
        let circle = outline.enclosing_circle();
        let expected = by_brute_force(outline.vertices());
        assert_close(circle.radius, expected, expected, 1e-12);
    }

    #[test]
    fn it_contains_every_vertex_even_far_away(outline in outline(200), far in 0.0..1e6_f64) {
        let moved = outline.translated(DVec2::new(far, -far)).unwrap();
        for outline in [outline, moved] {
            let circle = outline.enclosing_circle();
            prop_assert!(outline.vertices().iter().all(|&vertex| circle.contains(vertex)));
        }
    }

    #[test]
    fn it_is_minimal_on_points_of_a_small_grid(
        cells in proptest::collection::vec((0..4_i32, 0..4_i32), 3..7),
    ) {
        // Many are cocircular or aligned here.
        let points: Vec<DVec2> =
            cells.iter().map(|&(x, y)| DVec2::new(f64::from(x), f64::from(y))).collect();
        if let Ok(outline) = Outline::from_ring(&points) {
            let expected = by_brute_force(outline.vertices());
            assert_close(outline.enclosing_circle().radius, expected, expected, 1e-14);
        }
    }

    #[test]
    fn orientation_is_exact_on_nearly_aligned_integers(
        x in -30_000_000..30_000_000_i64, y in -30_000_000..30_000_000_i64,
        u in -30_000_000..30_000_000_i64, v in -30_000_000..30_000_000_i64,
        factor in 1..30_i64, dx in -1..=1_i64, dy in -1..=1_i64,
    ) {
        // c = a + factor (b - a) + (dx, dy): integers, so 128 bits hold the true determinant.
        let (cx, cy) = (x + factor * u + dx, y + factor * v + dy);
        let determinant = i128::from(u) * i128::from(cy - y) - i128::from(v) * i128::from(cx - x);
        let expected = match determinant.signum() {
            1 => Orientation::CounterClockwise,
            -1 => Orientation::Clockwise,
            _ => Orientation::Collinear,
        };
        let point = |x: i64, y: i64| DVec2::new(x as f64, y as f64);
        prop_assert_eq!(orientation(point(x, y), point(x + u, y + v), point(cx, cy)), expected);
    }
}
