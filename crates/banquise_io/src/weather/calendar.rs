//! Dates in the calendars of the CF conventions.

use std::fmt;

pub(crate) const SECONDS_A_DAY: f64 = 86_400.0;

/// Median of the times between neighbours; of two in the middle the shorter, since the longer may be a gap. `None` for a single time.
pub fn usual_interval(times: &[f64]) -> Option<f64> {
    let mut steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len().saturating_sub(1) / 2).copied()
}

/// A date and a time of day, without a calendar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DateTime {
    /// Year; there may be a year 0.
    pub year: i64,
    /// From 1 to 12.
    pub month: u8,
    /// From 1 to 31.
    pub day: u8,
    /// Since midnight UTC \[s\].
    pub seconds: f64,
}

impl DateTime {
    /// Reads `1970-01-01`, `1970-1-1T0:0:0Z`, `1970-01-01 00:00:00.0 +01:00` and the like.
    pub fn parse(text: &str) -> Option<Self> {
        parse_date(text.trim())
    }

    /// The date some seconds later, or before, in the proleptic Gregorian calendar; nothing if this is
    /// no date of it, or centuries away.
    pub fn after(self, seconds: f64) -> Option<Self> {
        let calendar = Calendar::ProlepticGregorian;
        calendar.day_number(self)?;
        let seconds = self.seconds + seconds;
        let days = (seconds / SECONDS_A_DAY).floor();
        if days.is_nan() || days.abs() > MAX_DAYS {
            return None;
        }
        let mut date = Self {
            seconds: seconds - days * SECONDS_A_DAY,
            ..self
        };
        let mut day = i64::from(self.day) + days as i64;
        while day < 1 {
            (date.year, date.month) = match date.month {
                1 => (date.year - 1, 12),
                month => (date.year, month - 1),
            };
            day += i64::from(calendar.month_length(date.year, date.month));
        }
        loop {
            let length = i64::from(calendar.month_length(date.year, date.month));
            if day <= length {
                date.day = day as u8;
                return Some(date);
            }
            day -= length;
            (date.year, date.month) = match date.month {
                12 => (date.year + 1, 1),
                month => (date.year, month + 1),
            };
        }
    }
}

/// Days by which a date is moved at most: a thousand years.
const MAX_DAYS: f64 = 365_243.0;

impl fmt::Display for DateTime {
    /// As in ISO 8601, to the millisecond where there is a fraction: `2008-02-01T06:30:00Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            year,
            month,
            day,
            seconds,
        } = *self;
        // A day of 86,400 s has no second 86,400: rounding goes down there.
        let millis = ((seconds * 1000.0).round() as u64).min(86_399_999);
        let (whole, millis) = (millis / 1000, millis % 1000);
        let (hour, minute, second) = (whole / 3600, whole / 60 % 60, whole % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if millis > 0 {
            write!(f, ".{millis:03}")?;
        }
        f.write_str("Z")
    }
}

/// Calendar of the CF conventions: the lengths of years and months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calendar {
    /// Julian until 4 October 1582, then Gregorian.
    Standard,
    /// Gregorian at all times.
    ProlepticGregorian,
    /// Julian at all times.
    Julian,
    /// No leap year.
    NoLeap,
    /// Leap years only.
    AllLeap,
    /// Twelve months of thirty days.
    Days360,
}

impl Calendar {
    /// The calendar of that name in the CF conventions.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "standard" | "gregorian" => Self::Standard,
            "proleptic_gregorian" => Self::ProlepticGregorian,
            "julian" => Self::Julian,
            "noleap" | "365_day" => Self::NoLeap,
            "all_leap" | "366_day" => Self::AllLeap,
            "360_day" => Self::Days360,
            _ => return None,
        })
    }

    /// Its name in the CF conventions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::ProlepticGregorian => "proleptic_gregorian",
            Self::Julian => "julian",
            Self::NoLeap => "noleap",
            Self::AllLeap => "all_leap",
            Self::Days360 => "360_day",
        }
    }

    /// The number of a day, counted from some day of this calendar; nothing if it has no such day.
    pub fn day_number(self, date: DateTime) -> Option<i64> {
        let DateTime {
            year, month, day, ..
        } = date;
        let is_month = (1..=12).contains(&month);
        if !is_month || day < 1 || day > self.month_length(year, month) {
            return None;
        }
        let day_of_year = (1..month)
            .map(|month| i64::from(self.month_length(year, month)))
            .sum::<i64>()
            + i64::from(day)
            - 1;
        Some(match self {
            Self::Days360 => 360 * year + day_of_year,
            Self::NoLeap => 365 * year + day_of_year,
            Self::AllLeap => 366 * year + day_of_year,
            Self::ProlepticGregorian => gregorian_new_year(year) + day_of_year,
            Self::Standard if (year, month, day) >= (1582, 10, 15) => {
                gregorian_new_year(year) + i64::from(gregorian_day(year, month, day))
            }
            Self::Standard if (year, month, day) > (1582, 10, 4) => return None,
            Self::Standard | Self::Julian => julian_new_year(year) + day_of_year,
        })
    }

    fn month_length(self, year: i64, month: u8) -> u8 {
        let leap = match self {
            Self::Days360 => return 30,
            Self::NoLeap => false,
            Self::AllLeap => true,
            Self::Julian => year.rem_euclid(4) == 0,
            Self::Standard if year < 1583 => year.rem_euclid(4) == 0,
            Self::Standard | Self::ProlepticGregorian => is_gregorian_leap(year),
        };
        month_length(month, leap)
    }
}

fn month_length(month: u8, leap: bool) -> u8 {
    match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_gregorian_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

/// Day of the year, from 0.
fn gregorian_day(year: i64, month: u8, day: u8) -> u16 {
    let leap = is_gregorian_leap(year);
    let months = (1..month).map(|month| u16::from(month_length(month, leap)));
    months.sum::<u16>() + u16::from(day) - 1
}

/// Number of 1 January; day 0 is 1 January of the year 0 of the Gregorian calendar.
fn gregorian_new_year(year: i64) -> i64 {
    let before = year - 1;
    365 * year + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) + 1
}

/// Days until the start of a year of the Julian calendar: its 5 October 1582 is the Gregorian 15 October.
fn julian_new_year(year: i64) -> i64 {
    365 * year + (year - 1).div_euclid(4) + 1 - 2
}

/// `seconds`, `hours`, `days` … since a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeUnits {
    /// Seconds in one of the unit.
    pub unit: f64,
    /// Date of time zero.
    pub origin: DateTime,
}

impl TimeUnits {
    /// Reads `hours since 1900-01-01 00:00:00 +00:00` and the like.
    pub fn parse(text: &str) -> Option<Self> {
        let (unit, date) = text.trim().split_once(" since ")?;
        let unit = match unit.trim().to_ascii_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => SECONDS_A_DAY,
            _ => return None,
        };
        Some(Self {
            unit,
            origin: DateTime::parse(date)?,
        })
    }
}

fn parse_date(text: &str) -> Option<DateTime> {
    let end = text.find([' ', 'T', 't']).unwrap_or(text.len());
    let (date, rest) = (
        &text[..end],
        text[end..].trim_start_matches(['T', 't']).trim(),
    );
    let (sign, digits) = match date.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, date),
    };
    let mut parts = digits.split('-');
    let year = sign * parts.next()?.parse::<u32>().ok().map(i64::from)?;
    let month = parts.next()?.parse().ok()?;
    let day = parts.next()?.parse().ok()?;
    if parts.next().is_some() {
        return None;
    }
    let zone_at = rest
        .find(['Z', 'z', 'U', 'u', '+', '-', ' '])
        .unwrap_or(rest.len());
    let seconds = parse_clock(&rest[..zone_at])? - parse_zone(rest[zone_at..].trim())?;
    Some(DateTime {
        year,
        month,
        day,
        seconds,
    })
}

/// `06:30:15.5` in seconds; nothing written is midnight.
fn parse_clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    let mut parts = text.split(':');
    for (unit, limit) in [(3600.0, 24.0), (60.0, 60.0), (1.0, 61.0)] {
        let Some(part) = parts.next().filter(|part| !part.is_empty()) else {
            break;
        };
        let is_number = part
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value: f64 = part.parse().ok().filter(|_| is_number)?;
        if value >= limit {
            return None;
        }
        seconds += unit * value;
    }
    parts.next().is_none().then_some(seconds)
}

/// `Z`, `UTC`, `+01:00`, `-0330`, `+1` in seconds.
fn parse_zone(text: &str) -> Option<f64> {
    let upper = text.to_ascii_uppercase();
    if matches!(upper.as_str(), "" | "Z" | "UTC" | "GMT") {
        return Some(0.0);
    }
    let (sign, digits) = match upper.as_bytes()[0] {
        b'+' => (1.0, &upper[1..]),
        b'-' => (-1.0, &upper[1..]),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 && digits.is_ascii() => digits.split_at(2),
        None => (digits, "0"),
    };
    let hours: u8 = hours.parse().ok().filter(|&hours| hours < 24)?;
    let minutes: u8 = minutes.parse().ok().filter(|&minutes| minutes < 60)?;
    Some(sign * (3600.0 * f64::from(hours) + 60.0 * f64::from(minutes)))
}

#[cfg(test)]
mod tests;
