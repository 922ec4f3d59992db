//! Distances against points sprinkled densely on the boundaries.

use banquise_geometry::{
    DVec2, Outline, distance_outline_outline, distance_point_segment, distance_segment_segment,
    predicates::segments_intersect,
};
use proptest::prelude::*;

use crate::config;
use crate::polygons::outline;

const SAMPLES: i32 = 400;

fn samples(a: DVec2, b: DVec2) -> impl Iterator<Item = DVec2> {
    (0..=SAMPLES).map(move |k| a + f64::from(k) / f64::from(SAMPLES) * (b - a))
}

fn point() -> impl Strategy<Value = DVec2> {
    (-3.0..3.0_f64, -3.0..3.0_f64).prop_map(|(x, y)| DVec2::new(x, y))
}

/// Distance from the point to the nearest sample of the boundary.
fn sampled(outline: &Outline, point: DVec2) -> f64 {
    outline
        .edges()
        .flat_map(|(a, b)| samples(a, b))
        .map(|sample| (sample - point).length())
        .fold(f64::INFINITY, f64::min)
}

fn longest_edge(outline: &Outline) -> f64 {
    outline
        .edges()
        .map(|(a, b)| (b - a).length())
        .fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn a_segment_is_as_near_as_its_nearest_sample(p in point(), a in point(), b in point()) {
        let closest = distance_point_segment(p, a, b);
        let nearest = samples(a, b).map(|s| (s - p).length()).fold(f64::INFINITY, f64::min);
        prop_assert!(closest.distance <= nearest + 1e-14);
        prop_assert!(nearest <= closest.distance + (b - a).length() / f64::from(SAMPLES));
        prop_assert!(((closest.point - p).length() - closest.distance).abs() < 1e-14);
        prop_assert!((a + closest.parameter * (b - a) - closest.point).length() < 1e-14);
    }

    #[test]
    fn two_segments_are_as_near_as_their_samples(
        a in point(), b in point(), c in point(), d in point(),
    ) {
        let distance = distance_segment_segment(a, b, c, d);
        let nearest = samples(a, b)
            .map(|s| distance_point_segment(s, c, d).distance)
            .fold(f64::INFINITY, f64::min);
        prop_assert!(distance <= nearest + 1e-14);
        prop_assert!(nearest <= distance + (b - a).length() / f64::from(SAMPLES));
        prop_assert_eq!(distance == 0.0, segments_intersect(a, b, c, d));
        prop_assert_eq!(distance, distance_segment_segment(c, d, a, b));
    }

    #[test]
    fn a_floe_is_as_near_to_a_point_as_its_samples(outline in outline(30), p in point()) {
        let distance = outline.distance_to_point(p);
        if outline.contains(p) {
            prop_assert_eq!(distance, 0.0);
        } else {
            let nearest = sampled(&outline, p);
            let spacing = longest_edge(&outline) / f64::from(SAMPLES);
            prop_assert!(distance <= nearest + 1e-14 && nearest <= distance + spacing);
        }
    }

    #[test]
    fn two_floes_are_as_near_as_their_samples(
        first in outline(14), second in outline(14), offset in point(),
    ) {
        let second = second.translated(offset).unwrap();
        let distance = distance_outline_outline(&first, &second);
        let spacing = longest_edge(&first) / f64::from(SAMPLES);
        let nearest = first
            .edges()
            .flat_map(|(a, b)| samples(a, b))
            .chain(second.vertices().iter().copied().filter(|&v| first.contains(v)))
            .map(|sample| second.distance_to_point(sample))
            .fold(f64::INFINITY, f64::min);
        prop_assert!(distance <= nearest + 1e-14);
        prop_assert!(nearest <= distance + spacing);
        prop_assert_eq!(distance, distance_outline_outline(&second, &first));
    }
}
