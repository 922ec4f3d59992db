//! Does any result hang on a tuning constant? Scales each constant of the solver settings, and the iteration limit of each row
//! of the policy, by 3 and by 1/3 over the corpus of stored contact problems, and prints what changes: problems solved, the
//! largest change of a post-impact velocity, problems whose velocities change by more than 1e-6 with and without a change of the
//! effective restitution, and the work.
//!
//! `cargo run --release -p banquise_solver --example sensitivity`, with the beginning of a name for some of them alone

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/it/corpus_reader.rs"]
mod corpus_reader;
#[path = "../tests/it/variations.rs"]
mod variations;

use std::path::Path;

use banquise_solver::SolverSettings;
use corpus_reader::read;
use variations::{Comparison, compare, reference, row_variations, variations};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let problems = read(&folder);
    let reference = reference(&problems);
    println!(
        "{} problems, {} of them solved with the defaults",
        problems.len(),
        reference
            .iter()
            .filter(|outcome| outcome.report.unsolved == 0)
            .count()
    );
    println!(
        "| constant | × | solved | largest change | other solution | other restitution | work | most changed |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let all = variations().into_iter().chain(row_variations());
    for (name, factor, settings) in all.filter(|(name, ..)| name.starts_with(&wanted)) {
        if settings.validate().is_err() {
            println!("| {name} | {factor} | refused | | | | | |");
            continue;
        }
        print_row(&name, factor, &compare(&problems, &reference, &settings));
    }
    // The same settings twice: the comparison itself changes nothing.
    let again = compare(&problems, &reference, &SolverSettings::DEFAULT);
    assert_eq!(again.largest_change, 0.0);
}

fn print_row(name: &str, factor: &str, comparison: &Comparison) {
    println!(
        "| {name} | {factor} | {} | {:.0e} | {} | {} | {:.2} | {} |",
        comparison.solved,
        comparison.largest_change,
        comparison.other_solution,
        comparison.other_restitution,
        comparison.work,
        comparison.most_changed
    );
}
