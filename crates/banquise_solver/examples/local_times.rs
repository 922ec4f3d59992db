//! Solves friction problems in local form, stored as JSON, and prints a line of JSON for each: contacts, processor seconds of the solution alone (the mean of many where it
//! takes little), residual, impulses. The comparison with Siconos in `benches/siconos` runs it.
//!
//! `cargo run --release -p banquise_solver --example local_times -- FILE.json …`

#![expect(clippy::print_stdout, reason = "a program that prints results")]

use std::error::Error;
use std::fs;

use banquise_solver::Problem;
use serde_json::{Value, json};

/// Processor time of all repeats together, beyond which there is no other \[s\]: the system counts it coarsely.
const ENOUGH: f64 = 0.02;
const MOST_REPEATS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let problem = Problem::from_json(&fs::read_to_string(&path)?)?;
        let Problem::Local(local) = &problem else {
            return Err(format!("{path}: not in local form").into());
        };
        let (start, mut used, mut repeats) = (processor_seconds()?, 0.0, 0);
        let mut answer = Value::Null;
        while used < ENOUGH && repeats < MOST_REPEATS {
            answer = problem.answer();
            used = processor_seconds()? - start;
            repeats += 1;
        }
        let contacts = local.contact_count();
        let line = json!({
            "file": path,
            "contacts": contacts,
            "seconds": used / repeats as f64,
            "method": answer["method"],
            "status": answer["status"],
            "residual": answer["residual"],
            "impulses": answer["impulses"],
        });
        println!("{line}");
    }
    Ok(())
}

/// Time that this thread has had on a processor \[s\], as Linux tells.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: u64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(1e-9 * nanoseconds as f64)
}
