//! Polygon clipping where bodies overlap: areas of overlaps, and outlines cut back.
//!
//! The set operations are those of `i_overlay`, on a grid of 64-bit integers: the same bits on every machine.

use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;
use i_overlay::mesh::float::outline::offset::OutlineOffset;
use i_overlay::mesh::float::style::{LineJoin, OutlineStyle};

use crate::outline::Outline;
use crate::shape::Shape;

/// Sides of the polygon that stands for a disc once it is cut. Of the same area, its vertices stick out by 1/11,000 of the radius, one
/// hundredth of the gap that bodies in contact keep.
const DISC_SIDES: usize = 192;

/// Length below which details of a cut are left out, as a share of the clearance [–].
const SMALLEST: f64 = 0.5;
/// A vertex beside a cut that sticks in by less than this share of the square of that length is left out even if it was there before: each step of a
/// body that cuts a notch would leave one on its flanks.
const STRAIGHT: f64 = 0.02;
/// Displacement of a vertex by the grid of the set operations, as a share of the same length.
const GRID_ROUNDING: f64 = 1e-3;

/// The vertices of a shape; of a disc, those of a regular polygon with its area.
pub fn polygon_of(shape: &Shape) -> Vec<DVec2> {
    match shape {
        Shape::Outline(outline) => outline.vertices().to_vec(),
        Shape::Disc(disc) => {
            let step = std::f64::consts::TAU / DISC_SIDES as f64;
            let corner = |index: usize| {
                let (sin, cos) = crate::math::sin_cos(step * index as f64);
                DVec2::new(cos, sin)
            };
            let second = corner(1);
            // The area of a regular polygon is ½ n r² sin(2π/n).
            let radius = (disc.area() / (0.5 * DISC_SIDES as f64 * second.y)).sqrt();
            (0..DISC_SIDES)
                .map(|index| disc.center() + radius * corner(index))
                .collect()
        }
    }
}

/// Area of the overlap of two polygons \[m²\].
pub fn overlap_area(first: &[DVec2], second: &[DVec2]) -> f64 {
    let pieces =
        raw(first).overlay_as::<i64>(&raw(second), OverlayRule::Intersect, FillRule::NonZero);
    pieces.iter().flatten().map(|ring| signed_area(ring)).sum()
}

/// Area of the overlap of a polygon with a convex one, both counter-clockwise \[m²\].
pub fn overlap_area_with_convex(polygon: &[DVec2], convex: &[DVec2]) -> f64 {
    signed_area(&raw(&clipped_to_convex(polygon, convex)))
}

/// The part of a polygon within a convex one, both counter-clockwise, by clipping at each side (Sutherland and Hodgman 1974). Where the polygon is not convex,
/// clipping leaves sides that lie on each other, and enclose no area.
pub fn clipped_to_convex(polygon: &[DVec2], convex: &[DVec2]) -> Vec<DVec2> {
    let mut kept = polygon.to_vec();
    let mut clipped = Vec::with_capacity(kept.len() + 8);
    for (index, &start) in convex.iter().enumerate() {
        let side = convex[(index + 1) % convex.len()] - start;
        let height = |point: DVec2| side.perp_dot(point - start);
        clipped.clear();
        let mut other = kept.first().map_or(0.0, |&first| height(first));
        for (number, &point) in kept.iter().enumerate() {
            let next = kept[(number + 1) % kept.len()];
            let own = other;
            other = height(next);
            if own >= 0.0 {
                clipped.push(point);
            }
            if own * other < 0.0 {
                clipped.push(point + own / (own - other) * (next - point));
            }
        }
        std::mem::swap(&mut kept, &mut clipped);
    }
    kept
}

/// Remainder of a polygon outside of another that is `clearance` wider on all sides \[m\]: outlines, the largest first. Vertices that are left keep their bits. What is thinner than half of the clearance may not be listed, and holes
/// are filled. A polygon that no clearance near this one cuts into valid outlines stays whole.
pub fn cut_back(polygon: &[DVec2], cutter: &[DVec2], clearance: f64) -> Vec<Outline> {
    let whole = signed_area(&raw(polygon));
    let smallest = SMALLEST * clearance;
    let outlines = CLEARANCES.iter().find_map(|factor| {
        let style =
            OutlineStyle::new(factor * clearance).line_join(LineJoin::Miter(SHARPEST_CORNER));
        let wider = raw(cutter).outline(&style);
        let pieces =
            raw(polygon).overlay_as::<i64>(&wider, OverlayRule::Difference, FillRule::NonZero);
        let left: f64 = pieces.iter().flatten().map(|ring| signed_area(ring)).sum();
        let outlines: Vec<Outline> = pieces
            .iter()
            .filter_map(|piece| Outline::try_new(tidied(piece.first()?, polygon, smallest)).ok())
            .collect();
        let kept: f64 = outlines.iter().map(Outline::area).sum();
        (left - kept <= LOST_SHARE * whole).then_some(outlines)
    });
    let mut outlines =
        outlines.unwrap_or_else(|| Outline::try_new(polygon.to_vec()).into_iter().collect());
    outlines.sort_by(|x, y| y.area().total_cmp(&x.area()));
    outlines
}

/// Corners of the cutter that are sharper than this angle are cut off when it is widened \[rad\]; others keep their angle, so that the notch of a cutter with
/// right angles has right angles.
const SHARPEST_CORNER: f64 = 1.0;
/// Clearances that are tried, as shares of the one asked for: where an edge of the wider cutter lies within rounding of one of the polygon, the
/// remainder may be no valid outline.
const CLEARANCES: [f64; 4] = [1.0, 0.97, 1.03, 0.9];
/// Largest share of the area in remainders that are no valid outlines: slivers [–].
const LOST_SHARE: f64 = 0.01;

pub(crate) fn raw(polygon: &[DVec2]) -> Vec<[f64; 2]> {
    polygon.iter().map(|point| [point.x, point.y]).collect()
}

/// Area of a ring, positive if it is counter-clockwise \[m²\].
pub(crate) fn signed_area(ring: &[[f64; 2]]) -> f64 {
    let origin = ring
        .first()
        .map_or(DVec2::ZERO, |&point| DVec2::from(point));
    let arm = |point: &[f64; 2]| DVec2::from(*point) - origin;
    let sides = ring
        .windows(2)
        .map(|side| arm(&side[0]).perp_dot(arm(&side[1])));
    0.5 * sides.sum::<f64>()
}

/// A ring with vertices of `polygon` where it has them. Of vertices that are new, and their neighbours, those are left out whose triangle with the two beside
/// them is smaller than the square of `smallest` \[m\]: an area, for a body that cuts a notch in many steps would take away a strip along the whole side
/// before it.
pub(crate) fn tidied(ring: &[[f64; 2]], polygon: &[DVec2], smallest: f64) -> Vec<DVec2> {
    let is_known = |point: DVec2| {
        let near = polygon
            .iter()
            .find(|vertex| vertex.distance(point) < GRID_ROUNDING * smallest);
        near.map_or((point, false), |&vertex| (vertex, true))
    };
    let mut kept: Vec<(DVec2, bool)> = ring.iter().map(|&p| is_known(DVec2::from(p))).collect();
    // First, so that a vertex that is there twice is not taken for its own neighbour.
    let is_repeated = |x: DVec2, y: DVec2| x.distance(y) < GRID_ROUNDING * smallest;
    kept.dedup_by(|later, earlier| is_repeated(later.0, earlier.0));
    while kept.len() > 3 && is_repeated(kept[0].0, kept[kept.len() - 1].0) {
        kept.pop();
    }
    let mut index = 0;
    while kept.len() > 3 && index < kept.len() {
        let count = kept.len();
        let (before, own, after) = (
            kept[(index + count - 1) % count],
            kept[index],
            kept[(index + 1) % count],
        );
        let twice_area = (own.0 - before.0).perp_dot(after.0 - own.0);
        let share = 0.5 * twice_area.abs() / (smallest * smallest);
        // Without a vertex that sticks in, the polygon would be larger, and might meet bodies that are close to it there.
        let is_near_cut =
            !(before.1 && own.1 && after.1) && (twice_area > 0.0 || !own.1 || share < STRAIGHT);
        if share < 1.0 && is_near_cut {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    kept.into_iter().map(|(vertex, _)| vertex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(
        clippy::unreadable_literal,
        reason = "a case of a run, as it was printed"
    )]
    fn a_cutter_whose_edge_is_within_rounding_of_the_polygon_loses_no_area() {
        let polygon = [
            (-10.603908534310596, -8.0202510846599),
            (-10.603908534310596, -10.000057711386768),
            (9.396091465689404, -10.000057711386768),
            (9.396091465689404, 9.999942288613232),
            (-10.603908534310596, 9.999942288613232),
            (-10.603908534310596, 8.008883730387575),
            (-10.586755870192798, 8.008883730387575),
            (-9.092424129055885, 8.008386180617268),
            (-9.071015392350105, 7.994622246243414),
            (-9.071015392350105, -8.000057711384837),
            (-9.079949443148521, -8.008991762183253),
            (-9.126616109815188, -8.008991762183255),
            (-9.173282776481859, -8.008991762183257),
            (-10.543676163618905, -8.011309642885532),
            (-10.552617605393273, -8.0202510846599),
        ];
        let cutter = [
            (-29.068039655287556, -8.000057711387),
            (-9.113689292821128, -8.000057711382667),
            (-9.113689292824596, 7.994622245641628),
            (-9.129082304989588, 7.999942288617329),
            (-29.068039655284664, 7.999942288613005),
        ];
        let polygon = polygon.map(DVec2::from);
        let pieces = cut_back(&polygon, &cutter.map(DVec2::from), 0.008934057936537978);
        let left: f64 = pieces.iter().map(Outline::area).sum();
        let whole = signed_area(&raw(&polygon));
        assert!((0.99 * whole..=whole).contains(&left), "{left} of {whole}");
    }
    use crate::shape::Disc;

    fn rectangle(x: [f64; 2], y: [f64; 2]) -> Vec<DVec2> {
        vec![
            DVec2::new(x[0], y[0]),
            DVec2::new(x[1], y[0]),
            DVec2::new(x[1], y[1]),
            DVec2::new(x[0], y[1]),
        ]
    }

    #[test]
    fn areas_of_overlaps_are_those_of_rectangles() {
        let square = rectangle([0.0, 10.0], [0.0, 10.0]);
        // The grid of the set operations is far finer than a nanometre here.
        let area = overlap_area(&square, &rectangle([9.5, 20.0], [-3.0, 4.0]));
        assert!((area - 2.0).abs() < 1e-9, "{area}");
        assert_eq!(
            overlap_area(&square, &rectangle([11.0, 12.0], [0.0, 1.0])),
            0.0
        );
    }

    #[test]
    fn the_area_within_a_convex_polygon_is_that_of_the_overlap() {
        // A comb with three teeth, and a quadrilateral across them.
        let comb: Vec<DVec2> = [
            (0.0, 0.0),
            (10.0, 0.0),
            (10.0, 5.0),
            (8.0, 5.0),
            (8.0, 1.0),
            (6.0, 1.0),
            (6.0, 5.0),
            (4.0, 5.0),
            (4.0, 1.0),
            (2.0, 1.0),
            (2.0, 5.0),
            (0.0, 5.0),
        ]
        .map(DVec2::from)
        .to_vec();
        let across = [(-1.0, 2.0), (11.0, 2.5), (11.0, 4.0), (-1.0, 3.0)].map(DVec2::from);
        let expected = overlap_area(&comb, &across);
        let area = overlap_area_with_convex(&comb, &across);
        // The grid of the set operations is far finer than a nanometre here.
        assert!((area - expected).abs() < 1e-8, "{area} {expected}");
        let beside = across.map(|point| point + DVec2::new(0.0, 20.0));
        assert_eq!(overlap_area_with_convex(&comb, &beside), 0.0);
    }

    #[test]
    fn a_face_is_cut_back_and_other_vertices_keep_their_bits() {
        let square = rectangle([0.1, 10.3], [0.7, 9.9]);
        let bar = rectangle([9.0, 30.0], [-50.0, 50.0]);
        let left = cut_back(&square, &bar, 0.5);
        assert_eq!(left.len(), 1);
        assert!(
            (left[0].area() - 8.4 * 9.2).abs() < 1e-6,
            "{}",
            left[0].area()
        );
        for corner in [square[0], square[3]] {
            assert!(left[0].vertices().contains(&corner));
        }
    }

    #[test]
    fn a_narrow_cutter_makes_a_notch_and_a_long_one_two_pieces() {
        let square = rectangle([0.0, 10.0], [0.0, 10.0]);
        let notched = cut_back(&square, &rectangle([8.0, 20.0], [4.0, 6.0]), 0.1);
        assert_eq!(notched.len(), 1);
        // A band of 2.2 m, 2.1 m deep.
        assert!((notched[0].area() - (100.0 - 2.2 * 2.1)).abs() < 0.02);
        let split = cut_back(&square, &rectangle([-5.0, 20.0], [4.0, 6.0]), 0.1);
        assert_eq!(split.len(), 2);
        assert!(split.iter().all(|piece| (piece.area() - 39.0).abs() < 1e-6));
        let all = rectangle([-5.0, 20.0], [-5.0, 20.0]);
        assert!(cut_back(&square, &all, 0.1).is_empty());
    }

    #[test]
    fn a_disc_has_the_area_of_its_polygon() {
        let disc = Disc::try_new(10.0).unwrap();
        let polygon = polygon_of(&Shape::Disc(disc));
        let outline = Outline::try_new(polygon).unwrap();
        assert!((outline.area() - disc.area()).abs() < 1e-9);
        let reach = outline.vertices().iter().map(|v| v.length());
        assert!(reach.fold(0.0, f64::max) < 10.0 * (1.0 + 1.0 / 11_000.0));
    }
}
