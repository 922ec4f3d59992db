//! Units as readers like them: prefixes, powers of ten, hours and days.

use super::text::superscript;
use super::ticks::{decade_of, power_of_ten};

/// What the numbers along an axis measure, and so how they are scaled for reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Unit {
    /// A pure number; a power of ten is set apart when the numbers are very large or small.
    #[default]
    None,
    /// Seconds, shown in s, min, h or d, whichever suits the range.
    Time,
    /// A unit that takes a prefix: `Prefixed("J")` shows J, kJ, MJ…
    Prefixed(String),
    /// A unit that takes none, such as `m s⁻¹` or `kg`; a power of ten stands before it instead.
    Fixed(String),
}

/// A unit as shown: values are divided by `factor` and followed by `suffix`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownUnit {
    pub(super) factor: f64,
    pub(super) suffix: String,
    /// Steps between ticks that read better than 1-2-5 in this unit.
    pub(super) steps: &'static [f64],
}

impl ShownUnit {
    pub(super) fn new(factor: f64, suffix: &str) -> Self {
        Self {
            factor,
            suffix: suffix.to_owned(),
            steps: &[],
        }
    }

    /// The unit in which values up to `largest` read well.
    pub(super) fn choose(unit: &Unit, largest: f64) -> Self {
        match unit {
            Unit::None => Self::with_power(largest, ""),
            Unit::Fixed(symbol) => Self::with_power(largest, symbol),
            Unit::Time => Self::time(largest),
            Unit::Prefixed(symbol) => Self::with_prefix(largest, symbol),
        }
    }

    /// s, min, h or d for durations up to `largest` \[s\].
    pub(super) fn time(largest: f64) -> Self {
        const DAY: f64 = 86_400.0;
        if largest >= 1e5 * DAY {
            let days = Self::with_power(largest / DAY, "d");
            return Self {
                factor: days.factor * DAY,
                ..days
            };
        }
        let (factor, suffix, steps): (f64, _, &'static [f64]) = match largest {
            ..=120.0 => (1.0, "s", &[1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0]),
            ..=7200.0 => (60.0, "min", &[1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0]),
            ..=172_800.0 => (3600.0, "h", &[0.25, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0, 24.0]),
            _ => (DAY, "d", &[0.25, 0.5, 1.0]),
        };
        Self {
            factor,
            suffix: suffix.to_owned(),
            steps,
        }
    }

    fn with_power(largest: f64, symbol: &str) -> Self {
        if largest == 0.0 || (1e-2..1e5).contains(&largest) {
            return Self::new(1.0, symbol);
        }
        let exponent = decade_of(largest).div_euclid(3) * 3;
        let sign = if symbol.is_empty() { "×" } else { "" };
        let suffix = format!("{sign}10{} {symbol}", superscript(exponent));
        Self::new(power_of_ten(exponent), suffix.trim_end())
    }

    fn with_prefix(largest: f64, symbol: &str) -> Self {
        const PREFIXES: [&str; 11] = ["p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
        if largest == 0.0 || (0.1..1000.0).contains(&largest) {
            return Self::new(1.0, symbol);
        }
        let thousands = decade_of(largest).div_euclid(3);
        // Megametres are not in use.
        if symbol == "m" && largest >= 1e8 {
            return Self::with_power(largest, symbol);
        }
        let thousands = if symbol == "m" {
            thousands.min(1)
        } else {
            thousands
        };
        match PREFIXES.get((thousands + 4) as usize) {
            Some(prefix) => Self::new(power_of_ten(3 * thousands), &format!("{prefix}{symbol}")),
            None => Self::with_power(largest, symbol),
        }
    }

    /// `label (suffix)`, or whichever of the two is not empty.
    pub(super) fn titled(&self, label: &str) -> String {
        match (label, self.suffix.as_str()) {
            (label, "") => label.to_owned(),
            ("", suffix) => suffix.to_owned(),
            (label, suffix) => format!("{label} ({suffix})"),
        }
    }
}
