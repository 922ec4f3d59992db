//! Convex hull of an outline.

use crate::predicates::{Orientation, orientation};
use crate::{DVec2, Outline};

impl Outline {
    /// The convex hull, starting at its leftmost vertex (the lowest of them).
    #[must_use]
    pub fn convex_hull(&self) -> Self {
        Self::from_valid(convex_hull(self.vertices()))
    }

    /// Whether the outline turns left at every vertex; exact.
    pub fn is_convex(&self) -> bool {
        // All left turns on a boundary that does not cross itself make exactly one round.
        let vertices = self.vertices();
        let count = vertices.len();
        (0..count).all(|i| {
            let (b, c) = (vertices[(i + 1) % count], vertices[(i + 2) % count]);
            orientation(vertices[i], b, c) == Orientation::CounterClockwise
        })
    }
}

/// Corners of the convex hull of points, counter-clockwise; fewer than three where all are on one line.
///
/// Andrew's monotone chain (1979, doi:10.1016/0020-0190(79)90072-3) with exact turns, so that
/// points on a side of the hull are left out whatever their round-off.
pub fn convex_hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull = half_hull(sorted.iter().copied());
    hull.pop();
    hull.extend(half_hull(sorted.iter().rev().copied()));
    hull.pop();
    hull
}

fn half_hull(sorted: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut chain: Vec<DVec2> = Vec::new();
    for point in sorted {
        while let [.., a, b] = chain[..] {
            if orientation(a, b, point) == Orientation::CounterClockwise {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_star_is_its_tips() {
        let p = DVec2::new;
        let star = Outline::try_new(vec![
            p(4.0, 0.0),
            p(1.0, 1.0),
            p(0.0, 4.0),
            p(-1.0, 1.0),
            p(-4.0, 0.0),
            p(-1.0, -1.0),
            p(0.0, -4.0),
            p(1.0, -1.0),
        ])
        .unwrap();
        assert!(!star.is_convex());
        let hull = star.convex_hull();
        assert_eq!(
            hull.vertices(),
            [p(-4.0, 0.0), p(0.0, -4.0), p(4.0, 0.0), p(0.0, 4.0)]
        );
        assert!(hull.is_convex());
        assert_eq!(star.convexity(), 0.5);
    }

    #[test]
    fn points_on_a_side_of_the_hull_are_left_out() {
        let p = DVec2::new;
        let notched = Outline::try_new(vec![
            p(0.0, 0.0),
            p(1.0, 1.0),
            p(2.0, 0.0),
            p(3.0, 1.0),
            p(4.0, 0.0),
            p(4.0, 4.0),
            p(0.0, 4.0),
        ])
        .unwrap();
        assert_eq!(notched.convex_hull().vertices().len(), 4);
    }
}
