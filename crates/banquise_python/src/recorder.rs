//! Recordings made from Python.

use std::path::PathBuf;

use banquise_io::recording::{RecordingWriter, RunStatus};
use pyo3::prelude::*;

use crate::core::Core;
use crate::errors::{file_error, input_error, recording_error};

/// Writes the dataset of a run, record by record.
#[pyclass(module = "banquise._native")]
pub(crate) struct Recorder {
    writer: Option<RecordingWriter>,
}

#[pymethods]
impl Recorder {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf, core: &mut Core, duration: f64) -> PyResult<Self> {
        let parts = &mut core.parts;
        parts.manifest.duration = duration;
        if parts.manifest.report.snapshots.is_empty() {
            let times = (0..4).map(|part| duration * f64::from(part) / 3.0);
            parts.manifest.report.snapshots = times.collect();
        }
        std::fs::create_dir_all(&folder)
            .map_err(|error| file_error(py, &format!("{}: {error}", folder.display())))?;
        let writer = RecordingWriter::create(&folder, &parts.manifest, &parts.simulation);
        let writer = writer.map_err(|error| recording_error(py, &error))?;
        Ok(Self {
            writer: Some(writer),
        })
    }

    /// Adds the present state.
    fn record(&mut self, py: Python<'_>, core: &mut Core) -> PyResult<()> {
        let writer = self.writer.as_mut().ok_or_else(|| ended(py))?;
        let recorded = writer.record(&core.parts.simulation);
        core.parts.simulation.collisions.drop_waiting();
        recorded.map_err(|error| recording_error(py, &error))
    }

    /// Ends the recording: `complete`, `interrupted` or `failed`.
    fn finish(&mut self, py: Python<'_>, core: &Core, status: &str) -> PyResult<()> {
        let status = match status {
            "complete" => RunStatus::Complete,
            "interrupted" => RunStatus::Interrupted,
            _ => RunStatus::Failed,
        };
        let writer = self.writer.take().ok_or_else(|| ended(py))?;
        let finished = writer.finish(&core.parts.simulation, status);
        finished.map_err(|error| recording_error(py, &error))
    }
}

fn ended(py: Python<'_>) -> PyErr {
    input_error(py, "the recording has ended", "make a new one")
}
