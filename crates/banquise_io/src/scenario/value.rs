//! The values of a scenario, each with its place.

use std::collections::BTreeMap;

use toml::value::Datetime;

use super::source::Span;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its place; that of the header for a `[table]`.
    pub span: Span,
}

/// A TOML value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Any string.
    Text {
        /// The string, escapes resolved.
        text: String,
        /// Where its first byte stands in the source, if the source holds it unchanged; it lets
        /// a message underline a part of the string.
        verbatim_at: Option<usize>,
    },
    /// A whole number.
    Integer(i64),
    /// A decimal number; TOML allows `inf` and `nan`.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A date, a time, or both.
    Datetime(Datetime),
    /// A list, or an array of tables.
    Array(Vec<Node>),
    /// A table, inline or not.
    Table(Table),
}

/// Keys and values, in the order of the keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Each key with its entry.
    pub entries: BTreeMap<String, Entry>,
}

/// A key of a table with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

/// The kind of a value, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A string.
    Text,
    /// A whole number.
    Integer,
    /// A decimal number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// A date or a time.
    Datetime,
    /// A list.
    Array,
    /// A table.
    Table,
}

impl ValueKind {
    /// The name with its article.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Integer => "an integer",
            Self::Float => "a decimal number",
            Self::Boolean => "a boolean",
            Self::Datetime => "a date",
            Self::Array => "an array",
            Self::Table => "a table",
        }
    }
}

impl Value {
    /// The kind of this value.
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::Text { .. } => ValueKind::Text,
            Self::Integer(_) => ValueKind::Integer,
            Self::Float(_) => ValueKind::Float,
            Self::Boolean(_) => ValueKind::Boolean,
            Self::Datetime(_) => ValueKind::Datetime,
            Self::Array(_) => ValueKind::Array,
            Self::Table(_) => ValueKind::Table,
        }
    }
}
