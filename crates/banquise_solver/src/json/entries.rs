//! Entries that the answers to impacts and to fixed steps have in common.

use serde_json::{Map, Value, json};

use crate::cascade::Method;
use crate::impact::ImpactReport;
use crate::problem::Body;

pub(super) const SOLVED: &str = "solved";
pub(super) const NO_SOLUTION: &str = "no_solution_found";

/// Adds `status`, and the reason where there is no solution.
pub(super) fn status_of(report: &ImpactReport, answer: &mut Value) {
    if report.unsolved > 0 {
        answer["status"] = json!(NO_SOLUTION);
        answer["reason"] = json!("relaxed");
    } else {
        answer["status"] = json!(SOLVED);
    }
}

/// Velocities of the bodies: linear in x and y, angular.
pub(super) fn velocities(bodies: &[Body]) -> Vec<[f64; 3]> {
    let velocity = |body: &Body| {
        let linear = body.linear_velocity;
        [linear.x, linear.y, body.angular_velocity]
    };
    bodies.iter().map(velocity).collect()
}

/// How many friction problems each method solved, for those that were used.
pub(super) fn method_counts(report: &ImpactReport) -> Map<String, Value> {
    let counts = Method::ALL.iter().zip(report.methods);
    counts
        .filter(|(_, count)| *count > 0)
        .map(|(method, count)| (method.name().to_owned(), json!(count)))
        .collect()
}
