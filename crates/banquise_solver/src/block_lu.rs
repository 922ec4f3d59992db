//! L U factors of a sparse matrix of blocks whose pattern is symmetric. The pattern of the factors is found once
//! and used for many matrices: those of one island differ in what its contacts do, not in who touches whom.
//!
//! Pivots are taken in an order that keeps the factors sparse (least degree), not in one that bounds
//! their growth. Whoever uses a solution judges it.

use crate::blocks::{Block, Blocks};

/// The order of elimination and the pattern of the factors.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// Contact eliminated at each step.
    order: Vec<usize>,
    /// Step at which each contact is eliminated.
    place: Vec<usize>,
    /// For each step: the earlier steps it depends on, and the later ones that depend on it, ascending.
    lower: Vec<Vec<usize>>,
    upper: Vec<Vec<usize>>,
}

impl Pattern {
    /// Eliminates the contact with the fewest neighbours first; of equals, the first.
    pub(crate) fn of(matrix: &Blocks) -> Self {
        let count = matrix.count();
        let mut neighbours: Vec<Vec<usize>> = (0..count)
            .map(|row| {
                let columns = matrix.row(row).map(|(column, _)| column);
                columns.filter(|&column| column != row).collect()
            })
            .collect();
        let mut queue: std::collections::BTreeSet<(usize, usize)> =
            (0..count).map(|row| (neighbours[row].len(), row)).collect();
        let mut order = Vec::with_capacity(count);
        let mut place = vec![0; count];
        let mut later = Vec::with_capacity(count);
        while let Some((_, chosen)) = queue.pop_first() {
            place[chosen] = order.len();
            order.push(chosen);
            let around = std::mem::take(&mut neighbours[chosen]);
            for &other in &around {
                queue.remove(&(neighbours[other].len(), other));
                neighbours[other] = joined(&neighbours[other], &around, [chosen, other]);
                queue.insert((neighbours[other].len(), other));
            }
            later.push(around);
        }
        let mut lower = vec![Vec::new(); count];
        let mut upper = Vec::with_capacity(count);
        for (step, around) in later.into_iter().enumerate() {
            let mut steps: Vec<usize> = around.into_iter().map(|other| place[other]).collect();
            steps.sort_unstable();
            for &other in &steps {
                lower[other].push(step);
            }
            upper.push(steps);
        }
        Self {
            order,
            place,
            lower,
            upper,
        }
    }
}

/// The union of two ascending lists without two of their members.
fn joined(a: &[usize], b: &[usize], without: [usize; 2]) -> Vec<usize> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) => x,
            (None, Some(&y)) => y,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            union.push(next);
        }
    }
    union
}

/// The factors of one matrix.
#[derive(Debug, Clone)]
pub(crate) struct BlockLu<'a> {
    pattern: &'a Pattern,
    lower: Vec<Vec<Block>>,
    upper: Vec<Vec<Block>>,
    inverse_pivots: Vec<Block>,
}

impl<'a> BlockLu<'a> {
    /// Factors the matrix whose rows of blocks are given by a function; `None` where a pivot is singular.
    pub(crate) fn factor<Row: Iterator<Item = (usize, Block)>>(
        pattern: &'a Pattern,
        row_of: impl Fn(usize) -> Row,
    ) -> Option<Self> {
        let count = pattern.order.len();
        let mut factors = Self {
            pattern,
            lower: Vec::with_capacity(count),
            upper: Vec::with_capacity(count),
            inverse_pivots: Vec::with_capacity(count),
        };
        let mut work = vec![[[0.0; 2]; 2]; count];
        for (step, &contact) in pattern.order.iter().enumerate() {
            for (column, block) in row_of(contact) {
                work[pattern.place[column]] = block;
            }
            let mut left = Vec::with_capacity(pattern.lower[step].len());
            for &earlier in &pattern.lower[step] {
                let share = product(work[earlier], factors.inverse_pivots[earlier]);
                work[earlier] = [[0.0; 2]; 2];
                if share != [[0.0; 2]; 2] {
                    let columns = pattern.upper[earlier].iter();
                    for (&column, above) in columns.zip(&factors.upper[earlier]) {
                        subtract_product(&mut work[column], share, *above);
                    }
                }
                left.push(share);
            }
            factors.inverse_pivots.push(inverse(work[step])?);
            work[step] = [[0.0; 2]; 2];
            let mut right = Vec::with_capacity(pattern.upper[step].len());
            for &later in &pattern.upper[step] {
                right.push(std::mem::take(&mut work[later]));
            }
            factors.lower.push(left);
            factors.upper.push(right);
        }
        Some(factors)
    }

    /// Solves A x = b.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let pattern = self.pattern;
        let count = pattern.order.len();
        let mut x: Vec<[f64; 2]> = Vec::with_capacity(count);
        for (step, &contact) in pattern.order.iter().enumerate() {
            let mut value = [right[2 * contact], right[2 * contact + 1]];
            for (&earlier, block) in pattern.lower[step].iter().zip(&self.lower[step]) {
                let known = apply(*block, x[earlier]);
                value = [value[0] - known[0], value[1] - known[1]];
            }
            x.push(value);
        }
        for step in (0..count).rev() {
            let mut value = x[step];
            for (&later, block) in pattern.upper[step].iter().zip(&self.upper[step]) {
                let known = apply(*block, x[later]);
                value = [value[0] - known[0], value[1] - known[1]];
            }
            x[step] = apply(self.inverse_pivots[step], value);
        }
        let mut solution = vec![0.0; 2 * count];
        for (step, &contact) in pattern.order.iter().enumerate() {
            solution[2 * contact..2 * contact + 2].copy_from_slice(&x[step]);
        }
        solution
    }
}

fn apply(block: Block, [x, y]: [f64; 2]) -> [f64; 2] {
    block.map(|[a, b]| a * x + b * y)
}

fn product(left: Block, right: Block) -> Block {
    left.map(|[a, b]| {
        [
            a * right[0][0] + b * right[1][0],
            a * right[0][1] + b * right[1][1],
        ]
    })
}

fn subtract_product(target: &mut Block, left: Block, right: Block) {
    let product = product(left, right);
    for r in 0..2 {
        for c in 0..2 {
            target[r][c] -= product[r][c];
        }
    }
}

fn inverse([[a, b], [c, d]]: Block) -> Option<Block> {
    let determinant = a * d - b * c;
    let inverse = [[d, -b], [-c, a]].map(|row| row.map(|entry| entry / determinant));
    let is_finite = inverse.iter().flatten().all(|entry| entry.is_finite());
    (determinant != 0.0 && is_finite).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of contacts with chords, diagonally dominant.
    fn ring(count: usize) -> Blocks {
        let mut blocks = Vec::new();
        for row in 0..count {
            blocks.push((row, row, [[4.0, 0.5], [-0.5, 3.0]]));
            for other in [(row + 1) % count, (row + 5) % count] {
                let value = 0.1 + 0.3 * (row as f64 / count as f64);
                blocks.push((row, other, [[value, -0.2], [0.3, value]]));
                blocks.push((other, row, [[0.2, value], [-value, 0.4]]));
            }
        }
        Blocks::from_blocks(count, blocks)
    }

    #[test]
    fn a_sparse_system_is_solved() {
        let matrix = ring(40);
        let expected: Vec<f64> = (0..80).map(|i| f64::from(i % 7) - 3.0).collect();
        let right = matrix.affine(&expected, &[0.0; 80]);
        let pattern = Pattern::of(&matrix);
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        let solution = BlockLu::factor(&pattern, row_of).unwrap().solve(&right);
        for (value, expected) in solution.iter().zip(&expected) {
            assert!((value - expected).abs() < 1e-13, "{value} {expected}");
        }
    }

    #[test]
    fn a_singular_pivot_is_refused() {
        let matrix = Blocks::from_triplets(1, [(0, 0, 1.0)].into_iter());
        let pattern = Pattern::of(&matrix);
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        assert!(BlockLu::factor(&pattern, row_of).is_none());
    }
}
