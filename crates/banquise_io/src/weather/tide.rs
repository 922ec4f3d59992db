//! A constituent of the tide on a grid: four variables at each node.

use std::path::Path;

use banquise::{GriddedTide, TidalConstituent};
use banquise_geometry::{DVec2, math};
use netcdf_reader::NcFile;

use super::astronomy::Equilibrium;
use super::components::{Component, named, unit_of};
use super::error::WeatherError;
use super::request::{Gaps, TideRequest, TideVariables};
use super::{coordinates, fill_gaps, node_directions, nodes_in_plane, open, read_level};

/// Units of angles as files write them, in radians.
const ANGLE_UNITS: &[(&str, f64)] = &[
    ("degree", 1.0_f64.to_radians()),
    ("degrees", 1.0_f64.to_radians()),
    ("deg", 1.0_f64.to_radians()),
    ("radian", 1.0),
    ("radians", 1.0),
    ("rad", 1.0),
];

/// Reads a constituent of the tide from a file.
///
/// # Errors
/// When the file is none, or lacks what is wanted: see [`WeatherError`].
pub fn read_tide(path: &Path, request: &TideRequest<'_>) -> Result<GriddedTide, WeatherError> {
    decode(&open(path)?, request)
}

fn decode(file: &NcFile, request: &TideRequest<'_>) -> Result<GriddedTide, WeatherError> {
    let components = find(file, request)?;
    let mut coordinates = coordinates::find(file, components[0].variable)?;
    // Amplitudes have no time: a dimension of that name is one to choose from, like any other.
    coordinates.time = None;
    let mut values = Vec::new();
    for component in components {
        check_listed(component, request.listed)?;
        values.push(read_level(file, component, &coordinates, 0, request.level)?);
    }
    let directions = node_directions(&coordinates, &request.frame, request.directions);
    let mut parts = [Vec::new(), Vec::new()];
    for (node, along) in directions.iter().enumerate() {
        let of_node = [0, 1, 2, 3].map(|index: usize| values[index][node]);
        let amplitudes = amplitudes(request, of_node);
        for (part, amplitude) in parts.iter_mut().zip(amplitudes) {
            part.push(along.rotate(amplitude));
        }
    }
    for part in &mut parts {
        if part.iter().all(|value| value.is_nan()) {
            return Err(WeatherError::Nothing);
        }
        if request.gaps == Gaps::Nearest {
            fill_gaps(part, coordinates.columns);
        }
    }
    let nodes = nodes_in_plane(&coordinates, &request.frame)?;
    let (period, columns) = (request.period, coordinates.columns);
    Ok(GriddedTide::try_new(period, columns, nodes, parts)?)
}

/// The four variables, each in its unit.
fn find<'a>(
    file: &'a NcFile,
    request: &TideRequest<'_>,
) -> Result<[Component<'a>; 4], WeatherError> {
    let (names, is_angle) = match request.variables {
        TideVariables::Ellipse(names) => (names, [false, false, true, true]),
        TideVariables::Components(names) => (names, [false, true, false, true]),
    };
    let [a, b, c, d] = names;
    let ([a, b], [c, d]) = (named(file, [a, b])?, named(file, [c, d])?);
    for other in [b, c, d] {
        if other.dimensions() != a.dimensions() {
            return Err(WeatherError::Staggered {
                x: a.name().to_owned(),
                y: other.name().to_owned(),
            });
        }
    }
    let mut found = Vec::new();
    for (variable, is_angle) in [a, b, c, d].into_iter().zip(is_angle) {
        let unit = match (is_angle, request.speed_unit, request.angle_unit) {
            (false, Some(unit), _) | (true, _, Some(unit)) => unit,
            (false, None, _) => unit_of(variable)?,
            (true, _, None) => angle_unit_of(variable)?,
        };
        found.push(Component {
            variable,
            unit,
            directions: request.directions,
        });
    }
    Ok([found[0], found[1], found[2], found[3]])
}

/// Refuses a variable whose third dimension has not as many values as constituents are listed.
fn check_listed(component: Component<'_>, listed: Option<usize>) -> Result<(), WeatherError> {
    let dimensions = component.variable.dimensions();
    let others = dimensions.len().saturating_sub(2);
    let sizes: Vec<u64> = dimensions[..others].iter().map(|d| d.size).collect();
    match listed {
        Some(listed) if sizes != [listed as u64] => Err(WeatherError::Constituents {
            variable: component.variable.name().to_owned(),
            sizes,
            listed,
        }),
        _ => Ok(()),
    }
}

/// C and S of the current at a node along its directions, of the values of the four variables.
fn amplitudes(request: &TideRequest<'_>, values: [f64; 4]) -> [DVec2; 2] {
    if values.iter().any(|value| value.is_nan()) {
        return [DVec2::NAN; 2];
    }
    let Equilibrium { argument, factor } = request.equilibrium;
    match request.variables {
        TideVariables::Ellipse(_) => {
            let [major, minor, inclination, phase] = values;
            let ellipse = TidalConstituent {
                period: request.period,
                major: factor * major,
                minor: factor * minor,
                inclination,
                phase: phase - argument,
            };
            ellipse.amplitudes()
        }
        TideVariables::Components(_) => {
            let [x, x_phase, y, y_phase] = values;
            let part = |phase: f64| math::sin_cos(phase - argument);
            let (x, y) = (factor * x, factor * y);
            let ((x_sin, x_cos), (y_sin, y_cos)) = (part(x_phase), part(y_phase));
            [
                DVec2::new(x * x_cos, y * y_cos),
                DVec2::new(x * x_sin, y * y_sin),
            ]
        }
    }
}

fn angle_unit_of(variable: &netcdf_reader::NcVariable) -> Result<f64, WeatherError> {
    let attribute = variable.attribute("units");
    let written = attribute.and_then(|attribute| attribute.value.as_string());
    let written = written.unwrap_or_default();
    let text = written.trim();
    let known = ANGLE_UNITS
        .iter()
        .find(|(unit, _)| unit.eq_ignore_ascii_case(text));
    known
        .map(|known| known.1)
        .ok_or_else(|| WeatherError::AngleUnits {
            variable: variable.name().to_owned(),
            units: text.to_owned(),
        })
}
