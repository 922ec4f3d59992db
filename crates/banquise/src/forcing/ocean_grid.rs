//! The ocean layer as a grid of cells, each with one velocity, and the exchange of momentum between neighbours.
//!
//! Rabatel (2015, conclusion) leaves the exchange between neighbouring ocean cells for later. Here it is lateral friction with a
//! constant eddy viscosity ν: across an edge of length l between centres a distance d apart, cell i gets
//! ρₒ h ν (Uⱼ − Uᵢ) l/d from its neighbour j, and j the opposite.

use banquise_geometry::DVec2;

use crate::domain::Rectangle;

/// A grid of equal cells, counted from the lower left corner, row after row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OceanGrid {
    /// Region that the cells cover together.
    pub region: Rectangle,
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from south to north.
    pub rows: usize,
    /// Whether opposite sides of the region are neighbours; otherwise nothing passes its edge.
    pub is_periodic: bool,
    /// Lateral eddy viscosity ν [m²/s].
    pub eddy_viscosity: f64,
}

impl OceanGrid {
    /// Cells a grid may have: each record of a run holds the velocities of all of them.
    pub const MAX_CELLS: usize = 65_536;

    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.columns * self.rows
    }

    /// Width and height of a cell \[m\].
    pub fn cell_size(&self) -> DVec2 {
        self.region.size() / DVec2::new(self.columns as f64, self.rows as f64)
    }

    /// Area of a cell \[m²\].
    pub fn cell_area(&self) -> f64 {
        let size = self.cell_size();
        size.x * size.y
    }

    /// Centre of a cell \[m\].
    pub fn center(&self, cell: usize) -> DVec2 {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let place = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
        self.region.min + place * self.cell_size()
    }

    /// The cell that a point is in: of a periodic region, of any of its images; of another, the nearest one.
    pub fn cell_at(&self, point: DVec2) -> usize {
        let mut place = (point - self.region.min) / self.region.size();
        if self.is_periodic {
            place -= place.floor();
        }
        // The cast takes what is left of the region to its first cell.
        let index = |place: f64, count: usize| ((place * count as f64) as usize).min(count - 1);
        index(place.y, self.rows) * self.columns + index(place.x, self.columns)
    }

    /// The longest step for which the explicit exchange is stable \[s\]: 1 / (2 ν (1/Δx² + 1/Δy²)), where a direction with
    /// one cell only does not count.
    pub fn stable_step(&self) -> f64 {
        let size = self.cell_size();
        let inverse_square = |side: f64, count: usize| {
            if count > 1 { 1.0 / (side * side) } else { 0.0 }
        };
        let sum = inverse_square(size.x, self.columns) + inverse_square(size.y, self.rows);
        1.0 / (2.0 * self.eddy_viscosity * sum)
    }

    /// Adds the momentum exchanged between neighbours in a step to the impulses of the cells [N s]; `areal_density` is ρₒ h [kg/m²].
    ///
    /// Each edge gives to one side what it takes from the other, so that the sum over all cells does not change but by
    /// rounding.
    pub(crate) fn exchange(
        &self,
        velocities: &[DVec2],
        areal_density: f64,
        dt: f64,
        impulses: &mut [DVec2],
    ) {
        let size = self.cell_size();
        let coefficient = dt * areal_density * self.eddy_viscosity;
        let mut pass = |from: usize, to: usize, edge_over_distance: f64| {
            let impulse = coefficient * edge_over_distance * (velocities[from] - velocities[to]);
            impulses[to] += impulse;
            impulses[from] -= impulse;
        };
        let next = |index: usize, count: usize| {
            let wraps = self.is_periodic && count > 1 && index + 1 == count;
            let next = if wraps { 0 } else { index + 1 };
            (next < count).then_some(next)
        };
        for row in 0..self.rows {
            for column in 0..self.columns {
                let cell = row * self.columns + column;
                if let Some(east) = next(column, self.columns) {
                    pass(cell, row * self.columns + east, size.y / size.x);
                }
                if let Some(north) = next(row, self.rows) {
                    pass(cell, north * self.columns + column, size.x / size.y);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: usize, rows: usize, is_periodic: bool) -> OceanGrid {
        OceanGrid {
            region: Rectangle {
                min: DVec2::new(-100.0, 50.0),
                max: DVec2::new(500.0, 250.0),
            },
            columns,
            rows,
            is_periodic,
            eddy_viscosity: 10.0,
        }
    }

    #[test]
    fn the_centre_of_a_cell_is_in_it() {
        let grid = grid(3, 4, false);
        for cell in 0..grid.cell_count() {
            assert_eq!(grid.cell_at(grid.center(cell)), cell);
        }
        assert_eq!(grid.cell_area() * 12.0, grid.region.area());
    }

    #[test]
    fn beyond_the_edge_is_the_nearest_cell_or_an_image() {
        let (closed, periodic) = (grid(3, 2, false), grid(3, 2, true));
        let outside = DVec2::new(-150.0, 300.0);
        assert_eq!(closed.cell_at(outside), 3);
        assert_eq!(periodic.cell_at(outside), 2);
        assert_eq!(closed.cell_at(closed.region.max), 5);
        assert_eq!(periodic.cell_at(periodic.region.max), 0);
    }

    /// Velocities without any symmetry.
    fn velocities(count: usize) -> Vec<DVec2> {
        let velocity = |cell: usize| {
            let cell = cell as f64;
            DVec2::new(0.3 * cell * cell - 1.0, 0.7 - 0.2 * cell)
        };
        (0..count).map(velocity).collect()
    }

    #[test]
    fn exchange_keeps_the_momentum_and_takes_energy() {
        for (columns, rows, is_periodic) in [
            (2, 1, false),
            (2, 1, true),
            (1, 3, true),
            (5, 4, false),
            (5, 4, true),
        ] {
            let grid = grid(columns, rows, is_periodic);
            let velocities = velocities(grid.cell_count());
            let mut impulses = vec![DVec2::ZERO; grid.cell_count()];
            grid.exchange(&velocities, 15e3, 60.0, &mut impulses);
            let turnover: f64 = impulses.iter().map(|impulse| impulse.length()).sum();
            let sum: DVec2 = impulses.iter().sum();
            // Some tens of roundings.
            assert!(sum.length() < 1e-14 * turnover, "{sum}");
            let power: f64 = impulses
                .iter()
                .zip(&velocities)
                .map(|(i, v)| i.dot(*v))
                .sum();
            assert!(power < 0.0);
        }
    }

    #[test]
    fn at_the_stable_step_the_steepest_pattern_changes_its_sign() {
        // A chessboard with an even number of cells around is the pattern that decays fastest.
        let grid = grid(4, 2, true);
        let areal_density = 15e3;
        let sign = |cell: usize| {
            if (cell / 4 + cell % 4).is_multiple_of(2) {
                1.0
            } else {
                -1.0
            }
        };
        let velocities: Vec<DVec2> = (0..8).map(|cell| DVec2::new(sign(cell), 0.0)).collect();
        let mut impulses = vec![DVec2::ZERO; 8];
        grid.exchange(
            &velocities,
            areal_density,
            grid.stable_step(),
            &mut impulses,
        );
        let mass = areal_density * grid.cell_area();
        for (velocity, impulse) in velocities.iter().zip(&impulses) {
            assert!((*velocity + *impulse / mass + *velocity).length() < 1e-12);
        }
    }

    #[test]
    fn one_cell_has_no_neighbour_and_no_bound() {
        let grid = grid(1, 1, true);
        let mut impulses = [DVec2::ZERO];
        grid.exchange(&[DVec2::X], 15e3, 60.0, &mut impulses);
        assert_eq!(impulses, [DVec2::ZERO]);
        assert_eq!(grid.stable_step(), f64::INFINITY);
    }
}
