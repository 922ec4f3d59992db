//! Units of time and length in SI, for code that reads like the documents: `5.0 * HOUR`.

/// One minute \[s\].
pub const MINUTE: f64 = 60.0;
/// One hour \[s\].
pub const HOUR: f64 = 3600.0;
/// One day \[s\].
pub const DAY: f64 = 86400.0;
/// One kilometre \[m\].
pub const KILOMETRE: f64 = 1000.0;
