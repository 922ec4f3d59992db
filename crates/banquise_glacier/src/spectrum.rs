//! Eigenvalues of small dense matrices: Householder's reduction to Hessenberg form, then Francis's QR
//! iteration with double shifts (Golub and Van Loan, *Matrix Computations*, algorithms 7.4.2 and 7.5.2).

/// A square matrix, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    size: usize,
    entries: Vec<f64>,
}

impl Dense {
    /// A matrix of zeros.
    pub fn zeros(size: usize) -> Self {
        Self {
            size,
            entries: vec![0.0; size * size],
        }
    }

    /// A matrix of these rows.
    pub fn from_rows<const N: usize>(rows: &[[f64; N]; N]) -> Self {
        Self {
            size: N,
            entries: rows.concat(),
        }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The entry in a row and column.
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// The entry in a row and column, to be changed.
    #[inline]
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }

    /// Largest modulus of the eigenvalues; NaN if they cannot be found.
    pub fn spectral_radius(self) -> f64 {
        let Some(eigenvalues) = self.eigenvalues() else {
            return f64::NAN;
        };
        let moduli = eigenvalues
            .iter()
            .map(|[re, im]| (re * re + im * im).sqrt());
        moduli.fold(0.0, f64::max)
    }

    /// The eigenvalues as [real, imaginary]; nothing if an entry is not finite or the iteration does not end.
    pub fn eigenvalues(mut self) -> Option<Vec<[f64; 2]>> {
        if !self.entries.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        self.reduce();
        let mut found = Vec::with_capacity(self.size);
        let mut end = self.size;
        let mut tries = 0;
        while end > 0 {
            let start = self.deflate(end, tries >= MAX_ACCURATE_TRIES);
            match end - start {
                1 => found.push([self.at(start, start), 0.0]),
                2 => found.extend(self.pair(start)),
                _ => {
                    tries += 1;
                    if tries > MAX_TRIES {
                        return None;
                    }
                    self.francis(start, end, tries % EXCEPTIONAL == 0);
                    continue;
                }
            }
            end = start;
            tries = 0;
        }
        Some(found)
    }

    /// To Hessenberg form, by reflections from both sides.
    fn reduce(&mut self) {
        let n = self.size;
        for k in 0..n.saturating_sub(2) {
            let column: Vec<f64> = (k + 1..n).map(|i| self.at(i, k)).collect();
            let Some((v, factor)) = reflection(&column) else {
                continue;
            };
            self.reflect_rows(k + 1, &v, factor, k..n);
            self.reflect_columns(k + 1, &v, factor, 0..n);
            for i in k + 2..n {
                *self.at_mut(i, k) = 0.0;
            }
        }
    }

    /// Where the last block that does not fall apart begins; small entries below the diagonal become zero: small
    /// beside their neighbours, or in the end beside the whole matrix, which is as much as rounding has done to it.
    fn deflate(&mut self, end: usize, is_coarse: bool) -> usize {
        for k in (1..end).rev() {
            let neighbours = self.at(k - 1, k - 1).abs() + self.at(k, k).abs();
            let scale = if is_coarse || neighbours == 0.0 {
                self.norm()
            } else {
                neighbours
            };
            if self.at(k, k - 1).abs() <= f64::EPSILON * scale {
                *self.at_mut(k, k - 1) = 0.0;
                return k;
            }
        }
        0
    }

    fn norm(&self) -> f64 {
        let squares: f64 = self.entries.iter().map(|entry| entry * entry).sum();
        squares.sqrt()
    }

    /// Eigenvalues of the block of two at `start`.
    fn pair(&self, start: usize) -> [[f64; 2]; 2] {
        let (a, b) = (self.at(start, start), self.at(start, start + 1));
        let (c, d) = (self.at(start + 1, start), self.at(start + 1, start + 1));
        let half = 0.5 * (a - d);
        let discriminant = half * half + b * c;
        let middle = 0.5 * (a + d);
        if discriminant < 0.0 {
            let im = (-discriminant).sqrt();
            return [[middle, im], [middle, -im]];
        }
        let root = discriminant.sqrt();
        // The larger one first, the other from the product: no cancellation.
        let large = if middle >= 0.0 {
            middle + root
        } else {
            middle - root
        };
        let product = a * d - b * c;
        let small = if large == 0.0 { 0.0 } else { product / large };
        [[large, 0.0], [small, 0.0]]
    }

    /// One double step on the block `start..end`, of three rows at least.
    fn francis(&mut self, start: usize, end: usize, is_exceptional: bool) {
        let last = end - 1;
        // The shifts are the eigenvalues of the last two rows, by their diagonal and a product off it.
        let mut shifts = [self.at(last - 1, last - 1), self.at(last, last)];
        let mut product = self.at(last - 1, last) * self.at(last, last - 1);
        if is_exceptional {
            let size = self.at(last, last - 1).abs() + self.at(last - 1, last - 2).abs();
            shifts = [0.75 * size, 0.75 * size];
            product = -0.4375 * size * size;
        }
        // First column of (H − a)(H − b) over h10: differences first, since eigenvalues may lie close together.
        let (h00, h10) = (self.at(start, start), self.at(start + 1, start));
        let [a, b] = shifts.map(|shift| shift - h00);
        let mut bulge = vec![
            (a * b - product) / h10 + self.at(start, start + 1),
            self.at(start + 1, start + 1) - h00 - a - b,
            self.at(start + 2, start + 1),
        ];
        for k in start..last {
            if let Some((v, factor)) = reflection(&bulge) {
                self.reflect_rows(k, &v, factor, k.saturating_sub(1).max(start)..end);
                self.reflect_columns(k, &v, factor, start..(k + 4).min(end));
                if k > start {
                    for i in k + 1..(k + 3).min(end) {
                        *self.at_mut(i, k - 1) = 0.0;
                    }
                }
            }
            if k + 1 == last {
                break;
            }
            let reach = (k + 4).min(end);
            bulge = (k + 1..reach).map(|i| self.at(i, k)).collect();
        }
    }

    /// Rows from `top` on reflected, in some columns.
    fn reflect_rows(
        &mut self,
        top: usize,
        v: &[f64],
        factor: f64,
        columns: std::ops::Range<usize>,
    ) {
        for j in columns {
            let dot: f64 = v
                .iter()
                .enumerate()
                .map(|(i, v)| v * self.at(top + i, j))
                .sum();
            for (i, v) in v.iter().enumerate() {
                *self.at_mut(top + i, j) -= factor * dot * v;
            }
        }
    }

    /// Columns from `left` on reflected, in some rows.
    fn reflect_columns(
        &mut self,
        left: usize,
        v: &[f64],
        factor: f64,
        rows: std::ops::Range<usize>,
    ) {
        for i in rows {
            let dot: f64 = v
                .iter()
                .enumerate()
                .map(|(j, v)| v * self.at(i, left + j))
                .sum();
            for (j, v) in v.iter().enumerate() {
                *self.at_mut(i, left + j) -= factor * dot * v;
            }
        }
    }
}

/// Double steps for one eigenvalue; two or three are usual.
const MAX_TRIES: u32 = 300;
/// Every so many steps without success the shifts are changed.
const EXCEPTIONAL: u32 = 10;
/// Steps for one eigenvalue after which deflation accepts larger rounding errors.
const MAX_ACCURATE_TRIES: u32 = 30;

/// v and f such that I − f v vᵀ maps `x` on its first axis; nothing if it is there already.
fn reflection(x: &[f64]) -> Option<(Vec<f64>, f64)> {
    let scale = x.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if x.len() < 2 || scale == 0.0 || x[1..].iter().all(|&x| x == 0.0) {
        return None;
    }
    let mut v: Vec<f64> = x.iter().map(|x| x / scale).collect();
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    v[0] += length.copysign(v[0]);
    let factor = 2.0 / v.iter().map(|v| v * v).sum::<f64>();
    Some((v, factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(dense: Dense) -> Vec<[f64; 2]> {
        let mut list = dense.eigenvalues().unwrap();
        list.sort_by(|a, b| a.partial_cmp(b).unwrap());
        list
    }

    #[test]
    fn known_eigenvalues_are_found() {
        let companion = Dense::from_rows(&[[6.0, -11.0, 6.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        for ([re, im], expected) in sorted(companion).into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((re - expected).abs() < 1e-12 && im == 0.0);
        }
        let rotation = Dense::from_rows(&[[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, -2.0]]);
        let list = sorted(rotation);
        assert!((list[0][0] + 2.0).abs() < 1e-14);
        assert!((list[1][0] - 0.6).abs() < 1e-14 && (list[1][1].abs() - 0.8).abs() < 1e-14);
    }

    #[test]
    fn a_cyclic_shift_needs_exceptional_steps_and_ends() {
        let n = 8;
        let mut shift = Dense::zeros(n);
        for i in 0..n {
            *shift.at_mut(i, (i + 1) % n) = 1.0;
        }
        for [re, im] in shift.eigenvalues().unwrap() {
            assert!((re * re + im * im - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn sums_and_products_agree_with_trace_for_a_full_matrix() {
        let n = 30;
        let mut dense = Dense::zeros(n);
        for i in 0..n {
            for j in 0..n {
                *dense.at_mut(i, j) = ((7 * i + 13 * j * j + i * j) % 17) as f64 - 8.0;
            }
        }
        let trace: f64 = (0..n).map(|i| dense.at(i, i)).sum();
        let square: f64 = (0..n)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| dense.at(i, j) * dense.at(j, i))
            .sum();
        let list = dense.eigenvalues().unwrap();
        let sum: f64 = list.iter().map(|[re, _]| re).sum();
        let squares: f64 = list.iter().map(|[re, im]| re * re - im * im).sum();
        assert!((sum - trace).abs() < 1e-10 * n as f64);
        assert!((squares - square).abs() < 1e-9 * square.abs().max(1.0));
    }

    #[test]
    fn what_is_not_finite_has_no_radius() {
        assert!(Dense::from_rows(&[[f64::NAN]]).spectral_radius().is_nan());
        assert_eq!(Dense::from_rows(&[[-3.0]]).spectral_radius(), 3.0);
    }
}
