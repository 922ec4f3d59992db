//! An ocean layer of uniform velocity that the ice drags along and that drags the ice.
//!
//! Mₒ dUₒ/dt = ice stress + wind on open water + Mₒ Coriolis − γ ρₒ A Uₒ + Mₒ dU/dt of the data,
//! with Mₒ = ρₒ h A (Rabatel 2015, eqs 1.2.3 and 1.2.4, after Gimbert et al. 2012).

/// The layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlabOcean {
    /// Depth of the layer h \[m\].
    pub layer_depth: f64,
    /// Friction velocity at its base γ [m/s].
    pub base_friction_velocity: f64,
    /// Area of the ocean cell A, ice and open water \[m²\].
    pub cell_area: f64,
}

impl SlabOcean {
    /// Depth of 15 m (Rabatel 2015, table 1.1).
    pub const DEFAULT_LAYER_DEPTH: f64 = 15.0;
    /// Friction velocity of 1e-5 m/s (Rabatel 2015, table 1.1).
    pub const DEFAULT_BASE_FRICTION_VELOCITY: f64 = 1e-5;

    /// Mass of the layer \[kg\].
    pub fn mass(&self, ocean_density: f64) -> f64 {
        ocean_density * self.layer_depth * self.cell_area
    }
}
