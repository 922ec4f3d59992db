//! Materials of bodies.

/// Density, friction, restitution and drag coefficients of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Density ρᵢ [kg/m³].
    pub ice_density: f64,
    /// Friction coefficient μ [–].
    pub friction: f64,
    /// Restitution coefficient ε [–], between 0 and 1.
    pub restitution: f64,
    /// Drag coefficient of water on this ice Cₒ [–], where it is not the one of all ice.
    pub ocean_drag_coefficient: Option<f64>,
    /// Drag coefficient of air on this ice Cₐ [–], where it is not the one of all ice.
    pub air_drag_coefficient: Option<f64>,
}

impl Default for Material {
    /// Ice at 0 °C; friction and restitution of the drift study (Rabatel 2015, table 1.1 and section
    /// 3.2.2).
    fn default() -> Self {
        Self {
            ice_density: 917.0,
            friction: 0.7,
            restitution: 0.4,
            ocean_drag_coefficient: None,
            air_drag_coefficient: None,
        }
    }
}

impl Material {
    /// Material of a contact between two materials: the smaller friction and the smaller restitution.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            friction: self.friction.min(other.friction),
            restitution: self.restitution.min(other.restitution),
            ..self
        }
    }
}
