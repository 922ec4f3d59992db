//! What an editor may know of the keys of a scenario, as JSON Schema.
//!
//! There is no list of keys here. `explore` hands the parser made-up scenarios and records which keys it asks for
//! and what their values must be; the schema is that record.

mod explore;
mod known;

use serde_json::{Map, Value as Json, json};

use crate::scenario::{Dimension, Expected};
use explore::{Parser, explore};
use known::Known;

/// The JSON Schema of a scenario of floes.
pub fn floe_scenario() -> Json {
    let known = explore(Parser::Floes);
    document("A scenario of sea-ice floes for Banquise", &known)
}

/// The JSON Schema of a scenario of a glacier front.
pub fn glacier_scenario() -> Json {
    let known = explore(Parser::Glacier);
    document("A scenario of a glacier front for Banquise", &known)
}

/// The JSON Schema of a scenario of a bar or a plate.
pub fn specimen_scenario() -> Json {
    let known = explore(Parser::Specimen);
    document("A scenario of a bar or a plate of ice for Banquise", &known)
}

/// Draft 7 is what editors of TOML know.
fn document(title: &str, known: &Known) -> Json {
    let mut schema = table(known);
    schema.insert(
        "$schema".into(),
        "http://json-schema.org/draft-07/schema#".into(),
    );
    schema.insert("title".into(), title.into());
    Json::Object(schema)
}

fn table(known: &Known) -> Map<String, Json> {
    let keys: Map<String, Json> = known
        .keys
        .iter()
        .map(|(key, value)| (key.clone(), schema_of(value)))
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Json::Object(keys));
    schema.insert("additionalProperties".into(), false.into());
    if !known.required().is_empty() {
        schema.insert("required".into(), json!(known.required()));
    }
    schema
}

fn schema_of(known: &Known) -> Json {
    let mut choices: Vec<Json> = Vec::new();
    for expected in &known.expected {
        let choice = match expected {
            Expected::Quantity(dimension) => quantity(*dimension),
            Expected::Vector(dimension) => json!({
                "type": "array", "items": quantity(*dimension), "minItems": 2, "maxItems": 2,
            }),
            Expected::Number => json!({ "type": "number" }),
            Expected::Integer => json!({ "type": "integer" }),
            Expected::Boolean => json!({ "type": "boolean" }),
            Expected::Datetime => json!({ "type": "string", "format": "date-time" }),
            Expected::Text => json!({ "type": "string" }),
            Expected::Word(words) => json!({ "enum": words }),
            Expected::Array => {
                let items = known.element.as_deref().map_or(json!({}), schema_of);
                json!({ "type": "array", "items": items })
            }
            Expected::Table => Json::Object(table(known)),
        };
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    match choices.len() {
        0 => json!({}),
        1 => choices.remove(0),
        _ => json!({ "anyOf": choices }),
    }
}

/// A number with its unit in one string, as [`parse_quantity`](crate::scenario::parse_quantity) reads it.
fn quantity(dimension: Dimension) -> Json {
    const DIGITS: &str = "[0-9](_?[0-9])*";
    let units: Vec<&str> = dimension.units().collect();
    let escaped: Vec<String> = units.iter().map(|unit| unit.replace('^', "\\^")).collect();
    json!({
        "type": "string",
        "pattern": format!("^\\s*[+-]?{DIGITS}(\\.{DIGITS})?([eE][+-]?{DIGITS})?\\s*({})\\s*$", escaped.join("|")),
        "description": format!("{} with its unit: {}", dimension.name(), units.join(", ")),
    })
}
