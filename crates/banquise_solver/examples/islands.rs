//! Solves problems of fixed steps with the whole cascade, and prints which methods were tried and how long each problem took: stored ones (`.json`, or `.json.gz`), or with
//! `made` those made from seeds; `made=WORD` takes those whose names contain it. After `--write DIR` they are stored in this folder instead.
//!
//! `cargo run --release -p banquise_solver --example islands -- FILE.json … made`

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use banquise_solver::{
    Bound, ContactProblem, Effort, ImpactReport, Problem, SolverContext, SolverSettings,
    SolverWorkspace, Table, solve_velocity_bounds,
};
use flate2::read::GzDecoder;

#[path = "../tests/it/made.rs"]
mod made;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "contacts        ms  factors  residual  verdict         rows tried (those taken with *)"
    );
    let mut folder = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--write" {
            folder = arguments.next();
        } else if let Some(word) = argument.strip_prefix("made") {
            let word = word.trim_start_matches('=');
            for made in made::all()
                .into_iter()
                .filter(|made| made.name.contains(word))
            {
                if let Some(folder) = &folder {
                    let path = Path::new(folder).join(format!("{}.json", made.name));
                    fs::write(path, made.problem.to_json_with_bounds(&made.bounds))?;
                    continue;
                }
                print!("{:24}", made.name);
                solve(made.problem, &made.bounds);
            }
        } else {
            match Problem::from_json(&text_of(&argument)?)? {
                Problem::Bounded(problem, bounds) => solve(problem, &bounds),
                _ => println!("{argument}: not a problem of a fixed step"),
            }
        }
    }
    Ok(())
}

fn text_of(path: &str) -> Result<String, Box<dyn Error>> {
    if Path::new(path).extension().is_none_or(|end| end != "gz") {
        return Ok(fs::read_to_string(path)?);
    }
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path)?).read_to_string(&mut text)?;
    Ok(text)
}

fn solve(mut problem: ContactProblem, bounds: &[Bound]) {
    let settings = SolverSettings::DEFAULT;
    let workspace = SolverWorkspace::default();
    let context = SolverContext {
        settings: &settings,
        workspace: &workspace,
    };
    let mut report = ImpactReport::default();
    let contacts = problem.contacts.len();
    let start = Instant::now();
    solve_velocity_bounds(context, &mut problem, bounds, Effort::Solve, &mut report);
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
