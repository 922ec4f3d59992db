//! The `[[force]]` tables: given forces in time and place.

use banquise::{BodyForce, BodyKind, ForceGradient, ForceProfile, Push};
use banquise_geometry::DVec2;

use super::PlanError;
use super::body_list::BodyList;
use super::files::read_text;
use super::tables::decode_area;
use super::weather::decode_columns;
use super::weather_values::WeatherContext;
use crate::scenario::{Dimension, Field, Problem, ProblemKind, TableReader, Value, read_series};

/// One `[[force]]`.
#[derive(Debug)]
pub(super) struct ForcePlan {
    /// Without the bodies it is for.
    pub(super) force: BodyForce,
    /// Names of the floes it is for; none for all.
    pub(super) floes: Vec<String>,
}

/// Reads all given forces; nothing if one of them is refused.
pub(super) fn decode(
    root: &TableReader<'_>,
    bodies: Option<&BodyList>,
    context: WeatherContext<'_>,
) -> Option<Vec<ForcePlan>> {
    let tables = root.optional("force").tables();
    let forces: Vec<Option<ForcePlan>> = tables
        .into_iter()
        .map(|table| decode_force(table, bodies, context))
        .collect();
    forces.into_iter().collect()
}

fn decode_force(
    table: TableReader<'_>,
    bodies: Option<&BodyList>,
    context: WeatherContext<'_>,
) -> Option<ForcePlan> {
    let profile = decode_profile(&table, context);
    let push = decode_push(&table);
    let gradient = decode_gradient(&table, matches!(push, Some(Push::Force(_))));
    let within = table.optional("within").table().and_then(decode_area);
    let from = table.optional("from").quantity(Dimension::Time).or(0.0);
    let until = table
        .optional("until")
        .quantity(Dimension::Time)
        .check("after `from`", |&until| until > from)
        .or(f64::INFINITY);
    let repeat = table
        .optional("repeat")
        .quantity(Dimension::Time)
        .check("at least as long as the window", |&repeat| {
            repeat >= until - from
        })
        .or(f64::INFINITY);
    let floes = decode_floe_names(&table, bodies);
    table.finish();
    Some(ForcePlan {
        force: BodyForce {
            profile: profile?,
            gradient: gradient?,
            within,
            from,
            until,
            repeat,
            ..BodyForce::new(push?)
        },
        floes: floes?,
    })
}

/// `force` or `acceleration`; zero, in newtons, where a series or a gradient says it all.
fn decode_push(table: &TableReader<'_>) -> Option<Push> {
    table.exclusive("acceleration", "force");
    table.exclusive("series", "force");
    table.exclusive("series", "acceleration");
    for key in ["acceleration", "force", "series", "gradient", "period"] {
        table.exclusive(key, "toward");
    }
    if table.has("toward") {
        return decode_toward(table);
    }
    if table.has("force") {
        let force = table.optional("force").vector(Dimension::Force).get();
        return force.map(|force| Push::Force(DVec2::from(force)));
    }
    let kinds = [("force", false), ("acceleration", true)];
    let is_acceleration = table.optional("of").choice(&kinds).or(false);
    if !table.has("acceleration") && (table.has("series") || table.has("gradient")) {
        return Some(if is_acceleration {
            Push::Acceleration(DVec2::ZERO)
        } else {
            Push::Force(DVec2::ZERO)
        });
    }
    let acceleration = table
        .required_like(
            "acceleration",
            "`acceleration = [\"0.1 m/s2\", \"0 m/s2\"]` or `force = [\"5 kN\", \"0 kN\"]`",
        )
        .vector(Dimension::Acceleration)
        .get();
    acceleration.map(|acceleration| Push::Acceleration(DVec2::from(acceleration)))
}

/// `toward = { goal = ["5 m", "0 m"], speed = "1.3 m/s", within = "0.02 s" }`.
fn decode_toward(table: &TableReader<'_>) -> Option<Push> {
    let table = table.optional("toward").table()?;
    let goal = table.required_like("goal", "`goal = [\"5 m\", \"0 m\"]`");
    let goal = goal.vector(Dimension::Length).get();
    let speed = table.required_like("speed", "`speed = \"1.3 m/s\"`");
    let speed = speed.quantity(Dimension::Speed).positive().get();
    let within = table.required_like("within", "`within = \"0.02 s\"`");
    let within = within.quantity(Dimension::Time).positive().get();
    table.finish();
    Some(Push::Toward {
        goal: goal?.into(),
        speed: speed?,
        within: within?,
    })
}

/// How it changes in time: `period` and `phase`, or a `series`.
fn decode_profile(table: &TableReader<'_>, context: WeatherContext<'_>) -> Option<ForceProfile> {
    table.exclusive("series", "period");
    let phase = table.optional("phase").quantity(Dimension::Angle).or(0.0);
    if table.has("period") {
        let period = table.optional("period").quantity(Dimension::Time);
        let period = period.positive().get()?;
        return Some(ForceProfile::Sinusoid { period, phase });
    }
    let series = table.optional("series");
    let Some(node) = series.node() else {
        return Some(ForceProfile::Constant);
    };
    let (span, is_list) = (node.span, matches!(node.value, Value::Array(_)));
    let samples = if is_list {
        decode_samples(series)
    } else {
        decode_file(table, series, context)
    }?;
    let mut pairs = samples.windows(2).enumerate();
    if let Some((index, _)) = pairs.find(|(_, pair)| pair[1].0 <= pair[0].0) {
        let error = PlanError::ForceTimes { index: index + 1 };
        table.problems().push(error.at("the series", span));
        return None;
    }
    Some(ForceProfile::Series(samples))
}

/// `[{ time = "0 s", force = ["1 kN", "0 kN"] }, …]`, or with `acceleration`.
fn decode_samples(field: Field<'_>) -> Option<Vec<(f64, DVec2)>> {
    let decode = |sample: TableReader<'_>| {
        let time = sample.required_like("time", "`time = \"6 h\"`");
        let time = time.quantity(Dimension::Time).get();
        let vector = match decode_push(&sample) {
            Some(Push::Force(vector) | Push::Acceleration(vector)) => Some(vector),
            Some(Push::Toward { .. }) | None => None,
        };
        sample.finish();
        Some((time?, vector?))
    };
    let samples: Vec<Option<(f64, DVec2)>> = field.tables().into_iter().map(decode).collect();
    samples.into_iter().collect()
}

/// Units of forces and accelerations in a file, with their factors; the first is the default.
const FORCE_UNITS: [(&str, f64); 4] = [("N", 1.0), ("kN", 1e3), ("MN", 1e6), ("m/s2", 1.0)];

/// A unit of force or acceleration in the header of a file that is not the one in which it is read.
fn other_unit(text: &str, unit: &str) -> Option<String> {
    let header = text.lines().find(|line| line.contains('['))?;
    let units = header.split('[').skip(1);
    let mut units = units.filter_map(|rest| rest.split(']').next().map(str::trim));
    let other = units.find(|own| *own != unit && FORCE_UNITS.iter().any(|known| known.0 == *own));
    other.map(str::to_owned)
}

/// A CSV file beside the scenario, in newtons or m/s².
fn decode_file(
    table: &TableReader<'_>,
    field: Field<'_>,
    context: WeatherContext<'_>,
) -> Option<Vec<(f64, DVec2)>> {
    let file = field.path().spanned();
    let mut columns = decode_columns(table, context);
    let units = FORCE_UNITS.map(|own| (own.0, own));
    let (unit, factor) = table.optional("unit").choice(&units).or(FORCE_UNITS[0]);
    columns.speed_unit = Some(factor);
    let file = file?;
    let text = read_text(&file, context.folder, table.problems())?;
    if let Some(header) = other_unit(&text, unit) {
        let error = PlanError::ForceUnit { header, unit };
        table.problems().push(error.at("the series", file.span));
        return None;
    }
    match read_series(&text, &columns) {
        Ok(samples) => {
            let samples = samples.iter().map(|s| (s.time, DVec2::new(s.x, s.y)));
            Some(samples.collect())
        }
        Err(error) => {
            let kind = ProblemKind::FileRejected {
                path: context.folder.join(&file.value).display().to_string(),
                hint: error.hint(),
                source: error.into(),
            };
            table.problems().push(Problem::new(kind, file.span));
            None
        }
    }
}

/// `gradient = { center = ["0 m", "0 m"], x = ["-1 kN/m", "0 kN/m"], y = ["0 kN/m", "-1 kN/m"] }`.
#[expect(
    clippy::option_option,
    reason = "refused, absent, present: three answers"
)]
fn decode_gradient(table: &TableReader<'_>, is_force: bool) -> Option<Option<ForceGradient>> {
    let field = table.optional("gradient");
    if !field.is_present() {
        return Some(None);
    }
    let dimension = if is_force {
        Dimension::LineForce
    } else {
        Dimension::SquaredRate
    };
    let gradient = field.table()?;
    let center = gradient.optional("center").vector(Dimension::Length);
    let center = DVec2::from(center.or([0.0, 0.0]));
    let row = |key| {
        let row = gradient.optional(key).vector(dimension);
        DVec2::from(row.or([0.0, 0.0]))
    };
    let rows = [row("x"), row("y")];
    gradient.finish();
    Some(Some(ForceGradient { center, rows }))
}

/// The names of `floes = ["name", …]`; empty for all.
fn decode_floe_names(table: &TableReader<'_>, bodies: Option<&BodyList>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for field in table.optional("floes").array() {
        let Some(Value::Text { text, .. }) = field.node().map(|node| &node.value) else {
            field.text().get()?;
            continue;
        };
        let is_this = |spec: &banquise::BodySpec| spec.kind == BodyKind::Floe && spec.name == *text;
        if !bodies?.bodies.iter().any(|body| is_this(&body.spec)) {
            let error = PlanError::UnknownFloe { name: text.clone() };
            table
                .problems()
                .push(error.at("this name", field.node()?.span));
            return None;
        }
        names.push(text.clone());
    }
    Some(names)
}
