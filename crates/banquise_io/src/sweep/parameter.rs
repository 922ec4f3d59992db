//! Values of a parameter: texts as in `--set`, and numbers with a unit where all of them are.

use crate::scenario::{Dimension, parse_quantity};

/// Dimensions in which a text like `10 m/s` is understood. A latitude is an angle too, and comes after it.
const DIMENSIONS: [Dimension; 17] = [
    Dimension::Length,
    Dimension::Area,
    Dimension::Time,
    Dimension::Speed,
    Dimension::Acceleration,
    Dimension::Angle,
    Dimension::AngularVelocity,
    Dimension::Rate,
    Dimension::Mass,
    Dimension::Density,
    Dimension::Force,
    Dimension::Stress,
    Dimension::LineForce,
    Dimension::SurfaceEnergy,
    Dimension::Viscosity,
    Dimension::DynamicViscosity,
    Dimension::Impulse,
];

/// Values of a parameter over all members.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// In SI, with the unit; empty for plain numbers. A member without a value has none.
    Numbers(Vec<f64>, &'static str),
    /// Place of each text among the different ones, and these.
    Labels(Vec<i64>, Vec<String>),
}

/// The text without the quotes of a TOML string.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        let inner = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
        if let Some(inner) = inner.filter(|inner| !inner.contains(quote)) {
            return inner;
        }
    }
    text
}

/// Reads the values of a parameter: as numbers if all of them are.
pub(super) fn read_values(texts: &[&str]) -> Values {
    let texts: Vec<&str> = texts.iter().map(|text| unquoted(text)).collect();
    let read = |parse: &dyn Fn(&str) -> Option<f64>| -> Option<Vec<f64>> {
        let values = texts.iter().map(|text| match *text {
            "" => Some(f64::NAN),
            text => parse(text),
        });
        values.collect()
    };
    if let Some(numbers) = read(&|text| text.replace('_', "").parse().ok()) {
        return Values::Numbers(numbers, "");
    }
    for dimension in DIMENSIONS {
        if let Some(numbers) = read(&|text| parse_quantity(text, dimension).ok()) {
            return Values::Numbers(numbers, si_unit(dimension));
        }
    }
    let mut labels: Vec<String> = Vec::new();
    let codes = texts.iter().map(|text| {
        let place = labels.iter().position(|label| label == text);
        place.unwrap_or_else(|| {
            labels.push((*text).to_owned());
            labels.len() - 1
        }) as i64
    });
    let codes = codes.collect();
    Values::Labels(codes, labels)
}

/// The SI unit as CF writes it.
fn si_unit(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Length => "m",
        Dimension::Area => "m2",
        Dimension::Time => "s",
        Dimension::Speed => "m s-1",
        Dimension::Acceleration => "m s-2",
        Dimension::Angle | Dimension::Latitude | Dimension::Longitude => "rad",
        Dimension::AngularVelocity => "rad s-1",
        Dimension::Rate => "s-1",
        Dimension::Mass => "kg",
        Dimension::Density => "kg m-3",
        Dimension::Force => "N",
        Dimension::Stress => "Pa",
        Dimension::LineForce => "N m-1",
        Dimension::SurfaceEnergy => "J m-2",
        Dimension::Viscosity => "m2 s-1",
        Dimension::DynamicViscosity => "Pa s",
        Dimension::Impulse => "N s",
    }
}

/// A number and its unit as written: `10 m/s` is 10 and `m/s`.
pub(super) fn split_quantity(text: &str) -> Option<(f64, String)> {
    let text = unquoted(text);
    let is_number = |character: char| character.is_ascii_digit() || "+-.eE_".contains(character);
    // A unit may begin with an `e` of its own: the longest number that parses is taken.
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    (1..=end).rev().find_map(|end| {
        let number: f64 = text.get(..end)?.replace('_', "").parse().ok()?;
        Some((number, text[end..].trim().to_owned())).filter(|(number, _)| number.is_finite())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_where_all_are() {
        let numbers = read_values(&["0.5", "0.7", ""]);
        let Values::Numbers(numbers, "") = numbers else {
            panic!("{numbers:?}");
        };
        assert_eq!(numbers[..2], [0.5, 0.7]);
        assert!(numbers[2].is_nan());
        assert_eq!(
            read_values(&["\"5 m/s\"", "36 km/h"]),
            Values::Numbers(vec![5.0, 10.0], "m s-1")
        );
        let labels = vec!["\"event\"", "\"fixed\"", "\"event\""];
        assert_eq!(
            read_values(&labels),
            Values::Labels(vec![0, 1, 0], vec!["event".into(), "fixed".into()])
        );
    }

    #[test]
    fn a_quantity_is_a_number_and_a_unit() {
        assert_eq!(
            split_quantity("\"-2.5e1 m/s\""),
            Some((-25.0, "m/s".into()))
        );
        assert_eq!(split_quantity("3"), Some((3.0, String::new())));
        assert_eq!(split_quantity("12 deg"), Some((12.0, "deg".into())));
        assert_eq!(split_quantity("wind"), None);
    }
}
