//! The track of a buoy or a tracker: dates, places or velocities, and winds, with gaps.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use banquise_geometry::DVec2;

use super::{
    Cell, Column, CsvError, DATE_NAMES, Dimension, Factor, Gaps, SeriesColumns, TIME_NAMES,
    X_NAMES, Y_NAMES, content_lines, find_column, find_dates, is_called, names_of, read_rows,
    seconds_between, split,
};
use crate::geography::LonLat;
use crate::weather::calendar::{DateTime, SECONDS_A_DAY, usual_interval};

/// Names of columns that tell buoys apart.
const BUOY_NAMES: &[&str] = &["buoy", "buoy_id", "buoyid", "id", "name"];
const YEAR_NAMES: &[&str] = &["year"];
/// Days of the year; those of places before those of other values.
const DAY_NAMES: &[&str] = &["pos_doy", "doy", "day_of_year"];
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
    /// Time over which the velocity is a mean, centred on `time` \[s\]: between two places; zero where velocities are given.
    pub span: f64,
    /// Where east and north are meant: half-way between two places.
    pub place: LonLat,
    /// Velocity, eastward and northward [m/s].
    pub velocity: DVec2,
    /// Wind at 10 m, eastward and northward [m/s].
    pub wind: DVec2,
}

/// The track of one buoy.
#[derive(Debug, Clone, PartialEq)]
pub struct BuoyTrack {
    /// Its name in the column `buoy`; empty in a table without one.
    pub name: String,
    /// Its rows, or why they cannot be read.
    pub rows: Result<Vec<TrackRow>, CsvError>,
}

/// Which columns a track has.
struct Columns {
    time: TimeColumn,
    buoy: Option<usize>,
    velocity: Option<[Column; 2]>,
    latitude: Option<Column>,
    longitude: Option<Column>,
    wind: [Option<Column>; 2],
}

/// How a track tells the time.
enum TimeColumn {
    /// In one column.
    One(Column),
    /// As a year and a day of it with its fraction, 1.0 at the start of the year, from a date on.
    YearAndDay([usize; 2], DateTime),
}

/// The rows of the only buoy of a table, or of that of a name.
///
/// # Errors
/// [`CsvError::WhichBuoy`], or why the rows of that buoy cannot be read.
pub fn choose_track(tracks: &[BuoyTrack], buoy: Option<&str>) -> Result<Vec<TrackRow>, CsvError> {
    let chosen = match (buoy, tracks) {
        (None, [only]) => Some(only),
        (Some(name), _) => tracks.iter().find(|track| track.name == name),
        (None, _) => None,
    };
    match chosen {
        Some(track) => track.rows.clone(),
        None => Err(CsvError::WhichBuoy {
            wanted: buoy.map(str::to_owned),
            known: tracks
                .iter()
                .map(|track| track.name.clone())
                .filter(|name| !name.is_empty())
                .collect(),
        }),
    }
}

/// Reads the tracks of all buoys of a table, in the order of their names: `time` or dates, which count from `start`; `u` and `v`, or else `longitude` and
/// `latitude`, whose differences give the velocity half-way between; where they are there, `u_wind` and `v_wind`. Units are in the header, as in series of wind;
/// angles without one are in degrees.
///
/// # Errors
/// [`CsvError`] of the table; what is wrong with the rows of a buoy is in its track.
pub fn read_tracks(text: &str, start: Option<DateTime>) -> Result<Vec<BuoyTrack>, CsvError> {
    let mut lines = content_lines(text);
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
    let name = |fields: &[Cell<'_>]| {
        columns
            .buoy
            .map_or("", |column| fields[column].text)
            .to_owned()
    };
    let mut of_buoys: BTreeMap<String, Vec<Vec<Cell<'_>>>> = BTreeMap::new();
    for fields in table {
        of_buoys.entry(name(&fields)).or_default().push(fields);
    }
    let tracks = of_buoys.into_iter();
    Ok(tracks
        .map(|(name, table)| BuoyTrack {
            name,
            rows: read_buoy(&columns, &table),
        })
        .collect())
}

/// Reads the places at which the values of a series were taken, with their times \[s\]; none where the table has no longitudes and latitudes.
///
/// # Errors
/// [`CsvError`], with the line and the column.
pub fn read_places(
    text: &str,
    columns: &SeriesColumns<'_>,
) -> Result<Vec<(f64, LonLat)>, CsvError> {
    let header = content_lines(text).next().ok_or(CsvError::Empty)?;
    let separator = if header.0.contains(';') { ';' } else { ',' };
    let header = split(header.0, header.1, separator)?;
    let angle = |names| optional(&header, names, Dimension::Angle);
    let (Some(longitude), Some(latitude)) = (angle(LONGITUDE_NAMES)?, angle(LATITUDE_NAMES)?)
    else {
        return Ok(Vec::new());
    };
    let rows = read_rows(text, Gaps::LeftOut, |header, first| {
        Ok([columns.find_time(header, first)?, longitude, latitude])
    });
    let place = |[time, longitude, latitude]: [f64; 3]| {
        let place = LonLat {
            longitude,
            latitude,
        };
        (time, place)
    };
    match rows {
        // No row has a place.
        Err(CsvError::NoRows { .. }) => Ok(Vec::new()),
        rows => Ok(rows?.into_iter().map(place).collect()),
    }
}

fn read_buoy(columns: &Columns, table: &[Vec<Cell<'_>>]) -> Result<Vec<TrackRow>, CsvError> {
    let mut rows: Vec<TrackRow> = Vec::new();
    for fields in table {
        let row = read_row(columns, fields)?;
        if rows.last().is_some_and(|before| row.time <= before.time) {
            let cell = fields[columns.time.index()];
            return Err(CsvError::TimeNotIncreasing {
                line: cell.line,
                column: cell.column,
                text: cell.text.to_owned(),
            });
        }
        rows.push(row);
    }
    Ok(match columns.velocity {
        Some(_) => rows,
        None => differences(&rows),
    })
}

fn find_columns(
    header: &[Cell<'_>],
    first: &[Cell<'_>],
    start: Option<DateTime>,
) -> Result<Columns, CsvError> {
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
    Ok(Columns {
        time: TimeColumn::find(header, first, start)?,
        buoy: position(header, BUOY_NAMES),
        velocity,
        latitude,
        longitude,
        wind: [speed(WIND_NAMES[0])?, speed(WIND_NAMES[1])?],
    })
}

/// The column of the first of these names that there is.
fn position(header: &[Cell<'_>], names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| {
        let is_it = |cell: &Cell<'_>| is_called(name, names_of(cell.text).1);
        header.iter().position(is_it)
    })
}

impl TimeColumn {
    fn find(
        header: &[Cell<'_>],
        first: &[Cell<'_>],
        start: Option<DateTime>,
    ) -> Result<Self, CsvError> {
        if let Some(column) = find_dates(header, first, None, start)? {
            return Ok(Self::One(column));
        }
        let parts = [YEAR_NAMES, DAY_NAMES].map(|names| position(header, names));
        if let [Some(year), Some(day)] = parts {
            let Cell { line, column, text } = first[year];
            let text = text.to_owned();
            let start = start.ok_or(CsvError::NoStart { line, column, text })?;
            return Ok(Self::YearAndDay([year, day], start));
        }
        // A column of dates that are written in another way.
        if let Some(index) = position(header, DATE_NAMES) {
            let Cell { line, column, text } = first[index];
            if !text.is_empty() && text.parse::<f64>().is_err() {
                let text = text.to_owned();
                return Err(CsvError::NotADate { line, column, text });
            }
        }
        find_column(header, None, TIME_NAMES, Dimension::Time, None).map(Self::One)
    }

    /// The column that messages name.
    fn index(&self) -> usize {
        match self {
            Self::One(column) => column.index,
            Self::YearAndDay([_, day], _) => *day,
        }
    }

    fn read(&self, fields: &[Cell<'_>]) -> Result<f64, CsvError> {
        match self {
            Self::One(column) => column.read(fields),
            Self::YearAndDay([year, day], start) => {
                let number = |index: usize| {
                    let column = Column {
                        index,
                        factor: Factor::Number(1.0),
                    };
                    column.read(fields)
                };
                let (year, day) = (number(*year)?, number(*day)?);
                let new_year = format!("{year:.0}-01-01");
                let Cell { line, column, text } = fields[self.index()];
                let seconds = seconds_between(*start, &new_year).filter(|_| year.fract() == 0.0);
                let seconds = seconds.filter(|_| (1.0..367.0).contains(&day));
                let text = text.to_owned();
                let seconds = seconds.ok_or(CsvError::NotADate { line, column, text })?;
                Ok(seconds + (day - 1.0) * SECONDS_A_DAY)
            }
        }
    }
}

/// The column of one of these names, if it is there.
fn optional(
    header: &[Cell<'_>],
    names: &[&str],
    dimension: Dimension,
) -> Result<Option<Column>, CsvError> {
    let is_named = |cell: &Cell<'_>| {
        let (_, bare, stem) = names_of(cell.text);
        let is_one = |name: &&str| is_called(name, bare) || is_called(name, stem);
        names.iter().any(is_one)
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

fn read_row(columns: &Columns, fields: &[Cell<'_>]) -> Result<TrackRow, CsvError> {
    let value = |column: &Column| {
        if ["", "nan", "NaN", "NA"].contains(&fields[column.index].text) {
            return Ok(f64::NAN);
        }
        column.read(fields)
    };
    let maybe = |column: &Option<Column>| column.as_ref().map_or(Ok(f64::NAN), value);
    let latitude = maybe(&columns.latitude)?;
    let longitude = maybe(&columns.longitude)?;
    for (column, value, limit) in [
        (&columns.latitude, latitude, 0.5),
        (&columns.longitude, longitude, 2.0),
    ] {
        if let Some(column) = column
            && value.abs() > limit * PI * (1.0 + 1e-12)
        {
            let Cell { line, column, text } = fields[column.index];
            let text = text.to_owned();
            return Err(CsvError::NoPlace { line, column, text });
        }
    }
    let velocity = match &columns.velocity {
        Some([x, y]) => DVec2::new(value(x)?, value(y)?),
        None => DVec2::NAN,
    };
    let [wind_x, wind_y] = &columns.wind;
    Ok(TrackRow {
        time: columns.time.read(fields)?,
        span: 0.0,
        place: LonLat {
            longitude,
            latitude,
        },
        velocity,
        wind: DVec2::new(maybe(wind_x)?, maybe(wind_y)?),
    })
}

/// Velocities half-way between neighbouring places that are not far apart in time.
fn differences(rows: &[TrackRow]) -> Vec<TrackRow> {
    let known: Vec<&TrackRow> = rows.iter().filter(|row| row.place.is_finite()).collect();
    let times: Vec<f64> = known.iter().map(|row| row.time).collect();
    let usual = usual_interval(&times).unwrap_or(0.0);
    let pairs = known.windows(2).map(|pair| (pair[0], pair[1]));
    let near = pairs.filter(|(a, b)| b.time - a.time <= USUAL_STEPS * usual);
    near.map(|(a, b)| {
        let (place, displacement) = a.place.displacement_to(b.place);
        TrackRow {
            time: 0.5 * (a.time + b.time),
            span: b.time - a.time,
            place,
            velocity: displacement / (b.time - a.time),
            wind: 0.5 * (a.wind + b.wind),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_track(
        text: &str,
        start: Option<DateTime>,
        buoy: Option<&str>,
    ) -> Result<Vec<TrackRow>, CsvError> {
        choose_track(&read_tracks(text, start)?, buoy)
    }

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
        assert!((rows[0].place.latitude - 80.005_f64.to_radians()).abs() < 1e-8);
    }

    #[test]
    fn one_of_several_buoys_must_be_chosen() {
        let start = DateTime::parse("2020-01-01");
        for wanted in [None, Some("C")] {
            let error = read_track(PLACES, start, wanted).unwrap_err();
            assert!(error.to_string().contains("A, B"), "{error}");
        }
        let south = read_track(PLACES, start, Some("B")).unwrap();
        assert!(south.len() == 1 && south[0].velocity.x > 0.1 && south[0].place.latitude < 0.0);
        let lone = read_track("time [s],u [m/s],v [m/s]\n0,1,1\n", None, Some("A"));
        assert!(lone.unwrap_err().to_string().contains("buoy"));
    }

    #[test]
    fn years_and_days_of_the_year_are_dates_and_names_have_any_case() {
        let text = "BuoyID;Year;Hour;DOY;POS_DOY;Lat;Lon\n\
                    7;2019;0;365,0;365,5;-70,0;359,99\n7;2019;0;365,0;365,75;-70,0;0,01\n7;2020;0;1,0;1,0;-70,0;0,03\n";
        let rows = read_track(text, DateTime::parse("2020-01-01"), None).unwrap();
        let times: Vec<f64> = rows.iter().map(|row| row.time / 3600.0).collect();
        assert_eq!(times, [-9.0, -3.0]);
        assert!(rows.iter().all(|row| row.span == 21_600.0));
        // A degree of longitude at 70° is 38.19 km (WGS 84), also across Greenwich.
        for row in rows {
            assert!((row.velocity.x * 21_600.0 / 0.02 / 38_188.0 - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn tracks_of_all_buoys_are_read_and_one_that_is_wrong_spoils_no_other() {
        let text = PLACES.replace("B,2020-01-01T01:00:00Z", "B,2019-12-31T01:00:00Z");
        let tracks = read_tracks(&text, DateTime::parse("2020-01-01")).unwrap();
        let names: Vec<&str> = tracks.iter().map(|track| track.name.as_str()).collect();
        assert_eq!(names, ["A", "B"]);
        assert_eq!(tracks[0].rows.as_ref().unwrap().len(), 2);
        assert!(matches!(
            tracks[1].rows,
            Err(CsvError::TimeNotIncreasing { line: 5, .. })
        ));
    }

    #[test]
    fn dates_in_other_ways_and_places_that_are_none_are_refused_by_line() {
        let start = DateTime::parse("2020-01-01");
        for (text, message) in [
            (
                "datetime,lat,lon\n01/02/2020 06:00,80,1\n",
                "line 2, column 1: `01/02/2020 06:00` is not a date",
            ),
            (
                "datetime,lat,lon\n2020-01-01,80,1\n2020-01-02,-999,1\n",
                "line 3, column 12: `-999` is no place on Earth",
            ),
            (
                "year,doy,lat,lon\n2020,367.5,80,1\n",
                "line 2, column 6: `367.5` is not a date",
            ),
            ("time,lat,lon\n12,80,1\n", "`time` has no unit"),
        ] {
            let error = read_track(text, start, None).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        let error = read_track("year,doy,lat,lon\n2020,1,80,1\n", None, None).unwrap_err();
        assert!(error.hint().contains("start ="), "{error}");
    }
}
