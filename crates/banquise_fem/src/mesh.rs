//! Conforming triangles of a plate with or without holes.

use banquise_geometry::{DVec2, Outline, distance_point_segment};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::MeshError;

/// No neighbour: the edge is on the boundary.
pub(crate) const NONE: u32 = u32::MAX;

/// Interior points stay this share of the spacing away from the boundary: nearer ones make flat triangles, and
/// much farther ones large triangles along the boundary.
const BOUNDARY_CLEARANCE: f64 = 0.6;

/// How fine a floe is meshed.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSettings {
    /// Number of nodes aimed at. An outline of many short edges gets more: each vertex is a node.
    pub nodes: usize,
}

impl Default for MeshSettings {
    /// 400 nodes: some twenty across a floe. Energies of smooth loads are then within a few per cent.
    fn default() -> Self {
        Self { nodes: 400 }
    }
}

/// A conforming triangulation.
#[derive(Clone, Debug)]
pub struct TriangleMesh {
    points: Vec<DVec2>,
    triangles: Vec<[u32; 3]>,
    /// Beyond the edge opposite to each corner; `NONE` on the boundary.
    neighbours: Vec<[u32; 3]>,
    /// Triangles of node `i`: `incident[start[i]..start[i + 1]]`.
    incident_start: Vec<u32>,
    incident: Vec<u32>,
    /// Edges of the boundary, the mesh to their left.
    boundary: Vec<[u32; 2]>,
    /// The triangle of each.
    boundary_triangles: Vec<u32>,
}

impl TriangleMesh {
    /// Triangles of about this edge length \[m\] inside `outline` and outside of `holes`.
    ///
    /// # Errors
    /// If a ring is not a simple polygon or the spacing is not positive.
    pub fn with_spacing(
        outline: &Outline,
        holes: &[Outline],
        spacing: f64,
    ) -> Result<Self, MeshError> {
        MeshError::check_positive("the spacing of nodes", spacing, "give it in metres")?;
        let mut rings = vec![divided(outline.vertices(), spacing)];
        for hole in holes {
            let mut ring = divided(hole.vertices(), spacing);
            ring.reverse();
            rings.push(ring);
        }
        let inner = interior_points(&rings, spacing);
        let triangles = triangulated(&rings, &inner)?;
        let points = rings.into_iter().flatten().chain(inner).collect();
        Ok(Self::new(points, triangles))
    }

    /// Triangles inside `outline` with about as many nodes as asked for.
    ///
    /// # Errors
    /// If there is no spacing for so few nodes.
    pub fn of_outline(outline: &Outline, settings: &MeshSettings) -> Result<Self, MeshError> {
        if settings.nodes < 8 {
            return Err(MeshError::Setting {
                name: "the number of nodes",
                value: settings.nodes as f64,
                expected: "at least 8",
                hint: "400 nodes are the default",
            });
        }
        // A node owns √3/2 s² inside and half of it along the boundary: N s² = 2 A/√3 + P s/2.
        let (count, area) = (settings.nodes as f64, outline.area());
        let edges = outline
            .vertices()
            .iter()
            .zip(outline.vertices().iter().cycle().skip(1));
        let perimeter: f64 = edges.map(|(a, b)| a.distance(*b)).sum();
        let half = perimeter / (4.0 * count);
        let spacing = half + (half * half + 2.0 * area / (3.0_f64.sqrt() * count)).sqrt();
        Self::with_spacing(outline, &[], spacing)
    }

    /// A rectangle with a corner at the origin, cut into squares of two right triangles whose diagonals alternate.
    pub fn rectangle(size: DVec2, columns: usize, rows: usize) -> Self {
        let node = |column: usize, row: usize| (row * (columns + 1) + column) as u32;
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for row in 0..=rows {
            for column in 0..=columns {
                let x = size.x * column as f64 / columns as f64;
                points.push(DVec2::new(x, size.y * row as f64 / rows as f64));
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let [a, b] = [node(column, row), node(column + 1, row)];
                let [d, c] = [node(column, row + 1), node(column + 1, row + 1)];
                if (row + column) % 2 == 0 {
                    triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.extend([[a, b, d], [b, c, d]]);
                }
            }
        }
        Self::new(points, triangles)
    }

    fn new(points: Vec<DVec2>, triangles: Vec<[u32; 3]>) -> Self {
        let mut sides: Vec<([u32; 2], u32, u8)> = Vec::with_capacity(3 * triangles.len());
        for (element, corners) in triangles.iter().enumerate() {
            for corner in 0..3_u8 {
                let [a, b] = opposite(*corners, corner as usize);
                sides.push(([a.min(b), a.max(b)], element as u32, corner));
            }
        }
        sides.sort_unstable();
        let mut neighbours = vec![[NONE; 3]; triangles.len()];
        for pair in sides.windows(2) {
            let [(first, e, a), (second, f, b)] = [pair[0], pair[1]];
            if first == second {
                neighbours[e as usize][a as usize] = f;
                neighbours[f as usize][b as usize] = e;
            }
        }
        let (mut boundary, mut boundary_triangles) = (Vec::new(), Vec::new());
        for (element, corners) in triangles.iter().enumerate() {
            for (corner, &neighbour) in neighbours[element].iter().enumerate() {
                if neighbour == NONE {
                    boundary.push(opposite(*corners, corner));
                    boundary_triangles.push(element as u32);
                }
            }
        }
        let (incident_start, incident) = incidence(points.len(), &triangles);
        Self {
            points,
            triangles,
            neighbours,
            incident_start,
            incident,
            boundary,
            boundary_triangles,
        }
    }

    /// The nodes \[m\].
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Nodes of each triangle, counter-clockwise.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Edges of the boundary, with the plate to their left.
    pub fn boundary(&self) -> &[[u32; 2]] {
        &self.boundary
    }

    /// Calls back for each triangle that a line crosses, given which nodes are to its left, from triangle to triangle.
    pub(crate) fn walk(&self, is_left: impl Fn(u32) -> bool, mut found: impl FnMut(u32)) {
        for (&[from, to], &first) in self.boundary.iter().zip(&self.boundary_triangles) {
            // The line enters where the boundary passes from its left to its right, and leaves where it passes back.
            if !is_left(from) || is_left(to) {
                continue;
            }
            let (mut element, mut left, mut right) = (first, from, to);
            while element != NONE {
                found(element);
                let corners = self.triangles[element as usize];
                let apex = corners
                    .into_iter()
                    .find(|node| *node != left && *node != right);
                let apex = apex.expect("a triangle has three corners");
                // The line leaves through the edge that faces what it leaves behind.
                let behind = if is_left(apex) { &mut left } else { &mut right };
                let behind = std::mem::replace(behind, apex);
                let corner = corners.iter().position(|node| *node == behind);
                let corner = corner.expect("an edge ends in corners of its triangle");
                element = self.neighbours[element as usize][corner];
            }
        }
    }

    pub(crate) fn neighbours(&self, element: u32) -> [u32; 3] {
        self.neighbours[element as usize]
    }

    /// Whether a point is in a triangle, or on its boundary.
    pub(crate) fn contains(&self, point: DVec2) -> bool {
        (0..self.triangles.len()).any(|element| {
            let [a, b, c] = self.corners(element as u32);
            area([a, b, point]) >= 0.0 && area([b, c, point]) >= 0.0 && area([c, a, point]) >= 0.0
        })
    }

    /// Corners of a triangle \[m\].
    pub fn corners(&self, element: u32) -> [DVec2; 3] {
        self.triangles[element as usize].map(|node| self.points[node as usize])
    }

    /// Triangles that meet in a node.
    pub(crate) fn incident(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.incident[self.incident_start[node] as usize..self.incident_start[node + 1] as usize]
    }

    /// Mean area of a triangle \[m²\].
    pub fn mean_area(&self) -> f64 {
        let total: f64 = (0..self.triangles.len())
            .map(|element| area(self.corners(element as u32)))
            .sum();
        total / self.triangles.len() as f64
    }
}

/// The edge that faces a corner, in the sense of the triangle.
pub(crate) fn opposite(corners: [u32; 3], corner: usize) -> [u32; 2] {
    [corners[(corner + 1) % 3], corners[(corner + 2) % 3]]
}

/// Area of a triangle \[m²\], positive if counter-clockwise.
pub(crate) fn area([a, b, c]: [DVec2; 3]) -> f64 {
    0.5 * (b - a).perp_dot(c - a)
}

fn incidence(nodes: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0_u32; nodes + 1];
    for node in triangles.iter().flatten() {
        start[*node as usize + 1] += 1;
    }
    for node in 0..nodes {
        start[node + 1] += start[node];
    }
    let mut next = start.clone();
    let mut incident = vec![0; 3 * triangles.len()];
    for (element, corners) in triangles.iter().enumerate() {
        for node in corners {
            let place = &mut next[*node as usize];
            incident[*place as usize] = element as u32;
            *place += 1;
        }
    }
    (start, incident)
}

/// A ring with its edges cut into pieces of about the spacing.
fn divided(ring: &[DVec2], spacing: f64) -> Vec<DVec2> {
    let mut points = Vec::new();
    for (i, &from) in ring.iter().enumerate() {
        let to = ring[(i + 1) % ring.len()];
        let pieces = (from.distance(to) / spacing).round().max(1.0);
        for piece in 0..pieces as usize {
            points.push(from + (to - from) * (piece as f64 / pieces));
        }
    }
    points
}

/// Points of a triangular lattice inside the rings, the outer one first.
fn interior_points(rings: &[Vec<DVec2>], spacing: f64) -> Vec<DVec2> {
    let outer = &rings[0];
    let low = outer.iter().fold(DVec2::INFINITY, |a, b| a.min(*b));
    let high = outer.iter().fold(DVec2::NEG_INFINITY, |a, b| a.max(*b));
    let height = 0.5 * 3.0_f64.sqrt() * spacing;
    let clearance = BOUNDARY_CLEARANCE * spacing;
    let mut points = Vec::new();
    let rows = ((high.y - low.y) / height) as usize + 1;
    let columns = ((high.x - low.x) / spacing) as usize + 1;
    for row in 0..rows {
        let level = low.y + (row as f64 + 0.5) * height;
        let crossings: Vec<f64> = crossings(rings, level).collect();
        for column in 0..columns {
            let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
            let point = DVec2::new(low.x + (column as f64 + shift) * spacing, level);
            let beyond = crossings.iter().filter(|x| point.x < **x).count();
            if beyond % 2 == 1 && is_clear(rings, point, clearance) {
                points.push(point);
            }
        }
    }
    points
}

fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    ring.iter()
        .copied()
        .zip(ring.iter().copied().cycle().skip(1))
}

/// Where rings cross the level y.
fn crossings(rings: &[Vec<DVec2>], y: f64) -> impl Iterator<Item = f64> + '_ {
    let edges = rings.iter().flat_map(|ring| edges(ring));
    edges
        .filter(move |(a, b)| (a.y > y) != (b.y > y))
        .map(move |(a, b)| a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
}

/// Whether a point is inside the rings, by the parity of crossings.
pub(crate) fn is_inside(rings: &[Vec<DVec2>], point: DVec2) -> bool {
    let beyond = crossings(rings, point.y).filter(|x| point.x < *x);
    beyond.count() % 2 == 1
}

fn is_clear(rings: &[Vec<DVec2>], point: DVec2, clearance: f64) -> bool {
    rings.iter().flat_map(|ring| edges(ring)).all(|(a, b)| {
        // The box test spares most of the distances.
        let low = a.min(b) - clearance;
        let high = a.max(b) + clearance;
        point.cmplt(low).any()
            || point.cmpgt(high).any()
            || distance_point_segment(point, a, b).distance >= clearance
    })
}

/// The constrained Delaunay triangles to the left of the rings.
///
/// Points are inserted one by one: bulk loading walks through hash sets in random order.
fn triangulated(rings: &[Vec<DVec2>], inner: &[DVec2]) -> Result<Vec<[u32; 3]>, MeshError> {
    let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let mut handles = Vec::new();
    for point in rings.iter().flatten().chain(inner) {
        let handle = cdt.insert(Point2::new(point.x, point.y));
        handles.push(handle.map_err(|error| MeshError::Triangulation {
            point: [point.x, point.y],
            reason: error.to_string(),
        })?);
    }
    let mut next = Vec::new();
    for ring in rings {
        let first = next.len();
        for i in 0..ring.len() {
            next.push(first + (i + 1) % ring.len());
        }
    }
    for (from, &to) in next.iter().enumerate() {
        if handles[from] != handles[to] && cdt.can_add_constraint(handles[from], handles[to]) {
            cdt.add_constraint(handles[from], handles[to]);
        }
    }
    let mut is_inside = vec![false; cdt.num_all_faces()];
    let mut pending = Vec::new();
    for edge in cdt.directed_edges() {
        let starts_ring_edge = next.get(edge.from().index()) == Some(&edge.to().index());
        if edge.is_constraint_edge() && starts_ring_edge {
            pending.extend(edge.face().as_inner());
        }
    }
    let mut triangles = Vec::new();
    while let Some(face) = pending.pop() {
        if std::mem::replace(&mut is_inside[face.index()], true) {
            continue;
        }
        triangles.push(face.vertices().map(|vertex| vertex.index() as u32));
        for edge in face.adjacent_edges() {
            if !edge.is_constraint_edge() {
                pending.extend(edge.rev().face().as_inner());
            }
        }
    }
    triangles.sort_unstable();
    Ok(triangles)
}
