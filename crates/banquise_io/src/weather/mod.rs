//! Wind, current and tides on grids, from NetCDF files that follow the CF conventions.
//!
//! | module | answers |
//! |---|---|
//! | [`calendar`], `time_axis` | when is it? |
//! | `coordinates` | where are the nodes? |
//! | `components` | which variables, in which unit, along which directions? |
//! | `tide` | which ellipse has a constituent of the tide at a node? |
//! | `projection` | longitudes and latitudes of a projected grid that does not give them |
//!
//! Classic NetCDF and NetCDF-4 are read alike.

mod astronomy;
pub mod calendar;
mod components;
mod coordinates;
mod error;
mod projection;
mod request;
mod tide;
mod time_axis;

pub use astronomy::{Equilibrium, equilibrium};
pub use error::WeatherError;
pub use request::{Directions, FieldKind, FieldRequest, Gaps, TideRequest, TideVariables};
pub use tide::read_tide;

use std::path::Path;

use banquise::GriddedField;
use banquise_geometry::DVec2;
use netcdf_reader::{NcFile, NcOpenOptions, NcSliceInfo, NcSliceInfoElem, NcVariable};

use components::Component;
use coordinates::{Coordinates, close_rows};
use time_axis::TimeAxis;

use crate::geography::LocalFrame;

/// Vectors that may be kept in memory: 1.6 GB.
const MAX_VECTORS: usize = 100_000_000;
/// Largest array read at once [bytes].
const MAX_READ_BYTES: usize = 1 << 31;
/// Beyond this distance from the origin nodes are left out: the plane is not meant for it \[m\].
const REACH: f64 = 2.5e6;
/// A number this large is the mark of missing data, whether a file says so or not.
const HUGE: f64 = 1e30;

/// Reads a field from a file.
///
/// # Errors
/// When the file is none, or lacks what is wanted: see [`WeatherError`].
pub fn read_field(path: &Path, request: &FieldRequest<'_>) -> Result<GriddedField, WeatherError> {
    decode(&open(path)?, request)
}

fn open(path: &Path) -> Result<NcFile, WeatherError> {
    let options = NcOpenOptions {
        max_read_bytes: MAX_READ_BYTES,
        ..NcOpenOptions::default()
    };
    Ok(NcFile::open_with_options(path, options)?)
}

/// Reads a field from the bytes of a file.
///
/// # Errors
/// As [`read_field`].
pub fn read_field_from(
    bytes: &[u8],
    request: &FieldRequest<'_>,
) -> Result<GriddedField, WeatherError> {
    let options = NcOpenOptions {
        max_read_bytes: MAX_READ_BYTES,
        ..NcOpenOptions::default()
    };
    decode(&NcFile::from_bytes_with_options(bytes, options)?, request)
}

fn decode(file: &NcFile, request: &FieldRequest<'_>) -> Result<GriddedField, WeatherError> {
    let components = components::find(file, request)?;
    let [x, y] = components;
    let coordinates = coordinates::find(file, x.variable)?;
    let times = TimeAxis::read(file, coordinates.time)?;
    let levels = times.needed(request)?;
    let nodes = coordinates.rows * coordinates.columns;
    let count = nodes.saturating_mul(levels.len());
    if count > MAX_VECTORS {
        return Err(WeatherError::TooLarge {
            count,
            limit: MAX_VECTORS,
        });
    }
    let directions = node_directions(&coordinates, &request.frame, x.directions);
    let mut values = Vec::with_capacity(count);
    for &(level, time) in &levels {
        let [u, v] =
            [x, y].map(|component| read_level(file, component, &coordinates, level, request.level));
        let (u, v) = (u?, v?);
        let vectors = u.into_iter().zip(v).zip(&directions);
        let first = values.len();
        values.extend(vectors.map(|((u, v), east)| east.rotate(DVec2::new(u, v))));
        if request.gaps == Gaps::Nearest {
            fill_gaps(&mut values[first..], coordinates.columns);
        }
        if values[first..].iter().all(|value| value.is_nan()) {
            return Err(WeatherError::NothingAt { time });
        }
    }
    let places = nodes_in_plane(&coordinates, &request.frame)?;
    let times = levels.iter().map(|level| level.1).collect();
    Ok(GriddedField::try_new(
        coordinates.columns,
        places,
        times,
        values,
    )?)
}

/// The nodes in the plane; NaN where they are too far away for it.
fn nodes_in_plane(
    coordinates: &Coordinates<'_>,
    frame: &LocalFrame,
) -> Result<Vec<DVec2>, WeatherError> {
    let places = coordinates.places.iter();
    let places: Vec<DVec2> = places
        .map(|&place| within_reach(frame.to_plane(place)))
        .collect();
    if places.iter().all(|place| place.is_nan()) {
        return Err(WeatherError::OutOfReach {
            reach: REACH / 1000.0,
        });
    }
    Ok(places)
}

/// NaN for a node that is too far away for the plane.
fn within_reach(node: DVec2) -> DVec2 {
    if node.length() < REACH {
        node
    } else {
        DVec2::NAN
    }
}

/// The unit vector, in the plane, of what the first component points along at each node.
fn node_directions(
    coordinates: &Coordinates<'_>,
    frame: &LocalFrame,
    directions: Directions,
) -> Vec<DVec2> {
    let places = coordinates.places.iter();
    let east = places.map(|&place| frame.east_at(place));
    match directions {
        Directions::Geographic => east.collect(),
        Directions::Grid => {
            let turns = (0..coordinates.places.len()).map(|node| coordinates.grid_direction(node));
            turns
                .zip(east)
                .map(|(turn, east)| turn.rotate(east))
                .collect()
        }
    }
}

/// One component at one time, in SI units; NaN where there are no data.
fn read_level(
    file: &NcFile,
    component: Component<'_>,
    coordinates: &Coordinates<'_>,
    time_index: usize,
    level: Option<usize>,
) -> Result<Vec<f64>, WeatherError> {
    let name = component.variable.name();
    let time = coordinates.time.map(NcVariable::name);
    let all = NcSliceInfoElem::Slice {
        start: 0,
        end: u64::MAX,
        step: 1,
    };
    let mut selections = Vec::new();
    let dimensions = component.variable.dimensions();
    for (index, dimension) in dimensions.iter().enumerate() {
        let is_grid = index + 2 >= dimensions.len();
        selections.push(if is_grid {
            all.clone()
        } else if Some(dimension.name.as_str()) == time {
            NcSliceInfoElem::Index(time_index as u64)
        } else {
            NcSliceInfoElem::Index(third_index(name, dimension, level)?)
        });
    }
    let slice = NcSliceInfo { selections };
    let values = file.read_variable_slice_unpacked_masked(name, &slice)?;
    let mut values: Vec<f64> = values.into_iter().collect();
    if coordinates.is_closed && !values.is_empty() {
        values = close_rows(&values, coordinates.columns - 1);
    }
    if values.len() != coordinates.places.len() {
        return Err(WeatherError::WrongShape {
            variable: name.to_owned(),
            found: component.variable.shape(),
        });
    }
    let known = |value: f64| value.is_finite() && value.abs() < HUGE;
    let scaled = values.into_iter().map(|value| {
        if known(value) {
            component.unit * value
        } else {
            f64::NAN
        }
    });
    Ok(scaled.collect())
}

/// The index in a dimension that is neither time nor of the grid.
fn third_index(
    variable: &str,
    dimension: &netcdf_reader::NcDimension,
    level: Option<usize>,
) -> Result<u64, WeatherError> {
    let refuse = |level| WeatherError::Level {
        variable: variable.to_owned(),
        dimension: dimension.name.clone(),
        size: dimension.size,
        level,
    };
    match level {
        Some(level) if (level as u64) < dimension.size => Ok(level as u64),
        None if dimension.size == 1 => Ok(0),
        level => Err(refuse(level)),
    }
}

/// Gives each node without data the mean of its neighbours that have some, round after round.
fn fill_gaps(values: &mut [DVec2], columns: usize) {
    let rows = values.len() / columns;
    let mut known = values.iter().filter(|value| !value.is_nan()).count();
    while known > 0 && known < values.len() {
        let before = values.to_vec();
        for (node, value) in values.iter_mut().enumerate() {
            if !value.is_nan() {
                continue;
            }
            let (column, row) = (node % columns, node / columns);
            let mut sum = (DVec2::ZERO, 0.0);
            for near_row in row.saturating_sub(1)..(row + 2).min(rows) {
                for near in column.saturating_sub(1)..(column + 2).min(columns) {
                    let neighbour = before[near_row * columns + near];
                    if !neighbour.is_nan() {
                        sum = (sum.0 + neighbour, sum.1 + 1.0);
                    }
                }
            }
            if sum.1 > 0.0 {
                *value = sum.0 / sum.1;
                known += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_take_the_mean_of_what_is_around_them() {
        let known = DVec2::new(2.0, 0.0);
        let mut row = vec![
            DVec2::NAN,
            known,
            DVec2::new(4.0, 2.0),
            DVec2::NAN,
            DVec2::NAN,
        ];
        fill_gaps(&mut row, 5);
        assert_eq!((row[0], row[3], row[4]), (known, row[2], row[2]));
        let mut nothing = vec![DVec2::NAN; 4];
        fill_gaps(&mut nothing, 2);
        assert!(nothing.iter().all(|value| value.is_nan()));
    }
}
