//! The ocean layer, after the floes (Rabatel 2015, eq. 2.2.1).

use banquise_geometry::DVec2;

use super::{BodyLoad, Scheme, StepContext, force_of_water};
use crate::budget::LayerBudget;
use crate::force::PerForce;
use crate::forcing::{DragSettings, SurfaceLoad, Turn, Water, coriolis_acceleration, water_loads};
use crate::world::World;

/// Advances the layer and returns the impulses on it. Floes in their own time had part of theirs before:
/// `given_before` [N s].
pub(super) fn ocean_layer(
    context: &StepContext<'_>,
    world: &mut World,
    loads: &[BodyLoad],
    given_before: DVec2,
) -> LayerBudget {
    let (Some(slab), Some(drag)) = (&context.forcing.slab_ocean, &context.forcing.drag) else {
        return LayerBudget::default();
    };
    let dt = context.dt;
    let mass = slab.mass(drag.ocean_density);
    let open_water = slab.cell_area - world.bodies.ice_area();
    let base_stress = slab.base_friction_velocity * drag.ocean_density * slab.cell_area;
    let current = &context.forcing.current;
    let mut budget = LayerBudget {
        ice: -impulse_on_ice(context, drag, world, loads) - given_before,
        wind: dt * open_water * drag.wind_stress(context.wind),
        coriolis: DVec2::ZERO,
        base: -dt * base_stress * context.water,
        data: mass * (current.at(context.time + dt) - current.at(context.time)),
    };
    let kick = budget.impulse() / mass;
    let parameter = parameter(context, world);
    let before = world.ocean_velocity;
    let coriolis_kick = match context.scheme {
        Scheme::Splitting => {
            let kicked = before + 0.5 * kick;
            Turn::new(parameter, dt).apply(kicked) - kicked
        }
        Scheme::Euler => dt * coriolis_acceleration(parameter, before),
    };
    world.ocean_velocity = before + kick + coriolis_kick;
    budget.coriolis = mass * coriolis_kick;
    budget
}

/// Impulse of the water on all floes in the last part of their step [N s].
///
/// Reaction for reaction in the splitting, which so keeps the momentum of ice and water together.
/// The source's Euler computes it anew with the floes' new velocities and the old water.
fn impulse_on_ice(
    context: &StepContext<'_>,
    drag: &DragSettings,
    world: &World,
    loads: &[BodyLoad],
) -> DVec2 {
    let of_load = |row: usize| match context.scheme {
        Scheme::Splitting => loads[row].force_of_water(),
        Scheme::Euler => {
            let mut forces = PerForce::splat(SurfaceLoad::NONE);
            let water = Water::Uniform(context.water);
            water_loads(drag, &world.bodies, row, water, &mut forces);
            force_of_water(&forces)
        }
    };
    let (mut whole, mut rest) = (DVec2::ZERO, DVec2::ZERO);
    for row in world.floe_rows() {
        if loads[row].dt == context.dt {
            whole += of_load(row);
        } else {
            rest += loads[row].dt * of_load(row);
        }
    }
    context.dt * whole + rest
}

/// The Coriolis parameter of the layer: where floes each have their own, that of their centre of
/// mass.
fn parameter(context: &StepContext<'_>, world: &World) -> f64 {
    let coriolis = &context.forcing.coriolis;
    if !coriolis.varies() {
        return coriolis.parameter_at(0.0);
    }
    coriolis.parameter_at(world.floe_center().y)
}
