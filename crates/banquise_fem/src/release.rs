//! The energy that a crack releases.
//!
//! With u the displacements before, the plate with the crack finds v = u + w: w vanishes where displacements are held,
//! the lips do not overlap, and Π = E − W is least. What is not near the crack is eliminated once (static condensation), and a
//! dense system on the copies of cut nodes is left.

use banquise_geometry::DVec2;

use crate::cholesky::{Factor, LowerRows};
use crate::cut::{CrackPath, Cut, LipPoint};
use crate::dense::{Dense, DenseFactor};
use crate::lips::{Column, Lips, Loaded};
use crate::matrix3::{inverse, null_space};
use crate::plane::{Held, Plane, masked, with_unit};

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

/// A plate in equilibrium, ready to be cut.
pub(crate) struct Strained<'a> {
    pub plane: &'a Plane,
    pub displacement: &'a [DVec2],
    /// Components of displacement that a crack does not change.
    pub held: &'a [Held],
    /// Body force on each node for a unit of area \[N/m²\]: drag and inertia.
    pub body_force: &'a [DVec2],
    pub relief: Relief,
    pub lips: Lips,
}

/// What a crack does.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// Drop of Π \[J\].
    pub energy: f64,
    /// Lip points that touch.
    pub closed: usize,
    /// All lip points.
    pub lips: usize,
    /// Pieces of the plate.
    pub pieces: usize,
}

/// Share of the compliance that makes constraints of tiny pieces, all of whose nodes are copies, soft instead of singular.
const SOFTNESS: f64 = 1e-9;

/// Softness of such a constraint where grips leave a piece free to move: so soft that it slides along its lips, as it may, and stiff enough for a factor.
const FREE_SOFTNESS: f64 = 1e4;

impl Strained<'_> {
    /// The drop of Π that the crack brings; `None` if it cuts no triangle or a triangle twice.
    pub(crate) fn release(&self, path: &CrackPath) -> Option<Release> {
        let cut = Cut::new(self.plane.mesh(), path)?;
        let along = *path.points.last()? - path.points[0];
        let opened = Opened::new(self, &cut, along);
        let (factor, schur) = Factor::partial(&opened.rows, opened.interior)?;
        let compliance = opened.condense(self, &factor, schur)?;
        let mut load = opened.unbalanced(self, &cut);
        compliance.forward(&mut load, 0);
        let jumps = |direction: &dyn Fn(&LipPoint) -> DVec2| -> Vec<Column> {
            let column = |lip: &LipPoint| opened.column(lip, direction(lip), &compliance);
            cut.lips.iter().map(column).collect()
        };
        let across = jumps(&|lip| lip.normal);
        let loaded = Loaded {
            ends: &opened.ends,
            load: &load,
        };
        let closed = match self.lips {
            Lips::Interlocked => {
                let along = (*path.points.last()? - path.points[0]).normalize();
                loaded.close_smooth(&across, &jumps(&|_| along))?
            }
            Lips::Smooth => loaded.close_smooth(&across, &[])?,
            Lips::Rough => loaded.close_rough(&across, || jumps(&|lip| lip.normal.perp()))?,
        };
        Some(Release {
            energy: (closed.free - closed.lost).max(0.0),
            closed: closed.points,
            lips: cut.lips.len(),
            pieces: opened.piece_count,
        })
    }
}

/// The matrix of a plate with a crack: nodes away from it first, then copies, piece by piece.
struct Opened {
    rows: LowerRows,
    interior: usize,
    /// Row of each copy, after the interior.
    place: Vec<u32>,
    /// For each row: its point, area \[m²\], held components and piece.
    points: Vec<DVec2>,
    areas: Vec<f64>,
    held: Vec<Held>,
    pieces: Vec<u32>,
    piece_count: usize,
    /// Where the components of the copies of each piece end, of those that have copies.
    ends: Vec<usize>,
}

type Entry = (u32, [f64; 4]);

impl Opened {
    fn new(strained: &Strained<'_>, cut: &Cut, along: DVec2) -> Self {
        let plane = strained.plane;
        let mut is_doubled = vec![false; plane.node_count()];
        for copy in &cut.copies {
            is_doubled[*copy as usize] = true;
        }
        let inner: Vec<u32> = plane
            .order()
            .iter()
            .copied()
            .filter(|n| !is_doubled[*n as usize])
            .collect();
        let mut position = vec![u32::MAX; plane.node_count()];
        for (place, node) in inner.iter().enumerate() {
            position[*node as usize] = place as u32;
        }
        let entries = copy_entries(plane, cut, &position, inner.len());
        let (pieces, piece_count) = pieces(plane, &inner, &position, &entries);
        let mut sorted: Vec<u32> = (0..cut.copies.len() as u32).collect();
        // In order along the crack: jumps then leave out the rows before them.
        let piece = |copy: u32| pieces[inner.len() + copy as usize];
        let place_along = |copy: u32| {
            let node = cut.copies[copy as usize];
            along.dot(plane.mesh().points()[node as usize])
        };
        sorted.sort_by(|&a, &b| {
            let by_place = place_along(a).total_cmp(&place_along(b));
            piece(a).cmp(&piece(b)).then(by_place).then(a.cmp(&b))
        });
        let mut ends = Vec::new();
        for own in sorted.chunk_by(|&a, &b| piece(a) == piece(b)) {
            ends.push(ends.last().copied().unwrap_or(0) + 2 * own.len());
        }
        let count = inner.len() + sorted.len();
        let blocks = plane.block_count() + entries.iter().map(Vec::len).sum::<usize>();
        let mut opened = Self {
            rows: LowerRows::with_capacity(count, blocks),
            interior: inner.len(),
            place: vec![0; sorted.len()],
            points: Vec::with_capacity(count),
            areas: Vec::with_capacity(count),
            held: Vec::with_capacity(count),
            pieces: Vec::with_capacity(count),
            piece_count,
            ends,
        };
        for (place, copy) in sorted.iter().enumerate() {
            opened.place[*copy as usize] = place as u32;
        }
        for (k, node) in inner.iter().enumerate() {
            opened.points.push(plane.mesh().points()[*node as usize]);
            opened.areas.push(plane.node_area()[*node as usize]);
            opened.held.push(strained.held[*node as usize]);
            opened.pieces.push(pieces[k]);
        }
        for &copy in &sorted {
            let node = cut.copies[copy as usize] as usize;
            opened.points.push(plane.mesh().points()[node]);
            opened.areas.push(0.0);
            // All copies are held. The force of a contact node acts through its shape function, on both sides of a crack that
            // starts beside it: with a copy left free, its part of the force would be released.
            opened.held.push(strained.held[node]);
            opened.pieces.push(pieces[inner.len() + copy as usize]);
        }
        for zone in &cut.zone {
            let area = plane.element(zone.element).area;
            for part in zone.parts.iter().filter(|part| part.share > 0.0) {
                for (copy, weight) in part.copies.iter().zip(part.weights) {
                    if let Some(place) = opened.place.get(*copy as usize) {
                        opened.areas[opened.interior + *place as usize] += weight * area;
                    }
                }
            }
        }
        opened.fill_rows(plane, &inner, &position, &entries, &sorted);
        opened
    }

    fn fill_rows(
        &mut self,
        plane: &Plane,
        inner: &[u32],
        position: &[u32],
        entries: &[Vec<Entry>],
        sorted: &[u32],
    ) {
        for (k, &node) in inner.iter().enumerate() {
            let mut diagonal = [0.0; 4];
            for (other, block) in plane.row(node) {
                let column = position[other as usize];
                if column as usize == k {
                    diagonal = with_unit(masked(block, self.held[k], self.held[k]), self.held[k]);
                } else if (column as usize) < k {
                    self.rows.push(
                        column,
                        masked(block, self.held[k], self.held[column as usize]),
                    );
                }
            }
            self.rows.push(k as u32, diagonal);
            self.rows.end_row();
        }
        for (place, &copy) in sorted.iter().enumerate() {
            let k = self.interior + place;
            let mut diagonal = [0.0; 4];
            for &(column, block) in &entries[copy as usize] {
                let column = match (column as usize).checked_sub(self.interior) {
                    Some(other) => self.interior + self.place[other] as usize,
                    None => column as usize,
                };
                let block = masked(block, self.held[k], self.held[column]);
                if column == k {
                    diagonal = with_unit(block, self.held[k]);
                } else if column < k {
                    self.rows.push(column as u32, block);
                }
            }
            self.rows.push(k as u32, diagonal);
            self.rows.end_row();
        }
    }

    /// The Schur complement with the constraints on rigid motion, factorised.
    fn condense(
        &self,
        strained: &Strained<'_>,
        factor: &Factor,
        mut schur: Dense,
    ) -> Option<DenseFactor> {
        let mut modes = self.rigid_modes(strained.relief);
        let weight: f64 = modes.iter().flatten().flatten().map(|x| x * x).sum();
        if weight == 0.0 {
            // Grips hold every piece.
            return schur.cholesky();
        }
        factor.forward(&mut modes);
        let stiffest = (0..schur.size())
            .map(|i| schur.at(i, i))
            .fold(0.0, f64::max);
        let share = match strained.relief {
            Relief::Inertia | Relief::Contacts => SOFTNESS,
            Relief::Grips => FREE_SOFTNESS,
        };
        let softness = share * weight / stiffest.max(f64::MIN_POSITIVE);
        let (inner, copies) = modes.split_at(self.interior);
        for piece in 0..self.piece_count as u32 {
            let mut gram = [[0.0; 3]; 3];
            for (mode, _) in inner.iter().zip(&self.pieces).filter(|(_, p)| **p == piece) {
                for i in 0..3 {
                    for j in 0..3 {
                        gram[i][j] += mode[i][0] * mode[j][0] + mode[i][1] * mode[j][1];
                    }
                }
            }
            for (i, row) in gram.iter_mut().enumerate() {
                row[i] += softness;
            }
            let inverse = inverse(gram);
            let rows: Vec<usize> = (0..copies.len())
                .filter(|r| self.pieces[self.interior + r] == piece)
                .collect();
            for (&row, component) in rows.iter().flat_map(|row| [(row, 0), (row, 1)]) {
                let b = [0, 1, 2].map(|i| copies[row][i][component]);
                let scaled = [0, 1, 2].map(|i| (0..3).map(|j| inverse[i][j] * b[j]).sum::<f64>());
                let target = schur.row_mut(2 * row + component);
                for &other in rows.iter().take_while(|other| **other <= row) {
                    for c in 0..2 {
                        target[2 * other + c] +=
                            (0..3).map(|i| scaled[i] * copies[other][i][c]).sum::<f64>();
                    }
                }
            }
        }
        schur.cholesky()
    }

    /// Rigid motions of each piece times the area of the node; zero where held.
    fn rigid_modes(&self, relief: Relief) -> Vec<[[f64; 2]; 3]> {
        let frames: Vec<(DVec2, f64)> = (0..self.piece_count as u32)
            .map(|piece| self.frame(piece))
            .collect();
        let motions: Vec<[[f64; 3]; 3]> = (0..self.piece_count)
            .map(|piece| match relief {
                Relief::Contacts if self.is_held(piece as u32) => [[0.0; 3]; 3],
                Relief::Inertia | Relief::Contacts => {
                    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                }
                Relief::Grips => self.free_motions(piece as u32, frames[piece]),
            })
            .collect();
        (0..self.points.len())
            .map(|k| {
                let piece = self.pieces[k] as usize;
                let (centre, size) = frames[piece];
                let arm = (self.points[k] - centre) / size;
                motions[piece].map(|[x, y, turn]| {
                    let value = [x - turn * arm.y, y + turn * arm.x];
                    [0, 1].map(|c| {
                        if self.held[k][c] {
                            0.0
                        } else {
                            self.areas[k] * value[c]
                        }
                    })
                })
            })
            .collect()
    }

    /// Centre of area and size of a piece.
    fn frame(&self, piece: u32) -> (DVec2, f64) {
        self.frame_of(|k| self.pieces[k] == piece)
    }

    /// Centre of area and radius of gyration of some rows.
    fn frame_of(&self, is_member: impl Fn(usize) -> bool) -> (DVec2, f64) {
        let members = || (0..self.points.len()).filter(|k| is_member(*k));
        let area: f64 = members().map(|k| self.areas[k]).sum();
        let centre = members()
            .map(|k| self.areas[k] * self.points[k])
            .sum::<DVec2>()
            / area;
        let spread: f64 = members()
            .map(|k| self.areas[k] * self.points[k].distance_squared(centre))
            .sum();
        (centre, (spread / area).sqrt())
    }

    /// Whether contacts hold a piece at places that are apart by more than the radius of gyration of the whole plate.
    fn is_held(&self, piece: u32) -> bool {
        let (_, size) = self.frame_of(|_| true);
        let is_own = |k: &usize| self.pieces[*k] == piece && self.held[*k] == [true; 2];
        let rows = (0..self.points.len()).filter(is_own);
        let held: Vec<DVec2> = rows.map(|k| self.points[k]).collect();
        let is_apart = |(i, a): (usize, &DVec2)| held[..i].iter().any(|b| a.distance(*b) > size);
        held.iter().enumerate().any(is_apart)
    }

    /// Rigid motions of a piece that its held components allow; the others are zero.
    fn free_motions(&self, piece: u32, (centre, size): (DVec2, f64)) -> [[f64; 3]; 3] {
        let mut gram = [[0.0; 3]; 3];
        for k in (0..self.points.len()).filter(|k| self.pieces[*k] == piece) {
            let arm = (self.points[k] - centre) / size;
            for (held, row) in self.held[k]
                .iter()
                .zip([[1.0, 0.0, -arm.y], [0.0, 1.0, arm.x]])
            {
                if *held {
                    for i in 0..3 {
                        for j in 0..3 {
                            gram[i][j] += row[i] * row[j];
                        }
                    }
                }
            }
        }
        null_space(gram)
    }

    /// Forces that the parts of cut triangles no longer balance, on the copies.
    fn unbalanced(&self, strained: &Strained<'_>, cut: &Cut) -> Vec<f64> {
        let plane = strained.plane;
        let mut load = vec![0.0; 2 * cut.copies.len()];
        for zone in &cut.zone {
            let strain = plane.strain(zone.element, strained.displacement);
            let stress = plane.elasticity().stress(strain);
            let element = plane.element(zone.element);
            for part in zone.parts.iter().filter(|part| part.share > 0.0) {
                for (corner, copy) in part.copies.iter().enumerate() {
                    let Some(copy) = cut.copies.get(*copy as usize).map(|node| (*node, *copy))
                    else {
                        continue;
                    };
                    let body =
                        strained.body_force[copy.0 as usize] * part.weights[corner] * element.area;
                    let force =
                        body - part.share * plane.thickness() * element.force(corner, stress);
                    let place = self.place[copy.1 as usize] as usize;
                    load[2 * place] += force.x;
                    load[2 * place + 1] += force.y;
                }
            }
        }
        for (place, held) in self.held[self.interior..].iter().enumerate() {
            for c in 0..2 {
                if held[c] {
                    load[2 * place + c] = 0.0;
                }
            }
        }
        load
    }

    /// L⁻¹ of the jump of the displacement at a lip point, in a direction.
    fn column(&self, lip: &LipPoint, direction: DVec2, compliance: &DenseFactor) -> Column {
        let mut values = vec![0.0; 2 * self.place.len()];
        let mut first = self.ends.clone();
        for (copy, weight) in &lip.jump {
            let place = self.place[*copy as usize] as usize;
            let held = self.held[self.interior + place];
            let piece = self.ends.partition_point(|end| *end <= 2 * place);
            for (c, part) in [direction.x, direction.y].into_iter().enumerate() {
                if !held[c] {
                    values[2 * place + c] += weight * part;
                    first[piece] = first[piece].min(2 * place + c);
                }
            }
        }
        for (&from, &end) in first.iter().zip(&self.ends) {
            compliance.forward_in(&mut values, from..end);
        }
        Column { values, first }
    }
}

/// Entries of the row of each copy: interior columns by their row, copies after them by number; sorted, each once.
fn copy_entries(plane: &Plane, cut: &Cut, position: &[u32], interior: usize) -> Vec<Vec<Entry>> {
    let mut entries: Vec<Vec<Entry>> = vec![Vec::with_capacity(24); cut.copies.len()];
    for zone in &cut.zone {
        let element = plane.element(zone.element);
        let nodes = plane.mesh().triangles()[zone.element as usize];
        let mut blocks = [[[0.0; 4]; 3]; 3];
        for (a, row) in blocks.iter_mut().enumerate() {
            for (b, block) in row.iter_mut().enumerate() {
                *block = element.stiffness(a, b, plane.elasticity());
            }
        }
        for part in zone.parts.iter().filter(|part| part.share > 0.0) {
            let scale = part.share * plane.thickness();
            for (a, row) in part.copies.iter().enumerate() {
                let Some(row) = entries.get_mut(*row as usize) else {
                    continue;
                };
                for (b, copy) in part.copies.iter().enumerate() {
                    let column = match position[nodes[b] as usize] {
                        u32::MAX => interior as u32 + copy,
                        column => column,
                    };
                    row.push((column, blocks[a][b].map(|value| scale * value)));
                }
            }
        }
    }
    for row in &mut entries {
        row.sort_by_key(|(column, _)| *column);
        row.dedup_by(|(column, block), (kept, sum)| {
            let is_same = column == kept;
            if is_same {
                for (target, value) in sum.iter_mut().zip(block) {
                    *target += *value;
                }
            }
            is_same
        });
    }
    entries
}

fn root(parent: &mut [u32], mut k: u32) -> u32 {
    while parent[k as usize] != k {
        parent[k as usize] = parent[parent[k as usize] as usize];
        k = parent[k as usize];
    }
    k
}

/// The piece of each row, and their number.
fn pieces(
    plane: &Plane,
    inner: &[u32],
    position: &[u32],
    entries: &[Vec<Entry>],
) -> (Vec<u32>, usize) {
    let mut parent: Vec<u32> = (0..(inner.len() + entries.len()) as u32).collect();
    let mut unite = |a: u32, b: u32| {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b) as usize] = a.min(b);
    };
    for (k, &node) in inner.iter().enumerate() {
        for (other, _) in plane.row(node) {
            let column = position[other as usize];
            if (column as usize) < k {
                unite(k as u32, column);
            }
        }
    }
    for (copy, row) in entries.iter().enumerate() {
        for (column, _) in row {
            unite((inner.len() + copy) as u32, *column);
        }
    }
    let mut number = vec![u32::MAX; parent.len()];
    let mut count = 0;
    let pieces = (0..parent.len() as u32)
        .map(|k| {
            let root = root(&mut parent, k) as usize;
            if number[root] == u32::MAX {
                number[root] = count;
                count += 1;
            }
            number[root]
        })
        .collect();
    (pieces, count as usize)
}
