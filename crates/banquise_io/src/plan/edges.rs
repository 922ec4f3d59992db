//! The edges of a `[domain]` that are not all of one kind.

use crate::scenario::{Field, Value};

/// Whether the edges in the west, east, south and north are open, where each is given: `edges = { west = "open" }`.
/// `None` where `edges` is no table. An edge that is not named is a wall.
pub(super) fn decode_sides(field: &Field<'_>) -> Option<[bool; 4]> {
    if !matches!(field.node().map(|node| &node.value), Some(Value::Table(_))) {
        return None;
    }
    let table = field.clone().table()?;
    let choices = [("wall", false), ("open", true)];
    let open = ["west", "east", "south", "north"]
        .map(|side| table.optional(side).choice(&choices).or(false));
    table.finish();
    Some(open)
}
