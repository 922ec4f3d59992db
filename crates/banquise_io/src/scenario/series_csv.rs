//! A time series from a CSV file: a velocity, such as the wind of a weather station, or the path of a ship.
//!
//! The first line names the columns, with their units in brackets (`time [h], u [m/s], v [m/s]`)
//! or as a suffix (`time_s,u_wind_mps,v_wind_mps`). A unit is never guessed from anything else. Times may be dates (ISO 8601),
//! which count from the start of the run. Where the header has a semicolon, fields are separated by semicolons, and
//! decimals may have a comma.

mod error;
mod path;
mod track;

pub use error::CsvError;
pub use path::read_path;
pub use track::{BuoyTrack, TrackRow, choose_track, read_places, read_tracks};

use super::text::clip;
use super::units::{Dimension, find_unit};
use crate::weather::calendar::{Calendar, DateTime, usual_interval};

/// Which columns to read. `None` means the usual names.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SeriesColumns<'a> {
    /// Name of the column of times, else `time` or `t`.
    pub time: Option<&'a str>,
    /// Name of the column of the first component, else `u`, `vx`, `u_wind` or `u_current`.
    pub x: Option<&'a str>,
    /// Name of the column of the second component, else `v`, `vy`, `v_wind` or `v_current`.
    pub y: Option<&'a str>,
    /// Seconds in one unit of time \[s\]; it wins over the header.
    pub time_unit: Option<f64>,
    /// Metres per second in one unit of speed \[m s⁻¹\]; it wins over the header.
    pub speed_unit: Option<f64>,
    /// The date of time zero, for times that are dates.
    pub start: Option<DateTime>,
    /// Names of both components that are taken before all others, where the header has them.
    pub preferred: Option<[&'a str; 2]>,
}

/// One row, in SI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesSample {
    /// Time \[s\].
    pub time: f64,
    /// First component \[m s⁻¹\].
    pub x: f64,
    /// Second component \[m s⁻¹\].
    pub y: f64,
}

const TIME_NAMES: &[&str] = &["time", "t"];
/// Names of columns whose times may be dates.
const DATE_NAMES: &[&str] = &["time", "t", "date", "datetime", "valid_time", "time_utc"];
const X_NAMES: &[&str] = &["u", "vx", "u_wind", "u_current"];
const Y_NAMES: &[&str] = &["v", "vy", "v_wind", "v_current"];

/// Suffixes of column names, with the unit each stands for.
const SUFFIXES: &[(&str, &str)] = &[
    ("_s", "s"),
    ("_min", "min"),
    ("_h", "h"),
    ("_d", "d"),
    ("_mps", "m/s"),
    ("_kmh", "km/h"),
    ("_kn", "kn"),
    ("_m", "m"),
    ("_km", "km"),
    ("_deg", "deg"),
    ("_rad", "rad"),
];

/// Reads the rows of a CSV text: commas or semicolons, a header line, `#` comments and blank lines skipped, and rows with an empty value.
///
/// # Errors
///
/// [`CsvError`], with the line and the column.
pub fn read_series(text: &str, columns: &SeriesColumns<'_>) -> Result<Vec<SeriesSample>, CsvError> {
    let SeriesColumns {
        x,
        y,
        speed_unit,
        preferred,
        ..
    } = *columns;
    let rows = read_rows(text, Gaps::LeftOut, |header, first| {
        let has = |name: &&str| {
            header.iter().any(|cell| {
                let (full, bare, stem) = names_of(cell.text);
                [full, bare, stem].contains(name)
            })
        };
        let preferred = preferred.filter(|names| names.iter().all(has));
        let [first_name, second_name] = preferred.map_or([None; 2], |names| names.map(Some));
        Ok([
            columns.find_time(header, first)?,
            find_column(
                header,
                x.or(first_name),
                X_NAMES,
                Dimension::Speed,
                speed_unit,
            )?,
            find_column(
                header,
                y.or(second_name),
                Y_NAMES,
                Dimension::Speed,
                speed_unit,
            )?,
        ])
    })?;
    let sample = |[time, x, y]: [f64; 3]| SeriesSample { time, x, y };
    Ok(rows.into_iter().map(sample).collect())
}

impl SeriesColumns<'_> {
    fn find_time(&self, header: &[Cell<'_>], first: &[Cell<'_>]) -> Result<Column, CsvError> {
        let found = find_dates(header, first, self.time, self.start)?;
        found.map_or_else(
            || {
                find_column(
                    header,
                    self.time,
                    TIME_NAMES,
                    Dimension::Time,
                    self.time_unit,
                )
            },
            Ok,
        )
    }
}

/// Times farther apart than so many usual ones are a gap.
const USUAL_GAPS: f64 = 2.0;

/// Refuses rows so far apart in time that some between them must be missing: farther than `max_gap` \[s\], or than twice the
/// usual time, the median.
///
/// # Errors
///
/// [`CsvError::Gap`].
pub fn check_gaps(samples: &[SeriesSample], max_gap: Option<f64>) -> Result<(), CsvError> {
    let times: Vec<f64> = samples.iter().map(|sample| sample.time).collect();
    let usual = usual_interval(&times).unwrap_or(0.0);
    let limit = max_gap.unwrap_or(USUAL_GAPS * usual) * (1.0 + 1e-6);
    match samples
        .windows(2)
        .find(|pair| pair[1].time - pair[0].time > limit)
    {
        None => Ok(()),
        Some(pair) => Err(CsvError::Gap {
            from: pair[0].time,
            to: pair[1].time,
            usual,
        }),
    }
}

/// Reads a column of times and one other, as (time \[s\], value in SI): the one called one of `names`, of
/// `dimension`, its unit in brackets in the header.
///
/// # Errors
///
/// [`CsvError`], with the line and the column.
pub fn read_scalar_series(
    text: &str,
    names: &[&str],
    dimension: Dimension,
) -> Result<Vec<[f64; 2]>, CsvError> {
    read_rows(text, Gaps::Refused, |header, _| {
        Ok([
            find_column(header, None, TIME_NAMES, Dimension::Time, None)?,
            find_column(header, None, names, dimension, None)?,
        ])
    })
}

/// What a row without a value in one of its cells is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    /// An error.
    Refused,
    /// A gap in time: the row counts as missing.
    LeftOut,
}

/// Reads the columns that `choose` finds in the header and the first row, in SI. The first of them is the time, which
/// must grow.
fn read_rows<const N: usize>(
    text: &str,
    gaps: Gaps,
    choose: impl FnOnce(&[Cell<'_>], &[Cell<'_>]) -> Result<[Column; N], CsvError>,
) -> Result<Vec<[f64; N]>, CsvError> {
    let mut lines = content_lines(text);
    let (header, header_line) = lines.next().ok_or(CsvError::Empty)?;
    let separator = if header.contains(';') { ';' } else { ',' };
    let header = split(header, header_line, separator)?;
    let mut lines = lines.peekable();
    let first = lines.peek().map(|&(row, line)| split(row, line, separator));
    let columns = choose(&header, &first.transpose()?.unwrap_or_default())?;
    let mut rows: Vec<[f64; N]> = Vec::new();
    for (row, line) in lines {
        let fields = split(row, line, separator)?;
        if fields.len() != header.len() {
            return Err(CsvError::FieldCount {
                line,
                expected: header.len(),
                found: fields.len(),
            });
        }
        if gaps == Gaps::LeftOut
            && columns
                .iter()
                .skip(1)
                .any(|column| fields[column.index].text.is_empty())
        {
            continue;
        }
        let mut values = [0.0; N];
        for (value, column) in values.iter_mut().zip(&columns) {
            *value = column.read(&fields)?;
        }
        if rows.last().is_some_and(|before| values[0] <= before[0]) {
            let Cell { line, column, text } = fields[columns[0].index];
            return Err(CsvError::TimeNotIncreasing {
                line,
                column,
                text: text.to_owned(),
            });
        }
        rows.push(values);
    }
    if rows.is_empty() {
        Err(CsvError::NoRows { line: header_line })
    } else {
        Ok(rows)
    }
}

/// The lines with their numbers, without blank ones and comments.
fn content_lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().zip(1..).filter(|(row, _)| {
        let row = row.trim();
        !row.is_empty() && !row.starts_with('#')
    })
}

/// One field of a line, without the space around it.
#[derive(Debug, Clone, Copy)]
struct Cell<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

/// A column to read, and the factor to SI.
struct Column {
    index: usize,
    factor: Factor,
}

/// The factor to SI, from the caller or from a unit.
#[derive(Clone, Copy)]
enum Factor {
    Number(f64),
    Unit(super::units::Unit),
    /// Dates, as seconds from this one.
    Since(DateTime),
}

impl Column {
    fn read(&self, fields: &[Cell<'_>]) -> Result<f64, CsvError> {
        let Cell { line, column, text } = fields[self.index];
        if let Factor::Since(start) = self.factor {
            return seconds_between(start, text).ok_or_else(|| CsvError::NotADate {
                line,
                column,
                text: text.to_owned(),
            });
        }
        let text = || text.to_owned();
        // A comma within a field, which semicolons separate from others, is a decimal comma.
        let Ok(number) = fields[self.index].text.replace(',', ".").parse::<f64>() else {
            return Err(CsvError::NotANumber {
                line,
                column,
                text: text(),
            });
        };
        let value = match self.factor {
            Factor::Number(factor) => number * factor,
            Factor::Unit(unit) => unit.to_si(number),
            Factor::Since(_) => unreachable!("dates were read before"),
        };
        if value.is_finite() {
            Ok(value)
        } else {
            Err(CsvError::NotFinite {
                line,
                column,
                text: text(),
            })
        }
    }
}

/// Seconds from a date to the one written, in the calendar of today.
fn seconds_between(start: DateTime, text: &str) -> Option<f64> {
    let date = DateTime::parse(text)?;
    let day = |date| Calendar::ProlepticGregorian.day_number(date);
    let days = day(date)? - day(start)?;
    Some(days as f64 * 86_400.0 + (date.seconds - start.seconds))
}

/// The column of times, if the first row has a date there.
fn find_dates(
    header: &[Cell<'_>],
    first: &[Cell<'_>],
    name: Option<&str>,
    start: Option<DateTime>,
) -> Result<Option<Column>, CsvError> {
    let is_date = |cell: &Cell<'_>| DateTime::parse(cell.text).is_some();
    let is_number_of_time = |(head, cell): (&Cell<'_>, &Cell<'_>)| {
        TIME_NAMES.contains(&names_of(head.text).2) && !is_date(cell)
    };
    // A table may have both, as our own of records has.
    if name.is_none() && header.iter().zip(first).any(is_number_of_time) {
        return Ok(None);
    }
    let is_dates = |(head, cell): (&Cell<'_>, &Cell<'_>)| {
        let (full, bare, _) = names_of(head.text);
        let is_named = match name {
            Some(name) => name == full || name == bare,
            None => DATE_NAMES.iter().any(|name| is_called(name, bare)),
        };
        is_named && is_date(cell)
    };
    let Some(index) = header.iter().zip(first).position(is_dates) else {
        return Ok(None);
    };
    let Cell { line, column, text } = first[index];
    let start = start.ok_or_else(|| CsvError::NoStart {
        line,
        column,
        text: text.to_owned(),
    })?;
    let factor = Factor::Since(start);
    Ok(Some(Column { index, factor }))
}

fn split(row: &str, line: usize, separator: char) -> Result<Vec<Cell<'_>>, CsvError> {
    let mut cells = Vec::new();
    let mut column = 1;
    for field in row.split(separator) {
        if let Some((before, _)) = field.split_once(['"', '\'']) {
            return Err(CsvError::Quote {
                line,
                column: column + before.chars().count(),
            });
        }
        let text = field.trim();
        let space = field.len() - field.trim_start().len();
        cells.push(Cell {
            line,
            column: column + field[..space].chars().count(),
            text,
        });
        column += field.chars().count() + 1;
    }
    Ok(cells)
}

/// The one column called `name`, or else by one of `names`.
fn find_column(
    header: &[Cell<'_>],
    name: Option<&str>,
    names: &[&str],
    dimension: Dimension,
    given: Option<f64>,
) -> Result<Column, CsvError> {
    let names = name.as_ref().map_or(names, std::slice::from_ref);
    let matches: Vec<usize> = (0..header.len())
        .filter(|&index| {
            let (full, bare, stem) = names_of(header[index].text);
            names
                .iter()
                .any(|name| [full, bare, stem].iter().any(|text| is_called(name, text)))
        })
        .collect();
    let line = header[0].line;
    let texts = |list: &[usize]| list.iter().map(|&at| header[at].text.to_owned()).collect();
    match matches[..] {
        [index] => Ok(Column {
            index,
            factor: factor_of(header[index], dimension, given)?,
        }),
        [] => {
            let all: Vec<usize> = (0..header.len()).collect();
            Err(CsvError::MissingColumn {
                line,
                wanted: either(names),
                present: texts(&all),
            })
        }
        _ => {
            let found = texts(&matches);
            Err(CsvError::AmbiguousColumn {
                line,
                wanted: either(names),
                found,
            })
        }
    }
}

/// Whether a column has a name, whatever its case; letters alone mean other things as capitals, such as T.
fn is_called(name: &str, text: &str) -> bool {
    if name.len() == 1 {
        name == text
    } else {
        name.eq_ignore_ascii_case(text)
    }
}

/// A column name as it is, without its brackets, and without its unit suffix.
fn names_of(text: &str) -> (&str, &str, &str) {
    let bare = text
        .split_once('[')
        .map_or(text, |(before, _)| before)
        .trim();
    let stem = SUFFIXES
        .iter()
        .find_map(|(suffix, _)| bare.strip_suffix(suffix))
        .unwrap_or(bare);
    (text, bare, stem)
}

fn factor_of(cell: Cell<'_>, dimension: Dimension, given: Option<f64>) -> Result<Factor, CsvError> {
    if let Some(factor) = given {
        return Ok(Factor::Number(factor));
    }
    let Cell { line, column, text } = cell;
    let in_brackets = text
        .split_once('[')
        .map(|(_, after)| after.trim_end_matches(']').trim());
    let by_suffix = || {
        SUFFIXES
            .iter()
            .find(|(suffix, _)| text.ends_with(suffix))
            .map(|pair| pair.1)
    };
    let Some(name) = in_brackets.or_else(by_suffix) else {
        let example = match dimension {
            Dimension::Time => "h",
            Dimension::Length => "m",
            Dimension::Angle => "deg",
            Dimension::LineForce => "MN/m",
            Dimension::SurfaceEnergy => "J/m^2",
            _ => "m/s",
        };
        return Err(CsvError::MissingUnit {
            line,
            column,
            text: text.to_owned(),
            example,
        });
    };
    match find_unit(name) {
        Some(unit) if unit.dimension == dimension => Ok(Factor::Unit(unit)),
        _ => Err(CsvError::WrongUnit {
            line,
            column,
            text: name.to_owned(),
            wanted: dimension,
        }),
    }
}

fn either(names: &[&str]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", clip(name)))
        .collect();
    quoted.join(" or ")
}

#[cfg(test)]
mod tests;
