//! The reference of a published case, from its `reference.toml`.

use banquise_io::scenario::{Document, Problems, ScenarioError, TableReader};

/// One number to reach.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Check {
    pub(super) name: String,
    pub(super) expected: f64,
    pub(super) tolerance: f64,
}

/// A published case.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference {
    /// The built-in scenario it runs.
    pub(super) scenario: String,
    /// The numbers to reach.
    pub(super) checks: Vec<Check>,
}

impl Reference {
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, ScenarioError> {
        let document = Document::parse(name, text, &[])?;
        let problems = Problems::default();
        let root = TableReader::root(&document, &problems);
        for key in ["title", "source", "note"] {
            root.required(key).text().get();
        }
        let scenario = root.required("scenario").text().or("").to_owned();
        let checks = root.required("check").tables().into_iter().map(|table| {
            let check = Check {
                name: table.required("name").text().or("").to_owned(),
                expected: table.required("expected").number().or(f64::NAN),
                tolerance: table
                    .required("tolerance")
                    .number()
                    .non_negative()
                    .or(f64::NAN),
            };
            table.finish();
            check
        });
        let checks = checks.collect();
        root.finish();
        document.conclude(Self { scenario, checks }, problems)
    }
}
