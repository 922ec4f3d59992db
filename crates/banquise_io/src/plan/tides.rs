//! The `[[tide]]` tables: one ellipse everywhere, or ellipses on a grid.

use std::path::PathBuf;

use banquise::units::HOUR;
use banquise::{GriddedTide, TidalConstituent};

use super::PlanError;
use super::files::read;
use super::weather_values::{SPEED_UNITS, WeatherContext};
use crate::scenario::{Dimension, Problem, ProblemKind, Span, Spanned, TableReader};
use crate::weather::calendar::DateTime;
use crate::weather::{
    Directions, Equilibrium, Gaps, TideRequest, TideVariables, equilibrium, read_tide,
};

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

/// Period of a constituent, and its equilibrium at time zero.
#[derive(Debug, Clone, Copy)]
struct Harmonic {
    period: f64,
    equilibrium: Equilibrium,
}

/// Reads all constituents; nothing if one of them is refused.
pub(super) fn decode(root: &TableReader<'_>, context: WeatherContext<'_>) -> Option<TidePlan> {
    let mut plan = Some(TidePlan::default());
    for table in root.optional("tide").tables() {
        let span = table.span();
        if table.has("constituents") {
            let tides = decode_several(&table, context);
            keep(&mut plan, tides, |plan, tides| {
                let with_span = tides.into_iter().map(|tide| (tide, span));
                plan.gridded.extend(with_span);
            });
        } else if table.has("file") {
            let harmonic = decode_harmonic(&table, context.start);
            let tide = GriddedTable::decode(&table, context);
            let tide =
                tide.and_then(|tide| tide.read(&table, harmonic?, [tide.level, None], context));
            keep(&mut plan, tide, |plan, tide| {
                plan.gridded.push((tide, span));
            });
        } else {
            let harmonic = decode_harmonic(&table, context.start);
            let tide = decode_ellipse(&table, harmonic);
            keep(&mut plan, tide, |plan, tide| plan.uniform.push(tide));
        }
        table.finish();
    }
    plan
}

/// Adds what was read to the plan, or gives it up.
fn keep<T>(plan: &mut Option<TidePlan>, tide: Option<T>, add: impl FnOnce(&mut TidePlan, T)) {
    match (plan.as_mut(), tide) {
        (Some(plan), Some(tide)) => add(plan, tide),
        _ => *plan = None,
    }
}

/// The constituents of common names.
fn known() -> [(&'static str, (&'static str, f64)); 10] {
    TidalConstituent::KNOWN.map(|(name, hours)| (name, (name, hours * HOUR)))
}

/// A named constituent: its phases are those of Greenwich where the run has a date.
fn named((name, period): (&str, f64), start: Option<DateTime>) -> Harmonic {
    let equilibrium = start.and_then(|start| equilibrium(name, start));
    Harmonic {
        period,
        equilibrium: equilibrium.unwrap_or(AT_TIME_ZERO),
    }
}

/// Phases that count from time zero.
const AT_TIME_ZERO: Equilibrium = Equilibrium {
    argument: 0.0,
    factor: 1.0,
};

fn decode_harmonic(table: &TableReader<'_>, start: Option<DateTime>) -> Option<Harmonic> {
    table.exclusive("constituent", "period");
    let by_name = table.optional("constituent").choice(&known()).get();
    let period = table.optional("period").quantity(Dimension::Time);
    let period = period.positive().get();
    let argument = table.optional("argument").quantity(Dimension::Angle).get();
    if !table.has("constituent") && !table.has("period") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "constituent",
        };
        let hint = "give `constituent = \"M2\"`, or `period = \"12.42 h\"`".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
    }
    let of_period = |period| Harmonic {
        period,
        equilibrium: AT_TIME_ZERO,
    };
    let by_name = by_name.map(|known| named(known, start));
    let mut harmonic = by_name.or(period.map(of_period))?;
    if let Some(argument) = argument {
        harmonic.equilibrium = Equilibrium {
            argument,
            factor: 1.0,
        };
    }
    Some(harmonic)
}

/// `constituents = ["M2", "S2"]`: those of a file, in the order of its third dimension.
fn decode_several(
    table: &TableReader<'_>,
    context: WeatherContext<'_>,
) -> Option<Vec<GriddedTide>> {
    for key in ["constituent", "period", "argument", "level"] {
        table.exclusive("constituents", key);
    }
    let listed = table.optional("constituents").array();
    let count = listed.len();
    let names: Vec<_> = listed
        .into_iter()
        .filter_map(|item| item.choice(&known()).get())
        .collect();
    if !table.has("file") {
        table.required_like("file", "`file = \"…\"`, which holds the constituents");
        return None;
    }
    let gridded = GriddedTable::decode(table, context)?;
    let mut tides = Vec::new();
    for (level, &name) in names.iter().enumerate() {
        let places = [Some(level), Some(count)];
        tides.push(gridded.read(table, named(name, context.start), places, context)?);
    }
    (tides.len() == count).then_some(tides)
}

fn decode_ellipse(table: &TableReader<'_>, harmonic: Option<Harmonic>) -> Option<TidalConstituent> {
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
    let Harmonic {
        period,
        equilibrium: Equilibrium { argument, factor },
    } = harmonic?;
    Some(TidalConstituent {
        period,
        major: factor * major?,
        minor: turn * factor * minor,
        inclination,
        phase: phase - argument,
    })
}

/// A table with a file, without its constituents.
struct GriddedTable<'a> {
    file: Spanned<PathBuf>,
    variables: TideVariables<'a>,
    directions: Directions,
    speed_unit: Option<f64>,
    angle_unit: Option<f64>,
    level: Option<usize>,
    gaps: Gaps,
}

impl<'a> GriddedTable<'a> {
    fn decode(table: &TableReader<'a>, context: WeatherContext<'_>) -> Option<Self> {
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
        Some(Self {
            file,
            variables: variables?,
            directions,
            speed_unit,
            angle_unit,
            level: level.map(|level| level as usize),
            gaps,
        })
    }

    /// Reads one constituent, at an index of the third dimension, which must have as many as are listed.
    fn read(
        &self,
        table: &TableReader<'_>,
        harmonic: Harmonic,
        [level, listed]: [Option<usize>; 2],
        context: WeatherContext<'_>,
    ) -> Option<GriddedTide> {
        let request = TideRequest {
            period: harmonic.period,
            variables: self.variables,
            directions: self.directions,
            speed_unit: self.speed_unit,
            angle_unit: self.angle_unit,
            level,
            listed,
            gaps: self.gaps,
            equilibrium: harmonic.equilibrium,
            frame: context.origin?,
        };
        let path = context.folder.join(&self.file.value);
        match read_tide(&path, &request) {
            Ok(tide) => Some(tide),
            Err(error) => {
                let kind = ProblemKind::FileRejected {
                    path: path.display().to_string(),
                    hint: error.hint(),
                    source: error.into(),
                };
                table.problems().push(Problem::new(kind, self.file.span));
                None
            }
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
