//! Loads that Python gives, and what lines and contacts did.

use banquise::{Collision, ExternalLoad};
use banquise_geometry::DVec2;
use banquise_io::recording::other_number;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::core::Core;
use crate::errors::input_error;

/// Gives the bodies loads until they are given others: force [N] and torque [N m], a row of three for each body, or no row at all.
#[pyfunction]
pub(crate) fn set_loads(
    py: Python<'_>,
    core: &mut Core,
    loads: PyReadonlyArray2<'_, f64>,
) -> PyResult<()> {
    let loads = loads.as_array();
    if loads.nrows() > 0 {
        core.check_rows(py, loads.nrows())?;
    }
    let rows = loads.rows().into_iter();
    let loads: Vec<ExternalLoad> = rows
        .map(|row| ExternalLoad {
            force: DVec2::new(row[0], row[1]),
            torque: row[2],
        })
        .collect();
    let is_finite = |load: &ExternalLoad| load.force.is_finite() && load.torque.is_finite();
    if let Some(row) = loads.iter().position(|load| !is_finite(load)) {
        let message = format!("the force in row {row} is not finite");
        return Err(input_error(py, &message, "give finite numbers"));
    }
    core.parts.simulation.forcing.external_loads = loads;
    Ok(())
}

/// A column of the table: its name, and how it is read off a row.
type Column<T> = (&'static str, fn(&Collision) -> T);

/// Rows of the log of collisions that are not in a recording: columns by name.
#[pyfunction]
pub(crate) fn collision_columns<'py>(py: Python<'py>, core: &Core) -> PyResult<Bound<'py, PyDict>> {
    let rows = core.parts.simulation.collisions.waiting();
    let columns = PyDict::new(py);
    let integers: [Column<i64>; 3] = [
        ("body", |row| i64::from(row.body.0)),
        ("other", |row| other_number(row.other)),
        ("is_new", |row| i64::from(row.is_collision)),
    ];
    for (name, read) in integers {
        let values: Vec<i64> = rows.iter().map(read).collect();
        columns.set_item(name, values.into_pyarray(py))?;
    }
    let floats: [Column<f64>; 8] = [
        ("time", |row| row.time),
        ("x", |row| row.point.x),
        ("y", |row| row.point.y),
        ("normal_x", |row| row.normal.x),
        ("normal_y", |row| row.normal.y),
        ("approach_speed", |row| row.approach_speed),
        ("normal_impulse", |row| row.normal_impulse),
        ("tangent_impulse", |row| row.tangent_impulse),
    ];
    for (name, read) in floats {
        let values: Vec<f64> = rows.iter().map(read).collect();
        columns.set_item(name, values.into_pyarray(py))?;
    }
    Ok(columns)
}

/// Tensions of springs and lines in the last step [N]; NaN for one that is broken.
#[pyfunction]
pub(crate) fn line_tensions<'py>(py: Python<'py>, core: &Core) -> Bound<'py, PyArray1<f64>> {
    let lines = core.parts.simulation.world.lines.iter();
    let tension = |line: &banquise::Line| {
        if line.is_intact() {
            line.tension
        } else {
            f64::NAN
        }
    };
    let tensions: Vec<f64> = lines.map(tension).collect();
    tensions.into_pyarray(py)
}
