//! Preconditioner for stresses in cut cells: self-equilibrated stresses along the edge of each body.
//!
//! The stress field of a discrete Airy function χ, `τ_xx = −τ_yy = (∂xx − ∂yy) χ` at centres and `τ_xy = 2 ∂x∂y χ` at nodes, exerts no
//! force beyond a pressure, so that it causes no flow: only the compliance of cut cells resists it. Where a cut cell is nearly full
//! that compliance is small, and the conjugate gradients would need hundreds of iterations to find such stresses. Here they are found directly: the matrix Zᵀ(C + δ)Z, Z the map
//! from χ near the edge of a body to stresses and C the compliances, is sparse and narrow, and is factored for each body.

use rayon::prelude::*;

use crate::grid::{Grid, after, before};
use crate::samples::{NONE, SHARED, Samples};

/// Compliance δ added to all samples, since stresses in full cells meet none. Small against the compliance 1 − φ of cut cells that matter;
/// iterations do not change from 1e-5 to 1e-8.
const REGULARISATION: f64 = 1e-6;

/// Effect of χ at a centre on the stresses around it: samples of normal stress at the four neighbours.
const NORMAL: [f64; 4] = [1.0, 1.0, -1.0, -1.0];
/// Effect of χ at a centre on shear stresses at the four corners.
const SHEAR: [f64; 4] = [2.0, -2.0, -2.0, 2.0];

/// Factored matrices of all bodies.
#[derive(Debug, Clone)]
pub(crate) struct AiryPreconditioner {
    blocks: Vec<Block>,
    /// Airy function on the grid, zero where no block has a value.
    field: Vec<f64>,
    /// Places on the grid, row by row, with block and row within it.
    scattered: Vec<(u32, u32, u32)>,
    row_start: Vec<usize>,
}

/// The matrix of a body.
#[derive(Debug, Clone)]
struct Block {
    /// Places of χ in the elimination ordering.
    place: Vec<u32>,
    factor: Skyline,
    value: Vec<f64>,
}

/// The eight samples around a place: indices of the four centres (left, right, below, above) and of the four corners.
fn samples_around(
    grid: &Grid,
    centres: &Samples,
    nodes: &Samples,
    place: u32,
) -> Option<([u32; 4], [u32; 4])> {
    let [nx, ny] = grid.cells;
    let (i, j) = (place as usize % nx, place as usize / nx);
    let (left, right) = (before(i, nx), after(i, nx));
    let (below, above) = (before(j, ny), after(j, ny));
    let at = |samples: &Samples, i: usize, j: usize| samples.at[j * nx + i];
    let normal = [
        at(centres, left, j),
        at(centres, right, j),
        at(centres, i, below),
        at(centres, i, above),
    ];
    let shear = [
        at(nodes, i, j),
        at(nodes, right, j),
        at(nodes, i, above),
        at(nodes, right, above),
    ];
    let all = normal.iter().chain(&shear);
    all.copied()
        .all(|index| index != NONE)
        .then_some((normal, shear))
}

impl AiryPreconditioner {
    pub(crate) fn new(
        grid: &Grid,
        (centres, nodes): (&Samples, &Samples),
        (normal_compliance, shear_compliance): (&[f64], &[f64]),
        body_count: usize,
    ) -> Self {
        // Walls end the grid: an Airy function whose stencil wraps around them is none.
        let walls = grid.edges.walls();
        let [nx, ny] = grid.cells;
        let is_inside = |place: u32| {
            let (i, j) = (place as usize % nx, place as usize / nx);
            !(walls[0] && (i == 0 || i + 1 == nx)) && !(walls[1] && (j == 0 || j + 1 == ny))
        };
        let mut places = vec![Vec::new(); body_count];
        for (&place, &owner) in centres.place.iter().zip(&centres.owner) {
            if owner == SHARED || !is_inside(place) {
                continue;
            }
            let Some((normal, shear)) = samples_around(grid, centres, nodes, place) else {
                continue;
            };
            // Blocks of bodies that share a cell would grow together; stresses between them are left to the iteration. Keeping them in both blocks
            // takes more iterations.
            let is_own = normal.iter().all(|&k| centres.owner[k as usize] == owner)
                && shear.iter().all(|&k| nodes.owner[k as usize] == owner);
            let is_cut = normal.iter().any(|&k| normal_compliance[k as usize] > 0.0)
                || shear.iter().any(|&k| shear_compliance[k as usize] > 0.0);
            if is_own && is_cut {
                places[owner as usize].push(place);
            }
        }
        let blocks: Vec<Block> = places
            .into_par_iter()
            .filter(|list| !list.is_empty())
            .map(|list| {
                let entries = Entries {
                    grid,
                    centres,
                    nodes,
                    normal_compliance,
                    shear_compliance,
                };
                Block::new(&list, &entries)
            })
            .collect();
        let mut scattered: Vec<(u32, u32, u32)> = blocks
            .iter()
            .enumerate()
            .flat_map(|(b, block)| {
                let rows = block.place.iter().enumerate();
                rows.map(move |(row, &place)| (place, b as u32, row as u32))
            })
            .collect();
        scattered.par_sort_unstable();
        let row_start = (0..=ny)
            .map(|j| scattered.partition_point(|entry| (entry.0 as usize) < j * nx))
            .collect();
        Self {
            blocks,
            field: vec![0.0; grid.cell_count()],
            scattered,
            row_start,
        }
    }

    /// Bytes of factors and fields.
    pub(crate) fn memory(&self) -> usize {
        let factors = self.blocks.iter().map(|block| block.factor.value.len());
        8 * (factors.sum::<usize>() + self.field.len()) + 20 * self.scattered.len()
    }

    /// Adds Z (Zᵀ(C + δ)Z)⁻¹ Zᵀ r to `out`; `normal` and `shear` are r on the grid.
    pub(crate) fn add(
        &mut self,
        grid: &Grid,
        (centres, nodes): (&Samples, &Samples),
        (normal, shear): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        let [nx, ny] = grid.cells;
        self.blocks.par_iter_mut().for_each(|block| {
            for (value, &place) in block.value.iter_mut().zip(&block.place) {
                let (i, j) = (place as usize % nx, place as usize / nx);
                let (left, right) = (before(i, nx), after(i, nx));
                let (below, above) = (before(j, ny), after(j, ny));
                *value = normal[j * nx + left] + normal[j * nx + right]
                    - normal[below * nx + i]
                    - normal[above * nx + i]
                    + 2.0
                        * (shear[j * nx + i] - shear[j * nx + right] - shear[above * nx + i]
                            + shear[above * nx + right]);
            }
            block.factor.solve(&mut block.value);
        });
        let (blocks, scattered, row_start) = (&self.blocks, &self.scattered, &self.row_start);
        self.field
            .par_chunks_mut(nx)
            .enumerate()
            .for_each(|(j, row)| {
                for &(place, block, index) in &scattered[row_start[j]..row_start[j + 1]] {
                    row[place as usize - j * nx] = blocks[block as usize].value[index as usize];
                }
            });
        let field = &self.field;
        let (at_centres, at_nodes) = out.split_at_mut(centres.len());
        let each =
            |samples: &Samples, out: &mut [f64], stress: &(dyn Fn(usize, usize) -> f64 + Sync)| {
                out.par_chunks_mut(CHUNK)
                    .zip(samples.place.par_chunks(CHUNK))
                    .for_each(|(out, places)| {
                        for (value, &place) in out.iter_mut().zip(places) {
                            *value += stress(place as usize % nx, place as usize / nx);
                        }
                    });
            };
        each(centres, at_centres, &|i, j| {
            field[j * nx + after(i, nx)] + field[j * nx + before(i, nx)]
                - field[after(j, ny) * nx + i]
                - field[before(j, ny) * nx + i]
        });
        each(nodes, at_nodes, &|i, j| {
            let (left, below) = (before(i, nx), before(j, ny));
            2.0 * (field[j * nx + i] - field[j * nx + left] - field[below * nx + i]
                + field[below * nx + left])
        });
    }
}

/// Samples handled by one task: some microseconds of work.
const CHUNK: usize = 4096;

/// What the entries of a matrix are made of.
struct Entries<'a> {
    grid: &'a Grid,
    centres: &'a Samples,
    nodes: &'a Samples,
    normal_compliance: &'a [f64],
    shear_compliance: &'a [f64],
}

impl Entries<'_> {
    /// Calls `visit(other place, value)` for the parts of a row of the matrix, in a fixed order; parts of one entry come one by one.
    fn for_each(&self, place: u32, mut visit: impl FnMut(u32, f64)) {
        let [nx, _] = self.grid.cells;
        let (i, j) = ((place as usize % nx) as i64, (place as usize / nx) as i64);
        let (normal, shear) = samples_around(self.grid, self.centres, self.nodes, place)
            .expect("only places with all samples are kept");
        let to = |i, j| self.grid.place(i, j) as u32;
        let around = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        for (k, (di, dj)) in around.into_iter().enumerate() {
            let weight = NORMAL[k] * (self.normal_compliance[normal[k] as usize] + REGULARISATION);
            // χ at (i, j) acts on the centre at (i + di, j + dj), on which its own four neighbours act too.
            for (l, (ei, ej)) in around.into_iter().enumerate() {
                visit(to(i + di - ei, j + dj - ej), weight * NORMAL[l]);
            }
        }
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
        for (k, (di, dj)) in corners.into_iter().enumerate() {
            let weight = SHEAR[k] * (self.shear_compliance[shear[k] as usize] + REGULARISATION);
            for (l, (ei, ej)) in corners.into_iter().enumerate() {
                visit(to(i + di - ei, j + dj - ej), weight * SHEAR[l]);
            }
        }
    }
}

impl Block {
    fn new(places: &[u32], entries: &Entries<'_>) -> Self {
        let index = |place: u32| places.binary_search(&place).ok();
        let neighbours: Vec<Vec<usize>> = places
            .iter()
            .map(|&place| {
                let mut list = Vec::new();
                entries.for_each(place, |other, _| list.extend(index(other)));
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let order = reverse_cuthill_mckee(&neighbours);
        let mut rank = vec![0; order.len()];
        for (row, &old) in order.iter().enumerate() {
            rank[old] = row;
        }
        let first = order
            .iter()
            .map(|&old| neighbours[old].iter().map(|&other| rank[other]).min())
            .enumerate()
            .map(|(row, first)| first.map_or(row, |first| first.min(row)));
        let mut factor = Skyline::new(first.collect());
        for (row, &old) in order.iter().enumerate() {
            entries.for_each(places[old], |other, value| {
                if let Some(column) = index(other).map(|other| rank[other])
                    && column <= row
                {
                    factor.add(row, column, value);
                }
            });
        }
        factor.factorise();
        Self {
            value: vec![0.0; places.len()],
            place: order.into_iter().map(|old| places[old]).collect(),
            factor,
        }
    }
}

/// An order in which connected rows are close: breadth first from a row of few neighbours far out, reversed (Cuthill and `McKee` 1969; George 1971).
fn reverse_cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let n = neighbours.len();
    let mut order = Vec::with_capacity(n);
    let mut is_done = vec![false; n];
    for start in 0..n {
        if is_done[start] {
            continue;
        }
        // The last row of a first search is far from the others.
        let far = breadth_first(neighbours, start, &mut is_done.clone());
        let far = far.last().copied().unwrap_or(start);
        order.extend(breadth_first(neighbours, far, &mut is_done));
    }
    order.reverse();
    order
}

fn breadth_first(neighbours: &[Vec<usize>], start: usize, is_done: &mut [bool]) -> Vec<usize> {
    let mut order = vec![start];
    is_done[start] = true;
    let mut next = 0;
    while let Some(&row) = order.get(next) {
        next += 1;
        let mut fresh: Vec<usize> = neighbours[row]
            .iter()
            .copied()
            .filter(|&other| !is_done[other])
            .collect();
        fresh.sort_by_key(|&other| (neighbours[other].len(), other));
        for other in fresh {
            is_done[other] = true;
            order.push(other);
        }
    }
    order
}

/// A symmetric matrix stored by rows from the first entry to the diagonal, and its Cholesky factor in the same place.
#[derive(Debug, Clone)]
struct Skyline {
    first: Vec<usize>,
    /// Start of each row, such that entry (i, j) is at `start[i] + j`; rows begin at `first[i]`.
    start: Vec<isize>,
    value: Vec<f64>,
}

impl Skyline {
    fn new(first: Vec<usize>) -> Self {
        let mut length = 0;
        let mut start = Vec::with_capacity(first.len());
        for (row, &column) in first.iter().enumerate() {
            start.push(length as isize - column as isize);
            length += row - column + 1;
        }
        Self {
            first,
            start,
            value: vec![0.0; length],
        }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        (self.start[row] + column as isize) as usize
    }

    fn add(&mut self, row: usize, column: usize, value: f64) {
        let at = self.at(row, column);
        self.value[at] += value;
    }

    /// Entries of a row from a column up to, but not including, another.
    fn part(&self, row: usize, from: usize, to: usize) -> &[f64] {
        &self.value[self.at(row, from)..self.at(row, to)]
    }

    fn factorise(&mut self) {
        for i in 0..self.first.len() {
            for j in self.first[i]..=i {
                let from = self.first[i].max(self.first[j]);
                let sum: f64 = self
                    .part(i, from, j)
                    .iter()
                    .zip(self.part(j, from, j))
                    .map(|(a, b)| a * b)
                    .sum();
                let at = self.at(i, j);
                if j < i {
                    self.value[at] = (self.value[at] - sum) / self.value[self.at(j, j)];
                } else {
                    // The matrix is positive definite by δ; rounding of the largest compliances must not take that away.
                    let least = REGULARISATION * REGULARISATION;
                    self.value[at] = (self.value[at] - sum).max(least).sqrt();
                }
            }
        }
    }

    fn solve(&self, x: &mut [f64]) {
        for i in 0..x.len() {
            let row = self.part(i, self.first[i], i);
            let sum: f64 = row
                .iter()
                .zip(&x[self.first[i]..i])
                .map(|(a, b)| a * b)
                .sum();
            x[i] = (x[i] - sum) / self.value[self.at(i, i)];
        }
        for i in (0..x.len()).rev() {
            x[i] /= self.value[self.at(i, i)];
            let (before, rest) = x.split_at_mut(i);
            for (value, a) in before[self.first[i]..]
                .iter_mut()
                .zip(self.part(i, self.first[i], i))
            {
                *value -= a * rest[0];
            }
        }
    }
}
