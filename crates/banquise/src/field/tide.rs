//! A tidal current that differs from place to place: at each point its tip goes round an ellipse of its own.
//!
//! U(x, t) = C(x) cos ωt + S(x) sin ωt. The two amplitudes are bilinear in each cell, not phases and axes: these jump where an ellipse is a
//! circle, and at a whole turn.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, math};

use super::nodes::NodeGrid;
use crate::error::FieldError;

/// One constituent of a tidal current on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GriddedTide {
    /// Period 2π/ω \[s\].
    period: f64,
    grid: NodeGrid,
    /// C at the nodes [m/s]; NaN where there are no data.
    cosine: Vec<DVec2>,
    /// S at the nodes [m/s].
    sine: Vec<DVec2>,
}

impl GriddedTide {
    /// A constituent with a period \[s\], and the amplitudes C and S [m/s] at `nodes` \[m\], row after row of `columns`. Nodes and amplitudes may be
    /// NaN.
    ///
    /// # Errors
    /// When a cell is folded, or there is no cell at all.
    ///
    /// # Panics
    /// When the lengths do not fit each other, or the period is not positive.
    pub fn try_new(
        period: f64,
        columns: usize,
        nodes: Vec<DVec2>,
        [cosine, sine]: [Vec<DVec2>; 2],
    ) -> Result<Self, FieldError> {
        assert!(period > 0.0, "the period must be positive, not {period} s");
        assert_eq!((cosine.len(), sine.len()), (nodes.len(), nodes.len()));
        Ok(Self {
            period,
            grid: NodeGrid::try_new(columns, nodes)?,
            cosine,
            sine,
        })
    }

    /// The current at a point \[m\] and world time \[s\] [m/s]; NaN where there are no data.
    pub fn at(&self, point: DVec2, time: f64) -> DVec2 {
        self.near(point, time, &mut 0)
    }

    /// The current at a point and time; `cell` is where to look first, and where it was found.
    pub(super) fn near(&self, point: DVec2, time: f64, cell: &mut usize) -> DVec2 {
        self.combined(point, self.phase_at(time), cell)
    }

    /// Change of the current at a point between two times \[s\] [m/s].
    pub(super) fn change(&self, point: DVec2, from: f64, to: f64) -> DVec2 {
        self.combined(point, self.phase_at(to) - self.phase_at(from), &mut 0)
    }

    /// Largest speed at any node [m/s]: the semi-major axis.
    pub(super) fn max_speed(&self) -> f64 {
        let parts = self.cosine.iter().zip(&self.sine);
        parts.map(|(&c, &s)| major(c, s)).fold(0.0, f64::max)
    }

    /// (cos ωt, sin ωt).
    fn phase_at(&self, time: f64) -> DVec2 {
        let (sin, cos) = math::sin_cos(TAU * (time / self.period).fract());
        DVec2::new(cos, sin)
    }

    /// Sum of the two amplitudes at a point with these weights.
    fn combined(&self, point: DVec2, weights: DVec2, cell: &mut usize) -> DVec2 {
        let Some((found, place)) = self.grid.locate(point, *cell) else {
            return DVec2::NAN;
        };
        *cell = found;
        let part = |values| self.grid.in_cell(values, found, place);
        weights.x * part(&self.cosine) + weights.y * part(&self.sine)
    }
}

/// Semi-major axis of the ellipse of C cos φ + S sin φ.
fn major(c: DVec2, s: DVec2) -> f64 {
    let half_sum = 0.5 * (c.length_squared() + s.length_squared());
    let half_difference = 0.5 * (c.length_squared() - s.length_squared());
    let mixed = c.dot(s);
    (half_sum + (half_difference * half_difference + mixed * mixed).sqrt()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of 1 km with an amplitude C and S at each corner.
    fn square(cosine: [DVec2; 4], sine: [DVec2; 4]) -> GriddedTide {
        let nodes = [(0.0, 0.0), (1e3, 0.0), (0.0, 1e3), (1e3, 1e3)];
        let nodes = nodes.map(DVec2::from).to_vec();
        GriddedTide::try_new(100.0, 2, nodes, [cosine.to_vec(), sine.to_vec()]).unwrap()
    }

    #[test]
    fn between_phases_of_170_and_190_degrees_the_phase_is_180() {
        let amplitude = |degrees: f64| {
            let (sin, cos) = math::sin_cos(degrees.to_radians());
            (cos * DVec2::X, sin * DVec2::X)
        };
        let corners = [170.0, -170.0, 170.0, -170.0].map(amplitude);
        let tide = square(corners.map(|part| part.0), corners.map(|part| part.1));
        let (middle, half_period) = (DVec2::splat(500.0), 50.0);
        // The mean of two arrows 10° to both sides: shorter by cos 10°.
        let expected = math::sin_cos(10.0_f64.to_radians()).1;
        let found = tide.at(middle, half_period);
        assert!((found - expected * DVec2::X).length() < 1e-12, "{found}");
        assert!(tide.at(middle, 0.25 * 100.0).length() < 1e-12);
    }

    #[test]
    fn the_largest_speed_is_the_semi_major_axis() {
        let (c, s) = (DVec2::new(0.3, -0.1), DVec2::new(0.05, 0.2));
        let tide = square([c; 4], [s; 4]);
        let speeds = (0..10_000).map(|k| tide.at(DVec2::ONE, 0.01 * f64::from(k)).length());
        let largest = speeds.fold(0.0, f64::max);
        // A ten-thousandth of a turn beside the largest: 1e-7 of it.
        assert!((tide.max_speed() - largest).abs() < 1e-7, "{largest}");
    }

    #[test]
    fn outside_and_beside_missing_nodes_there_is_nothing() {
        let gap = [DVec2::NAN, DVec2::ONE, DVec2::ONE, DVec2::ONE];
        let tide = square(gap, gap);
        assert!(tide.at(DVec2::new(500.0, 400.0), 3.0).is_nan());
        assert!(tide.at(DVec2::new(-1.0, 400.0), 3.0).is_nan());
        assert!(tide.at(DVec2::new(1e3, 400.0), 3.0).is_finite());
    }
}
