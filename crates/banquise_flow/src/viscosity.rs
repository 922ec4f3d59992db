//! Effective viscosity of a dilute suspension of discs, μ(1 + 2φ) in the plane (Brady 1983; Einstein's 5/2 for spheres).

use banquise_geometry::DVec2;

use crate::body::Body;
use crate::transform_size::transform_size;
use crate::{Edges, Flow, FlowError, Fluid, Gradient, Grid, Load, Solution, SolverSettings};

/// Square arrays of discs sheared in both orientations.
#[derive(Debug, Clone, PartialEq)]
pub struct DiluteViscosity {
    /// Area fractions.
    pub fractions: Vec<f64>,
    /// Least radius of a disc in cells.
    pub radius_cells: f64,
}

/// Effective viscosity of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArrayViscosity {
    /// Area fraction φ.
    pub fraction: f64,
    /// Cells along a side.
    pub cells: usize,
    /// `(μ_eff/μ − 1)/φ`, strained along the sides of the array and along its diagonals.
    pub coefficients: [f64; 2],
    /// Most iterations of a solution.
    pub iterations: usize,
}

impl ArrayViscosity {
    /// Mean over both orientations: that of an isotropic suspension to first order in φ.
    pub fn mean(&self) -> f64 {
        0.5 * (self.coefficients[0] + self.coefficients[1])
    }
}

/// Coefficients of several arrays and their limit.
#[derive(Debug, Clone, PartialEq)]
pub struct ViscosityLimit {
    /// One for each fraction.
    pub arrays: Vec<ArrayViscosity>,
    /// Coefficient of φ in the limit φ → 0, by a least-squares line, to 2 %; 2 in theory. Or why these arrays do not tell it.
    pub limit: Result<f64, &'static str>,
}

/// A shear flow of unit rate.
const SHEAR: Gradient = Gradient {
    xx: 0.0,
    xy: 1.0,
    yx: 0.0,
};

/// The flow through an array that is sheared.
#[derive(Debug, Clone)]
pub struct ShearedArray {
    /// The grid; the side of the periodic cell is 1.
    pub grid: Grid,
    /// The disc.
    pub body: Body,
    /// The flow for a viscosity and a shear rate of 1.
    pub solution: Solution,
    /// Its pressure in the middle of cells.
    pub pressure: Vec<f64>,
}

/// What the limit needs for 2 %: least radius in cells (five leave 2.0 %, six 1.4 %), largest fraction that a line follows, least ratio of the largest to the smallest.
const LEAST_RADIUS: f64 = 6.0;
const DILUTE: f64 = 0.1;
const SPAN: f64 = 1.5;

impl DiluteViscosity {
    /// Shears the arrays.
    ///
    /// # Errors
    /// If a fraction is not that of separate discs, there is none, or the grid would be too large.
    pub fn run(&self, settings: &SolverSettings) -> Result<ViscosityLimit, FlowError> {
        let arrays = self
            .fractions
            .iter()
            .map(|&fraction| self.array(fraction, settings))
            .collect::<Result<Vec<_>, _>>()?;
        if arrays.is_empty() {
            return Err(FlowError::OutOfRange {
                quantity: "the number of area fractions",
                requirement: "at least 1",
                value: 0.0,
            });
        }
        Ok(ViscosityLimit {
            limit: self.limit(&arrays),
            arrays,
        })
    }

    fn limit(&self, arrays: &[ArrayViscosity]) -> Result<f64, &'static str> {
        if self.radius_cells < LEAST_RADIUS {
            return Err("discs are too coarse: it takes a radius of six cells");
        }
        let dilute = arrays.iter().filter(|array| array.fraction <= DILUTE);
        let points: Vec<[f64; 2]> = dilute.map(|a| [a.fraction, a.mean()]).collect();
        let fractions = || points.iter().map(|point| point[0]);
        let least = fractions().fold(f64::INFINITY, f64::min);
        if fractions().fold(0.0, f64::max) < SPAN * least {
            return Err("it takes two fractions up to 0.1, one 1.5 times the other");
        }
        Ok(intercept(&points))
    }

    /// The grid and the disc of an array.
    fn cell(&self, fraction: f64) -> Result<(Grid, Body), FlowError> {
        crate::array::check_fraction(fraction)?;
        crate::error::positive("the radius of a disc in cells", self.radius_cells)?;
        let side = (self.radius_cells * (std::f64::consts::PI / fraction).sqrt()).min(1e9);
        let n = transform_size(side.ceil() as usize);
        let grid = Grid::try_new([n, n], 1.0 / n as f64, Edges::Periodic)?;
        let radius = (fraction / std::f64::consts::PI).sqrt();
        Ok((grid, Body::disc(DVec2::splat(0.5), radius)?))
    }

    /// The flow through an array that is sheared, u = y about the disc.
    ///
    /// # Errors
    /// If the fraction is not that of separate discs, or the grid would be too large.
    pub fn flow(
        &self,
        fraction: f64,
        settings: &SolverSettings,
    ) -> Result<ShearedArray, FlowError> {
        let (grid, body) = self.cell(fraction)?;
        let fluid = Fluid { viscosity: 1.0 };
        let mut flow = Flow::new(grid, fluid, std::slice::from_ref(&body), settings)?;
        let load = Load {
            gradient: SHEAR,
            ..Load::default()
        };
        let solution = flow.solve(&load, settings)?;
        Ok(ShearedArray {
            pressure: flow.pressure(&load, &solution),
            grid,
            body,
            solution,
        })
    }

    fn array(&self, fraction: f64, settings: &SolverSettings) -> Result<ArrayViscosity, FlowError> {
        let (grid, body) = self.cell(fraction)?;
        let mut flow = Flow::new(grid, Fluid { viscosity: 1.0 }, &[body], settings)?;
        let mut sheared = |gradient: Gradient, component: usize, rate: f64| {
            let load = Load {
                gradient,
                ..Load::default()
            };
            let solution = flow.solve(&load, settings)?;
            // τ = 2 (μ_eff − μ) D, and 2 D is the rate.
            let added = solution.added_stress[component] / rate;
            Ok::<_, FlowError>((added / fraction, solution.iterations))
        };
        let stretch = Gradient {
            xx: 0.5,
            ..Gradient::default()
        };
        let (along, first) = sheared(stretch, 0, 1.0)?;
        let (diagonal, second) = sheared(SHEAR, 1, 1.0)?;
        Ok(ArrayViscosity {
            fraction,
            cells: grid.cells[0],
            coefficients: [along, diagonal],
            iterations: first.max(second),
        })
    }
}

/// Value at zero of the least-squares line through points of more than one abscissa.
fn intercept(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / n;
    let [x, y] = [mean(0), mean(1)];
    let spread: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    let product: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    y - x * product / spread
}
