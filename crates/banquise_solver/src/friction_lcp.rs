//! Coulomb friction in the plane as a linear complementarity problem, exactly (Stewart & Trinkle
//! 1996; Anitescu & Potra 1997; Rabatel 2015, eq. 1.1.23).
//!
//! Unknowns of m contacts: normal impulses λ, tangential impulses β⁺ and β⁻ along +t and −t, and
//! α, the slip speed. With W split into normal and tangential parts,
//!
//! ```text
//! uₙ      = Wₙₙ λ + Wₙₜ (β⁺ − β⁻) + bₙ            ⟂ λ
//! uₜ + α  = Wₜₙ λ + Wₜₜ (β⁺ − β⁻) + bₜ + α        ⟂ β⁺
//! −uₜ + α = −(…)                         + α      ⟂ β⁻
//! μ(λ + c) − β⁺ − β⁻                              ⟂ α
//! ```
//!
//! For a positive semi-definite W the matrix is copositive and Lemke's method finds a solution
//! (Rabatel 2015, theorem 1.1.6).

use crate::lcp::Lcp;
use crate::local::LocalProblem;
use crate::matrix::Matrix;
use crate::workspace::{PooledVec, SolverContext};

/// Builds the problem; unknowns in the order λ, β⁺ and β⁻ contact by contact, α.
pub fn friction_lcp<'w>(context: SolverContext<'w>, problem: &LocalProblem<'_>) -> Lcp<'w> {
    let count = problem.contact_count();
    let mut matrix = Matrix::zeros_in(context, 4 * count, 4 * count);
    let mut constant = context.filled(0.0, 4 * count);
    for i in 0..count {
        let (forward, backward, slip) = (count + 2 * i, count + 2 * i + 1, 3 * count + i);
        for (j, block) in problem.delassus.row(i) {
            for (column, sign, part) in [
                (j, 1.0, 0),
                (count + 2 * j, 1.0, 1),
                (count + 2 * j + 1, -1.0, 1),
            ] {
                matrix.set(i, column, sign * block[0][part]);
                matrix.set(forward, column, sign * block[1][part]);
                matrix.set(backward, column, -sign * block[1][part]);
            }
        }
        matrix.set(forward, slip, 1.0);
        matrix.set(backward, slip, 1.0);
        matrix.set(slip, i, problem.friction[i]);
        matrix.set(slip, forward, -1.0);
        matrix.set(slip, backward, -1.0);
        constant[i] = problem.free_velocity[2 * i];
        constant[forward] = problem.free_velocity[2 * i + 1];
        constant[backward] = -problem.free_velocity[2 * i + 1];
        constant[slip] = problem.friction[i] * problem.prior_normal_impulse[i];
    }
    Lcp::new(matrix, constant)
}

/// Impulses, normal and tangential for each contact, from the unknowns of [`friction_lcp`].
pub fn impulses_from_lcp<'w>(context: SolverContext<'w>, z: &[f64]) -> PooledVec<'w, f64> {
    let count = z.len() / 4;
    context.collect((0..count).flat_map(|i| [z[i], z[count + 2 * i] - z[count + 2 * i + 1]]))
}
