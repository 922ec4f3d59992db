//! Many contacts: a sequence of convex problems, each solved by accelerated projected gradients.
//!
//! With the normal velocity shifted by μ|uₜ| (de Saxcé & Feng 1998) the friction law becomes the
//! condition of a minimum of ½ pᵀWp + bᵀp over the cones. For a given slip speed that minimum is a
//! convex problem; its solution gives the next slip speed. The gradients see the whole island at
//! once, where Gauss–Seidel sees one contact after the other.

use crate::gauss_seidel::{Reached, newton, sparse_rows};
use crate::local::LocalProblem;
use crate::relaxation::project;
use crate::residual::scaled_residual;

/// Slip speeds tried, and gradients for each.
const MAX_SHIFTS: usize = 400;
const GRADIENTS: usize = 300;
/// Newton's method is tried again when the residual has fallen by this factor.
const NEWTON_AFTER: f64 = 0.3;

/// Improves `best` until its residual is within `tolerance` or the tries are spent.
pub(crate) fn bipotential(problem: &LocalProblem, tolerance: f64, best: &mut Reached) {
    let rows = sparse_rows(&problem.delassus);
    let step = 1.0 / largest_eigenvalue(&rows);
    let mut impulses = best.impulses.clone();
    let mut newton_at = f64::INFINITY;
    for _ in 0..MAX_SHIFTS {
        let velocity = velocity_of(problem, &rows, &impulses);
        let shifted: Vec<f64> = problem
            .free_velocity
            .iter()
            .enumerate()
            .map(|(index, b)| match index % 2 {
                0 => b + problem.friction[index / 2] * velocity[index + 1].abs(),
                _ => *b,
            })
            .collect();
        minimise(problem, &rows, &shifted, step, &mut impulses);
        let residual = scaled_residual(problem, &impulses);
        if residual < newton_at {
            newton_at = NEWTON_AFTER * residual;
            best.keep_better(problem, &impulses);
            newton(problem, &impulses, tolerance, best);
        }
        if best.residual <= tolerance {
            return;
        }
    }
}

/// Accelerated projected gradients with restarts (Nesterov 1983; O'Donoghue & Candès 2015).
fn minimise(
    problem: &LocalProblem,
    rows: &[Vec<(usize, f64)>],
    constant: &[f64],
    step: f64,
    impulses: &mut [f64],
) {
    let mut ahead = impulses.to_vec();
    let mut momentum = 1.0_f64;
    for _ in 0..GRADIENTS {
        let mut turned_back = 0.0;
        let next_momentum = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
        let weight = (momentum - 1.0) / next_momentum;
        let gradient: Vec<f64> = rows
            .iter()
            .zip(constant)
            .map(|(row, b)| b + row.iter().map(|&(j, w)| w * ahead[j]).sum::<f64>())
            .collect();
        for contact in 0..problem.contact_count() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let trial = [ahead[n] - step * gradient[n], ahead[t] - step * gradient[t]];
            let next = project(trial, problem.friction[contact], problem.carried[contact]);
            for (index, value) in [(n, next[0]), (t, next[1])] {
                let change = value - impulses[index];
                turned_back += gradient[index] * change;
                impulses[index] = value;
                ahead[index] = value + weight * change;
            }
        }
        if turned_back > 0.0 {
            momentum = 1.0;
            ahead.copy_from_slice(impulses);
        } else {
            momentum = next_momentum;
        }
    }
}

fn velocity_of(problem: &LocalProblem, rows: &[Vec<(usize, f64)>], impulses: &[f64]) -> Vec<f64> {
    rows.iter()
        .zip(&problem.free_velocity)
        .map(|(row, b)| b + row.iter().map(|&(j, w)| w * impulses[j]).sum::<f64>())
        .collect()
}

/// The largest eigenvalue, by iteration from a fixed start, a little too large to be safe.
fn largest_eigenvalue(rows: &[Vec<(usize, f64)>]) -> f64 {
    const ITERATIONS: usize = 60;
    const SAFETY: f64 = 1.1;
    let mut vector: Vec<f64> = (0..rows.len()).map(|i| 1.0 + (i % 7) as f64).collect();
    let mut value = f64::MIN_POSITIVE;
    for _ in 0..ITERATIONS {
        let product = |row: &Vec<(usize, f64)>| row.iter().map(|&(j, w)| w * vector[j]).sum();
        let next: Vec<f64> = rows.iter().map(product).collect();
        let norm = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm == 0.0 {
            break;
        }
        value = norm;
        vector = next.iter().map(|x| x / norm).collect();
    }
    SAFETY * value
}
