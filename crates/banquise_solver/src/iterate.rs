//! An iterate with its residual, and the rule that stops an iteration.

use crate::workspace::PooledVec;

/// Stop rule of an iteration: a tolerance of the residual, or an iteration limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StopRule {
    pub(crate) tolerance: f64,
    pub(crate) limit: usize,
}

/// A point of an iteration, with its residual.
pub(crate) struct Iterate<'w> {
    pub(crate) impulses: PooledVec<'w, f64>,
    pub(crate) residual: f64,
}

impl Iterate<'_> {
    pub(crate) fn keep_better(&mut self, impulses: &[f64], residual: f64) {
        if residual < self.residual {
            self.residual = residual;
            self.impulses.copy_from_slice(impulses);
        }
    }
}
