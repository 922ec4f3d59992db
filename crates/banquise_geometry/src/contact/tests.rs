//! Hand-made configurations, each at a small distance and touching.

use super::*;
use crate::{Disc, Outline, Rotation, Shape, math};

fn p(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

fn polygon(vertices: &[(f64, f64)]) -> ContactShape {
    let vertices = vertices.iter().map(|&(x, y)| p(x, y)).collect();
    ContactShape::new(&Shape::Outline(Outline::try_new(vertices).unwrap()))
}

fn disc(radius: f64) -> ContactShape {
    ContactShape::new(&Shape::Disc(Disc::try_new(radius).unwrap()))
}

/// A square of side 2 about the origin.
fn square() -> ContactShape {
    polygon(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
}

/// A block with a right-angled bay, open upwards, its bottom at the origin.
fn bay() -> ContactShape {
    polygon(&[
        (0.0, 0.0),
        (3.0, 3.0),
        (3.0, -2.0),
        (-3.0, -2.0),
        (-3.0, 3.0),
    ])
}

fn at(x: f64, y: f64, angle: f64) -> Pose {
    Pose {
        position: p(x, y),
        rotation: Rotation::from_angle(angle),
    }
}

fn all(a: &ContactShape, pose_a: Pose, b: &ContactShape, pose_b: Pose) -> Vec<Approach> {
    let mut out = Vec::new();
    approaches(a, pose_a, b, pose_b, 0.5, &mut out);
    out
}

/// The contacts with small gaps, found both ways round and at two places; panics unless they are the same.
fn contacts(a: &ContactShape, pose_a: Pose, b: &ContactShape, pose_b: Pose) -> Vec<Approach> {
    let keep = |approaches: Vec<Approach>| -> Vec<Approach> {
        approaches
            .into_iter()
            .filter(|c| c.is_contact && c.gap < 0.15)
            .collect()
    };
    let found = keep(all(a, pose_a, b, pose_b));
    let swapped = keep(all(b, pose_b, a, pose_a));
    assert_eq!(found.len(), swapped.len(), "{found:#?} {swapped:#?}");
    for contact in &found {
        let has_twin = swapped.iter().any(|other| {
            (contact.point_a - other.point_b).length() < 1e-11
                && (contact.point_b - other.point_a).length() < 1e-11
                && (contact.normal + other.normal).length() < 1e-9
                && (contact.gap - other.gap).abs() < 1e-11
        });
        assert!(has_twin, "{contact:?} not in {swapped:#?}");
    }
    let far = |pose: Pose| Pose {
        position: pose.position + p(131_072.0, -65_536.0),
        ..pose
    };
    let moved = keep(all(a, far(pose_a), b, far(pose_b)));
    assert_eq!(moved.len(), found.len());
    found
}

const GAPS: [f64; 6] = [0.0, 1e-15, 1e-13, 1e-10, 1e-6, 0.1];

#[track_caller]
fn assert_all(contacts: &[Approach], count: usize, normal: DVec2, gap: f64) {
    assert_eq!(contacts.len(), count, "{contacts:#?}");
    for contact in contacts {
        assert!((contact.normal - normal).length() < 1e-9, "{contact:?}");
        assert!((contact.gap - gap).abs() < 1e-11, "{contact:?}");
    }
}

#[test]
fn squares_face_to_face_have_two_contacts() {
    for gap in GAPS {
        // Aligned, shifted sideways, by round-off, and one hanging over the other.
        for shift in [0.0, 1e-16, -1e-16, 3e-13, 1e-9, 0.3, -0.3, 1.9] {
            let found = contacts(
                &square(),
                at(0.0, 0.0, 0.0),
                &square(),
                at(2.0 + gap, shift, 0.0),
            );
            assert_all(&found, 2, DVec2::X, gap);
            let heights: Vec<f64> = found.iter().map(|c| c.point_a.y).collect();
            let span = (heights[0] - heights[1]).abs();
            assert!((span - (2.0 - shift.abs())).abs() < 1e-11, "{found:#?}");
        }
    }
}

#[test]
fn turned_squares_face_to_face_still_have_two_contacts() {
    for k in 0..100 {
        let angle = 0.1 * f64::from(k);
        let (place, rotation) = (p(2.0 + 1e-7, 0.0), Rotation::from_angle(angle));
        let place = rotation.rotate(place);
        for quarter in [0.0, 0.5, 1.0, 1.5] {
            let turn = angle + quarter * std::f64::consts::PI;
            let found = contacts(
                &square(),
                at(0.0, 0.0, angle),
                &square(),
                at(place.x, place.y, turn),
            );
            assert_all(&found, 2, rotation.rotate(DVec2::X), 1e-7);
        }
    }
}

#[test]
fn a_small_square_on_a_large_one_has_two_contacts() {
    let large = polygon(&[(-100.0, -50.0), (100.0, -50.0), (100.0, 0.0), (-100.0, 0.0)]);
    for gap in GAPS {
        for x in [0.0, 50.0, 99.0, -99.0] {
            let found = contacts(&large, at(0.0, 0.0, 0.0), &square(), at(x, 1.0 + gap, 0.0));
            assert_all(&found, 2, DVec2::Y, gap);
        }
    }
}

#[test]
fn a_corner_on_an_edge_is_one_contact() {
    let diamond = polygon(&[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]);
    for gap in GAPS {
        let found = contacts(
            &square(),
            at(0.0, 0.0, 0.0),
            &diamond,
            at(0.3, 2.0 + gap, 0.0),
        );
        assert_all(&found, 1, DVec2::Y, gap);
        assert_eq!((found[0].side, found[0].vertex), (Side::B, 0));
        assert_eq!(found[0].feature, Feature::Edge(2));
        assert_eq!(found[0].clearance, f64::INFINITY);
    }
}

#[test]
fn a_corner_on_a_corner_is_one_contact() {
    let diamond = polygon(&[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]);
    let normal = p(1.0, 1.0).normalize();
    for gap in GAPS {
        // Two squares along the diagonal.
        let place = 2.0 + gap / 2.0_f64.sqrt();
        let found = contacts(
            &square(),
            at(0.0, 0.0, 0.0),
            &square(),
            at(place, place, 0.0),
        );
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!((found[0].gap - gap).abs() < 1e-11);
        assert!(gap < 1e-9 || (found[0].normal - normal).length() < 1e-5);
        // Two diamonds tip to tip: touching, the normal is that of a side, 45° off the axis.
        let found = contacts(
            &diamond,
            at(0.0, 0.0, 0.0),
            &diamond,
            at(2.0 + gap, 0.0, 0.0),
        );
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].normal.x > 0.7);
        assert!((found[0].gap - gap).abs() < 1e-11);
    }
}

#[test]
fn a_corner_that_slides_past_a_corner_is_no_contact() {
    // Type (iv) of the thesis: the way to the nearest vertex is not in the cone of the vertex.
    let large = polygon(&[(-9.0, -9.0), (9.0, -9.0), (9.0, 0.0), (-9.0, 0.0)]);
    let diamond = polygon(&[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]);
    let found = contacts(&large, at(0.0, 0.0, 0.0), &diamond, at(9.1, 1.05, 0.0));
    assert_all(&found, 1, p(1.0, 1.0).normalize(), 0.15 / 2.0_f64.sqrt());
    assert_eq!(
        (found[0].side, found[0].feature),
        (Side::A, Feature::Edge(3))
    );
    let found = contacts(&large, at(0.0, 0.0, 0.0), &square(), at(9.5, 1.1, 0.0));
    assert_all(&found, 2, DVec2::Y, 0.1);
}

#[test]
fn a_disc_has_one_contact_with_an_edge_a_corner_or_a_disc() {
    for gap in GAPS {
        let found = contacts(
            &square(),
            at(0.0, 0.0, 0.0),
            &disc(3.0),
            at(0.2, 4.0 + gap, 0.7),
        );
        assert_all(&found, 1, DVec2::Y, gap);
        assert_eq!(
            (found[0].side, found[0].feature),
            (Side::B, Feature::Edge(2))
        );
        let diagonal = 1.0 + (3.0 + gap) / 2.0_f64.sqrt();
        let found = contacts(
            &square(),
            at(0.0, 0.0, 0.0),
            &disc(3.0),
            at(diagonal, diagonal, 0.0),
        );
        assert_all(&found, 1, p(1.0, 1.0).normalize(), gap);
        assert_eq!(found[0].feature, Feature::Vertex(2));
        let found = contacts(
            &disc(1.0),
            at(0.0, 0.0, 0.0),
            &disc(3.0),
            at(4.0 + gap, 0.0, 0.0),
        );
        assert_all(&found, 1, DVec2::X, gap);
        assert_eq!((found[0].side, found[0].feature), (Side::A, Feature::Rim));
    }
}

#[test]
fn in_a_bay_a_disc_and_a_corner_have_two_contacts() {
    let root = 2.0_f64.sqrt();
    for gap in GAPS {
        let found = contacts(
            &bay(),
            at(0.0, 0.0, 0.0),
            &disc(1.0),
            at(0.0, root * (1.0 + gap), 0.0),
        );
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found.iter().all(|c| (c.gap - gap).abs() < 1e-11));
        assert!(found.iter().all(|c| c.clearance == f64::INFINITY));
        // A narrow wedge pointing down, whose tip is vertex 0.
        let wedge = polygon(&[(0.0, 0.0), (0.3, 1.0), (-0.3, 1.0)]);
        let found = contacts(&bay(), at(0.0, 0.0, 0.0), &wedge, at(0.0, root * gap, 0.0));
        assert_eq!(found.len(), 2, "gap {gap}: {found:#?}");
        assert!(found.iter().all(|c| c.side == Side::B && c.vertex == 0));
        assert!(found.iter().all(|c| (c.gap - gap).abs() < 1e-11));
        assert!((found[0].normal + found[1].normal - root * DVec2::Y).length() < 1e-9);
    }
}

#[test]
fn the_sides_of_a_square_in_its_corner_of_a_bay_are_four_contacts() {
    // The bottom corner with both sides, and the tip at the end of each side.
    let found = contacts(&bay(), at(0.0, 0.0, 0.0), &square(), {
        at(0.0, 2.0_f64.sqrt(), std::f64::consts::FRAC_PI_4)
    });
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found.iter().all(|c| c.gap < 1e-14));
}

#[test]
fn a_wall_behind_another_is_no_contact() {
    // Two teeth of width 0.1; a tip to the left of both.
    let comb = polygon(&[
        (0.0, 0.0),
        (0.5, 0.0),
        (0.5, 3.0),
        (0.4, 3.0),
        (0.4, 1.0),
        (0.1, 1.0),
        (0.1, 3.0),
        (0.0, 3.0),
    ]);
    let tip = polygon(&[(0.0, 0.0), (-2.0, 0.2), (-2.0, -0.2)]);
    let found = contacts(&comb, at(0.0, 0.0, 0.0), &tip, at(-0.05, 2.0, 0.0));
    assert_all(&found, 1, -DVec2::X, 0.05);
    // The far side of a thin floe does not push through it.
    let plate = polygon(&[(-1.0, 0.0), (1.0, 0.0), (1.0, 0.1), (-1.0, 0.1)]);
    let found = contacts(&square(), at(0.0, 0.0, 0.0), &plate, at(0.0, 1.01, 0.0));
    assert_all(&found, 2, DVec2::Y, 0.01);
}

#[test]
fn far_shapes_have_no_approach_and_inside_ones_have_gap_zero() {
    assert!(all(&square(), at(0.0, 0.0, 0.0), &square(), at(9.0, 0.0, 0.0)).is_empty());
    assert!(all(&square(), at(0.0, 0.0, 0.0), &square(), at(2.6, 0.0, 0.0)).is_empty());
    let large = polygon(&[(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)]);
    let inside = all(&large, at(0.0, 0.0, 0.0), &square(), at(1.0, 0.0, 0.0));
    assert_eq!(inside.len(), 4);
    assert!(inside.iter().all(|a| a.side == Side::B && a.gap == 0.0));
    let inside = all(&large, at(0.0, 0.0, 0.0), &disc(1.0), at(0.0, 8.9, 0.0));
    assert_eq!((inside.len(), inside[0].gap), (1, 0.0));
    assert_eq!(
        all(&disc(9.0), at(0.0, 0.0, 0.0), &disc(1.0), at(0.0, 0.0, 0.0)).len(),
        1
    );
}

#[test]
fn a_corner_near_a_bay_it_does_not_see_has_a_clearance() {
    // In front of the flank of the left tooth only; the wall of the gap is beyond its line.
    let step = polygon(&[
        (0.0, 0.0),
        (4.0, 0.0),
        (4.0, 3.0),
        (3.0, 3.0),
        (2.0, 1.0),
        (0.0, 1.0),
    ]);
    let tip = polygon(&[(0.0, 0.0), (0.2, 1.0), (-0.2, 1.0)]);
    let found = all(&step, at(0.0, 0.0, 0.0), &tip, at(1.8, 1.05, 0.0));
    let of_tip: Vec<&Approach> = found
        .iter()
        .filter(|a| a.side == Side::B && a.vertex == 0)
        .collect();
    assert_eq!(of_tip.len(), 1, "{found:#?}");
    let corner_distance = p(0.2, 0.05).length();
    assert!(
        (of_tip[0].clearance - corner_distance).abs() < 1e-12,
        "{found:#?}"
    );
}

/// A coast with bays and spits: a ring whose radius goes up and down, with a bite taken out.
fn rugged(vertices: u32) -> Outline {
    let ring: Vec<DVec2> = (0..vertices)
        .map(|k| {
            let angle = 5.5 * f64::from(k) / f64::from(vertices);
            let rough = math::sin(17.0 * angle) + 0.3 * math::sin(111.0 * angle + 1.0);
            let (sin, cos) = math::sin_cos(angle);
            (100.0 + 8.0 * rough) * DVec2::new(cos, sin)
        })
        .chain([DVec2::new(3.0, -2.0)])
        .collect();
    Outline::from_ring(&ring).unwrap()
}

#[test]
fn many_edges_in_a_hierarchy_give_the_same_approaches() {
    let coast = ContactShape::new(&Shape::Outline(rugged(700)));
    assert!(coast.edge_boxes.is_some());
    let without = |shape: &ContactShape| {
        let mut shape = shape.clone();
        shape.edge_boxes = None;
        shape
    };
    let plain = without(&coast);
    let guests = [
        Shape::Outline(Outline::regular_polygon(4.0, 12).unwrap()),
        Shape::Outline(rugged(90).scaled(0.08).unwrap()),
        Shape::Outline(rugged(400).scaled(0.2).unwrap()),
        Shape::Disc(Disc::try_new(3.0).unwrap()),
    ];
    let pose = |x: f64, y: f64, angle: f64| Pose {
        position: DVec2::new(x, y),
        rotation: Rotation::from_angle(angle),
    };
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    let mut near = 0;
    for guest in guests {
        let guest = ContactShape::new(&guest);
        let bare = without(&guest);
        for step in 0..150_u32 {
            // Spirals from the middle of the land out to the sea.
            let (turn, radius) = (2.4 * f64::from(step), 0.9 * f64::from(step));
            let (sin, cos) = math::sin_cos(turn);
            let (a, b) = (pose(5.0, -3.0, 0.4), pose(radius * cos, radius * sin, turn));
            for reach in [0.1, 2.0] {
                approaches(&coast, a, &guest, b, reach, &mut found);
                approaches(&plain, a, &bare, b, reach, &mut expected);
                assert_eq!(found, expected, "{step}");
                near += usize::from(!found.is_empty());
                approaches(&guest, b, &coast, a, reach, &mut found);
                approaches(&bare, b, &plain, a, reach, &mut expected);
                assert_eq!(found, expected, "{step}");
            }
        }
    }
    assert!(near > 50, "{near}");
}
