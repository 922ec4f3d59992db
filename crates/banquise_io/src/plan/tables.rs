//! The `[time]`, `[origin]`, `[domain]` and `[report]` tables.

use banquise::{Bounds, CollisionLogSettings, Domain, Integrator, Rectangle, Scheme};
use banquise_geometry::DVec2;

use super::edges::{decode_sides, report_side_word};
use crate::geography::{LocalFrame, LonLat};
use crate::recording::ReportSettings;
use crate::scenario::{Dimension, Problem, ProblemKind, Problems, Spanned, TableReader, Value};

/// Records a run may make: at one number a record this is 80 MB for each variable.
const MAX_RECORDS: usize = 10_000_000;
/// Steps a run may take: a day of work for one floe.
const MAX_STEPS: usize = 1_000_000_000_000;
/// Records of a run whose scenario does not say how many.
const DEFAULT_RECORDS: f64 = 200.0;

/// The `[time]` table.
#[derive(Debug)]
pub(super) struct TimePlan {
    pub(super) duration: Spanned<f64>,
    pub(super) step: Spanned<f64>,
    pub(super) record_every: f64,
    pub(super) scheme: Scheme,
    pub(super) start: Option<String>,
}

pub(super) fn decode_time(table: TableReader<'_>) -> Option<TimePlan> {
    let duration = table
        .required_like("duration", "`duration = \"2 d\"`")
        .quantity(Dimension::Time)
        .positive()
        .spanned();
    let step = table
        .required_like("step", "`step = \"10 s\"`")
        .quantity(Dimension::Time)
        .positive()
        .spanned();
    let record_every = table
        .optional("record_every")
        .quantity(Dimension::Time)
        .positive()
        .spanned();
    let scheme = table
        .optional("scheme")
        .choice(&[("splitting", Scheme::Splitting), ("euler", Scheme::Euler)])
        .or(Scheme::default());
    let start = table
        .optional("start")
        .datetime()
        .check("a date with a time of day", |date| {
            date.date.is_some() && date.time.is_some()
        });
    let start = start.get().map(|date| date.to_string().replace('T', " "));
    let problems = table.problems();
    table.finish();
    let end = duration?;
    let duration = end.value;
    let every = record_every.as_ref();
    check_counts(duration, every, step.as_ref(), problems);
    let step = step?;
    let record_every = record_every.map_or_else(
        || default_interval(duration, step.value),
        |every| every.value,
    );
    Some(TimePlan {
        duration: end,
        step,
        record_every,
        scheme,
        start,
    })
}

/// Refuses more records or steps than a run may have.
fn check_counts(
    duration: f64,
    record_every: Option<&Spanned<f64>>,
    step: Option<&Spanned<f64>>,
    problems: &Problems,
) {
    let counted = [
        (record_every, "records", MAX_RECORDS, "record less often"),
        (step, "steps", MAX_STEPS, "take longer steps"),
    ];
    for (interval, what, limit, hint) in counted {
        let Some(interval) = interval else {
            continue;
        };
        let count = duration / interval.value;
        if count > limit as f64 {
            let count = count as usize;
            let kind = ProblemKind::TooMany { what, count, limit };
            problems.push(Problem::new(kind, interval.span).with_hint(hint.into()));
        }
    }
}

/// Some two hundred records, a whole number of steps apart: records shall not cut steps short.
fn default_interval(duration: f64, step: f64) -> f64 {
    step * (duration / DEFAULT_RECORDS / step).ceil().max(1.0)
}

/// `[origin]`: the longitude and latitude of x = y = 0.
pub(super) fn decode_origin(root: &TableReader<'_>) -> Option<LocalFrame> {
    let table = root.optional("origin").table()?;
    let longitude = table
        .required_like("longitude", "`longitude = \"61.9 degW\"`")
        .quantity(Dimension::Longitude)
        .get();
    let latitude = table
        .required_like("latitude", "`latitude = \"81.9 degN\"`")
        .quantity(Dimension::Latitude)
        .get();
    table.finish();
    Some(LocalFrame::new(LonLat {
        longitude: longitude?,
        latitude: latitude?,
    }))
}

pub(super) fn decode_domain(table: TableReader<'_>) -> Option<Domain> {
    #[derive(Clone, Copy, PartialEq)]
    enum Edges {
        Free,
        Walls,
        Periodic,
    }
    let choices = [
        ("free", Edges::Free),
        ("walls", Edges::Walls),
        ("periodic", Edges::Periodic),
    ];
    let edges = table.required_like("edges", "`edges = \"free\"`, `\"walls\"` or `\"periodic\"`");
    let sides = decode_sides(&edges);
    let edges = match sides {
        Some(_) => Some(Edges::Walls),
        None if report_side_word(&edges, &choices.map(|(word, _)| word)) => None,
        None => edges.choice(&choices).get(),
    };
    let corner = table
        .optional("corner")
        .vector(Dimension::Length)
        .or([0.0, 0.0]);
    let size = match edges {
        Some(Edges::Free) | None => table.optional("size"),
        Some(Edges::Walls | Edges::Periodic) => {
            table.required_like("size", "`size = [\"20 km\", \"10 km\"]`")
        }
    };
    let size = size
        .vector(Dimension::Length)
        .check("two positive lengths", |size| {
            size.iter().all(|&side| side > 0.0)
        })
        .get();
    table.finish();
    let min = DVec2::from(corner);
    let rectangle = |size: [f64; 2]| Rectangle {
        min,
        max: min + DVec2::from(size),
    };
    match edges? {
        Edges::Free => Some(Domain::Free),
        Edges::Walls => Some(Domain::Bounded(Bounds {
            rectangle: rectangle(size?),
            open: sides.unwrap_or_default(),
        })),
        Edges::Periodic => Some(Domain::Periodic(rectangle(size?))),
    }
}

/// The `[report]` table; four snapshots, from start to end, where none are given.
pub(super) fn decode_report(
    root: &TableReader<'_>,
    duration: Option<Spanned<f64>>,
    integrator: Integrator,
) -> (ReportSettings, Vec<String>) {
    let end = duration.map_or(f64::INFINITY, |duration| duration.value);
    let (mut report, mut late) = (ReportSettings::default(), 0);
    let mut notices = Vec::new();
    if let Some(table) = root.optional("report").table() {
        for field in table.optional("snapshots").array() {
            // An override of the duration need not be followed by one of the snapshots.
            let is_cut = duration.is_some_and(|duration| duration.span.source != 0)
                && field.node().is_some_and(|node| node.span.source == 0);
            let last = if is_cut { f64::INFINITY } else { end };
            let time = field
                .quantity(Dimension::Time)
                .check("within the run", |time| (0.0..=last).contains(time));
            match time.get() {
                Some(time) if time > end => late += 1,
                Some(time) => report.snapshots.push(time),
                None => {}
            }
        }
        let window = table.optional("time_window").quantity(Dimension::Time);
        report.time_window = window.positive().get();
        report.compress = table.optional("compress").boolean().or(false);
        report.shard = table.optional("shard").boolean().or(false);
        report.contact_forces = table.optional("contact_forces").boolean().or(false);
        report.collisions = decode_collisions(&table);
        if report.contact_forces && integrator == Integrator::Event {
            report.contact_forces = false;
            notices.push(
                "`report.contact_forces` is for `integrator = \"stepping\"`: no forces of contacts are recorded".to_owned(),
            );
        }
        report.area = table.optional("area").table().and_then(decode_area);
        table.finish();
    }
    if report.snapshots.is_empty() {
        report.snapshots = (0..4).map(|k| end * f64::from(k) / 3.0).collect();
    }
    if late > 0 {
        notices.push(format!(
            "`report.snapshots` after the end of the run are left out: {late}"
        ));
    }
    (report, notices)
}

/// `collisions = true`, or a table of what the log keeps.
fn decode_collisions(report: &TableReader<'_>) -> Option<CollisionLogSettings> {
    let whole = CollisionLogSettings::default();
    let field = report.optional("collisions");
    let is_table = matches!(
        field.node().map(|node| &node.value),
        Some(Value::Table(_)) | None
    );
    if !is_table {
        return field.boolean().or(false).then_some(whole);
    }
    let table = field.table()?;
    let count = |key, default: u64| {
        let count = table.optional(key).integer().positive();
        count.get().map_or(default, |count| count as u64)
    };
    let speed = table.optional("min_approach_speed");
    let impulse = table.optional("min_impulse");
    let settings = CollisionLogSettings {
        every: count("every", whole.every),
        min_approach_speed: speed
            .quantity(Dimension::Speed)
            .non_negative()
            .or(whole.min_approach_speed),
        min_impulse: impulse
            .quantity(Dimension::Impulse)
            .non_negative()
            .or(whole.min_impulse),
        sustained: table.optional("sustained").boolean().or(whole.sustained),
        max_rows: count("max_rows", whole.max_rows),
    };
    table.finish();
    Some(settings)
}

/// `area = { corner = ["0 m", "0 m"], size = ["1 km", "1 km"] }`.
pub(super) fn decode_area(table: TableReader<'_>) -> Option<Rectangle> {
    let corner = table
        .optional("corner")
        .vector(Dimension::Length)
        .or([0.0, 0.0]);
    let size = table
        .required_like("size", "`size = [\"20 km\", \"10 km\"]`")
        .vector(Dimension::Length)
        .check("two positive lengths", |size| {
            size.iter().all(|&side| side > 0.0)
        })
        .get();
    table.finish();
    let min = DVec2::from(corner);
    size.map(|size| Rectangle {
        min,
        max: min + DVec2::from(size),
    })
}
