//! Forces on floes between contacts: wind, water, the Earth's rotation, given forces.

mod body_force;
mod coriolis;
mod drag;
mod ocean_grid;
mod slab_ocean;
mod stability;
mod tide;
mod tilt;
mod waves;

pub(crate) use body_force::Pushed;
pub use body_force::{BodyForce, ExternalLoad, ForceGradient, ForceProfile, Push};
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
pub use waves::{ADDED_MASS, Attenuation, Jonswap, RAMP_PERIODS, SeaState, WaveComponent, Waves};

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
    /// Tidal currents that are the same everywhere, added to the uniform current; those on grids belong to its field.
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
    /// Waves.
    pub waves: Option<Waves>,
    /// Loads given from outside for the next step, by row of the body; bodies without an entry have none. No part of a checkpoint.
    pub external_loads: Vec<ExternalLoad>,
}

impl Forcing {
    /// The given current that is the same everywhere, tides included, at a time \[s\] [m/s].
    pub fn uniform_current(&self, time: f64) -> DVec2 {
        let current = self.current.at(time);
        self.tides
            .iter()
            .fold(current, |sum, tide| sum + tide.at(time))
    }

    /// Whether there are tides, uniform or on a grid.
    pub(crate) fn has_tides(&self) -> bool {
        let field = self.current_field.as_ref();
        !self.tides.is_empty() || field.is_some_and(|field| !field.tides.is_empty())
    }

    /// The current of the uniform tides alone at a time \[s\] [m/s].
    pub(crate) fn tidal_current(&self, time: f64) -> DVec2 {
        self.tides.iter().map(|tide| tide.at(time)).sum()
    }

    /// Mass of water that moves with a floe, as a share of its own [–].
    pub(crate) fn added_mass(&self) -> f64 {
        self.waves.as_ref().map_or(0.0, |waves| waves.added_mass)
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
            waves: None,
            external_loads: Vec::new(),
        }
    }
}

stored_structs! {
    BodyForce { push, profile, gradient, within, from, until, repeat, bodies }
    ForceGradient { center, rows }
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

impl Stored for ForceProfile {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Constant => 0_u8.put(out),
            Self::Sinusoid { period, phase } => (1_u8, [*period, *phase]).put(out),
            Self::Series(series) => {
                2_u8.put(out);
                series.put(out);
            }
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match u8::take(input)? {
            0 => Ok(Self::Constant),
            1 => {
                let [period, phase] = Stored::take(input)?;
                Ok(Self::Sinusoid { period, phase })
            }
            2 => Ok(Self::Series(Stored::take(input)?)),
            _ => Err(StoredError::Impossible {
                what: "a force in time",
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
