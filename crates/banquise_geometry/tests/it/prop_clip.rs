//! Outlines cut by a box.

use banquise_geometry::{Aabb, DVec2, Outline};
use proptest::prelude::*;

use crate::{assert_close, config};

/// A polygon with vertices at random places, sorted about its middle: a star with deep bays.
fn spiky() -> impl Strategy<Value = Outline> {
    let radii = prop::collection::vec(0.1..10.0_f64, 5..60);
    radii.prop_map(|radii| {
        let count = radii.len() as f64;
        let ring: Vec<DVec2> = radii
            .iter()
            .enumerate()
            .map(|(k, radius)| {
                let angle = std::f64::consts::TAU * (k as f64 + 0.3) / count;
                let (sin, cos) = banquise_geometry::math::sin_cos(angle);
                *radius * DVec2::new(cos, sin)
            })
            .collect();
        Outline::from_ring(&ring).unwrap()
    })
}

fn area(parts: &[Outline]) -> f64 {
    parts.iter().map(Outline::area).sum()
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn the_parts_inside_nine_boxes_make_up_the_whole(
        outline in spiky(), x in -8.0..0.0_f64, y in -8.0..0.0_f64, w in 0.1..8.0_f64, h in 0.1..8.0_f64,
    ) {
        let (xs, ys) = ([-20.0, x, x + w, 20.0], [-20.0, y, y + h, 20.0]);
        let mut total = 0.0;
        for column in 0..3 {
            for row in 0..3 {
                let window = Aabb {
                    min: DVec2::new(xs[column], ys[row]),
                    max: DVec2::new(xs[column + 1], ys[row + 1]),
                };
                let parts = outline.clipped(&window).unwrap();
                for part in &parts {
                    let around = Aabb::of_points(part.vertices().iter().copied());
                    prop_assert!(window.contains(around.min) && window.contains(around.max));
                    // A point well inside a part is inside the outline.
                    let middle = part.edges().next().map(|(a, b)| 0.5 * (a + b)).unwrap();
                    let inward = (part.vertices()[1] - part.vertices()[0]).perp().normalize();
                    let point = middle + 1e-7 * inward;
                    prop_assert!(!part.contains(point) || outline.contains(point));
                }
                total += area(&parts);
            }
        }
        // Tiny corners may be too thin to be outlines, and are not there then.
        prop_assert!((total / outline.area() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_comb_is_cut_into_its_teeth() {
    let comb = [
        [0.0, 0.0],
        [5.0, 0.0],
        [5.0, 3.0],
        [4.0, 3.0],
        [4.0, 1.0],
        [3.0, 1.0],
        [3.0, 3.0],
        [2.0, 3.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ];
    let comb = Outline::from_ring(&comb.map(DVec2::from)).unwrap();
    let window = |y0: f64, y1: f64| Aabb {
        min: DVec2::new(-1.0, y0),
        max: DVec2::new(9.0, y1),
    };
    let teeth = comb.clipped(&window(2.0, 9.0)).unwrap();
    assert_eq!(teeth.len(), 3);
    assert_close(area(&teeth), 3.0, 3.0, 1e-14);
    let base = comb.clipped(&window(-1.0, 2.0)).unwrap();
    assert_eq!(base.len(), 1);
    assert_close(area(&base), 8.0, 8.0, 1e-14);
    // Along an edge, which leaves nothing behind.
    assert_close(
        area(&comb.clipped(&window(1.0, 9.0)).unwrap()),
        6.0,
        6.0,
        1e-14,
    );
    assert!(comb.clipped(&window(4.0, 9.0)).unwrap().is_empty());
    let whole = comb.clipped(&window(-1.0, 9.0)).unwrap();
    assert_eq!(whole, std::slice::from_ref(&comb));
}

#[test]
fn vertices_on_the_line_part_or_join_as_they_must() {
    // A crown whose inner vertices lie on the line, either way round.
    for mirror in [1.0, -1.0] {
        let crown = [
            [0.0, -1.0],
            [6.0, -1.0],
            [6.0, 2.0],
            [5.0, 0.0],
            [4.0, 2.0],
            [3.0, 0.0],
            [2.0, 2.0],
            [1.0, 0.0],
            [0.0, 2.0],
        ];
        let crown = crown.map(|[x, y]| DVec2::new(mirror * x, y));
        let crown = Outline::from_ring(&crown).unwrap();
        for (low, high, expected) in [(0.0, 9.0, 6.0), (-9.0, 0.0, 6.0)] {
            let window = Aabb {
                min: DVec2::new(-9.0, low),
                max: DVec2::new(9.0, high),
            };
            let parts = crown.clipped(&window).unwrap();
            assert_close(area(&parts), expected, 6.0, 1e-14);
        }
    }
}
