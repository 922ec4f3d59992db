//! One implicit step of the whole chain: Newton's method on the sliding variable, with a banded solve.
//!
//! All implicit schemes come down to the same equation for w, with y = V(w) − `v_eq`,
//!
//! ```text
//! a M y + b K y + c F (w − w_eq) = r
//! ```
//!
//! and differ in the factors a, b, c and in r. The Jacobian (a M + b K) V′(w) + c F is tridiagonal and its columns
//! are dominated by their diagonal, so elimination needs no pivots.

use crate::chain::Chain;

/// Factors of inertia, elasticity and friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    pub(crate) inertia: f64,
    pub(crate) stiffness: f64,
    pub(crate) friction: f64,
}

/// Arrays of the solve, kept between steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewtonScratch {
    /// The right-hand side, filled by the caller.
    pub(crate) rhs: Vec<f64>,
    /// Displacements whose elastic force is known, for schemes that mix two times.
    pub(crate) mixed: Vec<f64>,
    velocity: Vec<f64>,
    slope: Vec<f64>,
    upper: Vec<f64>,
    change: Vec<f64>,
    base: Vec<f64>,
}

impl NewtonScratch {
    pub(crate) fn new(nodes: usize) -> Self {
        let zeros = || vec![0.0; nodes];
        Self {
            rhs: zeros(),
            mixed: zeros(),
            velocity: zeros(),
            slope: zeros(),
            upper: zeros(),
            change: zeros(),
            base: zeros(),
        }
    }
}

/// Full steps before the method becomes careful. It needs two to four; some twenty where blocks of centimetres pass
/// through rest one after the other.
const FULL_STEPS: u32 = 60;
/// Careful steps after which it gives up.
const CAREFUL_STEPS: u32 = 1000;
/// The last change of w, relative to the largest w. The error after it is its square: rounding.
const LAST_CHANGE: f64 = 1e-7;

/// Newton's method did not end: iterations made and last relative change.
#[derive(Debug)]
pub(crate) struct Stalled {
    pub(crate) iterations: u32,
    pub(crate) change: f64,
}

/// Improves `w` until it solves the equation; gives the number of linear solves.
pub(crate) fn solve(
    chain: &Chain,
    weights: Weights,
    scratch: &mut NewtonScratch,
    w: &mut [f64],
) -> Result<u32, Stalled> {
    scratch.base.copy_from_slice(w);
    let mut change = f64::INFINITY;
    for iteration in 1..=FULL_STEPS {
        let largest = improve(chain, weights, scratch, w, &mut change);
        if change <= LAST_CHANGE * largest {
            return Ok(iteration);
        }
        if !change.is_finite() {
            break;
        }
    }
    w.copy_from_slice(&scratch.base);
    solve_carefully(chain, weights, scratch, w)
}

/// Solves by Newton's method with a line search: each step is halved until the potential decreases.
///
/// In terms of velocities the solution is the minimum of a convex potential, and Newton's direction is a direction of descent; so
/// this converges where full steps do not.
fn solve_carefully(
    chain: &Chain,
    weights: Weights,
    scratch: &mut NewtonScratch,
    w: &mut [f64],
) -> Result<u32, Stalled> {
    let mut change = f64::INFINITY;
    let mut merit = merit_of(chain, weights, scratch, w);
    for iteration in 1..=CAREFUL_STEPS {
        scratch.base.copy_from_slice(w);
        let largest = improve(chain, weights, scratch, w, &mut change);
        if change <= LAST_CHANGE * largest {
            return Ok(FULL_STEPS + iteration);
        }
        let mut part = 1.0;
        let mut next = merit_of(chain, weights, scratch, w);
        while !next.is_better_than(&merit) && part > f64::EPSILON {
            part *= 0.5;
            for (i, w) in w.iter_mut().enumerate() {
                *w = scratch.base[i] + part * scratch.change[i];
            }
            next = merit_of(chain, weights, scratch, w);
        }
        merit = next;
        if !merit.potential.is_finite() {
            break;
        }
    }
    Err(Stalled {
        iterations: FULL_STEPS + CAREFUL_STEPS,
        change,
    })
}

/// How good a w is.
#[derive(Debug, Clone, Copy)]
struct Merit {
    /// Merit function far from the solution; close to it rounding hides its decrease.
    potential: f64,
    /// Sum of the squares of the residual: tells the way close to the end.
    residual: f64,
}

impl Merit {
    /// By either measure; NaN is never better.
    fn is_better_than(&self, other: &Self) -> bool {
        self.potential < other.potential || self.residual < other.residual
    }
}

/// The potential is ½ y·(a M + b K) y + c F ∫ (w − `w_eq`) dv − r·y.
fn merit_of(chain: &Chain, weights: Weights, scratch: &mut NewtonScratch, w: &[f64]) -> Merit {
    let (v_eq, w_eq) = (chain.equilibrium_velocity(), chain.equilibrium_sliding());
    let inertia = weights.inertia * chain.block_mass();
    let friction = weights.friction * chain.block_friction();
    let spring = weights.stiffness * chain.stiffness();
    for (w, y) in w.iter().zip(scratch.velocity.iter_mut()) {
        *y = chain.bed().velocity(*w) - v_eq;
    }
    let y = &scratch.velocity;
    let (mut potential, mut squares) = (0.0, 0.0);
    for (i, &w) in w.iter().enumerate() {
        let (share, rhs) = (chain.share(i), scratch.rhs[i]);
        let mut residual = rhs - share * (inertia * y[i] + friction * (w - w_eq));
        let sliding = chain.bed().work(w) - w_eq * y[i];
        potential += share * (0.5 * inertia * y[i] * y[i] + friction * sliding) - rhs * y[i];
        if i > 0 {
            let stretch = y[i - 1] - y[i];
            potential += 0.5 * spring * stretch * stretch;
            residual += spring * stretch;
        }
        if i + 1 < y.len() {
            residual += spring * (y[i + 1] - y[i]);
        }
        squares += residual * residual;
    }
    Merit {
        potential,
        residual: squares,
    }
}

/// One iteration. Gives the largest |w|, and sets the largest change of it.
fn improve(
    chain: &Chain,
    weights: Weights,
    scratch: &mut NewtonScratch,
    w: &mut [f64],
    change: &mut f64,
) -> f64 {
    let (bed, nodes) = (chain.bed(), w.len());
    let NewtonScratch {
        rhs,
        velocity,
        slope,
        upper,
        change: delta,
        mixed: _,
        base: _,
    } = scratch;
    for ((w, v), s) in w.iter().zip(velocity.iter_mut()).zip(slope.iter_mut()) {
        (*v, *s) = bed.velocity_and_slope(*w);
    }
    let (v_eq, w_eq) = (chain.equilibrium_velocity(), chain.equilibrium_sliding());
    let inertia = weights.inertia * chain.block_mass();
    let friction = weights.friction * chain.block_friction();
    let spring = weights.stiffness * chain.stiffness();
    // Forward: the residual, and elimination of what is below the diagonal.
    let (mut upper_before, mut delta_before) = (0.0, 0.0);
    for i in 0..nodes {
        let share = chain.share(i);
        let mass = inertia * share;
        let (left, right) = (i > 0, i + 1 < nodes);
        let mut residual = rhs[i] - mass * (velocity[i] - v_eq) - friction * share * (w[i] - w_eq);
        let mut diagonal = mass;
        let (mut below, mut above) = (0.0, 0.0);
        if left {
            residual += spring * (velocity[i - 1] - velocity[i]);
            diagonal += spring;
            below = -spring * slope[i - 1];
        }
        if right {
            residual += spring * (velocity[i + 1] - velocity[i]);
            diagonal += spring;
            above = -spring * slope[i + 1];
        }
        let pivot = 1.0 / (diagonal * slope[i] + friction * share - below * upper_before);
        upper_before = above * pivot;
        delta_before = (residual - below * delta_before) * pivot;
        upper[i] = upper_before;
        delta[i] = delta_before;
    }
    // Backward.
    let (mut after, mut largest_change, mut largest) = (0.0, 0.0_f64, w_eq.abs());
    for i in (0..nodes).rev() {
        after = delta[i] - upper[i] * after;
        delta[i] = after;
        w[i] += after;
        largest = largest.max(w[i].abs());
        // `max` would lose a NaN.
        if after.abs() > largest_change || after.is_nan() {
            largest_change = after.abs();
        }
    }
    *change = largest_change;
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BedLaw, ChainSettings};

    /// Left-hand side of the equation.
    fn apply(chain: &Chain, weights: Weights, w: &[f64]) -> Vec<f64> {
        let y: Vec<f64> = w
            .iter()
            .map(|&w| chain.bed().velocity(w) - chain.equilibrium_velocity())
            .collect();
        let mut out: Vec<f64> = (0..w.len())
            .map(|i| {
                let sliding = w[i] - chain.equilibrium_sliding();
                chain.share(i)
                    * (weights.inertia * chain.block_mass() * y[i]
                        + weights.friction * chain.block_friction() * sliding)
            })
            .collect();
        chain.add_stiffness(weights.stiffness, &y, &mut out);
        out
    }

    /// Numbers in [-1, 1] without a generator.
    fn noise(seed: usize) -> f64 {
        let mixed = (seed as u32).wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
        let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
        f64::from(mixed >> 8) / f64::from(1 << 23) - 1.0
    }

    #[test]
    fn a_known_solution_is_found_from_afar_for_every_law() {
        for (n, linear_below) in [(3.0, 0.0), (3.0, 2e-6), (1.0, 0.0), (4.5, 0.0), (1.2, 1e-6)] {
            let bed = BedLaw {
                stress_exponent: n,
                linear_below,
                ..BedLaw::default()
            };
            let settings = ChainSettings {
                bed,
                blocks: 40,
                ..ChainSettings::default()
            };
            let chain = Chain::try_new(settings).unwrap();
            for (seed, dt) in [(1, 1e-4), (2, 0.1), (3, 10.0), (4, 1e4)] {
                let weights = Weights {
                    inertia: 1.0 / dt,
                    stiffness: dt,
                    friction: 0.8,
                };
                let scale = 3.0 * chain.equilibrium_sliding().abs();
                let known: Vec<f64> = (0..chain.nodes())
                    .map(|i| scale * noise(100 * seed + i))
                    .collect();
                let mut scratch = NewtonScratch::new(chain.nodes());
                scratch.rhs = apply(&chain, weights, &known);
                let mut w = vec![chain.equilibrium_sliding(); chain.nodes()];
                let iterations = solve(&chain, weights, &mut scratch, &mut w).unwrap();
                let gap = |(a, b): (&f64, &f64)| (a - b).abs();
                let error = w.iter().zip(&known).map(gap).fold(0.0, f64::max);
                // Rounding of the large terms of long steps, a million times those of the bed.
                assert!(
                    error < 1e-6 * scale,
                    "n {n} dt {dt}: {error} after {iterations}"
                );
                assert!(iterations < 60, "n {n} dt {dt}: {iterations}");
            }
        }
    }
}
