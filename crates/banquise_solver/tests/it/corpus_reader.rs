//! Reads the corpus of stored contact problems and solves them; shared by the tests and the sensitivity example.

use std::fs;
use std::path::Path;

use banquise_solver::{
    Body, Bound, ContactProblem, Effort, ImpactReport, ImpactSettings, Problem, SolverContext,
    SolverSettings, SolverStatistics, SolverWorkspace, solve_impact_into, solve_velocity_bounds,
};

/// A stored problem.
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) problem: ContactProblem,
    pub(crate) kind: StoredKind,
}

/// What is solved.
pub(crate) enum StoredKind {
    Impact(ImpactSettings),
    FixedStep(Vec<Bound>),
}

/// What came out of a stored problem.
pub(crate) struct Outcome {
    pub(crate) bodies: Vec<Body>,
    pub(crate) report: ImpactReport,
    pub(crate) work: SolverStatistics,
}

/// The problems of a folder, by name.
pub(crate) fn read(folder: &Path) -> Vec<Stored> {
    let entries = fs::read_dir(folder).expect("the corpus is part of the repository");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    paths.sort();
    let stored = |path: &std::path::PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        let name = name.expect("a file has a name").into_owned();
        let text = fs::read_to_string(path).expect("a stored problem is text");
        let (problem, kind) = match Problem::from_json(&text) {
            Ok(Problem::Contacts(problem, settings)) => (problem, StoredKind::Impact(settings)),
            Ok(Problem::Bounded(problem, bounds)) => (problem, StoredKind::FixedStep(bounds)),
            other => panic!("{name} is no contact problem: {other:?}"),
        };
        Stored {
            name,
            problem,
            kind,
        }
    };
    paths.iter().map(stored).collect()
}

/// Solves a stored problem.
pub(crate) fn solve(stored: &Stored, settings: &SolverSettings) -> Outcome {
    let workspace = SolverWorkspace::default();
    let context = SolverContext {
        settings,
        workspace: &workspace,
    };
    let mut problem = stored.problem.clone();
    let mut report = ImpactReport::default();
    match &stored.kind {
        StoredKind::Impact(impact) => solve_impact_into(context, &mut problem, impact, &mut report),
        StoredKind::FixedStep(bounds) => {
            solve_velocity_bounds(context, &mut problem, bounds, Effort::Solve, &mut report);
        }
    }
    Outcome {
        bodies: problem.bodies,
        report,
        work: workspace.take_statistics(),
    }
}
