//! Capsules: suspicious impacts of a run, stored so that they can be solved again.
//!
//! A capsule is a contact problem, which `banquise solve` reads, with an object `capsule` beside it:
//! why it was kept, when it happened, and what came out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use banquise::CapturedImpact;
use banquise_solver::{Problem, impact_answer, solve_contacts};
use serde_json::{Value, json};

use crate::VERSION;
use crate::arguments::ReplayArguments;
use crate::failure::Failure;
use crate::solve::{parse, read};

/// Files a run writes at most, of impacts that were solved and of those that were not; what comes after them is counted.
const MAX_FILES: u64 = 100;
/// Their folder in the directory of the run.
const FOLDER: &str = "capsules";

/// Where the capsules of a run go.
pub(crate) struct Capsules {
    folder: PathBuf,
    /// Suspicious impacts so far, and those written: solved ones, and ones without a solution.
    seen: u64,
    written: [u64; 2],
    /// The first thing that went wrong with a file.
    failure: Option<Failure>,
}

impl Capsules {
    pub(crate) fn new(directory: &Path) -> Self {
        Self {
            folder: directory.join(FOLDER),
            seen: 0,
            written: [0; 2],
            failure: None,
        }
    }

    /// Stores the suspicious impacts of a step.
    pub(crate) fn store(&mut self, impacts: &[CapturedImpact]) {
        for impact in impacts {
            self.seen += 1;
            let kind = usize::from(impact.report.unsolved > 0);
            if self.written[kind] == MAX_FILES || self.failure.is_some() {
                continue;
            }
            self.written[kind] += 1;
            let path = self.folder.join(format!("{:04}.json", self.seen));
            let text = format!("{:#}\n", capsule(impact));
            let written = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&path, text));
            self.failure = written.err().map(|error| Failure::file(&path, &error));
        }
    }

    /// One line for people; nothing where there was nothing.
    pub(crate) fn summarise(&self) {
        if self.seen == 0 {
            eprintln!("capsules: none, no impact was suspicious");
            return;
        }
        let written = self.written();
        let beyond = match self.seen - written {
            0 => String::new(),
            more => format!(", {more} more not written"),
        };
        eprintln!("capsules: {written} in {}{beyond}", self.folder.display());
    }

    fn written(&self) -> u64 {
        self.written.iter().sum()
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "directory": self.folder,
            "suspicious": self.seen,
            "written": self.written(),
        })
    }

    /// The first failure to write, if any.
    pub(crate) fn into_result(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }
}

fn capsule(impact: &CapturedImpact) -> Value {
    let problem = impact.before.to_json(&impact.settings);
    let mut capsule: Value =
        serde_json::from_str(&problem).expect("what was written as JSON is JSON");
    let reasons = impact.report.suspicions();
    capsule["capsule"] = json!({
        "version": VERSION,
        "reasons": reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>(),
        "step": impact.clock.step,
        "time_s": impact.clock.time,
        "outcome": impact_answer(&impact.before, &impact.after, &impact.report),
    });
    capsule
}

/// `banquise replay`: solves a capsule again and says whether the same came out.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let path = &arguments.file;
    let text = read(path)?;
    let no_capsule = |what: &str| {
        Failure::usage(
            format!("{}: {what}", path.display()),
            "name a file that `banquise run --capture` wrote; `banquise solve` reads other problems",
        )
    };
    let Problem::Contacts(problem, settings) = parse(path, &text)? else {
        return Err(no_capsule("not a capsule: it has no `bodies`"));
    };
    let file: Value = serde_json::from_str(&text).expect("what was read as a problem is JSON");
    let stored = file.get("capsule").and_then(Value::as_object);
    let stored = stored.ok_or_else(|| no_capsule("not a capsule: it has no object `capsule`"))?;
    let outcome = stored.get("outcome").and_then(Value::as_object);
    let outcome = outcome.ok_or_else(|| no_capsule("the capsule has no object `outcome`"))?;
    let mut answer = solve_contacts(&problem, &settings);
    let is_same = |key: &str| {
        outcome
            .get(key)
            .is_some_and(|value| same_bits(value, &answer[key]))
    };
    let identical = is_same("velocities") && is_same("impulses");
    answer["identical"] = json!(identical);
    answer["capsule"] = json!({
        "version": stored.get("version"),
        "reasons": stored.get("reasons"),
        "step": stored.get("step"),
        "time_s": stored.get("time_s"),
    });
    println!("{answer}");
    Ok(ExitCode::SUCCESS)
}

/// Whether two lists hold the same numbers, bit for bit.
fn same_bits(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_bits(a, b))
        }
        (Value::Number(a), Value::Number(b)) => {
            a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits)
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_compared_by_bits() {
        let list = json!([[1.0, -0.0], [0.1, 3.0]]);
        assert!(same_bits(&list, &list.clone()));
        assert!(!same_bits(&list, &json!([[1.0, 0.0], [0.1, 3.0]])));
        assert!(!same_bits(&list, &json!([[1.0, -0.0]])));
    }
}
