//! Problems without a solution, built with known multipliers: all are called infeasible, with a certificate that an independent checker accepts.

use banquise_solver::{
    Bound, CertificateKind, ContactProblem, Effort, ImpactReport, ImpactSettings, Problem,
    SolverContext, SolverSettings, SolverWorkspace, Verdict, kinematic_certificate, solve_impact,
    solve_velocity_bounds,
};
use glam::DVec2;

use crate::checker::{fault, proves_infeasible, proves_locked};
use crate::hard_problems::{Numbers, hard_problem, infeasible_problem, locked_problem};

/// Checks what came out of a problem, and says how it ended.
pub(crate) fn checked(
    before: &ContactProblem,
    after: &ContactProblem,
    report: &ImpactReport,
) -> &'static str {
    let least = vec![0.0; before.contacts.len()];
    match &report.verdict {
        Verdict::Solved => {
            assert_eq!(report.unsolved, 0);
            let fault = fault(before, &after.bodies, &report.impulses, &least);
            assert_eq!(fault, None);
            "solved"
        }
        Verdict::Infeasible(certificate) => {
            assert_eq!(report.infeasible, 1);
            assert!(certificate.holds(before, &least));
            let is_proof = match &certificate.kind {
                CertificateKind::Kinematic => proves_infeasible(before, &least, certificate),
                CertificateKind::Locking(nodes) => proves_locked(before, &least, nodes),
            };
            assert!(is_proof);
            assert_eq!(before.bodies, after.bodies);
            certificate.kind.name()
        }
        Verdict::Unsolved(reason) => {
            assert!(report.unsolved > 0);
            reason.name()
        }
    }
}

fn solved(before: &ContactProblem, settings: &ImpactSettings) -> &'static str {
    let mut after = before.clone();
    let report = solve_impact(&mut after, settings);
    checked(before, &after, &report)
}

#[test]
fn certificates_of_problems_with_known_multipliers() {
    let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
    let context = SolverContext {
        settings: &settings,
        workspace: &workspace,
    };
    let mut numbers = Numbers(7);
    for index in 0..900 {
        let length = if index % 100 == 0 { 50 } else { 1 + index % 12 };
        let problem = infeasible_problem(&mut numbers, length);
        let least = vec![0.0; problem.contacts.len()];
        let certificate = kinematic_certificate(context, &problem, &least);
        let certificate = certificate.unwrap_or_else(|| panic!("problem {index}"));
        assert!(certificate.holds(&problem, &least), "problem {index}");
        assert!(
            proves_infeasible(&problem, &least, &certificate),
            "problem {index}"
        );
    }
}

#[test]
fn walls_that_drift_together_squeeze_nothing() {
    let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
    let context = SolverContext {
        settings: &settings,
        workspace: &workspace,
    };
    let mut numbers = Numbers(11);
    for index in 0..100 {
        let mut problem = infeasible_problem(&mut numbers, 1 + index % 12);
        for body in problem
            .bodies
            .iter_mut()
            .filter(|body| body.inv_mass == 0.0)
        {
            body.linear_velocity = DVec2::new(0.3, -0.7);
            body.angular_velocity = 0.0;
        }
        let least = vec![0.0; problem.contacts.len()];
        assert_eq!(kinematic_certificate(context, &problem, &least), None);
        // Bounds that let all bodies approach can be kept by bodies at rest.
        let least = vec![-2.0; problem.contacts.len()];
        assert_eq!(kinematic_certificate(context, &problem, &least), None);
    }
}

/// All of them are in the example `verdicts`.
#[test]
fn problems_with_known_multipliers_are_infeasible() {
    let mut numbers = Numbers(7);
    for index in 0..60 {
        let problem = infeasible_problem(&mut numbers, 1 + index % 6);
        let verdict = solved(&problem, &ImpactSettings::default());
        assert_eq!(verdict, "kinematic", "problem {index}");
    }
}

#[test]
fn wedges_that_friction_locks_are_infeasible() {
    let mut numbers = Numbers(3);
    for index in 0..100 {
        let problem = locked_problem(&mut numbers, index);
        let verdict = solved(&problem, &ImpactSettings::default());
        assert_eq!(verdict, "locking", "problem {index}");
        // Without friction it is pressed out.
        let mut smooth = problem;
        for contact in &mut smooth.contacts {
            contact.friction = 0.0;
        }
        assert_eq!(
            solved(&smooth, &ImpactSettings::default()),
            "solved",
            "problem {index}"
        );
    }
}

/// All of them are in the example `verdicts`.
#[test]
fn hard_problems_are_solved_or_proved_infeasible() {
    let mut numbers = Numbers(1);
    let mut counts = std::collections::BTreeMap::new();
    for index in 0..400 {
        let (problem, settings) = hard_problem(&mut numbers, index);
        *counts.entry(solved(&problem, &settings)).or_insert(0) += 1;
    }
    println!("{counts:?}");
    let decided = ["solved", "kinematic", "locking"].map(|name| counts.get(name).copied());
    let decided: usize = decided.into_iter().flatten().sum();
    assert!(decided >= 396, "{counts:?}");
}

/// A body between two walls that close on it at 1 m/s each; contacts with these bounds.
fn squeezed(least: f64) -> (ContactProblem, ImpactReport) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let text = std::fs::read_to_string(folder.join("infeasible.json")).unwrap();
    let Problem::Contacts(mut problem, _) = Problem::from_json(&text).unwrap() else {
        panic!("an impact");
    };
    let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
    let context = SolverContext {
        settings: &settings,
        workspace: &workspace,
    };
    let bounds = [Bound {
        least,
        rebound: 0.0,
    }; 2];
    let before = problem.clone();
    let mut report = ImpactReport::default();
    solve_velocity_bounds(context, &mut problem, &bounds, Effort::Solve, &mut report);
    (before, report)
}

#[test]
fn a_fixed_step_is_judged_by_its_own_bounds() {
    let (problem, report) = squeezed(-0.9);
    let certificate = report.verdict.certificate().unwrap();
    assert!(proves_infeasible(&problem, &[-0.9; 2], certificate));
    assert!(!proves_infeasible(&problem, &[-1.0; 2], certificate));
    assert!((report.unsolved, report.infeasible) == (1, 1));
    let (_, report) = squeezed(-1.0);
    assert_eq!(report.verdict, Verdict::Solved);
}
