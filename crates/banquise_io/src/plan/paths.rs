//! The `path` of an obstacle that moves: waypoints in the scenario or in a CSV file. Or its `spin`.

use std::path::Path;

use banquise::{BodyPath, Spin, Waypoint};
use banquise_geometry::DVec2;

use super::files::read_text;
use crate::scenario::{
    CsvError, Dimension, Field, Problem, ProblemKind, Span, TableReader, Value, read_path,
};

/// The path of an obstacle, where it has one. `heading` \[rad\] is that of waypoints which do not say; a spin starts from it and from `position` \[m\].
/// `Err` when there is one that is refused.
pub(super) fn decode(
    table: &TableReader<'_>,
    position: DVec2,
    heading: f64,
    folder: &Path,
) -> Result<Option<BodyPath>, ()> {
    let field = table.optional("path");
    table.exclusive("path", "spin");
    if table.optional("spin").is_present() {
        return decode_spin(table, position, heading).ok_or(()).map(Some);
    }
    let Some(node) = field.node() else {
        return Ok(None);
    };
    table.exclusive("path", "position");
    let span = node.span;
    let waypoints = match node.value {
        Value::Array(_) => decode_waypoints(field, heading),
        _ => decode_file(table, field, heading, folder),
    };
    match BodyPath::try_new(waypoints.ok_or(())?) {
        Ok(path) => Ok(Some(path)),
        Err(error) => {
            let hint = "list two waypoints or more, each later than the one before; leave `path` out for \
                        an obstacle at rest";
            let kind = ProblemKind::Rejected {
                what: "the path",
                hint: Some(hint.into()),
                source: error.into(),
            };
            table.problems().push(Problem::new(kind, span));
            Err(())
        }
    }
}

/// `spin = { center = ["0 m", "0 m"], period = "10 s", velocity = ["0 m/s", "0 m/s"] }`.
fn decode_spin(table: &TableReader<'_>, position: DVec2, heading: f64) -> Option<BodyPath> {
    let spin = table.optional("spin").table()?;
    let center = spin.required_like("center", "`center = [\"0 m\", \"0 m\"]`");
    let center = center.vector(Dimension::Length).get();
    let period = spin.required_like("period", "`period = \"10 s\"`");
    let period = period.quantity(Dimension::Time);
    let period = period.check("a time that is not zero; negative is clockwise", |&t| {
        t != 0.0
    });
    let period = period.get();
    let velocity = spin.optional("velocity").vector(Dimension::Speed);
    let velocity = velocity.or([0.0; 2]);
    spin.finish();
    let spin = Spin {
        center: center?.into(),
        velocity: velocity.into(),
        period: period?,
        position,
        heading,
    };
    Some(BodyPath::spinning(spin).expect("quantities are finite and the period is not zero"))
}

/// `[{ time = "0 h", position = ["0 m", "0 m"], heading = "30 deg" }, …]`.
fn decode_waypoints(field: Field<'_>, heading: f64) -> Option<Vec<Waypoint>> {
    let read = |waypoint: TableReader<'_>| {
        let time = waypoint
            .required_like("time", "`time = \"6 h\"`")
            .quantity(Dimension::Time)
            .get();
        let position = waypoint
            .required_like("position", "`position = [\"2 km\", \"0 m\"]`")
            .vector(Dimension::Length)
            .get();
        let heading = waypoint
            .optional("heading")
            .quantity(Dimension::Angle)
            .or(heading);
        waypoint.finish();
        Some(Waypoint {
            time: time?,
            position: position?.into(),
            heading,
        })
    };
    let waypoints: Vec<Option<Waypoint>> = field.tables().into_iter().map(read).collect();
    waypoints.into_iter().collect()
}

/// A CSV file beside the scenario.
fn decode_file(
    table: &TableReader<'_>,
    field: Field<'_>,
    heading: f64,
    folder: &Path,
) -> Option<Vec<Waypoint>> {
    let file = field.path().spanned()?;
    let text = read_text(&file, folder, table.problems())?;
    match read_path(&text, heading) {
        Ok(waypoints) => Some(waypoints),
        Err(error) => {
            let path = folder.join(&file.value).display().to_string();
            table.problems().push(refused(error, path, file.span));
            None
        }
    }
}

fn refused(error: CsvError, path: String, span: Span) -> Problem {
    let hint = match &error {
        CsvError::Empty
        | CsvError::MissingUnit { .. }
        | CsvError::WrongUnit { .. }
        | CsvError::MissingColumn { .. }
        | CsvError::AmbiguousColumn { .. } => {
            "the first line names the columns with their units: `time [h],x [m],y [m]`, and \
             `heading [deg]` where it changes"
        }
        other => other.hint(),
    };
    let kind = ProblemKind::FileRejected {
        path,
        hint,
        source: error.into(),
    };
    Problem::new(kind, span)
}
