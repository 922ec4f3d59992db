//! Recordings made from Python, with the checkpoints from which their runs go on.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use banquise_io::checkpoint::Checkpoint;
use banquise_io::lock::{FolderLock, LockAttempt, try_lock_folder};
use banquise_io::recording::{DATASET, Manifest, RecordingWriter, RunStatus, mark_failed};
use banquise_io::zarr::{ZarrError, ZarrReader};
use pyo3::prelude::*;
use serde_json::json;

use crate::core::{Core, Setup};
use crate::errors::{file_error, input_error, recording_error, unwritten_error};
use crate::state::{RunPlan, from_checkpoint, plan_of, to_checkpoint};

/// Writes the dataset of a run, record by record.
#[pyclass(module = "banquise._native")]
pub(crate) struct Recorder {
    folder: PathBuf,
    writer: Option<RecordingWriter>,
    plan: RunPlan,
    every: Duration,
    last: Instant,
    /// Two programs never write one run.
    _lock: FolderLock,
}

/// What the recording says of the whole run.
fn complete_manifest(manifest: &mut Manifest, duration: f64) {
    manifest.duration = duration;
    if manifest.report.snapshots.is_empty() {
        let times = (0..4).map(|part| duration * f64::from(part) / 3.0);
        manifest.report.snapshots = times.collect();
    }
}

fn lock(py: Python<'_>, folder: &Path) -> PyResult<FolderLock> {
    match try_lock_folder(folder) {
        Ok(LockAttempt::Locked(lock)) => Ok(lock),
        Ok(LockAttempt::Taken(owner)) => Err(input_error(
            py,
            &format!("`{}` is being written by {owner}", folder.display()),
            "wait until it ends, or stop it",
        )),
        Err(error) => Err(file_error(py, &format!("{}: {error}", folder.display()))),
    }
}

#[pymethods]
impl Recorder {
    /// `plan` is the run as JSON: see [`RunPlan`].
    #[new]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        core: &mut Core,
        plan: &str,
        checkpoint_every: f64,
    ) -> PyResult<Self> {
        let plan: RunPlan = serde_json::from_str(plan)
            .map_err(|error| input_error(py, &error.to_string(), "give finite times"))?;
        let parts = &mut core.parts;
        complete_manifest(&mut parts.manifest, plan.until);
        std::fs::create_dir_all(&folder)
            .map_err(|error| file_error(py, &format!("{}: {error}", folder.display())))?;
        let lock = lock(py, &folder)?;
        let writer = RecordingWriter::create(&folder, &parts.manifest, &parts.simulation);
        let writer = writer.map_err(|error| recording_error(py, &error))?;
        if !plan.callbacks().is_empty() {
            // `banquise rerun` has no functions of Python.
            let named = writer.set_attribute("python_callbacks", json!(plan.callbacks()));
            named.map_err(|error| recording_error(py, &error))?;
        }
        Ok(Self {
            folder,
            writer: Some(writer),
            plan,
            every: duration(checkpoint_every),
            last: Instant::now(),
            _lock: lock,
        })
    }

    /// Adds the present state.
    fn record(&mut self, py: Python<'_>, core: &mut Core) -> PyResult<()> {
        let recorded = self.writer(py)?.record(&core.parts.simulation);
        core.parts.simulation.collisions.drop_waiting();
        recorded.map_err(|error| self.unwritten(py, &error))
    }

    /// Time until the next checkpoint [s].
    fn seconds_left(&self) -> f64 {
        self.every.saturating_sub(self.last.elapsed()).as_secs_f64()
    }

    /// Writes a checkpoint, once all that was recorded before is on the disk.
    fn checkpoint(&mut self, py: Python<'_>, core: &mut Core) -> PyResult<()> {
        let plan = self.plan.clone();
        let writer = self.writer(py)?;
        let logged = writer.record_collisions(&core.parts.simulation);
        core.parts.simulation.collisions.drop_waiting();
        let position = writer.position();
        let checkpoint =
            py.detach(|| to_checkpoint(&core.parts, plan.force.clone(), Some((plan, position))));
        let folder = self.folder.clone();
        let sent = self
            .writer(py)?
            .after_flush(checkpoint.state.len(), move || checkpoint.write(&folder));
        self.last = Instant::now();
        logged.and(sent).map_err(|error| self.unwritten(py, &error))
    }

    /// Ends the recording: `complete`, `interrupted` or `failed`.
    fn finish(&mut self, py: Python<'_>, core: &Core, status: &str) -> PyResult<()> {
        let status = match status {
            "complete" => RunStatus::Complete,
            "interrupted" => RunStatus::Interrupted,
            _ => RunStatus::Failed,
        };
        let writer = self.writer.take().ok_or_else(|| ended(py))?;
        let finished = py.detach(|| writer.finish(&core.parts.simulation, status));
        finished.map_err(|error| {
            mark_failed(&self.folder);
            self.unwritten(py, &error)
        })
    }
}

impl Recorder {
    fn writer(&mut self, py: Python<'_>) -> PyResult<&mut RecordingWriter> {
        self.writer.as_mut().ok_or_else(|| ended(py))
    }

    /// What is safe where something could not be written, and how to go on.
    fn unwritten(&self, py: Python<'_>, error: &ZarrError) -> PyErr {
        let folder = self.folder.display();
        let hint = match Checkpoint::read(&self.folder) {
            Ok((checkpoint, _)) => format!(
                "is the disk full? The run is safe up to {} s: make room, then banquise.Simulation.resume(\"{folder}\")",
                checkpoint.header.time
            ),
            Err(_) => "is the disk full, or the folder gone? There is no checkpoint yet".into(),
        };
        unwritten_error(py, error, &hint)
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn ended(py: Python<'_>) -> PyErr {
    input_error(py, "the recording has ended", "make a new one")
}

/// The last checkpoint of a run.
fn last_checkpoint(py: Python<'_>, folder: &Path) -> PyResult<Checkpoint> {
    let refuse = |what: &str, hint: &str| {
        let message = format!("`{}` has no run to go on with: {what}", folder.display());
        input_error(py, &message, hint)
    };
    if !folder.is_dir() {
        return Err(refuse(
            "there is no such folder",
            "name the folder of a run",
        ));
    }
    match Checkpoint::read(folder) {
        Ok((checkpoint, _)) => Ok(checkpoint),
        Err(error) => Err(refuse(
            &error.to_string(),
            "it was stopped before its first checkpoint, or is no run: run it again",
        )),
    }
}

/// End, records and functions of the run in a folder, as JSON.
#[pyfunction]
pub(crate) fn run_plan(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    let plan = plan_of(py, &last_checkpoint(py, &folder)?)?;
    Ok(serde_json::to_string(&plan).expect("times and texts are JSON"))
}

/// A run from its last checkpoint: the simulation, and its recorder; `None` where the run is complete.
#[pyfunction]
pub(crate) fn reopen(
    py: Python<'_>,
    folder: PathBuf,
    checkpoint_every: f64,
) -> PyResult<(Setup, Option<Recorder>)> {
    let lock = lock(py, &folder)?;
    let checkpoint = last_checkpoint(py, &folder)?;
    let plan = plan_of(py, &checkpoint)?;
    let position = checkpoint.header.recorder.clone();
    let mut parts = from_checkpoint(py, checkpoint)?;
    if is_complete(&folder) {
        return Ok((Setup::new(parts), None));
    }
    complete_manifest(&mut parts.manifest, plan.until);
    let writer = py
        .detach(|| RecordingWriter::resume(&folder, &parts.manifest, &parts.simulation, &position));
    let writer = writer.map_err(|error| recording_error(py, &error))?;
    let recorder = Recorder {
        folder,
        writer: Some(writer),
        plan,
        every: duration(checkpoint_every),
        last: Instant::now(),
        _lock: lock,
    };
    Ok((Setup::new(parts), Some(recorder)))
}

fn is_complete(folder: &Path) -> bool {
    let recording = ZarrReader::open(folder.join(DATASET));
    recording.is_ok_and(|recording| {
        recording.attributes().get("status") == Some(&json!(RunStatus::Complete.name()))
    })
}
