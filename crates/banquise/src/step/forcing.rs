//! Loads of wind, water and given forces on each floe, independently of all others.

use banquise_geometry::DVec2;
use rayon::prelude::*;

use super::context::{BodyLoad, CoriolisEffect, StepContext, StepInputs, begin};
use super::scheme::Scheme;
use crate::chunks::{CHUNK, is_worth_sharing};
use crate::error::StepError;
use crate::force::{Force, PerForce};
use crate::forcing::{
    Pushed, SeaState, SurfaceLoad, Tilt, Turn, Waves, coriolis_acceleration, water_loads,
    wind_load, wind_load_in,
};
use crate::world::World;

/// Fills one load per body: over the whole step, or what is left of it after `since` \[s\] for a floe that has been advanced
/// within it.
pub(super) fn forcing(
    inputs: &StepInputs<'_>,
    context: &StepContext<'_>,
    world: &World,
    since: impl Fn(usize) -> f64 + Sync,
    loads: &mut Vec<BodyLoad>,
) {
    let load_of = |row| {
        let since = since(row);
        if since == 0.0 || !world.bodies.is_floe(row) {
            return body_load(context, world, row);
        }
        let rest = begin(inputs, context.time + since, context.dt - since);
        body_load(&rest, world, row)
    };
    let body_count = world.bodies.len();
    if is_worth_sharing(body_count) {
        (0..body_count)
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(load_of)
            .collect_into_vec(loads);
    } else {
        loads.clear();
        loads.extend((0..body_count).map(load_of));
    }
}

/// Loads on one floe in a step.
pub(super) fn body_load(context: &StepContext<'_>, world: &World, row: usize) -> BodyLoad {
    let bodies = &world.bodies;
    if !bodies.is_floe(row) {
        return BodyLoad::NONE;
    }
    let cell = context.cell_at(bodies.motions[row].pose.position);
    let parameter = context.coriolis_parameter(world, row);
    let mut forces = PerForce::splat(SurfaceLoad::NONE);
    let sea = context.sea_under(world, row);
    if let Some(drag) = &context.forcing.drag {
        let pose = bodies.motions[row].pose;
        let air = drag.for_air_on(&bodies.materials()[row]);
        forces[Force::Wind] = match &context.wind_field {
            None => wind_load(bodies, row, air.wind_stress(context.wind)),
            Some(field) => wind_load_in(bodies.quadrature.of(row), pose, field, &air),
        };
        let water = context.water_over(world, cell).plus(sea.velocity);
        let turning = context.turning(parameter);
        water_loads(drag, bodies, row, water, turning, &mut forces);
    }
    if context.forcing.tilt != Tilt::None || context.forcing.has_tides() {
        let acceleration = context.tilt(parameter, bodies.motions[row].pose.position);
        forces[Force::Tilt].force = bodies.masses()[row] * acceleration;
    }
    forces[Force::BodyForce] = body_force(context, world, row);
    if let Some(waves) = &context.forcing.waves {
        forces[Force::Waves].force = wave_force(context, waves, world, row, (&sea, &forces));
    }
    BodyLoad {
        dt: context.dt,
        cell,
        forces,
        coriolis: coriolis_effect(context, world, row, parameter),
    }
}

/// Refuses a floe that is where the wind or the current has no data.
pub(super) fn check_data(
    context: &StepContext<'_>,
    world: &World,
    loads: &[BodyLoad],
) -> Result<(), StepError> {
    if context.wind_field.is_none() && context.water_field.is_none() {
        return Ok(());
    }
    let mut rows = loads.iter().enumerate();
    let error = rows.find_map(|(row, load)| missing_data(context, world, row, load));
    error.map_or(Ok(()), Err)
}

/// The error of a floe at whose place there are no data.
pub(super) fn missing_data(
    context: &StepContext<'_>,
    world: &World,
    row: usize,
    load: &BodyLoad,
) -> Option<StepError> {
    let mut forces = Force::ALL.into_iter();
    let what = match forces.find(|&force| load.forces[force].force.is_nan())? {
        Force::Wind => "wind",
        _ => "current",
    };
    let position = world.bodies.motions[row].pose.position;
    Some(StepError::NoData {
        step: context.step,
        time: context.time,
        body: world.bodies.ids()[row],
        what,
        x: position.x,
        y: position.y,
    })
}

/// Effect of Coriolis beside the loads.
fn coriolis_effect(
    context: &StepContext<'_>,
    world: &World,
    row: usize,
    parameter: f64,
) -> CoriolisEffect {
    match context.scheme {
        Scheme::Splitting => CoriolisEffect::Turn(Turn::new(parameter, context.dt)),
        Scheme::Euler => {
            let velocity = world.bodies.motions[row].velocity.linear;
            CoriolisEffect::Acceleration(coriolis_acceleration(parameter, velocity))
        }
    }
}

/// Force of waves on a floe \[N\], and what the water that moves with it takes of the other forces: the sum of all is that of the equation over 1 + Cₘ.
fn wave_force(
    context: &StepContext<'_>,
    waves: &Waves,
    world: &World,
    row: usize,
    (sea, others): (&SeaState, &PerForce<SurfaceLoad>),
) -> DVec2 {
    let mass = world.bodies.masses()[row];
    let density = context.forcing.drag.map_or(0.0, |drag| drag.ocean_density);
    let mean = density * world.bodies.areas[row] * sea.mean_force;
    let rest: DVec2 = others.iter().map(|load| load.force).sum();
    let added = waves.added_mass;
    // −g∇η and ∂u/∂t are the same in deep water.
    mass * sea.acceleration + (mean - added * rest) / (1.0 + added)
}

fn body_force(context: &StepContext<'_>, world: &World, row: usize) -> SurfaceLoad {
    let motion = &world.bodies.motions[row];
    let body = Pushed {
        id: world.bodies.ids()[row],
        mass: world.bodies.masses()[row],
        start: motion.pose.position,
        velocity: motion.velocity.linear,
        // Where it is at the end of the step, or a force toward a point would add energy at every step.
        place: motion.pose.position + context.dt * motion.velocity.linear,
        time: context.sample_time,
    };
    let forces = context.body_forces.iter();
    let force = forces.map(|(share, force)| *share * force.on(&body)).sum();
    let mut load = SurfaceLoad { force, torque: 0.0 };
    if let Some(external) = context.forcing.external_loads.get(row) {
        load.force += external.force;
        load.torque = external.torque;
    }
    load
}
