//! Outlines with fewer vertices: the same areas, no crossing, no overlap.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, math, shapes_overlap, simplify};
use proptest::prelude::*;

use crate::{assert_close, config};

const HERE: Pose = Pose {
    position: DVec2::ZERO,
    rotation: Rotation::IDENTITY,
};

/// A star about a point, with the radii given.
fn star(center: DVec2, radii: &[f64]) -> Outline {
    let count = radii.len() as f64;
    let vertex = |(index, radius): (usize, &f64)| {
        let (sin, cos) = math::sin_cos(TAU * index as f64 / count);
        center + *radius * DVec2::new(cos, sin)
    };
    let ring: Vec<DVec2> = radii.iter().enumerate().map(vertex).collect();
    Outline::from_ring(&ring).unwrap()
}

/// Stars on a square grid, close to each other but apart.
fn stars() -> impl Strategy<Value = Vec<Outline>> {
    let radii = prop::collection::vec(0.05..0.4999_f64, 4..60);
    prop::collection::vec(radii, 1..10).prop_map(|all| {
        let center = |k: usize| DVec2::new((k % 3) as f64, (k / 3) as f64);
        all.iter()
            .enumerate()
            .map(|(k, radii)| star(center(k), radii))
            .collect()
    })
}

/// Two combs whose teeth are in each other's gaps.
fn combs(teeth: u32, gap: f64) -> [Outline; 2] {
    let width = 2.0 * f64::from(teeth);
    let mut comb = vec![
        DVec2::new(0.0, -1.0),
        DVec2::new(width, -1.0),
        DVec2::new(width, 0.0),
    ];
    for tooth in (0..teeth).rev() {
        let (left, right) = (2.0 * f64::from(tooth), 2.0 * f64::from(tooth) + 1.0 - gap);
        comb.extend([[right, 0.0], [right, 10.0], [left, 10.0], [left, 0.0]].map(DVec2::from));
    }
    let turned = comb
        .iter()
        .map(|p| DVec2::new(width - 0.5 * gap - p.x, 11.0 - p.y));
    let turned: Vec<DVec2> = turned.collect();
    [
        Outline::from_ring(&comb).unwrap(),
        Outline::from_ring(&turned).unwrap(),
    ]
}

fn check(before: &[Outline], after: &[Outline]) {
    for (before, after) in before.iter().zip(after) {
        assert_close(after.area(), before.area(), before.area(), 1e-11);
        assert!(after.vertices().len() <= before.vertices().len());
        Outline::try_new(after.vertices().to_vec()).unwrap();
    }
    for (index, a) in after.iter().enumerate() {
        for b in &after[..index] {
            let (a, b) = (Shape::Outline(a.clone()), Shape::Outline(b.clone()));
            assert!(!shapes_overlap(&a, HERE, &b, HERE));
        }
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn areas_stay_and_nothing_crosses(
        stars in stars(), budget in 3..30_usize,
    ) {
        check(&stars, &simplify(&stars, |_| budget));
    }
}

#[test]
fn a_lone_round_outline_reaches_any_budget() {
    let radii: Vec<f64> = (0..500)
        .map(|k| 100.0 + 5.0 * math::sin(0.3 * f64::from(k)))
        .collect();
    let rough = star(DVec2::new(1e5, -2e5), &radii);
    for budget in [3, 4, 5, 12, 40, 200, 499, 500, 900] {
        let simple = simplify(std::slice::from_ref(&rough), |_| budget);
        assert_eq!(simple[0].vertices().len(), budget.min(500));
        // Coordinates of 10⁵ m are rounded to 10⁻¹¹ m: 10⁻¹² of the area.
        assert_close(simple[0].area(), rough.area(), rough.area(), 1e-10);
    }
}

#[test]
fn teeth_in_each_others_gaps_stay_apart() {
    for gap in [0.3, 0.1, 0.01] {
        let combs = combs(20, gap);
        check(&combs, &combs);
        for budget in [4, 20, 60] {
            check(&combs, &simplify(&combs, |_| budget));
        }
    }
}

#[test]
fn a_floe_in_a_bay_is_not_swallowed() {
    let bay = Outline::from_ring(
        &[
            [0.0, 0.0],
            [10.0, 0.0],
            [10.0, 10.0],
            [5.2, 10.0],
            [5.2, 4.0],
            [4.8, 4.0],
            [4.8, 10.0],
            [0.0, 10.0],
        ]
        .map(DVec2::from),
    )
    .unwrap();
    let small = star(DVec2::new(5.0, 6.0), &[0.1, 0.12, 0.1, 0.11]);
    let before = [bay, small];
    let after = simplify(&before, |_| 3);
    check(&before, &after);
    assert!(!after[0].contains(DVec2::new(5.0, 6.0)));
}

#[test]
fn steps_of_pixels_become_straight() {
    // A line of slope 1/7, in steps of one metre, under a square.
    let mut ring = vec![DVec2::new(140.0, 200.0), DVec2::new(0.0, 200.0)];
    for step in 0..20 {
        let (x, y) = (7.0 * f64::from(step), f64::from(step));
        ring.extend([DVec2::new(x, y), DVec2::new(x + 7.0, y)]);
    }
    let steps = Outline::from_ring(&ring).unwrap();
    let simple = &simplify(std::slice::from_ref(&steps), |_| 8)[0];
    // Vertices in line with their neighbours count as long as they are there.
    assert!((4..=8).contains(&simple.vertices().len()));
    assert_close(simple.area(), steps.area(), steps.area(), 1e-12);
}
