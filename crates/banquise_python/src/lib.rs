//! The native half of the Python module `banquise`: its other half is in `python/banquise`.
//!
//! The interpreter's lock is released wherever a world is stepped, a pack made or a problem solved.

#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments are made from objects of Python and belong to the function"
)]

mod arrays;
mod core;
mod errors;
mod exchange;
mod loads;
mod recipe;
mod recorder;
mod state;
mod sweep;

use pyo3::prelude::*;

/// The native module of `banquise`.
#[pymodule]
mod _native {
    use std::ffi::CString;
    use std::path::{Path, PathBuf};

    use banquise_io::builtin;
    use banquise_io::diagnostics::Diagnostics;
    use banquise_io::export::{self, Source};
    use banquise_io::film::FilmWishes;
    use banquise_io::plan::{PackPlan, Plan, PreparedRun};
    use banquise_io::recording::{self, Recording};
    use banquise_io::scenario::{ScenarioError, ScenarioInput, suggest};
    use banquise_solver::Problem;
    use numpy::{IntoPyArray, PyArray1, PyArray2};
    use pyo3::exceptions::PyUserWarning;
    use pyo3::prelude::*;

    /// Version of the module, that of the command.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "its name in Python")]
    const version: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::arrays::build;
    #[pymodule_export]
    use crate::core::{Core, Setup};
    #[pymodule_export]
    use crate::exchange::{add_body, replace_body};
    #[pymodule_export]
    use crate::loads::{collision_columns, line_tensions, set_loads};
    #[pymodule_export]
    use crate::recorder::{Recorder, reopen, run_plan};
    #[pymodule_export]
    use crate::state::{duplicate, restore, state_bytes};
    #[pymodule_export]
    use crate::sweep::{sweep_gather, sweep_member, sweep_plan};

    use crate::core::points;
    use crate::errors::{file_error, input_error, recording_error, scenario_error};
    use crate::recipe::{Recipe, absolute};

    /// Reads a scenario: a built-in one by its name, or a file.
    #[pyfunction]
    fn read_scenario(py: Python<'_>, scenario: &str, overrides: Vec<String>) -> PyResult<Setup> {
        let run = py.detach(|| {
            let input = match builtin::find(scenario) {
                Some(found) => ScenarioInput::of_text(found.name, found.text, Path::new("")),
                None => ScenarioInput::read(Path::new(scenario))?,
            };
            let run = Plan::of(&input, &overrides)?.build()?;
            Ok((run, recipe(&input)))
        });
        set_up(py, run)
    }

    /// How the scenario is found again.
    fn recipe(input: &ScenarioInput) -> Recipe {
        Recipe::Scenario {
            name: input.name.clone(),
            folder: absolute(&input.folder),
        }
    }

    /// Prepares a run and shows the notices of its plan to the user.
    fn set_up(
        py: Python<'_>,
        run: Result<(PreparedRun, Recipe), ScenarioError>,
    ) -> PyResult<Setup> {
        let (run, recipe) = run.map_err(|error| scenario_error(py, &error))?;
        warn(py, &run.notices)?;
        Ok(Setup::of_run(run, recipe))
    }

    /// Shows the notices of a plan to the user, as warnings at the calling line.
    fn warn(py: Python<'_>, notices: &[String]) -> PyResult<()> {
        for notice in notices {
            let text = CString::new(notice.as_str())?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)?;
        }
        Ok(())
    }

    /// Reads the text of a scenario; files it names are looked for in `folder`.
    #[pyfunction]
    fn read_text(
        py: Python<'_>,
        text: String,
        overrides: Vec<String>,
        folder: PathBuf,
    ) -> PyResult<Setup> {
        let run = py.detach(|| {
            let input = ScenarioInput::of_text("scenario", &text, &folder);
            let run = Plan::of(&input, &overrides)?.build()?;
            Ok((run, recipe(&input)))
        });
        set_up(py, run)
    }

    /// Names and summaries of the built-in scenarios.
    #[pyfunction]
    fn scenarios() -> Vec<(&'static str, String)> {
        let all = builtin::SCENARIOS.iter();
        all.map(|found| (found.name, found.summary())).collect()
    }

    /// The text of a built-in scenario.
    #[pyfunction]
    fn scenario_text(py: Python<'_>, name: &str) -> PyResult<&'static str> {
        builtin::find(name).map(|found| found.text).ok_or_else(|| {
            let names: Vec<&str> = builtin::SCENARIOS.iter().map(|found| found.name).collect();
            input_error(
                py,
                &format!("there is no built-in scenario `{name}`"),
                &suggest(name, "the built-in scenarios are", &names),
            )
        })
    }

    /// Outlines in the plane, thicknesses, concentration, smallest gap and area of the region.
    type PackParts<'py> = (
        Vec<Bound<'py, PyArray2<f64>>>,
        Bound<'py, PyArray1<f64>>,
        f64,
        f64,
        f64,
    );

    /// Makes the pack of a scenario, given by name or file, or as a text.
    #[pyfunction]
    fn make_pack<'py>(
        py: Python<'py>,
        scenario: &str,
        is_text: bool,
        overrides: Vec<String>,
    ) -> PyResult<PackParts<'py>> {
        let made = py.detach(|| {
            let watch = &mut |_: &'static str, _: f64| {};
            match builtin::find(scenario) {
                _ if is_text => PackPlan::parse("pack", scenario, &overrides, watch),
                Some(found) => PackPlan::parse(found.name, found.text, &overrides, watch),
                None => PackPlan::read(Path::new(scenario), &overrides, watch),
            }
        });
        let made = made.map_err(|error| scenario_error(py, &error))?.made;
        let floes = &made.pack.floes;
        let outlines = floes.iter().map(|floe| points(py, floe.outline.vertices()));
        let thicknesses: Vec<f64> = floes.iter().map(|floe| floe.thickness).collect();
        Ok((
            outlines.collect::<PyResult<_>>()?,
            thicknesses.into_pyarray(py),
            made.pack.concentration,
            made.pack.smallest_gap,
            made.request.region.area(),
        ))
    }

    /// Solves a problem given as JSON, and answers as `banquise solve` does.
    #[pyfunction]
    fn solve(py: Python<'_>, text: &str) -> PyResult<String> {
        let answer =
            py.detach(|| Problem::from_json(text).map(|problem| problem.answer().to_string()));
        answer.map_err(|error| input_error(py, &error.to_string(), error.hint()))
    }

    /// Diagnostics of a recording, as JSON.
    #[pyfunction]
    fn diagnostics(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
        let measured = py.detach(|| Recording::open(&folder).and_then(|r| Diagnostics::of(&r)));
        let measured = measured.map_err(|error| recording_error(py, &error))?;
        Ok(measured.to_json().to_string())
    }

    /// Makes the report page of a run, and returns its path.
    #[pyfunction]
    fn write_report(py: Python<'_>, folder: PathBuf) -> PyResult<PathBuf> {
        let report = py.detach(|| banquise_io::report::report(&folder));
        let report = report.map_err(|error| recording_error(py, &error))?;
        let path = folder.join(banquise_io::report::PAGE);
        banquise_io::whole_file::write_whole(&path, report.html)
            .map_err(|error| file_error(py, &format!("{}: {error}", path.display())))?;
        Ok(path)
    }

    /// Options of pictures and films: colouring, size like `1280x720`, frames a second.
    type FilmParts = (Option<String>, Option<String>, Option<u32>);

    /// Writes a recording in another format, and returns its path.
    #[pyfunction]
    fn export_recording(
        py: Python<'_>,
        folder: PathBuf,
        format: &str,
        out: Option<PathBuf>,
        every: usize,
        film: FilmParts,
    ) -> PyResult<PathBuf> {
        let (color, size, fps) = film;
        let written = py.detach(|| {
            let format = export::find(format)?;
            let wishes = FilmWishes {
                color: color.as_deref(),
                size: size.as_deref(),
                fps,
                ..FilmWishes::default()
            };
            let film = wishes.settings(format)?;
            let mut source = Source::open(&folder, every)?;
            source.film = film;
            export::export(&source, format, out.as_deref(), &mut |_, _| {
                std::ops::ControlFlow::Continue(())
            })
        });
        written.map_err(|error| input_error(py, &error.to_string(), &error.hint()))
    }

    /// Names and meanings of the formats of `export_recording`.
    #[pyfunction]
    fn export_formats() -> Vec<(&'static str, &'static str)> {
        let formats = export::FORMATS.iter();
        formats
            .map(|format| (format.name, format.meaning))
            .collect()
    }

    /// The times of all records of a run but the first, its end always among them.
    #[pyfunction]
    fn record_times(duration: f64, every: f64) -> Vec<f64> {
        recording::record_times(duration, every).collect()
    }
}
