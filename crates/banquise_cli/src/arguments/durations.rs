//! Durations of wall time, as users and schedulers write them.

use std::time::Duration;

/// A duration such as `90 s`, `10 min`, `11h50m` or `2 d`.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || format!("`{text}` is no duration: write `30 s`, `10 min`, `11h50m` or `2 d`");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(expected());
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let (number, after) = rest.split_at(end.ok_or_else(expected)?);
        let after = after.trim_start();
        let end = after.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        let factor = match unit {
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(expected()),
        };
        seconds += factor * number.parse::<f64>().ok().ok_or_else(expected)?;
        rest = after.trim_start();
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(expected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_schedulers_write_them() {
        let seconds = |text| parse_duration(text).map(|d| d.as_secs_f64());
        assert_eq!(seconds("11h50m"), Ok(42_600.0));
        assert_eq!(seconds("1.5 h"), Ok(5400.0));
        assert_eq!(seconds("10 min 30 s"), Ok(630.0));
        for bad in ["", "5", "h", "0 s", "-1 s", "3 weeks", "1e400 s", "1..5 s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
