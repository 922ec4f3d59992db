//! What bodies are made of.

/// A material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Density ρᵢ [kg/m³].
    pub ice_density: f64,
}

impl Default for Material {
    /// Ice at 0 °C (Rabatel 2015, table 1.1).
    fn default() -> Self {
        Self { ice_density: 917.0 }
    }
}
