//! Lemke's method with the lexicographic rule, which cannot cycle (Cottle, Pang, Stone 1992,
//! section 4.4 and 4.9).

use super::basis::{Basic, Basis, Variable};
use super::{Lcp, LcpSolution, LcpStatus};
use crate::list::List;

/// Ratios that differ by less than this share of the scale are tied.
const TIE_TOLERANCE: f64 = 1e-12;
/// The updated inverse is made anew beyond this error.
const DRIFT_TOLERANCE: f64 = 1e-11;
/// z₀ below this share of q is zero: the basis solves the problem though z₀ has not left it.
const ARTIFICIAL_TOLERANCE: f64 = 1e-15;
/// Pivots allowed, in multiples of the size. Problems that need exponentially many exist, of sizes
/// up to ten or so: the constant lets them through.
const PIVOTS_PER_UNKNOWN: usize = 10;
const PIVOTS_AT_LEAST: usize = 2000;

/// Choices of Lemke's method that change its path or its care, not its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct LemkeSettings {
    /// The covering vector d > 0.
    pub cover: List<f64>,
    /// A rate below this share of the largest one is taken for zero.
    pub rate_tolerance: f64,
    /// Pivots between two checks of the updated inverse; 0 to make it anew at every pivot.
    pub check_every: usize,
}

impl LemkeSettings {
    /// The usual choices for a problem of that size.
    pub fn usual(size: usize) -> Self {
        Self {
            cover: List::of(1.0, size),
            rate_tolerance: 1e-9,
            check_every: 16,
        }
    }
}

/// Solves by Lemke's method with the usual settings.
pub fn lemke(lcp: &Lcp) -> LcpSolution {
    lemke_with(lcp, &LemkeSettings::usual(lcp.size()))
}

/// Solves by Lemke's method. Another covering vector is another path, which may arrive where rounding
/// makes the usual one fail.
pub fn lemke_with(lcp: &Lcp, settings: &LemkeSettings) -> LcpSolution {
    let size = lcp.size();
    let cover = &settings.cover;
    let Some(first) = most_violated(lcp, cover) else {
        return LcpSolution {
            status: LcpStatus::Solved,
            z: List::of(0.0, size),
            pivots: 0,
        };
    };
    let mut basis = Basis::start(lcp, cover, first);
    let mut entering = Variable::Z(first);
    let limit = PIVOTS_AT_LEAST.max(PIVOTS_PER_UNKNOWN * size);
    for pivots in 1..=limit {
        if basis.artificial() <= ARTIFICIAL_TOLERANCE * size_of(&lcp.constant) {
            return LcpSolution {
                status: LcpStatus::Solved,
                z: solution(lcp, &basis, None),
                pivots,
            };
        }
        basis.set_direction(entering);
        let Some((leaving, step)) = ratio_test(&basis, size, settings.rate_tolerance) else {
            return LcpSolution {
                status: LcpStatus::Ray,
                z: solution(lcp, &basis, None),
                pivots,
            };
        };
        if leaving == Basic::Artificial {
            return LcpSolution {
                status: LcpStatus::Solved,
                z: solution(lcp, &basis, Some((entering, step))),
                pivots,
            };
        }
        entering = basis.pivot(entering, leaving, step).complement();
        match settings.check_every {
            0 => {
                basis.refactor();
            }
            every if pivots % every == 0 => {
                basis.refresh_values();
                if basis.drift() > DRIFT_TOLERANCE {
                    basis.refactor();
                }
            }
            _ => {}
        }
    }
    LcpSolution {
        status: LcpStatus::PivotLimit,
        z: solution(lcp, &basis, None),
        pivots: limit,
    }
}

fn size_of(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |max, value| max.max(value.abs()))
}

/// The index whose w needs z₀ most, or none if q ≥ 0 already. Ties go to the last index, which is
/// what the lexicographic rule asks for: its row of the identity is the smallest.
fn most_violated(lcp: &Lcp, cover: &[f64]) -> Option<usize> {
    let ratio = |index: usize| lcp.constant[index] / cover[index];
    let worst = (0..lcp.size()).min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(b.cmp(&a)))?;
    (lcp.constant[worst] < 0.0).then_some(worst)
}

/// The basic variable that first falls to zero, and when. z₀ wins ties: the method is then done.
fn ratio_test(basis: &Basis<'_>, size: usize, rate_tolerance: f64) -> Option<(Basic, f64)> {
    let candidates = || {
        let columns = (0..basis.column_rates.len()).map(|c| {
            let basic = if c == 0 {
                Basic::Artificial
            } else {
                Basic::Column(c)
            };
            (basic, basis.column_values[c], basis.column_rates[c])
        });
        let slacks = (0..size).filter(|&i| basis.is_slack(i));
        columns
            .chain(slacks.map(|i| (Basic::Slack(i), basis.slack_values[i], basis.slack_rates[i])))
    };
    let largest_rate = candidates().fold(0.0_f64, |max, (_, _, rate)| max.max(rate.abs()));
    let smallest = rate_tolerance * largest_rate;
    let falling = || candidates().filter(|&(_, _, rate)| rate > smallest);
    let step = falling()
        .map(|(_, value, rate)| value.max(0.0) / rate)
        .min_by(f64::total_cmp)?;
    let largest_value = candidates().fold(0.0_f64, |max, (_, value, _)| max.max(value.abs()));
    let tie = step + TIE_TOLERANCE * (step + largest_value / largest_rate);
    let tied: List<(Basic, f64)> = falling()
        .filter(|&(_, value, rate)| value.max(0.0) / rate <= tie)
        .map(|(basic, _, rate)| (basic, rate))
        .collect();
    if tied.is_empty() {
        // Overflow: there is no way on.
        return None;
    }
    if tied.iter().any(|(basic, _)| *basic == Basic::Artificial) {
        return Some((Basic::Artificial, step));
    }
    Some((lexicographic_minimum(basis, tied, size), step))
}

/// Among tied variables, the one whose row of the inverse basis, divided by its rate, is
/// lexicographically smallest. Columns are computed only until one variable is left.
fn lexicographic_minimum(basis: &Basis<'_>, mut tied: List<(Basic, f64)>, size: usize) -> Basic {
    let mut column = 0;
    while tied.len() > 1 && column < size {
        let scaled: List<f64> = tied
            .iter()
            .map(|&(basic, rate)| basis.inverse_entry(basic, column) / rate)
            .collect();
        let smallest = scaled.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = scaled
            .iter()
            .fold(0.0_f64, |max, value| max.max(value.abs()));
        let tolerance = TIE_TOLERANCE * largest;
        let mut values = scaled.iter();
        tied.retain(|_| {
            values
                .next()
                .is_some_and(|&value| value <= smallest + tolerance)
        });
        column += 1;
    }
    tied[0].0
}

/// z of the final basis, computed afresh where its matrix allows, and else as the pivots left it.
fn solution(lcp: &Lcp, basis: &Basis<'_>, entered: Option<(Variable, f64)>) -> List<f64> {
    let mut z = List::of(0.0, lcp.size());
    let mut basic = basis.basic_z();
    let step = entered.map_or(0.0, |(_, step)| step);
    for (index, value) in basis.z_values(step) {
        z[index] = value.max(0.0);
    }
    if let Some((Variable::Z(index), step)) = entered {
        z[index] = step;
        basic.push(index);
        basic.sort_unstable();
    }
    let Some(mut fresh) = lcp.solve_basis(&basic) else {
        return z;
    };
    for value in &mut fresh {
        *value = value.max(0.0);
    }
    if lcp.residual(&fresh) <= lcp.residual(&z) {
        fresh
    } else {
        z
    }
}
