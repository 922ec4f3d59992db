//! Sparse Cholesky factors in blocks of two by two.
//!
//! Up-looking: row `k` of the factor solves a triangular system whose pattern is the reach of row `k` in the
//! elimination tree (Davis, *Direct Methods for Sparse Linear Systems*, 2006, chapter 4).

/// A block of two by two, by rows.
pub(crate) type Block = [f64; 4];

const NO_PARENT: u32 = u32::MAX;

/// The lower triangle of a symmetric matrix, by rows, in elimination order.
#[derive(Clone, Debug, Default)]
pub(crate) struct LowerRows {
    /// Row `k` has the entries `start[k]..start[k + 1]`; its diagonal block is the last of them.
    pub start: Vec<u32>,
    pub columns: Vec<u32>,
    pub blocks: Vec<Block>,
}

impl LowerRows {
    /// No rows yet, with room for so many rows and blocks.
    pub(crate) fn with_capacity(rows: usize, blocks: usize) -> Self {
        let mut start = Vec::with_capacity(rows + 1);
        start.push(0);
        Self {
            start,
            columns: Vec::with_capacity(blocks),
            blocks: Vec::with_capacity(blocks),
        }
    }

    pub(crate) fn push(&mut self, column: u32, block: Block) {
        self.columns.push(column);
        self.blocks.push(block);
    }

    /// Ends a row; its diagonal block was pushed last.
    pub(crate) fn end_row(&mut self) {
        self.start.push(self.columns.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.start.len() - 1
    }

    fn row(&self, k: usize) -> std::ops::Range<usize> {
        self.start[k] as usize..self.start[k + 1] as usize - 1
    }

    fn diagonal(&self, k: usize) -> Block {
        self.blocks[self.start[k + 1] as usize - 1]
    }
}

/// Right-hand sides that are solved for together.
pub(crate) const WIDTH: usize = 8;

/// Two components of some right-hand sides at one row.
pub(crate) type Lanes = [[f64; WIDTH]; 2];

/// L.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    start: Vec<u32>,
    rows: Vec<u32>,
    blocks: Vec<Block>,
    /// 1/l₁₁, l₂₁, 1/l₂₂ of the diagonal blocks.
    diagonal: Vec<[f64; 3]>,
}

impl Factor {
    /// `None` if a pivot is not positive: the matrix is not positive definite.
    pub(crate) fn new(matrix: &LowerRows) -> Option<Self> {
        let total = matrix.len();
        let parent = elimination_tree(matrix);
        let mut reach = Reach::new(total);
        let mut start = vec![0_u32; total + 1];
        for k in 0..total {
            for &j in reach.of_row(matrix, k, &parent) {
                start[j as usize + 1] += 1;
            }
        }
        for j in 0..total {
            start[j + 1] += start[j];
        }
        let entries = start[total] as usize;
        let mut factor = Self {
            rows: vec![0; entries],
            blocks: vec![[0.0; 4]; entries],
            diagonal: vec![[0.0; 3]; total],
            start,
        };
        factor.fill(matrix, &parent, &mut Reach::new(total))?;
        Some(factor)
    }

    fn fill(&mut self, matrix: &LowerRows, parent: &[u32], reach: &mut Reach) -> Option<()> {
        let total = matrix.len();
        let mut end: Vec<u32> = self.start[..total].to_vec();
        let mut x = vec![[0.0; 4]; total];
        for k in 0..total {
            for entry in matrix.row(k) {
                x[matrix.columns[entry] as usize] = matrix.blocks[entry];
            }
            let mut pivot = matrix.diagonal(k);
            for &j in reach.of_row(matrix, k, parent) {
                let j = j as usize;
                let row = divide(std::mem::replace(&mut x[j], [0.0; 4]), self.diagonal[j]);
                let column = self.start[j] as usize..end[j] as usize;
                for (i, block) in self.rows[column.clone()].iter().zip(&self.blocks[column]) {
                    subtract_product(&mut x[*i as usize], row, *block);
                }
                subtract_product(&mut pivot, row, row);
                let place = end[j] as usize;
                self.rows[place] = k as u32;
                self.blocks[place] = row;
                end[j] += 1;
            }
            self.diagonal[k] = factor_block(pivot, matrix.diagonal(k))?;
        }
        Some(())
    }

    fn column(&self, j: usize) -> impl Iterator<Item = (usize, Block)> + '_ {
        let range = self.start[j] as usize..self.start[j + 1] as usize;
        let rows = self.rows[range.clone()].iter().map(|row| *row as usize);
        rows.zip(self.blocks[range].iter().copied())
    }

    /// Solves in place.
    pub(crate) fn solve(&self, x: &mut [[f64; 2]]) {
        for j in 0..self.diagonal.len() {
            let [first, below, second] = self.diagonal[j];
            let s0 = x[j][0] * first;
            let s1 = (x[j][1] - below * s0) * second;
            x[j] = [s0, s1];
            for (row, [a, b, c, d]) in self.column(j) {
                x[row][0] -= a * s0 + b * s1;
                x[row][1] -= c * s0 + d * s1;
            }
        }
        for j in (0..self.diagonal.len()).rev() {
            let mut value = x[j];
            for (row, [a, b, c, d]) in self.column(j) {
                let [s0, s1] = x[row];
                value[0] -= a * s0 + c * s1;
                value[1] -= b * s0 + d * s1;
            }
            let [first, below, second] = self.diagonal[j];
            value[1] *= second;
            value[0] = (value[0] - below * value[1]) * first;
            x[j] = value;
        }
    }

    /// L⁻¹ of right-hand sides, in place, where `is_reached` marks the rows that are not zero; then also those that these reach.
    pub(crate) fn forward(&self, x: &mut [Lanes], is_reached: &mut [bool]) {
        for j in 0..self.diagonal.len() {
            if !is_reached[j] {
                continue;
            }
            let [first, below, second] = self.diagonal[j];
            let [mut s0, mut s1] = x[j];
            for lane in 0..WIDTH {
                s0[lane] *= first;
                s1[lane] = (s1[lane] - below * s0[lane]) * second;
            }
            x[j] = [s0, s1];
            for (row, [a, b, c, d]) in self.column(j) {
                is_reached[row] = true;
                let [t0, t1] = &mut x[row];
                for lane in 0..WIDTH {
                    t0[lane] -= a * s0[lane] + b * s1[lane];
                    t1[lane] -= c * s0[lane] + d * s1[lane];
                }
            }
        }
    }

    /// Blocks of two by two below the diagonal.
    pub(crate) fn fill_in(&self) -> usize {
        self.blocks.len()
    }
}

/// Parents in the elimination tree (Liu's algorithm, with path compression).
fn elimination_tree(matrix: &LowerRows) -> Vec<u32> {
    let mut parent = vec![NO_PARENT; matrix.len()];
    let mut ancestor = vec![NO_PARENT; matrix.len()];
    for k in 0..matrix.len() {
        for entry in matrix.row(k) {
            let mut i = matrix.columns[entry] as usize;
            while i < k {
                let next = std::mem::replace(&mut ancestor[i], k as u32);
                if next == NO_PARENT {
                    parent[i] = k as u32;
                    break;
                }
                i = next as usize;
            }
        }
    }
    parent
}

/// Which columns a row of the factor has.
struct Reach {
    mark: Vec<u32>,
    stack: Vec<u32>,
    path: Vec<u32>,
}

impl Reach {
    fn new(total: usize) -> Self {
        Self {
            mark: vec![u32::MAX; total],
            stack: vec![0; total],
            path: Vec::new(),
        }
    }

    /// Columns of row `k`, in an order in which each comes after those it depends on.
    fn of_row(&mut self, matrix: &LowerRows, k: usize, parent: &[u32]) -> &[u32] {
        let mut top = self.stack.len();
        for entry in matrix.row(k) {
            let mut i = matrix.columns[entry] as usize;
            self.path.clear();
            while self.mark[i] != k as u32 {
                self.mark[i] = k as u32;
                self.path.push(i as u32);
                i = match parent[i] {
                    NO_PARENT => break,
                    next => next as usize,
                };
                if i >= k {
                    break;
                }
            }
            while let Some(node) = self.path.pop() {
                top -= 1;
                self.stack[top] = node;
            }
        }
        &self.stack[top..]
    }
}

/// x L⁻ᵀ for a diagonal block L.
#[inline]
fn divide([a, b, c, d]: Block, [first, below, second]: [f64; 3]) -> Block {
    let (a, c) = (a * first, c * first);
    [a, (b - a * below) * second, c, (d - c * below) * second]
}

/// target −= row blockᵀ.
#[inline]
fn subtract_product(target: &mut Block, row: Block, block: Block) {
    target[0] -= row[0] * block[0] + row[1] * block[1];
    target[1] -= row[0] * block[2] + row[1] * block[3];
    target[2] -= row[2] * block[0] + row[3] * block[1];
    target[3] -= row[2] * block[2] + row[3] * block[3];
}

/// A pivot that lost all its digits to cancellation is no pivot: the matrix is singular.
const SMALLEST_PIVOT: f64 = 1e-14;

fn factor_block([a, _, c, d]: Block, original: Block) -> Option<[f64; 3]> {
    if a.is_nan() || a <= SMALLEST_PIVOT * original[0] {
        return None;
    }
    let first = 1.0 / a.sqrt();
    let below = c * first;
    let rest = d - below * below;
    if rest.is_nan() || rest <= SMALLEST_PIVOT * original[3] {
        return None;
    }
    Some([first, below, 1.0 / rest.sqrt()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of blocks with some longer links, diagonally dominant.
    fn example(n: usize) -> (LowerRows, Vec<Vec<f64>>) {
        let mut full = vec![vec![0.0; 2 * n]; 2 * n];
        let mut rows = LowerRows::with_capacity(0, 0);
        for k in 0..n {
            for j in [k.wrapping_sub(5), k.wrapping_sub(1)] {
                if j < k {
                    let block = [-1.0, 0.3 * j as f64 / n as f64, 0.1, -0.7];
                    rows.push(j as u32, block);
                    for (p, value) in block.into_iter().enumerate() {
                        full[2 * k + p / 2][2 * j + p % 2] = value;
                        full[2 * j + p % 2][2 * k + p / 2] = value;
                    }
                }
            }
            let block = [5.0, 0.5, 0.5, 6.0];
            rows.push(k as u32, block);
            for (p, value) in block.into_iter().enumerate() {
                full[2 * k + p / 2][2 * k + p % 2] = value;
            }
            rows.end_row();
        }
        (rows, full)
    }

    #[test]
    fn a_solution_satisfies_its_system() {
        let (rows, full) = example(40);
        let factor = Factor::new(&rows).unwrap();
        let right: Vec<f64> = (0..80).map(|i| f64::from(i % 7) - 2.5).collect();
        let mut x: Vec<[f64; 2]> = right.chunks(2).map(|c| [c[0], c[1]]).collect();
        factor.solve(&mut x);
        for (row, expected) in full.iter().zip(&right) {
            let product: f64 = row.iter().zip(x.iter().flatten()).map(|(a, b)| a * b).sum();
            assert!((product - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn right_hand_sides_together_give_the_products_of_solutions() {
        let (rows, _) = example(40);
        let factor = Factor::new(&rows).unwrap();
        let right = |row: usize, lane: usize| [(row * lane % 7) as f64 - 1.0, lane as f64];
        // Zero above row 25: what is not reached stays so.
        let mut lanes = vec![[[0.0; WIDTH]; 2]; 40];
        let mut is_reached = vec![false; 40];
        for row in 25..40 {
            is_reached[row] = true;
            let [x, y] = &mut lanes[row];
            for (lane, (x, y)) in x.iter_mut().zip(y).enumerate() {
                [*x, *y] = right(row, lane);
            }
        }
        factor.forward(&mut lanes, &mut is_reached);
        assert!(is_reached[..25].iter().all(|reached| !reached));
        for lane in 0..WIDTH {
            let value = |row| if row < 25 { [0.0; 2] } else { right(row, lane) };
            let mut x: Vec<[f64; 2]> = (0..40).map(value).collect();
            let before = x.clone();
            factor.solve(&mut x);
            let dot = |a: &[f64; 2], b: &[f64; 2]| a[0] * b[0] + a[1] * b[1];
            let work: f64 = before.iter().zip(&x).map(|(a, b)| dot(a, b)).sum();
            let squares = lanes
                .iter()
                .map(|[a, b]| a[lane] * a[lane] + b[lane] * b[lane]);
            let norm: f64 = squares.sum();
            assert!((work / norm - 1.0).abs() < 1e-12, "{work} {norm}");
        }
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        let mut rows = LowerRows::with_capacity(0, 0);
        rows.push(0, [1.0, 1.0, 1.0, 1.0]);
        rows.end_row();
        assert!(Factor::new(&rows).is_none());
    }
}
