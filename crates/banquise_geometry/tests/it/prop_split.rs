//! Outlines cut in two along random cracks.

use std::cell::Cell;

use banquise_geometry::{
    DVec2, Outline, Pose, Rotation, Shape, SplitPiece, distance_outline_outline, shapes_overlap,
    split,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::polygons::outline;
use crate::real_outlines::real_outlines;
use crate::{assert_close, config};

/// Width of the slit over the square root of the area: half the collision distance of floes.
const SLIT: f64 = 0.005;

/// A point of the boundary, by the share of the perimeter before it.
fn boundary_point(outline: &Outline, share: f64) -> DVec2 {
    let mut left = share * outline.perimeter();
    for (a, b) in outline.edges() {
        let length = a.distance(b);
        if left <= length {
            return a.lerp(b, left / length);
        }
        left -= length;
    }
    outline.vertices()[0]
}

/// A crack between two places of the boundary, with kinks beside the chord.
fn crack(outline: &Outline, ends: [f64; 2], kinks: &[f64]) -> Vec<DVec2> {
    let [start, end] = ends.map(|share| boundary_point(outline, share));
    let mut path = vec![start];
    for (number, kink) in kinks.iter().enumerate() {
        let along = (number + 1) as f64 / (kinks.len() + 1) as f64;
        path.push(start.lerp(end, along) + kink * (end - start).perp());
    }
    path.push(end);
    path
}

/// Checks all that must hold for two pieces of an outline.
fn check(whole: &Outline, pieces: &[SplitPiece; 2], slit: f64) {
    let [left, right] = pieces;
    let area = whole.area();
    // Sums of some tens of terms, which cancel for outlines with deep bays.
    assert_close(left.area + right.area, area, area, 1e-13);
    let first = left.area * left.centroid + right.area * right.centroid;
    let size = area.sqrt();
    let center = first / area;
    assert!(center.distance(whole.centroid()) < 1e-12 * size);
    let about = |piece: &SplitPiece| {
        piece.second_moment + piece.area * piece.centroid.distance_squared(whole.centroid())
    };
    let second = whole.second_moment();
    assert_close(about(left) + about(right), second, second, 1e-12);
    for piece in pieces {
        let taken = piece.slit_area();
        assert!(taken > 0.0 && taken <= 0.1 * piece.area, "{taken}");
        assert_close(piece.outline.area() + taken, piece.area, area, 1e-14);
    }
    let apart = distance_outline_outline(&left.outline, &right.outline);
    assert!(apart > 0.0, "pieces touch");
    let turned = Pose {
        position: DVec2::new(81_234.567, -65_432.1),
        rotation: Rotation::from_angle(1.2345),
    };
    // In the world, far from the origin, where they are rounded.
    let scale = slit / SLIT;
    let far = Pose {
        position: scale * turned.position,
        ..turned
    };
    let shapes = [&left.outline, &right.outline].map(|outline| Shape::Outline(outline.clone()));
    assert!(!shapes_overlap(&shapes[0], far, &shapes[1], far));
}

/// Splits outlines along random cracks, and returns how many cracks were tried and how many of them split.
fn split_many(outlines: impl Strategy<Value = Outline>, cases: u32) -> (u32, u32) {
    let (tried, done) = (Cell::new(0), Cell::new(0));
    let ends = (0.0..1.0_f64, 0.0..1.0_f64);
    let cracks = (outlines, ends, vec(-0.2..0.2_f64, 0..4));
    let split_one = |(whole, (start, end), kinks): (Outline, (f64, f64), Vec<f64>)| {
        tried.set(tried.get() + 1);
        let slit = SLIT * whole.area().sqrt();
        let path = crack(&whole, [start, end], &kinks);
        match split(&SplitPiece::whole(whole.clone()), &path, slit) {
            Some(pieces) => {
                done.set(done.get() + 1);
                check(&whole, &pieces, slit);
                Ok(())
            }
            None => Err(TestCaseError::reject("no way through")),
        }
    };
    let mut runner = TestRunner::new(Config {
        max_global_rejects: 50 * cases,
        ..config(cases)
    });
    runner.run(&cracks, split_one).unwrap();
    (tried.get(), done.get())
}

#[test]
fn ten_thousand_cracks_give_valid_pieces_that_do_not_overlap() {
    let (tried, done) = split_many(outline(40), 10_000);
    println!("{done} of {tried} cracks split");
    assert!(done >= 10_000);
}

#[test]
fn ten_thousand_cracks_through_real_floes_give_valid_pieces() {
    let Some(outlines) = real_outlines() else {
        return;
    };
    let (tried, done) = split_many(proptest::sample::select(outlines), 10_000);
    println!("{done} of {tried} cracks split");
    assert!(done >= 10_000);
}

#[test]
fn every_chord_of_a_convex_floe_that_is_not_at_its_edge_splits_it() {
    let disc = Outline::regular_polygon(50.0, 40).unwrap();
    let slit = SLIT * disc.area().sqrt();
    for start in 0..50 {
        for share in [0.2, 0.3, 0.5, 0.61] {
            let start = f64::from(start) / 50.0;
            let path = crack(&disc, [start, (start + share) % 1.0], &[]);
            let pieces = split(&SplitPiece::whole(disc.clone()), &path, slit).unwrap();
            check(&disc, &pieces, slit);
            let apart = distance_outline_outline(&pieces[0].outline, &pieces[1].outline);
            assert!(apart >= 0.7 * slit, "{apart} of {slit}");
            // The slit is a band along the chord, and a little more at its ends.
            let length = path[0].distance(path[1]);
            let taken: f64 = pieces.iter().map(SplitPiece::slit_area).sum();
            assert!((taken - slit * length).abs() < 2.0 * slit * slit, "{taken}");
        }
    }
}

#[test]
fn pieces_of_pieces_add_up_to_the_first_whole() {
    let disc = Outline::regular_polygon(50.0, 40).unwrap();
    let slit = SLIT * disc.area().sqrt();
    let mut pieces = vec![SplitPiece::whole(disc.clone())];
    for share in [0.5, 0.45, 0.55, 0.4] {
        pieces = pieces
            .iter()
            .flat_map(|piece| {
                let path = crack(&piece.outline, [0.1, 0.1 + share], &[0.05]);
                let halves = split(piece, &path, slit).map(Vec::from);
                halves.unwrap_or_else(|| vec![piece.clone()])
            })
            .collect();
    }
    assert!(pieces.len() >= 8, "{}", pieces.len());
    let area: f64 = pieces.iter().map(|piece| piece.area).sum();
    assert_close(area, disc.area(), area, 1e-14);
    let first: DVec2 = pieces.iter().map(|p| p.area * p.centroid).sum();
    assert!(first.length() < 1e-13 * area * 50.0);
    let second = pieces
        .iter()
        .map(|p| p.second_moment + p.area * p.centroid.length_squared());
    assert_close(
        second.sum(),
        disc.second_moment(),
        disc.second_moment(),
        1e-13,
    );
}

#[test]
fn a_crack_outside_of_the_outline_or_along_its_edge_splits_nothing() {
    let square = Outline::regular_polygon(10.0, 4).unwrap();
    let corner = |k: usize| square.vertices()[k];
    let square = SplitPiece::whole(square.clone());
    let along = [corner(0), corner(1)];
    assert_eq!(split(&square, &along, 0.1), None);
    let outside = [corner(0), DVec2::new(30.0, 30.0), corner(2)];
    assert_eq!(split(&square, &outside, 0.1), None);
    assert_eq!(split(&square, &[corner(0), corner(0)], 0.1), None);
    assert_eq!(split(&square, &[corner(0)], 0.1), None);
}
