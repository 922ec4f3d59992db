//! Misspelt keys: ignored, they would silently mean their defaults.

use super::ProblemError;

/// The keys of a problem of contacts, of its bodies and of its contacts.
const KEYS: [&str; 5] = ["bodies", "contacts", "mode", "cone", "slack_velocity"];
const BODY_KEYS: [&str; 7] = [
    "mass",
    "inertia",
    "inv_mass",
    "inv_inertia",
    "position",
    "velocity",
    "fixed",
];
const CONTACT_KEYS: [&str; 13] = [
    "a",
    "b",
    "point",
    "normal",
    "friction",
    "restitution",
    "gap",
    "start",
    "shift",
    "arms",
    "least",
    "rebound",
    "largest_impulse",
];

/// Refuses keys that are nearly known ones.
pub(super) fn expect_spelling(file: &serde_json::Value) -> Result<(), ProblemError> {
    spelling_of(file, &KEYS, || "the problem".to_owned())?;
    for (list, keys) in [("bodies", &BODY_KEYS[..]), ("contacts", &CONTACT_KEYS)] {
        let entries = file.get(list).and_then(serde_json::Value::as_array);
        for (index, entry) in entries.into_iter().flatten().enumerate() {
            spelling_of(entry, keys, || format!("{list}[{index}]"))?;
        }
    }
    Ok(())
}

fn spelling_of(
    entry: &serde_json::Value,
    known: &[&'static str],
    what: impl Fn() -> String,
) -> Result<(), ProblemError> {
    let keys = entry
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys());
    for key in keys.filter(|key| !known.contains(&key.as_str())) {
        // One-letter names look like anything.
        let is_close = |name: &str| name.len() > 2 && edits(&key.to_lowercase(), name) <= 2;
        if let Some(meant) = known.iter().find(|name| is_close(name)) {
            let (what, key) = (what(), key.clone());
            return Err(ProblemError::MisspeltKey { what, key, meant });
        }
    }
    Ok(())
}

/// Letters to insert, remove or change to make one word of the other (Levenshtein 1966).
fn edits(first: &str, second: &str) -> usize {
    let mut row: Vec<usize> = (0..=second.chars().count()).collect();
    for (i, a) in first.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in second.chars().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[row.len() - 1]
}
