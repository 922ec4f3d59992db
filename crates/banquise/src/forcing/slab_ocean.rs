//! Slab ocean layer, coupled to the ice by drag: one cell of uniform velocity, or a grid of them.
//!
//! The state of a cell is the anomaly U′ that ice and wind add to the given current `U_d`; a floe feels `U_d` + U′:
//!
//! Mₒ dU′/dt = ice stress + wind on open water + Mₒ Coriolis of U′ − γ ρₒ A U′.
//!
//! The source's form has the whole velocity as its state, and Coriolis and base friction act on all of it:
//!
//! Mₒ dUₒ/dt = ice stress + wind on open water + Mₒ Coriolis − γ ρₒ A Uₒ + Mₒ dU/dt of the data,
//! with Mₒ = ρₒ h A (Rabatel 2015, eqs 1.2.3 and 1.2.4, after Gimbert et al. 2012), and the exchange with its neighbours for
//! each cell of a grid.

use banquise_geometry::DVec2;

use super::OceanGrid;

/// State of the ocean layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OceanModel {
    /// The anomaly of the given current: a given current persists.
    #[default]
    Anomaly,
    /// The whole velocity, to which only the start and the changes of the given current contribute (Rabatel 2015).
    Rabatel2015,
}

/// Settings of the slab ocean layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlabOcean {
    /// State of the cells.
    pub model: OceanModel,
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
    /// Depth and friction velocity of a model where none are given \[m\], [m/s]. Of the anomaly, those with which turning and inertial
    /// motion are between those of two buoys on pack ice (see the book); of the source, its table 1.1.
    pub fn defaults(model: OceanModel) -> (f64, f64) {
        match model {
            OceanModel::Anomaly => (28.0, 2e-4),
            OceanModel::Rabatel2015 => (15.0, 1e-5),
        }
    }

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
