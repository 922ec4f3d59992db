//! Contact problems of our own runs: all are solved, and a missing one is a failure.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use banquise_solver::{Body, ContactProblem, Method, Problem, SolverSettings, impact_errors};

use glam::DVec2;

use crate::corpus_reader::{Stored, StoredKind, read, solve};
use crate::variations::{compare, reference, row_variations, variations};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The files that the manifest lists.
fn listed() -> BTreeSet<String> {
    let manifest = fs::read_to_string(folder().join("README.md")).unwrap();
    let names = manifest.lines().filter_map(|line| line.strip_prefix("| `"));
    names
        .map(|rest| rest.split('`').next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_corpus_is_complete() {
    let names: BTreeSet<String> = read(&folder()).into_iter().map(|s| s.name).collect();
    assert_eq!(names, listed());
    assert!(names.len() >= 100, "{}", names.len());
}

#[test]
fn every_size_class_and_kind_is_there() {
    let problems = read(&folder());
    let sizes = [1, 2, 20, 60, 200, 400, usize::MAX];
    let mut least = 1;
    for largest in sizes {
        let in_class =
            |stored: &&Stored| (least..=largest).contains(&stored.problem.contacts.len());
        let class: Vec<&Stored> = problems.iter().filter(in_class).collect();
        let fixed = class
            .iter()
            .filter(|stored| matches!(stored.kind, StoredKind::FixedStep(_)));
        let fixed = fixed.count();
        assert!(fixed > 0 && fixed < class.len(), "{least} to {largest}");
        least = largest.saturating_add(1);
    }
}

/// The fastest approach after an impact, as a share of the fastest contact before, less what rounding of the velocities of
/// the bodies explains: some contacts approach at a millionth of a millionth of them.
fn fastest_approach(stored: &Stored, after: &[Body]) -> f64 {
    let problem = &stored.problem;
    let speeds = problem.bodies.iter().map(|b| b.linear_velocity.length());
    let rounding = 1e-12 * speeds.fold(0.0, f64::max);
    let speed = |contact| DVec2::from(problem.relative_velocity(contact)).length();
    let fastest = problem.contacts.iter().map(speed);
    let fastest = fastest.fold(f64::MIN_POSITIVE, f64::max);
    let moved = ContactProblem {
        bodies: after.to_vec(),
        contacts: problem.contacts.clone(),
    };
    let approach = |contact| -moved.relative_velocity(contact)[0] - rounding;
    moved.contacts.iter().map(approach).fold(0.0, f64::max) / fastest
}

#[test]
fn every_problem_is_solved() {
    let mut followed = 0;
    for stored in read(&folder()) {
        let outcome = solve(&stored, &SolverSettings::DEFAULT);
        let (name, report) = (&stored.name, &outcome.report);
        assert_eq!(report.unsolved, 0, "{name}");
        assert_eq!(report.methods[Method::Relaxation as usize], 0, "{name}");
        let contacts = stored.problem.contacts.len();
        // What is asked for in a fixed step of more than 200 contacts, and elsewhere.
        let is_jam = contacts > 200 && matches!(stored.kind, StoredKind::FixedStep(_));
        let tolerance = if is_jam { 1e-8 } else { 1e-9 };
        assert!(
            report.residual <= tolerance,
            "{name}: {:e}",
            report.residual
        );
        let errors = impact_errors(&stored.problem, &outcome.bodies, report);
        // Velocities follow from scaled residuals through the ratios of masses in a pack.
        assert!(errors.cone <= 1e-6, "{name}: {errors:?}");
        assert!(errors.momentum <= 1e-12, "{name}: {errors:?}");
        if let StoredKind::Impact(_) = stored.kind {
            let approach = fastest_approach(&stored, &outcome.bodies);
            assert!(approach <= 1e-6, "{name}: {approach:e}");
            assert!(errors.energy <= 1e-12, "{name}: {errors:?}");
        }
        followed += outcome.work.paths_followed;
    }
    // The hard ones are among them.
    assert!(followed > 100, "{followed}");
}

#[test]
fn a_stored_problem_reads_back_exactly() {
    for stored in read(&folder()) {
        let (text, bounds) = match &stored.kind {
            StoredKind::Impact(settings) => (stored.problem.to_json(settings), None),
            StoredKind::FixedStep(bounds) => {
                (stored.problem.to_json_with_bounds(bounds), Some(bounds))
            }
        };
        match Problem::from_json(&text).unwrap() {
            Problem::Contacts(again, _) => assert_eq!(again, stored.problem, "{}", stored.name),
            Problem::Bounded(again, again_bounds) => {
                assert_eq!(again, stored.problem, "{}", stored.name);
                assert_eq!(Some(&again_bounds), bounds, "{}", stored.name);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The constants of one group, in a reduced version of the sensitivity example: whatever is scaled, every problem is solved.
#[test]
fn no_solution_hangs_on_a_constant() {
    let mut problems = read(&folder());
    problems.retain(|stored| stored.problem.contacts.len() <= 60);
    let reference = reference(&problems);
    let all = variations().into_iter().chain(row_variations());
    // Every third: all of them take a minute, and the example does them.
    for (name, factor, settings) in all.step_by(3) {
        if settings.validate().is_ok() {
            let comparison = compare(&problems, &reference, &settings);
            assert_eq!(comparison.solved, problems.len(), "{name} × {factor}");
            let changed = comparison.other_solution + comparison.other_restitution;
            let (change, problem) = (comparison.largest_change, &comparison.most_changed);
            println!("{name} × {factor}: {changed} changed, {change:e} in {problem}");
            assert!(
                comparison.work < 3.0,
                "{name} × {factor}: {}",
                comparison.work
            );
        }
    }
}
