//! Two discs that are pressed together: F → (3π/2) μ V (R/d)^{3/2} as the gap d closes.
//!
//! The constant, from lubrication theory: the gap between discs of radius R is d + x²/R near its narrowest place, the pressure gradient is 12 μ V x/gap³ for
//! a relative velocity V, and F = 12 μ V ∫ x²/(d + x²/R)³ dx = (3π/2) μ V (R/d)^{3/2}.

use banquise_geometry::DVec2;

use crate::{Body, Edges, Flow, FlowError, Fluid, Grid, Load, SolverSettings, Wrench};

/// Two equal discs in a periodic cell, pushed towards each other.
#[derive(Debug, Clone, PartialEq)]
pub struct SqueezedDiscs {
    /// Radius in cells.
    pub radius_cells: f64,
    /// Gaps in cells.
    pub gaps: Vec<f64>,
    /// Cells along a side of the periodic cell.
    pub cells: usize,
}

/// Resistance of a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SqueezeResistance {
    /// d/R.
    pub gap: f64,
    /// F/(μV), V the relative velocity.
    pub resistance: f64,
    /// F (d/R)^{3/2}/(μV), which tends to 3π/2.
    pub scaled: f64,
    /// Iterations of the conjugate gradients.
    pub iterations: usize,
}

/// Coefficient of (R/d)^{3/2} as d → 0, from the three smallest of at least three gaps: scaled = A + B d/R + C (d/R)^{3/2}, since the next terms of the
/// resistance are of order (R/d)^{1/2} and 1.
pub fn squeeze_limit(resistances: &[SqueezeResistance]) -> Option<f64> {
    let mut points: Vec<[f64; 2]> = resistances.iter().map(|r| [r.gap, r.scaled]).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let &[p, q, r] = points.first_chunk::<3>()?;
    // Divided by differences, B and C are those of a line in C's basis.
    let basis = |gap: f64| gap * gap.sqrt();
    let slope = |a: [f64; 2], b: [f64; 2]| {
        let run = b[0] - a[0];
        [(b[1] - a[1]) / run, (basis(b[0]) - basis(a[0])) / run]
    };
    let ([first, first_basis], [second, second_basis]) = (slope(p, q), slope(q, r));
    let c = (second - first) / (second_basis - first_basis);
    let b = first - c * first_basis;
    Some(p[1] - b * p[0] - c * basis(p[0]))
}

impl SqueezedDiscs {
    /// Finds the resistance of each gap.
    ///
    /// # Errors
    /// If a length is not positive or the discs do not fit.
    pub fn run(&self, settings: &SolverSettings) -> Result<Vec<SqueezeResistance>, FlowError> {
        let grid = Grid::try_new([self.cells; 2], 1.0, Edges::Periodic)?;
        let centre = DVec2::splat(0.5 * self.cells as f64);
        let push = |x: f64| Wrench {
            force: DVec2::new(x, 0.0),
            torque: 0.0,
        };
        let load = Load {
            wrenches: vec![push(1.0), push(-1.0)],
            ..Load::default()
        };
        let one = |&gap: &f64| {
            crate::error::positive("the gap in cells", gap)?;
            let apart = DVec2::new(self.radius_cells + 0.5 * gap, 0.0);
            let bodies = [
                Body::disc(centre - apart, self.radius_cells)?,
                Body::disc(centre + apart, self.radius_cells)?,
            ];
            let mut flow = Flow::new(grid, Fluid { viscosity: 1.0 }, &bodies, settings)?;
            let solution = flow.solve(&load, settings)?;
            let closing = solution.motions[0].velocity.x - solution.motions[1].velocity.x;
            let relative = gap / self.radius_cells;
            Ok(SqueezeResistance {
                gap: relative,
                resistance: 1.0 / closing,
                scaled: relative * relative.sqrt() / closing,
                iterations: solution.iterations,
            })
        };
        self.gaps.iter().map(one).collect()
    }
}
