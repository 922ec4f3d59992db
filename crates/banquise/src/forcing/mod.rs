//! Forces on floes between contacts: wind, water, the Earth's rotation, given forces.

mod body_force;
mod coriolis;
mod drag;
mod ocean_grid;
mod slab_ocean;
mod stability;
mod tide;
mod tilt;

pub use body_force::{BodyForce, Push};
pub(crate) use coriolis::acceleration as coriolis_acceleration;
pub use coriolis::{Coriolis, EARTH_ANGULAR_SPEED, EARTH_RADIUS, Turn};
pub use drag::DragSettings;
pub(crate) use drag::{SurfaceLoad, Water, water_loads, wind_load, wind_load_in};
pub use ocean_grid::OceanGrid;
pub use slab_ocean::{OceanModel, SlabOcean};
pub(crate) use stability::drag_limit;
pub use stability::{StabilityInputs, stable_step};
pub use tide::TidalConstituent;
pub use tilt::Tilt;

use banquise_geometry::DVec2;

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
    /// Ocean current as given [m/s]; with the slab ocean of the source, only its start and its changes count.
    pub current: VectorSeries,
    /// Tidal currents, added to the uniform current.
    pub tides: Vec<TidalConstituent>,
    /// Spatial part of the wind, added to the uniform one.
    pub wind_field: Option<SpatialField>,
    /// Spatial part of the current, added to the uniform one. Not together with the slab ocean of the source, whose velocity is its own.
    pub current_field: Option<SpatialField>,
    /// Slope of the sea surface.
    pub tilt: Tilt,
    /// The Earth's rotation.
    pub coriolis: Coriolis,
    /// An ocean layer that the ice drags along.
    pub slab_ocean: Option<SlabOcean>,
    /// Gravity, pushes.
    pub body_forces: Vec<BodyForce>,
}

impl Forcing {
    /// The given current that is the same everywhere, tides included, at a time \[s\] [m/s].
    pub fn uniform_current(&self, time: f64) -> DVec2 {
        let current = self.current.at(time);
        self.tides
            .iter()
            .fold(current, |sum, tide| sum + tide.at(time))
    }

    /// The current of the tides alone at a time \[s\] [m/s].
    pub(crate) fn tidal_current(&self, time: f64) -> DVec2 {
        self.tides.iter().map(|tide| tide.at(time)).sum()
    }

    /// No force at all.
    pub fn none() -> Self {
        Self {
            drag: None,
            wind: VectorSeries::constant(DVec2::ZERO),
            current: VectorSeries::constant(DVec2::ZERO),
            tides: Vec::new(),
            wind_field: None,
            current_field: None,
            tilt: Tilt::None,
            coriolis: Coriolis::Off,
            slab_ocean: None,
            body_forces: Vec::new(),
        }
    }
}

stored_structs! {
    BodyForce { push, from, until, repeat, bodies }
    SlabOcean { layer_depth, base_friction_velocity, cell_area, grid, model }
}

impl Stored for Push {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Acceleration(vector) => (0_u8, *vector).put(out),
            Self::Force(vector) => (1_u8, *vector).put(out),
            Self::Toward {
                goal,
                speed,
                within,
            } => {
                (2_u8, *goal).put(out);
                (*speed, *within).put(out);
            }
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match Stored::take(input)? {
            (0_u8, vector) => Ok(Self::Acceleration(vector)),
            (1, vector) => Ok(Self::Force(vector)),
            (2, goal) => {
                let (speed, within) = Stored::take(input)?;
                Ok(Self::Toward {
                    goal,
                    speed,
                    within,
                })
            }
            _ => Err(StoredError::Impossible {
                what: "a given force",
            }),
        }
    }
}

impl Stored for OceanModel {
    fn put(&self, out: &mut Vec<u8>) {
        let number: u8 = match self {
            Self::Anomaly => 0,
            Self::Rabatel2015 => 1,
        };
        number.put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match u8::take(input)? {
            0 => Ok(Self::Anomaly),
            1 => Ok(Self::Rabatel2015),
            _ => Err(StoredError::Impossible {
                what: "a model of the ocean layer",
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
