//! All complementary bases, one after the other: slow, and right by construction. The oracle of the
//! tests for small problems.

use super::{Lcp, LcpSolution, LcpStatus, lemke};
use crate::matrix::Matrix;
use crate::workspace::{PooledVec, SolverContext, with_defaults};

/// Unknowns up to which enumeration is allowed: 2¹⁶ bases.
pub const MAX_ENUMERATED_UNKNOWNS: usize = 16;

/// Tries every choice of basic z. `None` if the problem is too large.
///
/// A problem whose every complementary basis is regular and fails, or singular with conditions that
/// contradict each other, has no solution. Where neither is the case nothing is proved, and the status
/// stays [`LcpStatus::PivotLimit`].
pub fn enumerate(lcp: &Lcp<'_>) -> Option<LcpSolution<'static>> {
    with_defaults(|context| enumerate_in(context, lcp).map(LcpSolution::detached))
}

fn enumerate_in<'w>(context: SolverContext<'w>, lcp: &Lcp<'w>) -> Option<LcpSolution<'w>> {
    let size = lcp.size();
    if size > MAX_ENUMERATED_UNKNOWNS {
        return None;
    }
    let mut all_fail = true;
    let mut best: Option<(f64, PooledVec<'w, f64>)> = None;
    for choice in 0..1_u32 << size {
        let basic: Vec<usize> = (0..size).filter(|&i| choice >> i & 1 == 1).collect();
        let Some(z) = lcp.solve_basis(context, &basic) else {
            all_fail &= contradicts(lcp, &basic);
            continue;
        };
        let residual = lcp.residual_in(context, &z);
        if residual <= context.settings.accuracy.acceptable
            && best.as_ref().is_none_or(|(least, _)| residual < *least)
        {
            best = Some((residual, z));
        }
    }
    let pivots = 1 << size;
    Some(match best {
        Some((_, z)) => LcpSolution {
            status: LcpStatus::Solved,
            z,
            pivots,
        },
        None => LcpSolution {
            status: if all_fail {
                LcpStatus::Infeasible
            } else {
                LcpStatus::PivotLimit
            },
            z: context.filled(0.0, size),
            pivots,
        },
    })
}

/// Whether no z ≥ 0 on these indices gives w = 0 there and w ≥ 0 elsewhere.
///
/// The inequalities G z ≥ h are themselves a complementarity problem, with the matrix [0, −Gᵀ; G, 0].
/// It is skew-symmetric and so copositive-plus: a ray proves that they contradict each other.
fn contradicts(lcp: &Lcp<'_>, basic: &[usize]) -> bool {
    let unknowns = basic.len();
    let equal = basic.iter().flat_map(|&i| [(i, 1.0), (i, -1.0)]);
    let above = (0..lcp.size())
        .filter(|i| !basic.contains(i))
        .map(|i| (i, 1.0));
    let inequalities: Vec<(usize, f64)> = equal.chain(above).collect();
    let size = unknowns + inequalities.len();
    let mut matrix = Matrix::zeros(size, size);
    let mut constant = vec![0.0; size];
    for (row, &(i, sign)) in inequalities.iter().enumerate() {
        let row = unknowns + row;
        for (column, &j) in basic.iter().enumerate() {
            let entry = sign * lcp.matrix.get(i, j);
            matrix.set(row, column, entry);
            matrix.set(column, row, -entry);
        }
        constant[row] = sign * lcp.constant[i];
    }
    lemke(&Lcp::new(matrix, constant)).status == LcpStatus::Ray
}
