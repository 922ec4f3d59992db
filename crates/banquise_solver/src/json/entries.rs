//! Entries that the answers to impacts and to fixed steps have in common.

use serde_json::{Map, Value, json};

use crate::certificate::{Certificate, CertificateKind, ContactState, LockingNode};
use crate::method::Method;
use crate::problem::Body;
use crate::report::ImpactReport;
use crate::verdict::Verdict;

pub(super) const SOLVED: &str = "solved";
pub(super) const NO_SOLUTION: &str = "no_solution_found";

/// Adds `status` and `verdict`, and the reason or the certificate where there is no solution.
pub(super) fn verdict_of(report: &ImpactReport, answer: &mut Value) {
    let name = json!(report.verdict.name());
    (answer["status"], answer["verdict"]) = (name.clone(), name);
    match &report.verdict {
        Verdict::Solved => {}
        Verdict::Infeasible(certificate) => {
            answer["certificate"] = certificate_entry(certificate);
        }
        Verdict::Unsolved(reason) => answer["reason"] = json!(reason.name()),
    }
}

/// A certificate; a speed that is not finite is null.
fn certificate_entry(certificate: &Certificate) -> Value {
    let mut entry = json!({
        "kind": certificate.kind.name(),
        "closing_speed": certificate.closing_speed,
        "least_speed": certificate.least_speed,
    });
    match &certificate.kind {
        CertificateKind::Kinematic => entry["multipliers"] = json!(certificate.multipliers),
        CertificateKind::Locking(nodes) => {
            entry["nodes"] = nodes.iter().map(node_entry).collect();
        }
    }
    entry
}

fn node_entry(node: &LockingNode) -> Value {
    match node {
        LockingNode::Branch { contact, children } => {
            let children = ContactState::ALL.iter().zip(children);
            let children = children.map(|(state, place)| (state.name().to_owned(), json!(place)));
            json!({"contact": contact, "children": children.collect::<Map<_, _>>()})
        }
        LockingNode::Leaf {
            multipliers,
            momentum_of,
        } => json!({"multipliers": multipliers, "momentum_of": momentum_of}),
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
