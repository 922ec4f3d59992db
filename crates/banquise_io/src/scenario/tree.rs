//! From the tree of the parser to ours.

use std::collections::BTreeMap;

use toml::de::{DeInteger, DeTable, DeValue};

use super::problem::{Problem, ProblemKind};
use super::source::Span;
use super::value::{Entry, Node, Table, Value};

/// Turns the parser's tree into ours; `offset` is where the parsed text stands in its source.
pub(super) struct TreeBuilder<'a> {
    pub(super) source: u32,
    pub(super) offset: usize,
    pub(super) text: &'a str,
    pub(super) problems: Vec<Problem>,
}

impl TreeBuilder<'_> {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(
            self.source,
            range.start + self.offset,
            range.end + self.offset,
        )
    }

    pub(super) fn table(&mut self, table: &DeTable<'_>) -> Table {
        let mut entries = BTreeMap::new();
        for (key, value) in table {
            let entry = Entry {
                key_span: self.span(key.span()),
                node: self.node(value),
            };
            entries.insert(key.get_ref().to_string(), entry);
        }
        Table { entries }
    }

    /// The recursion is bounded: the parser refuses more than 80 levels.
    pub(super) fn node(&mut self, parsed: &toml::Spanned<DeValue<'_>>) -> Node {
        let span = self.span(parsed.span());
        let value = match parsed.get_ref() {
            DeValue::String(text) => Value::Text {
                verbatim_at: self.verbatim_at(parsed.span(), text),
                text: text.to_string(),
            },
            DeValue::Integer(number) => Value::Integer(self.integer(number, span)),
            // The parser has checked the notation; what is too large becomes infinite, and
            // infinite numbers are refused where a number is read.
            DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(value) => Value::Boolean(*value),
            DeValue::Datetime(value) => Value::Datetime(*value),
            DeValue::Array(list) => Value::Array(list.iter().map(|item| self.node(item)).collect()),
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        Node { value, span }
    }

    fn integer(&mut self, number: &DeInteger<'_>, span: Span) -> i64 {
        i64::from_str_radix(number.as_str(), number.radix()).unwrap_or_else(|_| {
            let kind = ProblemKind::IntegerTooLarge {
                value: number.to_string(),
            };
            self.problems.push(Problem::new(kind, span));
            0
        })
    }

    /// Only a string on one line and without escapes stands in the source as it is.
    fn verbatim_at(&self, range: std::ops::Range<usize>, text: &str) -> Option<usize> {
        let written = self.text.get(range.clone())?;
        let inside = written.get(1..written.len().checked_sub(1)?)?;
        (inside == text).then_some(range.start + 1 + self.offset)
    }
}
