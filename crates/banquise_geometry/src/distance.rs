//! Distances between points, segments and outlines.
//!
//! The name of a function is the question, then the two shapes: `distance_point_segment`.
//! These try all pairs. They are the reference that faster searches are tested against.

use crate::Outline;
pub use crate::segment::{ClosestPoint, distance_point_segment, distance_segment_segment};

/// Distance between two floes \[m\]: exactly zero if they overlap, touch, or one holds the other.
pub fn distance_outline_outline(first: &Outline, second: &Outline) -> f64 {
    let is_inside = first.contains(second.vertices()[0]) || second.contains(first.vertices()[0]);
    if is_inside {
        return 0.0;
    }
    let mut shortest = f64::INFINITY;
    for (a, b) in first.edges() {
        for (c, d) in second.edges() {
            shortest = shortest.min(distance_segment_segment(a, b, c, d));
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DVec2;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    fn square(corner: DVec2, side: f64) -> Outline {
        let (x, y) = (side * DVec2::X, side * DVec2::Y);
        Outline::try_new(vec![corner, corner + x, corner + x + y, corner + y]).unwrap()
    }

    #[test]
    fn the_nearest_point_of_a_segment_is_inside_or_at_an_end() {
        let inside = distance_point_segment(p(1.0, 2.0), p(0.0, 0.0), p(4.0, 0.0));
        assert_eq!(
            inside,
            ClosestPoint {
                distance: 2.0,
                point: p(1.0, 0.0),
                parameter: 0.25
            }
        );
        let end = distance_point_segment(p(7.0, 4.0), p(0.0, 0.0), p(4.0, 0.0));
        assert_eq!(
            end,
            ClosestPoint {
                distance: 5.0,
                point: p(4.0, 0.0),
                parameter: 1.0
            }
        );
        let degenerate = distance_point_segment(p(3.0, 4.0), p(0.0, 0.0), p(0.0, 0.0));
        assert_eq!(degenerate.distance, 5.0);
    }

    #[test]
    fn segments_that_cross_are_at_distance_zero() {
        assert_eq!(
            distance_segment_segment(p(0.0, 0.0), p(2.0, 2.0), p(0.0, 2.0), p(2.0, 0.0)),
            0.0
        );
        assert_eq!(
            distance_segment_segment(p(0.0, 0.0), p(2.0, 0.0), p(3.0, 1.0), p(3.0, -1.0)),
            1.0
        );
    }

    #[test]
    fn outlines_apart_touching_overlapping_and_nested() {
        let large = square(p(0.0, 0.0), 10.0);
        assert_eq!(
            distance_outline_outline(&large, &square(p(13.0, 14.0), 1.0)),
            5.0
        );
        assert_eq!(
            distance_outline_outline(&large, &square(p(10.0, 2.0), 1.0)),
            0.0
        );
        assert_eq!(
            distance_outline_outline(&large, &square(p(9.0, 9.0), 5.0)),
            0.0
        );
        assert_eq!(
            distance_outline_outline(&large, &square(p(4.0, 4.0), 1.0)),
            0.0
        );
        assert_eq!(
            distance_outline_outline(&square(p(4.0, 4.0), 1.0), &large),
            0.0
        );
    }
}
