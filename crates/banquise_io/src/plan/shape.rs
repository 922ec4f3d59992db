//! The shape of a body: a disc or an outline.

use banquise_geometry::{DVec2, Disc, GeometryError, Outline, Shape};

use crate::scenario::{Dimension, Field, Problem, ProblemKind, Span, TableReader, Value};

/// A disc or an outline, one of the two.
pub(super) fn decode_shape(table: &TableReader<'_>) -> Option<Shape> {
    table.exclusive("disc", "outline");
    if table.has("disc") {
        let disc = table.optional("disc").table()?;
        let radius = disc
            .required_like("radius", "`radius = \"100 m\"`")
            .quantity(Dimension::Length)
            .positive()
            .get();
        let sides = disc
            .optional("sides")
            .integer()
            .check("at least 3", |&sides| sides >= 3)
            .get();
        let (span, problems) = (disc.span(), disc.problems());
        disc.finish();
        let shape = match sides {
            Some(sides) => Outline::regular_polygon(radius?, sides as usize).map(Shape::Outline),
            None => Disc::try_new(radius?).map(Shape::Disc),
        };
        return shape
            .map_err(|error| problems.push(rejected_shape(error, span)))
            .ok();
    }
    if !table.has("outline") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "outline",
        };
        let hint = "give `outline = { unit = \"m\", points = [[0, 0], …] }` or \
                    `disc = { radius = \"100 m\" }`";
        table
            .problems()
            .push(Problem::new(kind, table.span()).with_hint(hint.to_owned()));
    }
    decode_outline(table.optional("outline"))
}

pub(super) fn decode_outline(field: Field<'_>) -> Option<Shape> {
    decode_points(field.table()?).map(Shape::Outline)
}

/// The outline of a table with `unit` and `points`, of which other keys have been read.
pub(super) fn decode_points(outline: TableReader<'_>) -> Option<Outline> {
    let unit = outline
        .required_like("unit", "`unit = \"m\"`")
        .choice(&[("m", 1.0), ("km", 1000.0), ("cm", 0.01), ("mm", 0.001)])
        .get();
    let points = outline.required_like("points", "`points = [[0, 0], [100, 0], [50, 80]]`");
    let span = points.node().map_or(outline.span(), |node| node.span);
    let is_list = matches!(points.node().map(|node| &node.value), Some(Value::Array(_)));
    let vertices: Vec<Option<DVec2>> = points.array().iter().map(decode_point).collect();
    let problems = outline.problems();
    outline.finish();
    let unit = unit.filter(|_| is_list)?;
    let vertices: Option<Vec<DVec2>> = vertices.into_iter().collect();
    let vertices = vertices?.into_iter().map(|vertex| unit * vertex).collect();
    Outline::try_new(vertices)
        .map_err(|error| problems.push(rejected_shape(error, span)))
        .ok()
}

fn decode_point(field: &Field<'_>) -> Option<DVec2> {
    let key = field.key_path();
    let numbers = field.clone().array();
    match &numbers[..] {
        [x, y] => {
            let (x, y) = (x.clone().number().get(), y.clone().number().get());
            Some(DVec2::new(x?, y?))
        }
        other => {
            if field
                .node()
                .is_some_and(|node| matches!(node.value, Value::Array(_)))
            {
                let found = other.len();
                field.report(ProblemKind::WrongLength {
                    key,
                    expected: 2,
                    found,
                });
            }
            None
        }
    }
}

pub(super) fn rejected_shape(error: GeometryError, span: Span) -> Problem {
    let hint = Some(error.hint().to_owned());
    Problem::new(
        ProblemKind::Rejected {
            what: "the outline",
            hint,
            source: error.into(),
        },
        span,
    )
}
