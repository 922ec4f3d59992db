//! The hierarchy of boxes against trying all pairs.

use banquise_geometry::{Aabb, Bvh, DVec2, PeriodicPair};
use proptest::prelude::*;

use crate::config;

const CELL: DVec2 = DVec2::new(100.0, 60.0);

/// Boxes of 0.01 to 30 m in the cell; corners on a coarse grid, so that many just touch.
fn boxes() -> impl Strategy<Value = Vec<Aabb>> {
    let side = prop_oneof![
        Just(0.0),
        0.01..1.0_f64,
        (1..4_i32).prop_map(f64::from),
        10.0..30.0_f64
    ];
    let corner = prop_oneof![
        (0.0..100.0_f64, 0.0..60.0_f64),
        (0..=100_i32, 0..=60_i32).prop_map(|(x, y)| (f64::from(x), f64::from(y))),
    ];
    let aabb = (corner, side.clone(), side).prop_map(|((x, y), width, height)| Aabb {
        min: DVec2::new(x, y),
        max: DVec2::new(x + width, y + height),
    });
    prop::collection::vec(aabb, 0..150)
}

fn built(boxes: &[Aabb]) -> Bvh {
    let mut bvh = Bvh::default();
    // What was there before must not matter.
    bvh.build(
        &[Aabb {
            min: DVec2::ZERO,
            max: CELL,
        }; 9],
    );
    bvh.build(boxes);
    bvh
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn pairs_are_those_of_brute_force(boxes in boxes()) {
        let mut expected = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].overlaps(&boxes[j]) {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        let mut pairs = Vec::new();
        built(&boxes).pairs(&mut pairs);
        prop_assert_eq!(pairs, expected);
    }

    #[test]
    fn a_query_is_that_of_brute_force(boxes in boxes(), others in boxes()) {
        let bvh = built(&boxes);
        let mut hits = Vec::new();
        for other in &others {
            bvh.query(other, &mut hits);
            let expected: Vec<u32> =
                (0..boxes.len() as u32).filter(|&i| boxes[i as usize].overlaps(other)).collect();
            prop_assert_eq!(&hits, &expected);
        }
    }

    #[test]
    fn periodic_pairs_are_those_of_nine_copies(boxes in boxes()) {
        let mut expected = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                for x in [-CELL.x, 0.0, CELL.x] {
                    for y in [-CELL.y, 0.0, CELL.y] {
                        let offset = DVec2::new(x, y);
                        if boxes[i].overlaps(&boxes[j].translated(offset)) {
                            expected.push(PeriodicPair { a: i as u32, b: j as u32, offset });
                        }
                    }
                }
            }
        }
        let mut pairs = Vec::new();
        built(&boxes).pairs_periodic(CELL, &mut pairs);
        prop_assert_eq!(pairs, expected);
    }
}
