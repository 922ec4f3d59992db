//! From a scenario to a simulation ready to run: the keys a scenario may have, and what they mean.
//!
//! Each table of the file has its function here; every problem is collected with its place, and
//! only a plan without a problem is returned.

mod bodies;
mod channel;
mod contact;
mod edges;
mod error;
mod files;
mod forcing;
mod gridded;
mod import;
mod outlines;
mod pack;
mod pack_plan;
mod paths;
mod patterns;
mod sources;
mod weather;

use std::path::Path;

use banquise::pack::Watch;
use banquise::{
    Bounds, Domain, Meeting, Rectangle, Scheme, Simulation, StepSettings, World, first_meeting,
};
use banquise_geometry::DVec2;

pub use error::PlanError;
use forcing::ForcingPlan;
pub use pack::MadePack;
pub use pack_plan::PackPlan;
use weather::WeatherContext;

use outlines::Site;
use sources::RunTimes;

use crate::geography::{LocalFrame, LonLat};
use crate::recording::ReportSettings;
use crate::scenario::{
    Dimension, Document, Problem, ProblemKind, Problems, ScenarioError, Span, Spanned, TableReader,
};
use crate::weather::calendar::DateTime;

/// Records a run may make: at one number a record this is 80 MB for each variable.
const MAX_RECORDS: usize = 10_000_000;
/// Steps a run may take: a day of work for one floe.
const MAX_STEPS: usize = 1_000_000_000_000;
/// Records of a run whose scenario does not say how many.
const DEFAULT_RECORDS: f64 = 200.0;

/// A run ready to start.
#[derive(Debug)]
pub struct Plan {
    /// Title, from the scenario or its file name.
    pub title: String,
    /// One line for lists of scenarios.
    pub summary: String,
    /// The world and what drives it.
    pub simulation: Simulation,
    /// How long the run lasts \[s\].
    pub duration: f64,
    /// Time between records \[s\].
    pub record_every: f64,
    /// Date of time zero, like `2008-02-01 00:00:00`.
    pub start: Option<String>,
    /// Where the plane touches the Earth, when the scenario says.
    pub origin: Option<LocalFrame>,
    /// What the report looks at.
    pub report: ReportSettings,
    /// The pack that was made for it.
    pub pack: Option<MadePack>,
    /// What the user should hear of, though it is no mistake.
    pub notices: Vec<String>,
}

impl Plan {
    /// Reads a scenario file, with overrides like `time.duration="2 d"`.
    ///
    /// # Errors
    /// All problems of the file, with their places.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ScenarioError> {
        Self::read_watched(path, overrides, &mut |_, _| {})
    }

    /// The same, with `watch` told how the making of a pack goes on.
    ///
    /// # Errors
    /// All problems of the file, with their places.
    pub fn read_watched(
        path: &Path,
        overrides: &[String],
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::decode(Document::read(path, overrides)?, &stem, folder, watch)
    }

    /// Reads the text of a scenario; files it names are looked for in `folder`.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn parse(
        name: &str,
        text: &str,
        overrides: &[String],
        folder: &Path,
    ) -> Result<Self, ScenarioError> {
        Self::parse_watched(name, text, overrides, folder, &mut |_, _| {})
    }

    /// The same, with `watch` told how the making of a pack goes on.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn parse_watched(
        name: &str,
        text: &str,
        overrides: &[String],
        folder: &Path,
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        Self::decode(Document::parse(name, text, overrides)?, name, folder, watch)
    }

    fn decode(
        document: Document,
        name: &str,
        folder: &Path,
        watch: &mut Watch<'_>,
    ) -> Result<Self, ScenarioError> {
        let problems = Problems::default();
        let plan = decode_root(&document, &problems, name, folder, watch);
        let plan = document.conclude(plan, problems)?;
        Ok(plan.expect("a scenario without a problem gives a plan"))
    }
}

/// The `[time]` table.
struct TimePlan {
    duration: Spanned<f64>,
    step: Spanned<f64>,
    record_every: f64,
    scheme: Scheme,
    start: Option<String>,
}

fn decode_root(
    document: &Document,
    problems: &Problems,
    name: &str,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Option<Plan> {
    let root = TableReader::root(document, problems);
    let title = root.optional("title").text().or(name).to_owned();
    let summary = root.optional("summary").text().or("").to_owned();
    let seed = root.optional("seed").integer().non_negative().or(1) as u64;
    let time = root
        .required_like(
            "time",
            "a table `[time]` with `duration = \"2 d\"` and `step = \"10 s\"`",
        )
        .table()
        .and_then(|table| decode_time(table));
    let origin = decode_origin(&root);
    let domain = root.optional("domain");
    let domain = if domain.is_present() {
        domain.table().and_then(decode_domain)
    } else {
        Some(Domain::Free)
    };
    let end = time.as_ref().map(|time| time.duration);
    let duration = end.map(|end| end.value);
    // Bodies are read without their domain too, for the problems they may have of their own.
    let contact = contact::decode(&root);
    let world = World::new(domain.unwrap_or(Domain::Free), seed);
    let site = Site { folder, origin };
    let world = bodies::decode(&root, world, contact.material, site);
    let mut world = world.filter(|_| domain.is_some());
    if world.is_none() {
        // No pack is made round bodies that are refused, but its table is known.
        drop(root.optional("pack"));
        drop(root.optional("source"));
    }
    let pack = world
        .as_mut()
        .and_then(|placed| pack::decode(&root, placed, folder, watch).ok());
    let step = time.as_ref().map(|time| time.step.value);
    let times = RunTimes { step, duration };
    if let Some(placed) = &mut world {
        placed.world.sources = sources::decode(&root, placed, times, folder);
    }
    let start = time.as_ref().and_then(|time| time.start.as_deref());
    let context = WeatherContext {
        duration,
        start: start.and_then(DateTime::parse),
        origin,
        is_periodic: matches!(domain, Some(Domain::Periodic(_))),
        folder,
    };
    let forcing = forcing::decode(&root, world.as_ref().map(|w| &w.world), context);
    let (report, notices) = decode_report(&root, end);
    root.finish();
    if !problems.is_empty() {
        return None;
    }
    let (time, bodies) = (time?, world?);
    let settings = StepSettings {
        scheme: time.scheme,
        contact: contact.settings,
    };
    let ForcingPlan {
        forcing,
        field_spans,
    } = forcing?;
    let simulation = Simulation::new(bodies.world, forcing, settings, time.step.value);
    check_fields(&simulation, field_spans, problems);
    check_simulation(&simulation, &time, &bodies.spans, problems);
    Some(Plan {
        title,
        summary,
        simulation,
        duration: time.duration.value,
        record_every: time.record_every,
        start: time.start,
        origin,
        report,
        pack: pack?,
        notices,
    })
}

fn decode_time(table: TableReader<'_>) -> Option<TimePlan> {
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
    if let Some(every) = &record_every
        && duration / every.value > MAX_RECORDS as f64
    {
        let count = (duration / every.value) as usize;
        let kind = ProblemKind::TooMany {
            what: "records",
            count,
            limit: MAX_RECORDS,
        };
        problems.push(Problem::new(kind, every.span).with_hint("record less often".into()));
    }
    let step = step?;
    if duration / step.value > MAX_STEPS as f64 {
        let kind = ProblemKind::TooMany {
            what: "steps",
            count: (duration / step.value) as usize,
            limit: MAX_STEPS,
        };
        problems.push(Problem::new(kind, step.span).with_hint("take longer steps".into()));
    }
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

/// Some two hundred records, a whole number of steps apart: records shall not cut steps short.
fn default_interval(duration: f64, step: f64) -> f64 {
    step * (duration / DEFAULT_RECORDS / step).ceil().max(1.0)
}

/// `[origin]`: the longitude and latitude of x = y = 0.
fn decode_origin(root: &TableReader<'_>) -> Option<LocalFrame> {
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

fn decode_domain(table: TableReader<'_>) -> Option<Domain> {
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
    let sides = edges::decode_sides(&edges);
    let edges = match sides {
        Some(_) => Some(Edges::Walls),
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
fn decode_report(
    root: &TableReader<'_>,
    duration: Option<Spanned<f64>>,
) -> (ReportSettings, Vec<String>) {
    let end = duration.map_or(f64::INFINITY, |duration| duration.value);
    let (mut report, mut late) = (ReportSettings::default(), 0);
    if let Some(table) = root.optional("report").table() {
        for field in table.optional("snapshots").array() {
            // Whoever cuts a run short on the command line need not set its snapshots too.
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
        report.area = table.optional("area").table().and_then(decode_area);
        table.finish();
    }
    if report.snapshots.is_empty() {
        report.snapshots = (0..4).map(|k| end * f64::from(k) / 3.0).collect();
    }
    let notice = format!("`report.snapshots` after the end of the run are left out: {late}");
    (report, if late > 0 { vec![notice] } else { Vec::new() })
}

/// `area = { corner = ["0 m", "0 m"], size = ["1 km", "1 km"] }`.
fn decode_area(table: TableReader<'_>) -> Option<Rectangle> {
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

/// What only the whole world can tell: the stable step, and bodies that are in each other's way.
fn check_simulation(simulation: &Simulation, time: &TimePlan, spans: &[Span], problems: &Problems) {
    let entering = sources::stable_step(
        &simulation.world.sources,
        &simulation.forcing,
        &simulation.settings,
        time.duration.value,
    );
    let limit = simulation.stable_step(time.duration.value).min(entering);
    if time.step.value > limit {
        let error = PlanError::UnstableStep {
            step: time.step.value,
            limit,
        };
        problems.push(error.at("the step", time.step.span));
    }
    check_meetings(&simulation.world, spans, problems);
}

/// Refuses bodies that are in each other's way.
fn check_meetings(world: &World, spans: &[Span], problems: &Problems) {
    match first_meeting(world) {
        Some(Meeting::Bodies(first, second)) => {
            let error = PlanError::BodiesOverlap {
                first: label(world, first),
                second: label(world, second),
            };
            let problem = error.at("the placement of this body", spans[second]);
            problems.push(if spans[first] == spans[second] {
                problem.with_hint(
                    "they come from one table: enlarge the `spacing` of its `grid`, or mend its \
                     file"
                        .into(),
                )
            } else {
                problem.with_related(spans[first], "the other body")
            });
        }
        Some(Meeting::Wall(row)) => {
            let error = PlanError::BodyOverWall {
                body: label(world, row),
            };
            problems.push(error.at("the placement of this body", spans[row]));
        }
        None => {}
    }
}

/// Refuses a field that has no data for a floe at the start.
fn check_fields(simulation: &Simulation, spans: [Option<Span>; 2], problems: &Problems) {
    let world = &simulation.world;
    let fields: [fn(&Simulation, DVec2) -> DVec2; 2] = [Simulation::wind_at, Simulation::water_at];
    for (span, value_at) in spans.into_iter().zip(fields) {
        let Some(span) = span else {
            continue;
        };
        let place = |row: usize| world.bodies.motions()[row].pose.position;
        let outside = world
            .floe_rows()
            .find(|&row| value_at(simulation, place(row)).is_nan());
        if let Some(row) = outside {
            let error = PlanError::FloeOutsideField {
                floe: label(world, row),
                x: place(row).x,
                y: place(row).y,
            };
            problems.push(error.at("this field", span));
        }
    }
}

/// What to call a body in a message.
fn label(world: &World, row: usize) -> String {
    let name = &world.bodies.names()[row];
    if name.is_empty() {
        world.bodies.ids()[row].to_string()
    } else {
        format!("`{name}`")
    }
}
