//! Writing a recording, record by record.

use std::path::Path;

use serde_json::json;

use banquise::{Simulation, World};
use banquise_geometry::Shape;

use super::arrays::{attributes_of, spec};
use super::loads::{DIMENSION, LOADS, ReadLoad, bearers};
use super::ocean::CellWriter;
use super::variables::{BODIES, MOTIONS, Moment, RECORDS, Variable, WEATHER};
use super::{DATASET, Manifest, RunStatus, contact_statistics, root_attributes};
use crate::zarr::{ArrayHandle, ArraySpec, FillValue, Values, ZarrError, ZarrWriter};

/// Records in a chunk of a variable with one value a record.
const RECORDS_PER_CHUNK: usize = 4096;
/// Values in a chunk of a variable with one value a body and record: 1 MiB.
const VALUES_PER_CHUNK: usize = 131_072;

/// Name of the dataset until all its variables are declared.
const UNFINISHED: &str = "recording.zarr.part";

/// A dataset that grows.
pub struct RecordingWriter {
    store: ZarrWriter,
    time: ArrayHandle,
    records: Vec<ArrayHandle>,
    motions: Vec<ArrayHandle>,
    /// Empty where wind and current are the same everywhere.
    weather: Vec<ArrayHandle>,
    loads: Vec<ArrayHandle>,
    cells: CellWriter,
    /// Room for the values of one record, variable after variable.
    values: Vec<f64>,
}

impl RecordingWriter {
    /// Creates the dataset inside `folder` and writes what does not change.
    ///
    /// # Errors
    /// When the folder holds a dataset already, or cannot be written.
    pub fn create(
        folder: &Path,
        manifest: &Manifest,
        simulation: &Simulation,
    ) -> Result<Self, ZarrError> {
        let world = &simulation.world;
        let attributes = root_attributes(manifest, simulation);
        let path = folder.join(DATASET);
        if path.exists() {
            return Err(ZarrError::NotEmpty { path });
        }
        // A dataset is there with all its variables or not at all, also when the run is killed here.
        let mut store = ZarrWriter::create(folder.join(UNFINISHED), attributes)?;
        write_bodies(&mut store, world)?;
        write_outlines(&mut store, world)?;
        let time = store.declare_growing(&time_spec(manifest), RECORDS_PER_CHUNK)?;
        let records = RECORDS
            .iter()
            .map(|v| {
                let attributes = attributes_of(v.unit, &v.meaning);
                let spec = spec(&v.name, &["time"], &[], attributes);
                store.declare_growing(&spec, RECORDS_PER_CHUNK)
            })
            .collect::<Result<_, _>>()?;
        let body_count = world.bodies.len();
        let chunk = (VALUES_PER_CHUNK / body_count.max(1)).clamp(1, RECORDS_PER_CHUNK);
        let motions = MOTIONS
            .iter()
            .map(|v| {
                let attributes = attributes_of(v.unit, v.meaning);
                let spec = spec(v.name, &["time", "body"], &[body_count], attributes);
                store.declare_growing(&spec, chunk)
            })
            .collect::<Result<_, _>>()?;
        let varies = simulation.weather_differs();
        let weather = WEATHER
            .iter()
            .filter(|_| varies)
            .map(|v| {
                let attributes = attributes_of(v.unit, v.meaning);
                let spec = spec(v.name, &["time", "body"], &[body_count], attributes);
                store.declare_growing(&spec, chunk)
            })
            .collect::<Result<_, _>>()?;
        let loads = declare_loads(&mut store, world)?;
        let cells = CellWriter::declare(&mut store, simulation, RECORDS_PER_CHUNK)?;
        store.flush()?;
        store.move_to(path)?;
        Ok(Self {
            store,
            time,
            records,
            motions,
            weather,
            loads,
            cells,
            values: Vec::new(),
        })
    }

    /// Adds the present state.
    ///
    /// # Errors
    /// When a full chunk cannot be written.
    pub fn record(&mut self, simulation: &Simulation) -> Result<(), ZarrError> {
        let world = &simulation.world;
        let body_count = world.bodies.len();
        let time = [world.clock.time];
        let moment = Moment {
            world,
            wind: simulation.wind(),
            water: simulation.water(),
            contact: &simulation.contact,
        };
        self.values.clear();
        self.values.extend(RECORDS.iter().map(|v| v.read(&moment)));
        for variable in MOTIONS {
            let values = (0..body_count).map(|row| (variable.read)(world, row));
            self.values.extend(values);
        }
        for variable in &WEATHER[..self.weather.len()] {
            let values = (0..body_count).map(|row| (variable.read)(simulation, row));
            self.values.extend(values);
        }
        for variable in LOADS {
            let values = bearers(world).map(|(_, load)| (variable.read)(load));
            self.values.extend(values);
        }
        let (records, others) = self.values.split_at(RECORDS.len());
        let per_body = MOTIONS.len() + self.weather.len();
        let (motions, loads) = others.split_at(per_body * body_count);
        let mut row = vec![(self.time, Values::F64(&time))];
        row.extend(
            self.records
                .iter()
                .zip(records.chunks(1))
                .map(|(&handle, value)| (handle, Values::F64(value))),
        );
        let handles = self.motions.iter().chain(&self.weather);
        row.extend(handles.enumerate().map(|(index, &handle)| {
            let values = &motions[index * body_count..(index + 1) * body_count];
            (handle, Values::F64(values))
        }));
        let bearer_count = loads.len() / LOADS.len();
        let columns = loads.chunks(bearer_count.max(1));
        let columns = self.loads.iter().zip(columns);
        row.extend(columns.map(|(&handle, values)| (handle, Values::F64(values))));
        row.extend(self.cells.values(simulation));
        self.store.append(&row)
    }

    /// Makes everything recorded so far safe from a kill.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<(), ZarrError> {
        self.store.flush()
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, simulation: &Simulation, status: RunStatus) -> Result<(), ZarrError> {
        let world = &simulation.world;
        self.store.set_attribute("status", status.name());
        self.store.set_attribute("steps", world.clock.step);
        let hash = format!("{:016x}", world.state_hash());
        self.store.set_attribute("state_hash", hash);
        let hash = format!("{:016x}", world.motion_hash());
        self.store.set_attribute("motion_hash", hash);
        let statistics = contact_statistics(simulation);
        self.store.set_attribute("contact_statistics", statistics);
        self.store.finish()
    }
}

/// Declares what obstacles and walls bear; nothing where there are none.
fn declare_loads(store: &mut ZarrWriter, world: &World) -> Result<Vec<ArrayHandle>, ZarrError> {
    let bearer_count = bearers(world).count();
    let Some(chunk) = VALUES_PER_CHUNK.checked_div(bearer_count) else {
        return Ok(Vec::new());
    };
    write_bearers(store, world)?;
    let chunk = chunk.clamp(1, RECORDS_PER_CHUNK);
    let declare = |v: &Variable<ReadLoad>| {
        let attributes = attributes_of(v.unit, v.meaning);
        let spec = spec(v.name, &["time", DIMENSION], &[bearer_count], attributes);
        store.declare_growing(&spec, chunk)
    };
    LOADS.iter().map(declare).collect()
}

/// Writes which body each column belongs to.
fn write_bearers(store: &mut ZarrWriter, world: &World) -> Result<(), ZarrError> {
    let ids = bearers(world).map(|(row, _)| match row {
        Some(row) => i64::from(world.bodies.ids()[row].0),
        None => -1,
    });
    let ids: Vec<i64> = ids.collect();
    let mut bodies = spec(
        "obstacle_body",
        &[DIMENSION],
        &[ids.len()],
        attributes_of("1", "id of the obstacle; -1 for a wall"),
    );
    bodies.fill_value = FillValue::I64(-1);
    store.write_static(&bodies, Values::I64(&ids))
}

/// Time counts from the scenario's start date, or is a plain number of seconds.
fn time_spec(manifest: &Manifest) -> ArraySpec {
    let mut attributes = attributes_of("s", "time since the start of the run");
    attributes.insert("axis".into(), json!("T"));
    if let Some(start) = &manifest.start {
        attributes.insert("units".into(), json!(format!("seconds since {start}")));
        attributes.insert("calendar".into(), json!("proleptic_gregorian"));
        attributes.insert("standard_name".into(), json!("time"));
    }
    spec("time", &["time"], &[], attributes)
}

fn write_bodies(store: &mut ZarrWriter, world: &World) -> Result<(), ZarrError> {
    let bodies = &world.bodies;
    let count = bodies.len();
    let ids: Vec<i64> = bodies.ids().iter().map(|id| i64::from(id.0)).collect();
    let mut id_spec = spec(
        "body",
        &["body"],
        &[count],
        attributes_of("1", "id of the body, given for life"),
    );
    id_spec.fill_value = FillValue::I64(-1);
    store.write_static(&id_spec, Values::I64(&ids))?;
    let obstacles: Vec<bool> = (0..count).map(|row| !bodies.is_floe(row)).collect();
    let mut obstacle_spec = spec(
        "is_obstacle",
        &["body"],
        &[count],
        attributes_of("1", "whether the body is an obstacle, which no force moves"),
    );
    obstacle_spec.fill_value = FillValue::Bool(false);
    store.write_static(&obstacle_spec, Values::Bool(&obstacles))?;
    for variable in BODIES {
        let values: Vec<f64> = (0..count).map(|row| (variable.read)(world, row)).collect();
        let attributes = attributes_of(variable.unit, variable.meaning);
        let spec = spec(variable.name, &["body"], &[count], attributes);
        store.write_static(&spec, Values::F64(&values))?;
    }
    Ok(())
}

fn write_outlines(store: &mut ZarrWriter, world: &World) -> Result<(), ZarrError> {
    let mut starts = Vec::new();
    let mut counts = Vec::new();
    let mut x = Vec::new();
    let mut y = Vec::new();
    for shape in world.bodies.shapes() {
        let vertices = match shape {
            Shape::Outline(outline) => outline.vertices(),
            Shape::Disc(_) => &[],
        };
        starts.push(x.len() as i64);
        counts.push(vertices.len() as i64);
        x.extend(vertices.iter().map(|vertex| vertex.x));
        y.extend(vertices.iter().map(|vertex| vertex.y));
    }
    let per_body = [
        ("outline_start", "first vertex of the outline", starts),
        (
            "outline_count",
            "number of vertices of the outline; 0 for a disc",
            counts,
        ),
    ];
    for (name, meaning, values) in per_body {
        let mut spec = spec(
            name,
            &["body"],
            &[values.len()],
            attributes_of("1", meaning),
        );
        spec.fill_value = FillValue::I64(0);
        store.write_static(&spec, Values::I64(&values))?;
    }
    let per_vertex = [
        (
            "outline_x",
            "vertex in the body frame, whose origin is the centre of mass",
            x,
        ),
        (
            "outline_y",
            "vertex in the body frame, whose origin is the centre of mass",
            y,
        ),
    ];
    for (name, meaning, values) in per_vertex {
        let spec = spec(
            name,
            &["vertex"],
            &[values.len()],
            attributes_of("m", meaning),
        );
        store.write_static(&spec, Values::F64(&values))?;
    }
    Ok(())
}
