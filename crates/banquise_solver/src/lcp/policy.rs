//! Policy for linear complementarity problems: Lemke's method, other covering vectors, enumeration.

use super::{COVERS, Lcp, LcpStatus, LemkeChoices, MAX_ENUMERATED_UNKNOWNS, enumerate, lemke_with};
use crate::workspace::{SolverContext, with_defaults};

/// How a solution, or the proof of none, was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LcpMethod {
    /// Lemke's method.
    Lemke,
    /// Lemke's method along another path.
    LemkeOtherPath,
    /// All complementary bases.
    Enumeration,
}

impl LcpMethod {
    /// The name in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lemke => "lemke",
            Self::LemkeOtherPath => "lemke_other_path",
            Self::Enumeration => "enumeration",
        }
    }
}

/// Outcome of all methods.
#[derive(Debug, Clone, PartialEq)]
pub struct LcpOutcome {
    /// How it ended. Not solved: [`LcpStatus::Infeasible`] is a proof that there is no solution, what
    /// else it is tells how the usual path of Lemke's method ended.
    pub status: LcpStatus,
    /// The last method used.
    pub method: LcpMethod,
    /// z; meaningful if solved.
    pub z: Vec<f64>,
    /// The scaled residual of z.
    pub residual: f64,
    /// Pivots, all attempts together; bases tried by enumeration are not among them.
    pub pivots: usize,
}

/// Solves by Lemke's method, then along other paths, then, if it is small, by enumeration. Every
/// attempt is judged by [`Lcp::residual`], whatever it says of itself.
pub fn solve(lcp: &Lcp<'_>) -> LcpOutcome {
    with_defaults(|context| solve_in(context, lcp))
}

fn solve_in<'w>(context: SolverContext<'w>, lcp: &Lcp<'w>) -> LcpOutcome {
    let (size, accuracy) = (lcp.size(), &context.settings.accuracy);
    let mut best: Option<LcpOutcome> = None;
    let mut pivots = 0;
    let mut ended = LcpStatus::Ray;
    for cover in 0..COVERS {
        let found = lemke_with(context, lcp, &LemkeChoices::usual(context, size, cover));
        let method = match cover {
            0 => LcpMethod::Lemke,
            _ => LcpMethod::LemkeOtherPath,
        };
        pivots += found.pivots;
        if method == LcpMethod::Lemke && found.status != LcpStatus::Solved {
            ended = found.status;
        }
        let residual = lcp.residual(&found.z);
        offer(&mut best, found.z.into_vec(), residual, method);
        if residual <= accuracy.round_off {
            break;
        }
    }
    let mut best = best.expect("at least one path is followed");
    if best.residual > accuracy.round_off
        && size <= MAX_ENUMERATED_UNKNOWNS
        && let Some(found) = enumerate(lcp)
    {
        if found.status == LcpStatus::Solved {
            let residual = lcp.residual(&found.z);
            let mut kept = Some(best);
            let z = found.z.into_vec();
            offer(&mut kept, z, residual, LcpMethod::Enumeration);
            best = kept.expect("something was kept");
        } else if best.residual > accuracy.acceptable {
            best.method = LcpMethod::Enumeration;
            if found.status == LcpStatus::Infeasible {
                ended = LcpStatus::Infeasible;
            }
        }
    }
    best.pivots = pivots;
    if best.residual > accuracy.acceptable {
        best.status = ended;
    }
    best
}

fn offer(best: &mut Option<LcpOutcome>, z: Vec<f64>, residual: f64, method: LcpMethod) {
    if best.as_ref().is_none_or(|best| residual < best.residual) {
        *best = Some(LcpOutcome {
            status: LcpStatus::Solved,
            method,
            z,
            residual,
            pivots: 0,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    fn lcp(rows: &[Vec<f64>], constant: &[f64]) -> Lcp<'static> {
        Lcp::new(Matrix::from_rows(rows), constant.to_vec())
    }

    #[test]
    fn a_solvable_problem_is_solved_by_the_first_method() {
        let outcome = solve(&lcp(&[vec![2.0, 1.0], vec![1.0, 2.0]], &[-5.0, -6.0]));
        assert_eq!(outcome.status, LcpStatus::Solved);
        assert_eq!(outcome.method, LcpMethod::Lemke);
        assert!(outcome.residual <= 1e-15);
    }

    #[test]
    fn a_problem_without_a_solution_is_proved_to_have_none() {
        // w = -z - 1 cannot be positive.
        let outcome = solve(&lcp(&[vec![-1.0]], &[-1.0]));
        assert_eq!(outcome.status, LcpStatus::Infeasible);
        assert_eq!(outcome.method, LcpMethod::Enumeration);
    }

    #[test]
    fn a_large_problem_without_a_solution_ends_in_a_ray() {
        let rows: Vec<Vec<f64>> = (0..20).map(|_| vec![0.0; 20]).collect();
        let outcome = solve(&lcp(&rows, &[-1.0; 20]));
        assert_eq!(outcome.status, LcpStatus::Ray);
    }

    #[test]
    fn an_empty_problem_is_solved() {
        assert_eq!(solve(&lcp(&[], &[])).status, LcpStatus::Solved);
    }
}
