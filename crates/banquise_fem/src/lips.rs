//! How the lips of a crack move against each other, and the energy that lips in contact keep.
//!
//! All vectors are L⁻¹ of forces on jumps of cut nodes, with L the factor of their stiffness: products of
//! them are displacements and energies.

use crate::dense::{Dense, complementarity, dot};

/// How the lips of a crack move against each other. They never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lips {
    /// They part without sliding, as rugged lips do at first: the energy released is that of tension across the crack, from end
    /// to end, alone (mode I). With shear, oblique cracks would release more than the one along which a floe splits.
    #[default]
    Interlocked,
    /// Where they are pressed together they do not slide; where they are apart they are free, so that shear beside
    /// tension drives a crack.
    Rough,
    /// They slide without friction, so that cracks under pressure release shear.
    Smooth,
}

/// Share of the largest gap below which lips do not overlap.
const GAP_TOLERANCE: f64 = 1e-10;

/// Share of the diagonal that makes the compliance of the lips definite where two lip points are close.
const LIP_REGULARISATION: f64 = 1e-12;

/// Rounds in which rough lips close and part, the second half closing alone.
const ROUGH_ROUNDS: usize = 40;

/// L⁻¹ of a jump at a lip point.
pub(crate) struct Column {
    pub values: Vec<f64>,
    /// The first entry that is not zero.
    pub first: usize,
}

/// L⁻¹ of the load.
#[derive(Clone, Copy)]
pub(crate) struct Loaded<'a> {
    pub load: &'a [f64],
}

impl Loaded<'_> {
    fn jump(&self, column: &Column) -> f64 {
        dot(&column.values[column.first..], &self.load[column.first..])
    }

    fn jumps(&self, columns: &[Column]) -> Vec<f64> {
        columns.iter().map(|column| self.jump(column)).collect()
    }

    /// Inner products of columns, made definite.
    fn gram(columns: &[&Column]) -> Dense {
        let mut matrix = Dense::zero(columns.len());
        for (i, a) in columns.iter().enumerate() {
            for (j, b) in columns[..=i].iter().enumerate() {
                let from = a.first.max(b.first);
                *matrix.at_mut(i, j) = dot(&a.values[from..], &b.values[from..]);
            }
        }
        regularise(&mut matrix);
        matrix
    }

    /// What lips keep that touch, and slide if the jumps allow it.
    pub(crate) fn close_smooth(&self, across: &[Column]) -> Option<Closed> {
        let gaps = self.jumps(across);
        let free = 0.5 * dot(self.load, self.load);
        let mut closed = Closed {
            free,
            ..Closed::default()
        };
        let Some(tolerance) = overlap_tolerance(&gaps) else {
            return Some(closed);
        };
        let every: Vec<&Column> = across.iter().collect();
        let multipliers = complementarity(&Self::gram(&every), &gaps, tolerance)?;
        closed.points = multipliers.iter().filter(|m| **m > 0.0).count();
        // Where lips touch their gap is zero: the work of what pushes them is twice its energy.
        closed.lost = -0.5 * dot(&multipliers, &gaps);
        Some(closed)
    }

    /// What lips keep that touch and do not slide there.
    pub(crate) fn close_rough(
        &self,
        across: &[Column],
        along: impl FnOnce() -> Vec<Column>,
    ) -> Option<Closed> {
        let gaps = self.jumps(across);
        let free = 0.5 * dot(self.load, self.load);
        let Some(tolerance) = overlap_tolerance(&gaps) else {
            return Some(Closed {
                free,
                ..Closed::default()
            });
        };
        let every: Vec<&Column> = across.iter().collect();
        let multipliers = complementarity(&Self::gram(&every), &gaps, tolerance)?;
        let mut is_closed: Vec<bool> = multipliers.iter().map(|m| *m > 0.0).collect();
        let along = along();
        // All inner products once: each round takes some of them.
        let tied = across.iter().zip(&along).flat_map(|(a, b)| [a, b]);
        let columns: Vec<&Column> = tied.collect();
        let matrix = Self::gram(&columns);
        let jumps: Vec<f64> = columns.iter().map(|column| self.jump(column)).collect();
        for round in 0..ROUGH_ROUNDS {
            let closed: Vec<usize> = (0..gaps.len()).filter(|i| is_closed[*i]).collect();
            let rows: Vec<usize> = closed.iter().flat_map(|i| [2 * i, 2 * i + 1]).collect();
            let mut forces: Vec<f64> = rows.iter().map(|row| -jumps[*row]).collect();
            let factor = matrix.restricted(&rows).cholesky()?;
            factor.forward(&mut forces, 0);
            let lost = 0.5 * dot(&forces, &forces);
            factor.backward(&mut forces);
            let mut is_settled = true;
            for (i, gap) in gaps
                .iter()
                .enumerate()
                .filter(|(i, _)| !is_closed[*i])
                .collect::<Vec<_>>()
            {
                let terms = rows.iter().zip(&forces);
                let push: f64 = terms
                    .map(|(&row, f)| matrix.at(row.max(2 * i), row.min(2 * i)) * f)
                    .sum();
                if gap + push < -tolerance {
                    (is_closed[i], is_settled) = (true, false);
                }
            }
            // Lips that pull at each other part, but not in the last rounds: closing alone comes to an end.
            if round < ROUGH_ROUNDS / 2 {
                for (k, &i) in closed.iter().enumerate() {
                    if forces[2 * k] < 0.0 {
                        (is_closed[i], is_settled) = (false, false);
                    }
                }
            }
            if is_settled {
                return Some(Closed {
                    free,
                    lost,
                    points: closed.len(),
                });
            }
        }
        None
    }
}

/// What is released where lips may overlap, and what they keep because they do not \[J\].
#[derive(Default)]
pub(crate) struct Closed {
    pub free: f64,
    pub lost: f64,
    /// Lip points that touch.
    pub points: usize,
}

/// The overlap below which lips do not overlap; `None` where none does.
fn overlap_tolerance(gaps: &[f64]) -> Option<f64> {
    let tolerance = GAP_TOLERANCE * gaps.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let overlaps = gaps.iter().any(|gap| *gap < -tolerance);
    overlaps.then_some(tolerance)
}

fn regularise(matrix: &mut Dense) {
    let diagonal = 0..matrix.size();
    let largest = diagonal
        .clone()
        .map(|i| matrix.at(i, i))
        .fold(0.0, f64::max);
    for i in diagonal {
        *matrix.at_mut(i, i) += LIP_REGULARISATION * largest;
    }
}
