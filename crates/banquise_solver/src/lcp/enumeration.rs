//! All complementary bases, one after the other: slow, and right by construction. The oracle of the
//! tests for small problems.

use super::{Lcp, LcpSolution, LcpStatus};

/// Unknowns up to which enumeration is allowed: 2¹⁶ bases.
pub const MAX_ENUMERATED: usize = 16;

/// A basis is taken for a solution up to this scaled residual.
const TOLERANCE: f64 = 1e-9;

/// Tries every choice of basic z. `None` if the problem is too large.
///
/// A problem whose every complementary basis is regular and fails, or is singular with equations that
/// contradict each other, has no solution. Where a singular basis leaves z undetermined this is not
/// proved, and the status stays [`LcpStatus::PivotLimit`].
pub fn enumerate(lcp: &Lcp) -> Option<LcpSolution> {
    let size = lcp.size();
    if size > MAX_ENUMERATED {
        return None;
    }
    let mut all_fail = true;
    let mut best: Option<(f64, Vec<f64>)> = None;
    for choice in 0..1_u32 << size {
        let basic: Vec<usize> = (0..size).filter(|&i| choice >> i & 1 == 1).collect();
        let Some(z) = lcp.solve_basis(&basic) else {
            all_fail &= contradicts(lcp, &basic);
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
            status: if all_fail {
                LcpStatus::Infeasible
            } else {
                LcpStatus::PivotLimit
            },
            z: vec![0.0; size],
            pivots,
        },
    })
}

/// Whether the equations w = 0 of these indices, in their z, have no solution at all: elimination
/// with the largest entry as pivot leaves a row 0 = b.
fn contradicts(lcp: &Lcp, basic: &[usize]) -> bool {
    const ZERO: f64 = 1e-12;
    let mut rows: Vec<Vec<f64>> = basic
        .iter()
        .map(|&i| {
            let entries = basic.iter().map(|&j| lcp.matrix.get(i, j));
            entries.chain([-lcp.constant[i]]).collect()
        })
        .collect();
    let unknowns = basic.len();
    let scale = rows
        .iter()
        .flatten()
        .fold(0.0_f64, |max, entry| max.max(entry.abs()));
    let mut free = vec![true; unknowns];
    for step in 0..unknowns {
        let candidates = (step..unknowns)
            .flat_map(|row| (0..unknowns).map(move |column| (row, column)))
            .filter(|&(_, column)| free[column]);
        let pivot = candidates.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()));
        let Some((row, column)) = pivot.filter(|&(r, c)| rows[r][c].abs() > ZERO * scale) else {
            return rows[step..]
                .iter()
                .any(|row| row[unknowns].abs() > ZERO * scale);
        };
        rows.swap(step, row);
        free[column] = false;
        let pivot_row = rows[step].clone();
        for row in &mut rows[step + 1..] {
            let factor = row[column] / pivot_row[column];
            for (entry, above) in row.iter_mut().zip(&pivot_row) {
                *entry -= factor * above;
            }
        }
    }
    false
}
