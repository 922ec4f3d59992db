//! The `[wind]` and `[current]` tables: a constant vector, or a series in the scenario or a file; and what
//! differs from place to place.

use banquise::{SpatialField, VectorSeries};
use banquise_geometry::DVec2;

use super::files::read_text;
use super::weather_values::{SPEED_UNITS, WeatherContext, decode_vector};
use super::{PlanError, gridded, patterns};
use crate::geography::{LocalFrame, LonLat};
use crate::scenario::{
    Dimension, Field, Problem, ProblemKind, SeriesColumns, Span, TableReader, Value, check_gaps,
    read_places, read_series,
};
use crate::weather::FieldKind;

/// Wind or current: what is the same everywhere, and what is not, with its place in the scenario.
pub(super) struct WeatherPlan {
    pub(super) series: VectorSeries,
    pub(super) field: Option<(SpatialField, Span)>,
}

/// Reads one of the two tables; calm where it is absent.
pub(super) fn decode(
    root: &TableReader<'_>,
    kind: FieldKind,
    context: WeatherContext<'_>,
) -> Option<WeatherPlan> {
    let field = root.optional(match kind {
        FieldKind::Wind => "wind",
        FieldKind::Current => "current",
    });
    if !field.is_present() {
        return Some(WeatherPlan {
            series: VectorSeries::constant(DVec2::ZERO),
            field: None,
        });
    }
    let table = field.table()?;
    let ramp = table
        .optional("ramp")
        .quantity(Dimension::Time)
        .non_negative()
        .or(0.0);
    let patterns = patterns::decode(&table);
    let is_gridded = table.has("file");
    let grid = if is_gridded {
        for key in ["velocity", "speed", "series"] {
            table.exclusive("file", key);
        }
        gridded::decode(&table, kind, context).map(Some)
    } else {
        Some(None)
    };
    let differs = is_gridded || patterns::KEYS.iter().any(|key| table.has(key));
    let is_uniform = ["velocity", "speed", "series"]
        .iter()
        .any(|key| table.has(key));
    let series = if table.has("series") {
        decode_series(&table, kind, ramp, context)
    } else if differs && !is_uniform {
        Some(VectorSeries::constant(DVec2::ZERO))
    } else {
        let vector = decode_vector(&table);
        vector.and_then(|vector| VectorSeries::try_new(&[(0.0, vector)], ramp).ok())
    };
    let span = table.span();
    table.finish();
    let field = SpatialField {
        patterns: patterns?,
        grid: grid?,
        tides: Vec::new(),
        period: context.period,
        ramp,
    };
    Some(WeatherPlan {
        series: series?,
        field: differs.then_some((field, span)),
    })
}

fn decode_series(
    table: &TableReader<'_>,
    kind: FieldKind,
    ramp: f64,
    context: WeatherContext<'_>,
) -> Option<VectorSeries> {
    table.exclusive("series", "velocity");
    table.exclusive("series", "speed");
    let field = table.optional("series");
    let span = field.node()?.span;
    let samples = match field.node().map(|node| &node.value) {
        Some(Value::Array(_)) => decode_samples(field),
        _ => decode_file(table, field, kind, context),
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
    let needed = context.duration?;
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

/// `columns` and `time_unit` of a CSV file.
pub(super) fn decode_columns<'a>(
    table: &TableReader<'a>,
    context: WeatherContext<'_>,
) -> SeriesColumns<'a> {
    let mut columns = SeriesColumns {
        start: context.start,
        ..SeriesColumns::default()
    };
    if let Some(names) = table.optional("columns").table() {
        columns.time = names.optional("time").text().get();
        columns.x = names.optional("x").text().get();
        columns.y = names.optional("y").text().get();
        names.finish();
    }
    let time_units = [("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];
    columns.time_unit = table.optional("time_unit").choice(&time_units).get();
    columns
}

/// A vector that is eastward and northward at the last place before a time, in the plane of the origin; near a pole the two differ by the whole longitude.
fn in_plane(
    origin: Option<LocalFrame>,
    places: &[(f64, LonLat)],
    time: f64,
    vector: DVec2,
) -> DVec2 {
    let after = places.partition_point(|place| place.0 <= time);
    match (origin, places.get(after.saturating_sub(1))) {
        (Some(frame), Some(&(_, place))) => frame.in_plane_at(place, vector),
        _ => vector,
    }
}

/// A CSV file beside the scenario, with `columns = { time = "…", x = "…", y = "…" }` and units
/// where its header does not say.
fn decode_file(
    table: &TableReader<'_>,
    field: Field<'_>,
    kind: FieldKind,
    context: WeatherContext<'_>,
) -> Option<Vec<(f64, DVec2)>> {
    let folder = context.folder;
    let file = field.path().spanned();
    let mut columns = decode_columns(table, context);
    // A table of a buoy has its own velocity too.
    columns.preferred = Some(match kind {
        FieldKind::Wind => ["u_wind", "v_wind"],
        FieldKind::Current => ["u_current", "v_current"],
    });
    columns.speed_unit = table.optional("speed_unit").choice(SPEED_UNITS).get();
    let max_gap = table.optional("max_gap").quantity(Dimension::Time);
    let max_gap = max_gap.positive().get();
    let file = file?;
    let text = read_text(&file, folder, table.problems())?;
    let name = folder.join(&file.value).display().to_string();
    let report = |problem: Problem| table.problems().push(problem);
    let read = read_series(&text, &columns).and_then(|samples| {
        check_gaps(&samples, max_gap)?;
        // Without an origin x is taken as east, wherever that is.
        let places = match context.origin {
            Some(_) => read_places(&text, &columns)?,
            None => Vec::new(),
        };
        Ok((samples, places))
    });
    match read {
        Ok((samples, places)) => Some(
            samples
                .iter()
                .map(|s| {
                    let vector = DVec2::new(s.x, s.y);
                    (s.time, in_plane(context.origin, &places, s.time, vector))
                })
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
