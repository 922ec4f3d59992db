//! The residual of a friction problem, by which all contact solvers are judged.

use crate::local::LocalProblem;
use crate::projection_rows::Row;
use crate::workspace::{SolverContext, with_defaults};

/// The scaled residual of impulses for a friction problem: zero for a solution and for nothing else.
///
/// The largest over contacts of |min(uₙ, pₙ)| and |pₜ − [pₜ − uₜ]|, [·] being the nearest value within
/// ±μ (pₙ + c), velocities and impulses being measured in units of the contact's effective mass and
/// of the largest free velocity. The natural map of the complementarity problem, as for instance in
/// Acary & Brogliato 2008, section 13.3.
pub fn residual(problem: &LocalProblem<'_>, impulses: &[f64]) -> f64 {
    with_defaults(|context| {
        let (scaled, scaling) = problem.scaled(context);
        scaled_residual(context, &scaled, &scaling.scale(context, impulses))
    })
}

/// Residual of impulses for a problem that is scaled already.
pub(crate) fn scaled_residual(
    context: SolverContext<'_>,
    problem: &LocalProblem<'_>,
    impulses: &[f64],
) -> f64 {
    natural_residual(problem, impulses, &problem.velocity(context, impulses))
}

/// Residual of impulses and the velocities that belong to them, by the natural map.
pub(crate) fn natural_residual(
    problem: &LocalProblem<'_>,
    impulses: &[f64],
    velocity: &[f64],
) -> f64 {
    bounded_residual(problem, impulses, velocity, |_| f64::INFINITY)
}

/// Residual where normal impulses have an upper bound c: |pₙ − [pₙ − uₙ]| with [·] the nearest value within 0 and c.
#[inline]
pub(crate) fn bounded_residual(
    problem: &LocalProblem<'_>,
    impulses: &[f64],
    velocity: &[f64],
    largest: impl Fn(usize) -> f64,
) -> f64 {
    let mut worst = 0.0_f64;
    for contact in 0..problem.contact_count() {
        let (normal, tangent) = (2 * contact, 2 * contact + 1);
        let bound =
            problem.friction[contact] * (impulses[normal] + problem.prior_normal_impulse[contact]);
        let bound = bound.max(0.0);
        let is_beyond = impulses[normal] - velocity[normal] > largest(contact);
        let normal_error = if is_beyond {
            (impulses[normal] - largest(contact)).abs()
        } else {
            velocity[normal].min(impulses[normal]).abs()
        };
        let nearest = (impulses[tangent] - velocity[tangent]).clamp(-bound, bound);
        let tangent_error = (impulses[tangent] - nearest).abs();
        // `min` and `max` drop a NaN; a sum does not.
        let sum = velocity[normal] + velocity[tangent] + impulses[normal] + impulses[tangent];
        worst = if sum.is_nan() {
            f64::INFINITY
        } else {
            worst.max(normal_error).max(tangent_error)
        };
    }
    worst
}

/// Residual of a projection onto convex bounds, by the natural map of its normal directions: the largest of |p − [p − u]| with [·] the nearest impulse within bounds, with velocities and impulses in units of
/// the contact's effective mass and of the largest free velocity. `changes` are the normal velocities that the impulses add.
pub(crate) fn projection_residual(rows: &[Row], impulses: &[f64], changes: &[f64]) -> f64 {
    let scale = rows.iter().map(|row| row.free.abs()).fold(0.0, f64::max);
    let all = rows.iter().zip(impulses).zip(changes);
    let mut worst = 0.0_f64;
    for ((row, &impulse), change) in all {
        let velocity = row.free + change + row.compliance * impulse;
        let above = row.inv_mass * (impulse - row.least_impulse);
        let below = row.inv_mass * (row.most_impulse - impulse);
        let error = velocity.min(above).max(-below).abs();
        // `min` and `max` drop a NaN; a sum does not.
        worst = if (velocity + impulse).is_nan() {
            f64::INFINITY
        } else {
            worst.max(error)
        };
    }
    if scale > 0.0 { worst / scale } else { worst }
}

/// Least share of loads [–]: residuals in units of free velocities stay below the cap of the rounding-limited acceptance, 1e-4, for a tolerance of 1e-9.
const LEAST_SHARE: f64 = 1e-5;

/// The largest free velocity of a projection, as a share of the largest velocity that it is about: the free velocities, and those that the stresses of joints at the start would give their
/// bodies in the step. In a calm, frozen floes that hold each other in stress have free velocities of rounding alone, and a residual in units of these has no meaning. Solutions are judged by the residual times this.
pub(crate) fn share_of_loads(rows: &[Row]) -> f64 {
    let free = rows.iter().map(|row| row.free.abs()).fold(0.0, f64::max);
    let load = rows.iter().map(|row| row.load).fold(free, f64::max);
    if load > 0.0 {
        (free / load).max(LEAST_SHARE)
    } else {
        1.0
    }
}

/// Change of a velocity of a scaled problem that rounding of the impulses alone may cause: ε max Σ|W p|. It is far below any
/// tolerance, except where impulses between heavy bodies pass through a very light one, whose velocity is the small difference of large
/// numbers.
pub(crate) fn rounding(problem: &LocalProblem<'_>, impulses: &[f64]) -> f64 {
    let mut largest = 0.0_f64;
    for contact in 0..problem.contact_count() {
        let mut sums = [0.0; 2];
        for (other, block) in problem.delassus.row(contact) {
            for (sum, entries) in sums.iter_mut().zip(block) {
                *sum += (entries[0] * impulses[2 * other]).abs();
                *sum += (entries[1] * impulses[2 * other + 1]).abs();
            }
        }
        largest = largest.max(sums[0]).max(sums[1]);
    }
    f64::EPSILON * largest
}
