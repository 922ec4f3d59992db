//! The `[drag]` and `[coriolis]` tables, and all forcing together.

use std::f64::consts::FRAC_PI_2;

use banquise::{Coriolis, DragSettings, Forcing, OceanModel, SpatialField};

use super::PlanError;
use super::body_list::BodyList;
use super::forces::{self, ForcePlan};
use super::lines::{self, LinePlan};
use super::ocean::{self, OceanPlan};
use super::ocean_layer::{self, LayerPlan};
use super::tides;
use super::waves;
use super::weather;
use super::weather_values::WeatherContext;
use crate::scenario::{Dimension, Problem, ProblemKind, Span, TableReader};
use crate::weather::FieldKind;

/// All forcing, as far as it can be told without the world.
#[derive(Debug)]
pub(super) struct ForcingPlan {
    /// Without the ocean layer, and without forces on bodies.
    pub(super) forcing: Forcing,
    /// Where what differs from place to place is written: of the wind, of the current.
    pub(super) field_spans: [Option<Span>; 2],
    /// Where tides on grids are written, in their order.
    pub(super) tide_spans: Vec<Span>,
    pub(super) ocean_layer: Option<LayerPlan>,
    pub(super) body_forces: Vec<ForcePlan>,
    pub(super) lines: Vec<LinePlan>,
}

/// Reads all forcing; nothing if some of it is refused. Without the bodies, names of floes are not looked up.
pub(super) fn decode(
    root: &TableReader<'_>,
    bodies: Option<&BodyList>,
    context: WeatherContext<'_>,
    (seed, step): (u64, Option<f64>),
) -> Option<ForcingPlan> {
    let ocean = ocean::decode(root);
    let (mut drag, has_turning) = decode_drag(root, bodies, ocean);
    let wind = weather::decode(root, FieldKind::Wind, context);
    let current = weather::decode(root, FieldKind::Current, context);
    let tides = tides::decode(root, context);
    let coriolis = decode_coriolis(root);
    let ocean_layer = ocean_layer::decode(root, bodies, drag.is_some(), ocean.model);
    let body_forces = forces::decode(root, bodies, context);
    let lines = lines::decode(root, bodies);
    let waves = waves::decode(root, seed, step, drag.is_some());
    let (wind, mut current, ocean_layer, tides) = (wind?, current?, ocean_layer?, tides?);
    let field_spans = [&wind, &current].map(|plan| plan.field.as_ref().map(|field| field.1));
    let tide_spans: Vec<Span> = tides.gridded.iter().map(|tide| tide.1).collect();
    for (tide, span) in tides.gridded {
        let empty = SpatialField {
            period: context.period,
            ..SpatialField::default()
        };
        let field = current.field.get_or_insert((empty, span));
        field.0.tides.push(tide);
    }
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
    let forcing = Forcing {
        drag,
        wind: wind.series,
        current: current.series,
        tides: tides.uniform,
        wind_field: wind.field.map(|field| field.0),
        current_field: current.field.map(|field| field.0),
        tilt: ocean.tilt,
        coriolis: coriolis?,
        slab_ocean: None,
        body_forces: Vec::new(),
        waves: waves?,
        external_loads: Vec::new(),
    };
    Some(ForcingPlan {
        forcing,
        field_spans,
        tide_spans,
        ocean_layer,
        body_forces: body_forces?,
        lines: lines?,
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
