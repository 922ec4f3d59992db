//! Bending by waves: a hook. No crack is looked for under it yet.
//!
//! A floe that is thin beside the wavelength follows the surface of the water, η = a cos(k·x + φ). Its curvature stores
//! ½ D κ² for a unit of area, with D = E h³/(12 (1 − ν²)), and pulls at its faces with E h κ/(2 (1 − ν²)). In the plane, which is all that
//! cracks see, a wave does no work to first order.

use banquise_geometry::{DVec2, math};

use crate::floe::FloeModel;

/// A wave of the sea surface at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Amplitude a \[m\].
    pub amplitude: f64,
    /// Wave vector k in the floe's own frame \[rad/m\].
    pub wave_vector: DVec2,
    /// Phase φ at the origin \[rad\].
    pub phase: f64,
}

impl Wave {
    /// Curvature of the surface along the wave vector \[1/m\].
    pub fn curvature(&self, point: DVec2) -> f64 {
        let cosine = math::cos(self.wave_vector.dot(point) + self.phase);
        -self.amplitude * self.wave_vector.length_squared() * cosine
    }
}

/// What bending does to a floe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bending {
    /// Elastic energy \[J\].
    pub energy: f64,
    /// Largest tension at a face \[Pa\].
    pub stress: f64,
}

impl FloeModel {
    /// The bending of a floe that follows a wave, from the curvature at its nodes.
    pub fn bending(&self, wave: &Wave) -> Bending {
        let (elasticity, thickness) = (self.elasticity(), self.thickness());
        let plate = elasticity.young / (1.0 - elasticity.poisson * elasticity.poisson);
        let rigidity = plate * thickness * thickness * thickness / 12.0;
        let mut bending = Bending {
            energy: 0.0,
            stress: 0.0,
        };
        for (point, area) in self.mesh().points().iter().zip(self.node_areas()) {
            let curvature = wave.curvature(*point);
            bending.energy += 0.5 * rigidity * curvature * curvature * area;
            bending.stress = bending
                .stress
                .max(0.5 * plate * thickness * curvature.abs());
        }
        bending
    }
}
