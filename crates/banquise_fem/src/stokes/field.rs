//! A flow that was found.

use banquise_geometry::DVec2;

/// Velocities and pressures of a flow.
#[derive(Clone, Debug)]
pub struct FlowField {
    /// At corners, then at the middles of edges where velocities are quadratic \[m/s\].
    pub velocity: Vec<DVec2>,
    /// Factor of the bubble of each triangle \[m/s\].
    pub bubbles: Vec<DVec2>,
    /// At corners \[Pa\].
    pub pressure: Vec<f64>,
    /// Velocity and angular velocity of each rigid body \[m/s, 1/s\].
    pub motions: Vec<[f64; 3]>,
    /// What is left of the equations, relative to the terms in them.
    pub residual: f64,
}

/// Velocity and its gradient at a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowValue {
    /// \[m/s\].
    pub velocity: DVec2,
    /// ∂u/∂x, ∂u/∂y, ∂v/∂x, ∂v/∂y \[1/s\].
    pub gradient: [f64; 4],
}

impl FlowValue {
    /// D:D without the part around an axis.
    pub fn strain_squared(&self) -> f64 {
        let [a, b, c, d] = self.gradient;
        a * a + d * d + 0.5 * (b + c) * (b + c)
    }
}

impl FlowField {
    /// Adds a multiple of another flow of the same problem.
    pub fn add(&mut self, factor: f64, other: &Self) {
        for (a, b) in self.velocity.iter_mut().zip(&other.velocity) {
            *a += factor * *b;
        }
        for (a, b) in self.bubbles.iter_mut().zip(&other.bubbles) {
            *a += factor * *b;
        }
        for (a, b) in self.pressure.iter_mut().zip(&other.pressure) {
            *a += factor * *b;
        }
        for (a, b) in self
            .motions
            .iter_mut()
            .flatten()
            .zip(other.motions.iter().flatten())
        {
            *a += factor * *b;
        }
    }
}
