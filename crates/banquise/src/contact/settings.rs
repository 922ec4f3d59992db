//! The choices of contact.

use banquise_solver::{Cone, ImpactSettings, Mode, SolverSettings};

use super::capture::Capture;
use super::search::Range;

/// How close two bodies must come to be in contact.
///
/// A floe of area A has a collision distance η = √A/100 (Rabatel 2015, section 2.1.3); an obstacle has
/// none of its own and takes that of the floe.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CollisionDistance {
    /// The smaller of the two: contacts are where bodies are closest.
    #[default]
    Smaller,
    /// The larger of the two.
    Larger,
    /// The same for all \[m\].
    Fixed(f64),
}

impl CollisionDistance {
    /// Collision distance of a floe over the square root of its area.
    pub const RATIO: f64 = 0.01;

    /// Of a pair, given those of its two bodies \[m\]; infinite for an obstacle.
    pub(crate) fn of_pair(self, first: f64, second: f64) -> f64 {
        match self {
            Self::Fixed(distance) => distance,
            Self::Larger if first.is_finite() && second.is_finite() => first.max(second),
            Self::Smaller | Self::Larger => first.min(second),
        }
    }
}

/// How contacts and time go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integrator {
    /// Steps end where somebody may touch; impacts are solved when they happen.
    #[default]
    Event,
    /// Steps of one length; contacts are those that would happen in it. For large packs and long runs.
    Stepping,
}

/// How long bodies may keep their velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepRule {
    /// As long as nobody can touch, for certain.
    #[default]
    Guaranteed,
    /// As long as nobody should touch if bodies did not turn; where an exact look at the end of the
    /// step finds an overlap, the step is taken back and the guaranteed one taken (Rabatel 2015,
    /// section 2.1.5). A thin body may be passed through between two looks.
    Optimistic,
}

/// What a friction problem without a solution within tolerance does to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUnsolved {
    /// The run goes on with the convex relaxation, which keeps bodies apart and adds no energy. It is counted.
    #[default]
    Continue,
    /// The step fails.
    Stop,
}

/// The choices of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSettings {
    /// How contacts and time go together.
    pub integrator: Integrator,
    /// How close two bodies must come.
    pub distance: CollisionDistance,
    /// Which contacts are solved together.
    pub mode: Mode,
    /// The cone of friction in decompression.
    pub cone: Cone,
    /// A contact that approaches more slowly than this is left alone [m/s].
    ///
    /// The source compares this velocity with a distance (η/50); here it is a velocity, and zero
    /// unless asked for.
    pub slack_velocity: f64,
    /// How long bodies may keep their velocities.
    pub step_rule: StepRule,
    /// Whether floes that meet within a step do so in their own time, while all others go on; else the step
    /// of all ends before anybody can touch. Only with [`StepRule::Guaranteed`].
    pub local_time: bool,
    /// What a friction problem without a solution does to a run.
    pub on_unsolved: OnUnsolved,
    /// Which contact problems are kept for the report of the step. It changes no result.
    pub capture: Capture,
    /// Tolerances, limits and policy of the contact solvers.
    pub solver: SolverSettings,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            integrator: Integrator::default(),
            distance: CollisionDistance::default(),
            mode: Mode::default(),
            cone: Cone::default(),
            slack_velocity: 0.0,
            step_rule: StepRule::default(),
            local_time: true,
            on_unsolved: OnUnsolved::default(),
            capture: Capture::default(),
            solver: SolverSettings::DEFAULT,
        }
    }
}

impl ContactSettings {
    /// Whether floes meet in their own time.
    pub(crate) fn has_local_time(&self) -> bool {
        let is_event = self.integrator == Integrator::Event;
        is_event && self.local_time && self.step_rule == StepRule::Guaranteed
    }

    /// How far the search looks.
    pub(crate) fn search_range(&self) -> Range {
        match self.integrator {
            Integrator::Stepping => Range::Fastest,
            Integrator::Event if self.has_local_time() => Range::Velocities,
            Integrator::Event => Range::Margins,
        }
    }

    pub(crate) fn impact(&self) -> ImpactSettings {
        ImpactSettings {
            mode: self.mode,
            cone: self.cone,
            slack_velocity: self.slack_velocity,
        }
    }
}
