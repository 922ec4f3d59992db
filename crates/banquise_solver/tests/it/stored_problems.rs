//! Problems other people stored, with their solutions.

use std::fs;
use std::path::PathBuf;

use banquise_solver::Blocks;
use banquise_solver::lcp::{Lcp, LcpStatus, enumerate, lemke};
use banquise_solver::matrix::Matrix;
use banquise_solver::{LocalProblem, residual, solve_local};
use serde_json::Value;

use crate::shared_data;

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap();
    list.iter().map(|v| v.as_f64().unwrap()).collect()
}

/// The stored problems of a folder, by name; none where the data is not there.
fn stored(folder: &str) -> Vec<(String, Value)> {
    let Some(folder) = shared_data(folder) else {
        println!("skipped: real data not found");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (
            name,
            serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(),
        )
    };
    paths.into_iter().map(read).collect()
}

fn lcp_of(stored: &Value) -> Lcp<'static> {
    let rows = stored["M"].as_array().unwrap().iter();
    let rows: Vec<Vec<f64>> = rows.map(numbers).collect();
    Lcp::new(Matrix::from_rows(&rows), numbers(&stored["q"]))
}

#[test]
fn every_stored_lcp_gives_a_listed_solution_or_the_proof_of_none() {
    for (name, stored) in stored("lcp") {
        let lcp = lcp_of(&stored);
        let listed: Vec<Vec<f64>> = stored["solutions"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        let mut found = lemke(&lcp);
        if found.status != LcpStatus::Solved {
            found = enumerate(&lcp).expect("what Lemke leaves is small");
        }
        if listed.is_empty() {
            assert_eq!(found.status, LcpStatus::Infeasible, "{name}");
            continue;
        }
        assert_eq!(found.status, LcpStatus::Solved, "{name}");
        let worst = lcp.residual(&found.z);
        assert!(worst <= 1e-12, "{name}: residual {worst:e}");
        let is_found = |z: &Vec<f64>| {
            z.iter()
                .zip(&found.z)
                .all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + a.abs()))
        };
        assert!(
            listed.iter().any(is_found),
            "{name}: {:?} is not listed",
            found.z
        );
    }
}

#[test]
fn lemke_and_enumeration_agree_where_the_solution_is_unique() {
    for (name, stored) in stored("lcp") {
        let lcp = lcp_of(&stored);
        let (path, all) = (lemke(&lcp), enumerate(&lcp));
        if let Some(all) = all
            && stored["solutions"].as_array().unwrap().len() == 1
            && path.status == LcpStatus::Solved
        {
            for (a, b) in path.z.iter().zip(&all.z) {
                assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{name}");
            }
        }
    }
}

#[test]
fn every_stored_friction_problem_is_solved() {
    for (name, stored) in stored("friction2d") {
        let friction = numbers(&stored["mu"]);
        let list = |key: &str| numbers(&stored["W"][key]);
        let (rows, columns, values) = (list("row"), list("col"), list("val"));
        let triplets =
            (0..values.len()).map(|k| (rows[k] as usize, columns[k] as usize, values[k]));
        let delassus = Blocks::from_triplets(friction.len(), triplets);
        let problem = LocalProblem {
            delassus,
            free_velocity: numbers(&stored["q"]).into(),
            prior_normal_impulse: vec![0.0; friction.len()].into(),
            friction: friction.into(),
        };
        let found = solve_local(&problem);
        assert!(
            found.residual <= 1e-12,
            "{name}: {:?} {:e}",
            found.method,
            found.residual
        );
        // The verdict agrees with the stored one.
        let theirs = residual(&problem, &numbers(&stored["reference"]["r"]));
        assert!(theirs <= 1e-10, "{name}: the reference has {theirs:e}");
    }
}
