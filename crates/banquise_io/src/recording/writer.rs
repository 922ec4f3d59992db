//! Writing a recording, record by record.

use std::path::Path;

use serde_json::json;

use banquise::{Simulation, World};

use super::arrays::{attributes_of, spec};
use super::bodies::{BodyWriter, column_count};
use super::loads::{Bearer, DIMENSION, LOADS, ReadLoad, bearers};
use super::ocean::CellWriter;
use super::variables::{EXCHANGE, MOTIONS, Moment, RECORDS, Variable, WEATHER};
use super::{DATASET, Manifest, RunStatus, contact_statistics, root_attributes};
use crate::zarr::{ArrayHandle, ArraySpec, FillValue, Values, ZarrError, ZarrWriter};

/// Records in a chunk of a variable with one value a record.
const RECORDS_PER_CHUNK: usize = 4096;
/// Values in a chunk of a variable with one value a body and record: 1 MiB.
const VALUES_PER_CHUNK: usize = 131_072;

/// Columns of the body axis in a chunk, and records in it, where floes enter in the run: a body that comes and goes
/// costs the chunks of its life, not a column over the whole run.
const SOURCE_COLUMNS: usize = 256;
const SOURCE_RECORDS: usize = 64;

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
    bearers: Vec<Bearer>,
    bodies: BodyWriter,
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
        let has_sources = !simulation.world.sources.is_empty();
        let room = if has_sources { SOURCE_COLUMNS } else { 0 };
        Self::create_with_room(folder, manifest, simulation, room)
    }

    /// Creates the dataset with chunks for at least `room` bodies side by side. A run in which bodies break into many
    /// pieces has fewer files then.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn create_with_room(
        folder: &Path,
        manifest: &Manifest,
        simulation: &Simulation,
        room: usize,
    ) -> Result<Self, ZarrError> {
        let world = &simulation.world;
        let attributes = root_attributes(manifest, simulation);
        let path = folder.join(DATASET);
        if path.exists() {
            return Err(ZarrError::NotEmpty { path });
        }
        // A dataset is there with all its variables or not at all, also when the run is killed here.
        let mut store = ZarrWriter::create(folder.join(UNFINISHED), attributes)?;
        store.defer_root();
        let bodies = BodyWriter::create(&mut store, world, room)?;
        let time = store.declare_growing(&time_spec(manifest), RECORDS_PER_CHUNK)?;
        let records = RECORDS
            .iter()
            .chain(EXCHANGE.iter())
            .map(|v| {
                let attributes = attributes_of(v.unit, &v.meaning);
                let spec = spec(&v.name, &["time"], &[], attributes);
                store.declare_growing(&spec, RECORDS_PER_CHUNK)
            })
            .collect::<Result<_, _>>()?;
        let columns = column_count(world).max(room).max(1);
        let limit = if room > 0 {
            SOURCE_RECORDS
        } else {
            RECORDS_PER_CHUNK
        };
        let chunk = (VALUES_PER_CHUNK / columns).clamp(1, limit);
        let mut declare = |name: &str, unit: &str, meaning: &str| {
            let shape = [column_count(world)];
            let attributes = attributes_of(unit, meaning);
            let spec = spec(name, &["time", "body"], &shape, attributes);
            store.declare_widening(&spec, chunk, columns)
        };
        let motions = MOTIONS
            .iter()
            .map(|v| declare(v.name, v.unit, v.meaning))
            .collect::<Result<_, _>>()?;
        let varies = simulation.weather_differs();
        let weather = WEATHER
            .iter()
            .filter(|_| varies)
            .map(|v| declare(v.name, v.unit, v.meaning))
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
            bearers: Bearer::all(world),
            bodies,
            values: Vec::new(),
        })
    }

    /// Adds the present state.
    ///
    /// # Errors
    /// When a full chunk cannot be written.
    pub fn record(&mut self, simulation: &Simulation) -> Result<(), ZarrError> {
        let world = &simulation.world;
        self.bodies.update(&mut self.store, world)?;
        let columns = column_count(world);
        let time = [world.clock.time];
        let moment = Moment {
            world,
            wind: simulation.wind(),
            water: simulation.water(),
            contact: &simulation.contact,
        };
        self.values.clear();
        let records = RECORDS.iter().chain(EXCHANGE.iter());
        self.values.extend(records.map(|v| v.read(&moment)));
        let record_count = self.values.len();
        for variable in MOTIONS {
            let read = |row| (variable.read)(world, row);
            put_by_column(&mut self.values, world, read);
        }
        for variable in &WEATHER[..self.weather.len()] {
            let read = |row| (variable.read)(simulation, row);
            put_by_column(&mut self.values, world, read);
        }
        for variable in LOADS {
            let loads = self.bearers.iter();
            self.values
                .extend(loads.map(|bearer| bearer.read(world, variable.read)));
        }
        let (records, others) = self.values.split_at(record_count);
        let per_body = MOTIONS.len() + self.weather.len();
        let (motions, loads) = others.split_at(per_body * columns);
        let mut row = vec![(self.time, Values::F64(&time))];
        row.extend(
            self.records
                .iter()
                .zip(records.chunks(1))
                .map(|(&handle, value)| (handle, Values::F64(value))),
        );
        let handles = self.motions.iter().chain(&self.weather);
        row.extend(handles.enumerate().map(|(index, &handle)| {
            let values = &motions[index * columns..(index + 1) * columns];
            (handle, Values::F64(values))
        }));
        let loads = loads.chunks(self.bearers.len().max(1));
        let loads = self.loads.iter().zip(loads);
        row.extend(loads.map(|(&handle, values)| (handle, Values::F64(values))));
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
        // Bodies may have come and gone since the last record.
        self.bodies.update(&mut self.store, world)?;
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

/// Adds one value for each column of the body axis; missing where the body is not in the world.
fn put_by_column(values: &mut Vec<f64>, world: &World, read: impl Fn(usize) -> f64) {
    let start = values.len();
    values.resize(start + column_count(world), f64::NAN);
    for (row, id) in world.bodies.ids().iter().enumerate() {
        values[start + id.0 as usize] = read(row);
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
