//! Segments: their nearest points and their distance.

use crate::DVec2;
use crate::predicates::segments_intersect;

/// The point of a segment nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// Distance to it \[m\].
    pub distance: f64,
    /// Where it is \[m\].
    pub point: DVec2,
    /// Where on the segment, from 0 at its start to 1 at its end.
    pub parameter: f64,
}

/// The point of segment `ab` nearest to `point`.
pub fn distance_point_segment(point: DVec2, a: DVec2, b: DVec2) -> ClosestPoint {
    let along = b - a;
    let length_sq = along.length_squared();
    let parameter = if length_sq > 0.0 {
        (point - a).dot(along) / length_sq
    } else {
        0.0
    };
    // At the ends the distance is taken to the end itself, so that two edges of a corner agree
    // to the last bit.
    if parameter <= 0.0 {
        ClosestPoint {
            distance: (point - a).length(),
            point: a,
            parameter: 0.0,
        }
    } else if parameter >= 1.0 {
        ClosestPoint {
            distance: (point - b).length(),
            point: b,
            parameter: 1.0,
        }
    } else {
        let distance = (point - a - parameter * along).length();
        ClosestPoint {
            distance,
            point: a + parameter * along,
            parameter,
        }
    }
}

/// Distance between segments `ab` and `cd` \[m\]: exactly zero if they cross or touch.
pub fn distance_segment_segment(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    if segments_intersect(a, b, c, d) {
        return 0.0;
    }
    // Two segments that do not meet are nearest at an end of one of them.
    distance_point_segment(a, c, d)
        .distance
        .min(distance_point_segment(b, c, d).distance)
        .min(distance_point_segment(c, a, b).distance)
        .min(distance_point_segment(d, a, b).distance)
}
