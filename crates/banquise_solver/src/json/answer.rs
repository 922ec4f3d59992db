//! Solutions of problems as JSON.

use serde_json::{Value, json};

use super::crushing::solve_crushed;
use super::entries::{NO_SOLUTION, SOLVED, method_counts, velocities, verdict_of};
use super::{Problem, solve_bounded};
use crate::cascade::solve_local;
use crate::friction_lcp::friction_lcp;
use crate::impact::{ImpactSettings, solve_impact};
use crate::impact_errors::impact_errors;
use crate::lcp::{self, Lcp, LcpStatus};
use crate::local::LocalProblem;
use crate::problem::{Body, ContactProblem};
use crate::report::ImpactReport;
use crate::workspace::with_defaults;

impl Problem {
    /// Solves the problem and returns the answer that `banquise solve` prints.
    pub fn answer(&self) -> Value {
        match self {
            Self::Lcp(lcp) => answer_lcp(lcp),
            Self::Local(problem) => answer_local(problem),
            Self::Contacts(problem, settings) => solve_contacts(problem, settings),
            Self::Bounded(problem, bounds) => solve_bounded(problem, bounds),
            Self::Crushing(problem, contacts) => solve_crushed(problem, contacts),
        }
    }
}

fn answer_lcp(problem: &Lcp<'_>) -> Value {
    let outcome = lcp::solve(problem);
    if outcome.status != LcpStatus::Solved {
        return json!({
            "status": NO_SOLUTION,
            "reason": reason(outcome.status),
            "method": outcome.method.name(),
            "z": null,
            "w": null,
            "residual": null,
            "pivots": outcome.pivots,
        });
    }
    json!({
        "status": SOLVED,
        "method": outcome.method.name(),
        "w": problem.slack(&outcome.z),
        "z": outcome.z,
        "residual": outcome.residual,
        "pivots": outcome.pivots,
    })
}

/// Why a complementarity problem is not solved.
fn reason(status: LcpStatus) -> &'static str {
    match status {
        LcpStatus::Infeasible => "infeasible",
        LcpStatus::Ray => "ray",
        LcpStatus::PivotLimit => "pivot_limit",
        LcpStatus::Solved => "residual",
    }
}

/// Contacts up to which the complementarity problem of an unsolved friction problem is looked at for the reason: its matrix is dense.
const MAX_EXPLAINED: usize = 400;

fn answer_local(problem: &LocalProblem<'_>) -> Value {
    let solution = solve_local(problem);
    let impulses = &solution.impulses;
    let velocities = with_defaults(|context| pairs(&problem.velocity(context, impulses)));
    let mut answer = json!({
        "status": SOLVED,
        "method": solution.method.name(),
        "impulses": pairs(&solution.impulses),
        "velocities": velocities,
        "residual": solution.residual,
        "pivots": solution.pivots,
    });
    if !solution.is_solved() {
        let why = if problem.contact_count() > MAX_EXPLAINED {
            reason(LcpStatus::Solved)
        } else {
            let outcome = with_defaults(|context| lcp::solve(&friction_lcp(context, problem)));
            reason(outcome.status)
        };
        answer["status"] = json!(NO_SOLUTION);
        answer["reason"] = json!(why);
    }
    answer
}

/// Normal and tangential values, contact by contact.
fn pairs(values: &[f64]) -> Vec<[f64; 2]> {
    values.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Solves an impact and returns the answer as JSON.
pub fn solve_contacts(before: &ContactProblem, settings: &ImpactSettings) -> Value {
    let mut after = before.clone();
    let report = solve_impact(&mut after, settings);
    impact_answer(before, &after.bodies, &report)
}

/// The answer to an impact as JSON.
pub fn impact_answer(before: &ContactProblem, after: &[Body], report: &ImpactReport) -> Value {
    let energy_after = ContactProblem {
        bodies: after.to_vec(),
        contacts: Vec::new(),
    }
    .kinetic_energy();
    let errors = impact_errors(before, after, report);
    let mut answer = json!({
        "method": report.method().name(),
        "velocities": velocities(after),
        "impulses": report.impulses,
        "energy_before": before.kinetic_energy(),
        "energy_after": energy_after,
        "energy_lost_restitution": report.normal_loss,
        "energy_lost_friction": report.tangent_loss,
        "residual": report.residual,
        "errors": {
            "complementarity": errors.complementarity,
            "cone": errors.cone,
            "approach": errors.approach,
            "energy": errors.energy,
            "momentum": errors.momentum,
        },
        "methods": method_counts(report),
        "pivots": report.pivots,
        "rounds": report.rounds,
        "largest": report.largest,
        "unsolved": report.unsolved,
        "infeasible": report.infeasible,
        "refined": report.refined,
        "reflections": report.reflections,
        "reductions": report.reductions,
        "gave_up": report.gave_up,
    });
    verdict_of(report, &mut answer);
    answer
}
