//! Common parts of the tables of wind and current: their context, vectors and units.

use std::path::Path;

use banquise::Rectangle;
use banquise_geometry::{DVec2, math};

use crate::geography::LocalFrame;
use crate::scenario::{Dimension, Problem, ProblemKind, TableReader};
use crate::weather::calendar::DateTime;

/// Units of the speeds of a file.
pub(super) const SPEED_UNITS: &[(&str, f64)] = &[
    ("m/s", 1.0),
    ("cm/s", 0.01),
    ("km/h", 1.0 / 3.6),
    ("kn", 1852.0 / 3600.0),
];

/// Values elsewhere in the scenario that a table of weather may depend on.
#[derive(Clone, Copy)]
pub(super) struct WeatherContext<'a> {
    pub(super) duration: Option<f64>,
    pub(super) start: Option<DateTime>,
    pub(super) origin: Option<LocalFrame>,
    /// The rectangle of a periodic domain.
    pub(super) period: Option<Rectangle>,
    pub(super) folder: &'a Path,
}

/// `velocity`, or `speed` with a compass bearing `from` or `toward`.
pub(super) fn decode_vector(table: &TableReader<'_>) -> Option<DVec2> {
    table.exclusive("velocity", "speed");
    table.exclusive("from", "toward");
    if !table.has("speed") {
        return table
            .required_like(
                "velocity",
                "`velocity = [\"5 m/s\", \"0 m/s\"]`, or a `speed` and a bearing",
            )
            .vector(Dimension::Speed)
            .get()
            .map(DVec2::from);
    }
    let speed = table
        .optional("speed")
        .quantity(Dimension::Speed)
        .non_negative()
        .get();
    let from = table.optional("from").quantity(Dimension::Angle).get();
    let toward = table.optional("toward").quantity(Dimension::Angle).get();
    if !table.has("from") && !table.has("toward") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "from",
        };
        let hint = "give a compass bearing, `from = \"270 deg\"` (west) or `toward = \"90 deg\"`";
        table
            .problems()
            .push(Problem::new(kind, table.span()).with_hint(hint.to_owned()));
    }
    // A bearing turns clockwise from north.
    let bearing = toward.or(from)?;
    let (sin, cos) = math::sin_cos(bearing);
    let toward_unit = DVec2::new(sin, cos);
    Some(if toward.is_some() {
        speed? * toward_unit
    } else {
        -speed? * toward_unit
    })
}
