//! `banquise solve`: one stored problem, its solution and its residual as JSON.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use banquise_solver::lcp::{self, Lcp, LcpStatus};
use banquise_solver::{
    Body, ContactProblem, ImpactReport, ImpactSettings, LocalProblem, Method, Problem,
    friction_lcp, impact_errors, solve_impact, solve_local,
};
use serde_json::{Map, Value, json};

use crate::arguments::SolveArguments;
use crate::failure::Failure;

pub(crate) fn solve(arguments: &SolveArguments) -> Result<ExitCode, Failure> {
    let text = read(&arguments.file)?;
    let answer = match parse(&arguments.file, &text)? {
        Problem::Lcp(lcp) => answer_lcp(&lcp),
        Problem::Local(problem) => answer_local(&problem),
        Problem::Contacts(problem, settings) => solve_contacts(&problem, &settings),
    };
    println!("{answer}");
    Ok(ExitCode::SUCCESS)
}

/// The text of a file, or of the standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let input = std::io::stdin().read_to_end(&mut bytes);
        input.map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| Failure::file(path, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        Failure::usage(
            format!(
                "{}: not text: byte {} is no UTF-8",
                path.display(),
                error.utf8_error().valid_up_to()
            ),
            "the file must be one JSON object, with finite numbers",
        )
    })
}

/// The problem in a text.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Problem, Failure> {
    Problem::from_json(text)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display()), error.hint()))
}

fn answer_lcp(problem: &Lcp) -> Value {
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

const SOLVED: &str = "solved";
const NO_SOLUTION: &str = "no_solution_found";

/// Why a complementarity problem is not solved.
fn reason(status: LcpStatus) -> &'static str {
    match status {
        LcpStatus::Infeasible => "infeasible",
        LcpStatus::Ray => "ray",
        LcpStatus::PivotLimit => "pivot_limit",
        LcpStatus::Solved => "residual",
    }
}

fn answer_local(problem: &LocalProblem) -> Value {
    let solution = solve_local(problem);
    let mut answer = json!({
        "status": SOLVED,
        "method": solution.method.name(),
        "impulses": pairs(&solution.impulses),
        "velocities": pairs(&problem.velocity(&solution.impulses)),
        "residual": solution.residual,
        "pivots": solution.pivots,
    });
    if !solution.is_solved() {
        let outcome = lcp::solve(&friction_lcp(problem));
        answer["status"] = json!(NO_SOLUTION);
        answer["reason"] = json!(reason(outcome.status));
    }
    answer
}

/// Normal and tangential values, contact by contact.
fn pairs(values: &[f64]) -> Vec<[f64; 2]> {
    values.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Solves an impact and tells what came out.
pub(crate) fn solve_contacts(before: &ContactProblem, settings: &ImpactSettings) -> Value {
    let mut after = before.clone();
    let report = solve_impact(&mut after, settings);
    impact_answer(before, &after.bodies, &report)
}

/// What came out of an impact.
pub(crate) fn impact_answer(
    before: &ContactProblem,
    after: &[Body],
    report: &ImpactReport,
) -> Value {
    let velocity = |body: &Body| {
        [
            body.linear_velocity.x,
            body.linear_velocity.y,
            body.angular_velocity,
        ]
    };
    let energy_after = ContactProblem {
        bodies: after.to_vec(),
        contacts: Vec::new(),
    }
    .kinetic_energy();
    let errors = impact_errors(before, after, report);
    let mut answer = json!({
        "status": SOLVED,
        "method": report.method().name(),
        "velocities": after.iter().map(velocity).collect::<Vec<_>>(),
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
        "reflections": report.reflections,
        "reductions": report.reductions,
        "gave_up": report.gave_up,
    });
    if report.unsolved > 0 {
        answer["status"] = json!(NO_SOLUTION);
        answer["reason"] = json!("relaxed");
    }
    answer
}

/// How many friction problems each method solved, for those that were used.
fn method_counts(report: &ImpactReport) -> Map<String, Value> {
    let counts = Method::ALL.iter().zip(report.methods);
    counts
        .filter(|(_, count)| *count > 0)
        .map(|(method, count)| (method.name().to_owned(), json!(count)))
        .collect()
}
