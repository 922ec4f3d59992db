//! The `[[tide]]` tables: one ellipse everywhere, or ellipses on a grid.

use banquise::units::HOUR;
use banquise::{GriddedTide, TidalConstituent};

use super::PlanError;
use super::files::read;
use super::weather_values::{SPEED_UNITS, WeatherContext};
use crate::scenario::{Dimension, Problem, ProblemKind, Span, TableReader};
use crate::weather::{Directions, Gaps, TideRequest, TideVariables, read_tide};

/// Keys of an ellipse that is the same everywhere.
const ELLIPSE: [&str; 5] = ["major", "minor", "turn", "inclination", "phase"];
/// Names in `variables`: of ellipses, of components.
const ELLIPSE_VARIABLES: [&str; 4] = ["major", "minor", "inclination", "phase"];
const COMPONENT_VARIABLES: [&str; 4] = ["x_amplitude", "x_phase", "y_amplitude", "y_phase"];

/// All constituents.
#[derive(Debug, Default)]
pub(super) struct TidePlan {
    pub(super) uniform: Vec<TidalConstituent>,
    /// Those on grids, with their places in the scenario.
    pub(super) gridded: Vec<(GriddedTide, Span)>,
}

/// Reads all constituents; nothing if one of them is refused.
pub(super) fn decode(root: &TableReader<'_>, context: WeatherContext<'_>) -> Option<TidePlan> {
    let mut plan = Some(TidePlan::default());
    for table in root.optional("tide").tables() {
        let span = table.span();
        let period = decode_period(&table);
        let argument = table
            .optional("argument")
            .quantity(Dimension::Angle)
            .or(0.0);
        if table.has("file") {
            let tide = decode_gridded(&table, period, argument, context);
            keep(&mut plan, tide.map(|tide| (tide, span)), |plan| {
                &mut plan.gridded
            });
        } else {
            let tide = decode_ellipse(&table, period, argument);
            keep(&mut plan, tide, |plan| &mut plan.uniform);
        }
        table.finish();
    }
    plan
}

/// Adds what was read to its list, or gives up the plan.
fn keep<T>(
    plan: &mut Option<TidePlan>,
    tide: Option<T>,
    list: impl Fn(&mut TidePlan) -> &mut Vec<T>,
) {
    match (plan.as_mut(), tide) {
        (Some(plan), Some(tide)) => list(plan).push(tide),
        _ => *plan = None,
    }
}

fn decode_period(table: &TableReader<'_>) -> Option<f64> {
    table.exclusive("constituent", "period");
    let known = TidalConstituent::KNOWN.map(|(name, hours)| (name, hours * HOUR));
    let named = table.optional("constituent").choice(&known).get();
    let period = table.optional("period").quantity(Dimension::Time);
    let period = period.positive().get();
    if !table.has("constituent") && !table.has("period") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "constituent",
        };
        let hint = "give `constituent = \"M2\"`, or `period = \"12.42 h\"`".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
    }
    named.or(period)
}

fn decode_ellipse(
    table: &TableReader<'_>,
    period: Option<f64>,
    argument: f64,
) -> Option<TidalConstituent> {
    let major = table.required_like(
        "major",
        "`major = \"20 cm/s\"`, or `file = \"…\"` for ellipses on a grid",
    );
    let major = major.quantity(Dimension::Speed).non_negative().get();
    let reach = major.unwrap_or(f64::INFINITY);
    let minor = table.optional("minor").quantity(Dimension::Speed);
    let minor = minor
        .non_negative()
        .check("at most `major`", |&minor| minor <= reach)
        .or(0.0);
    let turns = [("left", 1.0), ("right", -1.0)];
    let turn = table.optional("turn").choice(&turns).or(1.0);
    let angle = |key| table.optional(key).quantity(Dimension::Angle).or(0.0);
    let (inclination, phase) = (angle("inclination"), angle("phase"));
    Some(TidalConstituent {
        period: period?,
        major: major?,
        minor: turn * minor,
        inclination,
        phase: phase - argument,
    })
}

fn decode_gridded(
    table: &TableReader<'_>,
    period: Option<f64>,
    argument: f64,
    context: WeatherContext<'_>,
) -> Option<GriddedTide> {
    for key in ELLIPSE {
        table.exclusive("file", key);
    }
    let file = table.optional("file").path().spanned();
    let variables = decode_variables(table);
    let directions = [
        ("geographic", Directions::Geographic),
        ("grid", Directions::Grid),
    ];
    let directions = table.optional("directions").choice(&directions);
    let directions = directions.or(Directions::Geographic);
    let speed_unit = table.optional("speed_unit").choice(SPEED_UNITS).get();
    let angle_units = [("deg", 1.0_f64.to_radians()), ("rad", 1.0)];
    let angle_unit = table.optional("angle_unit").choice(&angle_units).get();
    let level = table.optional("level").integer().non_negative().get();
    let gaps = [("refuse", Gaps::Refuse), ("nearest", Gaps::Nearest)];
    let gaps = table.optional("gaps").choice(&gaps).or(Gaps::default());
    let (file, problems) = (file?, table.problems());
    if context.origin.is_none() {
        problems.push(PlanError::NoOrigin.at("this file", file.span));
    }
    read(&file, context.folder, problems, |path| {
        std::fs::File::open(path)
    })?;
    let request = TideRequest {
        period: period?,
        variables: variables?,
        directions,
        speed_unit,
        angle_unit,
        level: level.map(|level| level as usize),
        gaps,
        argument,
        frame: context.origin?,
    };
    let path = context.folder.join(&file.value);
    match read_tide(&path, &request) {
        Ok(tide) => Some(tide),
        Err(error) => {
            let kind = ProblemKind::FileRejected {
                path: path.display().to_string(),
                hint: error.hint(),
                source: error.into(),
            };
            problems.push(Problem::new(kind, file.span));
            None
        }
    }
}

/// `variables = { major = "…", minor = "…", inclination = "…", phase = "…" }`, or amplitudes and phases of both components.
fn decode_variables<'a>(table: &TableReader<'a>) -> Option<TideVariables<'a>> {
    let like = "`variables = { major = \"…\", minor = \"…\", inclination = \"…\", phase = \"…\" }`, or `x_amplitude`, `x_phase`, `y_amplitude` and `y_phase`";
    let names = table.required_like("variables", like).table()?;
    let are_components = COMPONENT_VARIABLES.iter().any(|key| names.has(key));
    let keys = if are_components {
        COMPONENT_VARIABLES
    } else {
        ELLIPSE_VARIABLES
    };
    let found = keys.map(|key| {
        let example = format!("`{key} = \"…\"`, a variable of the file");
        names.required_like(key, &example).text().get()
    });
    names.finish();
    let [Some(a), Some(b), Some(c), Some(d)] = found else {
        return None;
    };
    Some(if are_components {
        TideVariables::Components([a, b, c, d])
    } else {
        TideVariables::Ellipse([a, b, c, d])
    })
}
