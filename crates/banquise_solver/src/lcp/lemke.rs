//! Lemke's method with the lexicographic rule, which cannot cycle (Cottle, Pang, Stone 1992,
//! section 4.4 and 4.9).

use super::basis::{Basis, Variable};
use super::{Lcp, LcpSolution, LcpStatus};
use crate::records::Basic;
use crate::workspace::{PooledVec, SolverContext, with_defaults};

/// Options of Lemke's method, which change its path or its tolerances.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LemkeChoices<'w> {
    /// The covering vector d > 0.
    pub(crate) cover: PooledVec<'w, f64>,
    /// A rate below this share of the largest one is taken for zero.
    pub(crate) rate_tolerance: f64,
    /// Pivots between two checks of the updated inverse; 0 to compute it afresh at every pivot.
    pub(crate) check_every: usize,
    /// Pivot limit, where a multiple of the unknowns is not more. Problems that need exponentially many exist, of sizes up to
    /// ten or so: the limit of [`MIN_PIVOT_LIMIT`] lets them through.
    pub(crate) limit: usize,
}

/// The least pivot limit of a plain complementarity problem.
pub(crate) const MIN_PIVOT_LIMIT: usize = 2000;

/// Covering vectors of Lemke's method.
pub(crate) const COVERS: usize = 3;

impl<'w> LemkeChoices<'w> {
    /// The usual choices for a problem of a size, with a covering vector that is constant, ascends or descends. Each leads along
    /// another path, which may arrive where rounding makes another one fail.
    pub(crate) fn usual(context: SolverContext<'w>, size: usize, cover: usize) -> Self {
        let ramp = |index: usize| 1.0 + index as f64 / size as f64;
        let settings = &context.settings.pivoting;
        Self {
            cover: match cover {
                0 => context.filled(1.0, size),
                1 => context.collect((0..size).map(ramp)),
                _ => context.collect((0..size).rev().map(ramp)),
            },
            rate_tolerance: settings.rate,
            check_every: settings.check_every,
            limit: MIN_PIVOT_LIMIT,
        }
    }
}

/// Solves by Lemke's method with the usual choices.
pub fn lemke(lcp: &Lcp<'_>) -> LcpSolution<'static> {
    with_defaults(|context| {
        let choices = LemkeChoices::usual(context, lcp.size(), 0);
        lemke_with(context, lcp, &choices).detached()
    })
}

/// Solves by Lemke's method.
pub(crate) fn lemke_with<'w>(
    context: SolverContext<'w>,
    lcp: &Lcp<'w>,
    choices: &LemkeChoices<'w>,
) -> LcpSolution<'w> {
    let settings = &context.settings.pivoting;
    let (size, cover) = (lcp.size(), &choices.cover);
    let Some(first) = most_violated(lcp, cover) else {
        return LcpSolution {
            status: LcpStatus::Solved,
            z: context.filled(0.0, size),
            pivots: 0,
        };
    };
    let mut basis = Basis::start(context, lcp, cover, first);
    let mut entering = Variable::Z(first);
    let limit = choices.limit.max(settings.pivots_per_unknown * size);
    for pivots in 1..=limit {
        context.spend(basis.operations());
        if context.must_end() {
            return LcpSolution {
                status: LcpStatus::PivotLimit,
                z: solution(context, lcp, &basis, None),
                pivots,
            };
        }
        if basis.artificial() <= settings.artificial * size_of(&lcp.constant) {
            return LcpSolution {
                status: LcpStatus::Solved,
                z: solution(context, lcp, &basis, None),
                pivots,
            };
        }
        basis.set_direction(entering);
        let rate_tolerance = choices.rate_tolerance;
        let Some((leaving, step)) = ratio_test(context, &basis, size, rate_tolerance, settings.tie)
        else {
            return LcpSolution {
                status: LcpStatus::Ray,
                z: solution(context, lcp, &basis, None),
                pivots,
            };
        };
        if leaving == Basic::Artificial {
            return LcpSolution {
                status: LcpStatus::Solved,
                z: solution(context, lcp, &basis, Some((entering, step))),
                pivots,
            };
        }
        entering = basis.pivot(entering, leaving, step).complement();
        match choices.check_every {
            0 => {
                basis.refactor();
            }
            every if pivots % every == 0 => {
                basis.refresh_values();
                if basis.drift() > settings.drift {
                    basis.refactor();
                }
            }
            _ => {}
        }
    }
    LcpSolution {
        status: LcpStatus::PivotLimit,
        z: solution(context, lcp, &basis, None),
        pivots: limit,
    }
}

fn size_of(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |max, value| max.max(value.abs()))
}

/// The index whose w needs z₀ most, or none if q ≥ 0 already. Ties go to the last index, which is
/// what the lexicographic rule asks for: its row of the identity is the smallest.
fn most_violated(lcp: &Lcp<'_>, cover: &[f64]) -> Option<usize> {
    let ratio = |index: usize| lcp.constant[index] / cover[index];
    let worst = (0..lcp.size()).min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(b.cmp(&a)))?;
    (lcp.constant[worst] < 0.0).then_some(worst)
}

/// The basic variable that first falls to zero, and when. z₀ wins ties: the method is then done.
fn ratio_test(
    context: SolverContext<'_>,
    basis: &Basis<'_, '_>,
    size: usize,
    rate_tolerance: f64,
    tie_tolerance: f64,
) -> Option<(Basic, f64)> {
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
    let tie = step + tie_tolerance * (step + largest_value / largest_rate);
    let tied = falling().filter(|&(_, value, rate)| value.max(0.0) / rate <= tie);
    let tied = context.collect(tied.map(|(basic, _, rate)| (basic, rate)));
    if tied.is_empty() {
        // Overflow: no pivot is possible.
        return None;
    }
    if tied.iter().any(|(basic, _)| *basic == Basic::Artificial) {
        return Some((Basic::Artificial, step));
    }
    Some((lexicographic_minimum(context, basis, tied, size), step))
}

/// Among tied variables, the one whose row of the inverse basis, divided by its rate, is
/// lexicographically smallest. Columns are computed only until one variable is left.
fn lexicographic_minimum(
    context: SolverContext<'_>,
    basis: &Basis<'_, '_>,
    mut tied: PooledVec<'_, (Basic, f64)>,
    size: usize,
) -> Basic {
    let mut column = 0;
    while tied.len() > 1 && column < size {
        let entries = tied.iter();
        let entries = entries.map(|&(basic, rate)| basis.inverse_entry(basic, column) / rate);
        let scaled = context.collect(entries);
        let smallest = scaled.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = scaled
            .iter()
            .fold(0.0_f64, |max, value| max.max(value.abs()));
        let tolerance = context.settings.pivoting.tie * largest;
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
fn solution<'w>(
    context: SolverContext<'w>,
    lcp: &Lcp<'w>,
    basis: &Basis<'_, 'w>,
    entered: Option<(Variable, f64)>,
) -> PooledVec<'w, f64> {
    let mut z = context.filled(0.0, lcp.size());
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
    let Some(mut fresh) = lcp.solve_basis(context, &basic) else {
        return z;
    };
    for value in &mut fresh {
        *value = value.max(0.0);
    }
    if lcp.residual_in(context, &fresh) <= lcp.residual_in(context, &z) {
        fresh
    } else {
        z
    }
}
