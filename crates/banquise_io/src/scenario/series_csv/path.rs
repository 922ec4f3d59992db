//! A path from a CSV file: where a ship is, row by row.

use banquise::Waypoint;
use banquise_geometry::DVec2;

use super::{Cell, CsvError, Dimension, Gaps, TIME_NAMES, find_column, names_of, read_rows};

/// Reads waypoints: columns `time` or `t`, `x`, `y` and, where it is there, `heading`; else the heading is
/// `heading` \[rad\] all the way.
///
/// # Errors
///
/// [`CsvError`], with the line and the column.
pub fn read_path(text: &str, heading: f64) -> Result<Vec<Waypoint>, CsvError> {
    let place = |header: &[Cell<'_>]| {
        Ok([
            find_column(header, None, TIME_NAMES, Dimension::Time, None)?,
            find_column(header, None, &["x"], Dimension::Length, None)?,
            find_column(header, None, &["y"], Dimension::Length, None)?,
        ])
    };
    let mut has_heading = false;
    let places = read_rows(text, Gaps::Refused, |header, _| {
        has_heading = header.iter().any(|cell| names_of(cell.text).2 == "heading");
        place(header)
    })?;
    let waypoint = |[time, x, y]: [f64; 3]| Waypoint {
        time,
        position: DVec2::new(x, y),
        heading,
    };
    let mut waypoints: Vec<Waypoint> = places.into_iter().map(waypoint).collect();
    if has_heading {
        let headings = read_rows(text, Gaps::Refused, |header, _| {
            let time = find_column(header, None, TIME_NAMES, Dimension::Time, None)?;
            let heading = find_column(header, None, &["heading"], Dimension::Angle, None)?;
            Ok([time, heading])
        })?;
        for (waypoint, [_, heading]) in waypoints.iter_mut().zip(headings) {
            waypoint.heading = heading;
        }
    }
    Ok(waypoints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_heading_of_its_own_or_the_one_given() {
        let plain = read_path("t_h,x [km],y_m\n0,1,2\n1,2,3\n", 0.5).unwrap();
        assert_eq!(plain[1].time, 3600.0);
        assert_eq!(plain[0].position, DVec2::new(1000.0, 2.0));
        assert_eq!((plain[0].heading, plain[1].heading), (0.5, 0.5));
        let text = "time [s],heading [deg],x [m],y [m]\n0,0,1,2\n1,180,2,3\n";
        let turned = read_path(text, 0.5).unwrap();
        assert_eq!(
            (turned[0].heading, turned[1].heading),
            (0.0, std::f64::consts::PI)
        );
    }

    #[test]
    fn lengths_are_not_speeds() {
        let error = read_path("t [s],x [m/s],y [m]\n0,1,2\n", 0.0).unwrap_err();
        assert!(matches!(error, CsvError::WrongUnit { .. }), "{error}");
        let error = read_path("t [s],x [m],y [m],heading\n0,1,2,3\n", 0.0).unwrap_err();
        assert!(
            matches!(error, CsvError::MissingUnit { example: "deg", .. }),
            "{error}"
        );
    }
}
