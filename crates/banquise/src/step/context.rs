//! Inputs of the stages of a step, and the loads that they pass on.

use banquise_geometry::{DVec2, Rotation};

use super::scheme::Scheme;
use crate::field::{FieldSnapshot, SpatialField};
use crate::force::{Force, PerForce};
use crate::forcing::{BodyForce, Forcing, OceanModel, SeaState, SurfaceLoad, Tilt, Turn, Water};
use crate::world::World;

/// Loads on one body in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyLoad {
    /// Time for which the loads act \[s\].
    pub(super) dt: f64,
    /// The ocean cell under the body, on which the reaction acts.
    pub(super) cell: usize,
    /// All forces but Coriolis, which the scheme treats apart; its entry is zero.
    pub(super) forces: PerForce<SurfaceLoad>,
    pub(super) coriolis: CoriolisEffect,
}

impl BodyLoad {
    /// The load of an obstacle.
    pub(super) const NONE: Self = Self {
        dt: 0.0,
        cell: 0,
        forces: PerForce::splat(SurfaceLoad::NONE),
        coriolis: CoriolisEffect::Acceleration(DVec2::ZERO),
    };

    /// Force and torque of all forces but Coriolis.
    pub(super) fn total(&self) -> SurfaceLoad {
        let mut total = SurfaceLoad::NONE;
        for load in self.forces.iter() {
            total.force += load.force;
            total.torque += load.torque;
        }
        total
    }

    /// Force of the water \[N\], whose reaction acts on a coupled ocean layer.
    pub(super) fn force_of_water(&self) -> DVec2 {
        force_of_water(&self.forces)
    }
}

/// Sum of the forces that the water exerts \[N\].
pub(super) fn force_of_water(forces: &PerForce<SurfaceLoad>) -> DVec2 {
    let of_water = Force::ALL.into_iter().filter(|force| force.is_of_water());
    of_water.map(|force| forces[force].force).sum()
}

/// Effect of Coriolis in the scheme.
#[derive(Debug, Clone, Copy)]
pub(super) enum CoriolisEffect {
    /// A rotation of the velocity between two half kicks of the loads.
    Turn(Turn),
    /// An acceleration beside the loads [m/s²].
    Acceleration(DVec2),
}

/// Inputs that are common to all floes and times of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepInputs<'a> {
    pub(super) forcing: &'a Forcing,
    pub(super) scheme: Scheme,
    pub(super) step: u64,
    /// State of the ocean layer, where it is coupled to the ice and has one cell.
    pub(super) ocean_velocity: DVec2,
}

impl<'a> StepInputs<'a> {
    pub(super) fn new(forcing: &'a Forcing, scheme: Scheme, world: &World) -> Self {
        Self {
            forcing,
            scheme,
            step: world.clock.step,
            ocean_velocity: world.ocean_velocities[0],
        }
    }
}

/// Inputs of all stages of a step, or of the local step of a floe.
pub(super) struct StepContext<'a> {
    pub(super) forcing: &'a Forcing,
    pub(super) scheme: Scheme,
    pub(super) step: u64,
    pub(super) time: f64,
    pub(super) dt: f64,
    /// Time at which what changes in time is sampled \[s\].
    pub(super) sample_time: f64,
    pub(super) wind: DVec2,
    /// Velocity of the water under the floes in this step, where the ocean layer does not have several cells; of the uniform current, without
    /// the layer's part.
    pub(super) water: DVec2,
    pub(super) current: DVec2,
    /// Wind and current where they vary in space; uniform parts are included, the ocean layer is not.
    pub(super) wind_field: Option<FieldSnapshot<'a>>,
    pub(super) water_field: Option<FieldSnapshot<'a>>,
    /// Change of the uniform current over the step [m/s²], and the spatial one at its start and end, where the tilt needs them.
    pub(super) current_rate: DVec2,
    pub(super) rate_fields: Option<[FieldSnapshot<'a>; 2]>,
    /// Current of the tides [m/s], and its change over the step [m/s²].
    pub(super) tide: DVec2,
    pub(super) tide_rate: DVec2,
    /// Given forces that act in this step, with the share of the step in which they do.
    pub(super) body_forces: Vec<(f64, &'a BodyForce)>,
}

impl<'a> StepContext<'a> {
    /// The ocean cell under a floe whose centre of mass is there.
    pub(super) fn cell_at(&self, position: DVec2) -> usize {
        let slab = self.forcing.slab_ocean.as_ref();
        slab.map_or(0, |slab| slab.cell_at(position))
    }

    /// Velocity of the water in an ocean cell at the start of the step, if the layer has not advanced yet [m/s].
    pub(super) fn water_in(&self, world: &World, cell: usize) -> DVec2 {
        match world.ocean_velocities.len() {
            1 => self.water,
            _ if self.has_anomaly() => self.current + world.ocean_velocities[cell],
            _ => world.ocean_velocities[cell],
        }
    }

    /// Whether the state of the ocean layer is added to the given current.
    fn has_anomaly(&self) -> bool {
        let slab = self.forcing.slab_ocean.as_ref();
        slab.is_some_and(|slab| slab.model == OceanModel::Anomaly)
    }

    /// Velocity of the water over an ocean cell, from place to place where the current is.
    pub(super) fn water_over(&self, world: &World, cell: usize) -> Water<'a> {
        let water = self.water_in(world, cell);
        match self.water_field {
            None => Water::Uniform(water),
            Some(field) if self.has_anomaly() => Water::Field(field.plus(water - self.current)),
            Some(field) => Water::Field(field),
        }
    }

    /// The sea under the centre of a floe; at rest without waves. A floe keeps its velocity over the step, as if it were that of the middle: there drag sees the water. The
    /// change of velocity acts at the end of the step, and so does the slope, or the floe would be half a step off in phase and drift against the waves.
    pub(super) fn sea_under(&self, world: &World, row: usize) -> SeaState {
        let Some(waves) = &self.forcing.waves else {
            return SeaState::default();
        };
        let (start, velocity) = (
            world.unwrapped_position(row),
            world.bodies.motions[row].velocity.linear,
        );
        let at = |later: f64| waves.at(start + later * velocity, self.time + later);
        SeaState {
            velocity: at(0.5 * self.dt).velocity,
            ..at(self.dt)
        }
    }

    /// Turn of the water's stress from the slip, for a Coriolis parameter [1/s].
    pub(super) fn turning(&self, parameter: f64) -> Rotation {
        let angle = self.forcing.drag.map_or(0.0, |drag| drag.turning_angle);
        if angle == 0.0 || parameter == 0.0 {
            return Rotation::IDENTITY;
        }
        Rotation::from_angle(angle * parameter.signum())
    }

    /// Acceleration by the slope of the sea surface at a place [m/s²].
    pub(super) fn tilt(&self, parameter: f64, place: DVec2) -> DVec2 {
        let current = self
            .water_field
            .map_or(self.current, |field| field.without_tides(place, &mut 0));
        let of_field = self.rate_fields.map_or(DVec2::ZERO, |[start, end]| {
            (end.without_tides(place, &mut 0) - start.without_tides(place, &mut 0)) / self.dt
        });
        let rate = self.current_rate + of_field;
        let (mut tide, mut tide_rate) = (self.tide, self.tide_rate);
        if let Some(field) = &self.water_field
            && field.has_tides()
        {
            tide += field.tides(place, &mut 0);
            let change = field.tide_change(place, self.time, self.time + self.dt);
            tide_rate += mean_rate(change, self.dt);
        }
        // The surface always slopes with the tide, which its slope drives.
        let of_tide = Tilt::Full.acceleration(parameter, tide, tide_rate);
        let rest = self.forcing.tilt;
        of_tide + rest.acceleration(parameter, current - self.tide, rate)
    }

    /// Coriolis parameter of a body [1/s].
    pub(super) fn coriolis_parameter(&self, world: &World, row: usize) -> f64 {
        let coriolis = &self.forcing.coriolis;
        coriolis.parameter_at(if coriolis.varies() {
            world.unwrapped_position(row).y
        } else {
            0.0
        })
    }
}

/// Mean rate of a change within a time \[s\]; zero where none is left, as for a floe that an event brought to the end of its step.
fn mean_rate(change: DVec2, dt: f64) -> DVec2 {
    if dt > 0.0 { change / dt } else { DVec2::ZERO }
}

/// Evaluates the forcing for the stages: wind and water in the middle of the step for the splitting, at its start
/// for Euler.
pub(super) fn begin<'a>(inputs: &StepInputs<'a>, time: f64, dt: f64) -> StepContext<'a> {
    let &StepInputs {
        forcing,
        scheme,
        step,
        ocean_velocity,
    } = inputs;
    let sample_time = match scheme {
        Scheme::Splitting => time + 0.5 * dt,
        Scheme::Euler => time,
    };
    let current = forcing.uniform_current(sample_time);
    let water = match forcing.slab_ocean.map(|slab| slab.model) {
        Some(OceanModel::Rabatel2015) => ocean_velocity,
        Some(OceanModel::Anomaly) => current + ocean_velocity,
        None => current,
    };
    let needs_rate = forcing.tilt == Tilt::Full;
    let current_rate = if needs_rate {
        mean_rate(forcing.current.at(time + dt) - forcing.current.at(time), dt)
    } else {
        DVec2::ZERO
    };
    let tide = forcing.tidal_current(sample_time);
    let tide_change = forcing.tidal_current(time + dt) - forcing.tidal_current(time);
    let rate_field = forcing.current_field.as_ref().filter(|_| needs_rate);
    let rate_fields =
        rate_field.map(|field| [time, time + dt].map(|time| field.snapshot(DVec2::ZERO, time)));
    let wind = forcing.wind.at(sample_time);
    let field = |field: &'a Option<SpatialField>, base| {
        let field = field.as_ref();
        field.map(|field| field.snapshot(base, sample_time))
    };
    let body_forces = forcing
        .body_forces
        .iter()
        .map(|force| (force.share(time, dt), force))
        .filter(|(share, _)| *share > 0.0)
        .collect();
    StepContext {
        forcing,
        scheme,
        step,
        time,
        dt,
        sample_time,
        wind,
        water,
        current,
        wind_field: field(&forcing.wind_field, wind),
        water_field: field(&forcing.current_field, current),
        current_rate,
        rate_fields,
        tide,
        tide_rate: mean_rate(tide_change, dt),
        body_forces,
    }
}
