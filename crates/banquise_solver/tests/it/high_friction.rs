//! Grids of bodies with friction from 1 to 5, where Lemke's path has tens of thousands of pivots.

use std::path::Path;

use banquise_solver::SolverSettings;

use crate::corpus_reader::{read, solve};

#[test]
fn grids_are_solved_within_their_budget() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/high_friction");
    let problems = read(&folder);
    assert_eq!(problems.len(), 3);
    for stored in problems {
        let outcome = solve(&stored, &SolverSettings::DEFAULT);
        let (name, report) = (&stored.name, &outcome.report);
        assert_eq!(report.unsolved, 0, "{name}");
        assert!(!report.budget_spent, "{name}");
        assert!(report.residual <= 1e-9, "{name}: {}", report.residual);
        // A nanosecond is enough for eight of them: less than a second.
        assert!(outcome.work.operations < 7_000_000_000, "{name}");
    }
}
