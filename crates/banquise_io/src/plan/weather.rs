//! The `[wind]` and `[current]` tables: a constant vector, or a series in the scenario or a file.

use std::path::Path;

use banquise::VectorSeries;
use banquise_geometry::{DVec2, math};

use super::PlanError;
use super::files::read_text;
use crate::scenario::{
    Dimension, Field, Problem, ProblemKind, SeriesColumns, TableReader, Value, read_series,
};

/// Reads one of the two tables; calm where it is absent.
pub(super) fn decode(
    root: &TableReader<'_>,
    key: &'static str,
    duration: Option<f64>,
    folder: &Path,
) -> Option<VectorSeries> {
    let field = root.optional(key);
    if !field.is_present() {
        return Some(VectorSeries::constant(DVec2::ZERO));
    }
    let table = field.table()?;
    let ramp = table
        .optional("ramp")
        .quantity(Dimension::Time)
        .non_negative()
        .or(0.0);
    let series = if table.has("series") {
        decode_series(&table, ramp, duration, folder)
    } else {
        let vector = decode_vector(&table);
        vector.and_then(|vector| VectorSeries::try_new(&[(0.0, vector)], ramp).ok())
    };
    table.finish();
    series
}

/// `velocity`, or `speed` with a compass bearing `from` or `toward`.
fn decode_vector(table: &TableReader<'_>) -> Option<DVec2> {
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

fn decode_series(
    table: &TableReader<'_>,
    ramp: f64,
    duration: Option<f64>,
    folder: &Path,
) -> Option<VectorSeries> {
    table.exclusive("series", "velocity");
    table.exclusive("series", "speed");
    let field = table.optional("series");
    let span = field.node()?.span;
    let samples = match field.node().map(|node| &node.value) {
        Some(Value::Array(_)) => decode_samples(field),
        _ => decode_file(table, field, folder),
    };
    let problems = table.problems();
    let series = match VectorSeries::try_new(&samples?, ramp) {
        Ok(series) => series,
        Err(error) => {
            let kind = ProblemKind::Rejected {
                what: "the series",
                hint: Some("list one sample or more, each later than the one before".into()),
                source: error.into(),
            };
            problems.push(Problem::new(kind, span));
            return None;
        }
    };
    let (start, end) = series.span();
    let needed = duration?;
    if start > 0.0 {
        problems.push(PlanError::SeriesTooLate { start }.at("the series", span));
    } else if end < needed {
        problems.push(PlanError::SeriesTooShort { end, needed }.at("the series", span));
    }
    Some(series)
}

/// `[{ time = "0 h", velocity = ["1 m/s", "0 m/s"] }, …]`.
fn decode_samples(field: Field<'_>) -> Option<Vec<(f64, DVec2)>> {
    let tables = field.tables();
    let samples: Vec<Option<(f64, DVec2)>> = tables
        .into_iter()
        .map(|sample| {
            let time = sample
                .required_like("time", "`time = \"6 h\"`")
                .quantity(Dimension::Time)
                .get();
            let vector = decode_vector(&sample);
            sample.finish();
            Some((time?, vector?))
        })
        .collect();
    samples.into_iter().collect()
}

/// A CSV file beside the scenario, with `columns = { time = "…", x = "…", y = "…" }` and units
/// where its header does not say.
fn decode_file(
    table: &TableReader<'_>,
    field: Field<'_>,
    folder: &Path,
) -> Option<Vec<(f64, DVec2)>> {
    let file = field.path().spanned();
    let mut columns = SeriesColumns::default();
    if let Some(names) = table.optional("columns").table() {
        columns.time = names.optional("time").text().get();
        columns.x = names.optional("x").text().get();
        columns.y = names.optional("y").text().get();
        names.finish();
    }
    let time_units = [("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];
    columns.time_unit = table.optional("time_unit").choice(&time_units).get();
    let speed_units = [
        ("m/s", 1.0),
        ("cm/s", 0.01),
        ("km/h", 1.0 / 3.6),
        ("kn", 1852.0 / 3600.0),
    ];
    columns.speed_unit = table.optional("speed_unit").choice(&speed_units).get();
    let file = file?;
    let text = read_text(&file, folder, table.problems())?;
    let name = folder.join(&file.value).display().to_string();
    let report = |problem: Problem| table.problems().push(problem);
    match read_series(&text, &columns) {
        Ok(samples) => Some(
            samples
                .iter()
                .map(|s| (s.time, DVec2::new(s.x, s.y)))
                .collect(),
        ),
        Err(error) => {
            let kind = ProblemKind::FileRejected {
                path: name,
                hint: error.hint(),
                source: error.into(),
            };
            report(Problem::new(kind, file.span));
            None
        }
    }
}
