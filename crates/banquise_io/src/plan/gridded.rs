//! Wind and current on a grid, from a NetCDF file.

use banquise::GriddedField;

use super::PlanError;
use super::files::read;
use super::weather_values::{SPEED_UNITS, WeatherContext};
use crate::scenario::{Dimension, Problem, ProblemKind, TableReader};
use crate::weather::{Directions, FieldKind, FieldRequest, Gaps, read_field};

/// Reads the field of `file = "…"`.
pub(super) fn decode(
    table: &TableReader<'_>,
    kind: FieldKind,
    context: WeatherContext<'_>,
) -> Option<GriddedField> {
    let file = table.optional("file").path().spanned();
    let variables = decode_variables(table);
    let directions = [
        ("geographic", Directions::Geographic),
        ("grid", Directions::Grid),
    ];
    let directions = table.optional("directions").choice(&directions).get();
    let unit = table.optional("speed_unit").choice(SPEED_UNITS).get();
    let level = table.optional("level").integer().non_negative().get();
    let gaps = [("refuse", Gaps::Refuse), ("nearest", Gaps::Nearest)];
    let gaps = table.optional("gaps").choice(&gaps).or(Gaps::default());
    let max_gap = table.optional("max_gap").quantity(Dimension::Time);
    let max_gap = max_gap.positive().get();
    let (file, problems) = (file?, table.problems());
    if context.start.is_none() && context.duration.is_some() {
        problems.push(PlanError::NoStart.at("this file", file.span));
    }
    if context.origin.is_none() {
        problems.push(PlanError::NoOrigin.at("this file", file.span));
    }
    read(&file, context.folder, problems, |path| {
        std::fs::File::open(path)
    })?;
    let request = FieldRequest {
        kind,
        variables: variables.ok()?,
        directions,
        unit,
        level: level.map(|level| level as usize),
        gaps,
        max_gap,
        start: context.start?,
        duration: context.duration?,
        frame: context.origin?,
    };
    let path = context.folder.join(&file.value);
    match read_field(&path, &request) {
        Ok(field) => Some(field),
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

/// `variables = { x = "…", y = "…" }`, both or none; an error where they are refused.
fn decode_variables<'a>(table: &TableReader<'a>) -> Result<Option<[&'a str; 2]>, ()> {
    let field = table.optional("variables");
    if !field.is_present() {
        return Ok(None);
    }
    let names = field.table().ok_or(())?;
    let x = names
        .required_like("x", "`x = \"x_wind_10m\"`")
        .text()
        .get();
    let y = names
        .required_like("y", "`y = \"y_wind_10m\"`")
        .text()
        .get();
    names.finish();
    match (x, y) {
        (Some(x), Some(y)) => Ok(Some([x, y])),
        _ => Err(()),
    }
}
