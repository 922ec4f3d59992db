//! Nonnegative least squares (Lawson & Hanson 1974, algorithm NNLS): x ≥ 0 that makes |A x − b| least.
//!
//! The residual of the minimum is also the answer to a question of linear inequalities: where it is zero, b is in the cone of the
//! columns; where it is not, it is a vector that separates b from them (Farkas).

use crate::matrix::dot;
use crate::workspace::{PooledVec, SolverContext};

/// A column whose part outside the span of the others is below this, its length being one, depends on them. Opposite contacts whose
/// closing speed is a billionth of their common speed differ by as much.
const DEPENDENT: f64 = 1e-11;
/// The slope along a column below which it is not taken, columns and target having length one. Residuals are told from zero at
/// 1e-6 and corrected afterwards, so that digits beyond this would decide nothing.
const LEAST_SLOPE: f64 = 1e-12;
/// Changes of the support for each column. Three are usual at most.
const CHANGES_PER_COLUMN: usize = 6;

/// Sparse columns of length one.
pub(crate) struct Columns<'w> {
    rows: usize,
    /// Where each column begins; one more at the end.
    starts: PooledVec<'w, usize>,
    rows_of: PooledVec<'w, usize>,
    values: PooledVec<'w, f64>,
    /// What each column was multiplied by to have length one; zero for a column of zeros.
    pub(crate) scales: PooledVec<'w, f64>,
}

impl<'w> Columns<'w> {
    pub(crate) fn new(context: SolverContext<'w>, rows: usize) -> Self {
        Self {
            rows,
            starts: context.filled(0, 1),
            rows_of: context.empty(),
            values: context.empty(),
            scales: context.empty(),
        }
    }

    /// Adds a column. Entries of one row are added together.
    pub(crate) fn push(&mut self, entries: &[(usize, f64)]) {
        let start = self.values.len();
        for &(row, value) in entries {
            let known = (start..self.values.len()).find(|&place| self.rows_of[place] == row);
            if let Some(place) = known {
                self.values[place] += value;
            } else {
                self.rows_of.push(row);
                self.values.push(value);
            }
        }
        let squares = self.values[start..].iter().map(|value| value * value);
        let length = squares.sum::<f64>().sqrt();
        let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
        for value in &mut self.values[start..] {
            *value *= scale;
        }
        self.scales.push(scale);
        self.starts.push(self.values.len());
    }

    pub(crate) fn count(&self) -> usize {
        self.scales.len()
    }

    fn entries(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[column]..self.starts[column + 1];
        let rows = self.rows_of[range.clone()].iter().copied();
        rows.zip(self.values[range].iter().copied())
    }

    fn dot(&self, column: usize, vector: &[f64]) -> f64 {
        self.entries(column).map(|(row, x)| x * vector[row]).sum()
    }
}

/// The support of a minimum: the columns with positive weights, their weights, and their factors Q R.
pub(crate) struct Support<'a, 'w> {
    context: SolverContext<'w>,
    columns: &'a Columns<'w>,
    pub(crate) chosen: PooledVec<'w, usize>,
    pub(crate) weights: PooledVec<'w, f64>,
    /// Q, column after column.
    basis: PooledVec<'w, f64>,
    /// R, column after column of as many entries as there are rows.
    upper: PooledVec<'w, f64>,
}

/// Finds the minimum, or the best point when the limit of changes of the support is reached.
pub(crate) fn nonnegative_least_squares<'a, 'w>(
    context: SolverContext<'w>,
    columns: &'a Columns<'w>,
    target: &[f64],
) -> Support<'a, 'w> {
    let mut support = Support {
        context,
        columns,
        chosen: context.empty(),
        weights: context.empty(),
        basis: context.empty(),
        upper: context.empty(),
    };
    // Columns without progress are not tried again before the support has changed.
    let mut is_barred = context.filled(false, columns.count());
    for _ in 0..CHANGES_PER_COLUMN * columns.count() {
        let residual = support.residual(target);
        let slopes = (0..columns.count())
            .filter(|&column| !is_barred[column] && !support.chosen.contains(&column))
            .map(|column| (column, columns.dot(column, &residual)));
        let steepest = slopes.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some((column, _)) = steepest.filter(|(_, slope)| *slope > LEAST_SLOPE) else {
            break;
        };
        if support.enter(column, target) {
            is_barred.fill(false);
        } else {
            is_barred[column] = true;
        }
    }
    support
}

impl<'w> Support<'_, 'w> {
    /// b − A x.
    pub(crate) fn residual(&self, target: &[f64]) -> PooledVec<'w, f64> {
        let mut residual = self.context.copied(target);
        for (&column, &weight) in self.chosen.iter().zip(&self.weights) {
            for (row, value) in self.columns.entries(column) {
                residual[row] -= weight * value;
            }
        }
        residual
    }

    /// Takes a column into the support and moves to the minimum, dropping columns whose weights vanish on the way. False if the
    /// column cannot have a positive weight.
    fn enter(&mut self, column: usize, target: &[f64]) -> bool {
        if !self.add(column) {
            return false;
        }
        self.weights.push(0.0);
        let mut aim = self.solve(target);
        if aim.last().is_none_or(|&weight| weight <= 0.0) {
            self.remove(self.chosen.len() - 1);
            return false;
        }
        loop {
            let length = |(weight, aim): (&f64, &f64)| match aim {
                aim if *aim <= 0.0 => weight / (weight - aim),
                _ => 1.0,
            };
            let lengths = self.weights.iter().zip(&aim).map(length);
            let lengths = self.context.collect(lengths);
            let step = lengths.iter().copied().fold(1.0, f64::min);
            for (weight, aim) in self.weights.iter_mut().zip(&aim) {
                *weight += step * (aim - *weight);
            }
            if step >= 1.0 {
                return true;
            }
            for position in (0..lengths.len()).rev() {
                if lengths[position] <= step {
                    self.remove(position);
                }
            }
            aim = self.solve(target);
        }
    }

    /// Least squares on the support.
    pub(crate) fn solve(&self, target: &[f64]) -> PooledVec<'w, f64> {
        let (rows, count) = (self.columns.rows, self.chosen.len());
        let basis = self.basis.chunks_exact(rows);
        let mut x = self.context.collect(basis.map(|q| dot(q, target)));
        for i in (0..count).rev() {
            x[i] /= self.upper[i * rows + i];
            let known = x[i];
            for row in 0..i {
                x[row] -= known * self.upper[i * rows + row];
            }
        }
        x
    }

    /// Adds a column to the factors; false if it depends on the others.
    fn add(&mut self, column: usize) -> bool {
        let (rows, count) = (self.columns.rows, self.chosen.len());
        if count == rows {
            return false;
        }
        let mut rest = self.context.filled(0.0, rows);
        for (row, value) in self.columns.entries(column) {
            rest[row] = value;
        }
        let mut shares = self.context.filled(0.0, rows);
        // Once more against rounding: twice is enough (Kahan).
        for _ in 0..2 {
            for (q, share) in self.basis.chunks_exact(rows).zip(shares.iter_mut()) {
                let part = dot(q, &rest);
                *share += part;
                for (entry, along) in rest.iter_mut().zip(q) {
                    *entry -= part * along;
                }
            }
        }
        let length = dot(&rest, &rest).sqrt();
        if length.is_nan() || length <= DEPENDENT {
            return false;
        }
        shares[count] = length;
        self.chosen.push(column);
        self.upper.reserve_pooled(rows);
        self.upper.extend_from_slice(&shares);
        self.basis.reserve_pooled(rows);
        self.basis.extend(rest.iter().map(|entry| entry / length));
        true
    }

    /// Removes a column; rotations make R upper triangular again (Givens).
    fn remove(&mut self, position: usize) {
        let rows = self.columns.rows;
        self.chosen.remove(position);
        self.weights.remove(position);
        self.upper.drain(position * rows..(position + 1) * rows);
        for i in position..self.chosen.len() {
            let (a, b) = (self.upper[i * rows + i], self.upper[i * rows + i + 1]);
            let length = (a * a + b * b).sqrt();
            let (cosine, sine) = (a / length, b / length);
            for column in self.upper[i * rows..].chunks_exact_mut(rows) {
                let (a, b) = (column[i], column[i + 1]);
                (column[i], column[i + 1]) = (cosine * a + sine * b, cosine * b - sine * a);
            }
            let (first, second) = self.basis[i * rows..(i + 2) * rows].split_at_mut(rows);
            for (a, b) in first.iter_mut().zip(second) {
                (*a, *b) = (cosine * *a + sine * *b, cosine * *b - sine * *a);
            }
        }
        let left = self.chosen.len() * rows;
        self.basis.truncate(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::with_defaults;

    fn minimum(columns: &[&[f64]], target: &[f64]) -> (Vec<f64>, Vec<f64>) {
        with_defaults(|context| {
            let mut matrix = Columns::new(context, target.len());
            for column in columns {
                let entries: Vec<_> = column.iter().copied().enumerate().collect();
                matrix.push(&entries);
            }
            let support = nonnegative_least_squares(context, &matrix, target);
            let mut x = vec![0.0; columns.len()];
            for (&column, &weight) in support.chosen.iter().zip(&support.weights) {
                x[column] = weight * matrix.scales[column];
            }
            (x, support.residual(target).into_vec())
        })
    }

    #[test]
    fn a_target_within_the_cone_is_reached() {
        let (x, residual) = minimum(&[&[1.0, 0.0], &[1.0, 1.0], &[1.0, 3.0]], &[4.0, 2.0]);
        assert!(x.iter().all(|&weight| weight >= 0.0));
        assert!(residual.iter().all(|r| r.abs() < 1e-14));
    }

    #[test]
    fn the_residual_separates_a_target_outside() {
        let columns: [&[f64]; 4] = [
            &[1.0, 0.2, 0.0],
            &[0.3, 1.0, 0.1],
            &[0.5, -0.4, 2.0],
            &[-1.0, 0.1, 0.4],
        ];
        let target = [-1.0, -2.0, 0.5];
        let (_, residual) = minimum(&columns, &target);
        let along = |v: &[f64]| v.iter().zip(&residual).map(|(a, b)| a * b).sum::<f64>();
        assert!(along(&target) > 0.1);
        for column in columns {
            assert!(along(column) < 1e-12);
        }
    }
}
