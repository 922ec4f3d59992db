//! Dense least squares by Householder reflections.

/// min |A X − B|, A with at least as many rows as columns; columns of A and B are stored one after the other.
pub(super) struct LeastSquares {
    rows: usize,
    columns: usize,
    /// Columns of A, then of B.
    values: Vec<f64>,
    rights: usize,
}

impl LeastSquares {
    pub(super) fn new(rows: usize, columns: usize, rights: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![0.0; rows * (columns + rights)],
            rights,
        }
    }

    pub(super) fn matrix(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[column * self.rows + row]
    }

    pub(super) fn right(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[(self.columns + column) * self.rows + row]
    }

    /// The solutions, one after the other. Columns are scaled to length one: multipoles differ by many orders of magnitude.
    pub(super) fn solve(mut self) -> Vec<Vec<f64>> {
        let (m, n) = (self.rows, self.columns);
        let mut scales = Vec::with_capacity(n);
        for column in self.values.chunks_exact_mut(m).take(n) {
            let length = column.iter().map(|v| v * v).sum::<f64>().sqrt();
            for value in column.iter_mut() {
                *value /= length;
            }
            scales.push(length);
        }
        for k in 0..n {
            let (done, rest) = self.values.split_at_mut((k + 1) * m);
            let reflector = &mut done[k * m + k..];
            let length = reflector.iter().map(|v| v * v).sum::<f64>().sqrt();
            let pivot = if reflector[0] > 0.0 { -length } else { length };
            reflector[0] -= pivot;
            let square: f64 = reflector.iter().map(|v| v * v).sum();
            for column in rest.chunks_exact_mut(m) {
                let target = &mut column[k..];
                let product: f64 = reflector
                    .iter()
                    .zip(target.iter())
                    .map(|(a, b)| a * b)
                    .sum();
                let factor = 2.0 * product / square;
                for (t, r) in target.iter_mut().zip(reflector.iter()) {
                    *t -= factor * r;
                }
            }
            // Below the diagonal nothing is read again.
            reflector[0] = pivot;
        }
        (0..self.rights)
            .map(|right| {
                let mut x = self.values[(n + right) * m..][..n].to_vec();
                for k in (0..n).rev() {
                    x[k] /= self.values[k * m + k];
                    let value = x[k];
                    for (i, x) in x[..k].iter_mut().enumerate() {
                        *x -= self.values[k * m + i] * value;
                    }
                }
                x.iter().zip(&scales).map(|(x, scale)| x / scale).collect()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points_is_found() {
        let mut system = LeastSquares::new(4, 2, 1);
        for (row, [x, y]) in [[0.0, 1.0], [1.0, 3.0], [2.0, 5.0], [3.0, 7.5]]
            .into_iter()
            .enumerate()
        {
            *system.matrix(row, 0) = 1.0;
            *system.matrix(row, 1) = x;
            *system.right(row, 0) = y;
        }
        let found = system.solve();
        assert!(
            (found[0][0] - 0.9).abs() < 1e-12 && (found[0][1] - 2.15).abs() < 1e-12,
            "{found:?}"
        );
    }
}
