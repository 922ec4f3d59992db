//! The track of a buoy or a tracker: dates, places, velocities and winds, with gaps.

use banquise_geometry::DVec2;

use super::{
    Column, CsvError, Dimension, TIME_NAMES, X_NAMES, Y_NAMES, content_lines, find_column,
    find_dates, split,
};
use crate::weather::calendar::DateTime;

/// One row of a track, in SI; NaN where a cell is empty or a column is not there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackRow {
    /// Time of the run \[s\].
    pub time: f64,
    /// Latitude \[rad\].
    pub latitude: f64,
    /// Velocity, eastward and northward [m/s].
    pub velocity: DVec2,
    /// Wind at 10 m, eastward and northward [m/s].
    pub wind: DVec2,
}

/// Reads a track: `time` or dates, which count from `start`; `u` and `v`; where they are there, `latitude`, and `u_wind` and `v_wind`. Units are in
/// the header, as in series of wind.
///
/// # Errors
/// [`CsvError`], with the line and the column.
pub fn read_track(text: &str, start: Option<DateTime>) -> Result<Vec<TrackRow>, CsvError> {
    let mut lines = content_lines(text).peekable();
    let (header, header_line) = lines.next().ok_or(CsvError::Empty)?;
    let separator = if header.contains(';') { ';' } else { ',' };
    let header = split(header, header_line, separator)?;
    let first = lines.peek().map(|&(row, line)| split(row, line, separator));
    let first = first.transpose()?.unwrap_or_default();
    let time = match find_dates(&header, &first, None, start)? {
        Some(column) => column,
        None => find_column(&header, None, TIME_NAMES, Dimension::Time, None)?,
    };
    let needed = |names: &[&str]| find_column(&header, None, names, Dimension::Speed, None);
    let [x, y] = [needed(&X_NAMES[..2])?, needed(&Y_NAMES[..2])?];
    let optional = |name: &'static str, dimension| {
        let is_there = header
            .iter()
            .any(|cell| super::names_of(cell.text).1 == name);
        is_there
            .then(|| find_column(&header, Some(name), &[], dimension, None))
            .transpose()
    };
    let latitude = optional("latitude", Dimension::Angle)?;
    let wind_x = optional("u_wind", Dimension::Speed)?;
    let wind_y = optional("v_wind", Dimension::Speed)?;
    let mut rows: Vec<TrackRow> = Vec::new();
    for (row, line) in lines {
        let fields = split(row, line, separator)?;
        if fields.len() != header.len() {
            return Err(CsvError::FieldCount {
                line,
                expected: header.len(),
                found: fields.len(),
            });
        }
        let value = |column: &Column| {
            if fields[column.index].text.is_empty() {
                return Ok(f64::NAN);
            }
            column.read(&fields)
        };
        let maybe = |column: &Option<Column>| column.as_ref().map_or(Ok(f64::NAN), value);
        let row = TrackRow {
            time: time.read(&fields)?,
            latitude: maybe(&latitude)?,
            velocity: DVec2::new(value(&x)?, value(&y)?),
            wind: DVec2::new(maybe(&wind_x)?, maybe(&wind_y)?),
        };
        if rows.last().is_some_and(|before| row.time <= before.time) {
            let cell = fields[time.index];
            return Err(CsvError::TimeNotIncreasing {
                line,
                column: cell.column,
                text: cell.text.to_owned(),
            });
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(CsvError::NoRows { line: header_line });
    }
    Ok(rows)
}
