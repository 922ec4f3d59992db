//! Whether solver settings make sense, and why they are refused.

use thiserror::Error;

use crate::policy::{MAX_ROWS, Row};
use crate::settings::{Constant, SolverSettings};

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

impl SolverSettings {
    /// Checks that the settings make sense.
    ///
    /// # Errors
    /// When a number is not finite and positive, a share is not below one, or a row of the policy can never be used.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let mut found = None;
        let mut copy = *self;
        copy.visit(|name, constant| {
            if let Constant::Number(value) = constant
                && !(value.is_finite() && *value > 0.0)
            {
                found.get_or_insert(SettingsError::NotPositive {
                    name: name.to_owned(),
                    value: *value,
                });
            }
        });
        found.map_or(Ok(()), Err)?;
        self.validate_shares()?;
        self.validate_order()?;
        for (table, rows) in self.policy.tables() {
            if rows.len() > MAX_ROWS {
                return Err(SettingsError::TooManyRows {
                    table: table.name(),
                    rows: rows.len(),
                });
            }
            let is_useless = |row: &&Row| row.limit == 0 || row.contacts[0] > row.contacts[1];
            if let Some(row) = rows.iter().find(is_useless) {
                return Err(SettingsError::UselessRow {
                    table: table.name(),
                    attempt: row.attempt.name(),
                });
            }
        }
        Ok(())
    }

    fn validate_shares(&self) -> Result<(), SettingsError> {
        let mut shares = vec![
            ("interior.boundary_margin", self.interior.boundary_margin),
            ("interior.next_judged", self.interior.next_judged),
            ("proximal.inner_share", self.proximal.inner_share),
        ];
        for schedule in [
            self.brisk,
            self.following,
            self.careful,
            self.steady,
            self.crushing_warm,
            self.crushing_pivoted,
        ] {
            shares.push(("schedule.shrink_easy", schedule.shrink_easy));
            shares.push(("schedule.shrink", schedule.shrink));
            let slow = schedule.shrink_after_failure;
            shares.push(("schedule.shrink_after_failure", slow));
        }
        match shares.into_iter().find(|(_, value)| *value >= 1.0) {
            Some((name, value)) => Err(SettingsError::NotBelowOne { name, value }),
            None => Ok(()),
        }
    }

    fn validate_order(&self) -> Result<(), SettingsError> {
        let (accuracy, proximal) = (&self.accuracy, &self.proximal);
        let acceptable = accuracy.acceptable;
        let ordered = [
            ("accuracy.round_off", accuracy.round_off, acceptable),
            (
                "accuracy.sparse_round_off",
                accuracy.sparse_round_off,
                acceptable,
            ),
            (
                "accuracy.acceptable",
                acceptable,
                accuracy.largest_acceptable,
            ),
            (
                "proximal.least_regularisation",
                proximal.least_regularisation,
                self.brisk.most,
            ),
        ];
        match ordered.into_iter().find(|(_, low, high)| low > high) {
            Some((name, value, limit)) => Err(SettingsError::TooLarge { name, value, limit }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(SolverSettings::DEFAULT.validate(), Ok(()));
    }

    #[test]
    fn bad_values_are_refused_by_name() {
        let mut settings = SolverSettings::DEFAULT;
        settings.path.end_distance = f64::NAN;
        let message = settings.validate().unwrap_err().to_string();
        assert_eq!(
            message,
            "`path.end_distance` must be a positive number, not NaN"
        );
        let mut settings = SolverSettings::DEFAULT;
        settings.accuracy.round_off = 1e-6;
        let message = settings.validate().unwrap_err().to_string();
        assert_eq!(
            message,
            "`accuracy.round_off` is 1e-6, more than the 1e-9 that limits it"
        );
        let mut settings = SolverSettings::DEFAULT;
        settings.careful.shrink = 2.0;
        assert!(matches!(
            settings.validate(),
            Err(SettingsError::NotBelowOne { .. })
        ));
    }
}
