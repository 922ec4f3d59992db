//! Why solver settings are refused.

use thiserror::Error;

use crate::policy::MAX_ROWS;

/// Error of solver settings.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SettingsError {
    /// A number that is zero, negative or not finite.
    #[error("`{name}` must be a positive number, not {value:?}")]
    NotPositive {
        /// The setting.
        name: String,
        /// Its value.
        value: f64,
    },
    /// A table of the policy with more rows than there are counters.
    #[error("the table `{table}` of the policy has {rows} rows, more than {MAX_ROWS}")]
    TooManyRows {
        /// The table.
        table: &'static str,
        /// Its rows.
        rows: usize,
    },
    /// A share of one or more.
    #[error("`{name}` must be below 1, not {value:?}")]
    NotBelowOne {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A tolerance beyond the one that contains it.
    #[error("`{name}` is {value:?}, more than the {limit:?} that limits it")]
    TooLarge {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The limit.
        limit: f64,
    },
    /// A row without iterations, or for no number of contacts.
    #[error("the row `{attempt}` of the table `{table}` can never be used")]
    UselessRow {
        /// The table.
        table: &'static str,
        /// The row.
        attempt: &'static str,
    },
}
