//! One step of the world: this page is its table of contents.
//!
//! search → collide → events → forcing → integrate → ocean layer → finish. The state is in [`World`], the
//! choices in [`StepSettings`] and [`Forcing`], what can be dropped at any time without changing a
//! bit in [`StepScratch`], and what happened in [`StepReport`].
//!
//! Event-driven (Rabatel 2015, section 2.1.2): velocities jump where bodies meet, then everybody keeps
//! its velocity for a time in which nobody can touch, and forces act over that time. With local time each
//! floe does so for itself: see `local_time`.

mod forcing;
mod integrate;
mod local_time;
mod ocean_layer;

use banquise_geometry::DVec2;

use crate::body::Motion;
use crate::budget::Budget;
use crate::contact::{
    CapturedImpact, CollideScratch, ContactReport, ContactSettings, Integrator, OnUnsolved,
    SearchScratch, StepRule, SteppingScratch, collide, keep_apart, search, stays_apart, step_time,
};
use crate::error::StepError;
use crate::field::{FieldSnapshot, SpatialField};
use crate::forcing::{BodyForce, Forcing, SurfaceLoad, Turn};
use crate::world::World;
use local_time::{Events, LocalScratch, meet_within};

/// How velocities advance between contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Half the push of the forces, the turn by Coriolis, the other half: Coriolis does no work at
    /// all, and a steady drift is that of the equations up to (fΔt)²/12. The ocean layer receives
    /// exactly the momentum the ice gives it.
    #[default]
    Splitting,
    /// Explicit Euler as in Rabatel 2015 (section 2.1.2): Coriolis adds ½ (fΔt)² of the energy at each
    /// step.
    Euler,
}

/// The choices of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepSettings {
    /// The scheme.
    pub scheme: Scheme,
    /// Contacts.
    pub contact: ContactSettings,
}

/// The stages of a step, for timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Who is close to whom.
    Search,
    /// Impacts at the start of the step.
    Collide,
    /// Meetings within the step, where floes have their own time.
    Events,
    /// Loads of wind, water and given forces.
    Forcing,
    /// New velocities and positions.
    Integrate,
    /// The coupled ocean.
    OceanLayer,
    /// Checks of the result.
    Finish,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 7] = [
        Self::Search,
        Self::Collide,
        Self::Events,
        Self::Forcing,
        Self::Integrate,
        Self::OceanLayer,
        Self::Finish,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Collide => "collide",
            Self::Events => "events",
            Self::Forcing => "forcing",
            Self::Integrate => "integrate",
            Self::OceanLayer => "ocean_layer",
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
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 0.
    pub step: u64,
    /// Its length \[s\].
    pub dt: f64,
    /// What forces and contacts did in it.
    pub budget: Budget,
    /// Statistics of its contacts.
    pub contact: ContactReport,
    /// Its contact problems, where [`ContactSettings::capture`] asks for them.
    pub captured: Vec<CapturedImpact>,
}

/// Room to work in, kept from step to step only to save allocations.
#[derive(Debug, Clone, Default)]
pub struct StepScratch {
    loads: Vec<BodyLoad>,
    budgets: Vec<Budget>,
    search: SearchScratch,
    collide: CollideScratch,
    local: LocalScratch,
    stepping: SteppingScratch,
}

impl StepScratch {
    /// Suspicious impacts of a step that failed; those of one that did not are in its report.
    pub(crate) fn captured(&self) -> &[CapturedImpact] {
        &self.collide.captured
    }
}

/// What one body feels in a step.
#[derive(Debug, Clone, Copy)]
struct BodyLoad {
    /// How long it acts \[s\].
    dt: f64,
    wind: SurfaceLoad,
    ocean: SurfaceLoad,
    body_force: DVec2,
    coriolis: CoriolisEffect,
}

impl BodyLoad {
    /// The load of an obstacle.
    const NONE: Self = Self {
        dt: 0.0,
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

/// What the same step has for all floes, whatever the time.
#[derive(Debug, Clone, Copy)]
struct Setting<'a> {
    forcing: &'a Forcing,
    scheme: Scheme,
    step: u64,
    /// Velocity of the ocean layer, where it is coupled to the ice.
    ocean_velocity: DVec2,
}

/// What every stage may read of the step at hand, or of the step of a floe in its own time.
struct StepContext<'a> {
    forcing: &'a Forcing,
    scheme: Scheme,
    step: u64,
    time: f64,
    dt: f64,
    wind: DVec2,
    /// Velocity of the water under the floes in this step.
    water: DVec2,
    /// Wind and water where they differ from place to place; what is the same everywhere is in them.
    wind_field: Option<FieldSnapshot<'a>>,
    water_field: Option<FieldSnapshot<'a>>,
    /// The given forces at work in this step, with the share of it they act in.
    body_forces: Vec<(f64, &'a BodyForce)>,
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

/// Advances the world by at most `max_dt` \[s\]: less where bodies that approach might touch.
///
/// # Errors
/// When the result is not a physical one: see [`StepError`]. The world is then as the step left
/// it, for inspection; it should not be stepped further.
pub fn step(
    world: &mut World,
    forcing: &Forcing,
    settings: &StepSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
    timer: &mut dyn StageTimer,
) -> Result<StepReport, StepError> {
    timer.start(Stage::Search);
    let max_dt = world.until_next_waypoint(max_dt);
    let distance = settings.contact.distance;
    let range = settings.contact.search_range();
    search(world, distance, (max_dt, range), &mut scratch.search);

    timer.start(Stage::Collide);
    let near = &scratch.search.near;
    let (contact_budget, mut contact) = match settings.contact.integrator {
        Integrator::Event => collide(world, near, &settings.contact, &mut scratch.collide),
        Integrator::Stepping => {
            let choices = (&settings.contact.solver, settings.contact.capture);
            let (stepping, captured) = (&mut scratch.stepping, &mut scratch.collide.captured);
            keep_apart(world, near, max_dt, stepping, choices, captured)
        }
    };

    timer.start(Stage::Events);
    let setting = Setting {
        forcing,
        scheme: settings.scheme,
        step: world.clock.step,
        ocean_velocity: world.ocean_velocity,
    };
    let (dt, events) = events(world, &setting, &settings.contact, max_dt, scratch)?;
    contact += events.contact;
    contact.solver = match settings.contact.integrator {
        Integrator::Event => scratch.collide.workspace.take_statistics(),
        Integrator::Stepping => scratch.stepping.workspaces.take_statistics(),
    };
    if settings.contact.on_unsolved == OnUnsolved::Stop && contact.unsolved > 0 {
        return Err(StepError::Unsolved {
            step: world.clock.step,
            time: world.clock.time,
            count: contact.unsolved,
            largest: contact.largest,
            residual: contact.residual,
        });
    }
    if settings.contact.integrator == Integrator::Event {
        scratch.collide.take_impulses(&mut world.last_impulses);
    }
    let context = begin(&setting, world.clock.time, dt);

    timer.start(Stage::Forcing);
    forcing::forcing(
        &setting,
        &context,
        world,
        &scratch.local,
        &mut scratch.loads,
    );
    forcing::check_data(&context, world, &scratch.loads)?;

    timer.start(Stage::Integrate);
    let mut budget = integrate::integrate(&context, world, &scratch.loads, &mut scratch.budgets);

    timer.start(Stage::OceanLayer);
    budget.layer = ocean_layer::ocean_layer(&context, world, &scratch.loads, events.ocean_impulse);
    budget += events.budget;
    budget.contact += contact_budget;

    timer.start(Stage::Finish);
    scratch.search.memory.note_places(&world.bodies);
    let finished = finish(&context, world, budget);
    timer.stop();
    finished?;
    Ok(StepReport {
        step: context.step,
        dt,
        budget,
        contact,
        captured: std::mem::take(&mut scratch.collide.captured),
    })
}

/// The length of the step \[s\], and what happens within it: with local time it is the longest, and floes
/// meet on the way; else it ends before anybody can touch.
fn events(
    world: &mut World,
    setting: &Setting<'_>,
    contact: &ContactSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
) -> Result<(f64, Events), StepError> {
    let StepScratch {
        search,
        collide,
        local,
        ..
    } = scratch;
    if contact.integrator == Integrator::Stepping {
        local.reset(world.bodies.len());
        let (dt, events) = given_step(world, search, max_dt);
        search.remember(&world.bodies, dt);
        return Ok((dt, events));
    }
    if contact.has_local_time() {
        let events = meet_within(world, setting, contact, max_dt, (search, collide, local))?;
        return Ok((max_dt, events));
    }
    local.reset(world.bodies.len());
    let (dt, taken_back) = step_time(&world.bodies, search, max_dt, contact.step_rule);
    search.remember(&world.bodies, dt);
    let mut events = Events::default();
    events.contact.rollbacks = u64::from(taken_back);
    Ok((dt, events))
}

/// A step of given length, for which velocities are such that gaps are kept; shorter only where they are not.
fn given_step(world: &World, search: &SearchScratch, max_dt: f64) -> (f64, Events) {
    let bodies = &world.bodies;
    let mut events = Events::default();
    if search.is_within_margins(bodies, max_dt) && stays_apart(bodies, &search.near, max_dt) {
        return (max_dt, events);
    }
    events.contact.shortened = 1;
    let (dt, _) = step_time(bodies, search, max_dt, StepRule::Guaranteed);
    (dt, events)
}

/// Fixes what the stages read: the wind in the middle of the step for the splitting, at its start
/// for Euler, and likewise the water.
fn begin<'a>(setting: &Setting<'a>, time: f64, dt: f64) -> StepContext<'a> {
    let &Setting {
        forcing,
        scheme,
        step,
        ocean_velocity,
    } = setting;
    let sample_time = match scheme {
        Scheme::Splitting => time + 0.5 * dt,
        Scheme::Euler => time,
    };
    let water = match forcing.slab_ocean {
        Some(_) => ocean_velocity,
        None => forcing.current.at(sample_time),
    };
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
        wind,
        water,
        wind_field: field(&forcing.wind_field, wind),
        water_field: field(&forcing.current_field, water),
        body_forces,
    }
}

/// Moves the clock, keeps the accounts, and refuses a state that is not finite.
fn finish(context: &StepContext<'_>, world: &mut World, budget: Budget) -> Result<(), StepError> {
    world.clock.time += context.dt;
    world.clock.step += 1;
    world.budget += budget;
    check_step(context, world)?;
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
    Ok(())
}

/// Refuses a step that no longer moves the clock.
fn check_step(context: &StepContext<'_>, world: &World) -> Result<(), StepError> {
    if world.clock.time > context.time {
        return Ok(());
    }
    Err(StepError::StepCollapsed {
        step: context.step,
        time: context.time,
        dt: context.dt,
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
        let Motion { pose, velocity, .. } = bodies.motions[row];
        let water = match &context.water_field {
            None => context.water,
            Some(field) => field.at(pose.position, &mut 0),
        };
        let slip = (water - velocity.linear).length() + velocity.angular.abs() * bodies.radii[row];
        let factor = drag.ocean_factor_of(&bodies.materials()[row]);
        let limit = 2.0 * bodies.masses()[row] / (factor * bodies.areas[row] * slip);
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
