//! GeoJSON (RFC 7946): a polygon for each floe and record.
//!
//! Coordinates are longitude and latitude where the scenario has an `[origin]`, otherwise metres of the
//! plane, which RFC 7946 does not know; the member `coordinate_units` says which, and for metres a `crs` of the
//! specification of 2008 tells GDAL. A sequence has no place for either. Polygons across the meridian of 180 degrees are cut there, and one round a pole is closed along it.

use std::path::Path;

use banquise_geometry::{Aabb, DVec2, Outline};
use serde_json::{Map, Value, json};

use super::source::Output;
use super::{ExportError, Source, Watch};
use crate::geography::LocalFrame;
use crate::recording::{BodyTable, Frame};

/// Decimals of a degree: a tenth of a millimetre.
const DEGREE_DECIMALS: i32 = 9;
/// The plane of a run, as a coordinate system that is nowhere on the Earth (OGC 01-009).
const PLANE: &str = "LOCAL_CS[\"Plane of the run\",LOCAL_DATUM[\"Plane of the run\",0],UNIT[\"metre\",1],\
                     AXIS[\"x\",EAST],AXIS[\"y\",NORTH]]";
/// Decimals of a metre.
const METRE_DECIMALS: i32 = 6;

/// Writes one collection of features.
pub(super) fn write_collection(
    source: &Source,
    path: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let mut file = Output::create(path)?;
    let title = json!(source.recording.text("title"));
    let system = if source.origin.is_some() {
        "\"coordinate_units\":\"longitude and latitude in degrees, WGS 84\"".to_owned()
    } else {
        let crs = json!({ "type": "name", "properties": { "name": PLANE } });
        format!("\"coordinate_units\":\"metres of the plane of the run\",\"crs\":{crs}")
    };
    file.write(format!(
        "{{\"type\":\"FeatureCollection\",\"title\":{title},{system},\"features\":[\n"
    ))?;
    let mut separator = "";
    source.each_frame(watch, |record, frame, bodies| {
        for row in frame.living() {
            let feature = feature(source, bodies, record, frame, row)?;
            file.write(format!("{separator}{feature}"))?;
            separator = ",\n";
        }
        Ok(())
    })?;
    file.write("\n]}\n")?;
    file.finish()
}

/// Writes one feature a line.
pub(super) fn write_sequence(
    source: &Source,
    path: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let mut file = Output::create(path)?;
    source.each_frame(watch, |record, frame, bodies| {
        for row in frame.living() {
            let feature = feature(source, bodies, record, frame, row)?;
            file.write(format!("{feature}\n"))?;
        }
        Ok(())
    })?;
    file.finish()
}

fn feature(
    source: &Source,
    bodies: &BodyTable,
    record: usize,
    frame: &Frame,
    row: usize,
) -> Result<String, ExportError> {
    let ring = source.ring_in_plane(bodies, frame, row);
    let rings = match &source.origin {
        None => vec![ring],
        Some(origin) => on_earth(origin, &ring).map_err(|error| ExportError::Antimeridian {
            body: bodies.ids[row],
            source: error,
        })?,
    };
    let decimals = if source.origin.is_some() {
        DEGREE_DECIMALS
    } else {
        METRE_DECIMALS
    };
    let polygons: Vec<Value> = rings
        .iter()
        .map(|ring| json!([closed(ring, decimals)]))
        .collect();
    let (kind, coordinates) = match polygons.as_slice() {
        [polygon] => ("Polygon", polygon.clone()),
        _ => ("MultiPolygon", json!(polygons)),
    };
    let properties = Value::Object(properties(source, bodies, record, frame, row));
    // The type comes first: it is how GDAL tells a sequence of features from other JSON.
    Ok(format!(
        "{{\"type\":\"Feature\",\"properties\":{properties},\
         \"geometry\":{{\"type\":\"{kind}\",\"coordinates\":{coordinates}}}}}"
    ))
}

/// What is known of a floe at a time; numbers that are not finite are left out as null.
fn properties(
    source: &Source,
    bodies: &BodyTable,
    record: usize,
    frame: &Frame,
    row: usize,
) -> Map<String, Value> {
    let velocity = frame.velocities[row];
    let mut properties = Map::new();
    let mut put = |key: &str, value: Value| properties.insert(key.into(), value);
    put("body", json!(bodies.ids[row]));
    put("name", json!(source.name(row)));
    put("is_obstacle", json!(bodies.is_obstacle[row]));
    put("record", json!(record));
    put("time_s", json!(frame.time));
    if let Some(date) = source.date(frame.time) {
        put("date", json!(date));
    }
    put("x_m", json!(frame.positions[row].x));
    put("y_m", json!(frame.positions[row].y));
    put("heading_rad", json!(frame.headings[row]));
    put("speed_m_s", json!(velocity.length()));
    put("velocity_x_m_s", json!(velocity.x));
    put("velocity_y_m_s", json!(velocity.y));
    put(
        "angular_velocity_rad_s",
        json!(frame.angular_velocities[row]),
    );
    put("contact_impulse_n_s", json!(frame.impulses[row]));
    put("thickness_m", json!(bodies.thicknesses[row]));
    put("mass_kg", json!(bodies.masses[row]));
    put("area_m2", json!(bodies.areas[row]));
    put("born_s", json!(bodies.born[row]));
    put("parent", json!(bodies.parents[row]));
    put("generation", json!(bodies.generations[row]));
    properties
}

/// The points of a ring, the first again at the end.
fn closed(ring: &[DVec2], decimals: i32) -> Vec<[f64; 2]> {
    let scale = 10_f64.powi(decimals);
    let rounded = |value: f64| (value * scale).round() / scale;
    let points = ring.iter().chain(ring.first());
    points
        .map(|point| [rounded(point.x), rounded(point.y)])
        .collect()
}

/// A ring of the plane in degrees, in as many parts as the meridian of 180 degrees makes of it.
fn on_earth(
    origin: &LocalFrame,
    ring: &[DVec2],
) -> Result<Vec<Vec<DVec2>>, banquise_geometry::GeometryError> {
    let places = ring
        .iter()
        .map(|&point| origin.to_earth(point).to_degrees());
    let mut degrees: Vec<DVec2> = places.map(DVec2::from).collect();
    // Longitudes without jumps, each near the one before.
    for index in 1..degrees.len() {
        degrees[index].x = near(degrees[index].x, degrees[index - 1].x);
    }
    let (first, last) = (degrees[0], degrees[degrees.len() - 1]);
    let back = near(first.x, last.x);
    if back != first.x {
        // Once round the pole: along its parallel, then back up along it.
        let pole = 90_f64.copysign(first.y);
        degrees.extend([
            DVec2::new(back, first.y),
            DVec2::new(back, pole),
            DVec2::new(first.x, pole),
        ]);
    }
    let longitudes = degrees.iter().map(|place| place.x);
    let (min, max) = longitudes.fold((f64::MAX, f64::MIN), |(min, max), x| {
        (min.min(x), max.max(x))
    });
    if min >= -180.0 && max <= 180.0 {
        return Ok(vec![degrees]);
    }
    let outline = Outline::from_ring(&degrees)?;
    let mut parts = Vec::new();
    for turn in [-360.0, 0.0, 360.0] {
        let window = Aabb {
            min: DVec2::new(turn - 180.0, -90.0),
            max: DVec2::new(turn + 180.0, 90.0),
        };
        for part in outline.clipped(&window)? {
            let vertices = part.vertices().iter();
            parts.push(
                vertices
                    .map(|&place| place - DVec2::new(turn, 0.0))
                    .collect(),
            );
        }
    }
    Ok(parts)
}

/// The longitude that differs from another by less than half a turn.
fn near(longitude: f64, other: f64) -> f64 {
    longitude - 360.0 * ((longitude - other) / 360.0).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geography::LonLat;

    fn square(side: f64) -> Vec<DVec2> {
        let half = 0.5 * side;
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| half * DVec2::new(x, y))
            .to_vec()
    }

    fn parts(longitude: f64, latitude: f64, side: f64) -> Vec<Vec<DVec2>> {
        let origin = LocalFrame::new(LonLat::from_degrees(longitude, latitude));
        on_earth(&origin, &square(side)).unwrap()
    }

    fn area(ring: &[DVec2]) -> f64 {
        Outline::from_ring(ring).unwrap().area()
    }

    #[test]
    fn a_floe_is_cut_at_the_antimeridian() {
        let whole = parts(10.0, 75.0, 10e3);
        assert_eq!(whole.len(), 1);
        for longitude in [180.0, -180.0] {
            let halves = parts(longitude, 75.0, 10e3);
            assert_eq!(halves.len(), 2);
            let sum: f64 = halves.iter().map(|half| area(half)).sum();
            assert!((sum - area(&whole[0])).abs() < 1e-9, "{sum}");
            let all = halves.iter().flatten();
            assert!(all.clone().all(|place| place.x.abs() <= 180.0));
            assert!(all.clone().any(|place| place.x == 180.0));
            assert!(all.clone().any(|place| place.x == -180.0));
        }
    }

    #[test]
    fn a_floe_on_the_pole_holds_the_pole() {
        for latitude in [90.0, -90.0, 89.99] {
            let parts = parts(30.0, latitude, 10e3);
            let all: Vec<DVec2> = parts.iter().flatten().copied().collect();
            assert!(all.iter().any(|place| place.y.abs() == 90.0));
            // All longitudes are in it.
            let width: f64 = parts
                .iter()
                .map(|part| {
                    let x = part.iter().map(|place| place.x);
                    x.clone().fold(f64::MIN, f64::max) - x.fold(f64::MAX, f64::min)
                })
                .sum();
            assert!((width - 360.0).abs() < 1e-9, "{width}");
        }
    }
}
