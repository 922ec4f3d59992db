//! The uniform staggered grid.

use banquise_geometry::DVec2;

use crate::FlowError;

/// What is at the edges of the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    /// Periodic in x and y.
    Periodic,
    /// Periodic in x, walls at the lower and upper edge.
    Channel,
    /// Walls on all four sides.
    Box,
}

impl Edges {
    /// Whether there are walls at the ends of [x, y].
    pub fn walls(self) -> [bool; 2] {
        match self {
            Self::Periodic => [false; 2],
            Self::Channel => [false, true],
            Self::Box => [true; 2],
        }
    }
}

/// A uniform staggered grid of square cells.
///
/// Cell (i, j) has its lower left corner at node (i, j). The stream function and the shear strain live at nodes, the normal strain at
/// centres, x velocities in the middle of the left sides of cells and y velocities in the middle of their lower sides. Node (i, j) is stored
/// at j `columns` + i. At a wall the stream function is zero, so that the last node wraps to the first in any case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Cells along x and y.
    pub cells: [usize; 2],
    /// Side of a cell \[m\].
    pub spacing: f64,
    /// What is at the edges.
    pub edges: Edges,
}

/// Smallest number of cells along a side: a body needs room around it.
const MIN_CELLS: usize = 8;
/// Largest number of cells along a side: the transforms are exact beyond, memory is not there.
const MAX_CELLS: usize = 16_384;

impl Grid {
    /// A grid, or why there is none.
    ///
    /// # Errors
    /// If a number of cells is out of range or the spacing is not positive.
    pub fn try_new(cells: [usize; 2], spacing: f64, edges: Edges) -> Result<Self, FlowError> {
        for count in cells {
            if !(MIN_CELLS..=MAX_CELLS).contains(&count) {
                return Err(FlowError::OutOfRange {
                    quantity: "the number of cells along a side",
                    requirement: "from 8 to 16384",
                    value: count as f64,
                });
            }
        }
        crate::error::positive("the side of a cell (m)", spacing)?;
        Ok(Self {
            cells,
            spacing,
            edges,
        })
    }

    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.cells[0] * self.cells[1]
    }

    /// Sides of the domain \[m\].
    pub fn size(&self) -> [f64; 2] {
        self.cells.map(|count| count as f64 * self.spacing)
    }

    /// The place of a node in memory; indices wrap.
    pub(crate) fn place(&self, i: i64, j: i64) -> usize {
        let [nx, ny] = self.cells.map(|count| count as i64);
        (j.rem_euclid(ny) * nx + i.rem_euclid(nx)) as usize
    }

    /// Where a place, moved by `offset`, is relative to a point: the nearest of its images. Lengths in cells.
    pub(crate) fn offset_from(&self, point: DVec2, place: usize, offset: DVec2) -> DVec2 {
        let [nx, ny] = self.cells;
        let at = DVec2::new((place % nx) as f64, (place / nx) as f64) + offset - point;
        let size = DVec2::new(nx as f64, ny as f64);
        at - size * (at / size).round()
    }
}

/// The neighbours of an index that wraps.
#[inline]
pub(crate) fn before(i: usize, n: usize) -> usize {
    if i == 0 { n - 1 } else { i - 1 }
}

/// The next index, which wraps.
#[inline]
pub(crate) fn after(i: usize, n: usize) -> usize {
    if i + 1 == n { 0 } else { i + 1 }
}
