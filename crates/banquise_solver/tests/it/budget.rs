//! A solve ends when its budget is spent, or when the stop flag is set, and adds no energy.

use std::path::Path;

use banquise_solver::{
    ContactProblem, ImpactReport, SolverContext, SolverSettings, SolverWorkspace, StopFlag,
    solve_impact_into,
};

use crate::corpus_reader::{Stored, StoredKind, read};

fn hardest() -> (ContactProblem, banquise_solver::ImpactSettings) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let is_wanted = |stored: &Stored| stored.name == "event-401-and-more-jam-8234.json";
    let stored = read(&folder).into_iter().find(is_wanted).unwrap();
    let StoredKind::Impact(impact) = stored.kind else {
        panic!("it is an impact");
    };
    (stored.problem, impact)
}

fn solve(settings: &SolverSettings, workspace: &SolverWorkspace) -> (ImpactReport, f64) {
    let (mut problem, impact) = hardest();
    let mut report = ImpactReport::default();
    let context = SolverContext {
        settings,
        workspace,
    };
    let before = problem.kinetic_energy();
    solve_impact_into(context, &mut problem, &impact, &mut report);
    (report, problem.kinetic_energy() / before)
}

#[test]
fn a_spent_budget_gives_the_relaxation() {
    let mut settings = SolverSettings::DEFAULT;
    let budgets = [(1e3, 1e3), (1e6, 1e3), (1e6, 1e7), (1e7, 1e9), (1e8, 1e9)];
    for (operations, last) in budgets {
        settings.budget.operations = operations;
        settings.budget.operations_per_contact = 1.0;
        settings.budget.last_operations = last;
        let workspace = SolverWorkspace::default();
        let (report, share) = solve(&settings, &workspace);
        assert!(report.budget_spent);
        assert!(share <= 1.0 + 1e-12, "{share}");
        // The method that finds it spent has made some step beyond it: a factorisation of 422 contacts at most.
        let most = workspace.take_statistics().most_operations as f64;
        assert!(most <= operations + last + 2e7, "{most}");
    }
    let workspace = SolverWorkspace::default();
    let (report, _) = solve(&SolverSettings::DEFAULT, &workspace);
    assert!(!report.budget_spent);
}

#[test]
fn a_matrix_that_is_too_large_is_not_made() {
    let mut settings = SolverSettings::DEFAULT;
    settings.budget.blocks = 1.0;
    settings.budget.blocks_per_contact = 1.0;
    let (report, share) = solve(&settings, &SolverWorkspace::default());
    assert!(report.budget_spent && report.unsolved > 0);
    assert!(share < 1.0, "{share}");
    assert!(report.residual < 0.5, "{}", report.residual);
}

#[test]
fn a_flag_ends_a_solve() {
    let (mut workspace, flag) = (SolverWorkspace::default(), StopFlag::default());
    workspace.stop_on(&flag);
    solve(&SolverSettings::DEFAULT, &workspace);
    assert!(!workspace.is_interrupted());
    let whole = workspace.take_statistics().operations;
    assert!(!flag.set());
    solve(&SolverSettings::DEFAULT, &workspace);
    assert!(workspace.is_interrupted());
    let cut = workspace.take_statistics().operations;
    assert!(cut < whole / 3, "{cut} of {whole}");
    assert!(flag.set());
}
