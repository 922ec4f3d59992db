//! Matrices of three rows, for rigid motions of the plane.

/// Pivots below this share of the trace are zero: motions are scaled by the size of the piece.
const RANK_TOLERANCE: f64 = 1e-9;

/// A basis of the null space of a symmetric positive semidefinite matrix, filled up with zeros.
pub(crate) fn null_space(mut m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let scale = m[0][0] + m[1][1] + m[2][2];
    let mut pivots: Vec<usize> = Vec::new();
    for _ in 0..3 {
        let best = (0..3)
            .filter(|i| !pivots.contains(i))
            .max_by(|a, b| m[*a][*a].total_cmp(&m[*b][*b]));
        let Some(p) = best.filter(|p| m[*p][*p] > RANK_TOLERANCE * scale) else {
            break;
        };
        pivots.push(p);
        let pivot_row = m[p].map(|value| value / m[p][p]);
        for (i, row) in m.iter_mut().enumerate() {
            if i == p {
                *row = pivot_row;
            } else {
                let factor = row[p];
                for (target, value) in row.iter_mut().zip(pivot_row) {
                    *target -= factor * value;
                }
            }
        }
    }
    let mut basis = [[0.0; 3]; 3];
    for free in (0..3).filter(|i| !pivots.contains(i)) {
        basis[free][free] = 1.0;
        for &p in &pivots {
            basis[free][p] = -m[p][free];
        }
    }
    basis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_components_leave_the_motions_that_they_allow() {
        // Two held components along x at different heights leave the translation along y.
        let rows = [[1.0, 0.0, -0.5], [1.0, 0.0, 0.8]];
        let gram = [0, 1, 2].map(|i| [0, 1, 2].map(|j| rows.iter().map(|r| r[i] * r[j]).sum()));
        assert_eq!(null_space(gram), [[0.0; 3], [0.0, 1.0, 0.0], [0.0; 3]]);
    }
}
