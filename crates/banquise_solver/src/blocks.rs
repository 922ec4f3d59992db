//! Sparse square matrices of 2 × 2 blocks, one row of blocks for each contact: two contacts are coupled
//! only by a body they share.

use crate::records::Block;
use crate::workspace::{PooledVec, SolverContext};

/// A sparse matrix of blocks, row after row, columns in ascending order, diagonal always there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Blocks<'w> {
    /// Where each row begins in `columns` and `values`; one more at the end.
    starts: PooledVec<'w, usize>,
    columns: PooledVec<'w, usize>,
    values: PooledVec<'w, Block>,
    /// Where the diagonal block of each row is.
    diagonals: PooledVec<'w, usize>,
}

impl<'w> Blocks<'w> {
    /// A matrix from its blocks (row, column, block), in any order; those of one place are added in the order
    /// given.
    pub fn from_blocks(count: usize, blocks: Vec<(usize, usize, Block)>) -> Self {
        let mut given = blocks;
        given.extend((0..count).map(|row| (row, row, [[0.0; 2]; 2])));
        // By rows in the order given: sums are the same for the same list.
        let mut ends = vec![0; count + 1];
        for &(row, ..) in &given {
            ends[row + 1] += 1;
        }
        for row in 0..count {
            ends[row + 1] += ends[row];
        }
        let mut order = vec![0; given.len()];
        for (index, &(row, ..)) in given.iter().enumerate() {
            order[ends[row]] = index;
            ends[row] += 1;
        }
        let mut matrix = Self {
            starts: vec![0].into(),
            ..Self::default()
        };
        let mut start = 0;
        for &end in ends.iter().take(count) {
            let of_row = &mut order[start..end];
            of_row.sort_unstable_by_key(|&index| (given[index].1, index));
            for &index in &*of_row {
                let (_, column, block) = given[index];
                matrix.add(column, block);
            }
            matrix.end_row();
            start = end;
        }
        matrix
    }

    /// A matrix without rows, with capacity for so many rows and blocks.
    pub(crate) fn without_rows(context: SolverContext<'w>, rows: usize, blocks: usize) -> Self {
        let mut starts = context.with_capacity(rows + 1);
        starts.push(0);
        Self {
            starts,
            columns: context.with_capacity(blocks),
            values: context.with_capacity(blocks),
            diagonals: context.with_capacity(rows),
        }
    }

    /// Appends a block to the current row, or adds it to the block of that column.
    pub(crate) fn add(&mut self, column: usize, block: Block) {
        let row = self.starts.len() - 1;
        if self.columns.len() > self.starts[row] && self.columns.last() == Some(&column) {
            let sum = &mut self.values[self.columns.len() - 1];
            for (r, c) in ENTRIES {
                sum[r][c] += block[r][c];
            }
            return;
        }
        if row == column {
            self.diagonals.push(self.columns.len());
        }
        self.columns.push(column);
        self.values.push(block);
    }

    /// Ends the current row, to which its diagonal was added.
    pub(crate) fn end_row(&mut self) {
        self.starts.push(self.columns.len());
    }

    /// A matrix from single entries (row, column, value), two rows and columns for each contact.
    pub fn from_triplets(
        count: usize,
        triplets: impl Iterator<Item = (usize, usize, f64)>,
    ) -> Self {
        // A zero opposite to each block: factors need a symmetric pattern.
        let blocks = triplets.flat_map(|(row, column, value)| {
            let mut block = [[0.0; 2]; 2];
            block[row % 2][column % 2] = value;
            let opposite = (column / 2, row / 2, [[0.0; 2]; 2]);
            [(row / 2, column / 2, block), opposite]
        });
        Self::from_blocks(count, blocks.collect())
    }

    /// Rows of blocks.
    pub fn count(&self) -> usize {
        self.diagonals.len()
    }

    /// Blocks that are not zero, and those of the diagonal.
    pub(crate) fn block_count(&self) -> usize {
        self.values.len()
    }

    /// The blocks of a row that are not zero, with their columns.
    #[inline]
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &Block)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(&self.values[range])
    }

    /// The diagonal block of a row.
    pub fn diagonal(&self, row: usize) -> &Block {
        &self.values[self.diagonals[row]]
    }

    /// The diagonal block of a row, mutable.
    pub(crate) fn diagonal_mut(&mut self, row: usize) -> &mut Block {
        &mut self.values[self.diagonals[row]]
    }

    /// The blocks, row after row.
    pub(crate) fn values_mut(&mut self) -> &mut [Block] {
        &mut self.values
    }

    /// Where a block of the pattern is among all blocks.
    pub(crate) fn place(&self, row: usize, column: usize) -> usize {
        let range = self.starts[row]..self.starts[row + 1];
        let columns = &self.columns[range.clone()];
        range.start + columns.partition_point(|&other| other < column)
    }

    /// One entry, by single rows and columns.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let range = self.starts[row / 2]..self.starts[row / 2 + 1];
        match self.columns[range.clone()].binary_search(&(column / 2)) {
            Ok(position) => self.values[range.start + position][row % 2][column % 2],
            Err(_) => 0.0,
        }
    }

    /// `self · vector + constant`.
    pub(crate) fn affine(
        &self,
        context: SolverContext<'w>,
        vector: &[f64],
        constant: &[f64],
    ) -> PooledVec<'w, f64> {
        context.spend(8 * self.values.len());
        let (vector, _) = vector.as_chunks::<2>();
        let mut result = context.copied(constant);
        for (row, sums) in result.chunks_exact_mut(2).enumerate() {
            let mut sum = [sums[0], sums[1]];
            for (column, block) in self.row(row) {
                let [normal, tangent] = vector[column];
                sum[0] += block[0][0] * normal + block[0][1] * tangent;
                sum[1] += block[1][0] * normal + block[1][1] * tangent;
            }
            sums.copy_from_slice(&sum);
        }
        result
    }

    /// The matrix with the block (i, j) multiplied by fᵢ fⱼ.
    #[must_use]
    pub fn scaled(&self, factors: &[f64]) -> Self {
        let mut scaled = self.clone();
        for row in 0..self.count() {
            for position in self.starts[row]..self.starts[row + 1] {
                let factor = factors[row] * factors[self.columns[position]];
                for (r, c) in ENTRIES {
                    scaled.values[position][r][c] *= factor;
                }
            }
        }
        scaled
    }
}

const ENTRIES: [(usize, usize); 4] = [(0, 0), (0, 1), (1, 0), (1, 1)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SolverSettings;
    use crate::workspace::SolverWorkspace;

    #[test]
    fn entries_are_where_they_were_put() {
        let entries = [
            (0, 0, 1.0),
            (3, 1, 2.0),
            (1, 3, 4.0),
            (3, 1, 0.5),
            (5, 5, 3.0),
        ];
        let matrix = Blocks::from_triplets(3, entries.into_iter());
        assert_eq!(matrix.count(), 3);
        assert_eq!(matrix.get(3, 1), 2.5);
        assert_eq!(matrix.get(1, 3), 4.0);
        assert_eq!(matrix.get(4, 0), 0.0);
        assert_eq!(matrix.diagonal(2)[1][1], 3.0);
        let workspace = SolverWorkspace::default();
        let context = SolverContext {
            settings: &SolverSettings::DEFAULT,
            workspace: &workspace,
        };
        assert_eq!(
            *matrix.affine(context, &[1.0, 2.0, 0.0, 1.0, 0.0, 1.0], &[0.5; 6]),
            [1.5, 4.5, 0.5, 5.5, 0.5, 3.5]
        );
        assert_eq!(matrix.scaled(&[2.0, 3.0, 1.0]).get(1, 3), 24.0);
    }

    #[test]
    fn a_matrix_of_nothing() {
        let matrix = Blocks::from_blocks(0, Vec::new());
        assert_eq!(matrix.count(), 0);
    }
}
