//! Sparse LU factorisation of a block matrix whose pattern is symmetric. The symbolic factorisation is done once
//! and used for many matrices: those of one island differ in their active sets, not in the contact graph.
//!
//! Pivots are taken in an approximate minimum degree ordering, which limits fill-in, not in one that bounds the growth
//! of entries. The caller checks the residual of a solution.

use std::ops::Range;

use crate::blocks::Blocks;
use crate::elimination::{Elimination, elimination};
use crate::records::Block;
use crate::workspace::{PooledVec, SolverContext};

/// Symbolic factorisation: the elimination ordering and the pattern of the factors.
#[derive(Debug, Clone)]
pub(crate) struct Pattern<'w> {
    context: SolverContext<'w>,
    /// Contact eliminated at each step.
    order: PooledVec<'w, usize>,
    /// Step at which each contact is eliminated.
    place: PooledVec<'w, usize>,
    /// For each step: the earlier steps it depends on, and the later ones that depend on it, ascending.
    lower: Lists<'w>,
    upper: Lists<'w>,
    /// Operations of one factorisation.
    operations: usize,
}

/// Lists of steps, one after the other.
#[derive(Debug, Clone)]
struct Lists<'w> {
    /// Where each list begins; one more at the end.
    starts: PooledVec<'w, usize>,
    steps: PooledVec<'w, u32>,
}

impl<'w> Lists<'w> {
    fn range(&self, step: usize) -> Range<usize> {
        self.starts[step]..self.starts[step + 1]
    }

    /// For each step, the lists it is in, ascending.
    fn transposed(&self, context: SolverContext<'w>) -> Self {
        let count = self.starts.len() - 1;
        let mut starts = context.filled(0, count + 1);
        for &step in &self.steps {
            starts[step as usize + 1] += 1;
        }
        for step in 0..count {
            starts[step + 1] += starts[step];
        }
        let mut next = starts.clone();
        let mut steps = context.filled(0, self.steps.len());
        for list in 0..count {
            for &step in &self.steps[self.range(list)] {
                let position = &mut next[step as usize];
                steps[*position] = list as u32;
                *position += 1;
            }
        }
        Self { starts, steps }
    }
}

impl<'w> Pattern<'w> {
    /// Orders the unknowns of a matrix and finds the pattern of its factors, fill-in included.
    pub(crate) fn of(context: SolverContext<'w>, matrix: &Blocks<'_>) -> Self {
        let Elimination {
            order,
            place,
            starts,
            around,
        } = elimination(context, matrix);
        let steps = around.iter().map(|&contact| place[contact as usize] as u32);
        let later = Lists {
            starts,
            steps: context.collect(steps),
        };
        let lower = later.transposed(context);
        // Two transpositions sort the lists.
        let upper = lower.transposed(context);
        // Operations: one product of blocks for each entry of a row and each block above it.
        let widths = upper.starts.windows(2).map(|pair| pair[1] - pair[0]);
        let operations = 16 * widths.map(|width| width * (width + 1)).sum::<usize>();
        Self {
            context,
            order,
            place,
            lower,
            upper,
            operations,
        }
    }
}

const ZERO: Block = [[0.0; 2]; 2];

/// The factors of one matrix.
#[derive(Debug, Clone)]
pub(crate) struct BlockLu<'a, 'w> {
    pattern: &'a Pattern<'w>,
    /// In the order of the pattern's lists.
    lower: PooledVec<'w, Block>,
    upper: PooledVec<'w, Block>,
    inverse_pivots: PooledVec<'w, Block>,
}

impl<'a, 'w> BlockLu<'a, 'w> {
    /// Factors the matrix whose rows of blocks are given by a function; `None` where a pivot is singular.
    pub(crate) fn factor<Row: Iterator<Item = (usize, Block)>>(
        pattern: &'a Pattern<'w>,
        row_of: impl Fn(usize) -> Row,
    ) -> Option<Self> {
        let (context, count) = (pattern.context, pattern.order.len());
        context.workspace.count(|work| work.factorisations += 1);
        let mut factors = Self {
            pattern,
            lower: context.with_capacity(pattern.lower.steps.len()),
            upper: context.with_capacity(pattern.upper.steps.len()),
            inverse_pivots: context.with_capacity(count),
        };
        let mut work = context.filled([[0.0; 2]; 2], count);
        for (step, &contact) in pattern.order.iter().enumerate() {
            // Not all at once: rows may be long, and the stop flag is polled between.
            context.spend(pattern.operations / count);
            if context.is_interrupted() {
                return None;
            }
            for (column, block) in row_of(contact) {
                work[pattern.place[column]] = block;
            }
            for &earlier in &pattern.lower.steps[pattern.lower.range(step)] {
                let earlier = earlier as usize;
                let entry = std::mem::take(&mut work[earlier]);
                let share = product(entry, factors.inverse_pivots[earlier]);
                if share != [[0.0; 2]; 2] {
                    let range = pattern.upper.range(earlier);
                    let columns = pattern.upper.steps[range.clone()].iter();
                    for (&column, above) in columns.zip(&factors.upper[range]) {
                        subtract_product(&mut work[column as usize], share, *above);
                    }
                }
                factors.lower.push(share);
            }
            let pivot = std::mem::take(&mut work[step]);
            factors.inverse_pivots.push(inverse(pivot)?);
            for &later in &pattern.upper.steps[pattern.upper.range(step)] {
                factors
                    .upper
                    .push(std::mem::take(&mut work[later as usize]));
            }
        }
        Some(factors)
    }

    /// Factors the matrix again after some of its rows have changed: only the steps that depend on them. The result is that of [`Self::factor`], to the last bit; `None` where a pivot is singular.
    pub(crate) fn update<Row: Iterator<Item = (usize, Block)>>(
        &mut self,
        row_of: impl Fn(usize) -> Row,
        has_changed: impl Fn(usize) -> bool,
    ) -> Option<()> {
        let (pattern, context) = (self.pattern, self.pattern.context);
        let count = pattern.order.len();
        context.workspace.count(|work| work.factorisations += 1);
        let mut is_due = context.filled(false, count);
        let mut work = context.filled(ZERO, count);
        for step in 0..count {
            if !is_due[step] && !has_changed(pattern.order[step]) {
                continue;
            }
            context.spend(pattern.operations / count);
            if context.is_interrupted() {
                return None;
            }
            // The first step that depends on it; all others depend on that one too, or on one after it.
            if let Some(&next) = pattern.upper.steps[pattern.upper.range(step)].first() {
                is_due[next as usize] = true;
            }
            self.eliminate(step, &row_of, &mut work)?;
        }
        Some(())
    }

    /// One step, as in [`Self::factor`] but in place: a row of both factors from the matrix and the rows before.
    fn eliminate<Row: Iterator<Item = (usize, Block)>>(
        &mut self,
        step: usize,
        row_of: impl Fn(usize) -> Row,
        work: &mut [Block],
    ) -> Option<()> {
        let pattern = self.pattern;
        for (column, block) in row_of(pattern.order[step]) {
            work[pattern.place[column]] = block;
        }
        for at in pattern.lower.range(step) {
            let earlier = pattern.lower.steps[at] as usize;
            let entry = std::mem::take(&mut work[earlier]);
            let share = product(entry, self.inverse_pivots[earlier]);
            if share != ZERO {
                let range = pattern.upper.range(earlier);
                let columns = pattern.upper.steps[range.clone()].iter();
                for (&column, above) in columns.zip(&self.upper[range]) {
                    subtract_product(&mut work[column as usize], share, *above);
                }
            }
            self.lower[at] = share;
        }
        let pivot = std::mem::take(&mut work[step]);
        self.inverse_pivots[step] = inverse(pivot)?;
        let range = pattern.upper.range(step);
        let later = pattern.upper.steps[range.clone()].iter();
        for (&later, above) in later.zip(&mut self.upper[range]) {
            *above = std::mem::take(&mut work[later as usize]);
        }
        Some(())
    }

    /// Sign of the determinant: 1 or −1.
    pub(crate) fn determinant_sign(&self) -> f64 {
        let pivots = self.inverse_pivots.iter();
        let signs = pivots.map(|[[a, b], [c, d]]| (a * d - b * c).signum());
        signs.product()
    }

    /// Solves A x = b.
    pub(crate) fn solve(&self, right: &[f64]) -> PooledVec<'w, f64> {
        let order = self.pattern.order.iter();
        let entries = order.map(|&contact| [right[2 * contact], right[2 * contact + 1]]);
        self.solve_from(0, self.pattern.context.collect(entries))
    }

    /// Solves A x = b where one entry of b is one and all others are zero.
    pub(crate) fn solve_unit(&self, entry: usize) -> PooledVec<'w, f64> {
        let mut x = self
            .pattern
            .context
            .filled([0.0; 2], self.pattern.order.len());
        let step = self.pattern.place[entry / 2];
        x[step][entry % 2] = 1.0;
        self.solve_from(step, x)
    }

    /// Solves A x = b for b in the elimination ordering, whose entries before a step are zero.
    fn solve_from(&self, first: usize, mut x: PooledVec<'w, [f64; 2]>) -> PooledVec<'w, f64> {
        let Pattern {
            order,
            lower,
            upper,
            ..
        } = self.pattern;
        let count = order.len();
        self.pattern.context.spend(16 * self.upper.len());
        for step in first..count {
            let mut value = x[step];
            let range = lower.range(step);
            for (&earlier, block) in lower.steps[range.clone()].iter().zip(&self.lower[range]) {
                let known = apply(*block, x[earlier as usize]);
                value = [value[0] - known[0], value[1] - known[1]];
            }
            x[step] = value;
        }
        for step in (0..count).rev() {
            let mut value = x[step];
            let range = upper.range(step);
            for (&later, block) in upper.steps[range.clone()].iter().zip(&self.upper[range]) {
                let known = apply(*block, x[later as usize]);
                value = [value[0] - known[0], value[1] - known[1]];
            }
            x[step] = apply(self.inverse_pivots[step], value);
        }
        let mut solution = self.pattern.context.filled(0.0, 2 * count);
        for (&contact, value) in order.iter().zip(&x) {
            solution[2 * contact..2 * contact + 2].copy_from_slice(value);
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
    use crate::settings::SolverSettings;
    use crate::workspace::SolverWorkspace;

    /// A ring of contacts with chords, diagonally dominant.
    fn ring(count: usize) -> Blocks<'static> {
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
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let matrix = ring(40);
        let expected: Vec<f64> = (0..80).map(|i| f64::from(i % 7) - 3.0).collect();
        let right = matrix.affine(context, &expected, &[0.0; 80]);
        let pattern = Pattern::of(context, &matrix);
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        let solution = BlockLu::factor(&pattern, row_of).unwrap().solve(&right);
        for (value, expected) in solution.iter().zip(&expected) {
            assert!((value - expected).abs() < 1e-13, "{value} {expected}");
        }
    }

    #[test]
    fn an_update_is_a_factorisation_to_the_last_bit() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let (before, mut after) = (ring(40), ring(40));
        for row in [7, 23] {
            *after.diagonal_mut(row) = [[5.0, 0.25], [-0.5, 2.0]];
        }
        let pattern = Pattern::of(context, &before);
        let rows = |matrix: &Blocks<'static>, row: usize| -> Vec<(usize, Block)> {
            matrix
                .row(row)
                .map(|(column, block)| (column, *block))
                .collect()
        };
        let whole = BlockLu::factor(&pattern, |row| rows(&after, row).into_iter()).unwrap();
        let mut updated = BlockLu::factor(&pattern, |row| rows(&before, row).into_iter()).unwrap();
        updated
            .update(
                |row| rows(&after, row).into_iter(),
                |row| row == 7 || row == 23,
            )
            .unwrap();
        assert_eq!(updated.lower, whole.lower);
        assert_eq!(updated.upper, whole.upper);
        assert_eq!(updated.inverse_pivots, whole.inverse_pivots);
    }

    #[test]
    fn a_singular_pivot_is_refused() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let matrix = Blocks::from_triplets(1, [(0, 0, 1.0)].into_iter());
        let pattern = Pattern::of(context, &matrix);
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        assert!(BlockLu::factor(&pattern, row_of).is_none());
    }
}
