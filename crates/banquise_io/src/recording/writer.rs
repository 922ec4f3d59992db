//! Writing a recording, record by record.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use banquise::{BodyId, Simulation, World};

use super::arrays::{attributes_of, spec};
use super::bodies::{BodyWriter, column_count};
use super::breakages::{self, BreakageWriter};
use super::collisions::{self, CollisionWriter, collision_log_statistics};
use super::contact_forces::{self, ForceWriter};
use super::lines::LineWriter;
use super::loads::{Bearer, DIMENSION, LOADS, ReadLoad, bearers};
use super::ocean::CellWriter;
use super::variables::{EXCHANGE, MOTIONS, Moment, RECORDS, Variable, WEATHER};
use super::versions::{VERSION, VERTEX};
use super::{
    DATASET, Manifest, RecorderPosition, RunStatus, contact_statistics, fracture_statistics,
    root_attributes,
};
use crate::zarr::{
    ArrayHandle, ArraySpec, BackgroundWriter, FLUSH_EVERY, FillValue, StoreLengths, Values,
    ZarrError, ZarrReader, ZarrWriter,
};

/// Records in a chunk of a variable with one value a record.
const RECORDS_PER_CHUNK: usize = 4096;
/// Values in a chunk of a variable with one value a body and record: 1 MiB.
const VALUES_PER_CHUNK: usize = 131_072;

/// Chunks in a file of a recording with shards: 16 MiB.
const SHARD_CHUNKS: usize = 16;
/// Wall time between flushes of such a recording: each writes the last file of every variable again.
const FLUSH_SHARDS_EVERY: Duration = Duration::from_secs(30);

/// Columns of the body axis in a chunk, and records in it, where floes enter in the run: a body that comes and goes
/// costs the chunks of its life, not a column over the whole run.
const SOURCE_COLUMNS: usize = 256;
const SOURCE_RECORDS: usize = 64;

/// Name of the dataset until all its variables are declared.
const UNFINISHED: &str = "recording.zarr.part";

fn flush_every(manifest: &Manifest) -> Duration {
    if manifest.report.shard {
        FLUSH_SHARDS_EVERY
    } else {
        FLUSH_EVERY
    }
}

/// A dataset that grows. A thread of its own writes it, and flushes it every few seconds: the stepping thread never waits for the
/// disk, and a run that stalls or is killed loses the last seconds at most. Dropped without [`finish`](Self::finish), it
/// loses what was not flushed.
pub struct RecordingWriter {
    store: BackgroundWriter,
    time: ArrayHandle,
    records: Vec<ArrayHandle>,
    motions: Vec<ArrayHandle>,
    /// Empty where wind and current are the same everywhere.
    weather: Vec<ArrayHandle>,
    loads: Vec<ArrayHandle>,
    cells: CellWriter,
    lines: LineWriter,
    bearers: Vec<Bearer>,
    bodies: BodyWriter,
    forces: ForceWriter,
    collisions: CollisionWriter,
    breakages: BreakageWriter,
    record_count: usize,
}

/// The values of one record, variable after variable.
#[derive(Default)]
struct Row {
    values: Vec<f64>,
    /// Whose they are, and where they end.
    ends: Vec<(ArrayHandle, usize)>,
}

impl Row {
    /// Adds the values of a variable.
    fn put(&mut self, handle: ArrayHandle, values: impl IntoIterator<Item = f64>) {
        self.values.extend(values);
        self.ends.push((handle, self.values.len()));
    }

    /// Adds one value for each column of the body axis; missing where the body is not in the world.
    fn put_by_column(&mut self, handle: ArrayHandle, world: &World, read: impl Fn(usize) -> f64) {
        let start = self.values.len();
        self.values.resize(start + column_count(world), f64::NAN);
        for (row, id) in world.bodies.ids().iter().enumerate() {
            self.values[start + id.0 as usize] = read(row);
        }
        self.ends.push((handle, self.values.len()));
    }

    fn append_to(&self, store: &mut ZarrWriter) -> Result<(), ZarrError> {
        let mut start = 0;
        let parts = self.ends.iter().map(|&(handle, end)| {
            let values = &self.values[start..end];
            start = end;
            (handle, Values::F64(values))
        });
        store.append(&parts.collect::<Vec<_>>())
    }
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
        if manifest.report.compress {
            store.compress();
        }
        if manifest.report.shard {
            store.shard(SHARD_CHUNKS);
        }
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
        let lines = LineWriter::declare(&mut store, simulation, RECORDS_PER_CHUNK)?;
        store.flush()?;
        store.move_to(path)?;
        Ok(Self {
            store: BackgroundWriter::new(store, flush_every(manifest))?,
            time,
            records,
            motions,
            weather,
            loads,
            cells,
            lines,
            bearers: Bearer::all(world),
            bodies,
            forces: ForceWriter::new(manifest.report.contact_forces, 0),
            collisions: CollisionWriter::new(simulation),
            breakages: BreakageWriter::new(&RecorderPosition::default()),
            record_count: 0,
        })
    }

    /// Goes on with the dataset inside `folder`, cut back to a position: what was recorded after it is dropped.
    ///
    /// # Errors
    /// When the dataset is damaged, ends before the position, or cannot be written.
    pub fn resume(
        folder: &Path,
        manifest: &Manifest,
        simulation: &Simulation,
        position: &RecorderPosition,
    ) -> Result<Self, ZarrError> {
        let path = folder.join(DATASET);
        let mut store = reopen(&path, position)?;
        let bodies = BodyWriter::resumed(&mut store, &simulation.world, position)?;
        for key in FINAL_ATTRIBUTES {
            store.remove_attribute(key);
        }
        store.set_attribute("status", RunStatus::Running.name());
        store.flush()?;
        let find = |name: &str| {
            store.growing(name).ok_or_else(|| ZarrError::UnknownArray {
                path: path.clone(),
                name: name.to_owned(),
            })
        };
        let records = RECORDS.iter().chain(EXCHANGE.iter());
        let weather = WEATHER.iter().filter(|_| simulation.weather_differs());
        let bearers = resumed_bearers(&path, &simulation.world)?;
        let loads = LOADS.iter().filter(|_| !bearers.is_empty());
        Ok(Self {
            time: find("time")?,
            records: records.map(|v| find(&v.name)).collect::<Result<_, _>>()?,
            motions: MOTIONS
                .iter()
                .map(|v| find(v.name))
                .collect::<Result<_, _>>()?,
            weather: weather.map(|v| find(v.name)).collect::<Result<_, _>>()?,
            loads: loads.map(|v| find(v.name)).collect::<Result<_, _>>()?,
            cells: CellWriter::resumed(&store),
            lines: LineWriter::resumed(&store),
            bearers,
            bodies,
            forces: ForceWriter::new(manifest.report.contact_forces, position.force_rows),
            collisions: CollisionWriter::resumed(simulation, position.collision_rows),
            breakages: BreakageWriter::new(position),
            record_count: position.records,
            store: BackgroundWriter::new(store, flush_every(manifest))?,
        })
    }

    /// How far it has come.
    pub fn position(&self) -> RecorderPosition {
        let mut position = RecorderPosition {
            records: self.record_count,
            force_rows: self.forces.row_count(),
            collision_rows: self.collisions.row_count(),
            ..RecorderPosition::default()
        };
        self.bodies.note(&mut position);
        self.breakages.note(&mut position);
        position
    }

    /// Does something once all that was recorded so far is safe from a kill, such as writing a checkpoint; `bytes` is the memory that
    /// it takes. The stepping thread does not wait for the disk.
    ///
    /// # Errors
    /// When something sent before could not be written.
    pub fn after_flush(
        &self,
        bytes: usize,
        job: impl FnOnce() -> Result<(), ZarrError> + Send + 'static,
    ) -> Result<(), ZarrError> {
        self.store.send(bytes, move |store| {
            store.flush()?;
            job()
        })
    }

    /// Sets an attribute of the dataset.
    ///
    /// # Errors
    /// When something sent before could not be written.
    pub fn set_attribute(
        &self,
        key: &'static str,
        value: serde_json::Value,
    ) -> Result<(), ZarrError> {
        self.store.send(0, move |store| {
            store.set_attribute(key, value);
            Ok(())
        })
    }

    /// Adds what is new in the log of collisions: for a checkpoint between two records, after which the simulation may drop it.
    ///
    /// # Errors
    /// When something recorded before could not be written.
    pub fn record_collisions(&mut self, simulation: &Simulation) -> Result<(), ZarrError> {
        let collisions = self.collisions.update(simulation);
        self.store
            .send(collisions.bytes(), move |store| collisions.write(store))
    }

    /// Adds the present state. It waits only where too many records wait for the disk.
    ///
    /// # Errors
    /// When something recorded before could not be written.
    pub fn record(&mut self, simulation: &Simulation) -> Result<(), ZarrError> {
        self.record_count += 1;
        let bodies = self.bodies.update(&simulation.world);
        let row = self.row(simulation);
        let forces = self.forces.update(simulation);
        let collisions = self.collisions.update(simulation);
        let breakages = self.breakages.update(&simulation.world);
        let bytes = size_of_val(&row.values[..]) + bodies.bytes() + forces.bytes();
        let bytes = bytes + collisions.bytes() + breakages.bytes();
        self.store.send(bytes, move |store| {
            bodies.write(store)?;
            forces.write(store)?;
            collisions.write(store)?;
            breakages.write(store)?;
            row.append_to(store)
        })
    }

    /// The present state.
    fn row(&self, simulation: &Simulation) -> Row {
        let world = &simulation.world;
        let moment = Moment {
            world,
            wind: simulation.wind(),
            water: simulation.water(),
            contact: &simulation.contact,
        };
        let mut row = Row::default();
        row.put(self.time, [world.clock.time]);
        let records = RECORDS.iter().chain(EXCHANGE.iter());
        for (&handle, variable) in self.records.iter().zip(records) {
            row.put(handle, [variable.read(&moment)]);
        }
        for (&handle, variable) in self.motions.iter().zip(MOTIONS) {
            row.put_by_column(handle, world, |body| (variable.read)(world, body));
        }
        for (&handle, variable) in self.weather.iter().zip(WEATHER) {
            row.put_by_column(handle, world, |body| (variable.read)(simulation, body));
        }
        for (&handle, variable) in self.loads.iter().zip(LOADS) {
            let bearers = self.bearers.iter();
            let loads = bearers.map(|bearer| bearer.read(world, variable.read));
            row.put(handle, loads);
        }
        for (handle, values) in self.cells.values(simulation) {
            row.put(handle, values);
        }
        for (handle, values) in self.lines.values(simulation) {
            row.put(handle, values);
        }
        row
    }

    /// Waits until everything recorded so far is safe from a kill.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&self) -> Result<(), ZarrError> {
        self.store.flush()
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self, simulation: &Simulation, status: RunStatus) -> Result<(), ZarrError> {
        let world = &simulation.world;
        let hashes = [
            ("state_hash", world.state_hash()),
            ("motion_hash", world.motion_hash()),
        ];
        self.end(simulation, status, &hashes)
    }

    /// Commits everything of a run that was interrupted within a step: it has no last state, so that no hash of one is told.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_within_step(self, simulation: &Simulation) -> Result<(), ZarrError> {
        self.end(simulation, RunStatus::Interrupted, &[])
    }

    fn end(
        mut self,
        simulation: &Simulation,
        status: RunStatus,
        hashes: &[(&'static str, u64)],
    ) -> Result<(), ZarrError> {
        let world = &simulation.world;
        // Bodies may have come and gone since the last record.
        let bodies = self.bodies.update(world);
        let breakages = self.breakages.update(world);
        let attributes = [
            ("status", json!(status.name())),
            ("steps", json!(world.clock.step)),
            ("contact_statistics", contact_statistics(simulation)),
        ];
        let hashes = hashes.iter();
        let hashes: Vec<_> = hashes
            .map(|&(key, hash)| (key, json!(format!("{hash:016x}"))))
            .collect();
        let fracture = fracture_statistics(simulation).map(|counts| (FRACTURE_STATISTICS, counts));
        let log = collision_log_statistics(simulation).map(|counts| (COLLISION_LOG, counts));
        let collisions = self.collisions.update(simulation);
        let bytes = bodies.bytes() + collisions.bytes();
        let sent = self.store.send(bytes, move |store| {
            let attributes = attributes.into_iter().chain(hashes);
            for (key, value) in attributes.chain(fracture).chain(log) {
                store.set_attribute(key, value);
            }
            collisions.write(store)?;
            bodies.write(store)?;
            breakages.write(store)
        });
        // What could not be written before is tried again: the end counts.
        self.store.finish().and(sent)
    }
}

/// Opens a dataset and cuts it back to a position.
fn reopen(folder: &Path, position: &RecorderPosition) -> Result<ZarrWriter, ZarrError> {
    // Tables that are made with their first row are not there before it.
    let [rows, cracks, loads] = position.breakage_rows;
    let [breakage, crack, load] = breakages::DIMENSIONS;
    let later = [
        (breakage, rows, rows),
        (crack, cracks, cracks),
        (load, loads, loads),
        (VERSION, position.version_rows, position.version_rows),
        (VERTEX, position.version_rows, position.version_vertices),
        (
            contact_forces::DIMENSION,
            position.force_rows,
            position.force_rows,
        ),
        (
            collisions::DIMENSION,
            position.collision_rows,
            position.collision_rows,
        ),
    ];
    let mut tables = vec![("body", position.columns), ("vertex", position.vertices)];
    let mut dropped = Vec::new();
    for (dimension, rows, length) in later {
        if rows == 0 {
            dropped.push(dimension);
        } else {
            tables.push((dimension, length));
        }
    }
    ZarrWriter::reopen(
        folder,
        StoreLengths {
            growing: ("time", position.records),
            tables: &tables,
            dropped: &dropped,
        },
    )
}

/// Attributes that are there when a run has ended.
const FINAL_ATTRIBUTES: [&str; 6] = [
    "steps",
    "state_hash",
    "motion_hash",
    "contact_statistics",
    FRACTURE_STATISTICS,
    COLLISION_LOG,
];
/// The attribute with the counts of the log of collisions, where there is one.
const COLLISION_LOG: &str = "collision_log";
/// The attribute with the statistics of fracture, where floes can break.
const FRACTURE_STATISTICS: &str = "fracture_statistics";

/// The obstacles and walls of a dataset that was begun before.
fn resumed_bearers(path: &Path, world: &World) -> Result<Vec<Bearer>, ZarrError> {
    let reader = ZarrReader::open(path)?;
    if reader.array("obstacle_body").is_err() {
        return Ok(Vec::new());
    }
    let ids = reader.read_i64("obstacle_body")?.1;
    let obstacles = ids.iter().filter_map(|&id| u32::try_from(id).ok());
    let obstacles = obstacles.map(|id| Bearer::Obstacle(BodyId(id)));
    let all = Bearer::all(world).into_iter();
    let walls = all.filter(|bearer| matches!(bearer, Bearer::Wall(_)));
    Ok(obstacles.chain(walls).collect())
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
