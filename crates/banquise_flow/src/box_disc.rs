//! The disc of radius 0.1 in the middle of the unit box: settling and sheared (Lefebvre 2007, sections 1.3.2 and 1.3.3).

use banquise_geometry::DVec2;

use crate::grid::after;
use crate::{
    Body, Edges, Flow, FlowError, Fluid, Gradient, Grid, Load, Solution, SolverSettings, Wrench,
};

/// The disc in the box, on a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxDisc {
    /// Cells along a side of the box.
    pub cells: usize,
}

/// Radius of the disc over the side of the box.
pub const RADIUS: f64 = 0.1;
/// Force on the disc for each unit of area; viscosity and side of the box are 1.
pub const WEIGHT: f64 = 500.0;
/// Settling velocity by fundamental solutions.
pub const SETTLING_VELOCITY: f64 = 0.927_891;

/// Distance from the edge of the disc beyond which gradients are compared: fixed, so that the same flow is compared on all grids.
const AWAY: f64 = 0.05;

/// Difference of two flows, each norm relative to that of the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowDifference {
    /// Of velocities, everywhere (L²).
    pub velocity: f64,
    /// Of velocity gradients (H¹), away from the edge of the disc.
    pub gradient: f64,
}

impl BoxDisc {
    /// The grid and the flow for a load.
    fn solve(self, load: &Load, settings: &SolverSettings) -> Result<(Grid, Solution), FlowError> {
        let (grid, solution, _) = self.solve_with(load, settings, false)?;
        Ok((grid, solution))
    }

    /// The grid and the flow for a load; the pressure in the middle of cells, if it is asked for.
    fn solve_with(
        self,
        load: &Load,
        settings: &SolverSettings,
        has_pressure: bool,
    ) -> Result<(Grid, Solution, Vec<f64>), FlowError> {
        let n = self.cells;
        let grid = Grid::try_new([n, n], 1.0 / n as f64, Edges::Box)?;
        let mut flow = Flow::new(grid, Fluid { viscosity: 1.0 }, &[Self::body()?], settings)?;
        let solution = flow.solve(load, settings)?;
        let pressure = if has_pressure {
            flow.pressure(load, &solution)
        } else {
            Vec::new()
        };
        Ok((grid, solution, pressure))
    }

    /// The flow around the disc that settles, or in the box that is sheared, with its pressure in the middle of cells.
    ///
    /// # Errors
    /// If the number of cells is out of range or the iteration does not converge.
    pub fn with_pressure(
        self,
        is_sheared: bool,
        settings: &SolverSettings,
    ) -> Result<(Grid, Solution, Vec<f64>), FlowError> {
        let load = if is_sheared {
            Self::shear_load()
        } else {
            Self::weight_load()
        };
        self.solve_with(&load, settings, true)
    }

    fn weight_load() -> Load {
        let area = std::f64::consts::PI * RADIUS * RADIUS;
        Load {
            wrenches: vec![Wrench {
                force: DVec2::new(0.0, -WEIGHT * area),
                torque: 0.0,
            }],
            ..Load::default()
        }
    }

    fn shear_load() -> Load {
        Load {
            gradient: SHEAR,
            ..Load::default()
        }
    }

    /// The disc.
    ///
    /// # Errors
    /// Never: the radius is positive.
    pub fn body() -> Result<Body, FlowError> {
        Body::disc(DVec2::splat(0.5), RADIUS)
    }

    /// The disc settles under its weight between walls at rest.
    ///
    /// # Errors
    /// If the number of cells is out of range or the iteration does not converge.
    pub fn settle(self, settings: &SolverSettings) -> Result<(Grid, Solution), FlowError> {
        self.solve(&Self::weight_load(), settings)
    }

    /// The walls shear the fluid: v = x on all four sides.
    ///
    /// # Errors
    /// If the number of cells is out of range or the iteration does not converge.
    pub fn shear(self, settings: &SolverSettings) -> Result<(Grid, Solution), FlowError> {
        self.solve(&Self::shear_load(), settings)
    }
}

/// Velocity gradient of the sheared box.
pub const SHEAR: Gradient = Gradient {
    xx: 0.0,
    xy: 0.0,
    yx: 1.0,
};

/// x velocity at a point by linear interpolation along x and y between faces.
fn along_x(grid: &Grid, stream: &[f64], at: DVec2) -> f64 {
    let [nx, ny] = grid.cells;
    let place = at / grid.spacing - DVec2::new(0.0, 0.5);
    let cell = place.floor();
    let share = place - cell;
    let face = |di: i64, dj: i64| {
        let i = (cell.x as i64 + di).rem_euclid(nx as i64) as usize;
        let j = (cell.y as i64 + dj).rem_euclid(ny as i64) as usize;
        stream[after(j, ny) * nx + i] - stream[j * nx + i]
    };
    let row = |dj: i64| {
        // The far column may be beyond the wall; with no share it does not count.
        let far = if share.x > 0.0 { face(1, dj) } else { 0.0 };
        (1.0 - share.x) * face(0, dj) + share.x * far
    };
    ((1.0 - share.y) * row(0) + if share.y > 0.0 { share.y * row(1) } else { 0.0 }) / grid.spacing
}

/// Compares x velocities of a flow in the box with those of another on a finer grid whose cells divide those of the first, and their gradients away from the
/// disc.
///
/// Components along y follow by symmetry of the method, not of the flow; one component suffices for an order.
pub fn compare(coarse: (&Grid, &Solution), fine: (&Grid, &Solution)) -> FlowDifference {
    let (grid, n) = (coarse.0, coarse.0.cells[0]);
    let h = grid.spacing;
    let value = |flow: (&Grid, &Solution), i: usize, j: usize| {
        let at = DVec2::new(i as f64, j as f64 + 0.5) * h;
        along_x(flow.0, &flow.1.stream, at)
    };
    let (mut error, mut size) = (0.0, 0.0);
    let (mut gradient_error, mut gradient_size) = (0.0, 0.0);
    for j in 0..n {
        for i in 1..n {
            let [a, b] = [coarse, fine].map(|flow| value(flow, i, j));
            error += (a - b) * (a - b);
            size += b * b;
            let at = DVec2::new(i as f64 + 0.5, j as f64 + 0.5) * h;
            let is_away = (at.distance(DVec2::splat(0.5)) - RADIUS).abs() > AWAY;
            if i + 1 < n && j + 1 < n && is_away {
                for (di, dj) in [(1, 0), (0, 1)] {
                    let [a, b] = [coarse, fine]
                        .map(|flow| (value(flow, i + di, j + dj) - value(flow, i, j)) / h);
                    gradient_error += (a - b) * (a - b);
                    gradient_size += b * b;
                }
            }
        }
    }
    FlowDifference {
        velocity: (error / size).sqrt(),
        gradient: (gradient_error / gradient_size).sqrt(),
    }
}

/// Slope of the least-squares line of ln y against ln x.
pub fn order(points: &[[f64; 2]]) -> f64 {
    use banquise_geometry::math::ln;
    let n = points.len() as f64;
    let logs: Vec<[f64; 2]> = points.iter().map(|p| p.map(ln)).collect();
    let mean = |k: usize| logs.iter().map(|p| p[k]).sum::<f64>() / n;
    let [x, y] = [mean(0), mean(1)];
    let spread: f64 = logs.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    logs.iter().map(|p| (p[0] - x) * (p[1] - y)).sum::<f64>() / spread
}
