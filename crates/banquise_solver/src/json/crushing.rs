//! Contact problems of ice that may be crushed, as JSON: contacts with a largest normal impulse.

use serde_json::{Value, json};

use super::bounds::bounded_answer;
use super::{ContactFile, ProblemError, expect, expect_size};
use crate::crushing::{Crushing, solve_crushing};
use crate::impact::{ImpactSettings, Mode};
use crate::problem::{Body, ContactProblem};
use crate::report::ImpactReport;
use crate::velocity_bounds::Effort;
use crate::workspace::with_defaults;

/// The strengths of the contacts; `None` if no contact has one.
pub(super) fn crushing_from(file: &ContactFile) -> Result<Option<Vec<Crushing>>, ProblemError> {
    if file
        .contacts
        .iter()
        .all(|own| own.largest_impulse.is_none())
    {
        return Ok(None);
    }
    let mut contacts = Vec::with_capacity(file.contacts.len());
    for (index, entry) in file.contacts.iter().enumerate() {
        let what = |key: &str| format!("contacts[{index}].{key}");
        let least = entry.least.unwrap_or(0.0);
        expect_size(|| what("least"), least)?;
        let what = || what("largest_impulse");
        let missing = || ProblemError::Missing { what: what() };
        let largest = entry.largest_impulse.ok_or_else(missing)?;
        expect_size(what, largest)?;
        expect(largest >= 0.0, what, "zero or positive", largest)?;
        contacts.push(Crushing {
            least,
            largest,
            ..Crushing::default()
        });
    }
    Ok(Some(contacts))
}

impl ContactProblem {
    /// Writes the problem and the strengths of its contacts as JSON that reads back exactly.
    pub fn to_json_with_crushing(&self, contacts: &[Crushing]) -> String {
        let settings = ImpactSettings {
            mode: Mode::Simultaneous,
            ..ImpactSettings::default()
        };
        let mut file = self.to_file(&settings);
        for (entry, own) in file.contacts.iter_mut().zip(contacts) {
            entry.least = Some(own.least).filter(|&least| least != 0.0);
            entry.largest_impulse = Some(own.largest);
        }
        serde_json::to_string(&file).expect("numbers and names can be written")
    }
}

/// Solves a problem of ice that may be crushed and returns the answer as JSON.
pub(super) fn solve_crushed(before: &ContactProblem, contacts: &[Crushing]) -> Value {
    let (mut after, mut contacts) = (before.clone(), contacts.to_vec());
    let mut report = ImpactReport::default();
    with_defaults(|context| {
        solve_crushing(
            context,
            &mut after,
            &mut contacts,
            Effort::Solve,
            &mut report,
        );
    });
    crushing_answer(before, &after.bodies, &contacts, &report)
}

/// The answer to a problem of ice that may be crushed as JSON.
pub fn crushing_answer(
    before: &ContactProblem,
    after: &[Body],
    contacts: &[Crushing],
    report: &ImpactReport,
) -> Value {
    let mut answer = bounded_answer(before, after, report);
    let yields: Vec<bool> = contacts.iter().map(|own| own.yields).collect();
    let energy: f64 = contacts.iter().map(|own| own.energy).sum();
    (answer["yields"], answer["energy_lost_crushing"]) = (json!(yields), json!(energy));
    answer
}
