//! Triangles of a whole domain, with or without bodies whose edges are edges of triangles.

use banquise_geometry::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::MeshError;
use crate::mesh::{area, opposite};

/// A conforming triangulation of a domain, its edges numbered.
#[derive(Clone, Debug)]
pub struct FlowMesh {
    pub(super) points: Vec<DVec2>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Ends of each edge, the lower number first.
    pub(super) edges: Vec<[u32; 2]>,
    /// The edge that faces each corner.
    pub(super) sides: Vec<[u32; 3]>,
    /// Edges of the boundary: triangle and corner that they face.
    pub(super) boundary: Vec<(u32, u8)>,
}

/// How squares are cut into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonals {
    /// All the same way, as in the source: symmetric flows get a drift to one side.
    Parallel,
    /// Alternating, so that a square domain of an even number of cells keeps its symmetries.
    Alternating,
}

impl FlowMesh {
    /// Triangles with their corners counter-clockwise.
    pub fn new(points: Vec<DVec2>, triangles: Vec<[u32; 3]>) -> Self {
        let mut list: Vec<([u32; 2], u32, u8)> = Vec::with_capacity(3 * triangles.len());
        for (element, corners) in triangles.iter().enumerate() {
            for corner in 0..3_u8 {
                let [a, b] = opposite(*corners, corner as usize);
                list.push(([a.min(b), a.max(b)], element as u32, corner));
            }
        }
        list.sort_unstable();
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let mut sides = vec![[0; 3]; triangles.len()];
        let mut boundary = Vec::new();
        for (k, &(ends, element, corner)) in list.iter().enumerate() {
            let is_next = k > 0 && list[k - 1].0 == ends;
            if !is_next {
                edges.push(ends);
                if list.get(k + 1).is_none_or(|next| next.0 != ends) {
                    boundary.push((element, corner));
                }
            }
            sides[element as usize][corner as usize] = edges.len() as u32 - 1;
        }
        Self {
            points,
            triangles,
            edges,
            sides,
            boundary,
        }
    }

    /// A rectangle with its lower left corner at `origin`, in squares of two triangles.
    pub fn cartesian(origin: DVec2, size: DVec2, cells: [usize; 2], diagonals: Diagonals) -> Self {
        let [columns, rows] = cells;
        let node = |i: usize, j: usize| (j * (columns + 1) + i) as u32;
        let mut points = Vec::with_capacity((columns + 1) * (rows + 1));
        for j in 0..=rows {
            for i in 0..=columns {
                let share = DVec2::new(i as f64 / columns as f64, j as f64 / rows as f64);
                points.push(origin + size * share);
            }
        }
        let mut triangles = Vec::with_capacity(2 * columns * rows);
        for j in 0..rows {
            for i in 0..columns {
                let [a, b] = [node(i, j), node(i + 1, j)];
                let [d, c] = [node(i, j + 1), node(i + 1, j + 1)];
                if diagonals == Diagonals::Parallel || (i + j) % 2 == 0 {
                    triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.extend([[a, b, d], [b, c, d]]);
                }
            }
        }
        Self::new(points, triangles)
    }

    /// Delaunay triangles of a convex domain: `rings` are chains of points whose edges are kept, closed or not, `others` are more points.
    ///
    /// # Errors
    /// If a point cannot be triangulated.
    pub fn delaunay(rings: &[(Vec<DVec2>, bool)], others: &[DVec2]) -> Result<Self, MeshError> {
        // Points are inserted one by one: bulk loading walks through hash sets in random order.
        let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
        let mut insert = |point: &DVec2| {
            cdt.insert(Point2::new(point.x, point.y))
                .map_err(|error| MeshError::Triangulation {
                    point: [point.x, point.y],
                    reason: error.to_string(),
                })
        };
        let mut pairs = Vec::new();
        for (ring, is_closed) in rings {
            let handles = ring
                .iter()
                .map(&mut insert)
                .collect::<Result<Vec<_>, _>>()?;
            pairs.extend(handles.windows(2).map(|pair| (pair[0], pair[1])));
            if let (true, [first, .., last]) = (*is_closed, &handles[..]) {
                pairs.push((*last, *first));
            }
        }
        for point in others {
            insert(point)?;
        }
        for (a, b) in pairs {
            if a != b && cdt.can_add_constraint(a, b) {
                cdt.add_constraint(a, b);
            }
        }
        let points: Vec<DVec2> = cdt
            .vertices()
            .map(|vertex| DVec2::new(vertex.position().x, vertex.position().y))
            .collect();
        let mut triangles: Vec<[u32; 3]> = cdt
            .inner_faces()
            .map(|face| face.vertices().map(|vertex| vertex.index() as u32))
            .collect();
        // Points along a straight side may be off it by rounding: what is between them is no triangle.
        triangles.retain(|corners| {
            let [a, b, c] = corners.map(|k| points[k as usize]);
            let longest = (b - a).length_squared().max((c - b).length_squared());
            area([a, b, c]) > 1e-9 * longest.max((a - c).length_squared())
        });
        triangles.sort_unstable();
        Ok(Self::new(points, triangles))
    }

    /// Corners of the triangles \[m\].
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Corners of each triangle, counter-clockwise.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    pub(super) fn corners(&self, element: u32) -> [DVec2; 3] {
        self.triangles[element as usize].map(|k| self.points[k as usize])
    }

    /// Area of a triangle \[m²\].
    pub fn area(&self, element: u32) -> f64 {
        area(self.corners(element))
    }

    /// Centroid of a triangle \[m\].
    pub fn centroid(&self, element: u32) -> DVec2 {
        let [a, b, c] = self.corners(element);
        (a + b + c) / 3.0
    }

    /// The triangles whose centroid is in a set.
    pub fn elements_where(&self, is_in: impl Fn(DVec2) -> bool) -> Vec<u32> {
        (0..self.triangles.len() as u32)
            .filter(|&element| is_in(self.centroid(element)))
            .collect()
    }

    /// Middle and outward normal of a boundary edge.
    pub(super) fn boundary_edge(&self, (element, corner): (u32, u8)) -> (DVec2, DVec2) {
        let [a, b] = opposite(self.triangles[element as usize], corner as usize)
            .map(|k| self.points[k as usize]);
        (0.5 * (a + b), -(b - a).perp().normalize())
    }
}

/// Finds the triangle around a point: triangles listed by squares of a grid.
#[derive(Clone, Debug)]
pub struct Locator {
    low: DVec2,
    side: f64,
    cells: [usize; 2],
    start: Vec<u32>,
    lists: Vec<u32>,
}

impl Locator {
    /// Lists the triangles of a mesh.
    pub fn new(mesh: &FlowMesh) -> Self {
        let low = mesh.points.iter().fold(DVec2::INFINITY, |a, b| a.min(*b));
        let high = mesh
            .points
            .iter()
            .fold(DVec2::NEG_INFINITY, |a, b| a.max(*b));
        let size = high - low;
        // About one triangle for each square.
        let side = (size.x * size.y / mesh.triangles.len() as f64).sqrt();
        let cells = [size.x, size.y].map(|x| (x / side) as usize + 1);
        let mut locator = Self {
            low,
            side,
            cells,
            start: vec![0; cells[0] * cells[1] + 1],
            lists: Vec::new(),
        };
        let mut pairs = Vec::new();
        for element in 0..mesh.triangles.len() as u32 {
            let corners = mesh.corners(element);
            let from = locator.cell(corners[0].min(corners[1]).min(corners[2]));
            let to = locator.cell(corners[0].max(corners[1]).max(corners[2]));
            for j in from[1]..=to[1] {
                for i in from[0]..=to[0] {
                    pairs.push(((j * cells[0] + i) as u32, element));
                }
            }
        }
        pairs.sort_unstable();
        for (cell, _) in &pairs {
            locator.start[*cell as usize + 1] += 1;
        }
        for k in 0..cells[0] * cells[1] {
            locator.start[k + 1] += locator.start[k];
        }
        locator.lists = pairs.into_iter().map(|(_, element)| element).collect();
        locator
    }

    fn cell(&self, at: DVec2) -> [usize; 2] {
        let place = (at - self.low) / self.side;
        [
            (place.x.max(0.0) as usize).min(self.cells[0] - 1),
            (place.y.max(0.0) as usize).min(self.cells[1] - 1),
        ]
    }

    /// A triangle and the barycentric coordinates in it; of triangles near a point outside, the nearest by those coordinates, moved to its edge.
    pub fn find(&self, mesh: &FlowMesh, at: DVec2) -> (u32, [f64; 3]) {
        let [i, j] = self.cell(at);
        let mut best = (0, [1.0 / 3.0; 3], f64::NEG_INFINITY);
        // Squares farther and farther away, until one lists a triangle.
        for reach in 0..self.cells[0].max(self.cells[1]) {
            for y in j.saturating_sub(reach)..=(j + reach).min(self.cells[1] - 1) {
                for x in i.saturating_sub(reach)..=(i + reach).min(self.cells[0] - 1) {
                    let k = y * self.cells[0] + x;
                    for &element in &self.lists[self.start[k] as usize..self.start[k + 1] as usize]
                    {
                        let place = barycentric(mesh.corners(element), at);
                        let inside = place[0].min(place[1]).min(place[2]);
                        if inside > best.2 {
                            best = (element, place, inside);
                        }
                    }
                }
            }
            if best.2 > -1e-12 || (reach > 0 && best.2 > f64::NEG_INFINITY) {
                break;
            }
        }
        let kept = best.1.map(|share| share.max(0.0));
        let sum: f64 = kept.iter().sum();
        (best.0, kept.map(|share| share / sum))
    }
}

/// Barycentric coordinates of a point.
pub(super) fn barycentric([a, b, c]: [DVec2; 3], at: DVec2) -> [f64; 3] {
    let whole = (b - a).perp_dot(c - a);
    let second = (at - a).perp_dot(c - a) / whole;
    let third = (b - a).perp_dot(at - a) / whole;
    [1.0 - second - third, second, third]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_found_in_their_triangle() {
        let mesh = FlowMesh::cartesian(
            DVec2::new(-1.0, 0.5),
            DVec2::new(3.0, 2.0),
            [9, 7],
            Diagonals::Alternating,
        );
        let locator = Locator::new(&mesh);
        for k in 0..100 {
            let at = DVec2::new(
                -1.0 + 3.0 * f64::from((k * 37) % 100) / 100.0,
                0.5 + 2.0 * f64::from(k) / 100.0,
            );
            let (element, place) = locator.find(&mesh, at);
            let [a, b, c] = mesh.corners(element);
            let back = a * place[0] + b * place[1] + c * place[2];
            assert!(back.distance(at) < 1e-12 && place.iter().all(|p| *p >= 0.0));
        }
        let total: f64 = (0..mesh.triangles.len() as u32).map(|e| mesh.area(e)).sum();
        assert!((total - 6.0).abs() < 1e-12);
        assert_eq!(mesh.boundary.len(), 2 * (9 + 7));
        assert_eq!(mesh.edges.len(), 63 + 9 * 8 + 7 * 10);
    }
}
