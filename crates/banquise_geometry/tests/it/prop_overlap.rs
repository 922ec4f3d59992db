//! Overlap of shapes against the area they share.

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, shapes_overlap};
use proptest::prelude::*;

use crate::config;
use crate::pairs::pair;

const AT_ORIGIN: Pose = Pose {
    position: DVec2::ZERO,
    rotation: Rotation::IDENTITY,
};

/// Area of the common part: both polygons as sums of signed triangles from one point, each pair of
/// triangles clipped.
fn shared_area(first: &[DVec2], second: &[DVec2]) -> f64 {
    let fan = |vertices: &[DVec2]| -> Vec<([DVec2; 3], f64)> {
        let origin = DVec2::new(0.123, -0.456);
        let next = vertices.iter().cycle().skip(1);
        let pairs = vertices.iter().zip(next);
        pairs
            .map(|(&a, &b)| {
                let sign = (a - origin).perp_dot(b - origin).signum();
                if sign > 0.0 {
                    ([origin, a, b], 1.0)
                } else {
                    ([origin, b, a], -1.0)
                }
            })
            .collect()
    };
    let (first, second) = (fan(first), fan(second));
    let pairs = first
        .iter()
        .flat_map(|t| second.iter().map(move |u| (t, u)));
    pairs
        .map(|((t, sign), (u, other))| sign * other * clipped_area(t, u))
        .sum()
}

/// Area of the common part of two counter-clockwise triangles (Sutherland & Hodgman 1974).
fn clipped_area(subject: &[DVec2; 3], clip: &[DVec2; 3]) -> f64 {
    let mut polygon = subject.to_vec();
    for k in 0..3 {
        let (a, b) = (clip[k], clip[(k + 1) % 3]);
        let height = |p: DVec2| (b - a).perp_dot(p - a);
        let mut kept = Vec::new();
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (from, to) = (height(p), height(q));
            if from >= 0.0 {
                kept.push(p);
            }
            if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
                kept.push(p + from / (from - to) * (q - p));
            }
        }
        polygon = kept;
    }
    let next = polygon.iter().cycle().skip(1);
    0.5 * polygon
        .iter()
        .zip(next)
        .map(|(p, &q)| p.perp_dot(q))
        .sum::<f64>()
}

fn grid_outline() -> impl Strategy<Value = Outline> {
    let ring = prop::collection::vec((0..6_i32, 0..6_i32), 3..8);
    ring.prop_filter_map("simple", |ring| {
        let ring: Vec<DVec2> = ring
            .iter()
            .map(|&(x, y)| DVec2::new(f64::from(x), f64::from(y)))
            .collect();
        Outline::from_ring(&ring).ok()
    })
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn shapes_overlap_if_they_share_an_area(
        a in grid_outline(), b in grid_outline(), x in -5..=5_i32, y in -5..=5_i32,
    ) {
        // On a small grid corners and edges often touch; a shared area is not below 1e-6.
        let offset = DVec2::new(f64::from(x), f64::from(y));
        let moved: Vec<DVec2> = b.vertices().iter().map(|&v| v + offset).collect();
        let area = shared_area(a.vertices(), &moved);
        let (a, b) = (Shape::Outline(a), Shape::Outline(b));
        let pose_b = Pose { position: offset, ..AT_ORIGIN };
        prop_assert_eq!(shapes_overlap(&a, AT_ORIGIN, &b, pose_b), area > 1e-9, "area {}", area);
        prop_assert_eq!(shapes_overlap(&b, pose_b, &a, AT_ORIGIN), area > 1e-9);
    }

    #[test]
    fn a_shape_overlaps_itself_but_not_its_neighbours(a in grid_outline()) {
        let width = a.vertices().iter().map(|v| v.x).fold(0.0, f64::max)
            - a.vertices().iter().map(|v| v.x).fold(9.0, f64::min);
        let beside = Pose { position: width * DVec2::X, ..AT_ORIGIN };
        let a = Shape::Outline(a);
        prop_assert!(shapes_overlap(&a, AT_ORIGIN, &a, AT_ORIGIN));
        prop_assert!(!shapes_overlap(&a, AT_ORIGIN, &a, beside));
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn shapes_apart_do_not_overlap_and_shapes_pushed_together_do(pair in pair(), depth in 1e-9..0.1_f64) {
        let distance = pair.distance();
        prop_assert!(distance < 1e-12 || !shapes_overlap(&pair.a, pair.pose_a, &pair.b, pair.pose_b));
        // Push B along the normal of the nearest contact: deeper than the gap, they overlap.
        let found = pair.approaches();
        let nearest = found.iter().filter(|a| a.is_contact).min_by(|p, q| p.gap.total_cmp(&q.gap));
        if let Some(nearest) = nearest.filter(|nearest| nearest.gap > 1e-6) {
            let mut pushed = pair.clone();
            pushed.pose_b.position -= (nearest.gap + depth) * nearest.normal;
            let overlap = |pair: &crate::pairs::Pair| {
                shapes_overlap(&pair.a, pair.pose_a, &pair.b, pair.pose_b)
            };
            // A sharp tip pushed by more than its thickness may come out on the other side.
            prop_assert!(overlap(&pushed) || depth > 1e-3);
            prop_assert_eq!(overlap(&pushed), overlap(&pushed.swapped()));
        }
    }
}
