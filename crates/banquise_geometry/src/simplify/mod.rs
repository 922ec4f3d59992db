//! Outlines with fewer vertices and the same areas.
//!
//! One edge after the other is replaced by a point: of the path A, B, C, D the points B and C give way
//! to one point E, placed such that the area does not change and as little as possible of it moves
//! (Kronenfeld, Stanislawski, Buttenfield & Brockmeyer 2020, doi:10.1080/13658816.2019.1604965). The
//! edge that moves least goes first. One whose replacement would touch another edge, of the same
//! outline or of another, stays: so no outline ever crosses itself, and none comes to overlap another.

mod grid;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::outline::flush_negligible;
use crate::predicates::{Orientation, orientation, segments_intersect};
use crate::{Aabb, DVec2, GeometryError, Outline};
use grid::Grid;

/// New edges shorter than this part of the path they replace are not made: their direction would be
/// round-off.
const MIN_EDGE_RATIO: f64 = 1e-6;

/// A path that encloses less with its chord, for its size squared, is a step between parallel edges.
const STEP_ROUND_OFF: f64 = 1e-12;

/// The outlines with at most as many vertices as their budget says, at least three, as far as that is
/// possible without touching; areas are kept to round-off.
///
/// Outlines that are apart stay apart. Of outlines that touch, the edges that touch stay.
///
/// ```
/// use banquise_geometry::{Outline, simplify};
///
/// let round = Outline::regular_polygon(100.0, 1000)?;
/// let simple = &simplify(std::slice::from_ref(&round), |_| 20)[0];
/// assert_eq!(simple.vertices().len(), 20);
/// assert!((simple.area() / round.area() - 1.0).abs() < 1e-12);
/// # Ok::<(), banquise_geometry::GeometryError>(())
/// ```
pub fn simplify(outlines: &[Outline], budget: impl Fn(&Outline) -> usize) -> Vec<Outline> {
    let mut collapse = Collapse::new(outlines, budget);
    while collapse.pass() {}
    let simple: Result<Vec<Outline>, GeometryError> = (0..outlines.len())
        .map(|ring| collapse.outline(ring))
        .collect();
    // Nothing touches, but a sliver may have become too thin for its longer rim.
    simple.unwrap_or_else(|_| outlines.to_vec())
}

/// A vertex in its ring; the edge that starts there has the same index.
struct Node {
    point: DVec2,
    previous: usize,
    next: usize,
    ring: usize,
    is_alive: bool,
    /// Which of the costs of its edge is the valid one.
    version: u32,
}

struct Ring {
    /// Any node that is alive.
    start: usize,
    count: usize,
    budget: usize,
}

struct Collapse {
    nodes: Vec<Node>,
    rings: Vec<Ring>,
    grid: Grid,
    queue: BinaryHeap<Candidate>,
}

/// An edge, and the area that moves \[m²\] when a point replaces it.
struct Candidate {
    cost: f64,
    edge: usize,
    version: u32,
    place: DVec2,
}

impl Ord for Candidate {
    /// The largest is taken first: that of least cost.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |c: &Self| (c.edge, c.version);
        let costs = other.cost.total_cmp(&self.cost);
        costs.then_with(|| key(other).cmp(&key(self)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl Collapse {
    fn new(outlines: &[Outline], budget: impl Fn(&Outline) -> usize) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut rings = Vec::new();
        for (ring, outline) in outlines.iter().enumerate() {
            let (start, count) = (nodes.len(), outline.vertices().len());
            rings.push(Ring {
                start,
                count,
                budget: budget(outline).max(3),
            });
            for (index, &point) in outline.vertices().iter().enumerate() {
                nodes.push(Node {
                    point,
                    previous: start + (index + count - 1) % count,
                    next: start + (index + 1) % count,
                    ring,
                    is_alive: true,
                    version: 0,
                });
            }
        }
        let mut grid = Grid::new(nodes.iter().map(|node| node.point));
        for index in 0..nodes.len() {
            grid.insert(index, &segment_box(&nodes, index));
        }
        Self {
            nodes,
            rings,
            grid,
            queue: BinaryHeap::new(),
        }
    }

    /// Replaces edges until none is left that can be; whether there were any. What was in the way of
    /// one may be gone in the next pass.
    fn pass(&mut self) -> bool {
        for edge in 0..self.nodes.len() {
            if self.nodes[edge].is_alive {
                self.consider(edge);
            }
        }
        let mut is_changed = false;
        while let Some(candidate) = self.queue.pop() {
            let node = &self.nodes[candidate.edge];
            let is_valid = node.is_alive && node.version == candidate.version;
            if is_valid && self.is_too_long(node.ring) && self.is_clear(&candidate) {
                self.replace(&candidate);
                is_changed = true;
            }
        }
        is_changed
    }

    fn is_too_long(&self, ring: usize) -> bool {
        self.rings[ring].count > self.rings[ring].budget
    }

    /// The four vertices about an edge.
    fn path(&self, edge: usize) -> [usize; 4] {
        let (b, c) = (edge, self.nodes[edge].next);
        [self.nodes[b].previous, b, c, self.nodes[c].next]
    }

    /// Puts an edge into the queue, with the better of its two places.
    fn consider(&mut self, edge: usize) {
        let node = &mut self.nodes[edge];
        node.version += 1;
        let (version, ring) = (node.version, node.ring);
        if !self.is_too_long(ring) {
            return;
        }
        let [a, b, c, d] = self.path(edge).map(|node| self.nodes[node].point);
        if let Some((cost, place)) = best_place(b - a, c - a, d - a) {
            self.queue.push(Candidate {
                cost,
                edge,
                version,
                place: flush_negligible(a + place),
            });
        }
    }

    /// Whether the new edges touch nothing, and nothing lies between them and the old ones.
    fn is_clear(&self, candidate: &Candidate) -> bool {
        let ids = self.path(candidate.edge);
        let [a, b, c, d] = ids.map(|node| self.nodes[node].point);
        let e = candidate.place;
        let shortest = MIN_EDGE_RATIO * ((b - a).length() + (c - b).length() + (d - c).length());
        let is_long = |length: f64| length > shortest.max(2.0 * Outline::MIN_EDGE_LENGTH);
        if !(is_long((e - a).length()) && is_long((d - e).length())) || folds(a, e, d) {
            return false;
        }
        let around = Aabb::of_points([a, b, c, d, e]);
        self.grid.all(&around, |edge| {
            let node = &self.nodes[edge];
            if !node.is_alive || ids[..3].contains(&edge) {
                return true;
            }
            let is_end = edge == ids[3];
            let is_swept = |[p, q]: [DVec2; 2]| in_triangle(node.point, p, q, e);
            if !is_end && [[a, b], [b, c], [c, d]].into_iter().any(is_swept) {
                return false;
            }
            let (from, to) = (node.point, self.nodes[node.next].point);
            // The neighbours of the path share its ends, and may not fold back on it.
            let meets_first = if node.next == ids[0] {
                folds(from, a, e)
            } else {
                segments_intersect(a, e, from, to)
            };
            let meets_second = if is_end {
                folds(to, d, e)
            } else {
                segments_intersect(e, d, from, to)
            };
            !(meets_first || meets_second)
        })
    }

    fn replace(&mut self, candidate: &Candidate) {
        let [a, b, c, d] = self.path(candidate.edge);
        let ring = self.nodes[b].ring;
        let e = self.nodes.len();
        self.nodes.push(Node {
            point: candidate.place,
            previous: a,
            next: d,
            ring,
            is_alive: true,
            version: 0,
        });
        self.nodes[b].is_alive = false;
        self.nodes[c].is_alive = false;
        self.nodes[a].next = e;
        self.nodes[d].previous = e;
        self.rings[ring].start = e;
        self.rings[ring].count -= 1;
        for edge in [a, e] {
            self.grid.insert(edge, &segment_box(&self.nodes, edge));
        }
        for edge in [self.nodes[a].previous, a, e, d] {
            self.consider(edge);
        }
    }

    fn outline(&self, ring: usize) -> Result<Outline, GeometryError> {
        let Ring { start, count, .. } = self.rings[ring];
        let nodes = std::iter::successors(Some(start), |&node| Some(self.nodes[node].next));
        let points: Vec<DVec2> = nodes
            .take(count)
            .map(|node| self.nodes[node].point)
            .collect();
        Outline::from_ring(&points)
    }
}

fn segment_box(nodes: &[Node], edge: usize) -> Aabb {
    Aabb::of_points([nodes[edge].point, nodes[nodes[edge].next].point])
}

/// Where to put the point that replaces `b` and `c` on the path from the origin through them to `d`,
/// and the area that moves: on the line of the first edge or of the last, at the height over `d` that
/// keeps the area. A step between two parallel edges has both of these places at its ends; there the
/// middle of the step is the place.
fn best_place(b: DVec2, c: DVec2, d: DVec2) -> Option<(f64, DVec2)> {
    let doubled_area = b.perp_dot(c) + c.perp_dot(d);
    let (height_b, height_c) = (b.perp_dot(d), c.perp_dot(d));
    let scale = b.length_squared() + c.length_squared() + d.length_squared();
    if doubled_area.abs() <= STEP_ROUND_OFF * scale && height_b * height_c < 0.0 {
        let crossing = b + height_b / (height_b - height_c) * (c - b);
        let place = crossing - doubled_area / d.length_squared() * d.perp();
        return Some((b.perp_dot(crossing).abs(), place));
    }
    let on_first = doubled_area / height_b * b;
    let on_last = d + doubled_area / height_c * (c - d);
    let first = moved_area(on_first, d, b, c).map(|area| (area, on_first));
    let last = moved_area(on_last, DVec2::ZERO, c, b).map(|area| (area, on_last));
    // A place far away moves little area on a thin spike, which is not a simplification.
    let around = Aabb::of_points([DVec2::ZERO, b, c, d]);
    let size = (around.max - around.min).length();
    [first, last]
        .into_iter()
        .flatten()
        .filter(|(_, place)| around.grown(0.5 * size).contains(*place))
        .min_by(|(x, _), (y, _)| x.total_cmp(y))
}

/// The area between the old path and the new one, which crosses the edge that is replaced, from `near`
/// to `far`, on the way from `place` to `end`: two triangles of the same area.
fn moved_area(place: DVec2, end: DVec2, near: DVec2, far: DVec2) -> Option<f64> {
    let (way, edge) = (end - place, far - near);
    let part = (place - near).perp_dot(way) / edge.perp_dot(way);
    let is_crossed = place.is_finite() && (0.0..=1.0).contains(&part);
    let crossing = near + part * edge;
    is_crossed.then(|| (near - place).perp_dot(crossing - place).abs())
}

/// Whether a point lies in the triangle, border included; exact.
fn in_triangle(point: DVec2, a: DVec2, b: DVec2, c: DVec2) -> bool {
    let sides = [
        orientation(a, b, point),
        orientation(b, c, point),
        orientation(c, a, point),
    ];
    let has = |turn: Orientation| sides.contains(&turn);
    !(has(Orientation::Clockwise) && has(Orientation::CounterClockwise))
        && Aabb::of_points([a, b, c]).contains(point)
}

/// Whether the edges from `corner` to two points lie on each other.
fn folds(first: DVec2, corner: DVec2, second: DVec2) -> bool {
    orientation(first, corner, second) == Orientation::Collinear
        && (first - corner).dot(second - corner) > 0.0
}
