//! Which edges may be near: a grid of square cells, each with the edges that may reach into it.

use crate::{Aabb, DVec2};

/// Cells along one side at most.
const MAX_SIDE: f64 = 1024.0;

pub(super) struct Grid {
    origin: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    cells: Vec<Vec<u32>>,
}

impl Grid {
    /// A grid over these points with about as many cells.
    pub(super) fn new(points: impl ExactSizeIterator<Item = DVec2>) -> Self {
        let count = points.len().max(1) as f64;
        let around = Aabb::of_points(points);
        let size = (around.max - around.min).max(DVec2::ZERO);
        let cell = (size.x * size.y / count)
            .sqrt()
            .max(size.max_element() / MAX_SIDE)
            .max(f64::MIN_POSITIVE);
        let side = |length: f64| ((length / cell) as usize + 1).min(MAX_SIDE as usize);
        let (columns, rows) = (side(size.x), side(size.y));
        Self {
            origin: around.min,
            cell,
            columns,
            rows,
            cells: vec![Vec::new(); columns * rows],
        }
    }

    pub(super) fn insert(&mut self, edge: usize, around: &Aabb) {
        let [columns, rows] = self.ranges(around);
        for row in rows {
            for column in columns.clone() {
                self.cells[row * self.columns + column].push(edge as u32);
            }
        }
    }

    /// Whether the test holds for all edges that may reach into the box; some are tried twice.
    pub(super) fn all(&self, around: &Aabb, test: impl Fn(usize) -> bool) -> bool {
        let [columns, mut rows] = self.ranges(around);
        rows.all(|row| {
            let cells = &self.cells[row * self.columns..][columns.clone()];
            cells.iter().flatten().all(|&edge| test(edge as usize))
        })
    }

    /// Columns and rows that a box covers; what is outside counts to the cells at the border.
    fn ranges(&self, around: &Aabb) -> [std::ops::Range<usize>; 2] {
        let (low, high) = (around.min - self.origin, around.max - self.origin);
        // A negative number becomes zero.
        let index = |length: f64, count: usize| ((length / self.cell) as usize).min(count - 1);
        let range = |low: f64, high: f64, count: usize| index(low, count)..index(high, count) + 1;
        [
            range(low.x, high.x, self.columns),
            range(low.y, high.y, self.rows),
        ]
    }
}
