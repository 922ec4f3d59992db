//! The convex relaxation, which always has a solution: least ½ pᵀWp + bᵀp over the friction cones.
//!
//! Its minimum never adds energy and keeps every impulse in its cone; what it gives up is that a
//! sliding contact may lift off a little (uₙ ≥ μ|uₜ| instead of uₙ = 0; Anitescu 2006). The last
//! resort of the cascade, counted whenever it is used.

use crate::gauss_seidel::sparse_rows;
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
    // The operator is symmetric: its rows are its columns.
    let columns = sparse_rows(&problem.delassus);
    for _ in 0..MAX_SWEEPS {
        let mut change = 0.0_f64;
        let mut size = f64::MIN_POSITIVE;
        for contact in 0..count {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let trace = problem.delassus.get(n, n) + problem.delassus.get(t, t);
            if trace <= 0.0 {
                continue;
            }
            let step = 1.0 / trace;
            let trial = [
                impulses[n] - step * velocity[n],
                impulses[t] - step * velocity[t],
            ];
            let next = project(trial, problem.friction[contact], problem.carried[contact]);
            for (index, value) in [(n, next[0]), (t, next[1])] {
                let difference = value - impulses[index];
                if difference != 0.0 {
                    impulses[index] = value;
                    for &(row, entry) in &columns[index] {
                        velocity[row] += difference * entry;
                    }
                }
                change = change.max(difference.abs());
                size = size.max(value.abs());
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
