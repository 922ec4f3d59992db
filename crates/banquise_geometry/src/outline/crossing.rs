//! Finding two edges of a closed line that meet where they should not.

use crate::DVec2;
use crate::predicates::segments_intersect;

/// One edge and the interval of x it covers \[m\].
struct Span {
    edge: usize,
    min_x: f64,
    max_x: f64,
}

/// Two edges that cross or touch, smaller index first, or `None` if the closed line is simple.
///
/// Neighbouring edges are not compared: they share a vertex, and the caller has checked that they
/// do not fold back onto each other. A sweep along x compares only edges whose x intervals
/// overlap: a few for each edge of a floe, all n² only if all the edges are side by side.
pub(super) fn find_crossing(points: &[DVec2]) -> Option<(usize, usize)> {
    let count = points.len();
    let end = |edge: usize| points[(edge + 1) % count];
    let mut spans: Vec<Span> = (0..count)
        .map(|edge| {
            let (a, b) = (points[edge].x, end(edge).x);
            Span {
                edge,
                min_x: a.min(b),
                max_x: a.max(b),
            }
        })
        .collect();
    spans.sort_by(|s, t| s.min_x.total_cmp(&t.min_x).then(s.edge.cmp(&t.edge)));

    let mut active: Vec<&Span> = Vec::new();
    for span in &spans {
        active.retain(|other| other.max_x >= span.min_x);
        for other in &active {
            let (i, j) = (span.edge.min(other.edge), span.edge.max(other.edge));
            let are_neighbours = j - i == 1 || (i == 0 && j == count - 1);
            if !are_neighbours && segments_intersect(points[i], end(i), points[j], end(j)) {
                return Some((i, j));
            }
        }
        active.push(span);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bow_tie_is_found_and_its_edges_named() {
        let bow_tie = [
            DVec2::ZERO,
            DVec2::new(2.0, 2.0),
            DVec2::new(2.0, 0.0),
            DVec2::new(0.0, 2.0),
        ];
        assert_eq!(find_crossing(&bow_tie), Some((0, 2)));
    }

    #[test]
    fn a_vertex_touching_a_distant_edge_is_found() {
        let pinched = [
            DVec2::ZERO,
            DVec2::new(4.0, 0.0),
            DVec2::new(4.0, 3.0),
            DVec2::new(2.0, 0.0),
            DVec2::new(0.0, 3.0),
        ];
        // Vertex 3, which ends edge 2 and starts edge 3, lies on edge 0.
        assert_eq!(find_crossing(&pinched), Some((0, 3)));
    }

    #[test]
    fn a_thin_spiral_is_simple() {
        // Two arms side by side, wound three times.
        let arm = |k: usize, shift: f64| {
            let angle = 0.1 * k as f64;
            (1.0 + angle + shift) * DVec2::new(crate::math::cos(angle), crate::math::sin(angle))
        };
        let outer = (0..190).map(|k| arm(k, 1.0));
        let inner = (0..190).rev().map(|k| arm(k, 0.0));
        let spiral: Vec<DVec2> = outer.chain(inner).collect();
        assert_eq!(find_crossing(&spiral), None);
    }
}
