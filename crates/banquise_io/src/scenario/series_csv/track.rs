//! The track of a buoy or a tracker: dates, places or velocities, and winds, with gaps.

use banquise_geometry::DVec2;

use super::{
    Cell, Column, CsvError, Dimension, TIME_NAMES, X_NAMES, Y_NAMES, content_lines, find_column,
    find_dates, names_of, split,
};
use crate::geography::{LocalFrame, LonLat};
use crate::weather::calendar::DateTime;

/// Names of columns that tell buoys apart.
const BUOY_NAMES: &[&str] = &["buoy", "buoy_id", "id", "name"];
const LATITUDE_NAMES: &[&str] = &["latitude", "lat"];
const LONGITUDE_NAMES: &[&str] = &["longitude", "lon"];
const WIND_NAMES: [&[&str]; 2] = [&["u_wind", "u10"], &["v_wind", "v10"]];
/// Places farther apart in time than so many usual ones give no velocity.
const USUAL_STEPS: f64 = 2.0;

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

/// Which columns a track has.
struct Columns {
    time: Column,
    buoy: Option<usize>,
    velocity: Option<[Column; 2]>,
    latitude: Option<Column>,
    longitude: Option<Column>,
    wind: [Option<Column>; 2],
}

/// Reads a track: `time` or dates, which count from `start`; `u` and `v`, or else `longitude` and `latitude`, whose differences give the velocity
/// half-way between; where they are there, `u_wind` and `v_wind`. Units are in the header, as in series of wind; angles without one are in degrees.
/// Of a table of several buoys, that of the name `buoy`.
///
/// # Errors
/// [`CsvError`], with the line and the column.
pub fn read_track(
    text: &str,
    start: Option<DateTime>,
    buoy: Option<&str>,
) -> Result<Vec<TrackRow>, CsvError> {
    let mut lines = content_lines(text).peekable();
    let (header, header_line) = lines.next().ok_or(CsvError::Empty)?;
    let separator = if header.contains(';') { ';' } else { ',' };
    let header = split(header, header_line, separator)?;
    let mut table = Vec::new();
    for (row, line) in lines {
        let fields = split(row, line, separator)?;
        if fields.len() != header.len() {
            return Err(CsvError::FieldCount {
                line,
                expected: header.len(),
                found: fields.len(),
            });
        }
        table.push(fields);
    }
    if table.is_empty() {
        return Err(CsvError::NoRows { line: header_line });
    }
    let columns = find_columns(&header, &table[0], start)?;
    keep_buoy(&mut table, &header, columns.buoy, buoy)?;
    let mut rows: Vec<(TrackRow, LonLat)> = Vec::new();
    for fields in &table {
        let row = read_row(&columns, fields)?;
        if rows
            .last()
            .is_some_and(|before| row.0.time <= before.0.time)
        {
            let cell = fields[columns.time.index];
            return Err(CsvError::TimeNotIncreasing {
                line: cell.line,
                column: cell.column,
                text: cell.text.to_owned(),
            });
        }
        rows.push(row);
    }
    Ok(match columns.velocity {
        Some(_) => rows.into_iter().map(|row| row.0).collect(),
        None => differences(&rows),
    })
}

fn find_columns(
    header: &[Cell<'_>],
    first: &[Cell<'_>],
    start: Option<DateTime>,
) -> Result<Columns, CsvError> {
    let time = match find_dates(header, first, None, start)? {
        Some(column) => column,
        None => find_column(header, None, TIME_NAMES, Dimension::Time, None)?,
    };
    let speed = |names| optional(header, names, Dimension::Speed);
    let latitude = optional(header, LATITUDE_NAMES, Dimension::Angle)?;
    let longitude = optional(header, LONGITUDE_NAMES, Dimension::Angle)?;
    let velocity = match (speed(&X_NAMES[..2])?, speed(&Y_NAMES[..2])?) {
        (Some(x), Some(y)) => Some([x, y]),
        _ if latitude.is_some() && longitude.is_some() => None,
        _ => {
            return Err(CsvError::MissingColumn {
                line: header[0].line,
                wanted: "`u` and `v`, or `longitude` and `latitude`".to_owned(),
                present: header.iter().map(|cell| cell.text.to_owned()).collect(),
            });
        }
    };
    let is_buoy = |cell: &Cell<'_>| BUOY_NAMES.contains(&cell.text.to_ascii_lowercase().as_str());
    Ok(Columns {
        time,
        buoy: header.iter().position(is_buoy),
        velocity,
        latitude,
        longitude,
        wind: [speed(WIND_NAMES[0])?, speed(WIND_NAMES[1])?],
    })
}

/// The column of one of these names, if it is there.
fn optional(
    header: &[Cell<'_>],
    names: &[&str],
    dimension: Dimension,
) -> Result<Option<Column>, CsvError> {
    let is_named = |cell: &Cell<'_>| {
        let (_, bare, stem) = names_of(cell.text);
        names.contains(&bare) || names.contains(&stem)
    };
    if !header.iter().any(is_named) {
        return Ok(None);
    }
    match find_column(header, None, names, dimension, None) {
        Err(CsvError::MissingUnit { .. }) if dimension == Dimension::Angle => {
            let degrees = Some(1.0_f64.to_radians());
            find_column(header, None, names, dimension, degrees).map(Some)
        }
        found => found.map(Some),
    }
}

/// Leaves the rows of one buoy.
fn keep_buoy(
    table: &mut Vec<Vec<Cell<'_>>>,
    header: &[Cell<'_>],
    column: Option<usize>,
    wanted: Option<&str>,
) -> Result<(), CsvError> {
    let Some(column) = column else {
        return wanted.map_or(Ok(()), |_| {
            Err(CsvError::MissingColumn {
                line: header[0].line,
                wanted: "`buoy`".to_owned(),
                present: header.iter().map(|cell| cell.text.to_owned()).collect(),
            })
        });
    };
    let mut known: Vec<&str> = table.iter().map(|fields| fields[column].text).collect();
    known.sort_unstable();
    known.dedup();
    let buoy = match wanted {
        None if known.len() == 1 => return Ok(()),
        Some(name) if known.contains(&name) => name,
        _ => {
            return Err(CsvError::WhichBuoy {
                wanted: wanted.map(str::to_owned),
                known: known.into_iter().map(str::to_owned).collect(),
            });
        }
    };
    table.retain(|fields| fields[column].text == buoy);
    Ok(())
}

/// One row, and its place.
fn read_row(columns: &Columns, fields: &[Cell<'_>]) -> Result<(TrackRow, LonLat), CsvError> {
    let value = |column: &Column| {
        if ["", "nan", "NaN", "NA"].contains(&fields[column.index].text) {
            return Ok(f64::NAN);
        }
        column.read(fields)
    };
    let maybe = |column: &Option<Column>| column.as_ref().map_or(Ok(f64::NAN), value);
    let latitude = maybe(&columns.latitude)?;
    let longitude = maybe(&columns.longitude)?;
    let velocity = match &columns.velocity {
        Some([x, y]) => DVec2::new(value(x)?, value(y)?),
        None => DVec2::NAN,
    };
    let [wind_x, wind_y] = &columns.wind;
    let row = TrackRow {
        time: columns.time.read(fields)?,
        latitude,
        velocity,
        wind: DVec2::new(maybe(wind_x)?, maybe(wind_y)?),
    };
    let place = LonLat {
        longitude,
        latitude,
    };
    Ok((row, place))
}

/// Velocities half-way between neighbouring places that are not far apart in time.
fn differences(rows: &[(TrackRow, LonLat)]) -> Vec<TrackRow> {
    let known: Vec<&(TrackRow, LonLat)> = rows
        .iter()
        .filter(|(_, place)| place.longitude.is_finite() && place.latitude.is_finite())
        .collect();
    let mut steps: Vec<f64> = known
        .windows(2)
        .map(|pair| pair[1].0.time - pair[0].0.time)
        .collect();
    steps.sort_by(f64::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    let pairs = known.windows(2).map(|pair| (pair[0], pair[1]));
    let near = pairs.filter(|(a, b)| b.0.time - a.0.time <= USUAL_STEPS * usual);
    near.map(|(a, b)| {
        let frame = LocalFrame::new(a.1);
        TrackRow {
            time: 0.5 * (a.0.time + b.0.time),
            latitude: 0.5 * (a.1.latitude + b.1.latitude),
            velocity: frame.to_plane(b.1) / (b.0.time - a.0.time),
            wind: 0.5 * (a.0.wind + b.0.wind),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: &str = "buoy,time_utc,lat,lon\n\
                          A,2020-01-01T00:00:00Z,80,179.99\n\
                          B,2020-01-01T00:00:00Z,-60,10\n\
                          A,2020-01-01T01:00:00Z,80.01,-179.99\n\
                          B,2020-01-01T01:00:00Z,-60,10.01\n\
                          A,2020-01-01T02:00:00Z,nan,\n\
                          A,2020-01-01T05:00:00Z,80.01,-179.97\n\
                          A,2020-01-01T06:00:00Z,80.02,-179.97\n";

    #[test]
    fn places_give_velocities_half_way_and_none_across_a_gap() {
        let rows = read_track(PLACES, DateTime::parse("2020-01-01"), Some("A")).unwrap();
        let times: Vec<f64> = rows.iter().map(|row| row.time).collect();
        assert_eq!(times, [1800.0, 19_800.0]);
        // A degree of latitude at 80° is 111.66 km; one of longitude there 19.394 km, at the mean latitude (WGS 84).
        let expected = DVec2::new(0.02 * 19_384.0, 0.01 * 111_660.0) / 3600.0;
        assert!((rows[0].velocity - expected).length() < 1e-3 * expected.length());
        assert!((rows[1].velocity.y / expected.y - 1.0).abs() < 1e-4);
        assert!((rows[0].latitude - 80.005_f64.to_radians()).abs() < 1e-12);
    }

    #[test]
    fn one_of_several_buoys_must_be_chosen() {
        let start = DateTime::parse("2020-01-01");
        for wanted in [None, Some("C")] {
            let error = read_track(PLACES, start, wanted).unwrap_err();
            assert!(error.to_string().contains("A, B"), "{error}");
        }
        let south = read_track(PLACES, start, Some("B")).unwrap();
        assert!(south.len() == 1 && south[0].velocity.x > 0.1 && south[0].latitude < 0.0);
        let lone = read_track("time [s],u [m/s],v [m/s]\n0,1,1\n", None, Some("A"));
        assert!(lone.unwrap_err().to_string().contains("buoy"));
    }
}
