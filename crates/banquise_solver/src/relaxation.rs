//! The convex relaxation, which always has a solution: least ½ pᵀWp + bᵀp over the friction cones.
//!
//! Its minimum never adds energy and keeps every impulse in its cone; what it gives up is that a
//! sliding contact may lift off a little (uₙ ≥ μ|uₜ| instead of uₙ = 0; Anitescu 2006). The last
//! resort of the cascade, counted whenever it is used.

use crate::local::LocalProblem;

/// Sweeps of projected Gauss–Seidel at most.
const MAX_SWEEPS: usize = 20_000;
/// Relative change of the impulses at which it is done.
const TOLERANCE: f64 = 1e-13;

/// The minimising impulses of a scaled problem.
pub(crate) fn relax(problem: &LocalProblem) -> Vec<f64> {
    let count = problem.contact_count();
    let mut impulses = vec![0.0; 2 * count];
    let mut velocity = problem.free_velocity.clone();
    for _ in 0..MAX_SWEEPS {
        let mut change = 0.0_f64;
        let mut size = f64::MIN_POSITIVE;
        for contact in 0..count {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let own = problem.delassus.diagonal(contact);
            let trace = own[0][0] + own[1][1];
            if trace <= 0.0 {
                continue;
            }
            let step = 1.0 / trace;
            let trial = [
                impulses[n] - step * velocity[n],
                impulses[t] - step * velocity[t],
            ];
            let next = project(trial, problem.friction[contact], problem.carried[contact]);
            let difference = [next[0] - impulses[n], next[1] - impulses[t]];
            if difference != [0.0; 2] {
                (impulses[n], impulses[t]) = (next[0], next[1]);
                // The operator is symmetric: its rows are its columns.
                for (other, [normal, tangent]) in problem.delassus.row(contact) {
                    for part in 0..2 {
                        velocity[2 * other + part] +=
                            difference[0] * normal[part] + difference[1] * tangent[part];
                    }
                }
            }
            for part in 0..2 {
                change = change.max(difference[part].abs());
                size = size.max(next[part].abs());
            }
        }
        if change <= TOLERANCE * size {
            break;
        }
    }
    impulses
}

/// The nearest point of the cone pₙ ≥ 0, |pₜ| ≤ μ (pₙ + c).
pub(crate) fn project([normal, tangent]: [f64; 2], friction: f64, carried: f64) -> [f64; 2] {
    let bound = friction * (normal.max(0.0) + carried);
    if normal >= 0.0 && tangent.abs() <= bound {
        return [normal, tangent];
    }
    // The foot on the side |pₜ| = μ (pₙ + c), or on pₙ = 0.
    let excess = tangent.abs() - friction * carried;
    let on_side = ((normal + friction * excess) / (1.0 + friction * friction)).max(0.0);
    let limit = (friction * (on_side + carried)).max(0.0);
    [on_side, tangent.clamp(-limit, limit)]
}
