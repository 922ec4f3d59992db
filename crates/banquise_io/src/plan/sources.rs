//! The `[[source]]` tables: where floes enter in the run, when, and which.

use std::path::Path;

use banquise::pack::{NORMAL_CUT, SizeLaw, ThicknessLaw};
use banquise::{
    BodyKind, BodySpec, Domain, Forcing, Rectangle, Simulation, Source, SourceError,
    SourceSettings, StepSettings, Thickness, Velocity, World,
};
use banquise_geometry::{Disc, Pose, Rotation, Shape};

use super::body_list::BodyList;
use super::contact::decode_material;
use super::pack::{decode_rectangle, decode_shapes, decode_thickness};
use crate::scenario::{Dimension, Problem, ProblemKind, Span, Spanned, TableReader};

/// Floes that a source may try to place in one step.
const MAX_FLOES_A_STEP: usize = 1000;
/// Floes that may come out of a source in a run: each has a column in the recording.
const MAX_FLOES: usize = 1_000_000;
/// Sources of a world.
const MAX_SOURCES: usize = 1000;

/// Step and duration of the run \[s\], as far as they are known.
#[derive(Clone, Copy, Default)]
pub(super) struct RunTimes {
    pub(super) step: Option<f64>,
    pub(super) duration: Option<f64>,
}

/// The sources of a scenario. What is wrong is reported.
pub(super) fn decode(
    root: &TableReader<'_>,
    bodies: &BodyList,
    times: RunTimes,
    folder: &Path,
) -> Vec<Source> {
    let tables = root.optional("source").tables();
    if tables.len() > MAX_SOURCES {
        let kind = ProblemKind::TooMany {
            what: "sources",
            count: tables.len(),
            limit: MAX_SOURCES,
        };
        let problem = Problem::new(kind, tables[MAX_SOURCES].span());
        let hint = "one source with a wide region does for many".to_owned();
        root.problems().push(problem.with_hint(hint));
    }
    tables
        .into_iter()
        .take(MAX_SOURCES)
        .filter_map(|table| decode_source(table, bodies, times, folder))
        .collect()
}

fn decode_source(
    table: TableReader<'_>,
    bodies: &BodyList,
    times: RunTimes,
    folder: &Path,
) -> Option<Source> {
    let region = decode_region(&table, bodies.domain);
    let interval = table
        .required_like("interval", "`interval = \"10 min\"`")
        .quantity(Dimension::Time)
        .positive()
        .spanned();
    let start = table.optional("start").quantity(Dimension::Time);
    let start = start.non_negative().or(0.0);
    let sizes = decode_sizes(&table);
    let shapes = decode_shapes(&table, folder);
    let thickness = decode_thickness(&table, bodies.defaults.thickness);
    let velocity = table
        .optional("velocity")
        .vector(Dimension::Speed)
        .or([0.0, 0.0]);
    let material = decode_material(&table, bodies.defaults.material);
    let (span, problems) = (table.span(), table.problems());
    table.finish();
    let interval = interval?;
    for problem in too_many(&interval, times) {
        problems.push(problem);
    }
    let settings = SourceSettings {
        region: region?,
        start,
        interval: interval.value,
        shapes: shapes?,
        sizes: sizes?,
        thickness: thickness?,
        material,
        velocity: Velocity {
            linear: velocity.into(),
            angular: 0.0,
        },
    };
    Source::try_new(settings)
        .map_err(|error| problems.push(rejected(error, span)))
        .ok()
}

fn rejected(error: SourceError, span: Span) -> Problem {
    let kind = ProblemKind::Rejected {
        what: "the source",
        hint: Some("give it a region, an interval and sizes that are positive".to_owned()),
        source: error.into(),
    };
    Problem::new(kind, span)
}

/// Where the floes enter. It must be inside the edges: what enters beyond an open edge would leave at once.
fn decode_region(table: &TableReader<'_>, domain: Domain) -> Option<Rectangle> {
    let example = "`region = { corner = [\"0 m\", \"0 m\"], size = [\"1 km\", \"10 km\"] }`";
    let field = table.required_like("region", example);
    let region = decode_rectangle(field.clone().table()?)?;
    if let Domain::Bounded(bounds) = domain {
        let Rectangle { min, max } = bounds.rectangle;
        if !(region.min.cmpge(min).all() && region.max.cmple(max).all()) {
            field.report(ProblemKind::OutOfRange {
                key: field.key_path(),
                value: format!("from {} m to {} m", region.min, region.max),
                requirement: "inside the edges of the domain",
            });
            return None;
        }
    }
    Some(region)
}

/// `min_size`, `max_size` and `exponent`, as in `[pack]`; sizes are of one kind where `max_size` is not given.
fn decode_sizes(table: &TableReader<'_>) -> Option<SizeLaw> {
    let min_size = table
        .required_like("min_size", "`min_size = \"50 m\"`")
        .quantity(Dimension::Length)
        .positive()
        .get();
    let max_size = table.optional("max_size").quantity(Dimension::Length);
    let max_size = max_size.positive().check("at least `min_size`", |&max| {
        min_size.is_none_or(|min| min <= max)
    });
    let max_size = max_size.get();
    let exponent = if max_size > min_size {
        table.required_like("exponent", "`exponent = 1.5`")
    } else {
        table.optional("exponent")
    };
    let exponent = exponent
        .number()
        .check("between 0 and 10", |e| *e > 0.0 && *e <= 10.0)
        .get();
    let min_size = min_size?;
    let max_size = max_size.unwrap_or(min_size);
    if max_size > min_size && exponent.is_none() {
        return None;
    }
    Some(SizeLaw {
        count: 1,
        min_size,
        max_size,
        exponent: exponent.unwrap_or(1.0),
    })
}

/// Error of an interval so short that a step, or the run, would not end.
fn too_many(interval: &Spanned<f64>, times: RunTimes) -> Vec<Problem> {
    let mut problems = Vec::new();
    let limits = [
        ("floes a step", times.step, MAX_FLOES_A_STEP),
        ("floes from one source", times.duration, MAX_FLOES),
    ];
    for (what, time, limit) in limits {
        let Some(time) = time.filter(|time| time / interval.value > limit as f64) else {
            continue;
        };
        let kind = ProblemKind::TooMany {
            what,
            count: (time / interval.value) as usize,
            limit,
        };
        let hint = format!(
            "let at least {} s pass from one floe to the next",
            time / limit as f64
        );
        problems.push(Problem::new(kind, interval.span).with_hint(hint));
    }
    problems
}

/// The longest stable step of the floes that will enter \[s\]: the thinnest of them decides.
pub(super) fn stable_step(
    sources: &[Source],
    forcing: &Forcing,
    settings: &StepSettings,
    duration: f64,
) -> f64 {
    let mut world = World::new(Domain::Free, 0);
    for source in sources.iter().map(Source::settings) {
        let Ok(disc) = Disc::try_new(source.sizes.min_size) else {
            continue;
        };
        let spec = BodySpec {
            name: String::new(),
            kind: BodyKind::Floe,
            shape: Shape::Disc(disc),
            pose: Pose {
                position: 0.5 * (source.region.min + source.region.max),
                rotation: Rotation::IDENTITY,
            },
            velocity: source.velocity,
            thickness: Thickness::Uniform(least(&source.thickness)),
            material: source.material,
            mass: None,
            inertia: None,
        };
        // A floe that cannot be made has no step of its own; the source was checked before.
        drop(world.add(spec));
    }
    Simulation::new(world, forcing.clone(), *settings, duration).stable_step(duration)
}

/// The least thickness of a law \[m\].
fn least(law: &ThicknessLaw) -> f64 {
    let least_of = |rows: &[[f64; 2]]| rows.iter().map(|row| row[1]).fold(f64::INFINITY, f64::min);
    match law {
        ThicknessLaw::Constant(thickness) => *thickness,
        ThicknessLaw::Uniform { from, to } => from.min(*to),
        ThicknessLaw::Normal { mean, deviation } => mean - NORMAL_CUT * deviation,
        ThicknessLaw::BySize(rows) | ThicknessLaw::Shares(rows) => least_of(rows),
    }
}
