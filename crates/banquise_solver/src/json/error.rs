//! Errors of problems in JSON.

use thiserror::Error;

/// Error of a text that is not a problem.
#[derive(Debug, Error)]
pub enum ProblemError {
    /// Not JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// JSON of another shape.
    #[error("{what}: {source}")]
    WrongShape {
        /// Where.
        what: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// None of the three forms.
    #[error("the file has neither `M`, nor `W`, nor `bodies`")]
    UnknownForm,
    /// Lists whose lengths do not go together.
    #[error("`{list}` has {found} entries, where {expected} are needed")]
    WrongLength {
        /// The list.
        list: String,
        /// Its length.
        found: usize,
        /// The length needed.
        expected: usize,
    },
    /// A number out of range.
    #[error("`{what}` must be {requirement}, not {value:?}")]
    OutOfRange {
        /// The number.
        what: String,
        /// Requirement, to follow "must be".
        requirement: &'static str,
        /// The value found.
        value: f64,
    },
    /// An index beyond its list.
    #[error("`{what}` is {value}, beyond the last index {last}")]
    NoSuchIndex {
        /// The index.
        what: String,
        /// Its value.
        value: usize,
        /// The largest allowed.
        last: usize,
    },
    /// A number that is needed and not there.
    #[error("`{what}` is missing")]
    Missing {
        /// The number.
        what: String,
    },
    /// More than can be solved.
    #[error("`{list}` makes {count} {of}, more than {most}")]
    TooLarge {
        /// The list.
        list: &'static str,
        /// How many it makes.
        count: usize,
        /// Of what.
        of: &'static str,
        /// The limit.
        most: usize,
    },
    /// A key that is none, but looks like one: left out, it would silently mean its default.
    #[error("`{what}` has no key `{key}`; did you mean `{meant}`?")]
    MisspeltKey {
        /// Where.
        what: String,
        /// The key.
        key: String,
        /// The one it looks like.
        meant: &'static str,
    },
    /// A contact that cannot be one.
    #[error("contact {contact} joins {reason}")]
    BadContact {
        /// Which contact.
        contact: usize,
        /// The cause.
        reason: &'static str,
    },
}

impl ProblemError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::WrongShape { .. } => {
                "the forms a problem can have are in the book: guide, commands, `solve`"
            }
            Self::Json(_) => "the file must be one JSON object, with finite numbers",
            Self::MisspeltKey { .. } => "correct it; keys that look like no other are ignored",
            Self::UnknownForm => {
                "give `M` and `q`, or `W`, `q` and `mu`, or `bodies` and `contacts`"
            }
            Self::WrongLength { .. } => "all lists must be about the same unknowns or contacts",
            Self::OutOfRange { .. } => "check this number; all units are SI",
            Self::Missing { .. } => {
                "a body has `mass`, `inertia` and `velocity`, or `\"fixed\": true`"
            }
            Self::NoSuchIndex { .. } => "indices count from 0",
            Self::TooLarge { .. } => {
                "split the problem: contacts without a body in common are apart"
            }
            Self::BadContact { .. } => "a contact needs two bodies, one of which moves",
        }
    }
}
