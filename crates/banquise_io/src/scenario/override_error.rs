//! Errors of overrides.

use super::text::clip;
use super::value::ValueKind;

/// No scenario nests this deep; without a limit a long path could exhaust the stack.
pub(super) const MAX_STEPS: usize = 32;

/// Error of an override that does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// There is no `=`.
    #[error("this override has no `=`")]
    NoEqualSign,
    /// Nothing follows the `=`.
    #[error("this override has no value after its `=`")]
    NoValue,
    /// Nothing before the `=`, before or after a dot, or between quotes.
    #[error("the path of this override has an empty name")]
    EmptyName,
    /// A character that cannot be in a path.
    #[error("`{character}` cannot be in the path of an override")]
    BadCharacter {
        /// The character.
        character: char,
    },
    /// A quote that does not end.
    #[error("the quote in the path of this override is not closed")]
    OpenQuote,
    /// Brackets around something that is not a whole number.
    #[error("the index in brackets is not a whole number")]
    BadIndex,
    /// The path is longer than any scenario is deep.
    #[error("the path of this override has more than {MAX_STEPS} names")]
    TooDeep,
    /// A name is looked up in something that has no names.
    #[error("`{}` is {}, so it has no key `{}`", clip(path), found.name(), clip(key))]
    NotATable {
        /// The path up to the value.
        path: String,
        /// The name looked up.
        key: String,
        /// Kind of the value found.
        found: ValueKind,
    },
    /// An index is looked up in something that is not an array.
    #[error("`{}` is {}, not an array, so it has no element {index}", clip(path), found.name())]
    NotAnArray {
        /// The path up to the value.
        path: String,
        /// The index looked up.
        index: usize,
        /// Kind of the value found.
        found: ValueKind,
    },
    /// An index at or beyond the length.
    #[error("`{}` has no element {index}: its length is {length}", clip(path))]
    BeyondArray {
        /// The path up to the array.
        path: String,
        /// The index looked up.
        index: usize,
        /// The number of elements.
        length: usize,
    },
}

impl OverrideError {
    /// Hint to the user: what to write instead.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotATable { .. } | Self::NotAnArray { .. } => {
                "an override follows the tables of the scenario; check the path against the file"
            }
            Self::BeyondArray { .. } => {
                "indices start at 0; an override cannot add an element to an array"
            }
            Self::NoValue => "for an empty string write `key=\"\"`",
            Self::BadCharacter { .. } => "put a name with special characters in quotes",
            Self::NoEqualSign
            | Self::EmptyName
            | Self::OpenQuote
            | Self::BadIndex
            | Self::TooDeep => {
                "write `table.key=value` or `array[0].key=value`, such as `time.duration=\"2 d\"`"
            }
        }
    }
}
