//! The linear complementarity problem: find z ≥ 0 with w = M z + q ≥ 0 and zᵀw = 0.

mod basis;
mod enumeration;
mod lemke;
mod policy;

pub use enumeration::{MAX_ENUMERATED_UNKNOWNS, enumerate};
pub use lemke::lemke;
pub(crate) use lemke::{COVERS, LemkeChoices, lemke_with};
pub use policy::{LcpMethod, LcpOutcome, solve};

use crate::matrix::{Lu, Matrix};
use crate::workspace::{PooledVec, SolverContext, with_defaults};

/// A linear complementarity problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Lcp<'w> {
    /// M.
    pub matrix: Matrix<'w>,
    /// q.
    pub constant: PooledVec<'w, f64>,
}

/// How a solver ended. The solution is judged by [`Lcp::residual`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LcpStatus {
    /// It found a complementary solution.
    Solved,
    /// Lemke's path ended in a ray: for a copositive-plus M this proves there is no solution.
    Ray,
    /// No complementary basis gives a solution: there is none.
    Infeasible,
    /// The pivot limit was reached.
    PivotLimit,
}

/// Solution of a linear complementarity problem.
#[derive(Debug, Clone, PartialEq)]
pub struct LcpSolution<'w> {
    /// How it ended.
    pub status: LcpStatus,
    /// z; meaningful if solved.
    pub z: PooledVec<'w, f64>,
    /// Pivots made.
    pub pivots: usize,
}

impl LcpSolution<'_> {
    /// Detaches the solution from the workspace.
    pub(crate) fn detached(self) -> LcpSolution<'static> {
        LcpSolution {
            status: self.status,
            z: self.z.detached(),
            pivots: self.pivots,
        }
    }
}

impl<'w> Lcp<'w> {
    /// A problem; the matrix must be square and as large as the constant.
    pub fn new(matrix: Matrix<'w>, constant: impl Into<PooledVec<'w, f64>>) -> Self {
        let constant = constant.into();
        assert_eq!(matrix.rows(), matrix.columns(), "M must be square");
        assert_eq!(matrix.rows(), constant.len(), "M and q must have one size");
        Self { matrix, constant }
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.constant.len()
    }

    /// w = M z + q.
    pub fn slack(&self, z: &[f64]) -> Vec<f64> {
        with_defaults(|context| self.slack_in(context, z).into_vec())
    }

    fn slack_in(&self, context: SolverContext<'w>, z: &[f64]) -> PooledVec<'w, f64> {
        self.matrix.affine(context, z, &self.constant)
    }

    /// The scaled residual, max over i of |min(zᵢ/sᵢ, wᵢ)| / max|q|, where sᵢ turns a z into a w: the
    /// inverse of the largest entry of its column. It is zero for a solution and for nothing else,
    /// and does not change when M, q or the unit of any zᵢ is scaled.
    pub fn residual(&self, z: &[f64]) -> f64 {
        with_defaults(|context| self.residual_in(context, z))
    }

    /// The scaled residual, in the memory of a workspace.
    pub(crate) fn residual_in(&self, context: SolverContext<'w>, z: &[f64]) -> f64 {
        let scale = self
            .constant
            .iter()
            .fold(0.0_f64, |max, q| max.max(q.abs()));
        if scale == 0.0 {
            // Homogeneous: judge against the size of the terms themselves.
            let largest = z.iter().fold(0.0_f64, |max, z| max.max(z.abs()));
            return if largest == 0.0 {
                0.0
            } else {
                self.natural_map(context, z, largest)
            };
        }
        self.natural_map(context, z, scale)
    }

    fn natural_map(&self, context: SolverContext<'w>, z: &[f64], scale: f64) -> f64 {
        let w = self.slack_in(context, z);
        let mut worst = 0.0_f64;
        for (index, (&z, &w)) in z.iter().zip(&w).enumerate() {
            let column = self.matrix.column(index).iter();
            let size = column.fold(0.0_f64, |max, entry| max.max(entry.abs()));
            let as_velocity = if size > 0.0 { z * size } else { z };
            let error = as_velocity.min(w).abs();
            worst = if error.is_nan() {
                f64::INFINITY
            } else {
                worst.max(error)
            };
        }
        worst / scale
    }

    /// Solution with these z basic and all others zero, by a fresh factorisation and one step of
    /// iterative refinement: pivoting finds the basis, this its values to round-off.
    pub(crate) fn solve_basis(
        &self,
        context: SolverContext<'w>,
        basic: &[usize],
    ) -> Option<PooledVec<'w, f64>> {
        let size = basic.len();
        let mut entries = context.with_capacity(size * size);
        for &i in basic {
            entries.extend(basic.iter().map(|&j| self.matrix.get(i, j)));
        }
        let lu = Lu::factor(context, entries, size)?;
        let right = context.collect(basic.iter().map(|&i| -self.constant[i]));
        let mut x = lu.solve(&right);
        let mut z = context.filled(0.0, self.size());
        for _ in 0..2 {
            for (&index, &value) in basic.iter().zip(&x) {
                z[index] = value;
            }
            let slack = self.slack_in(context, &z);
            let error = context.collect(basic.iter().map(|&i| -slack[i]));
            for (value, correction) in x.iter_mut().zip(&lu.solve(&error)) {
                *value += correction;
            }
        }
        for (&index, &value) in basic.iter().zip(&x) {
            z[index] = value;
        }
        Some(z)
    }
}
