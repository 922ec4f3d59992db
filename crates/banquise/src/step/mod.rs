//! One step of the world.
//!
//! There are two integrators, and each has its list of stages on one page: [`event`](self) in `event.rs`, fixed steps in
//! `fixed.rs`, and in `convex.rs` for contact laws without friction. The state is in [`World`], the settings in [`StepSettings`] and [`Forcing`], scratch buffers, which can be dropped at any time
//! without changing a bit, in [`StepScratch`], and the outcome in [`StepReport`].

mod context;
mod convex;
mod crush;
mod event;
mod event_queue;
mod finish;
mod fixed;
mod forcing;
mod integrate;
mod lines;
mod local_time;
mod ocean_layer;
mod scheme;
mod shorten;
mod timing;
mod topology;
mod validate;

use banquise_solver::StopFlag;

use crate::budget::Budget;
use crate::contact::{
    CapturedImpact, CollideScratch, Collision, ContactLaw, ContactReport, ContactSettings,
    FixedStepScratch, GlueyScratch, Integrator, SearchScratch, Squeeze,
};
use crate::error::StepError;
use crate::forcing::Forcing;
use crate::fracture::{FractureReport, FractureSettings, FractureTimes};
use crate::world::World;
use context::BodyLoad;
use lines::LineScratch;
use local_time::LocalScratch;
use ocean_layer::OceanScratch;
use shorten::BeforeContact;

pub use scheme::Scheme;
pub use timing::{EventPart, NoTimer, Stage, StageTimer};

/// Settings of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepSettings {
    /// Time scheme of the forces.
    pub scheme: Scheme,
    /// Settings of contact.
    pub contact: ContactSettings,
    /// Settings of fracture; `None` where floes do not break.
    pub fracture: Option<FractureSettings>,
    /// Whether the stages are validated: candidates, momentum, ids, and a sample of exact tests of overlap. A validator that
    /// fails panics, since what it finds is a bug. It changes no result. By default in debug builds alone.
    pub validate: bool,
}

impl Default for StepSettings {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            contact: ContactSettings::default(),
            fracture: None,
            validate: cfg!(debug_assertions),
        }
    }
}

/// Report of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 0.
    pub step: u64,
    /// Length of the step \[s\].
    pub dt: f64,
    /// Budgets of forces and contacts in the step.
    pub budget: Budget,
    /// Statistics of contacts in the step.
    pub contact: ContactReport,
    /// Statistics of fracture in the step.
    pub fracture: FractureReport,
    /// Contact problems of the step, where [`ContactSettings::capture`] asks for them.
    pub captured: Vec<CapturedImpact>,
    /// Contacts of the step before they are thinned, where [`ContactSettings::log`] asks for them.
    pub collisions: Vec<Collision>,
}

/// Scratch buffers, kept from step to step only to save allocations.
#[derive(Debug, Clone, Default)]
pub struct StepScratch {
    loads: Vec<BodyLoad>,
    budgets: Vec<Budget>,
    search: SearchScratch,
    collide: CollideScratch,
    local: LocalScratch,
    fixed_step: FixedStepScratch,
    gluey: GlueyScratch,
    ocean: OceanScratch,
    lines: LineScratch,
    /// State before a step that may end with squeezed floes.
    before: BeforeContact,
    stop: StopFlag,
}

impl StepScratch {
    /// Lets a flag interrupt a step within its contact solves.
    pub(crate) fn stop_on(&mut self, flag: &StopFlag) {
        self.stop = flag.clone();
    }

    /// Lends a clock to fracture.
    pub(crate) fn time_fracture(&mut self, clock: fn() -> f64) {
        self.collide.breaker.times().start(clock);
        self.fixed_step.breaker.times().start(clock);
    }

    /// What fracture took, with this integrator.
    pub(crate) fn fracture_times(&mut self, integrator: Integrator) -> &FractureTimes {
        match integrator {
            Integrator::Event => self.collide.breaker.times(),
            Integrator::Stepping => self.fixed_step.breaker.times(),
        }
    }

    /// Hands the stop flag to the contact solvers.
    fn prepare_stop(&mut self) {
        self.collide.workspace.get().stop_on(&self.stop);
        self.fixed_step.workspaces.prepare(&self.stop);
        self.gluey.workspaces.prepare(&self.stop);
    }

    /// Contact problems of a step that failed; those of one that did not are in its report.
    pub(crate) fn captured(&self) -> &[CapturedImpact] {
        &self.collide.captured
    }
}

/// Advances the world by at most `max_dt` \[s\]: less where bodies that approach might touch, or an obstacle changes its
/// velocity.
///
/// # Errors
/// When the result is not a physical one: see [`StepError`]. The world is then as the step left
/// it, for inspection; it should not be stepped further. Where floes are squeezed, motions and loads are those before the step: impulses in a chain that is about to
/// lock have no bound.
pub fn step(
    world: &mut World,
    forcing: &Forcing,
    settings: &StepSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
    timer: &mut dyn StageTimer,
) -> Result<StepReport, StepError> {
    let may_stop = settings.contact.squeeze == Squeeze::Stop && !world.bodies.paths().is_empty();
    if may_stop {
        scratch.before.store(world);
    }
    let result = match settings.contact.integrator {
        Integrator::Event => event::step(world, forcing, settings, max_dt, scratch, timer),
        Integrator::Stepping if settings.contact.law == ContactLaw::Coulomb => {
            fixed::step(world, forcing, settings, max_dt, scratch, timer)
        }
        Integrator::Stepping => convex::step(world, forcing, settings, max_dt, scratch, timer),
    };
    if may_stop && matches!(result, Err(StepError::Squeezed { .. })) {
        scratch.before.restore(world);
    }
    result
}
