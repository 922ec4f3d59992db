//! The proximal problem: a friction problem with regularisation.

use crate::local::LocalProblem;
use crate::records::{Block, Normal, State, Tangent};
use crate::states::slip_share;
use crate::workspace::{PooledVec, SolverContext};

/// One proximal problem: u = W p + b + ε (p − p̂).
pub(crate) struct ProximalProblem<'a, 'w> {
    pub(crate) context: SolverContext<'w>,
    pub(crate) problem: &'a LocalProblem<'w>,
    pub(crate) regularisation: f64,
    pub(crate) centre: &'a [f64],
}

impl<'w> ProximalProblem<'_, 'w> {
    pub(crate) fn velocity(&self, impulses: &[f64]) -> PooledVec<'w, f64> {
        let mut velocity = self.problem.velocity(self.context, impulses);
        for (u, (p, centre)) in velocity.iter_mut().zip(impulses.iter().zip(self.centre)) {
            *u += self.regularisation * (p - centre);
        }
        velocity
    }

    /// The two equations of a contact in its state, as a row of blocks.
    pub(crate) fn equations(
        &self,
        states: &[State],
        contact: usize,
    ) -> impl Iterator<Item = (usize, Block)> {
        let (normal, tangent) = states[contact];
        let share = slip_share(self.problem, contact, tangent);
        let row = self.problem.delassus.row(contact);
        row.map(move |(other, block)| {
            let own = if other == contact { 1.0 } else { 0.0 };
            let first = match normal {
                Normal::Closed => [block[0][0] + own * self.regularisation, block[0][1]],
                Normal::Open => [own, 0.0],
            };
            let second = match tangent {
                Tangent::Stick => [block[1][0], block[1][1] + own * self.regularisation],
                Tangent::SlideForward | Tangent::SlideBackward => [-own * share, own],
            };
            (other, [first, second])
        })
    }
}
