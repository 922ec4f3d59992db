//! The one judge of all contact solvers.

use crate::local::LocalProblem;

/// The scaled residual of impulses for a friction problem: zero for a solution and for nothing else.
///
/// The largest over contacts of |min(uₙ, pₙ)| and |pₜ − [pₜ − uₜ]|, [·] being the nearest value within
/// ±μ (pₙ + c), velocities and impulses being measured in units of the contact's effective mass and
/// of the largest free velocity. The natural map of the complementarity problem, as for instance in
/// Acary & Brogliato 2008, section 13.3.
pub fn residual(problem: &LocalProblem, impulses: &[f64]) -> f64 {
    let (scaled, scaling) = problem.scaled();
    let impulses: Vec<f64> = impulses
        .iter()
        .enumerate()
        .map(|(i, p)| p / (scaling.contacts[i / 2] * scaling.velocity))
        .collect();
    scaled_residual(&scaled, &impulses)
}

/// The same for a problem that is scaled already.
pub(crate) fn scaled_residual(problem: &LocalProblem, impulses: &[f64]) -> f64 {
    natural_residual(problem, impulses, &problem.velocity(impulses))
}

/// The same with the velocities that go with the impulses.
pub(crate) fn natural_residual(problem: &LocalProblem, impulses: &[f64], velocity: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for contact in 0..problem.contact_count() {
        let (normal, tangent) = (2 * contact, 2 * contact + 1);
        let bound = problem.friction[contact] * (impulses[normal] + problem.carried[contact]);
        let bound = bound.max(0.0);
        let normal_error = velocity[normal].min(impulses[normal]).abs();
        let nearest = (impulses[tangent] - velocity[tangent]).clamp(-bound, bound);
        let tangent_error = (impulses[tangent] - nearest).abs();
        let error = normal_error.max(tangent_error);
        // `max` would drop a NaN.
        worst = if error.is_nan() {
            f64::INFINITY
        } else {
            worst.max(error)
        };
    }
    worst
}
