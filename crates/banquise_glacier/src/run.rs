//! A run of the chain: state, steps, and the balance that every step must keep.

use crate::chain::Chain;
use crate::contact::ContactForce;
use crate::error::GlacierError;
use crate::implicit::NewtonScratch;
use crate::schemes::{Outcome, Scheme, Stride, advance, newmark};
use crate::stability::{elastic_limit, friction_limit, stable_step};
use crate::state::{State, momentum, seismogenic_force};

/// Policy for a step that is longer than the longest stable one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OverLimit {
    /// Refuse it, at the start and whenever the flow slows down.
    #[default]
    Refuse,
    /// Go on and count.
    Warn,
}

/// How a run is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunSettings {
    /// The scheme.
    pub scheme: Scheme,
    /// Length of a step \[s\].
    pub dt: f64,
    /// Velocity of all blocks at the start, positive upstream \[m s⁻¹\]; steady sliding if none.
    pub initial_velocity: Option<f64>,
    /// Policy for a step that is too long.
    pub over_limit: OverLimit,
}

impl RunSettings {
    /// From steady sliding, refusing steps that are too long.
    pub fn new(scheme: Scheme, dt: f64) -> Self {
        Self {
            scheme,
            dt,
            initial_velocity: None,
            over_limit: OverLimit::Refuse,
        }
    }
}

/// Report of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// `F_c` at its end \[N m⁻¹\].
    pub contact: f64,
    /// `F_s` at its end, of the velocities at its end \[N m⁻¹\].
    pub seismogenic: f64,
    /// Change of Σ m v over the step, divided by it \[N m⁻¹\].
    pub momentum_rate: f64,
    /// |`F_s` + d/dt Σ m v − `F_c`| over the largest forces so far.
    pub gap: f64,
    /// Linear solves.
    pub iterations: u32,
}

/// Totals since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunTotals {
    /// Linear solves.
    pub iterations: u64,
    /// Most linear solves of one step.
    pub most_iterations: u32,
    /// Largest gap of the identity, relative to the forces.
    pub largest_gap: f64,
    /// Steps longer than the longest stable one at their start.
    pub steps_over_limit: u64,
    /// Time of the first of them \[s\].
    pub first_over_limit: Option<f64>,
}

/// Beyond this the identity counts as broken. Newton's method ends at rounding; sums of a million terms stay
/// below 1e-11.
pub const IDENTITY_TOLERANCE: f64 = 1e-9;

/// Rounding of a sum of momenta, relative to their sizes.
const MOMENTUM_ROUNDING: f64 = 1e-13;

/// A chain under way.
#[derive(Debug, Clone)]
pub struct Run {
    chain: Chain,
    load: ContactForce,
    settings: RunSettings,
    state: State,
    scratch: NewtonScratch,
    totals: RunTotals,
    largest_force: f64,
}

impl Run {
    /// Whether a run with these settings can start.
    ///
    /// # Errors
    /// A step or an α that makes no sense, or a step that is too long where this is to be refused.
    pub fn check(chain: &Chain, settings: &RunSettings) -> Result<(), GlacierError> {
        let RunSettings { scheme, dt, .. } = *settings;
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(GlacierError::NotPositive {
                quantity: "the step (s)",
                value: dt,
            });
        }
        if let Scheme::Hht { alpha } = scheme
            && !(-1.0 / 3.0..=0.0).contains(&alpha)
        {
            return Err(GlacierError::OutOfRange {
                quantity: "α",
                requirement: "between -1/3 and 0",
                value: alpha,
            });
        }
        let velocity = settings
            .initial_velocity
            .unwrap_or(chain.equilibrium_velocity());
        if !velocity.is_finite() {
            return Err(GlacierError::OutOfRange {
                quantity: "the initial velocity (m/s)",
                requirement: "finite",
                value: velocity,
            });
        }
        if settings.over_limit == OverLimit::Refuse
            && let Some(limit) = stable_step(chain, scheme, velocity)
            && dt > limit
        {
            return Err(GlacierError::StepTooLong {
                dt,
                limit,
                scheme: scheme.name(),
            });
        }
        Ok(())
    }

    /// A run from the start.
    ///
    /// # Errors
    /// Those of [`Run::check`].
    pub fn try_new(
        chain: Chain,
        load: ContactForce,
        settings: RunSettings,
    ) -> Result<Self, GlacierError> {
        Self::check(&chain, &settings)?;
        let state = State::at_start(&chain, load.at(0.0), settings.initial_velocity);
        Ok(Self {
            scratch: NewtonScratch::new(chain.nodes()),
            chain,
            load,
            settings,
            state,
            totals: RunTotals::default(),
            largest_force: 0.0,
        })
    }

    /// The chain.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Displacements and velocities of the blocks.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Totals since the start.
    pub fn totals(&self) -> &RunTotals {
        &self.totals
    }

    /// `F_s` of the present velocities \[N m⁻¹\].
    pub fn seismogenic_force(&self) -> f64 {
        seismogenic_force(&self.chain, &self.state.sliding)
    }

    /// Makes one step.
    ///
    /// # Errors
    /// A step that became too long, no solution, a state that is not finite, a balance that is broken.
    pub fn step(&mut self) -> Result<StepReport, GlacierError> {
        self.check_limit()?;
        let RunSettings { scheme, dt, .. } = self.settings;
        let State { step, time, .. } = self.state;
        // Counted, not added up: rounding must not shift the load.
        let end = (step + 1) as f64 * dt;
        let stride = Stride {
            chain: &self.chain,
            dt,
            contact: self.load.at(end),
        };
        let outcome =
            advance(scheme, stride, &mut self.state, &mut self.scratch).map_err(|stalled| {
                match self.non_finite_block() {
                    Some(block) => GlacierError::NonFinite { step, time, block },
                    None => GlacierError::NotConverged {
                        step,
                        time,
                        iterations: stalled.iterations,
                        change: stalled.change,
                    },
                }
            })?;
        let report = self.balance(outcome, end)?;
        self.totals.iterations += u64::from(report.iterations);
        self.totals.most_iterations = self.totals.most_iterations.max(report.iterations);
        self.totals.largest_gap = self.totals.largest_gap.max(report.gap);
        Ok(report)
    }

    /// Explicit friction: the slowest block decides, and it changes.
    fn check_limit(&mut self) -> Result<(), GlacierError> {
        let RunSettings { scheme, dt, .. } = self.settings;
        let limit = match scheme {
            Scheme::LaggedVerlet => {
                let slowest = slowest(&self.state.velocity);
                let elastic = elastic_limit(&self.chain);
                friction_limit(&self.chain, slowest).min(elastic.unwrap_or(f64::INFINITY))
            }
            Scheme::SemiImplicit => elastic_limit(&self.chain).unwrap_or(f64::INFINITY),
            Scheme::BackwardEuler | Scheme::Hht { .. } => return Ok(()),
        };
        if dt <= limit {
            return Ok(());
        }
        let State { step, time, .. } = self.state;
        if self.settings.over_limit == OverLimit::Refuse {
            return Err(GlacierError::Slowed {
                step,
                time,
                speed: slowest(&self.state.velocity),
                dt,
                limit,
            });
        }
        self.totals.steps_over_limit += 1;
        self.totals.first_over_limit.get_or_insert(time);
        Ok(())
    }

    /// Moves the clock, and compares the change of momentum with the forces.
    fn balance(&mut self, outcome: Outcome, end: f64) -> Result<StepReport, GlacierError> {
        let RunSettings { scheme, dt, .. } = self.settings;
        let State { step, time, .. } = self.state;
        let contact = self.load.at(end);
        let momentum = momentum(&self.chain, &self.state.velocity);
        if !momentum.is_finite()
            && let Some(block) = self.non_finite_block()
        {
            return Err(GlacierError::NonFinite { step, time, block });
        }
        let net = contact - outcome.felt;
        let net_before = self.state.contact - self.state.felt;
        let (rate, old_part) = match scheme {
            Scheme::LaggedVerlet => (net, 0.5),
            Scheme::SemiImplicit | Scheme::BackwardEuler => (net, 0.0),
            Scheme::Hht { alpha } => (
                (1.0 + alpha) * net - alpha * net_before,
                1.0 - newmark(alpha).0,
            ),
        };
        let expected = old_part * self.state.momentum_rate + (1.0 - old_part) * rate;
        let measured = (momentum - self.state.momentum) / dt;
        let forces = contact.abs() + total_forces(&self.chain, &self.state);
        self.largest_force = self.largest_force.max(forces);
        let gap = if measured == expected {
            0.0
        } else {
            (measured - expected).abs() / self.largest_force
        };
        // Rounding of the momentum itself matters where inertia is large, as in very short steps.
        let rounding = MOMENTUM_ROUNDING * total_momentum(&self.chain, &self.state.velocity) / dt;
        if gap > IDENTITY_TOLERANCE + rounding / self.largest_force {
            return Err(GlacierError::IdentityBroken { step, time, gap });
        }
        let state = &mut self.state;
        (state.time, state.step) = (end, step + 1);
        (state.contact, state.felt) = (contact, outcome.felt);
        (state.momentum, state.momentum_rate) = (momentum, rate);
        let seismogenic = match scheme {
            Scheme::LaggedVerlet => self.seismogenic_force(),
            _ => outcome.felt,
        };
        Ok(StepReport {
            contact,
            seismogenic,
            momentum_rate: measured,
            gap,
            iterations: outcome.iterations,
        })
    }

    fn non_finite_block(&self) -> Option<usize> {
        let State {
            velocity,
            displacement,
            sliding,
            ..
        } = &self.state;
        let all_finite = |i: &usize| {
            velocity[*i].is_finite() && displacement[*i].is_finite() && sliding[*i].is_finite()
        };
        (0..velocity.len()).find(|i| !all_finite(i))
    }
}

/// Σ m |v| \[kg s⁻¹\].
fn total_momentum(chain: &Chain, velocity: &[f64]) -> f64 {
    let terms = velocity.iter().enumerate();
    let sum: f64 = terms.map(|(i, v)| chain.share(i) * v.abs()).sum();
    chain.block_mass() * sum
}

/// Σ |f| + Σ |m a| \[N m⁻¹\]: the scale of the forces, those of the springs too.
fn total_forces(chain: &Chain, state: &State) -> f64 {
    let (friction, mass) = (chain.block_friction(), chain.block_mass());
    let terms = state.sliding.iter().zip(&state.acceleration).enumerate();
    terms
        .map(|(i, (w, a))| chain.share(i) * (friction * w.abs() + mass * a.abs()))
        .sum()
}

fn slowest(velocity: &[f64]) -> f64 {
    velocity
        .iter()
        .fold(f64::INFINITY, |low, v| low.min(v.abs()))
}
