//! Sweeps: runs one member at a time; the caller schedules them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use banquise::StopFlag;
use banquise_io::lock::lock_folder_waiting;
use banquise_io::scenario::ScenarioInput;
use banquise_io::sweep::{
    Attempt, Pause, Study, SweepError, SweepPlan, gather, run_member, write_dataset, write_page,
};
use pyo3::prelude::*;

use crate::core::version;
use crate::errors::{input_error, scenario_error};

/// Wall time between checkpoints of a member.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// A study given as a file, as the name of a built-in one, or as a text.
#[derive(FromPyObject)]
pub(crate) struct StudySource {
    text: String,
    is_text: bool,
    /// Where files are that a text names.
    folder: PathBuf,
    overrides: Vec<String>,
}

impl StudySource {
    fn read(&self, py: Python<'_>) -> PyResult<Study> {
        let study = if self.is_text {
            let input = ScenarioInput::of_text("study", &self.text, &self.folder);
            Study::of(&input, &self.overrides)
        } else {
            Study::read(Path::new(&self.text), &self.overrides)
        };
        study.map_err(|error| scenario_error(py, &error))
    }
}

fn sweep_error(py: Python<'_>, error: &SweepError) -> PyErr {
    input_error(py, &error.to_string(), error.hint())
}

/// Writes the plan of a sweep into its folder, and returns the number of members.
#[pyfunction]
pub(crate) fn sweep_plan(py: Python<'_>, source: StudySource, out: PathBuf) -> PyResult<usize> {
    let study = source.read(py)?;
    let written = SweepPlan::of(&study, &version()).write(&out);
    written.map_err(|error| sweep_error(py, &error))?;
    Ok(study.members.len())
}

/// Runs a member, unless it is done or someone else runs it: `run`, `present` or `taken`.
#[pyfunction]
pub(crate) fn sweep_member(
    py: Python<'_>,
    source: StudySource,
    out: PathBuf,
    number: usize,
) -> PyResult<&'static str> {
    let study = source.read(py)?;
    let member = study.members.get(number).ok_or_else(|| {
        let message = format!("there is no member {number} of {}", study.members.len());
        input_error(py, &message, "members are counted from 0")
    })?;
    let attempt = py.detach(|| {
        let mut last = Instant::now();
        let mut pause = |_: &banquise::World| {
            if last.elapsed() < CHECKPOINT_EVERY {
                return Pause::GoOn;
            }
            last = Instant::now();
            Pause::Checkpoint
        };
        run_member(
            &out,
            &study,
            member,
            &version(),
            &StopFlag::default(),
            &mut pause,
        )
    });
    match attempt.map_err(|error| sweep_error(py, &error))? {
        Attempt::Run(_) => Ok("run"),
        Attempt::Present(_) => Ok("present"),
        Attempt::Taken(_) | Attempt::Stopped => Ok("taken"),
    }
}

/// Makes table, page and dataset of the members that are there; counts those that are complete, failed and missing.
#[pyfunction]
pub(crate) fn sweep_gather(py: Python<'_>, out: PathBuf) -> PyResult<(PathBuf, [usize; 3])> {
    let gathered = py.detach(|| {
        let lock = lock_folder_waiting(&out).map_err(|source| SweepError::Io {
            action: "lock",
            path: out.clone(),
            source,
        })?;
        let gathered = gather(&out)?;
        gathered.write_table(&out)?;
        write_page(&out, &gathered)?;
        let path = write_dataset(&out, &gathered)?;
        drop(lock);
        Ok((path, gathered.counts()))
    });
    gathered.map_err(|error: SweepError| sweep_error(py, &error))
}
