//! Solves stored problems of fixed steps with the whole cascade, and prints which methods were tried and how long each problem took.
//!
//! `cargo run --release -p banquise_solver --example islands -- FILE.json …`

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::error::Error;
use std::fs;
use std::time::Instant;

use banquise_solver::{
    Effort, ImpactReport, Problem, SolverContext, SolverSettings, SolverWorkspace, Table,
    solve_velocity_bounds,
};

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "contacts        ms  factors  residual  verdict         rows tried (those taken with *)"
    );
    for path in std::env::args().skip(1) {
        let Problem::Bounded(mut problem, bounds) =
            Problem::from_json(&fs::read_to_string(&path)?)?
        else {
            println!("{path}: not a problem of a fixed step");
            continue;
        };
        let settings = SolverSettings::DEFAULT;
        let workspace = SolverWorkspace::default();
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let mut report = ImpactReport::default();
        let contacts = problem.contacts.len();
        let start = Instant::now();
        solve_velocity_bounds(context, &mut problem, &bounds, Effort::Solve, &mut report);
        let time = 1e3 * start.elapsed().as_secs_f64();
        let work = workspace.take_statistics();
        let mut rows = Vec::new();
        for (table, of_table) in settings.policy.tables() {
            for (index, row) in of_table.iter().enumerate() {
                if work.rows.tried[table as usize][index] > 0 {
                    let star = if work.rows.taken[table as usize][index] > 0 {
                        "*"
                    } else {
                        ""
                    };
                    rows.push(format!(
                        "{}:{}{star}",
                        Table::name(table),
                        row.attempt.name()
                    ));
                }
            }
        }
        println!(
            "{contacts:8}  {time:8.1}  {:7}  {:8.1e}  {:14}  {}",
            work.factorisations,
            report.residual,
            format!("{:?}", report.verdict),
            rows.join(" ")
        );
    }
    Ok(())
}
