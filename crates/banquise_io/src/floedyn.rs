//! Input files of FloeDyn, the program of the thesis: an HDF5 file with the floes of a pack.
//!
//! | in the file | is |
//! |---|---|
//! | `floe_states` (records × floes × 6 or more) | x, y \[m\], angle \[rad\], velocity [m/s], angular velocity [rad/s]; then impulse, unwrapped x and y, whether the floe is still there, thickness \[m\] |
//! | `floe_shapes/0`, `/1`, … (vertices × 2) | outlines about the centre of mass \[m\]; attributes `thickness`, `C_w`, `obstacle` |
//!
//! One record is read; output files of FloeDyn have the same layout, and many records.

use std::sync::Arc;

use banquise_geometry::{DVec2, GeometryError, Outline};
use hdf5_reader::error::Error as Hdf5Error;
use hdf5_reader::{Dataset, Hdf5File, OpenOptions};
use thiserror::Error;

/// Numbers of a state that FloeDyn has always written.
const MIN_STATE: usize = 6;
/// Where a state says whether its floe is still there, since 2023.
const ACTIVE: usize = 9;
/// Where a state has the thickness, since 2023.
const THICKNESS: usize = 10;
/// Largest array read from a file: a million floes with room to spare.
const MAX_READ_BYTES: usize = 1 << 30;

/// A floe, or an obstacle, of an input file.
#[derive(Debug, Clone, PartialEq)]
pub struct FloeDynFloe {
    /// Outline about the centre of mass \[m\].
    pub outline: Outline,
    /// Centre of mass \[m\].
    pub position: DVec2,
    /// Angle by which the outline is turned, counter-clockwise \[rad\].
    pub angle: f64,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec2,
    /// Angular velocity [rad/s].
    pub angular_velocity: f64,
    /// Thickness \[m\], in files that have it.
    pub thickness: Option<f64>,
    /// Drag coefficient of the water, in files that have it.
    pub ocean_drag_coefficient: Option<f64>,
    /// Whether it is fixed for ever.
    pub is_obstacle: bool,
}

/// Error of a file that is not an input of FloeDyn.
#[derive(Debug, Error)]
pub enum FloeDynError {
    /// Not HDF5, or damaged.
    #[error("{0}")]
    Hdf5(#[from] Hdf5Error),
    /// `floe_states` has another shape.
    #[error("`floe_states` has the shape {found:?}")]
    States {
        /// Its shape.
        found: Vec<u64>,
    },
    /// There is no such record.
    #[error("there is no record {record}: `floe_states` has {records}")]
    NoRecord {
        /// The one asked for.
        record: i64,
        /// How many there are.
        records: u64,
    },
    /// The data set of a floe is missing or of another kind.
    #[error("`floe_shapes/{floe}`: {source}")]
    Shape {
        /// Which floe.
        floe: usize,
        /// The cause.
        source: Hdf5Error,
    },
    /// The data set of a floe has another shape.
    #[error("`floe_shapes/{floe}` has the shape {found:?}")]
    ShapeSize {
        /// Which floe.
        floe: usize,
        /// Its shape.
        found: Vec<u64>,
    },
    /// The outline of a floe is none.
    #[error("`floe_shapes/{floe}`: {source}")]
    Outline {
        /// Which floe.
        floe: usize,
        /// The cause.
        source: GeometryError,
    },
}

impl FloeDynError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Hdf5(_) => "it must be an HDF5 file as FloeDyn reads it",
            Self::States { .. } => {
                "it must have at least one record, one floe, and six numbers for each"
            }
            Self::NoRecord { .. } => "the first record is 0, and -1 is the last",
            Self::Shape { .. } | Self::ShapeSize { .. } => {
                "each floe of `floe_states` has a data set of vertices × 2 numbers of 64 bits"
            }
            Self::Outline { source, .. } => source.hint(),
        }
    }
}

/// Reads the floes of an input file, in its order, as they are in a record: 0 is the first, and -1 the last.
///
/// Floes that FloeDyn has marked as gone are left out.
///
/// # Errors
/// When the bytes are not such a file, with the floe to blame.
pub fn read_floedyn(bytes: Vec<u8>, record: i64) -> Result<Vec<FloeDynFloe>, FloeDynError> {
    let options = OpenOptions::default().with_max_read_bytes(MAX_READ_BYTES);
    let file = Hdf5File::from_shared_bytes_with_options(Arc::from(bytes), options)?;
    let states = file.dataset("floe_states")?;
    let (records, floes, size) = match *states.shape() {
        [records, floes, size] if records > 0 && floes > 0 && size >= MIN_STATE as u64 => {
            (records, floes, size)
        }
        _ => {
            let found = states.shape().to_vec();
            return Err(FloeDynError::States { found });
        }
    };
    let missing = FloeDynError::NoRecord { record, records };
    let from_end = records.checked_sub(record.unsigned_abs());
    let index = if record < 0 {
        from_end
    } else {
        Some(record.unsigned_abs()).filter(|&index| index < records)
    };
    let first = index.ok_or(missing)? * floes * size;
    let values = states.read_array::<f64>()?;
    let values: Vec<f64> = values
        .into_iter()
        .skip(first as usize)
        .take((floes * size) as usize)
        .collect();
    let is_there = |state: &&[f64]| state.get(ACTIVE).is_none_or(|&active| active != 0.0);
    let states = values.chunks_exact(size as usize).enumerate();
    states
        .filter(|(_, state)| is_there(state))
        .map(|(floe, state)| read_floe(&file, floe, state))
        .collect()
}

fn read_floe(file: &Hdf5File, floe: usize, state: &[f64]) -> Result<FloeDynFloe, FloeDynError> {
    let refuse = |source| FloeDynError::Shape { floe, source };
    let shape = file
        .dataset(&format!("floe_shapes/{floe}"))
        .map_err(refuse)?;
    let &[_, 2] = shape.shape() else {
        let found = shape.shape().to_vec();
        return Err(FloeDynError::ShapeSize { floe, found });
    };
    let numbers: Vec<f64> = shape
        .read_array::<f64>()
        .map_err(refuse)?
        .into_iter()
        .collect();
    let ring: Vec<DVec2> = numbers.chunks_exact(2).map(DVec2::from_slice).collect();
    let outline =
        Outline::from_ring(&ring).map_err(|source| FloeDynError::Outline { floe, source })?;
    // FloeDyn writes no thickness as zero.
    let thickness = state.get(THICKNESS).copied().filter(|&h| h > 0.0);
    Ok(FloeDynFloe {
        outline,
        position: DVec2::new(state[0], state[1]),
        angle: state[2],
        velocity: DVec2::new(state[3], state[4]),
        angular_velocity: state[5],
        thickness: thickness.or_else(|| attribute(&shape, "thickness")),
        ocean_drag_coefficient: attribute(&shape, "C_w"),
        is_obstacle: attribute(&shape, "obstacle").is_some_and(|value| value != 0.0),
    })
}

/// A number beside a data set, if it is there.
fn attribute(shape: &Dataset, name: &str) -> Option<f64> {
    shape.attribute(name).ok()?.read_as_f64().ok()
}
