//! Islands of more than 1,000 contacts, stored compressed or made from seeds: all are solved.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use banquise_solver::{
    Bound, ContactProblem, Effort, ImpactReport, Problem, SolverContext, SolverSettings,
    SolverWorkspace, Verdict, impact_errors, solve_velocity_bounds,
};
use flate2::read::GzDecoder;

use crate::made;

/// Files of the folder, by name.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/islands");
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|p| p.extension().is_some_and(|end| end == "gz"))
        .collect();
    paths.sort();
    paths
}

/// Solves a problem of more than 1,000 contacts, checks the solution and returns the number of factorisations.
fn check_solved(name: &str, before: &ContactProblem, bounds: &[Bound]) -> u64 {
    assert!(before.contacts.len() > 1000, "{name}");
    let workspace = SolverWorkspace::default();
    let context = SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &workspace,
    };
    let mut after = before.clone();
    let mut report = ImpactReport::default();
    solve_velocity_bounds(context, &mut after, bounds, Effort::Solve, &mut report);
    let work = workspace.take_statistics();
    println!(
        "{name}: {:e}, {} factorisations",
        report.residual, work.factorisations
    );
    assert_eq!(report.verdict, Verdict::Solved, "{name}");
    // What is accepted in fixed steps of more than 200 contacts.
    assert!(report.residual <= 1e-8, "{name}: {:e}", report.residual);
    let errors = impact_errors(before, &after.bodies, &report);
    assert!(
        errors.cone <= 1e-6 && errors.momentum <= 1e-12,
        "{name}: {errors:?}"
    );
    work.factorisations
}

/// Seven problems of 900 floes, and fourteen of 3,000.
#[test]
fn islands_of_a_closing_jam_are_solved() {
    let paths = files();
    assert_eq!(paths.len(), 7 + 14);
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut text = String::new();
        let mut decoder = GzDecoder::new(fs::File::open(&path).unwrap());
        decoder.read_to_string(&mut text).unwrap();
        let Ok(Problem::Bounded(before, bounds)) = Problem::from_json(&text) else {
            panic!("{name} is no problem of a fixed step");
        };
        // Six of the seven spent the whole budget, 3,252 factorisations and more, without a solution before there were central paths.
        let factorisations = check_solved(&name, &before, &bounds);
        assert!(factorisations < 4000, "{name}: {factorisations}");
    }
}

/// Problems made from seeds that take at most a second or two; the example `islands` solves all of them.
const QUICK: [&str; 22] = [
    "pile-20x20-1e0-1",
    "pile-20x20-1e2-2",
    "pile-20x20-1e4-3",
    "pile-20x20-1e6-4",
    "pile-50x8-1e6-5",
    "pile-10x40-1e6-6",
    "pile-30x30-1e0-7",
    "pile-30x30-1e3-8",
    "pile-30x30-1e6-9",
    "pile-40x40-1e0-10",
    "pile-20x20-1e6-17",
    "pile-20x20-1e5-18",
    "pile-12x34-1e4-19",
    "pile-34x12-1e6-20",
    "pile-25x25-1e1-21",
    "pile-25x25-1e6-22",
    "pile-80x10-1e3-23",
    "pile-15x60-1e6-24",
    "wall-14x14-0-1",
    "wall-14x14-0.2-2",
    "wall-20x12-0.2-10",
    "wall-12x20-0-11",
];

/// Piles of discs of 1 kg to 1,000 t, and walls of bricks that lie or are struck.
#[test]
fn islands_made_from_seeds_are_solved() {
    let made = made::all();
    assert_eq!(made.len(), 24 + 12);
    let quick = |name: &str| made.iter().find(|made| made.name == name).unwrap();
    for own in QUICK.map(quick) {
        check_solved(&own.name, &own.problem, &own.bounds);
    }
    for own in &made {
        let count = own.problem.contacts.len();
        assert!((1001..=10_000).contains(&count), "{}: {count}", own.name);
    }
}
