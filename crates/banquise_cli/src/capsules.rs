//! Capsules: contact problems of a run, stored so that they can be solved again.
//!
//! A capsule is a contact problem, which `banquise solve` reads, with an object `capsule` beside it:
//! why it was kept, when it happened, and what came out.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use banquise::{Capture, CapturedImpact};
use banquise_solver::{Problem, bounded_answer, crushing_answer, impact_answer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::VERSION;
use crate::arguments::{CaptureChoice, ReplayArguments};
use crate::failure::Failure;
use crate::solve::{parse, read_bytes, text_of};
use crate::step_capsule;
use banquise_io::whole_file::write_whole;

/// Files a run writes at most, of impacts that were solved and of those that were not; what comes after them is counted.
const MAX_FILES: u64 = 100;
/// Their folder in the directory of the run.
pub(crate) const FOLDER: &str = "capsules";

/// Where the capsules of a run go.
pub(crate) struct Capsules {
    folder: PathBuf,
    state: CapsuleState,
    /// The first thing that went wrong with a file.
    failure: Option<Failure>,
}

/// What is captured, and how far that has come.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct CapsuleState {
    pub(crate) choice: Option<CaptureChoice>,
    sample: Sample,
    /// Problems so far, and those written: solved ones, and ones without a solution.
    seen: u64,
    written: [u64; 2],
}

impl CapsuleState {
    pub(crate) fn new(choice: Option<CaptureChoice>) -> Self {
        Self {
            choice,
            ..Self::default()
        }
    }
}

impl Capsules {
    pub(crate) fn new(folder: PathBuf, state: CapsuleState) -> Self {
        Self {
            folder,
            state,
            failure: None,
        }
    }

    /// How far it has come.
    pub(crate) fn state(&self) -> &CapsuleState {
        &self.state
    }

    /// Contact problems that the simulation must keep.
    pub(crate) fn needed(&self) -> Capture {
        match self.state.choice {
            None => Capture::Nothing,
            Some(CaptureChoice::Suspicious) => Capture::Suspicious,
            Some(CaptureChoice::Sample) => Capture::All,
        }
    }

    /// Stores the problems of a step, or those of them that the sample takes.
    pub(crate) fn store(&mut self, impacts: &[CapturedImpact]) {
        for impact in impacts {
            self.state.seen += 1;
            let kind = usize::from(impact.report.unsolved > 0);
            let is_wanted = match self.state.choice {
                Some(CaptureChoice::Sample) => self.state.sample.takes(impact),
                _ => self.state.written[kind] < MAX_FILES,
            };
            if !is_wanted || self.failure.is_some() {
                continue;
            }
            self.state.written[kind] += 1;
            let path = self.folder.join(format!("{:04}.json", self.state.seen));
            let text = format!("{:#}\n", capsule(impact));
            let written = fs::create_dir_all(&self.folder).and_then(|()| write_whole(&path, text));
            self.failure = written.err().map(|error| Failure::file(&path, &error));
        }
    }

    /// One line for people; nothing where there was nothing.
    pub(crate) fn summarise(&self) {
        if self.state.seen == 0 {
            let reason = match self.state.choice {
                Some(CaptureChoice::Sample) => "no two bodies touched",
                _ => "no impact was suspicious",
            };
            eprintln!("capsules: none, {reason}");
            return;
        }
        let written = self.written();
        let beyond = match self.state.seen - written {
            0 => String::new(),
            more => format!(", {more} more not written"),
        };
        eprintln!("capsules: {written} in {}{beyond}", self.folder.display());
    }

    fn written(&self) -> u64 {
        self.state.written.iter().sum()
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "directory": self.folder,
            "suspicious": self.state.seen,
            "written": self.written(),
        })
    }

    /// The first failure to write, if any.
    pub(crate) fn into_result(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }
}

/// Sizes of problems, by the largest number of contacts of each: the methods differ from one to the next.
const SIZE_CLASSES: [usize; 10] = [1, 2, 20, 60, 200, 400, 1000, 2000, 5000, usize::MAX];
/// Suspicious problems, and those of one combination of methods, that the sample takes in each class.
const MAX_SUSPICIOUS: u64 = 20;
const MAX_ALIKE: u64 = 4;

/// A reproducible sample of contact problems: of each size class the first, second, fourth, eighth … problem, and the hard
/// ones, which are those that are suspicious, that needed a rare combination of methods, or more pivots than any before.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Sample {
    /// Fewer in checkpoints of older versions.
    classes: Vec<SizeClass>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SizeClass {
    seen: u64,
    suspicious: u64,
    pivots: u64,
    /// Combinations of methods, and how many problems of each were taken.
    combinations: Vec<(u64, u64)>,
}

impl Sample {
    fn takes(&mut self, impact: &CapturedImpact) -> bool {
        let (report, count) = (&impact.report, impact.before.contacts.len());
        let class = SIZE_CLASSES.iter().position(|&largest| count <= largest);
        self.classes
            .resize_with(SIZE_CLASSES.len(), SizeClass::default);
        let class = &mut self.classes[class.expect("the last class has no limit")];
        class.seen += 1;
        let is_suspicious = !report.suspicions().is_empty() && class.suspicious < MAX_SUSPICIOUS;
        class.suspicious += u64::from(is_suspicious);
        let methods = report.methods.iter().enumerate();
        let used = methods.filter(|(_, count)| **count > 0);
        let combination = used.fold(0, |bits, (index, _)| bits | 1_u64 << index);
        let known = class.combinations.iter().position(|c| c.0 == combination);
        let known = known.unwrap_or_else(|| {
            class.combinations.push((combination, 0));
            class.combinations.len() - 1
        });
        let taken = &mut class.combinations[known].1;
        let is_rare = *taken < MAX_ALIKE;
        *taken += u64::from(is_rare);
        let is_longest = report.pivots > class.pivots;
        class.pivots = class.pivots.max(report.pivots);
        class.seen.is_power_of_two() || is_suspicious || is_rare || is_longest
    }
}

fn capsule(impact: &CapturedImpact) -> Value {
    let (problem, outcome) = match (&impact.crushing, &impact.bounds) {
        (Some(contacts), _) => (
            impact.before.to_json_with_crushing(contacts),
            crushing_answer(&impact.before, &impact.after, contacts, &impact.report),
        ),
        (None, Some(bounds)) => (
            impact.before.to_json_with_bounds(bounds),
            bounded_answer(&impact.before, &impact.after, &impact.report),
        ),
        (None, None) => (
            impact.before.to_json(&impact.settings),
            impact_answer(&impact.before, &impact.after, &impact.report),
        ),
    };
    let mut capsule: Value =
        serde_json::from_str(&problem).expect("what was written as JSON is JSON");
    let reasons = impact.report.suspicions();
    capsule["capsule"] = json!({
        "version": VERSION,
        "reasons": reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>(),
        "step": impact.clock.step,
        "time_s": impact.clock.time,
        "outcome": outcome,
    });
    capsule
}

/// `banquise replay`: solves a capsule again and says whether the same came out.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let path = &arguments.file;
    let bytes = read_bytes(path)?;
    if step_capsule::is_capsule(&bytes) {
        return step_capsule::replay(&bytes);
    }
    let text = text_of(path, bytes)?;
    let no_capsule = |what: &str| {
        Failure::usage(
            format!("{}: {what}", path.display()),
            "name a file that `banquise run --capture` wrote; `banquise solve` reads other problems",
        )
    };
    let problem = parse(path, &text)?;
    if matches!(problem, Problem::Lcp(_) | Problem::Local(_)) {
        return Err(no_capsule("not a capsule: it has no `bodies`"));
    }
    let file: Value = serde_json::from_str(&text).expect("what was read as a problem is JSON");
    let stored = file.get("capsule").and_then(Value::as_object);
    let stored = stored.ok_or_else(|| no_capsule("not a capsule: it has no object `capsule`"))?;
    let outcome = stored.get("outcome").and_then(Value::as_object);
    let outcome = outcome.ok_or_else(|| no_capsule("the capsule has no object `outcome`"))?;
    let mut answer = problem.answer();
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
