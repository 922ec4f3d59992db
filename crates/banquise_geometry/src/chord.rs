//! The shortest way through a polygon that leaves two parts of a given size.

use glam::DVec2;

use crate::moments::{closed_length, closed_pairs};
use crate::segment::distance_segment_segment;

/// Sides are cut into parts no longer than this share of the perimeter [–]: the bound is then within some percent of the shortest cut.
const LONGEST_PART: f64 = 0.01;

/// Lower bound on the length of a cut from boundary to boundary that leaves two parts of at least `least_area` \[m²\] each, in metres. `None` where
/// there is no such cut.
///
/// For two parts of the boundary, the area on one side of the chord from a point of the one to a point of the other is bilinear in the places of both, so
/// that its range is known from four chords. Of all pairs that allow a cut, the closest gives the bound.
///
/// ```
/// use banquise_geometry::{DVec2, Outline, shortest_cut};
///
/// let corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 10.0), (0.0, 10.0)];
/// let bar = corners.map(DVec2::from);
/// let across = shortest_cut(&bar, 100.0).unwrap();
/// assert!((9.5..=10.0).contains(&across));
/// assert_eq!(shortest_cut(&bar, 201.0), None);
/// ```
pub fn shortest_cut(polygon: &[DVec2], least_area: f64) -> Option<f64> {
    let points = refined(polygon);
    let count = points.len();
    // Twice the area between the origin and the boundary up to each point.
    let mut swept = vec![0.0];
    for (a, b) in closed_pairs(&points) {
        swept.push(swept[swept.len() - 1] + a.perp_dot(b));
    }
    let (whole, least) = (swept[count], 2.0 * least_area);
    if whole < 2.0 * least {
        return None;
    }
    let at = |index: usize| points[index % count];
    let cut_off = |from: usize, to: usize| swept[to] - swept[from] + at(to).perp_dot(at(from));
    let mut shortest = f64::INFINITY;
    for i in 0..count {
        let (a, b) = (at(i), at(i + 1));
        for j in i + 1..count {
            let (c, d) = (at(j), at(j + 1));
            // Half the sum of the lengths is more than the parts can bring their middles closer.
            let apart = 0.5 * (a + b - c - d).length();
            if apart - 0.5 * (a.distance(b) + c.distance(d)) >= shortest {
                continue;
            }
            let areas = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)];
            let areas = areas.map(|(from, to)| cut_off(from, to));
            let largest = areas.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let smallest = areas.into_iter().fold(f64::INFINITY, f64::min);
            if largest >= least && smallest <= whole - least {
                shortest = shortest.min(distance_segment_segment(a, b, c, d));
            }
        }
    }
    shortest.is_finite().then_some(shortest)
}

/// The polygon with points on its longer sides.
fn refined(polygon: &[DVec2]) -> Vec<DVec2> {
    let longest = LONGEST_PART * closed_length(polygon);
    let mut points = Vec::new();
    for (a, b) in closed_pairs(polygon) {
        let parts = (a.distance(b) / longest).ceil().max(1.0);
        points.extend((0..parts as usize).map(|part| a.lerp(b, part as f64 / parts)));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Outline;

    #[test]
    fn a_disc_is_cut_off_by_the_chord_of_its_segment() {
        let disc = Outline::regular_polygon(10.0, 200).unwrap();
        // A segment of half angle α has the area r² (α − sin α cos α) and the chord 2 r sin α.
        for half_angle in [0.5_f64, 1.0, 1.5] {
            let (sin, cos) = crate::math::sin_cos(half_angle);
            let area = 100.0 * (half_angle - sin * cos);
            let found = shortest_cut(disc.vertices(), area).unwrap();
            // Two parts of 0.63 m, at 0.01 of the perimeter each, may be that much closer than the chord.
            assert!(
                found <= 20.0 * sin && found > 20.0 * sin - 1.3,
                "{found} {}",
                20.0 * sin
            );
        }
    }

    #[test]
    fn a_neck_is_shorter_than_any_other_cut() {
        let hourglass = [
            (-10.0, -10.0),
            (0.0, -1.0),
            (10.0, -10.0),
            (10.0, 10.0),
            (0.0, 1.0),
            (-10.0, 10.0),
        ];
        let neck = shortest_cut(&hourglass.map(DVec2::from), 50.0).unwrap();
        assert!((neck - 2.0).abs() < 1e-12, "{neck}");
    }
}
