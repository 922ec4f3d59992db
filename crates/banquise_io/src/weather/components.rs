//! The two variables of a field: by their standard names, or as the scenario names them.

use netcdf_reader::{NcFile, NcVariable};

use super::error::WeatherError;
use super::request::{Directions, FieldKind, FieldRequest};

/// One component of a field.
#[derive(Clone, Copy)]
pub(super) struct Component<'a> {
    pub(super) variable: &'a NcVariable,
    /// Metres per second in its unit.
    pub(super) unit: f64,
    pub(super) directions: Directions,
}

/// Standard names of first and second components (CF standard name table).
const NAMES: &[(FieldKind, Directions, &str, &str)] = &[
    (
        FieldKind::Wind,
        Directions::Geographic,
        "eastward_wind",
        "northward_wind",
    ),
    (FieldKind::Wind, Directions::Grid, "x_wind", "y_wind"),
    (
        FieldKind::Wind,
        Directions::Grid,
        "grid_eastward_wind",
        "grid_northward_wind",
    ),
    (
        FieldKind::Current,
        Directions::Geographic,
        "eastward_sea_water_velocity",
        "northward_sea_water_velocity",
    ),
    (
        FieldKind::Current,
        Directions::Geographic,
        "surface_eastward_sea_water_velocity",
        "surface_northward_sea_water_velocity",
    ),
    (
        FieldKind::Current,
        Directions::Grid,
        "sea_water_x_velocity",
        "sea_water_y_velocity",
    ),
    (
        FieldKind::Current,
        Directions::Grid,
        "x_sea_water_velocity",
        "y_sea_water_velocity",
    ),
    (
        FieldKind::Current,
        Directions::Grid,
        "surface_sea_water_x_velocity",
        "surface_sea_water_y_velocity",
    ),
];

/// Names of eastward and northward components in files whose variables have no standard name: ERA5 of the Copernicus
/// Climate Data Store, and what is made of its GRIB files.
const SHORT_NAMES: &[(FieldKind, &str, &str)] = &[
    (FieldKind::Wind, "u10", "v10"),
    (FieldKind::Wind, "10u", "10v"),
    (FieldKind::Current, "uo", "vo"),
];

/// Units of speed as files write them.
const UNITS: &[(&str, f64)] = &[
    ("m/s", 1.0),
    ("m s-1", 1.0),
    ("m s^-1", 1.0),
    ("m s**-1", 1.0),
    ("m.s-1", 1.0),
    ("meter second-1", 1.0),
    ("meters second-1", 1.0),
    ("meter/second", 1.0),
    ("meters/second", 1.0),
    ("metre second-1", 1.0),
    ("cm/s", 0.01),
    ("cm s-1", 0.01),
    ("km/h", 1.0 / 3.6),
    ("km h-1", 1.0 / 3.6),
    ("knot", 1852.0 / 3600.0),
    ("knots", 1852.0 / 3600.0),
    ("kt", 1852.0 / 3600.0),
];

/// The two components, with unit and directions.
pub(super) fn find<'a>(
    file: &'a NcFile,
    request: &FieldRequest<'_>,
) -> Result<[Component<'a>; 2], WeatherError> {
    let pair = match request.variables {
        Some(names) => named(file, names)?,
        None => by_usual_name(file, request.kind)?,
    };
    let [x, y] = pair;
    if x.dimensions() != y.dimensions() {
        return Err(WeatherError::Staggered {
            x: x.name().to_owned(),
            y: y.name().to_owned(),
        });
    }
    let directions = match request.directions {
        Some(directions) => directions,
        None => directions_of(x).ok_or_else(|| WeatherError::Directions {
            variable: x.name().to_owned(),
        })?,
    };
    let component = |variable| -> Result<Component<'a>, WeatherError> {
        let unit = request.unit.map_or_else(|| unit_of(variable), Ok)?;
        Ok(Component {
            variable,
            unit,
            directions,
        })
    };
    Ok([component(x)?, component(y)?])
}

pub(super) fn named<'a>(
    file: &'a NcFile,
    names: [&str; 2],
) -> Result<[&'a NcVariable; 2], WeatherError> {
    let known = file.variables()?;
    let variable = |name: &str| {
        let found = known.iter().find(|variable| variable.name() == name);
        found.ok_or_else(|| WeatherError::NoVariable {
            name: name.to_owned(),
            known: vectors(known),
        })
    };
    Ok([variable(names[0])?, variable(names[1])?])
}

/// By standard name, or else by one of the short names.
fn by_usual_name(file: &NcFile, kind: FieldKind) -> Result<[&NcVariable; 2], WeatherError> {
    let variables = file.variables()?;
    for (_, _, x, y) in NAMES.iter().filter(|names| names.0 == kind) {
        let with_name = |name: &str| -> Vec<&NcVariable> {
            let has_name = |v: &&NcVariable| v.ndim() >= 2 && standard_name(v) == name;
            variables.iter().filter(has_name).collect()
        };
        match (&with_name(x)[..], &with_name(y)[..]) {
            ([], _) | (_, []) => {}
            (&[x], &[y]) => return Ok([x, y]),
            (xs, ys) => {
                let names = xs.iter().chain(ys).map(|v| v.name().to_owned());
                return Err(WeatherError::Ambiguous {
                    names: names.collect(),
                });
            }
        }
    }
    let with_name = |name: &str| {
        let mut on_grid = variables.iter().filter(|variable| variable.ndim() >= 2);
        on_grid.find(|variable| variable.name() == name)
    };
    let mut short = SHORT_NAMES.iter().filter(|names| names.0 == kind);
    short
        .find_map(|(_, x, y)| Some([with_name(x)?, with_name(y)?]))
        .ok_or_else(|| WeatherError::NoComponents {
            kind,
            known: vectors(variables),
        })
}

/// Names of the variables that could be on a grid.
fn vectors(variables: &[NcVariable]) -> Vec<String> {
    let on_grid = variables.iter().filter(|variable| variable.ndim() >= 2);
    on_grid.map(|variable| variable.name().to_owned()).collect()
}

/// The standard name, without a modifier behind it; empty where there is none.
pub(super) fn standard_name(variable: &NcVariable) -> String {
    let attribute = variable.attribute("standard_name");
    let text = attribute.and_then(|attribute| attribute.value.as_string());
    let text = text.unwrap_or_default();
    text.split_whitespace().next().unwrap_or("").to_owned()
}

fn directions_of(variable: &NcVariable) -> Option<Directions> {
    let name = standard_name(variable);
    let known = NAMES.iter().find(|names| names.2 == name);
    let is_short = SHORT_NAMES.iter().any(|names| names.1 == variable.name());
    known
        .map(|names| names.1)
        .or(is_short.then_some(Directions::Geographic))
}

pub(super) fn unit_of(variable: &NcVariable) -> Result<f64, WeatherError> {
    let attribute = variable.attribute("units");
    let written = attribute.and_then(|attribute| attribute.value.as_string());
    let written = written.unwrap_or_default();
    let text = written.trim();
    let known = UNITS
        .iter()
        .find(|(unit, _)| unit.eq_ignore_ascii_case(text));
    known
        .map(|known| known.1)
        .ok_or_else(|| WeatherError::Units {
            variable: variable.name().to_owned(),
            units: text.to_owned(),
        })
}
