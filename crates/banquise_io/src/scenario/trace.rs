//! What decoding asks for, recorded: the schema of scenarios is made of it, so that it cannot differ from the parser.

use super::units::Dimension;

/// One question that decoding asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Note {
    /// Of which value, such as `floe[0].thickness`; empty for the root.
    pub(crate) path: String,
    /// What about it.
    pub(crate) asked: Asked,
}

/// What decoding asks about a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Asked {
    /// It is a table, and its keys are read now.
    Opened,
    /// Whether the key is there, or what its value is.
    Key,
    /// The key must be there.
    Required,
    /// The value must be this.
    As(Expected),
}

/// What a value must be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expected {
    /// A number with a unit of this dimension.
    Quantity(Dimension),
    /// Two of them.
    Vector(Dimension),
    /// A number without dimension.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A date, a time or both.
    Datetime,
    /// Any string.
    Text,
    /// One of these words.
    Word(Vec<&'static str>),
    /// A list.
    Array,
    /// A table.
    Table,
}
