//! A number with its unit, as people write it: `"250 km"`, `"6 h"`, `"81 degN"`.

use std::ops::Range;

use super::suggest::nearest;
use super::text::clip;
use super::units::{Dimension, Unit, find_unit};

/// Error of a text that is not a quantity of the dimension wanted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct QuantityError {
    /// The cause.
    pub kind: QuantityErrorKind,
    /// The dimension that was wanted.
    pub wanted: Dimension,
    /// The bytes of the text to blame.
    pub range: Range<usize>,
}

/// The ways a quantity can be wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QuantityErrorKind {
    /// The text does not begin with a number.
    #[error("does not begin with a number")]
    NoNumber,
    /// The decimal part is set off by a comma.
    #[error("has a comma in its number")]
    DecimalComma,
    /// The number is beyond the range of `f64`.
    #[error("is too large a number")]
    NotFinite,
    /// A number without a unit.
    #[error("has no unit")]
    MissingUnit,
    /// An unknown unit.
    #[error("has the unknown unit `{}`", clip(unit))]
    UnknownUnit {
        /// The unit as written.
        unit: String,
        /// The accepted unit it looks like.
        suggestion: Option<&'static str>,
    },
    /// A good unit, of another dimension.
    #[error("is {}, because of its unit `{unit}`", found.name())]
    WrongDimension {
        /// The unit as written.
        unit: String,
        /// The dimension of that unit.
        found: Dimension,
    },
    /// A latitude beyond a pole.
    #[error("is beyond the pole")]
    BeyondPole,
    /// A longitude beyond a full turn.
    #[error("is more than a full turn")]
    BeyondTurn,
}

impl QuantityError {
    /// Hint to the user: what to write instead.
    pub fn hint(&self) -> String {
        let units: Vec<&str> = self.wanted.units().collect();
        let first = units[0];
        match &self.kind {
            QuantityErrorKind::DecimalComma => "write a decimal point: \"3.5 km\"".to_owned(),
            QuantityErrorKind::UnknownUnit {
                suggestion: Some(unit),
                ..
            } => {
                format!(
                    "did you mean `{unit}`? units of {}: {}",
                    self.wanted.name(),
                    units.join(", ")
                )
            }
            QuantityErrorKind::BeyondPole => "a latitude is at most 90 degN or 90 degS".to_owned(),
            QuantityErrorKind::BeyondTurn => {
                "a longitude is at most 360 degE or 360 degW".to_owned()
            }
            QuantityErrorKind::NoNumber => {
                format!("write {} like \"1.5 {first}\"", self.wanted.name())
            }
            QuantityErrorKind::MissingUnit => {
                let units = units.join(", ");
                format!("write it in quotes with its unit, such as \"1.5 {first}\"; units: {units}")
            }
            QuantityErrorKind::NotFinite
            | QuantityErrorKind::UnknownUnit { .. }
            | QuantityErrorKind::WrongDimension { .. } => {
                format!("units of {}: {}", self.wanted.name(), units.join(", "))
            }
        }
    }
}

/// The value in SI of a number with its unit.
///
/// The number is written as in TOML (sign, underscores between digits, exponent); white space
/// between number and unit is optional; infinity and not-a-number are refused.
///
/// ```
/// use banquise_io::scenario::{Dimension, parse_quantity};
/// assert_eq!(parse_quantity("2.5 km", Dimension::Length), Ok(2500.0));
/// ```
///
/// # Errors
///
/// [`QuantityError`], with the bytes to underline.
pub fn parse_quantity(text: &str, wanted: Dimension) -> Result<f64, QuantityError> {
    let fail = |kind, range| QuantityError {
        kind,
        wanted,
        range,
    };
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    let number_end = start + number_length(&text[start..end]);
    // The scanner lets through only what `parse` accepts, apart from the underscores.
    let Ok(number) = text[start..number_end].replace('_', "").parse::<f64>() else {
        return Err(fail(QuantityErrorKind::NoNumber, start..end));
    };
    let after = &text[number_end..end];
    if after.starts_with(',') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return Err(fail(QuantityErrorKind::DecimalComma, start..end));
    }
    let name = after.trim_start();
    if name.is_empty() {
        return Err(fail(QuantityErrorKind::MissingUnit, start..number_end));
    }
    let unit = unit_of(name, wanted).map_err(|kind| fail(kind, end - name.len()..end))?;
    let value = unit.to_si(number);
    if !value.is_finite() {
        return Err(fail(QuantityErrorKind::NotFinite, start..end));
    }
    if wanted == Dimension::Latitude && number.abs() > 90.0 {
        return Err(fail(QuantityErrorKind::BeyondPole, start..number_end));
    }
    if wanted == Dimension::Longitude && number.abs() > 360.0 {
        return Err(fail(QuantityErrorKind::BeyondTurn, start..number_end));
    }
    Ok(value)
}

/// The unit of that name, if it is one of the dimension wanted.
fn unit_of(name: &str, wanted: Dimension) -> Result<Unit, QuantityErrorKind> {
    match find_unit(name) {
        Some(unit) if unit.dimension == wanted => Ok(unit),
        Some(unit) => {
            let found = unit.dimension;
            Err(QuantityErrorKind::WrongDimension {
                unit: name.to_owned(),
                found,
            })
        }
        None => {
            let suggestion = nearest(name, wanted.units());
            Err(QuantityErrorKind::UnknownUnit {
                unit: name.to_owned(),
                suggestion,
            })
        }
    }
}

/// How many bytes at the start of `text` are a number in TOML's decimal notation.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut length = sign + digits_length(&bytes[sign..]);
    if length == sign {
        return 0;
    }
    if bytes.get(length) == Some(&b'.') {
        let decimals = digits_length(&bytes[length + 1..]);
        if decimals > 0 {
            length += 1 + decimals;
        }
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits_length(&bytes[length + 1 + sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// How many bytes at the start are digits, with single underscores between them.
fn digits_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let next_is_digit = bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        if byte.is_ascii_digit() || (byte == b'_' && length > 0 && next_is_digit) {
            length += 1;
        } else {
            break;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str, wanted: Dimension) -> (QuantityErrorKind, Range<usize>) {
        let error = parse_quantity(text, wanted).unwrap_err();
        (error.kind, error.range)
    }

    #[test]
    fn human_units_become_si() {
        let cases = [
            ("250 km", Dimension::Length, 250e3),
            ("35cm", Dimension::Length, 0.35),
            ("-1_000.5e-1 m", Dimension::Length, -100.05),
            ("2 nmi", Dimension::Length, 3704.0),
            ("3 ha", Dimension::Area, 3e4),
            ("1.5 h", Dimension::Time, 5400.0),
            ("1 week", Dimension::Time, 604_800.0),
            ("36 km/h", Dimension::Speed, 10.0),
            ("9.81 m/s2", Dimension::Acceleration, 9.81),
            ("180 deg", Dimension::Angle, std::f64::consts::PI),
            ("90 degS", Dimension::Latitude, -std::f64::consts::FRAC_PI_2),
            ("180 degW", Dimension::Longitude, -std::f64::consts::PI),
            ("1.4e-4 1/s", Dimension::Rate, 1.4e-4),
            ("1.4e-4/s", Dimension::Rate, 1.4e-4),
            ("900 kg/m^3", Dimension::Density, 900.0),
            (" +5 MN ", Dimension::Force, 5e6),
            ("4 MPa", Dimension::Stress, 4e6),
        ];
        for (text, dimension, expected) in cases {
            assert_eq!(parse_quantity(text, dimension), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_quantity_is_named() {
        use QuantityErrorKind as K;
        for text in ["", "  ", "km", ".5 m", "inf m", "nan m", "-", "_1 m"] {
            assert_eq!(kind(text, Dimension::Length).0, K::NoNumber, "{text:?}");
        }
        assert_eq!(kind(" 12 ", Dimension::Length), (K::MissingUnit, 1..3));
        assert_eq!(kind("3,5 km", Dimension::Length), (K::DecimalComma, 0..6));
        assert_eq!(kind("1e999 m", Dimension::Length), (K::NotFinite, 0..7));
        assert_eq!(kind("1e308 km", Dimension::Length), (K::NotFinite, 0..8));
        assert_eq!(kind("91 degN", Dimension::Latitude), (K::BeyondPole, 0..2));
        assert_eq!(
            kind("361 degE", Dimension::Longitude),
            (K::BeyondTurn, 0..3)
        );
        let unknown = K::UnknownUnit {
            unit: "Km".into(),
            suggestion: Some("km"),
        };
        assert_eq!(kind("3 Km", Dimension::Length), (unknown, 2..4));
        let wrong = K::WrongDimension {
            unit: "h".into(),
            found: Dimension::Time,
        };
        assert_eq!(kind("3 h", Dimension::Length), (wrong, 2..3));
    }

    #[test]
    fn an_e_without_digits_belongs_to_the_unit() {
        let unknown = QuantityErrorKind::UnknownUnit {
            unit: "east".into(),
            suggestion: None,
        };
        assert_eq!(kind("5east", Dimension::Length), (unknown, 1..5));
    }

    #[test]
    fn a_negative_exponent_is_not_a_unit() {
        assert_eq!(parse_quantity("2E-3 s^-1", Dimension::Rate), Ok(2e-3));
    }
}
