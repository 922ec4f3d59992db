//! The search of contacts against brute force, and what it promises.

use std::f64::consts::TAU;

use banquise_geometry::{
    Approach, ContactShape, DVec2, Disc, Outline, PlacedShape, Pose, Rotation, Shape, Side,
    approaches, approaches_among, math,
};
use proptest::prelude::*;

use crate::config;
use crate::pairs::{Pair, overlapping_pair, pair};

/// 1e-12 of the size of the pair, which is some 4 m.
const LENGTH_TOLERANCE: f64 = 4e-12;

/// Panics unless the contacts are the same in number, points and gaps; and normals, where the gap
/// is large enough for round-off not to turn them.
fn assert_same_contacts(first: &[Approach], second: &[Approach], tolerance: f64) {
    let contacts = |all: &[Approach]| -> Vec<Approach> {
        all.iter()
            .copied()
            .filter(|approach| approach.is_contact)
            .collect()
    };
    let (first, second) = (contacts(first), contacts(second));
    assert_eq!(first.len(), second.len(), "{first:#?}\n{second:#?}");
    for contact in &first {
        let is_same = |other: &&Approach| {
            (contact.point_a - other.point_a).length() < tolerance
                && (contact.point_b - other.point_b).length() < tolerance
                && (contact.gap - other.gap).abs() < LENGTH_TOLERANCE
                && (contact.gap < 1e-6 || (contact.normal - other.normal).length() < 1e-8)
        };
        assert!(
            second.iter().any(|other| is_same(&other)),
            "{contact:?}\n{second:#?}"
        );
    }
}

/// What holds for any approach of shapes in any position.
fn check_fields(approach: &Approach, size: f64) {
    assert!(
        (approach.normal.length() - 1.0).abs() < 1e-12,
        "{approach:?}"
    );
    assert!(
        approach.gap >= 0.0 && approach.gap.is_finite(),
        "{approach:?}"
    );
    assert!(approach.clearance >= 0.0, "{approach:?}");
    let gap = (approach.point_b - approach.point_a).dot(approach.normal);
    // Points are rounded to the last place of the coordinates, up to 2e5 m.
    let tolerance = 1e-10 + 1e-12 * size;
    assert!(gap <= approach.gap + tolerance, "{approach:?}");
    assert!(
        approach.gap == 0.0 || gap >= approach.gap - tolerance,
        "{approach:?}"
    );
}

/// Least distance between a vertex (or disc) of `guest` and `host`, over the vertices.
fn distance_of_vertex(guest: &Shape, vertex: usize, host: &Shape) -> f64 {
    let (point, radius) = match guest {
        Shape::Outline(outline) => (outline.vertices()[vertex], 0.0),
        Shape::Disc(disc) => (disc.center(), disc.radius()),
    };
    let to_center = match host {
        Shape::Outline(outline) => outline.distance_to_point(point),
        Shape::Disc(disc) => (point - disc.center()).length() - disc.radius(),
    };
    (to_center - radius).max(0.0)
}

fn vertex_count(shape: &Shape) -> usize {
    match shape {
        Shape::Outline(outline) => outline.vertices().len(),
        Shape::Disc(_) => 1,
    }
}

/// Checks that the list has every vertex of one side within reach, at its true distance.
fn check_side(pair: &Pair, side: Side, found: &[Approach]) {
    let [a, b] = pair.placed();
    let (guest, host) = if side == Side::A { (a, b) } else { (b, a) };
    let original = if side == Side::A { &pair.a } else { &pair.b };
    if vertex_count(&guest) != vertex_count(original) {
        return; // Rounding in the reference dropped a vertex: indices do not match.
    }
    for vertex in 0..vertex_count(&guest) {
        let expected = distance_of_vertex(&guest, vertex, &host);
        let own =
            |approach: &&Approach| approach.side == side && approach.vertex as usize == vertex;
        let least = found
            .iter()
            .filter(own)
            .map(|a| a.gap)
            .fold(f64::INFINITY, f64::min);
        let is_near = expected <= pair.reach - LENGTH_TOLERANCE;
        assert!(
            !is_near || least.is_finite(),
            "{side:?} {vertex} missing from {found:#?}"
        );
        let error = (least - expected).abs();
        assert!(
            least.is_infinite() || error < LENGTH_TOLERANCE,
            "{vertex}: {least} {expected}"
        );
    }
}

fn placed(shape: &ContactShape, pose: Pose) -> PlacedShape<'_> {
    PlacedShape { shape, pose }
}

proptest! {
    #![proptest_config(config(6000))]

    #[test]
    fn the_least_gap_is_the_distance_and_no_vertex_is_missed(pair in pair()) {
        let found = pair.approaches();
        for approach in &found {
            check_fields(approach, 4.0);
        }
        let distance = pair.distance();
        let least = found.iter().map(|a| a.gap).fold(f64::INFINITY, f64::min);
        if distance <= pair.reach - LENGTH_TOLERANCE {
            prop_assert!((least - distance).abs() < LENGTH_TOLERANCE, "{} {}", least, distance);
        }
        check_side(&pair, Side::A, &found);
        if !matches!((&pair.a, &pair.b), (Shape::Disc(_), Shape::Disc(_))) {
            check_side(&pair, Side::B, &found);
        }
    }

    #[test]
    fn vertices_inside_the_other_shape_are_listed_too(pair in overlapping_pair()) {
        let found = pair.approaches();
        for approach in &found {
            check_fields(approach, 4.0);
        }
        check_side(&pair, Side::A, &found);
        if !matches!((&pair.a, &pair.b), (Shape::Disc(_), Shape::Disc(_))) {
            check_side(&pair, Side::B, &found);
        }
    }

    #[test]
    fn features_kept_on_the_way_change_no_bit(
        pair in prop_oneof![3 => pair(), 1 => overlapping_pair()],
        way in prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64, 0.5..2.0_f64), 12),
        step in prop_oneof![Just(0.02), Just(0.3), Just(2.0)],
    ) {
        let (a, b) = (ContactShape::new(&pair.a), ContactShape::new(&pair.b));
        let (mut pose_b, mut known) = (pair.pose_b, None);
        let (mut plain, mut among) = (Vec::new(), Vec::new());
        for (x, y, turn, reach) in way {
            let reach = reach * pair.reach;
            pose_b.position += step * reach * DVec2::new(x, y);
            pose_b.rotation = pose_b.rotation.turned_by(step * reach * turn);
            approaches(&a, pair.pose_a, &b, pose_b, reach, &mut plain);
            known = approaches_among(known.as_ref(), true, placed(&a, pair.pose_a), placed(&b, pose_b), reach, &mut among);
            prop_assert_eq!(&plain, &among);
        }
    }

    #[test]
    fn the_nearest_place_is_a_contact(pair in pair()) {
        let found = pair.approaches();
        let distance = pair.distance();
        let is_nearest = |a: &&Approach| a.is_contact && a.gap <= distance + LENGTH_TOLERANCE;
        if (LENGTH_TOLERANCE..pair.reach - LENGTH_TOLERANCE).contains(&distance) {
            prop_assert!(found.iter().any(|a| is_nearest(&a)), "{} {:#?}", distance, found);
        }
    }

    #[test]
    fn swapping_the_shapes_turns_the_contacts_round(pair in pair()) {
        let swapped: Vec<Approach> = pair
            .swapped()
            .approaches()
            .into_iter()
            .map(|a| Approach { point_a: a.point_b, point_b: a.point_a, normal: -a.normal, ..a })
            .collect();
        assert_same_contacts(&pair.approaches(), &swapped, 1e-10);
    }

    #[test]
    fn turning_and_moving_both_shapes_moves_the_contacts(
        pair in pair(), angle in 0.0..TAU, x in -1e4..1e4_f64, y in -1e4..1e4_f64,
    ) {
        // Only from the origin: turning rounds positions far away, hence the gaps.
        let back = Pair { pose_b: Pose { position: pair.pose_b.position - pair.pose_a.position, ..pair.pose_b },
            pose_a: Pose { position: DVec2::ZERO, ..pair.pose_a }, ..pair };
        let offset = DVec2::new(x, y).round();
        let rotation = Rotation::from_angle(angle);
        let expected: Vec<Approach> = back
            .approaches()
            .into_iter()
            .map(|a| Approach {
                point_a: rotation.rotate(a.point_a) + offset,
                point_b: rotation.rotate(a.point_b) + offset,
                normal: rotation.rotate(a.normal),
                ..a
            })
            .collect();
        // B's position is rounded to 2e-12 m by the offset, which may make shapes that touch
        // overlap.
        if back.distance() > 1e-9 {
            assert_same_contacts(&expected, &back.moved(angle, offset).approaches(), 1e-10);
        }
    }

    #[test]
    fn a_vertex_in_front_of_its_lines_and_within_clearance_stays_outside(
        pair in pair(), moves in prop::collection::vec((0.0..TAU, 0.0..1.0_f64), 40),
    ) {
        let found = pair.approaches();
        let [a, b] = pair.placed();
        let origin = pair.pose_a.position;
        for approach in &found {
            let lines: Vec<&Approach> = found
                .iter()
                .filter(|other| other.side == approach.side && other.vertex == approach.vertex)
                .collect();
            prop_assert!(lines.iter().all(|line| line.clearance == approach.clearance));
            let (guest, host) = if approach.side == Side::A { (&a, &b) } else { (&b, &a) };
            for &(angle, part) in &moves {
                let (sin, cos) = math::sin_cos(angle);
                let step = part * approach.clearance.min(pair.reach) * DVec2::new(cos, sin);
                // Well in front of every line: farther than the round-off of the far coordinates.
                let is_in_front = |line: &&Approach| {
                    let away = if line.side == Side::A { -line.normal } else { line.normal };
                    line.gap + step.dot(away) > 1e-10
                };
                if lines.iter().all(is_in_front) {
                    let point = if approach.side == Side::A { approach.point_a } else { approach.point_b };
                    prop_assert!(stays_outside(guest, host, point - origin, step), "{:#?}", lines);
                }
            }
        }
    }
}

/// Whether a vertex (or a disc, given by a point of its rim) is outside `host` after the step.
fn stays_outside(guest: &Shape, host: &Shape, point: DVec2, step: DVec2) -> bool {
    let (center, radius) = match guest {
        Shape::Outline(_) => (point, 0.0),
        Shape::Disc(disc) => (disc.center(), disc.radius()),
    };
    match host {
        Shape::Outline(outline) if radius == 0.0 => !outline.contains(center + step),
        Shape::Outline(outline) => outline.distance_to_point(center + step) > radius - 1e-10,
        Shape::Disc(disc) => {
            (center + step - disc.center()).length() > disc.radius() + radius - 1e-10
        }
    }
}

fn wild_coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e9..1e9_f64,
        4 => -1.0..1.0_f64,
        2 => (-3..=3_i32).prop_map(f64::from),
        1 => -1e-8..1e-8_f64,
        1 => prop_oneof![Just(0.0), Just(1e9), Just(-1e9)],
    ]
}

fn wild_shape() -> impl Strategy<Value = Shape> {
    let point = (wild_coordinate(), wild_coordinate()).prop_map(|(x, y)| DVec2::new(x, y));
    let ring = prop::collection::vec(point, 3..8);
    prop_oneof![
        6 => ring.prop_filter_map("valid", |ring| Outline::from_ring(&ring).ok().map(Shape::Outline)),
        1 => prop_oneof![Just(1e-9), Just(1.0), Just(1e9)]
            .prop_map(|radius| Shape::Disc(Disc::try_new(radius).unwrap())),
    ]
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn thin_huge_and_overlapping_shapes_give_sound_numbers(
        a in wild_shape(), b in wild_shape(), x in wild_coordinate(), y in wild_coordinate(),
        angle in prop_oneof![Just(0.0), 0.0..TAU],
        reach in prop_oneof![Just(0.0), Just(1e-6), Just(1.0), Just(1e9), Just(f64::INFINITY)],
    ) {
        let (first, second) = (ContactShape::new(&a), ContactShape::new(&b));
        let pose_a = Pose { position: DVec2::ZERO, rotation: Rotation::IDENTITY };
        let pose_b = Pose { position: DVec2::new(x, y), rotation: Rotation::from_angle(angle) };
        let mut out = Vec::new();
        approaches(&first, pose_a, &second, pose_b, reach, &mut out);
        for approach in &out {
            check_fields(approach, first.radius() + second.radius() + pose_b.position.length());
        }
        prop_assert!(reach.is_finite() || !out.is_empty());
        banquise_geometry::shapes_overlap(&a, pose_a, &b, pose_b);
    }
}
