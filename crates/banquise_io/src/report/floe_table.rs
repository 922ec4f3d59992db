//! The first floes with their numbers.

use super::tracks::{Track, Tracks};
use super::words::{fitting_unit, significant};
use crate::figure::Table;

/// Rows of the table.
const ROWS: usize = 20;

/// Numbers below this part of the largest of their column are rounding errors.
const COLUMN_ROUNDING: f64 = 1e-12;

/// A column: its heading, unit and number.
type Column = (&'static str, &'static str, fn(&Track) -> f64);

const COLUMNS: [Column; 5] = [
    ("Thickness", "m", |body| body.thickness),
    ("Area", "m²", |body| body.area),
    ("Path", "m", Track::path_length),
    ("Displacement", "m", Track::displacement),
    ("Last speed", "m/s", |body| {
        body.speeds.last().copied().unwrap_or_default()
    }),
];

/// The first floes, each column in the unit that fits its largest number.
pub(super) fn floe_table(tracks: &Tracks) -> Table {
    let bodies = &tracks.bodies[..tracks.bodies.len().min(ROWS)];
    let mut header = vec!["Floe".to_owned()];
    let mut rows: Vec<Vec<String>> = bodies.iter().map(|body| vec![body.label.clone()]).collect();
    for (heading, symbol, read) in COLUMNS {
        let largest = bodies.iter().map(read).fold(0.0, f64::max);
        let (size, unit) = if symbol == "m/s" {
            (1.0, symbol.to_owned())
        } else {
            fitting_unit(largest, symbol)
        };
        header.push(format!("{heading} ({unit})"));
        for (row, body) in rows.iter_mut().zip(bodies) {
            let value = read(body);
            let is_rounding = value.abs() < COLUMN_ROUNDING * largest;
            row.push(significant(if is_rounding { 0.0 } else { value / size }));
        }
    }
    let more = tracks.floe_count.saturating_sub(ROWS);
    Table {
        caption: if more > 0 {
            format!("The first floes; {more} more are in the dataset.")
        } else {
            String::new()
        },
        header,
        rows,
    }
}
