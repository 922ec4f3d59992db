//! Where pieces of one floe face each other: the cracks between them.

use glam::DVec2;

use crate::moments::closed_pairs;
use crate::outline::Outline;

/// Sides whose directions differ by a larger angle do not face each other \[rad\]: both lips of a crack are parallel but for vertices that were left out.
const PARALLEL: f64 = 0.02;
/// Sides that face each other over a smaller share of the reach do so by chance [–].
const SHORTEST: f64 = 0.2;

/// The middle lines \[m\] between sides of different outlines that are parallel, look at each other and are at most `reach` \[m\] apart: the cracks
/// between the pieces of a floe.
///
/// ```
/// use banquise_geometry::{DVec2, Outline, SplitPiece, facing_sides, split};
///
/// let square = SplitPiece::whole(Outline::regular_polygon(10.0, 4)?);
/// let crack = [DVec2::new(10.0, 0.0), DVec2::new(-10.0, 0.0)];
/// let [below, above] = split(&square, &crack, 0.1).unwrap();
/// let lines = facing_sides(&[&below.outline, &above.outline], 0.5);
/// assert_eq!(lines.len(), 1);
/// assert!((lines[0][0].distance(lines[0][1]) - 20.0).abs() < 0.2);
/// # Ok::<(), banquise_geometry::GeometryError>(())
/// ```
pub fn facing_sides(outlines: &[&Outline], reach: f64) -> Vec<[DVec2; 2]> {
    let mut lines = Vec::new();
    for (number, first) in outlines.iter().enumerate() {
        for second in &outlines[number + 1..] {
            for side in closed_pairs(first.vertices()) {
                for other in closed_pairs(second.vertices()) {
                    lines.extend(middle_line(side.into(), other.into(), reach));
                }
            }
        }
    }
    lines
}

/// The line between two sides that face each other. Outlines go counter-clockwise, so that such sides have opposite directions.
fn middle_line(side: [DVec2; 2], other: [DVec2; 2], reach: f64) -> Option<[DVec2; 2]> {
    let length = side[0].distance(side[1]);
    let along = (side[1] - side[0]) / length;
    let offsets = other.map(|point| along.perp_dot(point - side[0]));
    // The other outline is to the right of this side.
    if offsets
        .iter()
        .any(|&offset| offset > 0.0 || offset < -reach)
    {
        return None;
    }
    let [end, start] = other.map(|point| along.dot(point - side[0]));
    let other_length = other[0].distance(other[1]);
    if end <= start || (offsets[0] - offsets[1]).abs() > PARALLEL * other_length {
        return None;
    }
    let (from, to) = (start.max(0.0), end.min(length));
    let middle = side[0] + 0.25 * (offsets[0] + offsets[1]) * along.perp();
    (to - from > SHORTEST * reach).then(|| [middle + from * along, middle + to * along])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::{SplitPiece, split};

    #[test]
    fn every_part_of_a_crack_is_found_and_nothing_else() {
        let corners = [[0.0, 0.0], [100.0, 0.0], [100.0, 60.0], [0.0, 60.0]];
        let outline = Outline::try_new(corners.map(DVec2::from).to_vec()).unwrap();
        let whole = SplitPiece::whole(outline);
        let crack = [[40.0, 0.0], [50.0, 30.0], [45.0, 60.0]].map(DVec2::from);
        let [left, right] = split(&whole, &crack, 0.4).unwrap();
        let across = [DVec2::new(0.0, 20.0), crack[0].lerp(crack[1], 2.0 / 3.0)];
        let [upper, lower] = split(&left, &across, 0.4).unwrap();
        let lines = facing_sides(&[&upper.outline, &lower.outline, &right.outline], 1.0);
        let length: f64 = lines.iter().map(|[a, b]| a.distance(*b)).sum();
        let expected = crack[0].distance(crack[1]) + crack[1].distance(crack[2]) + across[1].x;
        assert!(
            (length / expected - 1.0).abs() < 0.02,
            "{length} {expected}"
        );
        // Ends of slits are cut off obliquely: a line is as far from its crack as half of that.
        let near = |point: DVec2| {
            let pairs = [[crack[0], crack[1]], [crack[1], crack[2]], across];
            let distances = pairs.map(|[a, b]| crate::distance_point_segment(point, a, b).distance);
            distances.into_iter().fold(f64::INFINITY, f64::min)
        };
        assert!(lines.iter().flatten().all(|point| near(*point) < 0.2));
        // One whole outline has no cracks.
        assert!(facing_sides(&[&whole.outline], 1.0).is_empty());
    }
}
