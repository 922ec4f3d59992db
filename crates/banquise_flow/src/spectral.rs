//! Fast solution of λ(α + λ) ψ = g, λ the eigenvalues of the five-point Laplacian: Fourier transforms along periodic axes, sine transforms
//! between walls.
//!
//! Three passes over the data, each over independent blocks: rows forward, columns forward and back with the division between, rows back. No number
//! is summed across blocks, so that the result does not depend on the number of threads.

use banquise_geometry::math;
use rayon::prelude::*;

use crate::fft::{Fft, LANES, Lane, SineTransform};
use crate::grid::Grid;

/// Real sequences in a block: two for each complex lane.
const BLOCK: usize = 2 * LANES;

/// Transform along one axis.
#[derive(Debug, Clone)]
pub(crate) enum Axis {
    Fourier(Fft),
    Sine(SineTransform),
}

impl Axis {
    pub(crate) fn new(n: usize, is_wall: bool) -> Self {
        if is_wall {
            Self::Sine(SineTransform::new(n))
        } else {
            Self::Fourier(Fft::new(n))
        }
    }

    pub(crate) fn run(&self, lanes: &mut Vec<Lane>, work: &mut Vec<Lane>) {
        match self {
            Self::Fourier(fft) => fft.run(lanes, work),
            Self::Sine(sine) => sine.run(lanes, work),
        }
    }

    /// Product of a forward and a backward transform.
    pub(crate) fn gain(&self, n: usize) -> f64 {
        match self {
            Self::Fourier(_) => n as f64,
            Self::Sine(_) => 0.5 * n as f64,
        }
    }

    /// 2 − 2 cos of the k-th mode: eigenvalue of the second difference.
    pub(crate) fn eigenvalue(&self, k: usize, n: usize) -> f64 {
        let full = match self {
            Self::Fourier(_) => std::f64::consts::TAU,
            Self::Sine(_) => std::f64::consts::PI,
        };
        let half = math::sin(0.5 * full * k as f64 / n as f64);
        4.0 * half * half
    }
}

/// Solver of the biharmonic equation, with inertia, on nodes of a grid; lengths in cells.
#[derive(Debug, Clone)]
pub(crate) struct Biharmonic {
    nx: usize,
    ny: usize,
    x: Axis,
    y: Axis,
    /// Eigenvalue of each real column of the transform along x: real and imaginary parts side by side, or sine coefficients.
    column_eigenvalues: Vec<f64>,
    row_eigenvalues: Vec<f64>,
    /// ρ h²/(μ Δt), zero without inertia.
    inertia: f64,
    /// Transformed rows: for each block of rows, columns, then rows.
    by_rows: Vec<f64>,
    /// Transformed back along y: for each block of columns, rows, then columns.
    by_columns: Vec<f64>,
}

impl Biharmonic {
    pub(crate) fn new(grid: &Grid, inertia: f64) -> Self {
        let [nx, ny] = grid.cells;
        let walls = grid.edges.walls();
        let [x, y] = [Axis::new(nx, walls[0]), Axis::new(ny, walls[1])];
        let mut column_eigenvalues: Vec<f64> = match &x {
            Axis::Fourier(_) => (0..2 * (nx / 2 + 1))
                .map(|column| x.eigenvalue(column / 2, nx))
                .collect(),
            Axis::Sine(_) => (0..nx).map(|k| x.eigenvalue(k, nx)).collect(),
        };
        column_eigenvalues.resize(column_eigenvalues.len().next_multiple_of(BLOCK), 0.0);
        let row_eigenvalues = (0..ny).map(|k| y.eigenvalue(k, ny)).collect();
        let columns = column_eigenvalues.len();
        Self {
            nx,
            ny,
            x,
            y,
            row_eigenvalues,
            inertia,
            by_rows: vec![0.0; ny.div_ceil(BLOCK) * columns * BLOCK],
            by_columns: vec![0.0; columns * ny],
            column_eigenvalues,
        }
    }

    /// Inverse of the operator on a mode whose Laplacian has the eigenvalue −λ.
    pub(crate) fn inverse(&self, eigenvalue: f64) -> f64 {
        1.0 / (eigenvalue * (self.inertia + eigenvalue))
    }

    /// Bytes of the work arrays.
    pub(crate) fn memory(&self) -> usize {
        8 * (self.by_rows.len() + self.by_columns.len())
    }

    /// Replaces g at the nodes by ψ. Along periodic axes ψ has mean zero; at walls both are zero.
    pub(crate) fn solve(&mut self, field: &mut [f64]) {
        let (nx, ny) = (self.nx, self.ny);
        assert_eq!(field.len(), nx * ny, "a field of the grid");
        let columns = self.column_eigenvalues.len();
        let work = |n: usize| move || (vec![Lane::ZERO; n], vec![Lane::ZERO; n]);
        let mut by_rows = std::mem::take(&mut self.by_rows);
        by_rows
            .par_chunks_mut(columns * BLOCK)
            .zip(field.par_chunks(BLOCK * nx))
            .for_each_init(work(nx), |(lanes, work), (out, rows)| {
                load_rows(rows, nx, lanes);
                self.x.run(lanes, work);
                self.store_columns(lanes, out);
            });
        let mut by_columns = std::mem::take(&mut self.by_columns);
        by_columns
            .par_chunks_mut(BLOCK * ny)
            .enumerate()
            .for_each_init(work(ny), |(lanes, work), (block, out)| {
                self.solve_columns(block, &by_rows, out, (lanes, work));
            });
        field.par_chunks_mut(BLOCK * nx).enumerate().for_each_init(
            work(nx),
            |(lanes, work), (block, rows)| {
                self.load_columns(block * BLOCK, rows.len() / nx, &by_columns, lanes);
                self.x.run(lanes, work);
                self.store_rows(lanes, rows);
            },
        );
        self.by_rows = by_rows;
        self.by_columns = by_columns;
    }

    /// Columns of a block of transformed rows: the rows of a lane are its real and imaginary parts.
    fn store_columns(&self, lanes: &[Lane], out: &mut [f64]) {
        let n = self.nx;
        match self.x {
            Axis::Sine(_) => {
                for (lane, column) in lanes.iter().zip(out.chunks_exact_mut(BLOCK)) {
                    for l in 0..LANES {
                        column[2 * l] = lane.re[l];
                        column[2 * l + 1] = lane.im[l];
                    }
                }
            }
            // Transforms of two real rows a, b from that of a + ib: A_k = ½(Z_k + Z*_{n−k}), B_k = −½i(Z_k − Z*_{n−k}).
            Axis::Fourier(_) => {
                for (k, pair) in out.chunks_exact_mut(2 * BLOCK).enumerate().take(n / 2 + 1) {
                    let (z, w) = (&lanes[k], &lanes[(n - k) % n]);
                    let (re, im) = pair.split_at_mut(BLOCK);
                    for l in 0..LANES {
                        re[2 * l] = 0.5 * (z.re[l] + w.re[l]);
                        im[2 * l] = 0.5 * (z.im[l] - w.im[l]);
                        re[2 * l + 1] = 0.5 * (z.im[l] + w.im[l]);
                        im[2 * l + 1] = 0.5 * (w.re[l] - z.re[l]);
                    }
                }
            }
        }
    }

    /// Transforms a block of columns, divides by the eigenvalues of the operator, transforms back.
    fn solve_columns(
        &self,
        block: usize,
        by_rows: &[f64],
        out: &mut [f64],
        (lanes, work): (&mut Vec<Lane>, &mut Vec<Lane>),
    ) {
        let columns = self.column_eigenvalues.len();
        for (y, lane) in lanes.iter_mut().enumerate() {
            let row = &by_rows[(y / BLOCK * columns + block * BLOCK) * BLOCK + y % BLOCK..];
            for l in 0..LANES {
                lane.re[l] = row[2 * l * BLOCK];
                lane.im[l] = row[(2 * l + 1) * BLOCK];
            }
        }
        self.y.run(lanes, work);
        let gain = self.x.gain(self.nx) * self.y.gain(self.ny);
        let eigenvalues = &self.column_eigenvalues[block * BLOCK..][..BLOCK];
        for (lane, &along_y) in lanes.iter_mut().zip(&self.row_eigenvalues) {
            let symbol = |along_x: f64| {
                let sum = along_x + along_y;
                // The constant, and the padding of the last block, have no solution and are left out.
                if sum > 0.0 {
                    1.0 / (gain * sum * (self.inertia + sum))
                } else {
                    0.0
                }
            };
            for l in 0..LANES {
                lane.re[l] *= symbol(eigenvalues[2 * l]);
                lane.im[l] *= symbol(eigenvalues[2 * l + 1]);
            }
        }
        let is_swapped = matches!(self.y, Axis::Fourier(_));
        if is_swapped {
            for lane in lanes.iter_mut() {
                *lane = lane.swapped();
            }
        }
        self.y.run(lanes, work);
        for (row, lane) in out.chunks_exact_mut(BLOCK).zip(lanes.iter()) {
            let (re, im) = if is_swapped {
                (&lane.im, &lane.re)
            } else {
                (&lane.re, &lane.im)
            };
            for l in 0..LANES {
                row[2 * l] = re[l];
                row[2 * l + 1] = im[l];
            }
        }
    }

    /// Lanes of a block of rows from columns, ready for the transform back along x.
    fn load_columns(&self, first: usize, rows: usize, by_columns: &[f64], lanes: &mut [Lane]) {
        let (n, ny) = (self.nx, self.ny);
        let value = |column: usize, row: usize| {
            if row < rows {
                by_columns[(column / BLOCK * ny + first + row) * BLOCK + column % BLOCK]
            } else {
                0.0
            }
        };
        match self.x {
            Axis::Sine(_) => {
                for (column, lane) in lanes.iter_mut().enumerate() {
                    for l in 0..LANES {
                        lane.re[l] = value(column, 2 * l);
                        lane.im[l] = value(column, 2 * l + 1);
                    }
                }
            }
            // Z_k = A_k + iB_k and Z_{n−k} = A*_k + iB*_k, real and imaginary parts exchanged for the inverse transform.
            Axis::Fourier(_) => {
                for k in 0..=n / 2 {
                    for l in 0..LANES {
                        let [a_re, a_im] = [0, 1].map(|part| value(2 * k + part, 2 * l));
                        let [b_re, b_im] = [0, 1].map(|part| value(2 * k + part, 2 * l + 1));
                        let mirror = &mut lanes[(n - k) % n];
                        mirror.im[l] = a_re + b_im;
                        mirror.re[l] = b_re - a_im;
                        let lane = &mut lanes[k];
                        lane.im[l] = a_re - b_im;
                        lane.re[l] = a_im + b_re;
                    }
                }
            }
        }
    }

    fn store_rows(&self, lanes: &[Lane], rows: &mut [f64]) {
        let is_swapped = matches!(self.x, Axis::Fourier(_));
        for (r, row) in rows.chunks_exact_mut(self.nx).enumerate() {
            for (value, lane) in row.iter_mut().zip(lanes) {
                // Even rows are real parts, odd rows imaginary parts; the inverse Fourier transform exchanges them.
                let part = if (r % 2 == 0) == is_swapped {
                    &lane.im
                } else {
                    &lane.re
                };
                *value = part[r / 2];
            }
        }
    }
}

/// Lanes of a block of rows: each has one row as real and one as imaginary part.
fn load_rows(rows: &[f64], nx: usize, lanes: &mut [Lane]) {
    if rows.len() < BLOCK * nx {
        lanes.fill(Lane::ZERO);
    }
    for (r, row) in rows.chunks_exact(nx).enumerate() {
        for (&value, lane) in row.iter().zip(lanes.iter_mut()) {
            let part = if r % 2 == 0 {
                &mut lane.re
            } else {
                &mut lane.im
            };
            part[r / 2] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Edges, after, before};

    fn laplacian(field: &[f64], grid: &Grid) -> Vec<f64> {
        let [nx, ny] = grid.cells;
        let walls = grid.edges.walls();
        let mut out = vec![0.0; nx * ny];
        for j in 0..ny {
            for i in 0..nx {
                if (walls[0] && i == 0) || (walls[1] && j == 0) {
                    continue;
                }
                out[j * nx + i] = field[j * nx + after(i, nx)]
                    + field[j * nx + before(i, nx)]
                    + field[after(j, ny) * nx + i]
                    + field[before(j, ny) * nx + i]
                    - 4.0 * field[j * nx + i];
            }
        }
        out
    }

    #[test]
    fn solutions_satisfy_the_difference_equation_on_all_kinds_of_edges() {
        for edges in [Edges::Periodic, Edges::Channel, Edges::Box] {
            for cells in [[12, 20], [15, 11], [16, 8]] {
                for inertia in [0.0, 0.7] {
                    let grid = Grid::try_new(cells, 1.0, edges).unwrap();
                    let [nx, ny] = cells;
                    let walls = edges.walls();
                    let mut psi: Vec<f64> = (0..nx * ny)
                        .map(|k| math::sin((k * k + 3 * k) as f64))
                        .collect();
                    for j in 0..ny {
                        for i in 0..nx {
                            if (walls[0] && i == 0) || (walls[1] && j == 0) {
                                psi[j * nx + i] = 0.0;
                            }
                        }
                    }
                    if edges == Edges::Periodic {
                        let mean = psi.iter().sum::<f64>() / psi.len() as f64;
                        for value in &mut psi {
                            *value -= mean;
                        }
                    }
                    let vorticity = laplacian(&psi, &grid);
                    let bending = laplacian(&vorticity, &grid);
                    let mut field: Vec<f64> = bending
                        .iter()
                        .zip(&vorticity)
                        .map(|(b, v)| b - inertia * v)
                        .collect();
                    Biharmonic::new(&grid, inertia).solve(&mut field);
                    for (found, known) in field.iter().zip(&psi) {
                        // A solution in doubles: rounding times the condition number of some thousands.
                        assert!((found - known).abs() < 1e-10, "{edges:?} {cells:?}");
                    }
                }
            }
        }
    }
}
