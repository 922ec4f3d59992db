//! Small dense symmetric systems, and the complementarity problem of lips that may not overlap.

/// A symmetric matrix; its lower triangle counts.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    size: usize,
    values: Vec<f64>,
}

impl Dense {
    pub(crate) fn zero(size: usize) -> Self {
        Self {
            size,
            values: vec![0.0; size * size],
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(crate) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[row * self.size + column]
    }

    /// The lower triangle of a row.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..=row * self.size + row]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[row * self.size..(row + 1) * self.size]
    }

    /// Subtracts the first rows and columns of another.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for row in 0..self.size {
            let values = self.row_mut(row)[..=row].iter_mut();
            for (value, other) in values.zip(other.row(row)) {
                *value -= other;
            }
        }
    }

    /// The rows and columns named.
    pub(crate) fn restricted(&self, to: &[usize]) -> Self {
        let mut part = Self::zero(to.len());
        for (i, &row) in to.iter().enumerate() {
            for (j, &column) in to[..=i].iter().enumerate() {
                *part.at_mut(i, j) = self.at(row.max(column), row.min(column));
            }
        }
        part
    }

    /// The Cholesky factor; `None` if the matrix is not positive definite. Zeros before the first entry of a row stay zeros.
    pub(crate) fn cholesky(mut self) -> Option<DenseFactor> {
        let n = self.size;
        let mut first: Vec<usize> = Vec::with_capacity(n);
        for row in 0..n {
            let (above, current) = self.values.split_at_mut(row * n);
            let zeros = current[..row].iter().take_while(|value| **value == 0.0);
            let start = zeros.count();
            for column in start..row {
                let from = start.max(first[column]);
                let other = &above[column * n..=column * n + column];
                let sum = dot(&current[from..column], &other[from..column]);
                current[column] = (current[column] - sum) / other[column];
            }
            let pivot = current[row] - dot(&current[start..row], &current[start..row]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            current[row] = pivot.sqrt();
            first.push(start);
        }
        Some(DenseFactor { lower: self, first })
    }
}

/// Four partial sums: one would wait for each addition.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (whole_a, whole_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = whole_a
        .remainder()
        .iter()
        .zip(whole_b.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in whole_a.zip(whole_b) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// A lower triangular factor.
#[derive(Clone, Debug)]
pub(crate) struct DenseFactor {
    lower: Dense,
    /// Column of the first entry of each row.
    first: Vec<usize>,
}

impl DenseFactor {
    /// L⁻¹ in place, for a right-hand side that is zero before `first`.
    pub(crate) fn forward(&self, x: &mut [f64], first: usize) {
        let n = self.lower.size;
        for row in first..n {
            let line = &self.lower.values[row * n..=row * n + row];
            let from = self.first[row].max(first);
            let sum = dot(&line[from..row], &x[from..row]);
            x[row] = (x[row] - sum) / line[row];
        }
    }

    /// L⁻ᵀ in place.
    pub(crate) fn backward(&self, x: &mut [f64]) {
        let n = self.lower.size;
        for row in (0..n).rev() {
            let line = &self.lower.values[row * n..=row * n + row];
            let value = x[row] / line[row];
            x[row] = value;
            let from = self.first[row];
            for (target, l) in x[from..row].iter_mut().zip(&line[from..]) {
                *target -= l * value;
            }
        }
    }
}

/// Multipliers μ ≥ 0 with g + F μ ≥ 0 and μ·(g + F μ) = 0, for a positive definite F.
///
/// Block principal pivoting (Júdice and Pires 1994): all wrong signs change sides at once, and where that does not
/// make them fewer, the last wrong one alone (Murty), which ends for certain.
/// `None` if F is not positive definite or the pivots do not end.
pub(crate) fn complementarity(matrix: &Dense, gaps: &[f64], tolerance: f64) -> Option<Vec<f64>> {
    let n = gaps.len();
    let mut is_active = vec![false; n];
    let (mut fewest, mut attempts) = (n + 1, BLOCK_PIVOTS);
    for _ in 0..PIVOT_LIMIT {
        let active: Vec<usize> = (0..n).filter(|i| is_active[*i]).collect();
        let mut part: Vec<f64> = active.iter().map(|&i| -gaps[i]).collect();
        let factor = matrix.restricted(&active).cholesky()?;
        factor.forward(&mut part, 0);
        factor.backward(&mut part);
        let mut multipliers = vec![0.0; n];
        for (&i, value) in active.iter().zip(&part) {
            multipliers[i] = *value;
        }
        let is_wrong = |i: usize| {
            if is_active[i] {
                return multipliers[i] < 0.0;
            }
            let push: f64 = active
                .iter()
                .map(|&j| matrix.at(i.max(j), i.min(j)) * multipliers[j])
                .sum();
            gaps[i] + push < -tolerance
        };
        let wrong: Vec<usize> = (0..n).filter(|i| is_wrong(*i)).collect();
        let Some(&last) = wrong.last() else {
            return Some(multipliers);
        };
        let all = if wrong.len() < fewest {
            (fewest, attempts) = (wrong.len(), BLOCK_PIVOTS);
            true
        } else {
            attempts = attempts.saturating_sub(1);
            attempts > 0
        };
        let changed = if all { wrong } else { vec![last] };
        for i in changed {
            is_active[i] = !is_active[i];
        }
    }
    None
}

/// Block pivots without progress before single ones.
const BLOCK_PIVOTS: usize = 4;

/// Pivots after which a complementarity problem is given up; problems of cracks take fewer than twenty.
const PIVOT_LIMIT: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complementarity_problem_is_solved() {
        let mut matrix = Dense::zero(3);
        for (row, values) in [[4.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 0.5, 2.0]]
            .iter()
            .enumerate()
        {
            matrix.row_mut(row).copy_from_slice(values);
        }
        let gaps = [-1.0, 2.0, -3.0];
        let mu = complementarity(&matrix, &gaps, 1e-12).unwrap();
        for i in 0..3 {
            let gap = gaps[i]
                + (0..3)
                    .map(|j| matrix.at(i.max(j), i.min(j)) * mu[j])
                    .sum::<f64>();
            assert!(mu[i] >= 0.0 && gap >= -1e-12 && (mu[i] * gap).abs() < 1e-12);
        }
        assert!(mu[2] > 0.0 && mu[1] == 0.0);
    }
}
