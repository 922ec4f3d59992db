//! Polygons from GeoJSON (RFC 7946).
//!
//! Polygons are taken wherever they are: alone, in features, in collections. Holes are left alone: a lake in the land is land, a hole in a floe is ice.

use banquise_geometry::DVec2;
use serde_json::Value;
use thiserror::Error;

use crate::floe_properties::FloeProperties;

/// A polygon of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoPolygon {
    /// Which feature it belongs to, counted from 0.
    pub feature: usize,
    /// Its outer ring, as it stands in the file: metres, or degrees of longitude and latitude.
    pub ring: Vec<DVec2>,
    /// What its feature says of it.
    pub properties: FloeProperties,
}

/// Error of a text that is no GeoJSON with polygons.
#[derive(Debug, Error)]
pub enum GeoJsonError {
    /// Not JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// JSON that is not GeoJSON.
    #[error("{place} has no `{key}`")]
    Missing {
        /// Where, like `feature 3`.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// A geometry that encloses nothing, or an unknown one.
    #[error("{place} is a `{kind}`")]
    Kind {
        /// Where.
        place: String,
        /// The type as written.
        kind: String,
    },
    /// Coordinates that are not what the type asks for.
    #[error("the coordinates of {place} are not rings of pairs of numbers")]
    Coordinates {
        /// Where.
        place: String,
    },
    /// A property that is not what it should be.
    #[error("the property `{key}` of {place} is not {expected}")]
    Property {
        /// Where.
        place: String,
        /// Its name.
        key: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A file without a polygon.
    #[error("there is no polygon in it")]
    Empty,
}

impl GeoJsonError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Json(_) => "the file must be one JSON object, with finite numbers",
            Self::Missing { .. } => {
                "a GeoJSON file is a `FeatureCollection`, a `Feature` or a geometry, each with its \
                 `type`"
            }
            Self::Kind { .. } => {
                "polygons are needed, as `Polygon` or `MultiPolygon`; lines must be closed first"
            }
            Self::Coordinates { .. } => {
                "a polygon is a list of rings, a ring a list of points like [x, y]"
            }
            Self::Property { .. } => "mend it, or leave `properties` out of the table",
            Self::Empty => "the file must have at least one `Polygon` or `MultiPolygon`",
        }
    }
}

/// All polygons of a text, in order.
///
/// # Errors
/// When the text is not GeoJSON, or has another geometry, or no polygon at all.
pub fn parse_geojson(text: &str) -> Result<Vec<GeoPolygon>, GeoJsonError> {
    polygons_of(&serde_json::from_str(text)?)
}

/// All polygons of a GeoJSON object, in order.
pub(crate) fn polygons_of(root: &Value) -> Result<Vec<GeoPolygon>, GeoJsonError> {
    let mut polygons = Vec::new();
    match kind_of(root, "the file")? {
        "FeatureCollection" => {
            for (index, feature) in list(root, "features", "the file")?.iter().enumerate() {
                add_feature(feature, index, &mut polygons)?;
            }
        }
        "Feature" => add_feature(root, 0, &mut polygons)?,
        _ => add_geometry(root, 0, &mut polygons)?,
    }
    if polygons.is_empty() {
        return Err(GeoJsonError::Empty);
    }
    Ok(polygons)
}

/// Whether a JSON value says of itself that it is GeoJSON.
pub(crate) fn is_geojson(root: &Value) -> bool {
    root.get("type").is_some_and(Value::is_string)
}

fn place(feature: usize) -> String {
    format!("feature {feature}")
}

fn kind_of<'a>(object: &'a Value, place: &str) -> Result<&'a str, GeoJsonError> {
    let kind = object.get("type").and_then(Value::as_str);
    kind.ok_or_else(|| GeoJsonError::Missing {
        place: place.to_owned(),
        key: "type",
    })
}

fn list<'a>(
    object: &'a Value,
    key: &'static str,
    place: &str,
) -> Result<&'a Vec<Value>, GeoJsonError> {
    let list = object.get(key).and_then(Value::as_array);
    list.ok_or_else(|| GeoJsonError::Missing {
        place: place.to_owned(),
        key,
    })
}

fn add_feature(
    feature: &Value,
    index: usize,
    polygons: &mut Vec<GeoPolygon>,
) -> Result<(), GeoJsonError> {
    match feature.get("geometry") {
        // A feature may have no place.
        Some(Value::Null) => Ok(()),
        Some(geometry) => {
            let first = polygons.len();
            add_geometry(geometry, index, polygons)?;
            let bad = |(key, expected)| GeoJsonError::Property {
                place: place(index),
                key,
                expected,
            };
            let properties = FloeProperties::of(feature).map_err(bad)?;
            for polygon in &mut polygons[first..] {
                polygon.properties = properties.clone();
            }
            Ok(())
        }
        None => Err(GeoJsonError::Missing {
            place: place(index),
            key: "geometry",
        }),
    }
}

fn add_geometry(
    geometry: &Value,
    feature: usize,
    polygons: &mut Vec<GeoPolygon>,
) -> Result<(), GeoJsonError> {
    match kind_of(geometry, &place(feature))? {
        "Polygon" => {
            let rings = list(geometry, "coordinates", &place(feature))?;
            polygons.push(polygon(rings, feature)?);
        }
        "MultiPolygon" => {
            for rings in list(geometry, "coordinates", &place(feature))? {
                let rings = rings.as_array().ok_or_else(|| wrong(feature))?;
                polygons.push(polygon(rings, feature)?);
            }
        }
        "GeometryCollection" => {
            for geometry in list(geometry, "geometries", &place(feature))? {
                add_geometry(geometry, feature, polygons)?;
            }
        }
        other => {
            return Err(GeoJsonError::Kind {
                place: place(feature),
                kind: other.chars().take(40).collect(),
            });
        }
    }
    Ok(())
}

fn wrong(feature: usize) -> GeoJsonError {
    GeoJsonError::Coordinates {
        place: place(feature),
    }
}

/// The outer ring; a third coordinate, the height, is left out.
fn polygon(rings: &[Value], feature: usize) -> Result<GeoPolygon, GeoJsonError> {
    let point = |value: &Value| {
        let [x, y, ..] = value.as_array()?.as_slice() else {
            return None;
        };
        Some(DVec2::new(x.as_f64()?, y.as_f64()?))
    };
    let outer = rings.first().and_then(Value::as_array);
    let ring = outer.and_then(|points| points.iter().map(point).collect());
    Ok(GeoPolygon {
        feature,
        ring: ring.ok_or_else(|| wrong(feature))?,
        properties: FloeProperties::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: &str = "[[0, 0, 5], [1, 0], [0, 1], [0, 0]]";

    #[test]
    fn polygons_are_found_wherever_they_are() {
        let single = format!(r#"{{"type": "Polygon", "coordinates": [{RING}, {RING}]}}"#);
        let multi = format!(r#"{{"type": "MultiPolygon", "coordinates": [[{RING}], [{RING}]]}}"#);
        let both =
            format!(r#"{{"type": "GeometryCollection", "geometries": [{single}, {multi}]}}"#);
        let nowhere = r#"{"type": "Feature", "geometry": null}"#;
        let feature = format!(r#"{{"type": "Feature", "properties": {{}}, "geometry": {both}}}"#);
        let all = format!(
            r#"{{"type": "FeatureCollection", "features": [{nowhere}, {feature}, {feature}]}}"#
        );
        for (text, features) in [
            (&single, &[0][..]),
            (&multi, &[0, 0]),
            (&both, &[0, 0, 0]),
            (&feature, &[0, 0, 0]),
            (&all, &[1, 1, 1, 2, 2, 2]),
        ] {
            let polygons = parse_geojson(text).unwrap();
            let found: Vec<usize> = polygons.iter().map(|polygon| polygon.feature).collect();
            assert_eq!(found, features);
            assert!(polygons.iter().all(|polygon| polygon.ring.len() == 4));
        }
    }

    #[test]
    fn what_has_no_polygons_is_refused_with_a_reason() {
        let refusal = |text: &str| {
            let error = parse_geojson(text).unwrap_err();
            format!("{error}\nhint: {}", error.hint())
        };
        let words = [
            "{\"type\": ",
            "[1, 2]",
            r#"{"type": "FeatureCollection"}"#,
            r#"{"type": "FeatureCollection", "features": [{"type": "Feature"}]}"#,
            r#"{"type": "FeatureCollection", "features": []}"#,
            r#"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#,
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, "a"]]]}"#,
            r#"{"type": "Polygon", "coordinates": []}"#,
            r#"{"type": "MultiPolygon", "coordinates": [3]}"#,
        ]
        .map(refusal)
        .join("\n\n");
        insta::assert_snapshot!("refused_geojson", words);
    }
}
