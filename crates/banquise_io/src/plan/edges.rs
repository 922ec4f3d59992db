//! The edges of a `[domain]` that are not all of one kind.

use crate::scenario::{Field, ProblemKind, Value, nearest};

/// The words for one edge, and whether it is open.
const SIDES: [(&str, bool); 2] = [("wall", false), ("open", true)];

/// Whether the edges in the west, east, south and north are open, where each is given: `edges = { west = "open" }`.
/// `None` where `edges` is no table. An edge that is not named is a wall.
pub(super) fn decode_sides(field: &Field<'_>) -> Option<[bool; 4]> {
    if !matches!(field.node().map(|node| &node.value), Some(Value::Table(_))) {
        return None;
    }
    let table = field.clone().table()?;
    let open = ["west", "east", "south", "north"]
        .map(|side| table.optional(side).choice(&SIDES).or(false));
    table.finish();
    Some(open)
}

/// Reports a word for single edges, such as `edges = "open"`, that was given for all of them.
pub(super) fn report_side_word(field: &Field<'_>, choices: &[&'static str]) -> bool {
    let Some(Value::Text { text, .. }) = field.node().map(|node| &node.value) else {
        return false;
    };
    let is_for_all = nearest(text, choices.iter().copied()).is_some();
    if is_for_all || nearest(text, SIDES.map(|(word, _)| word)).is_none() {
        return false;
    }
    let kind = ProblemKind::UnknownChoice {
        key: field.key_path(),
        value: text.clone(),
        choices: choices.to_vec(),
    };
    let hint = "edges are open one by one: `edges = { west = \"open\", east = \"open\" }`, the others are \
                walls; for all of them choose one of `free`, `walls`, `periodic`";
    field.report_with_hint(kind, hint);
    true
}
