//! The basis of Lemke's method, kept as the inverse of its small part.
//!
//! With w = M z + q + d z₀, a basis holds z₀, some z (indices α) and the w of all other indices but
//! one, r, whose z and w are both out. Its matrix is the identity on the basic w, so only the part
//! with rows ρ = α ∪ {r} and columns (z₀, z of α) needs an inverse: K = [−d | −M] there, of size
//! |α| + 1. A pivot adds, removes or replaces one row and one column of K, and its inverse follows
//! in |α|² operations, where a full tableau needs n².

use crate::lcp::Lcp;
use crate::matrix::{Lu, dot};
use crate::records::Basic;
use crate::workspace::{PooledVec, SolverContext};

/// A variable other than z₀.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variable {
    /// zᵢ.
    Z(usize),
    /// wᵢ.
    W(usize),
}

impl Variable {
    /// The other one of the pair.
    pub(super) fn complement(self) -> Self {
        match self {
            Self::Z(index) => Self::W(index),
            Self::W(index) => Self::Z(index),
        }
    }
}

pub(super) struct Basis<'a, 'w> {
    context: SolverContext<'w>,
    lcp: &'a Lcp<'w>,
    cover: &'a [f64],
    /// Whether the w of each index is basic.
    slacks: PooledVec<'w, bool>,
    /// Index of z in each column of K but the first, which is z₀.
    columns: PooledVec<'w, usize>,
    /// Index of w in each row of K.
    rows: PooledVec<'w, usize>,
    /// Inverse of K by rows, each `stride` long.
    inverse: PooledVec<'w, f64>,
    stride: usize,
    /// Values: of the columns of K, and of the basic w by index.
    pub(super) column_values: PooledVec<'w, f64>,
    pub(super) slack_values: PooledVec<'w, f64>,
    /// Direction of the last entering variable: how fast each basic variable falls.
    pub(super) column_rates: PooledVec<'w, f64>,
    pub(super) slack_rates: PooledVec<'w, f64>,
}

impl<'a, 'w> Basis<'a, 'w> {
    /// The first basis: z₀ instead of the w of index `out`.
    pub(super) fn start(
        context: SolverContext<'w>,
        lcp: &'a Lcp<'w>,
        cover: &'a [f64],
        out: usize,
    ) -> Self {
        let size = lcp.size();
        let mut slacks = context.filled(true, size);
        slacks[out] = false;
        let stride = size + 1;
        let mut basis = Self {
            context,
            lcp,
            cover,
            slacks,
            columns: context.empty(),
            rows: context.filled(out, 1),
            inverse: context.filled(0.0, stride * 8.min(stride)),
            stride,
            column_values: context.empty(),
            slack_values: context.filled(0.0, size),
            column_rates: context.empty(),
            slack_rates: context.filled(0.0, size),
        };
        basis.inverse[0] = -1.0 / cover[out];
        basis.refresh_values();
        basis
    }

    /// Indices whose z is basic.
    pub(super) fn basic_z(&self) -> PooledVec<'w, usize> {
        let mut indices = self.columns.clone();
        indices.sort_unstable();
        indices
    }

    /// The value of z₀.
    pub(super) fn artificial(&self) -> f64 {
        self.column_values[0]
    }

    /// Whether the w of this index is basic.
    pub(super) fn is_slack(&self, index: usize) -> bool {
        self.slacks[index]
    }

    /// Each basic z with its value after a step along the last direction.
    pub(super) fn z_values(&self, step: f64) -> impl Iterator<Item = (usize, f64)> + '_ {
        let values = self.column_values.iter().zip(&self.column_rates).skip(1);
        self.columns
            .iter()
            .zip(values)
            .map(move |(&index, (value, rate))| (index, value - step * rate))
    }

    fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Operations of a pivot: the direction, and the change of the inverse.
    pub(super) fn operations(&self) -> usize {
        2 * self.rank() * (2 * self.rank() + self.lcp.size())
    }

    fn inverse_row(&self, column: usize) -> &[f64] {
        &self.inverse[column * self.stride..column * self.stride + self.rank()]
    }

    /// Entry of [−d | −M] in the row of index `row` and a column of K.
    fn entry(&self, row: usize, column: usize) -> f64 {
        match column.checked_sub(1) {
            None => -self.cover[row],
            Some(j) => -self.lcp.matrix.get(row, self.columns[j]),
        }
    }

    /// Values of all basic variables, from the inverse.
    pub(super) fn refresh_values(&mut self) {
        let constant = self.rows.iter().map(|&i| self.lcp.constant[i]);
        let right = self.context.collect(constant);
        let values = (0..self.rank()).map(|c| dot(self.inverse_row(c), &right));
        self.column_values = self.context.collect(values);
        let constant = &self.lcp.constant;
        self.slack_values.copy_from_slice(constant);
        let (values, slack) = (&self.column_values, &mut self.slack_values);
        add_columns(self.lcp, self.cover, &self.columns, values, slack);
    }

    /// How fast each basic variable falls as `entering` grows.
    pub(super) fn set_direction(&mut self, entering: Variable) {
        let (index, right): (usize, PooledVec<'w, f64>) = match entering {
            Variable::Z(index) => {
                let column = self.lcp.matrix.column(index);
                let entries = self.rows.iter().map(|&i| -column[i]);
                (index, self.context.collect(entries))
            }
            Variable::W(index) => {
                let unit = |&i: &usize| if i == index { 1.0 } else { 0.0 };
                (index, self.context.collect(self.rows.iter().map(unit)))
            }
        };
        let rates = (0..self.rank()).map(|c| dot(self.inverse_row(c), &right));
        self.column_rates = self.context.collect(rates);
        match entering {
            Variable::Z(_) => {
                let column = self.lcp.matrix.column(index);
                for (rate, entry) in self.slack_rates.iter_mut().zip(column) {
                    *rate = -entry;
                }
            }
            Variable::W(_) => self.slack_rates.fill(0.0),
        }
        let (rates, slack) = (&self.column_rates, &mut self.slack_rates);
        add_columns(self.lcp, self.cover, &self.columns, rates, slack);
    }

    /// Column `index` of the inverse of the whole basis, for one basic variable: what the lexicographic
    /// rule compares.
    pub(super) fn inverse_entry(&self, basic: Basic, index: usize) -> f64 {
        let Some(row) = self.rows.iter().position(|&i| i == index) else {
            // The column belongs to a basic w and is a unit vector.
            return if basic == Basic::Slack(index) {
                1.0
            } else {
                0.0
            };
        };
        let entry = |column: usize| self.inverse[column * self.stride + row];
        match basic {
            Basic::Artificial => entry(0),
            Basic::Column(column) => entry(column),
            Basic::Slack(slack) => -(0..self.rank())
                .map(|c| self.entry(slack, c) * entry(c))
                .sum::<f64>(),
        }
    }

    /// Brings `entering` in and `leaving` out; returns the variable that left.
    pub(super) fn pivot(&mut self, entering: Variable, leaving: Basic, step: f64) -> Variable {
        for (value, rate) in self.column_values.iter_mut().zip(&self.column_rates) {
            *value -= step * rate;
        }
        for (value, rate) in self.slack_values.iter_mut().zip(&self.slack_rates) {
            *value -= step * rate;
        }
        match (entering, leaving) {
            (Variable::Z(index), Basic::Slack(slack)) => {
                self.grow(index, slack);
                self.column_values.push(step);
                Variable::W(slack)
            }
            (Variable::Z(index), Basic::Column(column)) => {
                let left = self.columns[column - 1];
                self.replace_column(index, column);
                self.column_values[column] = step;
                Variable::Z(left)
            }
            (Variable::W(index), Basic::Slack(slack)) => {
                self.replace_row(index, slack);
                self.slack_values[index] = step;
                Variable::W(slack)
            }
            (Variable::W(index), Basic::Column(column)) => {
                let left = self.columns[column - 1];
                self.shrink(index, column);
                self.slack_values[index] = step;
                Variable::Z(left)
            }
            (_, Basic::Artificial) => unreachable!("the method ends when z₀ leaves"),
        }
    }

    /// z of `index` in, w of `slack` out: K gains a row and a column.
    fn grow(&mut self, index: usize, slack: usize) {
        let rank = self.rank();
        let row = self
            .context
            .collect((0..rank).map(|c| self.entry(slack, c)));
        let row_times_inverse = self.row_times_inverse(&row);
        let schur = self.slack_rates[slack];
        if (rank + 1) * self.stride > self.inverse.len() {
            let rows = (2 * rank + 2).min(self.stride);
            self.inverse.lengthen(rows * self.stride, 0.0);
        }
        for c in 0..rank {
            let factor = self.column_rates[c] / schur;
            let start = c * self.stride;
            let inverse_row = &mut self.inverse[start..=start + rank];
            for (entry, t) in inverse_row.iter_mut().zip(&row_times_inverse) {
                *entry += factor * t;
            }
            inverse_row[rank] = -factor;
        }
        let last = &mut self.inverse[rank * self.stride..=rank * self.stride + rank];
        for (entry, t) in last.iter_mut().zip(&row_times_inverse) {
            *entry = -t / schur;
        }
        last[rank] = 1.0 / schur;
        self.columns.push(index);
        self.rows.push(slack);
        self.slacks[slack] = false;
    }

    /// z of `index` in, another z out.
    fn replace_column(&mut self, index: usize, column: usize) {
        self.eliminate(column);
        self.columns[column - 1] = index;
    }

    /// w of `index` in, w of `slack` out.
    fn replace_row(&mut self, index: usize, slack: usize) {
        let rank = self.rank();
        let replaced = self.row_of(index);
        let row = self
            .context
            .collect((0..rank).map(|c| self.entry(slack, c)));
        let t = self.row_times_inverse(&row);
        for c in 0..rank {
            let inverse_row = &mut self.inverse[c * self.stride..c * self.stride + rank];
            let scaled = inverse_row[replaced] / t[replaced];
            for (entry, factor) in inverse_row.iter_mut().zip(&t) {
                *entry -= factor * scaled;
            }
            inverse_row[replaced] = scaled;
        }
        self.rows[replaced] = slack;
        self.slacks[index] = true;
        self.slacks[slack] = false;
    }

    /// w of `index` in, z of a column out: K loses a row and a column.
    fn shrink(&mut self, index: usize, column: usize) {
        self.eliminate(column);
        let (removed_row, last) = (self.row_of(index), self.rank() - 1);
        for c in 0..=last {
            self.inverse[c * self.stride + removed_row] = self.inverse[c * self.stride + last];
        }
        let last_start = last * self.stride;
        self.inverse
            .copy_within(last_start..last_start + last, column * self.stride);
        self.columns.swap_remove(column - 1);
        self.column_values.swap_remove(column);
        self.rows.swap_remove(removed_row);
        self.slacks[index] = true;
    }

    /// Divides a row of the inverse by its rate and takes it from the others in the measure of
    /// theirs: the change of inverse when a column of K is replaced.
    fn eliminate(&mut self, column: usize) {
        let (rank, stride) = (self.rank(), self.stride);
        let start = column * stride;
        for entry in &mut self.inverse[start..start + rank] {
            *entry /= self.column_rates[column];
        }
        let pivot = self.context.copied(&self.inverse[start..start + rank]);
        for c in (0..rank).filter(|&c| c != column) {
            let factor = self.column_rates[c];
            if factor != 0.0 {
                for (entry, p) in self.inverse[c * stride..c * stride + rank]
                    .iter_mut()
                    .zip(&pivot)
                {
                    *entry -= factor * p;
                }
            }
        }
    }

    /// A row vector times the inverse.
    fn row_times_inverse(&self, row: &[f64]) -> PooledVec<'w, f64> {
        let mut product = self.context.filled(0.0, self.rank());
        for (c, &factor) in row.iter().enumerate() {
            if factor != 0.0 {
                for (sum, entry) in product.iter_mut().zip(self.inverse_row(c)) {
                    *sum += factor * entry;
                }
            }
        }
        product
    }

    fn row_of(&self, index: usize) -> usize {
        let position = self.rows.iter().position(|&i| i == index);
        position.expect("the index whose w enters has a row in K")
    }

    /// Largest error of K x = q relative to q: how much the updates have cost.
    pub(super) fn drift(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut scale = f64::MIN_POSITIVE;
        for &row in &self.rows {
            let terms = (0..self.rank()).map(|c| self.entry(row, c) * self.column_values[c]);
            worst = worst.max((terms.sum::<f64>() - self.lcp.constant[row]).abs());
            scale = scale.max(self.lcp.constant[row].abs());
        }
        worst / scale
    }

    /// Computes the inverse afresh; false if K is singular to round-off.
    pub(super) fn refactor(&mut self) -> bool {
        let rank = self.rank();
        let mut entries = self.context.with_capacity(rank * rank);
        for &row in &self.rows {
            entries.extend((0..rank).map(|c| self.entry(row, c)));
        }
        let Some(lu) = Lu::factor(self.context, entries, rank) else {
            return false;
        };
        let mut unit = self.context.filled(0.0, rank);
        for row in 0..rank {
            unit[row] = 1.0;
            for (c, &value) in lu.solve(&unit).iter().enumerate() {
                self.inverse[c * self.stride + row] = value;
            }
            unit[row] = 0.0;
        }
        self.refresh_values();
        true
    }
}

/// Adds d x₀ + M x (x on α) to `sum`: what the columns of K, at these values, contribute to every w.
fn add_columns(lcp: &Lcp<'_>, cover: &[f64], columns: &[usize], values: &[f64], sum: &mut [f64]) {
    for (sum, d) in sum.iter_mut().zip(cover) {
        *sum += d * values[0];
    }
    for (&column, &value) in columns.iter().zip(&values[1..]) {
        if value != 0.0 {
            for (sum, entry) in sum.iter_mut().zip(lcp.matrix.column(column)) {
                *sum += entry * value;
            }
        }
    }
}
