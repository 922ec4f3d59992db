//! Forces on floes between contacts: wind, water, the Earth's rotation, given forces.

mod body_force;
mod coriolis;
mod drag;
mod ocean_grid;
mod slab_ocean;
mod stability;

pub use body_force::{BodyForce, Push};
pub(crate) use coriolis::acceleration as coriolis_acceleration;
pub use coriolis::{Coriolis, EARTH_ANGULAR_SPEED, EARTH_RADIUS, Turn};
pub use drag::DragSettings;
pub(crate) use drag::{SurfaceLoad, Water, water_loads, wind_load, wind_load_in};
pub use ocean_grid::OceanGrid;
pub use slab_ocean::SlabOcean;
pub(crate) use stability::drag_limit;
pub use stability::{StabilityInputs, stable_step};

use crate::field::SpatialField;
use crate::series::VectorSeries;
use crate::stored::{Input, Stored, StoredError, require, stored_structs};

/// All forcing of a run. What is `None` or empty is switched off and changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Forcing {
    /// Drag of wind and water.
    pub drag: Option<DragSettings>,
    /// Wind at 10 m height [m/s].
    pub wind: VectorSeries,
    /// Ocean current as given [m/s]; with a slab ocean, only its start and its changes count.
    pub current: VectorSeries,
    /// Spatial part of the wind, added to the uniform one.
    pub wind_field: Option<SpatialField>,
    /// Spatial part of the current, added to the uniform one. Not together with a slab ocean, whose velocity is its own.
    pub current_field: Option<SpatialField>,
    /// The Earth's rotation.
    pub coriolis: Coriolis,
    /// An ocean layer that the ice drags along.
    pub slab_ocean: Option<SlabOcean>,
    /// Gravity, pushes.
    pub body_forces: Vec<BodyForce>,
}

impl Forcing {
    /// No force at all.
    pub fn none() -> Self {
        Self {
            drag: None,
            wind: VectorSeries::constant(banquise_geometry::DVec2::ZERO),
            current: VectorSeries::constant(banquise_geometry::DVec2::ZERO),
            wind_field: None,
            current_field: None,
            coriolis: Coriolis::Off,
            slab_ocean: None,
            body_forces: Vec::new(),
        }
    }
}

stored_structs! {
    BodyForce { push, from, until, repeat, bodies }
    SlabOcean { layer_depth, base_friction_velocity, cell_area, grid }
}

impl Stored for Push {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Acceleration(vector) => (0_u8, *vector).put(out),
            Self::Force(vector) => (1_u8, *vector).put(out),
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match Stored::take(input)? {
            (0_u8, vector) => Ok(Self::Acceleration(vector)),
            (1, vector) => Ok(Self::Force(vector)),
            _ => Err(StoredError::Impossible {
                what: "a given force",
            }),
        }
    }
}

impl Stored for OceanGrid {
    fn put(&self, out: &mut Vec<u8>) {
        let Self {
            region,
            columns,
            rows,
            is_periodic,
            eddy_viscosity,
        } = *self;
        (region, [columns, rows]).put(out);
        (is_periodic, eddy_viscosity).put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let (region, [columns, rows]): (_, [usize; 2]) = Stored::take(input)?;
        let (is_periodic, eddy_viscosity) = Stored::take(input)?;
        let cells = columns.checked_mul(rows);
        let is_usable = cells.is_some_and(|cells| (1..=Self::MAX_CELLS).contains(&cells));
        require(is_usable, "a grid of ocean cells")?;
        Ok(Self {
            region,
            columns,
            rows,
            is_periodic,
            eddy_viscosity,
        })
    }
}
