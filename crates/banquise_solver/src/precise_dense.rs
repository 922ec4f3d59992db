//! Dense systems of active sets in double-double arithmetic, for few contacts whose masses differ so much that factors in plain numbers are rounding.

use crate::exact::DoubleDouble;
use crate::precise::PreciseProblem;
use crate::records::{Normal, State, Tangent};
use crate::workspace::{PooledVec, SolverContext};

/// W of the scaled problem, by rows.
pub(crate) struct DenseResponse<'w> {
    context: SolverContext<'w>,
    size: usize,
    entries: PooledVec<'w, DoubleDouble>,
    friction: PooledVec<'w, f64>,
}

/// L U factors, by rows, with the rows in the order of their pivots.
pub(crate) struct DenseFactors<'w> {
    context: SolverContext<'w>,
    size: usize,
    entries: PooledVec<'w, DoubleDouble>,
    order: PooledVec<'w, usize>,
}

impl<'w> DenseResponse<'w> {
    pub(crate) fn of(problem: &PreciseProblem<'_, 'w>) -> Self {
        let (context, count) = (problem.context, problem.problem.contacts.len());
        let size = 2 * count;
        let mut entries = context.filled(DoubleDouble::default(), size * size);
        for i in 0..count {
            for (j, _) in problem.local.delassus.row(i) {
                let unit = problem.scaling.contacts[i] * problem.scaling.contacts[j];
                let block = problem.response_between(i, j);
                for (r, row) in block.iter().enumerate() {
                    for (c, entry) in row.iter().enumerate() {
                        entries[(2 * i + r) * size + 2 * j + c] = *entry * unit;
                    }
                }
            }
        }
        let contacts = problem.problem.contacts.iter();
        Self {
            context,
            size,
            entries,
            friction: context.collect(contacts.map(|contact| contact.friction)),
        }
    }

    /// Factors the equations of an active set; `None` where they are singular.
    pub(crate) fn factor(&self, states: &[State], regularisation: f64) -> Option<DenseFactors<'w>> {
        let size = self.size;
        let mut entries = self.entries.clone();
        for (contact, &(normal, tangent)) in states.iter().enumerate() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            if normal == Normal::Closed {
                entries[n * size + n] += DoubleDouble::from(regularisation);
            } else {
                entries[n * size..(n + 1) * size].fill(DoubleDouble::default());
                entries[n * size + n] = DoubleDouble::from(1.0);
            }
            let share = match tangent {
                Tangent::Stick => {
                    entries[t * size + t] += DoubleDouble::from(regularisation);
                    continue;
                }
                Tangent::SlideForward => self.friction[contact],
                Tangent::SlideBackward => -self.friction[contact],
            };
            entries[t * size..(t + 1) * size].fill(DoubleDouble::default());
            entries[t * size + t] = DoubleDouble::from(1.0);
            entries[t * size + n] = DoubleDouble::from(share);
        }
        DenseFactors::of(self.context, entries, size)
    }
}

impl<'w> DenseFactors<'w> {
    fn of(
        context: SolverContext<'w>,
        mut entries: PooledVec<'w, DoubleDouble>,
        size: usize,
    ) -> Option<Self> {
        let mut order = context.collect(0..size);
        for step in 0..size {
            let entry = |row: usize| entries[row * size + step].value().abs();
            let pivot = (step..size).max_by(|&a, &b| entry(a).total_cmp(&entry(b)))?;
            if entry(pivot) == 0.0 || entry(pivot).is_nan() {
                return None;
            }
            order.swap(pivot, step);
            for column in 0..size {
                entries.swap(pivot * size + column, step * size + column);
            }
            let (upper, lower) = entries.split_at_mut((step + 1) * size);
            let pivot_row = &upper[step * size..];
            let inverse = pivot_row[step].inverse();
            for row in lower.chunks_exact_mut(size) {
                if row[step].value() == 0.0 {
                    continue;
                }
                let factor = row[step] * inverse;
                row[step] = factor;
                for (entry, above) in row[step + 1..].iter_mut().zip(&pivot_row[step + 1..]) {
                    if above.value() != 0.0 {
                        *entry += -(factor * *above);
                    }
                }
            }
        }
        Some(Self {
            context,
            size,
            entries,
            order,
        })
    }

    /// Solves A x = b.
    pub(crate) fn solve(&self, right: &[f64]) -> PooledVec<'w, f64> {
        let row = |i: usize| &self.entries[i * self.size..(i + 1) * self.size];
        let ordered = self.order.iter().map(|&i| DoubleDouble::from(right[i]));
        let mut x = self.context.collect(ordered);
        for i in 0..self.size {
            for j in 0..i {
                let known = row(i)[j] * x[j];
                x[i] += -known;
            }
        }
        for i in (0..self.size).rev() {
            for j in i + 1..self.size {
                let known = row(i)[j] * x[j];
                x[i] += -known;
            }
            x[i] = x[i] * row(i)[i].inverse();
        }
        self.context.collect(x.iter().map(|x| x.value()))
    }
}
