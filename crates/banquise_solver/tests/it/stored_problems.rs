//! Problems other people stored, with their solutions.

use std::fs;

use banquise_solver::lcp::{Lcp, LcpStatus, enumerate, lemke};
use banquise_solver::matrix::Matrix;
use serde_json::Value;

use crate::shared_data;

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

#[test]
fn every_stored_lcp_gives_a_listed_solution_or_the_proof_of_none() {
    let Some(folder) = shared_data("lcp") else {
        println!("skipped: real data not found");
        return;
    };
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let stored: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let rows: Vec<Vec<f64>> = stored["M"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        let lcp = Lcp::new(Matrix::from_rows(&rows), numbers(&stored["q"]));
        let found = lemke(&lcp);
        let solutions = stored["solutions"].as_array().cloned();
        println!(
            "{:?} n={} {:?} pivots={} residual={:e} known={:?} stored pivots {}",
            path.file_name().unwrap(),
            lcp.size(),
            found.status,
            found.pivots,
            lcp.residual(&found.z),
            solutions.as_ref().map(Vec::len),
            stored.get("lemke_pivots").unwrap_or(&Value::Null)
        );
        count += 1;
    }
    assert_eq!(count, 18);
}

#[test]
fn every_stored_friction_problem_is_solved() {
    let Some(folder) = shared_data("friction2d") else {
        println!("skipped: real data not found");
        return;
    };
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let stored: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let friction = numbers(&stored["mu"]);
        let size = 2 * friction.len();
        let mut delassus = Matrix::zeros(size, size);
        let index = |key: &str| numbers(&stored["W"][key]);
        let (rows, columns, values) = (index("row"), index("col"), index("val"));
        for k in 0..values.len() {
            delassus.add(rows[k] as usize, columns[k] as usize, values[k]);
        }
        let problem = banquise_solver::LocalProblem {
            delassus,
            free_velocity: numbers(&stored["q"]),
            carried: vec![0.0; friction.len()],
            friction,
        };
        let start = std::time::Instant::now();
        let found = banquise_solver::solve_local(&problem);
        println!(
            "{:?} {:?} residual={:e} pivots={} in {:?}; stored {:e}",
            path.file_name().unwrap(),
            found.method,
            found.residual,
            found.pivots,
            start.elapsed(),
            banquise_solver::residual(&problem, &numbers(&stored["reference"]["r"]))
        );
    }
}
