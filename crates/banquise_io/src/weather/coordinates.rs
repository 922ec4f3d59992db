//! Coordinates of a variable: the positions of its nodes, and its time dimension.

use std::f64::consts::{FRAC_PI_2, TAU};

use banquise_geometry::{DVec2, math};
use netcdf_reader::{NcFile, NcVariable};

use super::components::standard_name;
use super::projection::Projection;
use super::{MAX_VECTORS, WeatherError};
use crate::geography::LonLat;

/// The grid of a variable: its last two dimensions.
pub(super) struct Coordinates<'a> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Row after row; NaN where the file has none.
    pub(super) places: Vec<LonLat>,
    /// The variable of times, if it depends on time.
    pub(super) time: Option<&'a NcVariable>,
    /// Whether the grid goes round the Earth: the last column is then the first one again.
    pub(super) is_closed: bool,
    /// Whether the first component grows against the order of the columns.
    is_reversed: bool,
}

/// Finds the coordinates of a variable.
pub(super) fn find<'a>(
    file: &'a NcFile,
    variable: &NcVariable,
) -> Result<Coordinates<'a>, WeatherError> {
    let dimensions = variable.dimensions();
    let wrong_shape = || WeatherError::WrongShape {
        variable: variable.name().to_owned(),
        found: variable.shape(),
    };
    let [.., row, column] = dimensions else {
        return Err(wrong_shape());
    };
    let (rows, mut columns) = (row.size as usize, column.size as usize);
    if rows.saturating_mul(columns) > MAX_VECTORS {
        return Err(WeatherError::TooLarge {
            count: rows.saturating_mul(columns),
            limit: MAX_VECTORS,
        });
    }
    if rows == 0 || columns == 0 {
        return Err(wrong_shape());
    }
    let variables = file.variables()?;
    let axis = |name: &str| {
        let is_axis = |v: &&NcVariable| v.name() == name && v.is_coordinate_variable_for(name);
        variables.iter().find(is_axis)
    };
    let leading = dimensions[..dimensions.len() - 2].iter();
    let time = leading.filter_map(|d| axis(&d.name)).find(|v| is_time(v));
    let axes = [axis(&row.name), axis(&column.name)];
    let mut places = match aux_places(file, variable)? {
        Some(places) => places,
        None => axis_places(file, variable, axes)?,
    };
    if places.len() != rows * columns {
        return Err(wrong_shape());
    }
    if let Some(bad) = places
        .iter()
        .find(|place| place.latitude.abs() > FRAC_PI_2 + 1e-6)
    {
        return Err(WeatherError::Latitude {
            degrees: bad.latitude.to_degrees(),
        });
    }
    let is_reversed = match axes[1] {
        Some(axis) => {
            let values = numbers(file, axis)?;
            values.len() > 1 && values[1] < values[0]
        }
        None => false,
    };
    let is_closed = goes_round(&places, columns);
    if is_closed {
        places = close_rows(&places, columns);
        columns += 1;
    }
    Ok(Coordinates {
        rows,
        columns,
        places,
        time,
        is_closed,
        is_reversed,
    })
}

impl Coordinates<'_> {
    /// The direction of the grid's first axis at a node, as a unit vector along east and north.
    ///
    /// By differences of second order on the sphere: a model has turned its vectors there.
    pub(super) fn grid_direction(&self, node: usize) -> DVec2 {
        let column = node % self.columns;
        let step = |offset: isize| {
            let place = self.places[node.wrapping_add_signed(offset)];
            tangent(self.places[node], place)
        };
        let forward = match column {
            _ if self.columns < 3 => DVec2::NAN,
            0 => 4.0 * step(1) - step(2),
            _ if column + 1 == self.columns => step(-2) - 4.0 * step(-1),
            _ => step(1) - step(-1),
        };
        let forward = forward.normalize_or(DVec2::NAN);
        if self.is_reversed { -forward } else { forward }
    }
}

/// Whether the columns of a grid, all on meridians, go round the Earth with one step missing.
fn goes_round(places: &[LonLat], columns: usize) -> bool {
    if columns < 3 {
        return false;
    }
    let row = &places[..columns];
    let step = row[1].longitude - row[0].longitude;
    let reach = row[columns - 1].longitude - row[0].longitude + step;
    let is_parallel = row.iter().all(|place| place.latitude == row[0].latitude);
    // Half a step is more than what longitudes in single precision are wrong by.
    is_parallel && (reach.abs() - TAU).abs() < 0.5 * step.abs()
}

/// Rows with their first element once more at the end.
pub(super) fn close_rows<T: Copy>(values: &[T], columns: usize) -> Vec<T> {
    let rows = values.chunks(columns);
    rows.flat_map(|row| row.iter().chain(&row[..1]).copied())
        .collect()
}

/// A place in the stereographic plane, of a unit sphere, that touches at the origin.
fn tangent(origin: LonLat, place: LonLat) -> DVec2 {
    let (sin_origin, cos_origin) = math::sin_cos(origin.latitude);
    let (sin, cos) = math::sin_cos(place.latitude);
    let (sin_turn, cos_turn) = math::sin_cos(place.longitude - origin.longitude);
    let scale = 2.0 / (1.0 + sin_origin * sin + cos_origin * cos * cos_turn);
    scale
        * DVec2::new(
            cos * sin_turn,
            cos_origin * sin - sin_origin * cos * cos_turn,
        )
}

/// Longitudes and latitudes given for each node.
fn aux_places(file: &NcFile, variable: &NcVariable) -> Result<Option<Vec<LonLat>>, WeatherError> {
    let grid = &variable.dimensions()[variable.ndim() - 2..];
    let named = variable.attribute("coordinates");
    let named = named.and_then(|attribute| attribute.value.as_string());
    let named = named.unwrap_or_default();
    let is_named = |v: &NcVariable| named.split_whitespace().any(|name| name == v.name());
    let pick = |test: fn(&NcVariable) -> bool| -> Result<_, WeatherError> {
        let fits = |v: &&NcVariable| v.dimensions() == grid && test(v);
        let mut found: Vec<&NcVariable> = file.variables()?.iter().filter(fits).collect();
        found.sort_by_key(|v| !is_named(v));
        Ok(found.first().copied())
    };
    let (Some(longitude), Some(latitude)) = (pick(is_longitude)?, pick(is_latitude)?) else {
        return Ok(None);
    };
    let pairs = numbers(file, longitude)?
        .into_iter()
        .zip(numbers(file, latitude)?);
    Ok(Some(
        pairs.map(|(x, y)| LonLat::from_degrees(x, y)).collect(),
    ))
}

/// Places from the two axes of the grid: longitude and latitude, or a projection.
fn axis_places(
    file: &NcFile,
    variable: &NcVariable,
    axes: [Option<&NcVariable>; 2],
) -> Result<Vec<LonLat>, WeatherError> {
    let unknown = || WeatherError::NoPlaces {
        variable: variable.name().to_owned(),
    };
    let [Some(row), Some(column)] = axes else {
        return Err(unknown());
    };
    let (rows, columns) = (numbers(file, row)?, numbers(file, column)?);
    let grid = |place: &dyn Fn(f64, f64) -> LonLat| {
        let along = |&y: &f64| {
            columns
                .iter()
                .map(move |&x| place(x, y))
                .collect::<Vec<_>>()
        };
        rows.iter().flat_map(along).collect()
    };
    if is_latitude(row) && is_longitude(column) {
        return Ok(grid(&LonLat::from_degrees));
    }
    if is_longitude(row) && is_latitude(column) {
        return Ok(grid(&|x, y| LonLat::from_degrees(y, x)));
    }
    let mapping = variable.attribute("grid_mapping");
    let mapping = mapping.and_then(|attribute| attribute.value.as_string());
    let mapping = mapping.ok_or_else(unknown)?;
    let known = file.variables()?;
    let mapping = known.iter().find(|v| v.name() == mapping.trim());
    let projection = Projection::read(mapping.ok_or_else(unknown)?)?;
    let unit = [column, row].map(length_unit);
    let (unit_x, unit_y) = (unit[0].ok_or_else(unknown)?, unit[1].ok_or_else(unknown)?);
    Ok(grid(&|x, y| {
        projection.to_earth(DVec2::new(unit_x * x, unit_y * y))
    }))
}

/// All values of a variable; NaN where missing.
fn numbers(file: &NcFile, variable: &NcVariable) -> Result<Vec<f64>, WeatherError> {
    let values = file.read_variable_unpacked_masked(variable.name())?;
    Ok(values.into_iter().collect())
}

fn units(variable: &NcVariable) -> String {
    let attribute = variable.attribute("units");
    let text = attribute.and_then(|attribute| attribute.value.as_string());
    text.unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_time(variable: &NcVariable) -> bool {
    variable.name() == "time"
        || standard_name(variable) == "time"
        || units(variable).contains(" since ")
}

fn is_longitude(variable: &NcVariable) -> bool {
    standard_name(variable) == "longitude"
        || matches!(
            units(variable).as_str(),
            "degrees_east" | "degree_east" | "degrees_e" | "degree_e" | "degreese" | "degreee"
        )
}

fn is_latitude(variable: &NcVariable) -> bool {
    standard_name(variable) == "latitude"
        || matches!(
            units(variable).as_str(),
            "degrees_north" | "degree_north" | "degrees_n" | "degree_n" | "degreesn" | "degreen"
        )
}

/// Metres, or radians for a rotated pole, in the unit of an axis.
fn length_unit(variable: &NcVariable) -> Option<f64> {
    Some(match units(variable).as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => 1000.0,
        "degrees" | "degree" => 1.0_f64.to_radians(),
        _ => return None,
    })
}
