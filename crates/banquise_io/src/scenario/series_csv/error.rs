//! Errors of CSV series.

use crate::scenario::text::clip;
use crate::scenario::units::Dimension;

/// Error of a CSV text that is not a series. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CsvError {
    /// Two times so far apart that rows between them must be missing.
    #[error(
        "there is no row between {} h and {} h of the run, where rows are {} h apart as a rule",
        hours(*from), hours(*to), hours(*usual)
    )]
    Gap {
        /// Start of the gap \[s\].
        from: f64,
        /// Its end \[s\].
        to: f64,
        /// The usual time from row to row \[s\].
        usual: f64,
    },
    /// Several buoys and no choice, or one that is not there.
    #[error(
        "{}it has {}",
        wanted.as_ref().map_or(String::new(), |name| format!("no rows are of `{}`; ", clip(name))),
        if known.is_empty() { "no column `buoy`".to_owned() } else { format!("the buoys {}", known.join(", ")) }
    )]
    WhichBuoy {
        /// The one asked for.
        wanted: Option<String>,
        /// Those of the file.
        known: Vec<String>,
    },
    /// No header: the file is empty, or has only comments.
    #[error("the file is empty: its first line must name the columns")]
    Empty,
    /// A header and nothing under it.
    #[error("there is no row under the header on line {line}")]
    NoRows {
        /// Line of the header.
        line: usize,
    },
    /// A quote, which this reader does not understand.
    #[error("line {line}, column {column}: quotes are not understood; write plain numbers")]
    Quote {
        /// Line of the quote.
        line: usize,
        /// Column of the quote.
        column: usize,
    },
    /// No column of the name wanted.
    #[error(
        "line {line}: there is no column {wanted}; the columns are {}",
        listed(present)
    )]
    MissingColumn {
        /// Line of the header.
        line: usize,
        /// The name or names looked for.
        wanted: String,
        /// The columns there are.
        present: Vec<String>,
    },
    /// Several columns could be the one wanted.
    #[error(
        "line {line}: the columns {} could all be {wanted}; say which",
        listed(found)
    )]
    AmbiguousColumn {
        /// Line of the header.
        line: usize,
        /// The name or names looked for.
        wanted: String,
        /// The columns that match.
        found: Vec<String>,
    },
    /// The header does not give the unit of a column.
    #[error(
        "line {line}, column {column}: `{}` has no unit; name it `{} [{example}]`",
        clip(text),
        clip(text)
    )]
    MissingUnit {
        /// Line of the header.
        line: usize,
        /// Column of the name.
        column: usize,
        /// The name.
        text: String,
        /// A unit that would do.
        example: &'static str,
    },
    /// The unit in brackets is unknown or of another dimension.
    #[error("line {line}, column {column}: `{}` is not a unit of {}", clip(text), wanted.name())]
    WrongUnit {
        /// Line of the header.
        line: usize,
        /// Column of the name.
        column: usize,
        /// The unit as written.
        text: String,
        /// Dimension of the column.
        wanted: Dimension,
    },
    /// A row has more or fewer fields than the header.
    #[error("line {line}: {found} fields, but the header has {expected}")]
    FieldCount {
        /// Line of the row.
        line: usize,
        /// Fields of the header.
        expected: usize,
        /// Fields of the row.
        found: usize,
    },
    /// A field that is not a number.
    #[error("line {line}, column {column}: `{}` is not a number", clip(text))]
    NotANumber {
        /// Line of the field.
        line: usize,
        /// Column of the field.
        column: usize,
        /// The field.
        text: String,
    },
    /// A date, where nothing says when the run starts.
    #[error(
        "line {line}, column {column}: `{}` is a date, and the scenario does not say when its run starts",
        clip(text)
    )]
    NoStart {
        /// Line of the field.
        line: usize,
        /// Column of the field.
        column: usize,
        /// The field.
        text: String,
    },
    /// A field that is not a date among others that are.
    #[error("line {line}, column {column}: `{}` is not a date", clip(text))]
    NotADate {
        /// Line of the field.
        line: usize,
        /// Column of the field.
        column: usize,
        /// The field.
        text: String,
    },
    /// A field that is infinite, not a number by intent (`nan`), or too large.
    #[error(
        "line {line}, column {column}: `{}` is not a finite number",
        clip(text)
    )]
    NotFinite {
        /// Line of the field.
        line: usize,
        /// Column of the field.
        column: usize,
        /// The field.
        text: String,
    },
    /// A latitude beyond a pole, or a longitude of more than a turn.
    #[error("line {line}, column {column}: `{}` is no place on Earth", clip(text))]
    NoPlace {
        /// Line of the field.
        line: usize,
        /// Column of the field.
        column: usize,
        /// The field.
        text: String,
    },
    /// A time that is not after the one before.
    #[error(
        "line {line}, column {column}: the time `{}` is not after the one before",
        clip(text)
    )]
    TimeNotIncreasing {
        /// Line of the row.
        line: usize,
        /// Column of the time.
        column: usize,
        /// The time as written.
        text: String,
    },
}

impl CsvError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::MissingUnit { .. } | Self::WrongUnit { .. } => {
                "the first line names the columns with their units: `time [h],u [m/s],v [m/s]`"
            }
            Self::Gap { .. } => "fill the gap, or accept it with `max_gap = \"…\"`",
            Self::WhichBuoy { .. } => "choose one with `--buoy NAME`",
            Self::NoRows { .. } => "add rows of numbers under the header",
            Self::Quote { .. } => "remove the quotes, in the header too",
            Self::MissingColumn { .. } | Self::AmbiguousColumn { .. } => {
                "name the columns in the scenario: `columns = { time = \"…\", x = \"…\", y = \"…\" }`"
            }
            Self::FieldCount { .. } => {
                "a row has one number for each column, separated as in the header"
            }
            Self::NotANumber { .. } => "write decimals with a point, and no unit in a row",
            Self::NoStart { .. } => {
                "give the date of time zero: `start = 2008-02-01T00:00:00Z` in `[time]`"
            }
            Self::NotADate { .. } => "write all dates like 2008-02-01T00:00:00Z",
            Self::NotFinite { .. } => "leave out the rows with a missing value",
            Self::NoPlace { .. } => {
                "leave the cells of missing values empty; are latitudes and longitudes swapped?"
            }
            Self::TimeNotIncreasing { .. } => "sort the rows by time, each time once",
        }
    }
}

/// A time in hours, to a hundredth.
fn hours(seconds: f64) -> f64 {
    (seconds / 36.0).round() / 100.0
}

fn listed(names: &[String]) -> String {
    // A file that is not CSV may seem to have thousands of columns.
    const MAX_NAMES: usize = 12;
    let mut quoted: Vec<String> = names
        .iter()
        .take(MAX_NAMES)
        .map(|name| format!("`{}`", clip(name)))
        .collect();
    if names.len() > MAX_NAMES {
        quoted.push("…".to_owned());
    }
    quoted.join(", ")
}
