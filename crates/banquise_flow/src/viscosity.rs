//! Effective viscosity of a dilute suspension of discs, μ(1 + 2φ) in the plane (Brady 1983; Einstein's 5/2 for spheres).

use banquise_geometry::DVec2;

use crate::body::Body;
use crate::transform_size::transform_size;
use crate::{Edges, Flow, FlowError, Fluid, Gradient, Grid, Load, SolverSettings};

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
    /// Coefficient of φ in the limit φ → 0, by a least-squares line; 2 in theory.
    pub limit: f64,
}

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
        let points: Vec<[f64; 2]> = arrays.iter().map(|a| [a.fraction, a.mean()]).collect();
        Ok(ViscosityLimit {
            limit: intercept(&points),
            arrays,
        })
    }

    fn array(&self, fraction: f64, settings: &SolverSettings) -> Result<ArrayViscosity, FlowError> {
        crate::array::check_fraction(fraction)?;
        crate::error::positive("the radius of a disc in cells", self.radius_cells)?;
        let side = self.radius_cells * (std::f64::consts::PI / fraction).sqrt();
        let n = transform_size(side.ceil() as usize);
        let grid = Grid::try_new([n, n], 1.0 / n as f64, Edges::Periodic)?;
        let radius = (fraction / std::f64::consts::PI).sqrt();
        let body = Body::disc(DVec2::splat(0.5), radius)?;
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
        let shear = Gradient {
            xy: 1.0,
            ..Gradient::default()
        };
        let (along, first) = sheared(stretch, 0, 1.0)?;
        let (diagonal, second) = sheared(shear, 1, 1.0)?;
        Ok(ArrayViscosity {
            fraction,
            cells: n,
            coefficients: [along, diagonal],
            iterations: first.max(second),
        })
    }
}

/// Value at zero of the least-squares line through points; the mean if they have one abscissa.
fn intercept(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / n;
    let [x, y] = [mean(0), mean(1)];
    let spread: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    let product: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    if spread > 0.0 {
        y - x * product / spread
    } else {
        y
    }
}
