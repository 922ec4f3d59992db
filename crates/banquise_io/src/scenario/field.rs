//! One value of a table or an array, read as what decoding wants.

use std::path::PathBuf;
use std::rc::Rc;

use toml::value::Datetime;

use super::problem::{Problem, ProblemKind};
use super::problems::Problems;
use super::quantity::{QuantityError, QuantityErrorKind, parse_quantity};
use super::source::{Span, Spanned};
use super::trace::{Asked, Expected};
use super::units::Dimension;
use super::value::{Node, Value};

/// A value to read, present or not. An absent one reads as nothing, without a report.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    /// Path of the table or array it is in.
    owner: Rc<str>,
    name: Name<'a>,
    node: Option<&'a Node>,
    problems: &'a Problems,
}

/// Elements of an array shown in a message, which is cut anyway.
const MAX_WRITTEN: usize = 20;

/// How a value is called in what it is in.
#[derive(Debug, Clone, Copy)]
pub(super) enum Name<'a> {
    Key(&'a str),
    Index(usize),
}

/// Result of reading a value: the value, or nothing if it was absent or wrong.
#[derive(Debug)]
pub struct Reading<'a, T> {
    field: Field<'a>,
    value: Option<T>,
}

impl<'a> Field<'a> {
    pub(super) fn new(
        owner: Rc<str>,
        name: Name<'a>,
        node: Option<&'a Node>,
        problems: &'a Problems,
    ) -> Self {
        Self {
            owner,
            name,
            node,
            problems,
        }
    }

    /// The whole path, such as `floe[0].radius`.
    pub fn key_path(&self) -> String {
        match self.name {
            Name::Key(key) if self.owner.is_empty() => key.to_owned(),
            Name::Key(key) => format!("{}.{key}", self.owner),
            Name::Index(index) => format!("{}[{index}]", self.owner),
        }
    }

    /// Whether there is a value.
    pub fn is_present(&self) -> bool {
        self.node.is_some()
    }

    /// The node itself, for decoding that must look at the kind of the value first.
    pub fn node(&self) -> Option<&'a Node> {
        self.node
    }

    /// The collector, to report what the readers cannot know.
    pub fn problems(&self) -> &'a Problems {
        self.problems
    }

    /// Records what the value must be.
    pub(super) fn note(&self, expected: Expected) {
        self.problems.note(|| self.key_path(), Asked::As(expected));
    }

    /// A number with its unit, in SI.
    pub fn quantity(self, dimension: Dimension) -> Reading<'a, f64> {
        self.note(Expected::Quantity(dimension));
        let value = self.node.and_then(|node| match &node.value {
            Value::Text { text, verbatim_at } => match parse_quantity(text, dimension) {
                Ok(value) => Some(value),
                Err(error) => {
                    let place = verbatim_at.map_or(node.span, |at| {
                        let Span { source, .. } = node.span;
                        Span::new(source, at + error.range.start, at + error.range.end)
                    });
                    self.report_quantity(text.clone(), error, place)
                }
            },
            Value::Integer(_) | Value::Float(_) => {
                let kind = QuantityErrorKind::MissingUnit;
                let error = QuantityError {
                    kind,
                    wanted: dimension,
                    range: 0..0,
                };
                self.report_quantity(written(node), error, node.span)
            }
            _ => self.report_type("a number with its unit, in quotes"),
        });
        Reading { field: self, value }
    }

    /// A finite number without dimension.
    pub fn number(self) -> Reading<'a, f64> {
        self.note(Expected::Number);
        let value = self.node.and_then(|node| match node.value {
            Value::Integer(value) => Some(value as f64),
            Value::Float(value) => Some(value),
            _ => self.report_type("a number"),
        });
        Reading { field: self, value }.check("a finite number", |value| value.is_finite())
    }

    /// A whole number.
    pub fn integer(self) -> Reading<'a, i64> {
        self.note(Expected::Integer);
        let value = self.node.and_then(|node| match node.value {
            Value::Integer(value) => Some(value),
            _ => self.report_type("an integer"),
        });
        Reading { field: self, value }
    }

    /// `true` or `false`.
    pub fn boolean(self) -> Reading<'a, bool> {
        self.note(Expected::Boolean);
        let value = self.node.and_then(|node| match node.value {
            Value::Boolean(value) => Some(value),
            _ => self.report_type("`true` or `false`"),
        });
        Reading { field: self, value }
    }

    /// A date, a time or both.
    pub fn datetime(self) -> Reading<'a, Datetime> {
        self.note(Expected::Datetime);
        let value = self.node.and_then(|node| match node.value {
            Value::Datetime(value) => Some(value),
            _ => self.report_type("a date without quotes, such as 2014-03-01T12:00:00Z"),
        });
        Reading { field: self, value }
    }

    /// Any string.
    pub fn text(self) -> Reading<'a, &'a str> {
        self.note(Expected::Text);
        self.string()
    }

    fn string(self) -> Reading<'a, &'a str> {
        let value = self.node.and_then(|node| match &node.value {
            Value::Text { text, .. } => Some(text.as_str()),
            _ => self.report_type("a string"),
        });
        Reading { field: self, value }
    }

    /// The path of a file, as written: relative to what is for the caller to say.
    pub fn path(self) -> Reading<'a, PathBuf> {
        let Reading { field, value } = self.text().check("the path of a file", |text| {
            // The operating system takes no NUL in a name, and says so less clearly.
            !text.is_empty() && !text.contains('\0')
        });
        Reading {
            field,
            value: value.map(PathBuf::from),
        }
    }

    /// One of the words, turned into what stands beside it.
    pub fn choice<T: Copy>(self, choices: &[(&'static str, T)]) -> Reading<'a, T> {
        let words = choices.iter().map(|(word, _)| *word).collect();
        self.note(Expected::Word(words));
        if let Some(node) = self.node
            && !matches!(node.value, Value::Text { .. })
        {
            let words: Vec<String> = choices
                .iter()
                .map(|(word, _)| format!("\"{word}\""))
                .collect();
            let kind = ProblemKind::UnknownChoice {
                key: self.key_path(),
                value: written(node),
                choices: choices.iter().map(|(word, _)| *word).collect(),
            };
            self.report_with_hint(kind, &format!("write one of {}", words.join(", ")));
            return Reading {
                field: self,
                value: None,
            };
        }
        let Reading { field, value: word } = self.string();
        let chosen = word
            .and_then(|word| choices.iter().find(|(known, _)| *known == word))
            .map(|(_, v)| *v);
        if let (Some(word), None) = (word, chosen) {
            field.report(ProblemKind::UnknownChoice {
                key: field.key_path(),
                value: word.to_owned(),
                choices: choices.iter().map(|(known, _)| *known).collect(),
            });
        }
        Reading {
            field,
            value: chosen,
        }
    }

    /// Two numbers with their units, in SI: `["1 m", "2 m"]`.
    pub fn vector(self, dimension: Dimension) -> Reading<'a, [f64; 2]> {
        self.note(Expected::Vector(dimension));
        let value = match &self.elements("an array of two quantities")[..] {
            // An absent or wrong array was reported, and the empty array has no element to show.
            [] if self
                .node
                .is_none_or(|node| !matches!(node.value, Value::Array(_))) =>
            {
                None
            }
            [x, y] => {
                let x = x.clone().quantity(dimension).get();
                let y = y.clone().quantity(dimension).get();
                x.zip(y).map(|(x, y)| [x, y])
            }
            other => {
                let found = other.len();
                let key = self.key_path();
                self.report(ProblemKind::WrongLength {
                    key,
                    expected: 2,
                    found,
                });
                None
            }
        };
        Reading { field: self, value }
    }

    /// The elements of an array; none if it is absent or something else.
    pub fn array(self) -> Vec<Self> {
        self.list("an array")
    }

    pub(super) fn list(&self, expected: &'static str) -> Vec<Self> {
        self.note(Expected::Array);
        self.elements(expected)
    }

    fn elements(&self, expected: &'static str) -> Vec<Self> {
        let Some(node) = self.node else {
            return Vec::new();
        };
        let Value::Array(nodes) = &node.value else {
            self.report_type::<()>(expected);
            return Vec::new();
        };
        let owner: Rc<str> = Rc::from(self.key_path());
        let fields = nodes.iter().enumerate().map(|(index, node)| {
            Self::new(
                Rc::clone(&owner),
                Name::Index(index),
                Some(node),
                self.problems,
            )
        });
        fields.collect()
    }

    /// Reports a problem at this value; nothing if it is absent.
    pub fn report(&self, kind: ProblemKind) {
        if let Some(node) = self.node {
            self.problems.push(Problem::new(kind, node.span));
        }
    }

    /// Reports a problem at this value, with another hint than that of its kind.
    pub fn report_with_hint(&self, kind: ProblemKind, hint: &str) {
        if let Some(node) = self.node {
            let problem = Problem::new(kind, node.span);
            self.problems.push(problem.with_hint(hint.to_owned()));
        }
    }

    pub(super) fn report_type<T>(&self, expected: &'static str) -> Option<T> {
        let found = self.node?.value.kind();
        self.report(ProblemKind::WrongType {
            key: self.key_path(),
            expected,
            found,
        });
        None
    }

    fn report_quantity(&self, value: String, error: QuantityError, place: Span) -> Option<f64> {
        let kind = ProblemKind::Quantity {
            key: self.key_path(),
            value,
            error,
        };
        self.problems.push(Problem::new(kind, place));
        None
    }
}

impl<T> Reading<'_, T> {
    /// The value, or nothing if it was absent or wrong.
    pub fn get(self) -> Option<T> {
        self.value
    }

    /// The value, or this one if it was absent or wrong; what is wrong has been reported.
    pub fn or(self, default: T) -> T {
        self.value.unwrap_or(default)
    }

    /// The value with its place.
    pub fn spanned(self) -> Option<Spanned<T>> {
        let span = self.field.node?.span;
        self.value.map(|value| Spanned { value, span })
    }

    /// Reports and drops the value unless `accept` takes it; `requirement` follows "must be".
    #[must_use]
    pub fn check(mut self, requirement: &'static str, accept: impl Fn(&T) -> bool) -> Self {
        if self.value.as_ref().is_some_and(|value| !accept(value)) {
            self.value = None;
            let value = self.field.node.map(written).unwrap_or_default();
            let key = self.field.key_path();
            self.field.report(ProblemKind::OutOfRange {
                key,
                value,
                requirement,
            });
        }
        self
    }
}

impl Reading<'_, f64> {
    /// Refuses zero and below.
    #[must_use]
    pub fn positive(self) -> Self {
        self.check("positive", |&value| value > 0.0)
    }

    /// Refuses what is below zero.
    #[must_use]
    pub fn non_negative(self) -> Self {
        self.check("zero or positive", |&value| value >= 0.0)
    }

    /// Refuses what is not in 0..=1.
    #[must_use]
    pub fn fraction(self) -> Self {
        self.check("between 0 and 1", |value| (0.0..=1.0).contains(value))
    }
}

impl Reading<'_, i64> {
    /// Refuses zero and below.
    #[must_use]
    pub fn positive(self) -> Self {
        self.check("positive", |&value| value > 0)
    }

    /// Refuses what is below zero.
    #[must_use]
    pub fn non_negative(self) -> Self {
        self.check("zero or positive", |&value| value >= 0)
    }
}

/// The value much as the user wrote it.
fn written(node: &Node) -> String {
    match &node.value {
        Value::Text { text, .. } => text.clone(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Boolean(value) => value.to_string(),
        Value::Datetime(value) => value.to_string(),
        Value::Array(nodes) => {
            let elements: Vec<String> = nodes.iter().take(MAX_WRITTEN).map(written).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Table(_) => node.value.kind().name().to_owned(),
    }
}

#[cfg(test)]
mod tests;
