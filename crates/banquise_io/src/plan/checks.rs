//! Checks of the whole world: the stable step, and overlapping bodies.

use banquise::{ContactLaw, Meeting, Push, Simulation, World, first_meeting, overlaps_by_rounding};
use banquise_geometry::DVec2;

use super::PlanError;
use super::sources::stable_step;
use super::tables::TimePlan;
use crate::scenario::{Problems, Span};

/// Refuses a step that is not stable, and bodies that overlap.
pub(super) fn check_simulation(
    simulation: &Simulation,
    time: &TimePlan,
    spans: &[Span],
    problems: &Problems,
) {
    let entering = stable_step(
        &simulation.world.sources,
        &simulation.forcing,
        &simulation.settings,
        time.duration.value,
    );
    // Lines are looked at where they are written.
    let limit = simulation.stable_step_of_forces(time.duration.value);
    let limit = limit.min(entering);
    let step = time.step.value;
    if step > limit {
        let error = if limit == simulation.stable_exchange_step() {
            PlanError::UnstableExchange { step, limit }
        } else {
            PlanError::UnstableStep { step, limit }
        };
        problems.push(error.at("the step", time.step.span));
    }
    check_spins(simulation, spans, problems);
    for force in &simulation.forcing.body_forces {
        if let Push::Toward { within: limit, .. } = force.push
            && step > limit
        {
            // Velocities would go beyond the desired ones.
            problems.push(PlanError::UnstableStep { step, limit }.at("the step", time.step.span));
        }
    }
    check_meetings(&simulation.world, spans, problems);
}

/// Refuses bodies that go round a point with the law of Coulomb, whose steps take velocities as constant.
fn check_spins(simulation: &Simulation, spans: &[Span], problems: &Problems) {
    let world = &simulation.world;
    for (id, path) in world.bodies.paths() {
        let (Some(spin), Some(row)) = (path.spin(), world.bodies.row_of(*id)) else {
            continue;
        };
        // Rounding of the centroid, not an orbit.
        let is_orbit = spin.position.distance(spin.center) > 1e-9 * world.bodies.radii()[row];
        if simulation.settings.contact.law == ContactLaw::Coulomb && is_orbit {
            let body = label(world, row);
            problems.push(PlanError::SpinOffCentre { body }.at("this body", spans[row]));
        }
    }
}

/// Refuses bodies that overlap.
pub(super) fn check_meetings(world: &World, spans: &[Span], problems: &Problems) {
    match first_meeting(world) {
        Some(Meeting::Bodies(first, second)) => {
            let error = PlanError::BodiesOverlap {
                first: label(world, first),
                second: label(world, second),
            };
            let problem = error.at("the placement of this body", spans[second]);
            problems.push(if overlaps_by_rounding(world, first, second) {
                let hint =
                    "they touch, and overlap by rounding alone: leave a micrometre between them";
                problem.with_hint(hint.into())
            } else if spans[first] == spans[second] {
                problem.with_hint(
                    "they come from one table: enlarge the `spacing` of its `grid`, or mend its \
                     file"
                        .into(),
                )
            } else {
                problem.with_related(spans[first], "the other body")
            });
        }
        Some(Meeting::Wall(row)) => {
            let error = PlanError::BodyOverWall {
                body: label(world, row),
            };
            problems.push(error.at("the placement of this body", spans[row]));
        }
        None => {}
    }
}

/// Refuses fields, and tides on grids, that have no data for a floe at the start.
pub(super) fn check_fields(
    simulation: &Simulation,
    spans: [Option<Span>; 2],
    tide_spans: &[Span],
    problems: &Problems,
) {
    let current = simulation.forcing.current_field.iter();
    let tides = current.flat_map(|field| &field.tides);
    let mut has_tides = true;
    for (tide, &span) in tides.zip(tide_spans) {
        let value_at = |point| tide.at(point, 0.0);
        has_tides &= check_floes(&simulation.world, value_at, span, problems);
    }
    if let Some(span) = spans[0] {
        let value_at = |point| simulation.wind_at(point);
        check_floes(&simulation.world, value_at, span, problems);
    }
    if let Some(span) = spans[1].filter(|_| has_tides) {
        let value_at = |point| simulation.water_at(point);
        check_floes(&simulation.world, value_at, span, problems);
    }
    check_wind_over_cells(simulation, spans[0], problems);
}

/// Whether a field has data for all floes; refuses it where it has not.
fn check_floes(
    world: &World,
    value_at: impl Fn(DVec2) -> DVec2,
    span: Span,
    problems: &Problems,
) -> bool {
    let place = |row: usize| world.bodies.motions()[row].pose.position;
    let mut rows = world.floe_rows();
    let Some(row) = rows.find(|&row| value_at(place(row)).is_nan()) else {
        return true;
    };
    let error = PlanError::FloeOutsideField {
        floe: label(world, row),
        x: place(row).x,
        y: place(row).y,
    };
    problems.push(error.at("this field", span));
    false
}

/// Refuses a wind that has no data for an ocean cell at the start.
fn check_wind_over_cells(simulation: &Simulation, wind: Option<Span>, problems: &Problems) {
    let grid = simulation.forcing.slab_ocean.and_then(|slab| slab.grid);
    let (Some(span), Some(grid)) = (wind, grid) else {
        return;
    };
    let mut centers = (0..grid.cell_count()).map(|cell| grid.center(cell));
    if let Some(center) = centers.find(|&center| simulation.wind_at(center).is_nan()) {
        let error = PlanError::CellOutsideField {
            x: center.x,
            y: center.y,
        };
        problems.push(error.at("this field", span));
    }
}

/// Name of a body in a message.
pub(super) fn label(world: &World, row: usize) -> String {
    let name = &world.bodies.names()[row];
    if name.is_empty() {
        world.bodies.ids()[row].to_string()
    } else {
        format!("`{name}`")
    }
}
