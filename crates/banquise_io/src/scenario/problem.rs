//! Problems of a scenario, each of a typed kind.

use std::error::Error;

use super::bounded::MAX_FILE_BYTES;
use super::override_error::OverrideError;
use super::quantity::{QuantityError, QuantityErrorKind};
use super::source::Span;
use super::suggest::nearest;
use super::text::clip;
use super::value::ValueKind;

/// One thing wrong, and where.
#[derive(Debug)]
pub struct Problem {
    /// The cause.
    pub kind: ProblemKind,
    /// The text to underline; `None` only when there is no text, as for a missing file.
    pub span: Option<Span>,
    /// A second place that matters, such as the first of two keys that exclude each other.
    pub related: Option<Related>,
    /// A hint that replaces the one the kind gives.
    pub hint: Option<String>,
}

/// A second place to show, with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// Label of the place.
    pub label: &'static str,
}

/// The kinds of problems. Keys are whole paths, such as `floe[0].radius`.
#[derive(Debug, thiserror::Error)]
pub enum ProblemKind {
    /// The text is not TOML.
    #[error("{message}")]
    Syntax {
        /// Message of the parser.
        message: String,
    },
    /// An integer that does not fit in 64 bits.
    #[error("the integer `{}` is too large", clip(value))]
    IntegerTooLarge {
        /// The integer as written.
        value: String,
    },
    /// A key that means nothing.
    #[error("unknown key `{}` {}", clip(key), in_table(table))]
    UnknownKey {
        /// Path of the table, empty for the root.
        table: String,
        /// The key.
        key: String,
        /// A known key that looks like it.
        suggestion: Option<&'static str>,
        /// All the keys the table may have.
        known: Vec<&'static str>,
    },
    /// A key that must be there is not.
    #[error("the key `{key}` is missing {}", in_table(table))]
    MissingKey {
        /// Path of the table, empty for the root.
        table: String,
        /// The key.
        key: &'static str,
    },
    /// A value of another kind than wanted.
    #[error("`{}` must be {expected}, not {}", clip(key), found.name())]
    WrongType {
        /// The key.
        key: String,
        /// Kind expected, with its article.
        expected: &'static str,
        /// Kind of the value found.
        found: ValueKind,
    },
    /// An array of another length than wanted.
    #[error("`{}` must have {expected} elements, not {found}", clip(key))]
    WrongLength {
        /// The key.
        key: String,
        /// The length wanted.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// A number with a unit was wanted.
    #[error("`{}` must be {}, but `{}` {error}", clip(key), error.wanted.name(), clip(value))]
    Quantity {
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// Error of the quantity.
        error: QuantityError,
    },
    /// A value outside what makes sense.
    #[error("`{}` must be {requirement}, but is `{}`", clip(key), clip(value))]
    OutOfRange {
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// Requirement, to follow "must be".
        requirement: &'static str,
    },
    /// A word that is not one of the choices.
    #[error("`{}` cannot be `{}`", clip(key), clip(value))]
    UnknownChoice {
        /// The key.
        key: String,
        /// The word.
        value: String,
        /// The words accepted.
        choices: Vec<&'static str>,
    },
    /// Two keys that exclude each other.
    #[error("`{}` and `{}` cannot both be given", clip(first), clip(second))]
    Conflict {
        /// One key.
        first: String,
        /// The other.
        second: String,
    },
    /// More of something than the program accepts.
    #[error("{count} {what} are too many: the limit is {limit}")]
    TooMany {
        /// What there is too much of, in the plural.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The file does not exist.
    #[error("there is no file `{}`", clip(path))]
    FileNotFound {
        /// Its path.
        path: String,
    },
    /// A file the scenario names is not what it should be.
    #[error("the file `{}` is refused: {source}", clip(path))]
    FileRejected {
        /// Its path.
        path: String,
        /// Hint to the user: how to avoid the error.
        hint: &'static str,
        /// The reason, with its line.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The file exists but cannot be read.
    #[error("the file `{}` cannot be read: {source}", clip(path))]
    FileUnreadable {
        /// Its path.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is too large to be a scenario.
    #[error("the file `{}` is larger than {} MiB", clip(path), MAX_FILE_BYTES >> 20)]
    FileTooLarge {
        /// Its path.
        path: String,
    },
    /// The file is not UTF-8 text.
    #[error("the file is not UTF-8 text: byte {byte} is 0x{value:02X}")]
    NotUtf8 {
        /// Position of the first bad byte, from 0.
        byte: usize,
        /// Its value.
        value: u8,
    },
    /// A `--set` argument does not apply.
    #[error(transparent)]
    Override(OverrideError),
    /// Another part of the program refused the value.
    #[error("{what} is refused: {source}")]
    Rejected {
        /// Name of what was refused, with its article.
        what: &'static str,
        /// Hint to the user: how to avoid the error.
        hint: Option<String>,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl Problem {
    /// A problem at a place.
    pub fn new(kind: ProblemKind, span: Span) -> Self {
        Self {
            kind,
            span: Some(span),
            related: None,
            hint: None,
        }
    }

    /// A problem that no text shows, as a file that is missing.
    pub fn without_place(kind: ProblemKind) -> Self {
        Self {
            kind,
            span: None,
            related: None,
            hint: None,
        }
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: &'static str) -> Self {
        self.related = Some(Related { span, label });
        self
    }

    /// Replaces the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: String) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Hint to the user, where there is one.
    pub fn hint(&self) -> Option<String> {
        self.hint.clone().or_else(|| self.kind.hint())
    }
}

impl ProblemKind {
    /// A problem of the TOML parser, in plainer words where its own mislead.
    pub(super) fn syntax(message: &str, span: Span) -> Self {
        let unquoted = message.starts_with("string values must be quoted");
        let plain = match message {
            _ if unquoted && span.start == span.end => "a value is missing",
            _ if unquoted => "this is not a TOML value: text must be in quotes",
            "duplicate key" => "this key or table is given twice",
            "recursion limit" | "cannot recurse further; max recursion depth met" => {
                "tables or arrays are nested too deep"
            }
            "invalid basic string, expected `\"`" | "invalid literal string, expected `'`" => {
                "this string is not closed"
            }
            other => other,
        };
        Self::Syntax {
            message: plain.to_owned(),
        }
    }

    /// A short text to stand beside the underline.
    pub(super) fn label(&self) -> Option<&'static str> {
        match self {
            Self::MissingKey { table, .. } if !table.is_empty() => Some("in this table"),
            Self::WrongType { found, .. } => Some(found.name()),
            Self::Quantity { error, .. } => Some(match &error.kind {
                QuantityErrorKind::NoNumber => "no number here",
                QuantityErrorKind::DecimalComma => "comma",
                QuantityErrorKind::NotFinite => "too large",
                QuantityErrorKind::MissingUnit => "no unit",
                QuantityErrorKind::UnknownUnit { .. } => "unknown unit",
                QuantityErrorKind::WrongDimension { found, .. } => found.name(),
                QuantityErrorKind::BeyondPole => "beyond the pole",
                QuantityErrorKind::BeyondTurn => "more than a full turn",
            }),
            _ => None,
        }
    }

    /// The hint this kind gives.
    fn hint(&self) -> Option<String> {
        match self {
            Self::Syntax { message } => syntax_hint(message),
            Self::UnknownKey {
                suggestion: Some(key),
                ..
            } => Some(format!("did you mean `{key}`?")),
            Self::UnknownKey { known, .. } if !known.is_empty() => {
                Some(format!("the keys here are {}", listed(known)))
            }
            Self::IntegerTooLarge { .. } => Some(format!("the largest integer is {}", i64::MAX)),
            Self::WrongType {
                key,
                expected: "an array of tables",
                ..
            } => Some(format!(
                "head each table with `[[{}]]`, in double brackets",
                clip(key)
            )),
            Self::Quantity { error, .. } => Some(error.hint()),
            Self::UnknownChoice { value, choices, .. } => {
                let all = format!("choose one of {}", listed(choices));
                Some(match nearest(value, choices.iter().copied()) {
                    Some(word) => format!("did you mean `{word}`? {all}"),
                    None => all,
                })
            }
            Self::WrongType {
                expected, found, ..
            } => type_hint(expected, *found).map(str::to_owned),
            Self::WrongLength { expected: 2, .. } => {
                Some("give two: eastward, then northward".to_owned())
            }
            Self::OutOfRange { requirement, .. } => range_hint(requirement).map(str::to_owned),
            Self::Conflict { .. } => Some("remove one of the two".to_owned()),
            Self::FileRejected { hint, .. } => Some((*hint).to_owned()),
            Self::FileUnreadable { .. } => {
                Some("name a UTF-8 text file that you may read".to_owned())
            }
            Self::FileNotFound { .. } => {
                Some("check the path; `banquise scenarios` lists the built-in scenarios".to_owned())
            }
            Self::FileTooLarge { .. } => Some("is this a scenario file?".to_owned()),
            Self::NotUtf8 { .. } => Some("save the file as UTF-8 text".to_owned()),
            Self::Override(error) => Some(error.hint().to_owned()),
            Self::Rejected { hint, .. } => hint.clone(),
            _ => None,
        }
    }
}

/// How to write a value of the kind wanted, where its name does not show it.
fn type_hint(expected: &str, found: ValueKind) -> Option<&'static str> {
    match expected {
        "an array of two quantities" => Some("write two quantities, such as `[\"1 km\", \"0 m\"]`"),
        "a number with its unit, in quotes" => Some("write it like `\"1.5 km\"`"),
        "a table" => Some("write `{ key = value }`, or head it with `[name]`"),
        "an array" => Some("write it in brackets, `[…, …]`"),
        "a string" => Some("put it in quotes"),
        "a number" | "an integer" | "`true` or `false`" if found == ValueKind::Text => {
            Some("write it without quotes")
        }
        "an integer" => Some("give a whole number"),
        "a number" => Some("give a number, such as `0.5`"),
        _ => None,
    }
}

/// Hint for a value outside its range, where the message needs one.
fn range_hint(requirement: &str) -> Option<&'static str> {
    match requirement {
        "positive" => Some("give a value above zero"),
        "zero or positive" => Some("give zero or a value above"),
        "larger than `min_size`" | "at least `min_size`" => {
            Some("`min_size` is that of the smallest floe and `max_size` that of the largest")
        }
        "between 0 and 1" => Some("40 percent is written `0.4`"),
        "a finite number" => Some("`nan` and `inf` are not accepted: is a value missing here?"),
        "two positive lengths" => Some("give the width and the height"),
        "within the run" => Some("times count from the start of the run, to `time.duration`"),
        "a date with a time of day" => Some("write it like 2008-02-01T00:00:00Z"),
        "after `from`" => Some("a force acts from `from` until `until`, times from the start"),
        "between 1 and 20 million" => Some("1 is a single block without springs, 80 a good chain"),
        "at least 0 and below 90 deg" => {
            Some("the bed goes down towards the front; 1 deg is usual")
        }
        "between 1 and 100" => Some("3 is usual, 1 is a linear bed"),
        "between -1/3 and 0" => Some("-0.25 damps stiff friction best"),
        "on the glacier" => Some("distances count from the front, to `glacier.length`"),
        "at least 3" => Some("leave `sides` out for a true disc"),
        _ => None,
    }
}

fn syntax_hint(message: &str) -> Option<String> {
    let hint = if message.starts_with("this is not a TOML value") {
        "write quantities in quotes too: `duration = \"2 d\"`"
    } else if message.starts_with("this key or table is given twice") {
        "keep one of them; a list of tables is written `[[floe]]`, with double brackets"
    } else if message.starts_with("key with no value") || message.starts_with("a value is missing")
    {
        "a line is `key = value`, `[table]`, `[[array of tables]]` or `# comment`"
    } else if message.starts_with("this string is not closed") {
        "close it with the same quote on the same line"
    } else {
        return None;
    };
    Some(hint.to_owned())
}

fn in_table(table: &str) -> String {
    if table.is_empty() {
        "at the top level".to_owned()
    } else {
        format!("in `{}`", clip(table))
    }
}

fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
