//! Two discs that are pressed together: F → (3π/2) μ V (R/d)^{3/2} as the gap d closes.
//!
//! The constant, from lubrication theory: the gap between discs of radius R is d + x²/R near its narrowest place, the pressure gradient is 12 μ V x/gap³ for
//! a relative velocity V, and F = 12 μ V ∫ x²/(d + x²/R)³ dx = (3π/2) μ V (R/d)^{3/2}.
//!
//! In unbounded fluid the resistance is known at any gap. In bipolar coordinates (Jeffrey and Onishi 1981 for a plane without slip, F = 4πμU/(α − tanh α)) the stream function is
//! f(η) sin ξ over the scale factor, f = C sinh 2η + D η about the plane between the discs, along which the fluid slips, and F = 4πμD. With f(α) = U and f′(α) = 0 on the
//! disc, V = 2U and cosh α = 1 + d/(2R):
//!
//! ```text
//! F/(μV) = 4π/(2α − tanh 2α) → (3π/2) (R/d)^{3/2}
//! ```
//!
//! A periodic cell adds to this a resistance that stays finite as the gap closes: the discs press fluid past their images.

use banquise_geometry::{DVec2, math};

use crate::transform_size::cells_for;
use crate::{Body, Edges, Flow, FlowError, Fluid, Grid, Load, Solution, SolverSettings, Wrench};

/// Two equal discs in a periodic cell, pushed towards each other.
#[derive(Debug, Clone, PartialEq)]
pub struct SqueezedDiscs {
    /// Radius in cells.
    pub radius_cells: f64,
    /// Gaps in cells.
    pub gaps: Vec<f64>,
    /// Cells along a side of the periodic cell; none for ten radii.
    pub cells: Option<usize>,
}

/// Resistance of a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SqueezeResistance {
    /// d/R.
    pub gap: f64,
    /// d in cells.
    pub gap_cells: f64,
    /// F/(μV), V the relative velocity.
    pub resistance: f64,
    /// F/(μV) of these discs in unbounded fluid, by the closed form.
    pub unbounded: f64,
    /// F (d/R)^{3/2}/(μV), which tends to 3π/2.
    pub scaled: f64,
    /// Iterations of the conjugate gradients.
    pub iterations: usize,
}

/// Resistances and their limit.
#[derive(Debug, Clone, PartialEq)]
pub struct SqueezeStudy {
    /// Cells along a side of the periodic cell.
    pub cells: usize,
    /// One for each gap.
    pub gaps: Vec<SqueezeResistance>,
    /// F (d/R)^{3/2}/(μV) as d → 0, to a percent; or why these gaps do not tell it.
    pub limit: Result<f64, &'static str>,
}

/// A flow between two discs.
#[derive(Debug, Clone)]
pub struct SqueezeFlow {
    /// The grid; lengths in cells.
    pub grid: Grid,
    /// The discs.
    pub bodies: [Body; 2],
    /// The flow for unit forces and viscosity 1.
    pub solution: Solution,
    /// Its pressure in the middle of cells.
    pub pressure: Vec<f64>,
}

/// Side of the cell over the radius, if it is not given.
const ROOM: f64 = 10.0;
/// What the limit needs: with smaller cells the resistance of the images is not nearly the same at all gaps.
const LEAST_ROOM: f64 = 8.0;
/// Least gap in cells for the limit: cells take 0.2 % of the resistance there, 0.6 % at five and 2.5 % at three, and the fit doubles it.
const RESOLVED: f64 = 6.0;
/// Gaps over the radius: the smallest must be in the range of lubrication, and none far beyond.
const SMALLEST: f64 = 0.15;
const LARGEST: f64 = 0.5;
/// Least ratio of the largest gap to the smallest: two resistances tell two unknowns.
const SPAN: f64 = 1.4;

/// F/(μV) of two equal discs in unbounded fluid, d/R apart.
pub fn unbounded_resistance(gap: f64) -> f64 {
    // cosh α = 1 + d/(2R).
    let half = 0.5 * gap;
    let alpha = math::ln(1.0 + half + (half * (2.0 + half)).sqrt());
    let double = 2.0 * alpha;
    let film = if double < 0.1 {
        // The difference would lose its digits.
        let square = double * double;
        double * square * (1.0 / 3.0 - square * (2.0 / 15.0 - square * (17.0 / 315.0)))
    } else {
        let far = math::exp(-2.0 * double);
        double - (1.0 - far) / (1.0 + far)
    };
    4.0 * std::f64::consts::PI / film
}

/// Coefficient of (R/d)^{3/2} as d → 0 by least squares of relative errors: F = A g(d/R) + B, g the closed form for unbounded fluid with its own coefficient taken out. Only the
/// shape of g comes from theory; A is measured, and B is the resistance of the images.
fn fit(gaps: &[SqueezeResistance]) -> f64 {
    let constant = 1.5 * std::f64::consts::PI;
    let (mut aa, mut ab, mut bb, mut a1, mut b1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for gap in gaps {
        let a = gap.unbounded / constant / gap.resistance;
        let b = 1.0 / gap.resistance;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        a1 += a;
        b1 += b;
    }
    (a1 * bb - b1 * ab) / (aa * bb - ab * ab)
}

impl SqueezedDiscs {
    /// Finds the resistance of each gap, and the limit if they tell it.
    ///
    /// # Errors
    /// If a length is not positive, or the discs and their images do not fit.
    pub fn run(&self, settings: &SolverSettings) -> Result<SqueezeStudy, FlowError> {
        let cells = self.side()?;
        for &gap in &self.gaps {
            self.check(cells, gap)?;
        }
        let gaps = self
            .gaps
            .iter()
            .map(|&gap| Ok(self.resistance(gap, &self.flow(gap, settings)?)))
            .collect::<Result<Vec<_>, FlowError>>()?;
        Ok(SqueezeStudy {
            cells,
            limit: self.limit(cells, &gaps),
            gaps,
        })
    }

    /// The flow at a gap in cells.
    ///
    /// # Errors
    /// If a length is not positive, or the discs and their images do not fit.
    pub fn flow(&self, gap: f64, settings: &SolverSettings) -> Result<SqueezeFlow, FlowError> {
        let cells = self.side()?;
        self.check(cells, gap)?;
        let grid = Grid::try_new([cells; 2], 1.0, Edges::Periodic)?;
        let centre = DVec2::splat(0.5 * cells as f64);
        let apart = DVec2::new(self.radius_cells + 0.5 * gap, 0.0);
        let bodies = [
            Body::disc(centre - apart, self.radius_cells)?,
            Body::disc(centre + apart, self.radius_cells)?,
        ];
        let push = |x: f64| Wrench {
            force: DVec2::new(x, 0.0),
            torque: 0.0,
        };
        let load = Load {
            wrenches: vec![push(1.0), push(-1.0)],
            ..Load::default()
        };
        let mut flow = Flow::new(grid, Fluid { viscosity: 1.0 }, &bodies, settings)?;
        let solution = flow.solve(&load, settings)?;
        Ok(SqueezeFlow {
            pressure: flow.pressure(&load, &solution),
            grid,
            bodies,
            solution,
        })
    }

    /// Cells along a side.
    fn side(&self) -> Result<usize, FlowError> {
        crate::error::positive("the radius in cells", self.radius_cells)?;
        cells_for(self.cells, ROOM * self.radius_cells)
    }

    /// Refuses gaps without a cell, and discs that meet their images.
    fn check(&self, cells: usize, gap: f64) -> Result<(), FlowError> {
        crate::error::positive("the gap in cells", gap)?;
        if gap < 1.0 {
            return Err(FlowError::Crowded {
                what: "the discs",
                gap,
                requirement: "a gap needs a cell at least, and six for its resistance",
            });
        }
        let left = cells as f64 - 4.0 * self.radius_cells - gap;
        if left < gap {
            return Err(FlowError::Crowded {
                what: "a disc and the image of the other",
                gap: left,
                requirement: "more than the gap between the discs, or it is the images that are pressed together",
            });
        }
        Ok(())
    }

    fn resistance(&self, gap: f64, flow: &SqueezeFlow) -> SqueezeResistance {
        let motions = &flow.solution.motions;
        let closing = motions[0].velocity.x - motions[1].velocity.x;
        let relative = gap / self.radius_cells;
        SqueezeResistance {
            gap: relative,
            gap_cells: gap,
            resistance: 1.0 / closing,
            unbounded: unbounded_resistance(relative),
            scaled: relative * relative.sqrt() / closing,
            iterations: flow.solution.iterations,
        }
    }

    fn limit(&self, cells: usize, gaps: &[SqueezeResistance]) -> Result<f64, &'static str> {
        if (cells as f64) < LEAST_ROOM * self.radius_cells {
            return Err(
                "images are too near: give eight radii or more to a side, or leave --cells out",
            );
        }
        let is_used = |gap: &&SqueezeResistance| gap.gap_cells >= RESOLVED && gap.gap <= LARGEST;
        let used: Vec<SqueezeResistance> = gaps.iter().filter(is_used).copied().collect();
        let smallest = used.iter().fold(f64::INFINITY, |m, gap| m.min(gap.gap));
        let largest = used.iter().fold(0.0, |m: f64, gap| m.max(gap.gap));
        if smallest > SMALLEST || largest < SPAN * smallest {
            return Err(
                "it takes two gaps of at least six cells, one 1.4 times the other, the smaller below 0.15 radii and the larger below 0.5: take a larger radius in cells, or other gaps",
            );
        }
        Ok(fit(&used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_tends_to_lubrication_theory_from_both_its_branches() {
        let scaled = |gap: f64| unbounded_resistance(gap) * gap * gap.sqrt();
        let constant = 1.5 * std::f64::consts::PI;
        assert!((scaled(1e-6) / constant - 1.0).abs() < 1e-5);
        // The next term of the series is (8/5 + 1/8) d/R.
        let slope = (scaled(1e-3) / constant - 1.0) / 1e-3;
        assert!((slope - 1.725).abs() < 0.01, "{slope}");
        // α = 0.05 is where one branch takes over from the other.
        let gap = 2.0 * (math::exp(0.05) + math::exp(-0.05)) / 2.0 - 2.0;
        let [below, above] = [1.0 - 1e-9, 1.0 + 1e-9].map(|part| unbounded_resistance(gap * part));
        assert!((below / above - 1.0).abs() < 1e-7, "{below} {above}");
    }

    #[test]
    fn what_the_gaps_do_not_tell_is_not_told() {
        let settings = SolverSettings::default();
        let study = |radius_cells: f64, gaps: &[f64], cells: Option<usize>| SqueezedDiscs {
            radius_cells,
            gaps: gaps.to_vec(),
            cells,
        };
        // Images overlap, or are nearer than the gap; the gap has no cell.
        for refused in [
            study(40.0, &[5.0], Some(120)),
            study(40.0, &[5.0], Some(168)),
            study(40.0, &[0.5], None),
        ] {
            let error = refused.run(&settings).unwrap_err();
            assert!(matches!(error, FlowError::Crowded { .. }), "{error}");
            assert!(error.is_input());
        }
        // Images too near, too few cells in the gaps, gaps too wide, one gap only.
        for untold in [
            study(40.0, &[6.0, 10.0], Some(240)),
            study(40.0, &[2.0, 4.0], None),
            study(16.0, &[6.0, 10.0], None),
            study(40.0, &[5.0, 10.0], None),
            study(40.0, &[6.0], None),
            study(40.0, &[6.0, 6.0, 6.0], None),
        ] {
            let found = untold.run(&settings).unwrap();
            assert!(found.limit.is_err(), "{found:?}");
        }
        let told = study(40.0, &[6.0, 9.0], None).run(&settings).unwrap();
        let limit = told.limit.unwrap() / (1.5 * std::f64::consts::PI);
        // What the cells of the smallest gap leave: 0.4 %.
        assert!((limit - 1.0).abs() < 0.01, "{limit}");
    }
}
