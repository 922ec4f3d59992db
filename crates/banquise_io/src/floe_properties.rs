//! Values of single floes in the properties of GeoJSON features, under the names that `export --format geojson` writes.

use banquise_geometry::DVec2;
use serde_json::{Map, Value};

/// Values of one floe; `None` for what its feature does not say.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FloeProperties {
    /// `name`.
    pub name: Option<String>,
    /// `thickness_m` \[m\].
    pub thickness: Option<f64>,
    /// `velocity_x_m_s` and `velocity_y_m_s` [m/s].
    pub velocity: Option<DVec2>,
    /// `angular_velocity_rad_s` [rad/s].
    pub angular_velocity: Option<f64>,
    /// `air_drag_coefficient` [–].
    pub air_drag_coefficient: Option<f64>,
    /// `ocean_drag_coefficient` [–].
    pub ocean_drag_coefficient: Option<f64>,
}

/// A property that cannot be used: its key, and what it should be.
pub(crate) type BadProperty = (&'static str, &'static str);

impl FloeProperties {
    /// Reads the properties of a feature. What is absent, null or of another name is left out.
    pub(crate) fn of(feature: &Value) -> Result<Self, BadProperty> {
        let Some(Value::Object(table)) = feature.get("properties") else {
            return Ok(Self::default());
        };
        let [x, y] = ["velocity_x_m_s", "velocity_y_m_s"].map(|key| number(table, key));
        let name = table.get("name").and_then(Value::as_str);
        Ok(Self {
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            thickness: positive(table, "thickness_m")?,
            velocity: match (x?, y?) {
                (None, None) => None,
                (x, y) => Some(DVec2::new(x.unwrap_or_default(), y.unwrap_or_default())),
            },
            angular_velocity: number(table, "angular_velocity_rad_s")?,
            air_drag_coefficient: positive(table, "air_drag_coefficient")?,
            ocean_drag_coefficient: positive(table, "ocean_drag_coefficient")?,
        })
    }
}

fn number(table: &Map<String, Value>, key: &'static str) -> Result<Option<f64>, BadProperty> {
    match table.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or((key, "a number")),
    }
}

fn positive(table: &Map<String, Value>, key: &'static str) -> Result<Option<f64>, BadProperty> {
    match number(table, key)? {
        Some(value) if value <= 0.0 => Err((key, "a positive number")),
        value => Ok(value),
    }
}
