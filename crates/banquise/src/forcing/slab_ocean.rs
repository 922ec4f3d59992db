//! Slab ocean layer, coupled to the ice by drag: one cell of uniform velocity, or a grid of them.
//!
//! Mₒ dUₒ/dt = ice stress + wind on open water + Mₒ Coriolis − γ ρₒ A Uₒ + Mₒ dU/dt of the data,
//! with Mₒ = ρₒ h A (Rabatel 2015, eqs 1.2.3 and 1.2.4, after Gimbert et al. 2012), and the exchange with its neighbours for
//! each cell of a grid.

use banquise_geometry::DVec2;

use super::OceanGrid;

/// Settings of the slab ocean layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlabOcean {
    /// Depth of the layer h \[m\].
    pub layer_depth: f64,
    /// Friction velocity at its base γ [m/s].
    pub base_friction_velocity: f64,
    /// Area of the ocean cell A, ice and open water \[m²\]; of each of them, where there are several.
    pub cell_area: f64,
    /// Where the cells are; `None` for one cell under all floes.
    pub grid: Option<OceanGrid>,
}

impl SlabOcean {
    /// Depth of 15 m (Rabatel 2015, table 1.1).
    pub const DEFAULT_LAYER_DEPTH: f64 = 15.0;
    /// Friction velocity of 1e-5 m/s (Rabatel 2015, table 1.1).
    pub const DEFAULT_BASE_FRICTION_VELOCITY: f64 = 1e-5;

    /// Mass of a cell \[kg\].
    pub fn mass(&self, ocean_density: f64) -> f64 {
        ocean_density * self.layer_depth * self.cell_area
    }

    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.grid.map_or(1, |grid| grid.cell_count())
    }

    /// The cell under a floe whose centre of mass is there.
    pub fn cell_at(&self, position: DVec2) -> usize {
        self.grid.map_or(0, |grid| grid.cell_at(position))
    }
}
