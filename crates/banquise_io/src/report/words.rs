//! Numbers as they are read: three digits that count, with units that fit.

/// Prefixes of units, largest first.
const PREFIXES: [(f64, &str); 8] = [
    (1e15, "P"),
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
];

/// The unit that suits numbers up to `largest`, and how many of the plain unit it is. Lengths are in millimetres, metres or kilometres,
/// areas in square metres or kilometres.
pub(super) fn fitting_unit(largest: f64, symbol: &str) -> (f64, String) {
    if symbol == "m²" {
        return if largest >= 1e6 {
            (1e6, "km²".to_owned())
        } else {
            (1.0, "m²".to_owned())
        };
    }
    let is_length = symbol == "m";
    // Megametres are not in use, and decimals of a metre read well down to a centimetre.
    let is_fit = |&&(size, _): &&(f64, &str)| {
        let least = if is_length && size == 1.0 { 0.01 } else { size };
        largest >= least && !(is_length && size > 1e3)
    };
    let (size, prefix) = PREFIXES.iter().find(is_fit).unwrap_or(&(1.0, ""));
    (*size, format!("{prefix}{symbol}"))
}

/// A number with a fitting unit, such as `23.4 km` or `812 MN`.
pub(super) fn quantity_text(value: f64, symbol: &str) -> String {
    let (size, unit) = fitting_unit(value.abs(), symbol);
    format!("{} {unit}", significant(value / size))
}

/// Three digits that count, without zeros at the end.
pub(super) fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let size = value.abs().log10().floor() as i32;
    if !(-3..6).contains(&size) {
        return format!("{value:.2e}");
    }
    let decimals = (2 - size).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A whole number, with commas between thousands.
pub(super) fn count_text(count: f64) -> String {
    let digits = format!("{count:.0}");
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

/// A duration in days from two of them on, in hours, minutes or seconds.
pub(crate) fn duration_text(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 172_800.0 => (s / 86_400.0, "d"),
        s if s >= 3600.0 => (s / 3600.0, "h"),
        s if s >= 60.0 => (s / 60.0, "min"),
        s => (s, "s"),
    };
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_units_that_fit() {
        assert_eq!(quantity_text(23_412.0, "m"), "23.4 km");
        assert_eq!(quantity_text(3.2e7, "m"), "32000 km");
        assert_eq!(quantity_text(0.5, "m"), "0.5 m");
        assert_eq!(quantity_text(0.005, "m"), "5 mm");
        assert_eq!(quantity_text(8.125e8, "N"), "812 MN");
        assert_eq!(quantity_text(0.0, "N"), "0 N");
        assert_eq!(fitting_unit(5e7, "m²"), (1e6, "km²".to_owned()));
    }

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!(significant(2.0), "2");
        assert_eq!(significant(0.012_34), "0.0123");
        assert_eq!(significant(123_456.0), "123456");
        assert_eq!(significant(1.0e-9), "1.00e-9");
        assert_eq!(count_text(1_234_567.0), "1,234,567");
        assert_eq!(count_text(12.0), "12");
    }

    #[test]
    fn durations_of_a_day_and_a_half_are_hours() {
        assert_eq!(duration_text(129_600.0), "36 h");
        assert_eq!(duration_text(518_400.0), "6 d");
        assert_eq!(duration_text(0.5), "0.5 s");
    }
}
