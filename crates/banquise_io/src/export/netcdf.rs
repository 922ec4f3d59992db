//! NetCDF: trajectories as the CF conventions have them (section 9 and appendix H.4), one for each body.
//!
//! Variables are those of the dataset, with `trajectory` for `body` and the times of a body side by side. Longitude and
//! latitude come with a scenario that has an `[origin]`.

use std::path::Path;

use banquise_geometry::DVec2;

use super::netcdf3::{Attribute, Attributes, Header, NcType, Values, Variable};
use super::{ExportError, Source, Watch, watched};
use crate::recording::{motion_variables, version_variables};

const TIME: usize = 0;
const TRAJECTORY: usize = 1;
const VERTEX: usize = 2;
const CHARACTER: usize = 3;
/// Where floes were cut.
const VERSION: usize = 4;
const VERSION_VERTEX: usize = 5;

/// Whole numbers of versions.
const VERSION_INTS: [&str; 3] = [
    "outline_version_body",
    "outline_version_start",
    "outline_version_count",
];

/// Texts of the manifest that go along.
const MANIFEST: [&str; 8] = [
    "title",
    "source",
    "scenario",
    "scenario_hash",
    "state_hash",
    "motion_hash",
    "status",
    "banquise_version",
];

/// Writes one file.
pub(super) fn write(
    source: &Source,
    path: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let header = header(source);
    let count = header.variables.len();
    let mut done = 0;
    header.write(path, |variable| {
        let values = values(source, variable);
        done += 1;
        watched(watch(
            done * source.records.len() / count,
            source.records.len(),
        ))?;
        values
    })
}

fn header(source: &Source) -> Header {
    let vertices = source.bodies.outlines.iter().map(Vec::len).sum();
    let mut attributes = vec![
        pair("Conventions", "CF-1.11"),
        pair("featureType", "trajectory"),
        pair("history", "written by `banquise export` from a recording"),
    ];
    for key in MANIFEST {
        let text = source.recording.text(key);
        if !text.is_empty() {
            attributes.push(pair(key, text));
        }
    }
    let mut dimensions = vec![
        ("time", source.records.len()),
        ("trajectory", source.bodies.ids.len()),
        ("vertex", vertices),
        ("name_length", name_length(source)),
    ];
    if source.recording.has_versions() {
        let versions = &source.bodies.versions;
        let vertices = versions.iter().map(|version| version.outline.len()).sum();
        dimensions.push(("outline_version", versions.len()));
        dimensions.push(("outline_version_vertex", vertices));
    }
    Header {
        dimensions,
        attributes,
        variables: variables(source),
    }
}

fn variables(source: &Source) -> Vec<Variable> {
    let own = |name: &str, dimensions: &[usize]| described(source, name, dimensions);
    let mut time = own("time", &[TIME]);
    time.attributes.push(pair("axis", "T"));
    if source.start.is_some() {
        time.attributes.push(pair("standard_name", "time"));
        time.attributes
            .push(pair("calendar", "proleptic_gregorian"));
        time.attributes
            .push(pair("units_metadata", "leap_seconds: none"));
    }
    let mut id = own("body", &[TRAJECTORY]);
    id.name = "trajectory".into();
    id.kind = NcType::Int;
    id.attributes.push(pair("cf_role", "trajectory_id"));
    let mut variables = vec![time, id];
    variables.push(Variable {
        name: "name".into(),
        dimensions: vec![TRAJECTORY, CHARACTER],
        attributes: vec![pair("long_name", "name of the body")],
        kind: NcType::Char,
    });
    variables.extend(on_earth(source));
    let is_placed = source.origin.is_some();
    let coordinates = if is_placed {
        "time lat lon"
    } else {
        "time x y"
    };
    let differs = source.recording.weather_differs();
    for name in motion_variables(differs) {
        let mut variable = own(name, &[TRAJECTORY, TIME]);
        let is_place = name == "x" || name == "y";
        if is_placed || !is_place {
            variable.attributes.push(pair("coordinates", coordinates));
        }
        if is_placed {
            variable.attributes.push(pair("grid_mapping", "crs"));
        }
        if is_place && is_placed {
            let standard = format!("projection_{name}_coordinate");
            variable.attributes.push(pair("standard_name", &standard));
        }
        if is_place && !is_placed {
            variable.attributes.push(pair("axis", &name.to_uppercase()));
        }
        variables.push(variable);
    }
    let has_exchange = source.recording.has_exchange();
    variables.extend(
        source
            .recording
            .record_variables()
            .map(|name| own(name, &[TIME])),
    );
    let bodies = source.recording.body_variables();
    variables.extend(bodies.map(|name| own(name, &[TRAJECTORY])));
    let lives = ["born_s", "gone_s"].into_iter().filter(|_| has_exchange);
    variables.extend(lives.map(|name| own(name, &[TRAJECTORY])));
    let descent = ["parent", "generation"]
        .into_iter()
        .filter(|_| has_exchange);
    let shapes = ["is_obstacle", "outline_start", "outline_count"];
    for name in shapes.into_iter().chain(descent) {
        let mut variable = own(name, &[TRAJECTORY]);
        variable.kind = NcType::Int;
        variables.push(variable);
    }
    variables.extend(["outline_x", "outline_y"].map(|name| own(name, &[VERTEX])));
    variables.extend(version_variables_of(source));
    variables
}

/// Outlines of floes after cuts, where there are any.
fn version_variables_of(source: &Source) -> impl Iterator<Item = Variable> {
    let names = version_variables().filter(|_| source.recording.has_versions());
    names.map(|(name, is_vertex)| {
        let dimension = if is_vertex { VERSION_VERTEX } else { VERSION };
        let mut variable = described(source, &name, &[dimension]);
        if VERSION_INTS.contains(&name.as_str()) {
            variable.kind = NcType::Int;
        }
        variable
    })
}

/// Longitude, latitude and the projection, where the scenario has an origin.
fn on_earth(source: &Source) -> Vec<Variable> {
    let Some(frame) = source.origin else {
        return Vec::new();
    };
    let [longitude, latitude] = frame.origin().to_degrees();
    let degrees = |name: &str, standard: &str, unit: &str, axis: &str| Variable {
        name: name.into(),
        dimensions: vec![TRAJECTORY, TIME],
        attributes: vec![
            pair("units", unit),
            pair("standard_name", standard),
            pair(
                "long_name",
                &format!("{standard} of the centre of mass, WGS 84"),
            ),
            pair("axis", axis),
        ],
        kind: NcType::Double,
    };
    let number = |name: &str, value: f64| (name.to_owned(), Attribute::Number(value));
    let projection = Variable {
        name: "crs".into(),
        dimensions: Vec::new(),
        attributes: vec![
            pair("grid_mapping_name", "stereographic"),
            number("longitude_of_projection_origin", longitude),
            number("latitude_of_projection_origin", latitude),
            number("scale_factor_at_projection_origin", 1.0),
            number("false_easting", 0.0),
            number("false_northing", 0.0),
            number("semi_major_axis", 6_378_137.0),
            number("inverse_flattening", 298.257_223_563),
        ],
        kind: NcType::Int,
    };
    vec![
        degrees("lon", "longitude", "degrees_east", "X"),
        degrees("lat", "latitude", "degrees_north", "Y"),
        projection,
    ]
}

/// A variable of the dataset, with its unit and meaning.
fn described(source: &Source, name: &str, dimensions: &[usize]) -> Variable {
    let attributes: Attributes = ["units", "long_name"]
        .iter()
        .map(|key| pair(key, source.recording.description(name, key)))
        .collect();
    Variable {
        name: name.into(),
        dimensions: dimensions.to_vec(),
        attributes,
        kind: NcType::Double,
    }
}

fn pair(name: &str, text: &str) -> (String, Attribute) {
    (name.to_owned(), Attribute::Text(text.to_owned()))
}

/// Bytes of the longest name; one at least, since an empty dimension cannot be read by all.
fn name_length(source: &Source) -> usize {
    let rows = 0..source.bodies.ids.len();
    rows.map(|row| source.name(row).len())
        .max()
        .unwrap_or(0)
        .max(1)
}

fn values(source: &Source, variable: &Variable) -> Result<Values, ExportError> {
    let bodies = &source.bodies;
    let rows = bodies.ids.len();
    let ints = |values: Vec<i64>| Values::Ints(values.into_iter().map(|v| v as i32).collect());
    Ok(
        match (variable.name.as_str(), variable.dimensions.as_slice()) {
            ("trajectory", _) => ints(bodies.ids.clone()),
            ("parent", _) => ints(bodies.parents.clone()),
            ("generation", _) => ints(bodies.generations.clone()),
            ("crs", _) => Values::Ints(vec![0]),
            ("is_obstacle", _) => {
                ints(bodies.is_obstacle.iter().map(|&is| i64::from(is)).collect())
            }
            ("outline_count", _) => ints(bodies.outlines.iter().map(|o| o.len() as i64).collect()),
            ("outline_start", _) => {
                let starts = bodies.outlines.iter().scan(0, |start, outline| {
                    *start += outline.len() as i64;
                    Some(*start - outline.len() as i64)
                });
                ints(starts.collect())
            }
            ("outline_x", _) => {
                Values::Doubles(bodies.outlines.iter().flatten().map(|v| v.x).collect())
            }
            ("outline_y", _) => {
                Values::Doubles(bodies.outlines.iter().flatten().map(|v| v.y).collect())
            }
            ("name", _) => {
                let length = name_length(source);
                let mut bytes = Vec::with_capacity(rows * length);
                for row in 0..rows {
                    bytes.extend(source.name(row).as_bytes());
                    bytes.resize((row + 1) * length, 0);
                }
                Values::Chars(bytes)
            }
            (name @ ("lon" | "lat"), _) => Values::Doubles(places(source, name)?),
            (name, [TRAJECTORY, TIME]) => Values::Doubles(by_body(source, name)?),
            (name, [TIME]) => {
                let all = source.recording.series(name)?;
                Values::Doubles(source.records.iter().map(|&record| all[record]).collect())
            }
            (name, _) if VERSION_INTS.contains(&name) => ints(source.recording.integers(name)?),
            (name, _) => Values::Doubles(source.recording.series(name)?),
        },
    )
}

/// Values of a variable of bodies and records, the times of a body side by side.
fn by_body(source: &Source, name: &str) -> Result<Vec<f64>, ExportError> {
    let (rows, count) = (source.bodies.ids.len(), source.records.len());
    let mut values = vec![f64::NAN; rows * count];
    for (index, &record) in source.records.iter().enumerate() {
        for (row, value) in source
            .recording
            .bodies_at(name, record)?
            .into_iter()
            .enumerate()
        {
            values[row * count + index] = value;
        }
    }
    Ok(values)
}

/// Longitudes or latitudes [degrees] of all centres of mass.
fn places(source: &Source, name: &str) -> Result<Vec<f64>, ExportError> {
    let Some(frame) = source.origin else {
        return Ok(Vec::new());
    };
    let (x, y) = (by_body(source, "x")?, by_body(source, "y")?);
    let points = x.into_iter().zip(y);
    // A body that is not in the world is nowhere on the Earth.
    let places = points.map(|(x, y)| {
        if x.is_finite() && y.is_finite() {
            frame.to_earth(DVec2::new(x, y)).to_degrees()
        } else {
            [f64::NAN; 2]
        }
    });
    Ok(places
        .map(|[lon, lat]| if name == "lon" { lon } else { lat })
        .collect())
}
