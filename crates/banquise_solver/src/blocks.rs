//! Sparse square matrices of 2 × 2 blocks, one row of blocks for each contact: contacts see each
//! other only through a body they share.

/// Normal and tangential part of what one contact does to another.
pub type Block = [[f64; 2]; 2];

/// A sparse matrix of blocks, row after row, columns in ascending order, diagonal always there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Blocks {
    /// Where each row begins in `columns` and `values`; one more at the end.
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<Block>,
    /// Where the diagonal block of each row is.
    diagonals: Vec<usize>,
}

impl Blocks {
    /// A matrix from its blocks (row, column, block), in any order; those of one place are added in the order
    /// given.
    pub fn from_blocks(count: usize, mut blocks: Vec<(usize, usize, Block)>) -> Self {
        blocks.extend((0..count).map(|row| (row, row, [[0.0; 2]; 2])));
        // A stable sort: sums are the same for the same list.
        blocks.sort_by_key(|&(row, column, _)| (row, column));
        let mut matrix = Self {
            starts: Vec::with_capacity(count + 1),
            columns: Vec::with_capacity(blocks.len()),
            values: Vec::with_capacity(blocks.len()),
            diagonals: Vec::with_capacity(count),
        };
        matrix.starts.push(0);
        let mut last = None;
        for (row, column, block) in blocks {
            if last == Some((row, column)) {
                let sum = &mut matrix.values[matrix.columns.len() - 1];
                for (r, c) in ENTRIES {
                    sum[r][c] += block[r][c];
                }
                continue;
            }
            while matrix.starts.len() <= row {
                matrix.starts.push(matrix.columns.len());
            }
            if row == column {
                matrix.diagonals.push(matrix.columns.len());
            }
            matrix.columns.push(column);
            matrix.values.push(block);
            last = Some((row, column));
        }
        matrix.starts.push(matrix.columns.len());
        if count == 0 {
            matrix.starts.truncate(1);
        }
        matrix
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

    /// The blocks of a row that are not zero, with their columns.
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

    /// The same, to be changed.
    pub(crate) fn diagonal_mut(&mut self, row: usize) -> &mut Block {
        &mut self.values[self.diagonals[row]]
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
    pub fn affine(&self, vector: &[f64], constant: &[f64]) -> Vec<f64> {
        let mut result = constant.to_vec();
        for (row, sums) in result.chunks_exact_mut(2).enumerate() {
            for (column, block) in self.row(row) {
                let (normal, tangent) = (vector[2 * column], vector[2 * column + 1]);
                for (sum, entries) in sums.iter_mut().zip(block) {
                    *sum += entries[0] * normal;
                    *sum += entries[1] * tangent;
                }
            }
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
        assert_eq!(
            matrix.affine(&[1.0, 2.0, 0.0, 1.0, 0.0, 1.0], &[0.5; 6]),
            [1.5, 4.5, 0.5, 5.5, 0.5, 3.5]
        );
        assert_eq!(matrix.scaled(&[2.0, 3.0, 1.0]).get(1, 3), 24.0);
    }

    #[test]
    fn a_matrix_of_nothing() {
        let matrix = Blocks::from_blocks(0, Vec::new());
        assert_eq!(matrix.count(), 0);
        assert!(matrix.affine(&[], &[]).is_empty());
    }
}
