//! All members of a sweep together.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::csv::quoted;
use super::measures::Measure;
use super::members::{MemberResult, MemberStatus, SweepError, read_member, write_whole};
use super::study::{Member, OutcomeSpec, Study};
use super::{PLAN_FILE, TABLE_FILE};

/// What a sweep's folder says of its members: all that is needed to gather them without the study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    /// Title of the study.
    pub title: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Text of the scenario.
    pub scenario_text: String,
    /// Version of the program.
    pub version: String,
    /// Keys that differ.
    pub parameters: Vec<String>,
    /// The members.
    pub members: Vec<Member>,
    /// Name, unit and meaning of each measure.
    pub measures: Vec<[String; 3]>,
    /// Numbers of the table.
    pub outcomes: Vec<OutcomeSpec>,
    /// Two parameters and an outcome.
    pub map: Option<[String; 3]>,
}

impl SweepPlan {
    /// The plan of a study.
    pub fn of(study: &Study, version: &str) -> Self {
        let measure = |m: &Measure| [m.name.clone(), m.unit.clone(), m.meaning.clone()];
        Self {
            title: study.title.clone(),
            scenario: study.scenario.name.clone(),
            scenario_text: String::from_utf8_lossy(&study.scenario.bytes).into_owned(),
            version: version.to_owned(),
            parameters: study.parameters.clone(),
            members: study.members.clone(),
            measures: study.measures.iter().map(measure).collect(),
            outcomes: study.outcomes.clone(),
            map: study.map.clone(),
        }
    }

    /// Writes it into the folder of a sweep. Processes that share the folder write the same.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self, sweep: &Path) -> Result<(), SweepError> {
        fs::create_dir_all(sweep).map_err(SweepError::io("create", sweep))?;
        let text = serde_json::to_string(self).expect("texts and numbers are JSON");
        write_whole(&sweep.join(PLAN_FILE), text.as_bytes())
    }

    /// Reads that of a folder.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub fn read(sweep: &Path) -> Result<Self, SweepError> {
        let path = sweep.join(PLAN_FILE);
        let text = fs::read(&path).map_err(SweepError::io("read", &path))?;
        let damaged = |what: String| SweepError::Damaged {
            path: path.clone(),
            what,
        };
        let plan: Self =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        let count = plan.parameters.len();
        let is_id = |id: &str| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_whole = |member: &Member| is_id(&member.id) && member.values.len() == count;
        if !plan.members.iter().all(is_whole) {
            return Err(damaged("it has a member that is none".into()));
        }
        Ok(plan)
    }
}

/// A sweep with the results that are there.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathered {
    /// Its plan.
    pub plan: SweepPlan,
    /// The result of each member; `None` where it is not done.
    pub results: Vec<Option<MemberResult>>,
    /// What is wrong with results that are damaged: these members are not done.
    pub damaged: Vec<String>,
}

/// Reads the results of all members.
///
/// # Errors
/// When the folder is not that of a sweep, its plan is damaged, or the system refuses.
pub fn gather(sweep: &Path) -> Result<Gathered, SweepError> {
    let plan = SweepPlan::read(sweep)?;
    let mut results = Vec::with_capacity(plan.members.len());
    let mut damaged = Vec::new();
    for member in &plan.members {
        match read_member(sweep, &member.id) {
            Err(error @ SweepError::Damaged { .. }) => {
                damaged.push(error.to_string());
                results.push(None);
            }
            result => results.push(result?),
        }
    }
    Ok(Gathered {
        plan,
        results,
        damaged,
    })
}

impl Gathered {
    /// How many are complete, failed, and not done.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for result in &self.results {
            let place = match result.as_ref().map(|result| result.status) {
                Some(MemberStatus::Complete) => 0,
                Some(MemberStatus::Failed) => 1,
                None => 2,
            };
            counts[place] += 1;
        }
        counts
    }

    /// Word for how a member stands.
    pub(super) fn status(&self, member: usize) -> &'static str {
        match self.results[member].as_ref().map(|result| result.status) {
            Some(MemberStatus::Complete) => "complete",
            Some(MemberStatus::Failed) => "failed",
            None => "missing",
        }
    }

    /// An outcome of a member; not a number where it has none.
    pub fn outcome(&self, member: usize, outcome: &OutcomeSpec) -> f64 {
        let result = self.results[member].as_ref();
        let curve = result.and_then(|result| result.curve(&outcome.measure));
        let times = result.map_or(&[][..], |result| &result.times);
        curve.map_or(f64::NAN, |curve| outcome.of(times, &curve))
    }

    /// The table of all members, as comma-separated values.
    pub fn table(&self) -> String {
        let plan = &self.plan;
        let outcomes = plan.outcomes.iter().map(|outcome| outcome.name.as_str());
        let header = ["member"]
            .into_iter()
            .chain(plan.parameters.iter().map(String::as_str))
            .chain(["status"])
            .chain(outcomes)
            .chain(["steps", "state_hash", "error"]);
        let mut lines = vec![header.map(quoted).collect::<Vec<_>>().join(",")];
        for (place, (member, result)) in plan.members.iter().zip(&self.results).enumerate() {
            let number = |outcome| {
                let value = self.outcome(place, outcome);
                if value.is_nan() {
                    String::new()
                } else {
                    format!("{value}")
                }
            };
            let mut cells = vec![member.id.clone()];
            cells.extend(
                member
                    .values
                    .iter()
                    .map(|value| quoted(super::parameter::unquoted(value))),
            );
            cells.push(self.status(place).into());
            cells.extend(plan.outcomes.iter().map(number));
            let result = result.as_ref();
            cells.push(result.map_or_else(String::new, |result| result.steps.to_string()));
            let hash = result.and_then(|result| result.state_hash.clone());
            cells.push(hash.unwrap_or_default());
            let error = result.and_then(|result| result.error.as_deref());
            cells.push(quoted(first_line(error.unwrap_or_default())));
            lines.push(cells.join(","));
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// Writes the table into the folder of the sweep.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write_table(&self, sweep: &Path) -> Result<(), SweepError> {
        write_whole(&sweep.join(TABLE_FILE), self.table().as_bytes())
    }
}

/// The message of an error, without the place it points at.
pub(super) fn first_line(error: &str) -> &str {
    let line = error.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}
