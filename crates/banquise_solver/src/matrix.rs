//! Dense matrices, stored by columns, and their factorisation.

use crate::workspace::{PooledVec, SolverContext};

/// A dense matrix, column after column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix<'w> {
    rows: usize,
    columns: usize,
    values: PooledVec<'w, f64>,
}

impl<'w> Matrix<'w> {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![0.0; rows * columns].into(),
        }
    }

    /// A matrix of zeros in the memory of a workspace.
    pub(crate) fn zeros_in(context: SolverContext<'w>, rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: context.filled(0.0, rows * columns),
        }
    }

    /// A matrix from its rows, which must have one length.
    pub fn from_rows(rows: &[Vec<f64>]) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        let mut matrix = Self::zeros(rows.len(), columns);
        for (i, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), columns, "row {i} has another length than row 0");
            for (j, &value) in row.iter().enumerate() {
                matrix.set(i, j, value);
            }
        }
        matrix
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One entry.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.rows + row]
    }

    /// Sets one entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[column * self.rows + row] = value;
    }

    /// Adds to one entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[column * self.rows + row] += value;
    }

    /// One column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows..(column + 1) * self.rows]
    }

    /// Whether every entry is a finite number.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }

    /// Largest absolute entry.
    pub fn max_abs(&self) -> f64 {
        self.values
            .iter()
            .fold(0.0, |max, value| max.max(value.abs()))
    }

    /// `self · vector + constant`.
    pub(crate) fn affine(
        &self,
        context: SolverContext<'w>,
        vector: &[f64],
        constant: &[f64],
    ) -> PooledVec<'w, f64> {
        let mut result = context.copied(constant);
        for (column, &factor) in vector.iter().enumerate() {
            if factor != 0.0 {
                for (sum, entry) in result.iter_mut().zip(self.column(column)) {
                    *sum += entry * factor;
                }
            }
        }
        result
    }
}

/// Sum of the products, in eight lanes of a fixed order: one chain of additions would wait for each of
/// them in turn.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (x, y) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}

/// A factorisation P A = L U with the pivots chosen by rows.
#[derive(Debug, Clone)]
pub(crate) struct Lu<'w> {
    context: SolverContext<'w>,
    size: usize,
    /// L below the diagonal, U on and above it, by rows.
    factors: PooledVec<'w, f64>,
    order: PooledVec<'w, usize>,
}

impl<'w> Lu<'w> {
    /// Factors the square matrix with these entries, by rows; `None` if it is singular to
    /// round-off, judged by pivots against the largest entry.
    pub(crate) fn factor(
        context: SolverContext<'w>,
        mut entries: PooledVec<'w, f64>,
        size: usize,
    ) -> Option<Self> {
        let singular = context.settings.pivoting.singular;
        context.spend(size * size * size * 2 / 3);
        let largest = entries
            .iter()
            .fold(0.0_f64, |max, value| max.max(value.abs()));
        let mut order = context.collect(0..size);
        for step in 0..size {
            let pivot_row = (step..size).max_by(|&a, &b| {
                let entry = |row: usize| entries[row * size + step].abs();
                entry(a).total_cmp(&entry(b))
            })?;
            if entries[pivot_row * size + step].abs() <= singular * largest {
                return None;
            }
            if pivot_row != step {
                order.swap(pivot_row, step);
                for column in 0..size {
                    entries.swap(pivot_row * size + column, step * size + column);
                }
            }
            let (upper, lower) = entries.split_at_mut((step + 1) * size);
            let pivot = &upper[step * size..];
            for row in lower.chunks_mut(size) {
                let factor = row[step] / pivot[step];
                row[step] = factor;
                if factor != 0.0 {
                    for (entry, above) in row[step + 1..].iter_mut().zip(&pivot[step + 1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        Some(Self {
            context,
            size,
            factors: entries,
            order,
        })
    }

    /// Solves A x = b.
    pub(crate) fn solve(&self, right: &[f64]) -> PooledVec<'w, f64> {
        self.context.spend(2 * self.size * self.size);
        let row = |i: usize| &self.factors[i * self.size..(i + 1) * self.size];
        let mut x = self.context.collect(self.order.iter().map(|&i| right[i]));
        for i in 0..self.size {
            let known = dot(&row(i)[..i], &x[..i]);
            x[i] -= known;
        }
        for i in (0..self.size).rev() {
            let known = dot(&row(i)[i + 1..], &x[i + 1..]);
            x[i] = (x[i] - known) / row(i)[i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SolverSettings;
    use crate::workspace::SolverWorkspace;

    #[test]
    fn a_permuted_system_is_solved() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let entries = vec![0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 4.0, 0.0, -1.0];
        let lu = Lu::factor(context, entries.into(), 3).unwrap();
        let x = lu.solve(&[7.0, 6.0, 1.0]);
        for (value, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        assert!(Lu::factor(context, vec![1.0, 2.0, 2.0, 4.0].into(), 2).is_none());
        assert!(Lu::factor(context, vec![0.0].into(), 1).is_none());
    }
}
