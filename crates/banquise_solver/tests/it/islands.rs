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

#[test]
fn islands_of_a_closing_jam_are_solved() {
    let paths = files();
    assert_eq!(paths.len(), 7);
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

/// Piles of discs of 1 kg to 1,000 t, and walls of bricks that are pressed.
#[test]
fn islands_made_from_seeds_are_solved() {
    for own in made::all() {
        check_solved(&own.name, &own.problem, &own.bounds);
    }
}
