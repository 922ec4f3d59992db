//! The schema of scenarios has the keys that the parser knows, all of them and no others.

use std::collections::BTreeSet;
use std::path::Path;

use banquise_io::glacier::GlacierPlan;
use banquise_io::plan::Plan;
use banquise_io::scenario::{ProblemKind, ScenarioError};
use banquise_io::schema;
use serde_json::Value;

/// All keys anywhere in a schema.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        found.extend(properties.keys().cloned());
        properties.values().for_each(|schema| keys(schema, found));
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        keys(choice, found);
    }
    if schema["items"].is_object() {
        keys(&schema["items"], found);
    }
}

/// The keys that stand in the source of a parser, in calls like `table.optional("depth")`.
fn keys_in_source(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for call in [".optional(", ".required(", ".required_like(", ".exclusive("] {
            for after in text.split(call).skip(1) {
                if let Some(quoted) = after.trim_start().strip_prefix('"') {
                    found.extend(quoted.split('"').next().map(str::to_owned));
                }
            }
        }
    }
    found
}

#[test]
fn every_key_in_the_source_of_the_parser_is_in_the_schema() {
    let cases = [
        ("plan", schema::floe_scenario(), 100),
        ("glacier", schema::glacier_scenario(), 25),
    ];
    for (folder, schema, least) in cases {
        let mut in_schema = BTreeSet::new();
        keys(&schema, &mut in_schema);
        let in_source = keys_in_source(folder);
        let missing: Vec<_> = in_source.difference(&in_schema).collect();
        assert!(missing.is_empty(), "{folder}: {missing:?}");
        assert!(in_source.len() >= least, "{folder}: {}", in_source.len());
    }
}

/// What the parser says of the keys of a table that holds an unknown one.
/// Nothing if another problem kept it from looking at all keys.
fn known_keys<T>(parsed: Result<T, ScenarioError>) -> Option<Vec<&'static str>> {
    let problems = parsed.err()?.problems;
    problems.into_iter().find_map(|problem| match problem.kind {
        ProblemKind::UnknownKey { known, .. } => Some(known),
        _ => None,
    })
}

/// Compares each table of a schema with what the parser lists; says how many tables it could compare.
fn compare_tables(schema: &Value, known: impl Fn(&str) -> Option<Vec<&'static str>>) -> usize {
    let properties = schema["properties"].as_object().unwrap();
    let root: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
    assert_eq!(root, known("zzz = 1").unwrap().into_iter().collect());
    let mut compared = 0;
    for (name, schema) in properties {
        let (header, table) = match schema["type"].as_str() {
            Some("object") => (format!("[{name}]"), schema),
            Some("array") => (format!("[[{name}]]"), &schema["items"]),
            _ => continue,
        };
        let listed = known(&format!("{header}\nzzz = 1\n"));
        compared += usize::from(listed.is_some());
        for key in listed.into_iter().flatten() {
            assert!(table["properties"][key].is_object(), "{name}.{key}");
        }
    }
    compared
}

#[test]
fn each_table_of_the_schema_has_the_keys_that_the_parser_lists() {
    let here = Path::new("");
    let floes = compare_tables(&schema::floe_scenario(), |text| {
        known_keys(Plan::parse("s", text, &[], here))
    });
    let glacier = compare_tables(&schema::glacier_scenario(), |text| {
        known_keys(GlacierPlan::parse("s", text, &[], here))
    });
    assert!(floes >= 16 && glacier >= 4, "{floes} and {glacier}");
}

#[test]
fn values_are_what_the_parser_reads() {
    let schema = schema::floe_scenario();
    let of = |table: &str, key: &str| schema["properties"][table]["properties"][key].clone();
    assert_eq!(schema["required"], serde_json::json!(["time"]));
    assert_eq!(of("contact", "mode")["enum"][0], "active");
    assert_eq!(of("drag", "enabled")["type"], "boolean");
    // A word or a table, and a quantity or a table of one of four laws.
    assert_eq!(of("domain", "edges")["anyOf"].as_array().unwrap().len(), 2);
    let thickness = of("pack", "thickness");
    let law = &thickness["anyOf"][1]["properties"];
    for key in ["from", "to", "mean", "deviation", "by_size", "shares"] {
        assert!(law[key].is_object(), "{thickness}");
    }
    assert!(of("wind", "variables")["properties"]["x"].is_object());
    let points =
        &schema["properties"]["floe"]["items"]["properties"]["outline"]["properties"]["points"];
    assert_eq!(points["items"]["items"]["type"], "number", "{points}");
}
