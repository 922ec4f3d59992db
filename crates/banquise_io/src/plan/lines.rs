//! The `[[line]]` tables: springs, dampers and mooring lines.

use banquise::{Line, LineEnd, World};
use banquise_geometry::DVec2;

use super::PlanError;
use super::body_list::BodyList;
use crate::scenario::{
    Dimension, Problem, ProblemKind, Problems, Span, Spanned, TableReader, Value,
};

/// One `[[line]]`, before its bodies are in the world.
#[derive(Debug)]
pub(super) struct LinePlan {
    /// With ends at the origin, and no length where the scenario gives none.
    line: Line,
    ends: [EndPlan; 2],
    has_length: bool,
    /// Where it is written.
    pub(super) span: Span,
}

/// An end of a line.
#[derive(Debug)]
enum EndPlan {
    Point(DVec2),
    /// A body by its name, and where on it in the plane at the start; its centre of mass where that is not given.
    Body(String, Option<Spanned<DVec2>>),
}

/// A line may be fastened so far outside of a body, over the square root of its area: rims of discs that are given as polygons of twelve edges or more lie within.
const FASTENED_WITHIN: f64 = 0.02;

/// Reads all lines; nothing if one of them is refused. Without the bodies, names are not looked up.
pub(super) fn decode(root: &TableReader<'_>, bodies: Option<&BodyList>) -> Option<Vec<LinePlan>> {
    let tables = root.optional("line").tables();
    let lines: Vec<Option<LinePlan>> = tables
        .into_iter()
        .map(|table| decode_line(table, bodies))
        .collect();
    lines.into_iter().collect()
}

fn decode_line(table: TableReader<'_>, bodies: Option<&BodyList>) -> Option<LinePlan> {
    let name = table.optional("name").text().or("").to_owned();
    let kinds = [("line", false), ("spring", true)];
    let pushes = table.optional("kind").choice(&kinds).or(false);
    let stiffness = table.optional("stiffness").quantity(Dimension::LineForce);
    let stiffness = stiffness.non_negative().or(0.0);
    let damping = table.optional("damping").quantity(Dimension::Damping);
    let damping = damping.non_negative().or(0.0);
    if !table.has("stiffness") && !table.has("damping") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "stiffness",
        };
        let hint = "give `stiffness = \"20 kN/m\"`, `damping = \"1 kN s/m\"` or both".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
    }
    let has_length = table.has("length");
    let length = table.optional("length").quantity(Dimension::Length);
    let rest_length = length.non_negative().or(0.0);
    let breaking_load = table.optional("breaking_load").quantity(Dimension::Force);
    let breaking_load = breaking_load.positive().or(f64::INFINITY);
    let ends = ["from", "to"].map(|key| decode_end(&table, key, bodies));
    let span = table.span();
    table.finish();
    let [from, to] = ends;
    Some(LinePlan {
        line: Line {
            name,
            ends: [LineEnd::Point(DVec2::ZERO); 2],
            stiffness,
            damping,
            rest_length,
            pushes,
            breaking_load,
            broken_at: None,
            tension: 0.0,
        },
        ends: [from?, to?],
        has_length,
        span,
    })
}

/// `{ body = "floe", at = ["10 m", "0 m"] }` or `{ point = ["0 m", "0 m"] }`.
fn decode_end(
    table: &TableReader<'_>,
    key: &'static str,
    bodies: Option<&BodyList>,
) -> Option<EndPlan> {
    let example = "`{ body = \"floe\" }` or `{ point = [\"0 m\", \"100 m\"] }`";
    let field = table.required_like(key, example);
    let node = field.node()?;
    if !matches!(node.value, Value::Table(_)) {
        let kind = ProblemKind::WrongType {
            key: field.key_path(),
            expected: "a table",
            found: node.value.kind(),
        };
        field.report_with_hint(kind, &format!("write {example}"));
        return None;
    }
    let end = field.table()?;
    end.exclusive("body", "point");
    end.exclusive("point", "at");
    let point = end.optional("point").vector(Dimension::Length).get();
    let at = end.optional("at").vector(Dimension::Length).spanned();
    let body = end.optional("body").text().spanned();
    if !end.has("body") && !end.has("point") {
        let kind = ProblemKind::MissingKey {
            table: end.path().to_owned(),
            key: "body",
        };
        let problem = Problem::new(kind, end.span()).with_hint(format!("give {example}"));
        end.problems().push(problem);
    }
    end.finish();
    if let Some(point) = point {
        return Some(EndPlan::Point(DVec2::from(point)));
    }
    let body = body?;
    let name = body.value.to_owned();
    let is_this = |known: &super::PlannedBody| known.spec.name == name;
    if !bodies?.bodies.iter().any(is_this) {
        let error = PlanError::UnknownBody { name };
        table.problems().push(error.at("this name", body.span));
        return None;
    }
    let at = at.map(|at| Spanned {
        value: DVec2::from(at.value),
        span: at.span,
    });
    Some(EndPlan::Body(name, at))
}

impl LinePlan {
    /// The line between the bodies of a world. Without a length it has none of its own: it is taut as it is placed.
    pub(super) fn build(&self, world: &World, problems: &Problems) -> Line {
        let end = |plan: &EndPlan| match plan {
            EndPlan::Point(point) => LineEnd::Point(*point),
            EndPlan::Body(name, at) => end_on(world, name, at.as_ref(), problems),
        };
        let mut line = Line {
            ends: [end(&self.ends[0]), end(&self.ends[1])],
            ..self.line.clone()
        };
        let offset = world.line_offset(&line).unwrap_or_default();
        let (length, nearest) = (offset.length(), world.domain.nearest_image(offset).length());
        if !self.has_length {
            line.rest_length = length;
        }
        if let [EndPlan::Body(name, _), EndPlan::Body(other, _)] = &self.ends
            && name == other
        {
            let name = name.clone();
            problems.push(PlanError::LineWithinBody { name }.at("this line", self.span));
        }
        let is_between_bodies = self.ends.iter().all(|end| matches!(end, EndPlan::Body(..)));
        if is_between_bodies && nearest < 0.999 * length {
            let error = PlanError::LineAroundCell { length, nearest };
            problems.push(error.at("this line", self.span));
        }
        line
    }
}

/// The end on the body of a name, at a point of the plane or of its image in a periodic domain. Refuses one that is not on the body.
fn end_on(world: &World, name: &str, at: Option<&Spanned<DVec2>>, problems: &Problems) -> LineEnd {
    let bodies = &world.bodies;
    let row = bodies.names().iter().position(|known| known == name);
    let row = row.expect("names of bodies were looked up when they were read");
    let (id, pose) = (bodies.ids()[row], bodies.motions()[row].pose);
    let Some(at) = at else {
        return LineEnd::on(id, pose, pose.position);
    };
    let offset = world.domain.nearest_image(at.value - pose.position);
    let point = pose.position + offset;
    let distance = bodies.shapes()[row].distance_to_point(pose.body_from_world(point));
    if distance > FASTENED_WITHIN * bodies.areas()[row].sqrt() {
        let error = PlanError::OutsideBody {
            name: name.to_owned(),
            distance,
        };
        problems.push(error.at("this point", at.span));
    }
    LineEnd::on(id, pose, point)
}

/// Refuses a step for which lines are not stable.
pub(super) fn check_step(
    world: &World,
    added_mass: f64,
    step: f64,
    plans: &[LinePlan],
    problems: &Problems,
) {
    let (limit, line) = world.stable_line_step(added_mass);
    if let Some(line) = line.filter(|_| step > limit) {
        let error = PlanError::UnstableLine { step, limit };
        problems.push(error.at("this line", plans[line].span));
    }
}
