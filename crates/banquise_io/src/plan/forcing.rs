//! The `[ocean]`, `[drag]`, `[coriolis]` and `[[force]]` tables, and all forcing together.

use std::f64::consts::FRAC_PI_2;

use banquise::{BodyForce, BodyKind, Coriolis, DragSettings, Forcing, OceanModel, Push};
use banquise_geometry::DVec2;

use super::PlanError;
use super::body_list::BodyList;
use super::ocean::{self, OceanPlan};
use super::ocean_layer::{self, LayerPlan};
use super::tides;
use super::weather;
use super::weather_values::WeatherContext;
use crate::scenario::{Dimension, Problem, ProblemKind, Span, TableReader, Value};
use crate::weather::FieldKind;

/// All forcing, as far as it can be told without the world.
#[derive(Debug)]
pub(super) struct ForcingPlan {
    /// Without the ocean layer, and without forces on bodies.
    pub(super) forcing: Forcing,
    /// Where what differs from place to place is written: of the wind, of the current.
    pub(super) field_spans: [Option<Span>; 2],
    pub(super) ocean_layer: Option<LayerPlan>,
    pub(super) body_forces: Vec<ForcePlan>,
}

/// One `[[force]]`.
#[derive(Debug)]
pub(super) struct ForcePlan {
    /// Without the bodies it is for.
    pub(super) force: BodyForce,
    /// Names of the floes it is for; none for all.
    pub(super) floes: Vec<String>,
}

/// Reads all forcing; nothing if some of it is refused. Without the bodies, names of floes are not looked up.
pub(super) fn decode(
    root: &TableReader<'_>,
    bodies: Option<&BodyList>,
    context: WeatherContext<'_>,
) -> Option<ForcingPlan> {
    let ocean = ocean::decode(root);
    let (mut drag, has_turning) = decode_drag(root, bodies, ocean);
    let wind = weather::decode(root, FieldKind::Wind, context);
    let current = weather::decode(root, FieldKind::Current, context);
    let tides = tides::decode(root);
    let coriolis = decode_coriolis(root);
    let ocean_layer = ocean_layer::decode(root, bodies, drag.is_some(), ocean.model);
    let body_forces = decode_forces(root, bodies);
    let (wind, current, ocean_layer, tides) = (wind?, current?, ocean_layer?, tides?);
    if ocean_layer.is_some()
        && let Some(drag) = &mut drag
        && !has_turning
    {
        // The layer turns the drift by itself.
        drag.turning_angle = 0.0;
    }
    if ocean_layer.is_some()
        && ocean.model == OceanModel::Rabatel2015
        && let Some((_, span)) = &current.field
    {
        let problems = root.problems();
        problems.push(PlanError::VaryingOverLayer.at("this field", *span));
    }
    let field_spans = [&wind, &current].map(|plan| plan.field.as_ref().map(|field| field.1));
    let forcing = Forcing {
        drag,
        wind: wind.series,
        current: current.series,
        tides,
        wind_field: wind.field.map(|field| field.0),
        current_field: current.field.map(|field| field.0),
        tilt: ocean.tilt,
        coriolis: coriolis?,
        slab_ocean: None,
        body_forces: Vec::new(),
    };
    Some(ForcingPlan {
        forcing,
        field_spans,
        ocean_layer,
        body_forces: body_forces?,
    })
}

/// The drag, and whether its turning angle is given.
fn decode_drag(
    root: &TableReader<'_>,
    bodies: Option<&BodyList>,
    ocean: OceanPlan,
) -> (Option<DragSettings>, bool) {
    let mut drag = ocean.drag();
    let Some(table) = root.optional("drag").table() else {
        return (Some(drag), false);
    };
    let enabled = table.optional("enabled").boolean().or(true);
    let density = |key, default| {
        table
            .optional(key)
            .quantity(Dimension::Density)
            .positive()
            .or(default)
    };
    let coefficient = |key, default| table.optional(key).number().positive().or(default);
    drag.air_density = density("air_density", drag.air_density);
    drag.ocean_density = density("ocean_density", drag.ocean_density);
    drag.air_drag_coefficient = coefficient("air_drag_coefficient", drag.air_drag_coefficient);
    drag.ocean_drag_coefficient =
        coefficient("ocean_drag_coefficient", drag.ocean_drag_coefficient);
    let has_turning = table.has("turning_angle");
    drag.turning_angle = table
        .optional("turning_angle")
        .quantity(Dimension::Angle)
        .check("from -90 to 90 degrees", |angle| angle.abs() <= FRAC_PI_2)
        .or(drag.turning_angle);
    drag.linear_drag_velocity = decode_linear_drag(&table, bodies);
    table.finish();
    (enabled.then_some(drag), has_turning)
}

/// `linear_drag_velocity`, instead of all quadratic coefficients of the water.
fn decode_linear_drag(table: &TableReader<'_>, bodies: Option<&BodyList>) -> Option<f64> {
    table.exclusive("ocean_drag_coefficient", "linear_drag_velocity");
    let linear = table
        .optional("linear_drag_velocity")
        .quantity(Dimension::Speed)
        .positive()
        .spanned()?;
    let mut bodies = bodies.into_iter().flat_map(|list| &list.bodies);
    if bodies.any(|body| body.spec.material.ocean_drag_coefficient.is_some()) {
        let kind = ProblemKind::Conflict {
            first: "drag.linear_drag_velocity".to_owned(),
            second: "ocean_drag_coefficient of a floe".to_owned(),
        };
        let hint = "remove one of the two: where the drag is linear, no floe has a quadratic one of its own".to_owned();
        let problem = Problem::new(kind, linear.span);
        table.problems().push(problem.with_hint(hint));
    }
    Some(linear.value)
}

fn decode_coriolis(root: &TableReader<'_>) -> Option<Coriolis> {
    let field = root.optional("coriolis");
    if !field.is_present() {
        return Some(Coriolis::Off);
    }
    let table = field.table()?;
    table.exclusive("latitude", "parameter");
    table.exclusive("per_floe", "parameter");
    let latitude = table
        .optional("latitude")
        .quantity(Dimension::Latitude)
        .get();
    let parameter = table.optional("parameter").quantity(Dimension::Rate).get();
    let per_floe = table.optional("per_floe").boolean().or(false);
    if !table.has("latitude") && !table.has("parameter") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "latitude",
        };
        let hint = "give `latitude = \"81 degN\"`, or `parameter = \"1.44e-4 /s\"`".to_owned();
        table
            .problems()
            .push(Problem::new(kind, table.span()).with_hint(hint));
    }
    table.finish();
    match (latitude, parameter) {
        (Some(latitude), _) if per_floe => Some(Coriolis::LatitudePerFloe(latitude)),
        (Some(latitude), _) => Some(Coriolis::Latitude(latitude)),
        (None, parameter) => parameter.map(Coriolis::Parameter),
    }
}

fn decode_forces(root: &TableReader<'_>, bodies: Option<&BodyList>) -> Option<Vec<ForcePlan>> {
    let tables = root.optional("force").tables();
    let forces: Vec<Option<ForcePlan>> = tables
        .into_iter()
        .map(|table| decode_force(table, bodies))
        .collect();
    forces.into_iter().collect()
}

fn decode_force(table: TableReader<'_>, bodies: Option<&BodyList>) -> Option<ForcePlan> {
    table.exclusive("acceleration", "force");
    for key in ["acceleration", "force"] {
        table.exclusive(key, "toward");
    }
    let push = if table.has("toward") {
        decode_toward(&table)
    } else if table.has("force") {
        let force = table.optional("force").vector(Dimension::Force).get();
        force.map(|force| Push::Force(DVec2::from(force)))
    } else {
        let acceleration = table
            .required_like(
                "acceleration",
                "`acceleration = [\"0.1 m/s2\", \"0 m/s2\"]` or `force = [\"5 kN\", \"0 kN\"]`",
            )
            .vector(Dimension::Acceleration)
            .get();
        acceleration.map(|acceleration| Push::Acceleration(DVec2::from(acceleration)))
    };
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
            push: push?,
            from,
            until,
            repeat,
            bodies: Vec::new(),
        },
        floes: floes?,
    })
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
