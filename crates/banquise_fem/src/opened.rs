//! A plate with a crack: its pieces, their areas and rigid motions.

use banquise_geometry::DVec2;

use crate::cut::{Cut, Part};
use crate::matrix3::null_space;
use crate::mesh::NONE;
use crate::plane::{Held, Plane};

/// What keeps pieces from moving as rigid bodies while the crack runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relief {
    /// Their inertia: the mean displacement and rotation of each piece, weighted by mass, stay what they were. The
    /// multipliers are each piece's own rigid acceleration, so that uniform drag and inertia do no work.
    Inertia,
    /// Contacts that last: a piece that they hold at places apart by more than the radius of gyration of the plate bends between them. Other
    /// pieces are kept by their inertia.
    Contacts,
    /// Held nodes; motions that these leave free are all but free.
    Grips,
}

/// Nodes that the crack does not double, and the copies of those that it does.
pub(crate) struct Opened<'a> {
    plane: &'a Plane,
    held: &'a [Held],
    pub(crate) rows: Vec<Row>,
    pub(crate) piece_count: usize,
}

/// A node, or a copy of one.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) node: u32,
    /// Number of the copy; `NONE` for a node that is not doubled.
    pub(crate) copy: u32,
    pub(crate) piece: u32,
    /// Area that belongs to it \[m²\].
    pub(crate) area: f64,
}

/// Rigid motions of a piece: two translations and the rotation about its centre, over its size.
#[derive(Clone, Copy)]
pub(crate) struct RigidMotions {
    frame: Frame,
    motions: [[f64; 3]; 3],
}

/// Centre of area and radius of gyration \[m\].
type Frame = (DVec2, f64);

impl<'a> Opened<'a> {
    pub(crate) fn new(plane: &'a Plane, held: &'a [Held], cut: &Cut) -> Self {
        let nodes = plane.node_count();
        let (pieces, piece_count) = pieces(plane, cut);
        let row = |node: u32, copy: u32, area: f64| Row {
            node,
            copy,
            piece: pieces[if copy == NONE {
                node as usize
            } else {
                nodes + copy as usize
            }],
            area,
        };
        let single = (0..nodes as u32).filter(|node| pieces[*node as usize] != NONE);
        let mut rows: Vec<Row> = single
            .map(|node| row(node, NONE, plane.node_area()[node as usize]))
            .collect();
        let first = rows.len();
        rows.extend(
            (0..)
                .zip(&cut.copies)
                .map(|(copy, &node)| row(node, copy, 0.0)),
        );
        for zone in &cut.zone {
            let area = plane.element(zone.element).area;
            for part in zone.parts.iter().filter(|part| part.share > 0.0) {
                for (copy, weight) in part.copies.iter().zip(part.weights) {
                    if *copy != NONE {
                        rows[first + *copy as usize].area += weight * area;
                    }
                }
            }
        }
        Self {
            plane,
            held,
            rows,
            piece_count,
        }
    }

    /// The copies, in their order.
    pub(crate) fn copies(&self) -> &[Row] {
        let first = self.rows.partition_point(|row| row.copy == NONE);
        &self.rows[first..]
    }

    fn point(&self, row: &Row) -> DVec2 {
        self.plane.mesh().points()[row.node as usize]
    }

    /// Rigid motions of each piece that nothing but its inertia or its lips resists: three a piece, zero where there are fewer.
    pub(crate) fn rigid_motions(&self, relief: Relief) -> Vec<RigidMotions> {
        let (_, size) = self.frame_of(|_| true);
        let motions = |piece: u32| {
            let frame = self.frame_of(|row| row.piece == piece);
            let motions = match relief {
                Relief::Contacts if self.is_held(piece, size) => [[0.0; 3]; 3],
                Relief::Inertia | Relief::Contacts => {
                    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                }
                Relief::Grips => self.free_motions(piece, frame),
            };
            RigidMotions { frame, motions }
        };
        (0..self.piece_count as u32).map(motions).collect()
    }

    /// The motions of the piece of a row, there.
    pub(crate) fn motions_at(&self, row: &Row, pieces: &[RigidMotions]) -> [DVec2; 3] {
        let RigidMotions { frame, motions } = pieces[row.piece as usize];
        let arm = (self.point(row) - frame.0) / frame.1;
        motions.map(|[x, y, turn]| DVec2::new(x - turn * arm.y, y + turn * arm.x))
    }

    fn frame_of(&self, is_member: impl Fn(&Row) -> bool) -> Frame {
        let members = || self.rows.iter().filter(|row| is_member(row));
        let area: f64 = members().map(|row| row.area).sum();
        let centre = members()
            .map(|row| row.area * self.point(row))
            .sum::<DVec2>()
            / area;
        let spread: f64 = members()
            .map(|row| row.area * self.point(row).distance_squared(centre))
            .sum();
        (centre, (spread / area).sqrt())
    }

    /// Whether contacts hold a piece at places that are apart by more than the size of the whole plate.
    fn is_held(&self, piece: u32, size: f64) -> bool {
        let is_own = |row: &&Row| row.piece == piece && self.held[row.node as usize] == [true; 2];
        let held: Vec<DVec2> = self
            .rows
            .iter()
            .filter(is_own)
            .map(|row| self.point(row))
            .collect();
        let is_apart = |(i, a): (usize, &DVec2)| held[..i].iter().any(|b| a.distance(*b) > size);
        held.iter().enumerate().any(is_apart)
    }

    /// Rigid motions of a piece that its held components allow; the others are zero.
    fn free_motions(&self, piece: u32, (centre, size): Frame) -> [[f64; 3]; 3] {
        let mut gram = [[0.0; 3]; 3];
        for row in self.rows.iter().filter(|row| row.piece == piece) {
            let arm = (self.point(row) - centre) / size;
            let lines = [[1.0, 0.0, -arm.y], [0.0, 1.0, arm.x]];
            for (held, line) in self.held[row.node as usize].iter().zip(lines) {
                if *held {
                    for i in 0..3 {
                        for j in 0..3 {
                            gram[i][j] += line[i] * line[j];
                        }
                    }
                }
            }
        }
        null_space(gram)
    }
}

/// A vector without the components that are held.
pub(crate) fn unheld(vector: DVec2, [x, y]: Held) -> DVec2 {
    DVec2::new(
        if x { 0.0 } else { vector.x },
        if y { 0.0 } else { vector.y },
    )
}

fn root(parent: &mut [u32], mut k: u32) -> u32 {
    while parent[k as usize] != k {
        parent[k as usize] = parent[parent[k as usize] as usize];
        k = parent[k as usize];
    }
    k
}

/// The piece of each node, then of each copy, and their number; `NONE` for nodes that are doubled.
fn pieces(plane: &Plane, cut: &Cut) -> (Vec<u32>, usize) {
    let nodes = plane.node_count() as u32;
    let mut parent: Vec<u32> = (0..nodes + cut.copies.len() as u32).collect();
    let mut unite = |[a, b, c]: [u32; 3]| {
        for other in [b, c] {
            let (a, other) = (root(&mut parent, a), root(&mut parent, other));
            parent[a.max(other) as usize] = a.min(other);
        }
    };
    let mut is_zone = vec![false; plane.mesh().triangles().len()];
    for zone in &cut.zone {
        is_zone[zone.element as usize] = true;
        let corners = plane.mesh().triangles()[zone.element as usize];
        let row = |part: &Part, corner: usize| match part.copies[corner] {
            NONE => corners[corner],
            copy => nodes + copy,
        };
        for part in zone.parts.iter().filter(|part| part.share > 0.0) {
            unite([0, 1, 2].map(|corner| row(part, corner)));
        }
    }
    for (corners, _) in plane
        .mesh()
        .triangles()
        .iter()
        .zip(is_zone)
        .filter(|(_, zone)| !zone)
    {
        unite(*corners);
    }
    let mut is_doubled = vec![false; nodes as usize];
    for copy in &cut.copies {
        is_doubled[*copy as usize] = true;
    }
    let mut number = vec![NONE; parent.len()];
    let mut count = 0;
    let piece = |k: u32| {
        if is_doubled.get(k as usize) == Some(&true) {
            return NONE;
        }
        let root = root(&mut parent, k) as usize;
        if number[root] == NONE {
            number[root] = count;
            count += 1;
        }
        number[root]
    };
    let pieces = (0..nodes + cut.copies.len() as u32).map(piece).collect();
    (pieces, count as usize)
}
