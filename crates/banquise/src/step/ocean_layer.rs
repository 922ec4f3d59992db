//! The ocean layer, after the floes (Rabatel 2015, eq. 2.2.1), cell by cell.

use banquise_geometry::DVec2;

use super::context::{BodyLoad, StepContext, force_of_water};
use super::scheme::Scheme;
use crate::budget::LayerBudget;
use crate::error::StepError;
use crate::force::PerForce;
use crate::forcing::{
    DragSettings, OceanModel, SlabOcean, SurfaceLoad, Turn, coriolis_acceleration, water_loads,
};
use crate::world::World;

/// Buffers with one entry for each cell.
#[derive(Debug, Clone, Default)]
pub(super) struct OceanScratch {
    ice: Vec<IceOnCell>,
    /// Momentum exchanged with neighbours [N s].
    exchange: Vec<DVec2>,
}

/// The floes over a cell: those whose centre of mass is in it.
#[derive(Debug, Clone, Copy, Default)]
struct IceOnCell {
    /// Force of the water on floes whose last part of the step is the whole of it \[N\].
    whole: DVec2,
    /// Impulse of the water on the other floes in the last part of their step [N s].
    rest: DVec2,
    /// Area of the floes \[m²\].
    area: f64,
}

/// Advances the layer and returns the impulses on it. Floes had part of theirs in local steps: `given_before` is
/// the impulse of each cell on them [N s].
///
/// # Errors
/// When there are no data of the wind over a cell.
pub(super) fn ocean_layer(
    context: &StepContext<'_>,
    world: &mut World,
    loads: &[BodyLoad],
    given_before: &[DVec2],
    scratch: &mut OceanScratch,
) -> Result<LayerBudget, StepError> {
    let (Some(slab), Some(drag)) = (&context.forcing.slab_ocean, &context.forcing.drag) else {
        return Ok(LayerBudget::default());
    };
    gather_ice(context, drag, world, loads, &mut scratch.ice);
    scratch.exchange.clear();
    scratch.exchange.resize(slab.cell_count(), DVec2::ZERO);
    if let Some(grid) = &slab.grid {
        let areal_density = drag.ocean_density * slab.layer_depth;
        let velocities = &world.ocean_velocities;
        grid.exchange(velocities, areal_density, context.dt, &mut scratch.exchange);
    }
    let mut total = LayerBudget::default();
    for (cell, ice) in scratch.ice.iter().enumerate() {
        let impulse_of_ice = -(context.dt * ice.whole + ice.rest) - given_before[cell];
        let wind = wind_over(context, slab, world, cell)?;
        let outside = Outside {
            ice: impulse_of_ice,
            wind: context.dt * open_water(slab, world, ice) * drag.wind_stress(wind),
            exchange: scratch.exchange[cell],
        };
        total += advance_cell(context, drag, world, cell, &outside);
    }
    Ok(total)
}

/// Impulses on a cell from its surroundings [N s].
struct Outside {
    ice: DVec2,
    wind: DVec2,
    exchange: DVec2,
}

/// Advances one cell and returns the impulses on it, exchange aside: over all cells its sum is zero.
fn advance_cell(
    context: &StepContext<'_>,
    drag: &DragSettings,
    world: &mut World,
    cell: usize,
    outside: &Outside,
) -> LayerBudget {
    let Some(slab) = &context.forcing.slab_ocean else {
        return LayerBudget::default();
    };
    let dt = context.dt;
    let mass = slab.mass(drag.ocean_density);
    let base_stress = slab.base_friction_velocity * drag.ocean_density * slab.cell_area;
    let before = world.ocean_velocities[cell];
    let mut budget = LayerBudget {
        ice: outside.ice,
        wind: outside.wind,
        coriolis: DVec2::ZERO,
        base: -dt * base_stress * before,
        // What is given persists by itself where the state is its anomaly.
        data: match slab.model {
            OceanModel::Anomaly => DVec2::ZERO,
            OceanModel::Rabatel2015 => {
                let current = |time| context.forcing.uniform_current(time);
                mass * (current(context.time + dt) - current(context.time))
            }
        },
    };
    let kick = (budget.impulse() + outside.exchange) / mass;
    let parameter = parameter(context, slab, world, cell);
    let coriolis_kick = match context.scheme {
        Scheme::Splitting => {
            let kicked = before + 0.5 * kick;
            Turn::new(parameter, dt).apply(kicked) - kicked
        }
        Scheme::Euler => dt * coriolis_acceleration(parameter, before),
    };
    world.ocean_velocities[cell] = before + kick + coriolis_kick;
    budget.coriolis = mass * coriolis_kick;
    budget
}

/// Sums up the floes over each cell.
///
/// The splitting applies the reactions of the forces on floes, and so conserves the momentum of ice and water together.
/// The source's Euler computes the force anew with the floes' new velocities and the old water.
fn gather_ice(
    context: &StepContext<'_>,
    drag: &DragSettings,
    world: &World,
    loads: &[BodyLoad],
    cells: &mut Vec<IceOnCell>,
) {
    let force_on = |row: usize| match context.scheme {
        Scheme::Splitting => loads[row].force_of_water(),
        Scheme::Euler => {
            let mut forces = PerForce::splat(SurfaceLoad::NONE);
            let water = context.water_over(world, loads[row].cell);
            let turning = context.turning(context.coriolis_parameter(world, row));
            water_loads(drag, &world.bodies, row, water, turning, &mut forces);
            force_of_water(&forces)
        }
    };
    cells.clear();
    cells.resize(world.ocean_velocities.len(), IceOnCell::default());
    for row in world.floe_rows() {
        let load = &loads[row];
        let cell = &mut cells[load.cell];
        cell.area += world.bodies.areas[row];
        if load.dt == context.dt {
            cell.whole += force_on(row);
        } else {
            cell.rest += load.dt * force_on(row);
        }
    }
}

/// Area of a cell without ice \[m²\]. A cell may be more than full: floes count where their centre is, and sources bring
/// more of them.
fn open_water(slab: &SlabOcean, world: &World, ice: &IceOnCell) -> f64 {
    let ice_area = match slab.grid {
        None => world.bodies.ice_area(),
        Some(_) => ice.area,
    };
    (slab.cell_area - ice_area).max(0.0)
}

/// Wind over the open water of a cell [m/s]: at its centre, where it differs from place to place. One cell under all floes
/// is where the domain is; without edges, where the floes are.
fn wind_over(
    context: &StepContext<'_>,
    slab: &SlabOcean,
    world: &World,
    cell: usize,
) -> Result<DVec2, StepError> {
    let Some(field) = &context.wind_field else {
        return Ok(context.wind);
    };
    let center = match (slab.grid, world.domain.rectangle()) {
        (Some(grid), _) => grid.center(cell),
        (None, Some(rectangle)) => 0.5 * (rectangle.min + rectangle.max),
        (None, None) => world.floe_center(),
    };
    let wind = field.at(center, &mut 0);
    if wind.is_nan() {
        return Err(StepError::NoWindOverCell {
            step: context.step,
            time: context.time,
            x: center.x,
            y: center.y,
        });
    }
    Ok(wind)
}

/// The Coriolis parameter of a cell [1/s]: where it differs, that of its centre; of one cell without a place, that of the
/// centre of mass of the floes.
fn parameter(context: &StepContext<'_>, slab: &SlabOcean, world: &World, cell: usize) -> f64 {
    let coriolis = &context.forcing.coriolis;
    if !coriolis.varies() {
        return coriolis.parameter_at(0.0);
    }
    let center = slab.grid.map(|grid| grid.center(cell));
    coriolis.parameter_at(center.unwrap_or_else(|| world.floe_center()).y)
}
