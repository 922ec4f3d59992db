//! Velocities carried along by themselves: the method of characteristics (Lefebvre 2007, section 1.2.2).

use banquise_geometry::DVec2;
use rayon::prelude::*;

use crate::grid::Grid;

/// The two components of velocities \[m/s\], or of forces, on the faces of a grid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FaceField {
    pub(crate) u: Vec<f64>,
    pub(crate) v: Vec<f64>,
}

/// Weights of four neighbours for cubic interpolation at a share of the way from the second to the third.
fn cubic(t: f64) -> [f64; 4] {
    [
        -t * (t - 1.0) * (t - 2.0) / 6.0,
        (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0,
        -(t + 1.0) * t * (t - 2.0) / 2.0,
        (t + 1.0) * t * (t - 1.0) / 6.0,
    ]
}

/// What an index along an axis stands for.
#[derive(Debug, Clone, Copy)]
enum Ends {
    Periodic,
    /// Faces of the component sit on the walls, at 0 and n.
    OnWalls,
    /// Faces of the component sit beside the walls, at −½ and ½.
    BesideWalls,
}

impl Ends {
    /// Ends of an axis for the velocity component along that axis (`is_along`) or across it.
    fn new(grid: &Grid, axis: usize, is_along: bool) -> Self {
        match (grid.edges.walls()[axis], is_along) {
            (false, _) => Self::Periodic,
            (true, true) => Self::OnWalls,
            (true, false) => Self::BesideWalls,
        }
    }

    /// Index within the axis and sign of a velocity: beyond a wall the velocity is odd.
    fn place(self, index: i64, n: i64) -> (i64, f64) {
        let (low, high) = match self {
            Self::Periodic => return (index.rem_euclid(n), 1.0),
            Self::OnWalls => (-index, 2 * n - index),
            Self::BesideWalls => (-1 - index, 2 * n - 1 - index),
        };
        if index < 0 {
            (low, -1.0)
        } else if index >= n {
            // The face on the far wall is not stored: the velocity is zero there.
            (high.rem_euclid(n), if high == n { 0.0 } else { -1.0 })
        } else {
            (index, 1.0)
        }
    }
}

impl FaceField {
    pub(crate) fn zero(grid: &Grid) -> Self {
        Self {
            u: vec![0.0; grid.cell_count()],
            v: vec![0.0; grid.cell_count()],
        }
    }

    /// A component at a point in cells, by cubic interpolation.
    fn component(&self, grid: &Grid, is_y: bool, at: DVec2) -> f64 {
        let offset = if is_y {
            DVec2::new(0.5, 0.0)
        } else {
            DVec2::new(0.0, 0.5)
        };
        let field = if is_y { &self.v } else { &self.u };
        let place = at - offset;
        let cell = place.floor();
        let [x, y] = (place - cell).to_array().map(cubic);
        let [nx, ny] = grid.cells.map(|n| n as i64);
        let (i0, j0) = (cell.x as i64 - 1, cell.y as i64 - 1);
        let columns: [(i64, f64); 4] =
            std::array::from_fn(|k| Ends::new(grid, 0, !is_y).place(i0 + k as i64, nx));
        let mut sum = 0.0;
        for (l, weight) in y.into_iter().enumerate() {
            let (j, sign) = Ends::new(grid, 1, is_y).place(j0 + l as i64, ny);
            let row = &field[(j * nx) as usize..][..nx as usize];
            let mut along = 0.0;
            for (&(i, sign), weight) in columns.iter().zip(x) {
                along += weight * sign * row[i as usize];
            }
            sum += weight * sign * along;
        }
        sum
    }

    fn at(&self, grid: &Grid, at: DVec2) -> DVec2 {
        DVec2::new(
            self.component(grid, false, at),
            self.component(grid, true, at),
        )
    }

    /// The velocities where the fluid on each face was a time `dt` before; feet of characteristics beyond a wall are moved to it. These velocities are on top of those
    /// of a shear flow, `shear` times the height above the middle.
    pub(crate) fn carried(&self, grid: &Grid, dt: f64, shear: f64) -> Self {
        let [nx, ny] = grid.cells;
        let size = DVec2::new(nx as f64, ny as f64);
        let walls = grid.edges.walls();
        let inside = |at: DVec2| {
            let kept = at.clamp(DVec2::ZERO, size);
            DVec2::new(
                if walls[0] { kept.x } else { at.x },
                if walls[1] { kept.y } else { at.y },
            )
        };
        let sheared = |at: DVec2| shear * grid.spacing * (at.y - 0.5 * size.y);
        let velocity = |at: DVec2| self.at(grid, at) + DVec2::new(sheared(at), 0.0);
        let field = |is_y: bool| {
            let mut field = vec![0.0; nx * ny];
            field.par_chunks_mut(nx).enumerate().for_each(|(j, row)| {
                for (i, value) in row.iter_mut().enumerate() {
                    if (walls[0] && !is_y && i == 0) || (walls[1] && is_y && j == 0) {
                        continue;
                    }
                    let offset = if is_y {
                        DVec2::new(0.5, 0.0)
                    } else {
                        DVec2::new(0.0, 0.5)
                    };
                    let at = DVec2::new(i as f64, j as f64) + offset;
                    // Midpoint rule along the characteristic.
                    let half = inside(at - velocity(at) * (0.5 * dt / grid.spacing));
                    let foot = inside(at - velocity(half) * (dt / grid.spacing));
                    let brought = if is_y {
                        0.0
                    } else {
                        sheared(foot) - sheared(at)
                    };
                    *value = self.component(grid, is_y, foot) + brought;
                }
            });
            field
        };
        Self {
            u: field(false),
            v: field(true),
        }
    }

    /// Curl at the nodes, times `factor`: ∂v/∂x − ∂u/∂y in cells. Rows and columns on walls are not used.
    pub(crate) fn curl(&self, grid: &Grid, factor: f64) -> Vec<f64> {
        let [nx, ny] = grid.cells;
        let mut curl = vec![0.0; nx * ny];
        curl.par_chunks_mut(nx).enumerate().for_each(|(j, row)| {
            let below = crate::grid::before(j, ny) * nx;
            for (i, value) in row.iter_mut().enumerate() {
                let left = crate::grid::before(i, nx);
                *value = factor
                    * (self.v[j * nx + i] - self.v[j * nx + left] - self.u[j * nx + i]
                        + self.u[below + i]);
            }
        });
        curl
    }

    /// Velocities of a stream function in cells, times `factor`.
    pub(crate) fn of_stream(grid: &Grid, stream: &[f64], factor: f64) -> Self {
        let [nx, ny] = grid.cells;
        let after = crate::grid::after;
        let place = |k: usize| (k % nx, k / nx);
        let along_x = |k: usize| {
            let (i, j) = place(k);
            factor * (stream[after(j, ny) * nx + i] - stream[k])
        };
        let along_y = |k: usize| {
            let (i, j) = place(k);
            factor * (stream[k] - stream[j * nx + after(i, nx)])
        };
        Self {
            u: (0..nx * ny).into_par_iter().map(along_x).collect(),
            v: (0..nx * ny).into_par_iter().map(along_y).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Edges;
    use banquise_geometry::math;

    /// A vortex in a box, as face velocities and as a function.
    fn vortex(grid: &Grid) -> FaceField {
        let [nx, ny] = grid.cells;
        let stream = |i: usize, j: usize| {
            let x = std::f64::consts::PI * i as f64 / nx as f64;
            let y = std::f64::consts::PI * j as f64 / ny as f64;
            math::sin(x) * math::sin(x) * math::sin(y) * math::sin(y)
        };
        let nodes: Vec<f64> = (0..nx * ny).map(|k| stream(k % nx, k / nx)).collect();
        FaceField::of_stream(grid, &nodes, nx as f64)
    }

    #[test]
    fn characteristics_carry_a_vortex_as_the_equation_says() {
        // u* = u − dt (u·∇)u + O(dt²): the difference over dt, on two steps, tends to the same field.
        let grid = Grid::try_new([64, 64], 1.0 / 64.0, Edges::Box).unwrap();
        let field = vortex(&grid);
        let rate = |dt: f64| -> Vec<f64> {
            let carried = field.carried(&grid, dt, 0.0);
            carried
                .u
                .iter()
                .zip(&field.u)
                .map(|(a, b)| (b - a) / dt)
                .collect()
        };
        let (slow, fast) = (rate(1e-5), rate(1e-4));
        let size = slow.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        let off = slow
            .iter()
            .zip(&fast)
            .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(size > 1.0 && off < 0.01 * size, "{size} {off}");
        // (u·∇)u in the middle of the left half, by differences of the field itself.
        let (i, j) = (16, 40);
        let u = |i: usize, j: usize| field.u[j * 64 + i];
        let v = |i: usize, j: usize| field.v[j * 64 + i];
        let across = 0.25 * (v(i, j) + v(i - 1, j) + v(i, j + 1) + v(i - 1, j + 1));
        let convection = u(i, j) * (u(i + 1, j) - u(i - 1, j)) * 32.0
            + across * (u(i, j + 1) - u(i, j - 1)) * 32.0;
        let found = slow[j * 64 + i];
        // Differences of second order on 64 cells.
        assert!(
            (found / convection - 1.0).abs() < 0.02,
            "{found} {convection}"
        );
    }
}
