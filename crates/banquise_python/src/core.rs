//! The world that Python steps.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use banquise::{BodyError, BodyId, Life, NoTimer, VectorSeries, Velocity, World};
use banquise_geometry::{DVec2, Pose, Shape, math};
use banquise_io::plan::PreparedRun;
use banquise_io::recording::{Manifest, contact_statistics};
use numpy::ndarray::Dimension;
use numpy::{
    AllowTypeChange, Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArray3, PyArrayLike1,
    PyArrayLike2, PyArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::{input_error, step_error};
use crate::recipe::Recipe;

/// Interval at which a run checks whether the user interrupts it.
const SIGNALS_EVERY: Duration = Duration::from_millis(100);
/// Corners of the polygon that stands for a true disc.
const DISC_CORNERS: usize = 64;

/// A simulation before it is built, with its provenance.
#[pyclass(module = "banquise._native")]
pub(crate) struct Setup {
    parts: Option<Parts>,
}

/// Parts of a simulation.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) simulation: banquise::Simulation,
    pub(crate) manifest: Manifest,
    /// Time between records \[s\]; not finite where it is not given.
    pub(crate) record_every: f64,
    /// Where forcing and settings come from.
    pub(crate) recipe: Recipe,
    /// Wind and current that were set after the start [m/s].
    pub(crate) set_weather: [Option<[f64; 2]>; 2],
}

impl Setup {
    pub(crate) fn new(parts: Parts) -> Self {
        Self { parts: Some(parts) }
    }

    pub(crate) fn into_parts(self) -> Option<Parts> {
        self.parts
    }

    pub(crate) fn of_run(run: PreparedRun, recipe: Recipe) -> Self {
        Self::new(Parts {
            manifest: Manifest {
                title: run.title,
                version: version(),
                scenario: run.scenario,
                overrides: run.overrides,
                start: run.start,
                origin: run.origin,
                duration: run.duration,
                report: run.report,
            },
            simulation: run.simulation,
            record_every: run.record_every,
            recipe,
            set_weather: [None, None],
        })
    }
}

/// Version, as recorded.
pub(crate) fn version() -> String {
    concat!(env!("CARGO_PKG_VERSION"), " (Python)").to_owned()
}

/// A world with its forcing and settings, on which `banquise.Simulation` is based.
#[pyclass(module = "banquise._native", subclass)]
pub(crate) struct Core {
    pub(crate) parts: Parts,
}

/// Points as an array of two columns.
pub(crate) fn points<'py>(
    py: Python<'py>,
    points: &[DVec2],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    vectors(py, points.iter().copied())
}

fn vectors(
    py: Python<'_>,
    vectors: impl Iterator<Item = DVec2>,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let flat: Vec<f64> = vectors.flat_map(|vector| vector.to_array()).collect();
    let rows = flat.len() / 2;
    flat.into_pyarray(py).reshape([rows, 2])
}

/// A read-only array: changes of a copy of the state would be lost silently.
fn read_only<T: Element, D: Dimension>(
    array: Bound<'_, PyArray<T, D>>,
) -> Bound<'_, PyArray<T, D>> {
    drop(array.readwrite().make_nonwriteable());
    array
}

/// The corners of a shape in its frame; a true disc is a polygon.
fn corners(shape: &Shape) -> Vec<DVec2> {
    match shape {
        Shape::Outline(outline) => outline.vertices().to_vec(),
        Shape::Disc(disc) => (0..DISC_CORNERS)
            .map(|corner| {
                let angle = std::f64::consts::TAU * corner as f64 / DISC_CORNERS as f64;
                let (sin, cos) = math::sin_cos(angle);
                disc.center() + disc.radius() * DVec2::new(cos, sin)
            })
            .collect(),
    }
}

impl Core {
    fn world(&self) -> &World {
        &self.parts.simulation.world
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        value: impl Fn(&World, usize) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        let world = self.world();
        let values: Vec<f64> = (0..world.bodies.len())
            .map(|row| value(world, row))
            .collect();
        read_only(values.into_pyarray(py))
    }

    /// Steps until `time`, for so many steps, or so long, without the interpreter's lock.
    fn advance(
        &mut self,
        py: Python<'_>,
        time: f64,
        max_steps: u64,
        wall: Duration,
    ) -> PyResult<()> {
        let simulation = &mut self.parts.simulation;
        let mut left = max_steps;
        let begun = Instant::now();
        let mut looked = begun;
        let mut interrupt = None;
        let outcome = py.detach(|| {
            simulation.advance_to(time, &mut NoTimer, &mut |_, _| {
                left -= 1;
                if looked.elapsed() >= SIGNALS_EVERY {
                    looked = Instant::now();
                    interrupt = Python::attach(|py| py.check_signals().err());
                }
                if left == 0 || interrupt.is_some() || begun.elapsed() >= wall {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        match (outcome, interrupt) {
            (Err(error), _) => Err(step_error(py, &error)),
            (Ok(_), Some(interrupt)) => Err(interrupt),
            (Ok(_), None) => Ok(()),
        }
    }

    /// Refuses an array that has not one row for each body.
    pub(crate) fn check_rows(&self, py: Python<'_>, rows: usize) -> PyResult<()> {
        let bodies = self.world().bodies.len();
        if rows == bodies {
            return Ok(());
        }
        let message = format!("the array has {rows} rows for {bodies} bodies");
        Err(input_error(
            py,
            &message,
            "give one row for each body, obstacles included",
        ))
    }

    fn set_all_velocities(
        &mut self,
        py: Python<'_>,
        change: impl Fn(usize, &mut Velocity),
    ) -> PyResult<()> {
        let bodies = &mut self.parts.simulation.world.bodies;
        let mut velocities: Vec<Velocity> = bodies.motions().iter().map(|m| m.velocity).collect();
        for (row, velocity) in velocities.iter_mut().enumerate() {
            change(row, velocity);
            if !(velocity.linear.is_finite() && velocity.angular.is_finite()) {
                let message = format!("the velocity in row {row} is not finite");
                return Err(input_error(py, &message, "give finite numbers"));
            }
        }
        for (row, velocity) in velocities.into_iter().enumerate() {
            bodies.set_velocity(row, velocity);
        }
        Ok(())
    }
}

#[pymethods]
impl Core {
    #[new]
    fn new(py: Python<'_>, setup: &mut Setup) -> PyResult<Self> {
        let parts = setup.parts.take();
        let parts = parts.ok_or_else(|| {
            input_error(
                py,
                "this setup has been used already",
                "read or build it again",
            )
        })?;
        Ok(Self { parts })
    }

    /// Number of bodies, obstacles included.
    fn __len__(&self) -> usize {
        self.world().bodies.len()
    }

    /// Title of the scenario.
    #[getter]
    fn title(&self) -> &str {
        &self.parts.manifest.title
    }

    /// Time since the start [s].
    #[getter]
    fn time(&self) -> f64 {
        self.world().clock.time
    }

    /// Steps taken.
    #[getter]
    fn steps(&self) -> u64 {
        self.world().clock.step
    }

    /// The longest step [s]; contacts make shorter ones.
    #[getter]
    fn max_step(&self) -> f64 {
        self.parts.simulation.max_dt
    }

    /// Duration that the scenario asks for [s]; NaN where it gives none.
    #[getter]
    fn duration(&self) -> f64 {
        self.parts.manifest.duration
    }

    /// Time between records that the scenario asks for [s]; NaN where it gives none.
    #[getter]
    fn record_every(&self) -> f64 {
        self.parts.record_every
    }

    /// Hash of the state in sixteen digits: equal if and only if everything that determines the next step is, bit for bit.
    #[getter]
    fn state_hash(&self) -> String {
        format!("{:016x}", self.world().state_hash())
    }

    /// Hash of positions and velocities in sixteen digits: less than `state_hash` covers.
    #[getter]
    fn motion_hash(&self) -> String {
        format!("{:016x}", self.world().motion_hash())
    }

    /// Kinetic energy of the floes [J].
    #[getter]
    fn kinetic_energy(&self) -> f64 {
        self.world().kinetic_energy()
    }

    /// Momentum of the floes, x and y [kg m/s].
    #[getter]
    fn momentum(&self) -> (f64, f64) {
        self.world().momentum().into()
    }

    /// Wind now, x and y [m/s]: at the centre of mass of the floes where it differs from place to place.
    #[getter]
    fn wind(&self) -> (f64, f64) {
        self.parts.simulation.wind().into()
    }

    /// Velocities of the ocean cells now [m/s], by row, column and component; `None` without an ocean layer.
    #[getter]
    fn ocean_velocities<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyArray3<f64>>>> {
        let Some(slab) = self.parts.simulation.forcing.slab_ocean else {
            return Ok(None);
        };
        let (rows, columns) = slab.grid.map_or((1, 1), |grid| (grid.rows, grid.columns));
        let velocities = vectors(py, self.parts.simulation.cell_velocities().into_iter())?;
        let cells = velocities.reshape([rows, columns, 2])?;
        Ok(Some(read_only(cells)))
    }

    /// Velocity of the water now, x and y [m/s]: the mean of the cells of an ocean layer.
    #[getter]
    fn water(&self) -> (f64, f64) {
        self.parts.simulation.water().into()
    }

    /// Permanent ids of the bodies.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let ids = self.world().bodies.ids().iter();
        let ids: Vec<i64> = ids.map(|id| i64::from(id.0)).collect();
        read_only(ids.into_pyarray(py))
    }

    /// When each body entered the world [s].
    #[getter]
    fn born<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| world.bodies.lives()[row].born)
    }

    /// Id of the body that each is a piece of; −1 for none.
    #[getter]
    fn parent<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let lives = self.world().bodies.lives().iter();
        let parent = |life: &Life| life.parent.map_or(-1, |id| i64::from(id.0));
        let parents: Vec<i64> = lives.map(parent).collect();
        read_only(parents.into_pyarray(py))
    }

    /// 0 for a body that is no piece of another, else one more than that of its parent.
    #[getter]
    fn generation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let lives = self.world().bodies.lives().iter();
        let generations: Vec<i64> = lives.map(|life| i64::from(life.generation)).collect();
        read_only(generations.into_pyarray(py))
    }

    /// Takes a body out of the world.
    fn remove(&mut self, py: Python<'_>, id: u32) -> PyResult<()> {
        let removed = self.parts.simulation.world.remove(BodyId(id));
        removed.map_err(|error| unknown_body(py, &error))
    }

    /// Names of the bodies; empty where they have none.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.world().bodies.names().to_vec()
    }

    /// Whether each body is an obstacle, which no force moves.
    #[getter]
    fn is_obstacle<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let bodies = &self.world().bodies;
        let values: Vec<bool> = (0..bodies.len()).map(|row| !bodies.is_floe(row)).collect();
        read_only(values.into_pyarray(py))
    }

    /// Centres of mass [m], one row for each body; not brought back into a periodic cell.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let world = self.world();
        let rows = 0..world.bodies.len();
        vectors(py, rows.map(|row| world.unwrapped_position(row))).map(read_only)
    }

    /// Angles by which the outlines are turned, counter-clockwise [rad].
    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| {
            world.bodies.motions()[row].pose.rotation.angle()
        })
    }

    /// Velocities of the centres of mass [m/s], one row for each body. The array cannot be written to; set
    /// all of them, as in `simulation.velocities = 2.0 * simulation.velocities`. Those of obstacles stay.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let motions = self.world().bodies.motions().iter();
        vectors(py, motions.map(|motion| motion.velocity.linear)).map(read_only)
    }

    #[setter]
    fn set_velocities(
        &mut self,
        py: Python<'_>,
        values: PyArrayLike2<'_, f64, AllowTypeChange>,
    ) -> PyResult<()> {
        let values = values.as_array();
        self.check_rows(py, values.nrows())?;
        if values.ncols() != 2 {
            let message = format!("velocities have {} columns", values.ncols());
            return Err(input_error(py, &message, "give x and y for each body"));
        }
        self.set_all_velocities(py, |row, velocity| {
            velocity.linear = DVec2::new(values[[row, 0]], values[[row, 1]]);
        })
    }

    /// Angular velocities, counter-clockwise [rad/s]. The array cannot be written to; set all of them, as in
    /// `simulation.angular_velocities = numpy.zeros(len(simulation))`. Those of obstacles stay.
    #[getter]
    fn angular_velocities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| {
            world.bodies.motions()[row].velocity.angular
        })
    }

    #[setter]
    fn set_angular_velocities(
        &mut self,
        py: Python<'_>,
        values: PyArrayLike1<'_, f64, AllowTypeChange>,
    ) -> PyResult<()> {
        let values = values.as_array();
        self.check_rows(py, values.len())?;
        self.set_all_velocities(py, |row, velocity| velocity.angular = values[row])
    }

    /// Masses [kg]; infinite for obstacles.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| world.bodies.masses()[row])
    }

    /// Moments of inertia about the centres of mass [kg m²]; infinite for obstacles.
    #[getter]
    fn inertias<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| world.bodies.inertias()[row])
    }

    /// Areas [m²].
    #[getter]
    fn areas<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| world.bodies.areas()[row])
    }

    /// Mean thicknesses [m]; NaN for obstacles.
    #[getter]
    fn thicknesses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| world.bodies.mean_thicknesses()[row])
    }

    /// Sums of the normal impulses of contacts on each body since the start [N s].
    #[getter]
    fn contact_impulses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |world, row| world.bodies.contact_loads()[row].normal)
    }

    /// Outlines in the frames of the bodies, whose origins are the centres of mass [m]; a true disc is a
    /// polygon of 64 corners.
    #[getter]
    fn outlines<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let shapes = self.world().bodies.shapes().iter();
        let ring = |shape| Ok(read_only(points(py, &corners(shape))?));
        shapes.map(ring).collect()
    }

    /// Outlines in their places in the plane [m].
    fn placed_outlines<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let world = self.world();
        let placed = |(row, shape): (usize, &Shape)| {
            let pose = Pose {
                position: world.unwrapped_position(row),
                rotation: world.bodies.motions()[row].pose.rotation,
            };
            let corners = corners(shape).into_iter();
            let placed = corners.map(|corner| pose.world_from_body(corner));
            vectors(py, placed).map(read_only)
        };
        world
            .bodies
            .shapes()
            .iter()
            .enumerate()
            .map(placed)
            .collect()
    }

    /// Statistics of contacts since the start, as JSON.
    fn contact_json(&self) -> String {
        contact_statistics(&self.parts.simulation).to_string()
    }

    /// Takes one step, or several. Contacts may make each shorter than `max_step`.
    #[pyo3(signature = (count = 1))]
    fn step(&mut self, py: Python<'_>, count: u64) -> PyResult<()> {
        match count {
            0 => Ok(()),
            _ => self.advance(py, f64::INFINITY, count, Duration::MAX),
        }
    }

    /// Steps until `time` [s] exactly. Other threads of Python run meanwhile.
    fn advance_to(&mut self, py: Python<'_>, time: f64) -> PyResult<()> {
        if !time.is_finite() {
            let message = format!("the time to advance to is {time}");
            return Err(input_error(py, &message, "give seconds since the start"));
        }
        self.advance(py, time, u64::MAX, Duration::MAX)
    }

    /// Takes one step towards `time` [s].
    fn step_towards(&mut self, py: Python<'_>, time: f64) -> PyResult<()> {
        self.advance(py, time, 1, Duration::MAX)
    }

    /// Steps until `time` [s], but so long [s] at most: then it stops between two steps.
    fn advance_for(&mut self, py: Python<'_>, time: f64, seconds: f64) -> PyResult<()> {
        let wall = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        self.advance(py, time, u64::MAX, wall)
    }

    /// The largest stable step for a run from now until `end` [s]; infinite without drag.
    fn stable_step(&self, end: f64) -> f64 {
        self.parts.simulation.stable_step(end)
    }

    /// Sets a wind that is the same everywhere and from now on [m/s].
    fn set_wind(&mut self, py: Python<'_>, x: f64, y: f64) -> PyResult<()> {
        self.parts.simulation.forcing.wind = steady(py, "wind", x, y)?;
        self.parts.set_weather[0] = Some([x, y]);
        self.check_step(py)
    }

    /// Sets a current that is the same everywhere and from now on [m/s].
    fn set_current(&mut self, py: Python<'_>, x: f64, y: f64) -> PyResult<()> {
        self.parts.simulation.forcing.current = steady(py, "current", x, y)?;
        self.parts.set_weather[1] = Some([x, y]);
        self.check_step(py)
    }
}

impl Core {
    /// Refuses a weather for which the step is too long.
    fn check_step(&self, py: Python<'_>) -> PyResult<()> {
        check_step(py, &self.parts.simulation)
    }
}

/// Refuses a step longer than the stable one.
pub(crate) fn check_step(py: Python<'_>, simulation: &banquise::Simulation) -> PyResult<()> {
    let limit = simulation.stable_step(simulation.world.clock.time);
    if simulation.max_dt <= limit {
        return Ok(());
    }
    let message = format!(
        "steps of {} s are unstable: the longest stable one is {limit} s",
        simulation.max_dt
    );
    Err(input_error(
        py,
        &message,
        "shorten the step, or thicken the floes",
    ))
}

/// Error of a body that cannot be added, or does not exist.
pub(crate) fn unknown_body(py: Python<'_>, error: &BodyError) -> PyErr {
    input_error(
        py,
        &error.to_string(),
        "`ids` has the bodies that are in the world",
    )
}

/// A series that is constant in time.
pub(crate) fn steady(py: Python<'_>, what: &str, x: f64, y: f64) -> PyResult<VectorSeries> {
    let vector = DVec2::new(x, y);
    if vector.is_finite() {
        return Ok(VectorSeries::constant(vector));
    }
    let message = format!("the {what} is ({x}, {y}) m/s");
    Err(input_error(py, &message, "give two finite numbers"))
}
