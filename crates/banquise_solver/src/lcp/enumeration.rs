//! All complementary bases, one after the other: slow, and right by construction. The oracle of the
//! tests for small problems.

use super::{Lcp, LcpSolution, LcpStatus};

/// Unknowns up to which enumeration is allowed: 2¹⁶ bases.
pub const MAX_ENUMERATED: usize = 16;

/// A basis is taken for a solution up to this scaled residual.
const TOLERANCE: f64 = 1e-9;

/// Tries every choice of basic z. `None` if the problem is too large.
///
/// A problem whose every complementary basis is regular and fails has no solution; where a basis is
/// singular this is not proved, and the status stays [`LcpStatus::PivotLimit`].
pub fn enumerate(lcp: &Lcp) -> Option<LcpSolution> {
    let size = lcp.size();
    if size > MAX_ENUMERATED {
        return None;
    }
    let mut all_regular = true;
    let mut best: Option<(f64, Vec<f64>)> = None;
    for choice in 0..1_u32 << size {
        let basic: Vec<usize> = (0..size).filter(|&i| choice >> i & 1 == 1).collect();
        let Some(z) = lcp.solve_basis(&basic) else {
            all_regular = false;
            continue;
        };
        let residual = lcp.residual(&z);
        if residual <= TOLERANCE && best.as_ref().is_none_or(|(least, _)| residual < *least) {
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
            status: if all_regular {
                LcpStatus::Infeasible
            } else {
                LcpStatus::PivotLimit
            },
            z: vec![0.0; size],
            pivots,
        },
    })
}
