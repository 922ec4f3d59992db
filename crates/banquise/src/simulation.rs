//! A run: its steps, its schedule, and the times at which its state is observed.

use std::ops::ControlFlow;

use banquise_geometry::DVec2;
use banquise_solver::StopFlag;

use crate::contact::{CapturedImpact, CollisionLog, ContactReport};
use crate::error::StepError;
use crate::field::SpatialField;
use crate::forcing::{
    BodyForce, DragSettings, Forcing, OceanModel, SeaState, SlabOcean, StabilityInputs, Waves,
    stable_step,
};
use crate::fracture::{FractureReport, FractureTimes};
use crate::step::{StageTimer, StepReport, StepScratch, StepSettings, step};
use crate::stored::{Input, Stored as _, StoredError, require, stored_structs};
use crate::world::World;

/// A world with its forcing and settings.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The state.
    pub world: World,
    /// Forces on the floes.
    pub forcing: Forcing,
    /// Settings of a step.
    pub settings: StepSettings,
    /// The longest step \[s\].
    pub max_dt: f64,
    /// Statistics of all contacts so far.
    pub contact: ContactReport,
    /// Statistics of fracture so far.
    pub fracture: FractureReport,
    /// Log of collisions, where [`ContactSettings::log`](crate::contact::ContactSettings::log) asks for one.
    pub collisions: CollisionLog,
    scratch: StepScratch,
    last_dt: f64,
}

/// What a checkpoint holds: all of a simulation that steps change, and the forcing that was bound to the world at its start. The rest of
/// the forcing and the settings are not among it.
#[derive(Debug, Clone)]
pub struct RunState {
    /// The state that determines the steps to come.
    pub world: World,
    /// Statistics of all contacts so far.
    pub contact: ContactReport,
    /// Statistics of fracture so far.
    pub fracture: FractureReport,
    /// Log of collisions.
    pub collisions: CollisionLog,
    /// Length of the last step \[s\].
    pub last_dt: f64,
    /// The ocean layer, whose extent may follow from the ice of the start.
    pub slab_ocean: Option<SlabOcean>,
    /// Given forces, with the ids of the floes they act on.
    pub body_forces: Vec<BodyForce>,
}

stored_structs! {
    RunState { world, contact, fracture, collisions, last_dt, slab_ocean, body_forces }
}

impl RunState {
    /// Reads what [`Simulation::state_bytes`] gave.
    ///
    /// # Errors
    /// When the bytes are not those of a state.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        let mut input = Input::new(bytes);
        let state = Self::take(&mut input)?;
        input.finish()?;
        state.world.check_stored()?;
        let cells = state.slab_ocean.map_or(1, |slab| slab.cell_count());
        require(
            cells == state.world.ocean_velocities.len(),
            "a number of ocean cells",
        )?;
        Ok(state)
    }
}

/// A step may be this much longer than `max_dt`, relatively, so that times that are sums of steps
/// but for rounding do not end with a sliver of a step.
const STRETCH: f64 = 1e-9;

impl Simulation {
    /// A simulation about to start. A coupled ocean layer starts without an anomaly; that of the source starts with the current given as data.
    pub fn new(mut world: World, forcing: Forcing, settings: StepSettings, max_dt: f64) -> Self {
        if let Err(error) = settings.contact.solver.validate() {
            panic!("{error}");
        }
        assert!(
            max_dt > 0.0,
            "the longest step must be positive, not {max_dt} s"
        );
        if let Some(slab) = &forcing.slab_ocean {
            let is_anomaly = slab.model == OceanModel::Anomaly;
            assert!(
                is_anomaly || forcing.current_field.is_none(),
                "the ocean layer of the source has a velocity of its own, and a current must be the same everywhere"
            );
            let cell_count = slab.cell_count();
            if world.clock.step == 0 {
                let start = match slab.model {
                    OceanModel::Anomaly => DVec2::ZERO,
                    OceanModel::Rabatel2015 => forcing.uniform_current(world.clock.time),
                };
                world.ocean_velocities = vec![start; cell_count];
            }
            let found = world.ocean_velocities.len();
            assert!(
                found == cell_count,
                "the world has {found} ocean cells, and the forcing {cell_count}"
            );
        }
        Self {
            world,
            forcing,
            settings,
            max_dt,
            contact: ContactReport::default(),
            fracture: FractureReport::default(),
            collisions: CollisionLog::default(),
            scratch: StepScratch::default(),
            last_dt: 0.0,
        }
    }

    /// A simulation that goes on from a state that was stored.
    pub fn resumed(state: RunState, forcing: Forcing, settings: StepSettings, max_dt: f64) -> Self {
        let RunState {
            world,
            contact,
            fracture,
            collisions,
            last_dt,
            slab_ocean,
            body_forces,
        } = state;
        let forcing = Forcing {
            slab_ocean,
            body_forces,
            ..forcing
        };
        Self {
            contact,
            fracture,
            collisions,
            last_dt,
            ..Self::new(world, forcing, settings, max_dt)
        }
    }

    /// What a checkpoint holds, as bytes: see [`RunState::from_bytes`].
    pub fn state_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.world.put(&mut bytes);
        self.contact.put(&mut bytes);
        self.fracture.put(&mut bytes);
        self.collisions.put(&mut bytes);
        self.last_dt.put(&mut bytes);
        self.forcing.slab_ocean.put(&mut bytes);
        self.forcing.body_forces.put(&mut bytes);
        bytes
    }

    /// Lets a flag interrupt steps while they solve contacts, since a single solve may take seconds. They fail with [`StepError::Interrupted`], and the world
    /// is then unusable.
    pub fn stop_on(&mut self, flag: &StopFlag) {
        self.scratch.stop_on(flag);
    }

    /// Times what fracture takes from now on, with a clock that tells seconds. It changes no result.
    pub fn time_fracture(&mut self, clock: fn() -> f64) {
        self.scratch.time_fracture(clock);
    }

    /// What fracture took since [`Simulation::time_fracture`].
    pub fn fracture_times(&mut self) -> &FractureTimes {
        self.scratch
            .fracture_times(self.settings.contact.integrator)
    }

    /// Steps until `time` \[s\] exactly, unless `after_step` breaks off earlier.
    ///
    /// # Errors
    /// When a step fails.
    pub fn advance_to(
        &mut self,
        time: f64,
        timer: &mut dyn StageTimer,
        after_step: &mut dyn FnMut(&World, &StepReport) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StepError> {
        while self.world.clock.time < time {
            let left = time - self.world.clock.time;
            let last = left <= self.max_dt * (1.0 + STRETCH);
            let max_dt = if last { left } else { self.max_dt };
            let Self {
                world,
                forcing,
                settings,
                scratch,
                ..
            } = self;
            let report = step(world, forcing, settings, max_dt, scratch, timer)?;
            self.contact += report.contact;
            self.fracture += report.fracture;
            self.last_dt = report.dt;
            if let Some(log) = &self.settings.contact.log {
                self.collisions.add(&report.collisions, log);
            }
            if last && report.dt == max_dt {
                // `time + (target − time)` may miss the target by a rounding.
                self.world.clock.time = time;
            }
            if after_step(&self.world, &report).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Length of the last step \[s\]; zero before the first.
    pub fn last_dt(&self) -> f64 {
        self.last_dt
    }

    /// Suspicious impacts of a step that failed, where [`ContactSettings::capture`] asks for them.
    /// Those of a step that did not fail are in its [`StepReport`].
    ///
    /// [`ContactSettings::capture`]: crate::contact::ContactSettings::capture
    pub fn captured(&self) -> &[CapturedImpact] {
        self.scratch.captured()
    }

    /// Wind at the present time [m/s]: at the centre of mass of the floes, where it differs from place
    /// to place.
    pub fn wind(&self) -> DVec2 {
        self.wind_at(self.world.floe_center())
    }

    /// Velocity of the water under the ice at the present time [m/s]: that of the ocean layer where
    /// it is coupled, the mean of its cells where there are several; otherwise the current, at the centre of mass of the
    /// floes where it differs.
    pub fn water(&self) -> DVec2 {
        match self.forcing.slab_ocean.map(|slab| slab.model) {
            Some(OceanModel::Rabatel2015) => self.world.ocean_velocity(),
            Some(OceanModel::Anomaly) => {
                self.current_at(self.world.floe_center()) + self.world.ocean_velocity()
            }
            None => self.water_at(self.world.floe_center()),
        }
    }

    /// Wind at a point at the present time [m/s]; NaN where there are no data.
    pub fn wind_at(&self, point: DVec2) -> DVec2 {
        let time = self.world.clock.time;
        added(
            self.forcing.wind.at(time),
            self.forcing.wind_field.as_ref(),
            point,
            time,
        )
    }

    /// Velocity of the water at a point at the present time [m/s]; NaN where there are no data.
    pub fn water_at(&self, point: DVec2) -> DVec2 {
        let time = self.world.clock.time;
        let water = match self.forcing.slab_ocean {
            Some(slab) => {
                let state = self.world.ocean_velocities[slab.cell_at(point)];
                match slab.model {
                    OceanModel::Anomaly => self.forcing.uniform_current(time) + state,
                    OceanModel::Rabatel2015 => state,
                }
            }
            None => self.forcing.uniform_current(time),
        };
        added(water, self.forcing.current_field.as_ref(), point, time)
    }

    /// The given current at a point at the present time, without what an ocean layer adds [m/s]; NaN where there are no data.
    pub fn current_at(&self, point: DVec2) -> DVec2 {
        let time = self.world.clock.time;
        let field = self.forcing.current_field.as_ref();
        added(self.forcing.uniform_current(time), field, point, time)
    }

    /// Velocity of the water in each ocean cell at the present time [m/s]: at its centre; of one cell without a place, under the floes.
    pub fn cell_velocities(&self) -> Vec<DVec2> {
        let states = self.world.ocean_velocities.iter().copied();
        let Some(slab) = self.forcing.slab_ocean else {
            return states.collect();
        };
        if slab.model == OceanModel::Rabatel2015 {
            return states.collect();
        }
        let place = |cell| match slab.grid {
            Some(grid) => grid.center(cell),
            None => self.world.floe_center(),
        };
        let cells = states.enumerate();
        cells
            .map(|(cell, state)| self.current_at(place(cell)) + state)
            .collect()
    }

    /// Whether wind or water differ from floe to floe.
    pub fn weather_differs(&self) -> bool {
        let forcing = &self.forcing;
        let has_cells = self.world.ocean_velocities.len() > 1;
        forcing.wind_field.is_some() || forcing.current_field.is_some() || has_cells
    }

    /// The longest step for which the exchange between ocean cells is stable \[s\]; infinite where there is none.
    pub fn stable_exchange_step(&self) -> f64 {
        let grid = self.forcing.slab_ocean.and_then(|slab| slab.grid);
        grid.map_or(f64::INFINITY, |grid| grid.stable_step())
    }

    /// The largest stable step for a run from the present state until `end` \[s\].
    pub fn stable_step(&self, end: f64) -> f64 {
        let (of_lines, _) = self.world.stable_line_step(self.forcing.added_mass());
        self.stable_step_of_forces(end).min(of_lines)
    }

    /// The largest stable step without regard to lines \[s\].
    pub fn stable_step_of_forces(&self, end: f64) -> f64 {
        self.stable_drag_step(end)
            .min(self.stable_exchange_step())
            .min(self.stable_gradient_step())
    }

    /// The longest step for which a given force that varies from place to place is stable \[s\]; infinite without one.
    fn stable_gradient_step(&self) -> f64 {
        let bodies = &self.world.bodies;
        let forces = &self.forcing.body_forces;
        let square = |row: usize| -> f64 {
            let (id, mass) = (bodies.ids()[row], bodies.masses()[row]);
            let own = forces.iter().filter(|force| force.is_for(id));
            own.map(|force| force.stiffness_rate(mass)).sum()
        };
        let squares = self.world.floe_rows().map(square);
        2.0 / squares.fold(0.0, f64::max).sqrt()
    }

    /// The sea at a point at the present time; at rest without waves.
    pub fn sea_at(&self, point: DVec2) -> SeaState {
        let waves = self.forcing.waves.as_ref();
        waves.map_or_else(SeaState::default, |waves| {
            waves.at(point, self.world.clock.time)
        })
    }

    fn stable_drag_step(&self, end: f64) -> f64 {
        let Some(drag) = &self.forcing.drag else {
            return f64::INFINITY;
        };
        let bodies = &self.world.bodies;
        let speeds = self.world.floe_rows().map(|row| {
            let velocity = bodies.motions()[row].velocity;
            velocity.linear.length() + velocity.angular.abs() * bodies.radii()[row]
        });
        // An obstacle gives a floe at most twice its own speed.
        let handed_on = bodies.paths().iter().filter_map(|(id, path)| {
            let row = bodies.row_of(*id)?;
            Some(2.0 * path.max_speed(bodies.radii()[row]))
        });
        let rows = self.world.floe_rows();
        let places: Vec<DVec2> = rows
            .map(|row| bodies.motions()[row].pose.position)
            .collect();
        let bound = |field: &Option<SpatialField>| {
            let field = field.as_ref();
            field.map_or(0.0, |field| field.speed_bound(&places))
        };
        let inputs = StabilityInputs {
            min_areal_density: bodies.min_areal_density(),
            max_wind: self.forcing.wind.max_speed_until(end) + bound(&self.forcing.wind_field),
            max_current: self.forcing.current.max_speed_until(end)
                + bound(&self.forcing.current_field)
                + self
                    .forcing
                    .tides
                    .iter()
                    .map(|tide| tide.major)
                    .sum::<f64>()
                + self.forcing.waves.as_ref().map_or(0.0, Waves::max_speed),
            max_initial_speed: speeds.chain(handed_on).fold(0.0, f64::max),
        };
        let own = self.world.floe_rows().filter_map(|row| {
            let coefficient = bodies.materials()[row].ocean_drag_coefficient?;
            let drag = DragSettings {
                ocean_drag_coefficient: coefficient,
                ..*drag
            };
            Some(stable_step(&drag, &inputs))
        });
        own.fold(stable_step(drag, &inputs), f64::min)
    }
}

/// Sum of the uniform vector and the field; bit for bit the former where there is no field.
fn added(uniform: DVec2, field: Option<&SpatialField>, point: DVec2, time: f64) -> DVec2 {
    field.map_or(uniform, |field| uniform + field.at(point, time))
}
