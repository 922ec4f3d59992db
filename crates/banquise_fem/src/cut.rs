//! Which triangles a crack cuts, and how their nodes are doubled.
//!
//! A cut triangle becomes two, one for each lip; each carries the share of the area on its side and has copies of all
//! three corners (Hansbo and Hansbo 2004; Song, Areias and Belytschko 2006: phantom nodes). No mesh is changed, so
//! that closed lips give back the displacements without a crack to the last digit, and the drop of energy has no noise from meshing.

use banquise_geometry::DVec2;

use crate::mesh::{NONE, TriangleMesh, opposite};

/// Shares of a triangle below this are no part of it: a node copied for them would have no stiffness.
const SMALLEST_SHARE: f64 = 1e-10;

/// Distances below this share of a segment's length are zero.
const ON_LINE: f64 = 1e-9;

/// Lip points nearer to each other than this share of the crack's length are one: two would make the compliance of the
/// lips singular.
const SAME_POINT: f64 = 1e-5;

/// A polyline along which the plate opens.
///
/// A corner of it must be on an edge of the mesh: a triangle is cut by one segment.
#[derive(Clone, Debug, PartialEq)]
pub struct CrackPath {
    /// Points \[m\].
    pub points: Vec<DVec2>,
    /// Whether the first and the last point are on the boundary; otherwise they are tips.
    pub open_ends: [bool; 2],
}

impl CrackPath {
    /// Length \[m\].
    pub fn length(&self) -> f64 {
        self.points
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .sum()
    }
}

/// The part of a triangle on one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Share of the triangle's area.
    pub share: f64,
    /// ∫ of the shape functions over the part, as shares of the triangle's area.
    pub weights: [f64; 3],
    /// Copies of the corners; `NONE` if the part is empty.
    pub copies: [u32; 3],
}

/// A triangle that touches a doubled node.
#[derive(Clone, Debug)]
pub(crate) struct ZoneElement {
    pub element: u32,
    /// One part if it is not cut, otherwise those to the left and to the right of the crack.
    pub parts: Vec<Part>,
}

/// A point where the lips may touch.
#[derive(Clone, Debug)]
pub(crate) struct LipPoint {
    /// Unit normal from the right lip to the left.
    pub normal: DVec2,
    /// Copies and their weights in u(left) − u(right).
    pub jump: Vec<(u32, f64)>,
}

/// A crack in a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    pub zone: Vec<ZoneElement>,
    /// The node of each copy.
    pub copies: Vec<u32>,
    pub lips: Vec<LipPoint>,
}

/// A triangle and the segment that cuts it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub element: u32,
    /// Index of the segment.
    pub segment: u32,
    /// Signed distances of the corners from the segment's line \[m\], positive to the left; zero counts as left.
    pub distances: [f64; 3],
    /// Where the line enters and leaves, along the segment \[m\].
    pub interval: [f64; 2],
}

impl Crossing {
    fn is_left(&self, corner: usize) -> bool {
        self.distances[corner] >= 0.0
    }

    /// Left and right part of the triangle, without copies.
    fn parts(&self) -> [Part; 2] {
        let lone = (0..3)
            .find(|&a| {
                self.is_left(a) != self.is_left((a + 1) % 3)
                    && self.is_left(a) != self.is_left((a + 2) % 3)
            })
            .expect("a cut triangle has one corner alone on its side");
        let (b, c) = ((lone + 1) % 3, (lone + 2) % 3);
        let reach =
            |other: usize| self.distances[lone] / (self.distances[lone] - self.distances[other]);
        let (to_b, to_c) = (reach(b), reach(c));
        let share = to_b * to_c;
        let mut weights = [0.0; 3];
        weights[lone] = share * (3.0 - to_b - to_c) / 3.0;
        weights[b] = share * to_b / 3.0;
        weights[c] = share * to_c / 3.0;
        let part = |share: f64, weights: [f64; 3]| Part {
            share,
            weights,
            copies: [NONE; 3],
        };
        let alone = part(share, weights);
        let rest = part(1.0 - share, weights.map(|weight| 1.0 / 3.0 - weight));
        if self.is_left(lone) {
            [alone, rest]
        } else {
            [rest, alone]
        }
    }
}

/// The triangles that a path crosses from edge to edge. `None` if one is cut twice.
pub(crate) fn crossings(mesh: &TriangleMesh, path: &CrackPath) -> Option<Vec<Crossing>> {
    let mut crossings: Vec<Crossing> = Vec::new();
    let last = path.points.len().saturating_sub(2);
    for (segment, ends) in path.points.windows(2).enumerate() {
        let is_open = [
            segment > 0 || path.open_ends[0],
            segment < last || path.open_ends[1],
        ];
        let known = crossings.len();
        cross_segment(mesh, [ends[0], ends[1]], is_open, |crossing| {
            crossings.push(Crossing {
                segment: segment as u32,
                ..crossing
            });
        });
        let (before, new) = crossings.split_at(known);
        if new
            .iter()
            .any(|a| before.iter().any(|b| a.element == b.element))
        {
            return None;
        }
    }
    Some(crossings)
}

/// Calls back for each triangle that the segment crosses from edge to edge.
pub(crate) fn cross_segment(
    mesh: &TriangleMesh,
    [from, to]: [DVec2; 2],
    is_open: [bool; 2],
    mut found: impl FnMut(Crossing),
) {
    let length = from.distance(to);
    let along = (to - from) / length;
    let tolerance = ON_LINE * length;
    let signed = |point: DVec2| {
        let distance = along.perp_dot(point - from);
        if distance.abs() <= tolerance {
            0.0
        } else {
            distance
        }
    };
    let points = mesh.points();
    let is_left = |node: u32| along.perp_dot(points[node as usize] - from) >= -tolerance;
    mesh.walk(is_left, |element| {
        let [a, b, c] = mesh.triangles()[element as usize];
        let d = [a, b, c].map(|node| signed(points[node as usize]));
        let corners = mesh.corners(element);
        let mut interval = [f64::INFINITY, f64::NEG_INFINITY];
        for a in 0..3 {
            let b = (a + 1) % 3;
            if (d[a] >= 0.0) != (d[b] >= 0.0) {
                let point = corners[a] + (corners[b] - corners[a]) * (d[a] / (d[a] - d[b]));
                let s = along.dot(point - from);
                interval = [interval[0].min(s), interval[1].max(s)];
            }
        }
        // An element that the line only touches in a corner is cut if the crack goes on beyond that corner.
        let is_touched = interval[1] - interval[0] <= tolerance;
        let margin = |is_open: bool| {
            if is_touched && !is_open {
                -tolerance
            } else {
                tolerance
            }
        };
        if interval[0] >= -margin(is_open[0]) && interval[1] <= length + margin(is_open[1]) {
            found(Crossing {
                element,
                segment: 0,
                distances: d,
                interval,
            });
        }
    });
}

impl Cut {
    /// Opens a mesh along a path. `None` if a triangle would be cut twice or none is cut.
    pub(crate) fn new(mesh: &TriangleMesh, path: &CrackPath) -> Option<Self> {
        let crossings = crossings(mesh, path)?;
        if crossings.is_empty() {
            return None;
        }
        let mut zone = Zone::new(mesh, &crossings);
        zone.join(mesh);
        let (elements, copies) = zone.copies(mesh);
        let lips = lip_points(mesh, path, &crossings, &zone, &elements);
        Some(Self {
            zone: elements,
            copies,
            lips,
        })
    }
}

/// Triangles about the crack, and which of their corners are one.
struct Zone<'a> {
    crossings: &'a [Crossing],
    elements: Vec<u32>,
    /// Place in `elements` of each triangle; `NONE` outside.
    place: Vec<u32>,
    /// Index into `crossings` of each element; `NONE` if not cut.
    crossing: Vec<u32>,
    /// Whether a node is doubled.
    is_doubled: Vec<bool>,
    /// Union-find over corners: element, side, corner.
    parent: Vec<u32>,
}

impl<'a> Zone<'a> {
    fn new(mesh: &TriangleMesh, crossings: &'a [Crossing]) -> Self {
        let mut is_doubled = vec![false; mesh.points().len()];
        let mut place = vec![NONE; mesh.triangles().len()];
        let mut elements = Vec::new();
        for crossing in crossings {
            for node in mesh.triangles()[crossing.element as usize] {
                if std::mem::replace(&mut is_doubled[node as usize], true) {
                    continue;
                }
                for &element in mesh.incident(node) {
                    if place[element as usize] == NONE {
                        place[element as usize] = elements.len() as u32;
                        elements.push(element);
                    }
                }
            }
        }
        let mut crossing = vec![NONE; elements.len()];
        for (index, cut) in crossings.iter().enumerate() {
            crossing[place[cut.element as usize] as usize] = index as u32;
        }
        let parent = (0..6 * elements.len() as u32).collect();
        Self {
            crossings,
            elements,
            place,
            crossing,
            is_doubled,
            parent,
        }
    }

    fn cut(&self, place: usize) -> Option<&'a Crossing> {
        self.crossings.get(self.crossing[place] as usize)
    }

    fn root(&mut self, mut corner: u32) -> u32 {
        while self.parent[corner as usize] != corner {
            let above = self.parent[self.parent[corner as usize] as usize];
            self.parent[corner as usize] = above;
            corner = above;
        }
        corner
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Corners of neighbours are one where the crack does not part them.
    fn join(&mut self, mesh: &TriangleMesh) {
        for first in 0..self.elements.len() {
            let element = self.elements[first];
            for (corner, other) in mesh.neighbours(element).into_iter().enumerate() {
                if other == NONE || other < element {
                    continue;
                }
                let second = self.place[other as usize];
                if second != NONE {
                    self.join_edge(mesh, first, corner, second as usize);
                }
            }
        }
    }

    fn join_edge(&mut self, mesh: &TriangleMesh, first: usize, corner: usize, second: usize) {
        let nodes = mesh.triangles()[self.elements[first] as usize];
        let others = mesh.triangles()[self.elements[second] as usize];
        let ends = [(corner + 1) % 3, (corner + 2) % 3];
        let ends = ends.map(|a| {
            let b = others.iter().position(|node| *node == nodes[a]);
            (a, b.expect("neighbours share the nodes of their edge"))
        });
        let side = |cut: Option<&Crossing>, corner: usize| match cut {
            Some(crossing) => u32::from(!crossing.is_left(corner)),
            None => 0,
        };
        let (cut, other_cut) = (self.cut(first), self.cut(second));
        let is_crossed = side(cut, ends[0].0) != side(cut, ends[1].0);
        let other_is_crossed = side(other_cut, ends[0].1) != side(other_cut, ends[1].1);
        for (a, b) in ends {
            let at = |place: usize, side: u32, corner: usize| {
                6 * place as u32 + 3 * side + corner as u32
            };
            match (is_crossed, other_is_crossed) {
                (true, true) => {
                    self.unite(at(first, 0, a), at(second, 0, b));
                    self.unite(at(first, 1, a), at(second, 1, b));
                }
                // The tip is on this edge: both lips end in the nodes beyond.
                (true, false) if other_cut.is_none() => {
                    self.unite(at(first, 0, a), at(second, 0, b));
                    self.unite(at(first, 1, a), at(second, 0, b));
                }
                (false, true) if cut.is_none() => {
                    self.unite(at(first, 0, a), at(second, 0, b));
                    self.unite(at(first, 0, a), at(second, 1, b));
                }
                _ => self.unite(
                    at(first, side(cut, a), a),
                    at(second, side(other_cut, b), b),
                ),
            }
        }
    }

    /// Numbers the copies that have stiffness.
    fn copies(&mut self, mesh: &TriangleMesh) -> (Vec<ZoneElement>, Vec<u32>) {
        let mut number = vec![NONE; self.parent.len()];
        let mut copies: Vec<u32> = Vec::new();
        let mut elements = Vec::with_capacity(self.elements.len());
        for place in 0..self.elements.len() {
            let cut = self.cut(place);
            let whole = Part {
                share: 1.0,
                weights: [1.0 / 3.0; 3],
                copies: [NONE; 3],
            };
            let mut parts = cut.map_or_else(|| vec![whole], |cut| cut.parts().to_vec());
            let nodes = mesh.triangles()[self.elements[place] as usize];
            for (side, part) in parts.iter_mut().enumerate() {
                if part.share < SMALLEST_SHARE {
                    part.share = 0.0;
                    continue;
                }
                for (corner, &node) in nodes.iter().enumerate() {
                    if !self.is_doubled[node as usize] {
                        continue;
                    }
                    let root = self.root((6 * place + 3 * side + corner) as u32) as usize;
                    if number[root] == NONE {
                        number[root] = copies.len() as u32;
                        copies.push(node);
                    }
                    part.copies[corner] = number[root];
                }
            }
            elements.push(ZoneElement {
                element: self.elements[place],
                parts,
            });
        }
        // Corners of empty parts are copies of others, if any, which the lips need.
        for (place, element) in elements.iter_mut().enumerate() {
            for (side, part) in element.parts.iter_mut().enumerate() {
                if part.share == 0.0 {
                    for corner in 0..3 {
                        let root = self.root((6 * place + 3 * side + corner) as u32) as usize;
                        part.copies[corner] = number[root];
                    }
                }
            }
        }
        (elements, copies)
    }
}

/// Points of the crack on edges of the mesh, each once.
fn lip_points(
    mesh: &TriangleMesh,
    path: &CrackPath,
    crossings: &[Crossing],
    zone: &Zone<'_>,
    elements: &[ZoneElement],
) -> Vec<LipPoint> {
    let mut found: Vec<((u32, f64), LipPoint)> = Vec::new();
    for crossing in crossings {
        let segment = crossing.segment as usize;
        let (from, to) = (path.points[segment], path.points[segment + 1]);
        let along = (to - from).normalize();
        let nodes = mesh.triangles()[crossing.element as usize];
        let parts = &elements[zone.place[crossing.element as usize] as usize].parts;
        for corner in 0..3 {
            let [a, b] = [(corner + 1) % 3, (corner + 2) % 3];
            if crossing.is_left(a) == crossing.is_left(b) {
                continue;
            }
            let [i, j] = opposite(nodes, corner).map(|node| mesh.points()[node as usize]);
            let share = crossing.distances[a] / (crossing.distances[a] - crossing.distances[b]);
            let s = along.dot(i + (j - i) * share - from);
            if let Some(jump) = jump(parts, [(a, 1.0 - share), (b, share)]) {
                let normal = along.perp();
                found.push(((crossing.segment, s), LipPoint { normal, jump }));
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let spacing = SAME_POINT * path.length();
    found.dedup_by(|(a, _), (b, _)| a.0 == b.0 && (a.1 - b.1).abs() <= spacing);
    found.into_iter().map(|(_, lip)| lip).collect()
}

/// u(left) − u(right) as a sum over copies; `None` if the lips are one there, or a lip has no stiffness.
fn jump(parts: &[Part], ends: [(usize, f64); 2]) -> Option<Vec<(u32, f64)>> {
    let mut terms = Vec::with_capacity(4);
    for (corner, weight) in ends {
        if weight == 0.0 {
            continue;
        }
        let [left, right] = [parts[0].copies[corner], parts[1].copies[corner]];
        if left == NONE || right == NONE {
            return None;
        }
        if left != right {
            terms.extend([(left, weight), (right, -weight)]);
        }
    }
    (!terms.is_empty()).then_some(terms)
}
