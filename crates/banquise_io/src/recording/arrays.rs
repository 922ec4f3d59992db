//! Descriptions of the arrays of the dataset.

use serde_json::{Map, Value, json};

use crate::zarr::{ArraySpec, FillValue};

/// The description of an array of numbers, with NaN for what is missing.
pub(super) fn spec(
    name: &str,
    dimensions: &[&str],
    shape: &[usize],
    attributes: Map<String, Value>,
) -> ArraySpec {
    ArraySpec {
        name: name.into(),
        dimensions: dimensions.iter().map(|&name| name.into()).collect(),
        shape: shape.to_vec(),
        fill_value: FillValue::F64(f64::NAN),
        attributes,
    }
}

/// The attributes that every variable has.
pub(super) fn attributes_of(unit: &str, meaning: &str) -> Map<String, Value> {
    let mut attributes = Map::new();
    attributes.insert("units".into(), json!(unit));
    attributes.insert("long_name".into(), json!(meaning));
    attributes
}
