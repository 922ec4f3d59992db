//! One step of the world: this page is its table of contents.
//!
//! forcing → integrate → ocean layer → separation → finish. Each stage is one file; the state is
//! in [`World`], the choices in [`StepSettings`] and [`Forcing`], what can be dropped at any time
//! without changing a bit in [`StepScratch`], and what happened in [`StepReport`].

mod forcing;
mod integrate;
mod ocean_layer;
mod separation;

use banquise_geometry::DVec2;

use crate::body::Motion;
use crate::budget::Budget;
use crate::error::StepError;
use crate::forcing::{Forcing, SurfaceLoad, Turn};
use crate::world::World;

/// How velocities advance between contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Half the push of the forces, the turn by Coriolis, the other half: Coriolis does no work at
    /// all, and a steady drift is that of the equations up to (fΔt)²/12. Positions advance with
    /// the mean of the old and the new velocity; the ocean layer receives exactly the momentum the
    /// ice gives it.
    #[default]
    Splitting,
    /// Explicit Euler as in Rabatel 2015 (section 2.1.2): positions advance with the old velocity,
    /// and Coriolis adds ½ (fΔt)² of the energy at each step.
    Euler,
}

/// The choices of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepSettings {
    /// The scheme.
    pub scheme: Scheme,
}

/// The stages of a step, for timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Loads of wind, water and given forces.
    Forcing,
    /// New velocities and positions.
    Integrate,
    /// The coupled ocean.
    OceanLayer,
    /// The search for bodies that touch.
    Separation,
    /// Checks of the result.
    Finish,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 5] = [
        Self::Forcing,
        Self::Integrate,
        Self::OceanLayer,
        Self::Separation,
        Self::Finish,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forcing => "forcing",
            Self::Integrate => "integrate",
            Self::OceanLayer => "ocean_layer",
            Self::Separation => "separation",
            Self::Finish => "finish",
        }
    }
}

/// A clock lent to the step, which has none of its own.
pub trait StageTimer {
    /// A stage starts; the one before it, if any, ends.
    fn start(&mut self, stage: Stage);
    /// The last stage of a step ends.
    fn stop(&mut self);
}

/// Times nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTimer;

impl StageTimer for NoTimer {
    fn start(&mut self, _stage: Stage) {}
    fn stop(&mut self) {}
}

/// What happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 0.
    pub step: u64,
    /// Its length \[s\].
    pub dt: f64,
    /// What forces did in it.
    pub budget: Budget,
}

/// Room to work in, kept from step to step only to save allocations.
#[derive(Debug, Clone, Default)]
pub struct StepScratch {
    loads: Vec<BodyLoad>,
    budgets: Vec<Budget>,
    separation: separation::SeparationScratch,
}

/// Two bodies that should be apart, or a body and a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// The bodies in these rows touch.
    Bodies(usize, usize),
    /// The body in this row reaches over a wall of the domain.
    Wall(usize),
}

/// The first meeting found in the world as it stands.
pub fn first_meeting(world: &World) -> Option<Meeting> {
    let mut scratch = separation::SeparationScratch::default();
    separation::touching_pair(world, &mut scratch)
        .map(|(first, second)| Meeting::Bodies(first, second))
        .or_else(|| separation::row_at_wall(world).map(Meeting::Wall))
}

/// What one body feels in a step.
#[derive(Debug, Clone, Copy)]
struct BodyLoad {
    wind: SurfaceLoad,
    ocean: SurfaceLoad,
    body_force: DVec2,
    coriolis: CoriolisEffect,
}

impl BodyLoad {
    /// The load of an obstacle.
    const NONE: Self = Self {
        wind: SurfaceLoad::NONE,
        ocean: SurfaceLoad::NONE,
        body_force: DVec2::ZERO,
        coriolis: CoriolisEffect::Acceleration(DVec2::ZERO),
    };
}

/// How the scheme lets Coriolis act.
#[derive(Debug, Clone, Copy)]
enum CoriolisEffect {
    /// A turn between two halves of the loads.
    Turn(Turn),
    /// An acceleration beside the loads [m/s²].
    Acceleration(DVec2),
}

/// What every stage may read of the step at hand.
struct StepContext<'a> {
    forcing: &'a Forcing,
    scheme: Scheme,
    step: u64,
    time: f64,
    dt: f64,
    wind: DVec2,
    /// Velocity of the water under the floes in this step.
    water: DVec2,
}

impl StepContext<'_> {
    /// The Coriolis parameter a body feels [1/s].
    fn coriolis_parameter(&self, world: &World, row: usize) -> f64 {
        let coriolis = &self.forcing.coriolis;
        coriolis.parameter_at(if coriolis.varies() {
            world.unwrapped_position(row).y
        } else {
            0.0
        })
    }
}

/// Advances the world by `dt` \[s\].
///
/// # Errors
/// When the result is not a physical one: see [`StepError`]. The world is then as the step left
/// it, for inspection; it should not be stepped further.
pub fn step(
    world: &mut World,
    forcing: &Forcing,
    settings: StepSettings,
    dt: f64,
    scratch: &mut StepScratch,
    timer: &mut dyn StageTimer,
) -> Result<StepReport, StepError> {
    let context = begin(world, forcing, settings, dt);

    timer.start(Stage::Forcing);
    forcing::forcing(&context, world, &mut scratch.loads);

    timer.start(Stage::Integrate);
    let mut budget = integrate::integrate(&context, world, &scratch.loads, &mut scratch.budgets);

    timer.start(Stage::OceanLayer);
    budget.layer = ocean_layer::ocean_layer(&context, world, &scratch.loads);

    timer.start(Stage::Separation);
    separation::separation(&context, world, &mut scratch.separation)?;

    timer.start(Stage::Finish);
    let report = finish(&context, world, budget);
    timer.stop();
    report
}

/// Fixes what the stages read: the wind in the middle of the step for the splitting, at its start
/// for Euler, and likewise the water.
fn begin<'a>(
    world: &World,
    forcing: &'a Forcing,
    settings: StepSettings,
    dt: f64,
) -> StepContext<'a> {
    let time = world.clock.time;
    let sample_time = match settings.scheme {
        Scheme::Splitting => time + 0.5 * dt,
        Scheme::Euler => time,
    };
    let water = match forcing.slab_ocean {
        Some(_) => world.ocean_velocity,
        None => forcing.current.at(sample_time),
    };
    StepContext {
        forcing,
        scheme: settings.scheme,
        step: world.clock.step,
        time,
        dt,
        wind: forcing.wind.at(sample_time),
        water,
    }
}

/// Moves the clock, keeps the accounts, and refuses a state that is not finite.
fn finish(
    context: &StepContext<'_>,
    world: &mut World,
    budget: Budget,
) -> Result<StepReport, StepError> {
    world.clock.time += context.dt;
    world.clock.step += 1;
    world.budget += budget;
    check_drag(context, world)?;
    for row in 0..world.bodies.len() {
        let Motion { pose, velocity, .. } = world.bodies.motions[row];
        let finite = velocity.linear.is_finite()
            && velocity.angular.is_finite()
            && pose.position.is_finite();
        if !finite {
            let body = world.bodies.ids()[row];
            return Err(StepError::NonFinite {
                step: context.step,
                time: context.time,
                body,
            });
        }
    }
    Ok(StepReport {
        step: context.step,
        dt: context.dt,
        budget,
    })
}

/// Refuses a step beyond which explicit drag overshoots by more than it corrects: Δt > 2 m / (ρₒ Cₒ
/// A |u|). The bound checked before the run cannot know the speeds given forces lead to.
fn check_drag(context: &StepContext<'_>, world: &World) -> Result<(), StepError> {
    let Some(drag) = &context.forcing.drag else {
        return Ok(());
    };
    let bodies = &world.bodies;
    for row in world.floe_rows() {
        let velocity = bodies.motions[row].velocity;
        let slip =
            (context.water - velocity.linear).length() + velocity.angular.abs() * bodies.radii[row];
        let limit = 2.0 * bodies.masses()[row] / (drag.ocean_factor() * bodies.areas[row] * slip);
        if context.dt > limit {
            let (step, time, dt) = (context.step, context.time, context.dt);
            return Err(StepError::Unstable {
                step,
                time,
                body: bodies.ids()[row],
                slip,
                dt,
                limit,
            });
        }
    }
    Ok(())
}
