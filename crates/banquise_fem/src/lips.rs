//! How the lips of a crack move against each other, and the energy that lips in contact keep.
//!
//! All vectors are L⁻¹ of forces or jumps on the copies of cut nodes, with L the factor of their stiffness: products of
//! them are displacements and energies.

use crate::dense::{Dense, DenseFactor, complementarity, dot};

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

/// Gaps before lips touch, and whether none overlaps.
fn gaps(across: &[Vec<f64>], load: &[f64]) -> Option<(Vec<f64>, f64)> {
    let gaps: Vec<f64> = across.iter().map(|column| dot(column, load)).collect();
    let tolerance = GAP_TOLERANCE * gaps.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let overlaps = gaps.iter().any(|gap| *gap < -tolerance);
    overlaps.then_some((gaps, tolerance))
}

/// Energy that lips keep which touch and slide, and how many points of them touch.
pub(crate) fn close_smooth(across: &[Vec<f64>], load: &[f64]) -> Option<(f64, usize)> {
    let Some((gaps, tolerance)) = gaps(across, load) else {
        return Some((0.0, 0));
    };
    let multipliers = complementarity(&gram(across), &gaps, tolerance)?;
    let push = combination(across, &multipliers);
    let closed = multipliers.iter().filter(|m| **m > 0.0).count();
    Some((0.5 * dot(&push, &push), closed))
}

/// Energy that lips keep which touch and do not slide there, and how many points of them touch.
pub(crate) fn close_rough(
    across: &[Vec<f64>],
    along: impl FnOnce() -> Vec<Vec<f64>>,
    load: &[f64],
) -> Option<(f64, usize)> {
    let Some((gaps, tolerance)) = gaps(across, load) else {
        return Some((0.0, 0));
    };
    let multipliers = complementarity(&gram(across), &gaps, tolerance)?;
    let mut is_closed: Vec<bool> = multipliers.iter().map(|m| *m > 0.0).collect();
    let along = along();
    // All inner products once: each round takes some of them.
    let tied = across.iter().zip(&along).flat_map(|(a, b)| [a, b]);
    let columns: Vec<&Vec<f64>> = tied.collect();
    let matrix = gram(&columns);
    let jumps: Vec<f64> = columns.iter().map(|column| dot(column, load)).collect();
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
            return Some((lost, closed.len()));
        }
    }
    None
}

/// Jumps that stay zero: their columns, and the factor of the products of these.
pub(crate) struct Ties {
    columns: Vec<Vec<f64>>,
    factor: DenseFactor,
}

impl Ties {
    pub(crate) fn new(columns: Vec<Vec<f64>>) -> Option<Self> {
        let factor = gram(&columns).cholesky()?;
        Some(Self { columns, factor })
    }

    /// Takes the part along the ties away.
    pub(crate) fn project(&self, vector: &mut [f64]) {
        let mut forces: Vec<f64> = self.columns.iter().map(|tie| dot(tie, vector)).collect();
        self.factor.forward(&mut forces, 0);
        self.factor.backward(&mut forces);
        for (tie, force) in self.columns.iter().zip(forces) {
            for (value, part) in vector.iter_mut().zip(tie) {
                *value -= force * part;
            }
        }
    }
}

/// Inner products of columns, made definite.
fn gram<C: std::borrow::Borrow<Vec<f64>>>(columns: &[C]) -> Dense {
    let mut matrix = Dense::zero(columns.len());
    for (i, a) in columns.iter().enumerate() {
        for (j, b) in columns[..=i].iter().enumerate() {
            *matrix.at_mut(i, j) = dot(a.borrow(), b.borrow());
        }
    }
    let largest = (0..columns.len())
        .map(|i| matrix.at(i, i))
        .fold(0.0, f64::max);
    for i in 0..columns.len() {
        *matrix.at_mut(i, i) += LIP_REGULARISATION * largest;
    }
    matrix
}

fn combination<C: std::borrow::Borrow<Vec<f64>>>(columns: &[C], factors: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; columns.first().map_or(0, |column| column.borrow().len())];
    for (column, factor) in columns
        .iter()
        .zip(factors)
        .filter(|(_, factor)| **factor != 0.0)
    {
        for (target, value) in sum.iter_mut().zip(column.borrow()) {
            *target += factor * value;
        }
    }
    sum
}
