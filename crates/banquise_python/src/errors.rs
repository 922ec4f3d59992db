//! Our messages as exceptions, whose classes are in `banquise._errors`.

use banquise::StepError;
use banquise_io::scenario::ScenarioError;
use banquise_io::zarr::ZarrError;
use pyo3::prelude::*;

/// An exception of the class of that name, with a message and a hint.
fn raise(py: Python<'_>, class: &str, message: &str, hint: &str) -> PyErr {
    let made = py
        .import("banquise._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message, hint)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// A scenario with problems; the message shows their places.
pub(crate) fn scenario_error(py: Python<'_>, error: &ScenarioError) -> PyErr {
    raise(py, "ScenarioError", error.render(false).trim_end(), "")
}

/// Values that cannot be used.
pub(crate) fn input_error(py: Python<'_>, message: &str, hint: &str) -> PyErr {
    raise(py, "InputError", message, hint)
}

/// A step that failed.
pub(crate) fn step_error(py: Python<'_>, error: &StepError) -> PyErr {
    raise(py, "StepError", &error.to_string(), error.hint())
}

/// A recording that cannot be read or written.
pub(crate) fn recording_error(py: Python<'_>, error: &ZarrError) -> PyErr {
    let hint = "name the directory of a run; a new one must be empty";
    raise(py, "RecordingError", &with_causes(error), hint)
}

/// A recording that cannot be written any more.
pub(crate) fn unwritten_error(py: Python<'_>, error: &ZarrError, hint: &str) -> PyErr {
    raise(py, "RecordingError", &with_causes(error), hint)
}

/// An error with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}

/// A file that cannot be written.
pub(crate) fn file_error(py: Python<'_>, message: &str) -> PyErr {
    raise(
        py,
        "RecordingError",
        message,
        "check the path and its permissions",
    )
}
