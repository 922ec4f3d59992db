//! Verdicts of random problems that are hard for plain numbers, and of problems built to have no solution:
//!
//! ```text
//! cargo run --release -p banquise_solver --example verdicts [-- PROBLEMS [SEED]]
//! ```
//!
//! Ten thousand of the first and a tenth as many of the second, unless told otherwise. Every answer is judged by the checker of the tests.

#![expect(clippy::print_stdout, reason = "it prints a table")]

use std::collections::BTreeMap;

use banquise_solver::{CertificateKind, ContactProblem, ImpactSettings, Verdict, solve_impact};

#[path = "../tests/it/checker.rs"]
mod checker;
#[path = "../tests/it/expansion.rs"]
mod expansion;
#[path = "../tests/it/hard_problems.rs"]
mod hard_problems;

use checker::{fault, proves_infeasible, proves_locked};
use hard_problems::{Numbers, hard_problem, infeasible_problem, locked_problem};

/// How a problem ends, and what the checker says of it.
fn verdict(before: &ContactProblem, settings: &ImpactSettings) -> String {
    let mut after = before.clone();
    let report = solve_impact(&mut after, settings);
    let least = vec![0.0; before.contacts.len()];
    match &report.verdict {
        Verdict::Solved => match fault(before, &after.bodies, &report.impulses, &least) {
            None => "solved".into(),
            Some(fault) => format!("solved, WRONG: {fault}"),
        },
        Verdict::Infeasible(certificate) => {
            let is_proof = match &certificate.kind {
                CertificateKind::Kinematic => proves_infeasible(before, &least, certificate),
                CertificateKind::Locking(nodes) => proves_locked(before, &least, nodes),
            };
            let name = certificate.kind.name();
            let judged = if is_proof { "" } else { ", WRONG: no proof" };
            format!("infeasible, {name}{judged}")
        }
        Verdict::Unsolved(reason) => format!("unsolved, {}", reason.name()),
    }
}

fn print(title: &str, counts: &BTreeMap<String, usize>) {
    println!("{title}");
    for (verdict, count) in counts {
        println!("{count:8}  {verdict}");
    }
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|text| text.parse().unwrap_or(0));
    let count = arguments
        .next()
        .filter(|count| *count > 0)
        .unwrap_or(10_000);
    let seed = arguments.next().unwrap_or(1);
    let mut numbers = Numbers(seed as u64);
    let mut counts = BTreeMap::new();
    for index in 0..count {
        let (problem, settings) = hard_problem(&mut numbers, index);
        *counts.entry(verdict(&problem, &settings)).or_insert(0) += 1;
    }
    print("mass ratios, copies, chains, moving obstacles", &counts);
    let mut counts = BTreeMap::new();
    for index in 0..count / 10 {
        let problem = if index % 10 == 0 {
            locked_problem(&mut numbers, index / 10)
        } else {
            infeasible_problem(&mut numbers, 1 + index % 12)
        };
        *counts
            .entry(verdict(&problem, &ImpactSettings::default()))
            .or_insert(0) += 1;
    }
    print(
        "built to have no solution, a tenth of them by friction",
        &counts,
    );
}
