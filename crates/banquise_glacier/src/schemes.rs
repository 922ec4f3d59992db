//! The schemes: how a state becomes the next one.

use crate::chain::Chain;
use crate::implicit::{NewtonScratch, Stalled, Weights, solve};
use crate::state::{State, seismogenic_force};

/// How a step is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Verlet's scheme with the friction of the velocity before, as in Beguin (2020), eq. 1: explicit.
    LaggedVerlet,
    /// Elasticity explicit, friction implicit for each node alone.
    SemiImplicit,
    /// Everything implicit, of first order.
    BackwardEuler,
    /// Hilber, Hughes and Taylor (1977): everything implicit, of second order, numerical damping by α.
    Hht {
        /// α in [−1/3, 0]; −1/4 damps stiff friction best.
        alpha: f64,
    },
}

impl Scheme {
    /// Its name in scenarios and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::LaggedVerlet => "lagged-verlet",
            Self::SemiImplicit => "semi-implicit",
            Self::BackwardEuler => "backward-euler",
            Self::Hht { .. } => "hht",
        }
    }
}

/// γ and β of Newmark for α.
pub(crate) fn newmark(alpha: f64) -> (f64, f64) {
    (0.5 - alpha, 0.25 * (1.0 - alpha) * (1.0 - alpha))
}

/// Inputs of all schemes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stride<'a> {
    pub(crate) chain: &'a Chain,
    pub(crate) dt: f64,
    /// `F_c` at the end of the step \[N m⁻¹\].
    pub(crate) contact: f64,
}

/// Outcome of a step of a scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outcome {
    /// Linear solves of the whole chain.
    pub(crate) iterations: u32,
    /// `F_s` at the end of the step as the scheme's own balance of forces has it \[N m⁻¹\].
    pub(crate) felt: f64,
}

/// Makes one step of the displacements, velocities, sliding variables and accelerations.
pub(crate) fn advance(
    scheme: Scheme,
    stride: Stride<'_>,
    state: &mut State,
    scratch: &mut NewtonScratch,
) -> Result<Outcome, Stalled> {
    match scheme {
        Scheme::LaggedVerlet => Ok(lagged_verlet(stride, state, &mut scratch.rhs)),
        Scheme::SemiImplicit => Ok(semi_implicit(stride, state, &mut scratch.rhs)),
        Scheme::BackwardEuler => backward_euler(stride, state, scratch),
        Scheme::Hht { alpha } => hht(alpha, stride, state, scratch),
    }
}

/// u⁺ = u + Δt v + Δt²/2 a, a⁺ from u⁺ and the *old* v, v⁺ = v + Δt/2 (a + a⁺).
fn lagged_verlet(stride: Stride<'_>, state: &mut State, force: &mut [f64]) -> Outcome {
    let Stride { chain, dt, contact } = stride;
    let (v_eq, w_eq) = (chain.equilibrium_velocity(), chain.equilibrium_sliding());
    let felt = seismogenic_force(chain, &state.sliding);
    for (i, force) in force.iter_mut().enumerate() {
        let drift = state.velocity[i] - v_eq + 0.5 * dt * state.acceleration[i];
        state.displacement[i] += dt * drift;
        *force = -chain.block_friction() * chain.share(i) * (state.sliding[i] - w_eq);
    }
    force[0] += contact;
    chain.add_stiffness(-1.0, &state.displacement, force);
    for (i, force) in force.iter().enumerate() {
        let acceleration = force / (chain.block_mass() * chain.share(i));
        state.velocity[i] += 0.5 * dt * (state.acceleration[i] + acceleration);
        state.acceleration[i] = acceleration;
        state.sliding[i] = chain.bed().sliding(state.velocity[i]);
    }
    Outcome {
        iterations: 0,
        felt,
    }
}

/// m (v⁺ − v)/Δt + f(v⁺) = P + `F_c`⁺ − K u for each node alone, then u⁺ = u + Δt v⁺.
fn semi_implicit(stride: Stride<'_>, state: &mut State, force: &mut [f64]) -> Outcome {
    let Stride { chain, dt, contact } = stride;
    let (bed, v_eq) = (chain.bed(), chain.equilibrium_velocity());
    force.fill(0.0);
    force[0] = contact;
    chain.add_stiffness(-1.0, &state.displacement, force);
    let kappa = dt * chain.block_friction() / chain.block_mass();
    let weight = kappa * chain.equilibrium_sliding();
    for (i, force) in force.iter().enumerate() {
        let push = dt * force / (chain.block_mass() * chain.share(i));
        let before = state.velocity[i];
        let w = bed.solve_block(kappa, before + push + weight);
        let velocity = bed.velocity(w);
        state.sliding[i] = w;
        state.velocity[i] = velocity;
        state.acceleration[i] = (velocity - before) / dt;
        state.displacement[i] += dt * (velocity - v_eq);
    }
    Outcome {
        iterations: 0,
        felt: seismogenic_force(chain, &state.sliding),
    }
}

/// First guess of w⁺, from v + Δt a.
fn predict(stride: Stride<'_>, state: &mut State) {
    let bed = stride.chain.bed();
    for (i, w) in state.sliding.iter_mut().enumerate() {
        *w = bed.sliding(state.velocity[i] + stride.dt * state.acceleration[i]);
    }
}

/// M (v⁺ − v)/Δt + K (u + Δt v⁺) + f(v⁺) = P + `F_c`⁺.
fn backward_euler(
    stride: Stride<'_>,
    state: &mut State,
    scratch: &mut NewtonScratch,
) -> Result<Outcome, Stalled> {
    let Stride { chain, dt, contact } = stride;
    let v_eq = chain.equilibrium_velocity();
    let weights = Weights {
        inertia: 1.0 / dt,
        stiffness: dt,
        friction: 1.0,
    };
    for i in 0..chain.nodes() {
        let mass = chain.block_mass() * chain.share(i);
        scratch.rhs[i] = mass / dt * (state.velocity[i] - v_eq);
    }
    scratch.rhs[0] += contact;
    chain.add_stiffness(-1.0, &state.displacement, &mut scratch.rhs);
    predict(stride, state);
    let iterations = solve(chain, weights, scratch, &mut state.sliding)?;
    for i in 0..chain.nodes() {
        let velocity = chain.bed().velocity(state.sliding[i]);
        state.acceleration[i] = (velocity - state.velocity[i]) / dt;
        state.velocity[i] = velocity;
        state.displacement[i] += dt * (velocity - v_eq);
    }
    Ok(Outcome {
        iterations,
        felt: seismogenic_force(chain, &state.sliding),
    })
}

/// M a⁺ + (1+α)(K u + f − p)⁺ − α (K u + f − p) = 0 with Newmark's u⁺ and v⁺, solved for w⁺.
fn hht(
    alpha: f64,
    stride: Stride<'_>,
    state: &mut State,
    scratch: &mut NewtonScratch,
) -> Result<Outcome, Stalled> {
    let Stride { chain, dt, contact } = stride;
    let (gamma, beta) = newmark(alpha);
    let (v_eq, w_eq) = (chain.equilibrium_velocity(), chain.equilibrium_sliding());
    let (now, before) = (1.0 + alpha, alpha);
    let weights = Weights {
        inertia: 1.0 / (gamma * dt),
        stiffness: now * beta * dt / gamma,
        friction: now,
    };
    let ratio = beta / gamma;
    // u⁺ = u* + (β Δt/γ) y⁺; `displacement` becomes u*, and `mixed` (1+α) u* − α u, whose
    // elastic force is known.
    for i in 0..chain.nodes() {
        let (mass, friction) = (
            chain.block_mass() * chain.share(i),
            chain.block_friction() * chain.share(i),
        );
        let y = state.velocity[i] - v_eq;
        let a = state.acceleration[i];
        scratch.rhs[i] = mass * (y / (gamma * dt) + (1.0 - gamma) / gamma * a)
            + before * friction * (state.sliding[i] - w_eq);
        let shift = dt * (1.0 - ratio) * y + dt * dt * (0.5 - ratio) * a;
        scratch.mixed[i] = state.displacement[i] + now * shift;
        state.displacement[i] += shift;
    }
    scratch.rhs[0] += now * contact - before * state.contact;
    chain.add_stiffness(-1.0, &scratch.mixed, &mut scratch.rhs);
    predict(stride, state);
    let iterations = solve(chain, weights, scratch, &mut state.sliding)?;
    for i in 0..chain.nodes() {
        let velocity = chain.bed().velocity(state.sliding[i]);
        let acceleration = (velocity - state.velocity[i]) / (gamma * dt)
            - (1.0 - gamma) / gamma * state.acceleration[i];
        state.displacement[i] += ratio * dt * (velocity - v_eq);
        state.velocity[i] = velocity;
        state.acceleration[i] = acceleration;
    }
    Ok(Outcome {
        iterations,
        felt: seismogenic_force(chain, &state.sliding),
    })
}
