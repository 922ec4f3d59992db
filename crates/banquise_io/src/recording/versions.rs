//! Outlines as versions in time: floes that are cut keep their id and get another shape.
//!
//! The tables of bodies tell of each body as it was in its first record. Each row of the tables here tells of a body that was
//! cut since, as it is from a record on: CF contiguous ragged arrays again, with vertices of their own. They are in the
//! dataset once a body has been cut.

use banquise::World;
use banquise_geometry::{DVec2, Shape};

use super::arrays::{attributes_of, spec};
use super::position::RecorderPosition;
use super::variables::{ReadBody, Variable, versioned_variables};
use crate::zarr::{FillValue, Values, ZarrError, ZarrWriter};

/// The dimensions of versions, and of their vertices.
pub(super) const VERSION: &str = "outline_version";
pub(super) const VERTEX: &str = "outline_version_vertex";

/// Rows in a chunk of the tables: 32 kB.
const CHUNK: usize = 4096;

#[rustfmt::skip] // tables read better in lines
pub(super) mod tables {
    pub(in super::super) const BODY: [&str; 3] = ["outline_version_body", "1", "id of the body that was cut"];
    pub(in super::super) const TIME: [&str; 3] = ["outline_version_time", "s", "time of the first record in which the body has this outline, since the start of the run"];
    pub(super) const START: [&str; 3] = ["outline_version_start", "1", "first vertex of this outline"];
    pub(super) const COUNT: [&str; 3] = ["outline_version_count", "1", "number of vertices of this outline; 0 for a disc"];
    pub(super) const X: [&str; 3] = ["outline_version_x", "m", "vertex in the body frame, whose origin is the centre of mass"];
    pub(super) const Y: [&str; 3] = ["outline_version_y", "m", "vertex in the body frame, whose origin is the centre of mass"];
}
use tables::{BODY, COUNT, START, TIME, X, Y};

/// Name of the table of a variable of bodies that a cut changes.
fn table_of(variable: &Variable<ReadBody>) -> String {
    format!("outline_version_{}", variable.name)
}

/// Which version of each body was seen, by its id.
#[derive(Debug, Clone, Default)]
pub struct SeenVersions(Vec<u32>);

impl SeenVersions {
    /// The rows of bodies that were cut since the last call. Those born since are new, and not among them.
    pub fn update(&mut self, world: &World) -> Vec<usize> {
        let known = self.0.len();
        self.0.resize(world.bodies.next_id().0 as usize, 0);
        let versions = world.bodies.shape_versions().iter();
        let bodies = world.bodies.ids().iter().zip(versions).enumerate();
        let cut = bodies.filter_map(|(row, (id, &version))| {
            let column = id.0 as usize;
            let seen = std::mem::replace(&mut self.0[column], version);
            (column < known && seen != version).then_some(row)
        });
        cut.collect()
    }
}

/// Which version of each body is in the dataset.
pub(super) struct VersionWriter {
    written: SeenVersions,
    row_count: usize,
    vertex_count: usize,
}

/// Versions that are new.
#[derive(Default)]
pub(super) struct NewVersions {
    first_row: usize,
    first_vertex: usize,
    bodies: Vec<i64>,
    times: Vec<f64>,
    starts: Vec<i64>,
    counts: Vec<i64>,
    /// Values of [`versioned_variables`], one list each.
    numbers: Vec<Vec<f64>>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl VersionWriter {
    /// Bodies are in the dataset as they are now.
    pub(super) fn new(world: &World) -> Self {
        let mut writer = Self {
            written: SeenVersions::default(),
            row_count: 0,
            vertex_count: 0,
        };
        writer.update(world);
        writer
    }

    /// Goes on from a position.
    pub(super) fn resumed(position: &RecorderPosition) -> Self {
        Self {
            written: SeenVersions(position.versions.clone()),
            row_count: position.version_rows,
            vertex_count: position.version_vertices,
        }
    }

    /// Notes the position.
    pub(super) fn note(&self, position: &mut RecorderPosition) {
        position.versions.clone_from(&self.written.0);
        position.version_rows = self.row_count;
        position.version_vertices = self.vertex_count;
    }

    /// The versions of bodies that were cut since the last call. Bodies born since are written as they are.
    pub(super) fn update(&mut self, world: &World) -> NewVersions {
        let mut new = NewVersions {
            first_row: self.row_count,
            first_vertex: self.vertex_count,
            ..NewVersions::default()
        };
        for row in self.written.update(world) {
            new.push(world, row);
        }
        self.row_count += new.bodies.len();
        self.vertex_count += new.x.len();
        new
    }
}

impl NewVersions {
    fn push(&mut self, world: &World, row: usize) {
        self.bodies.push(i64::from(world.bodies.ids()[row].0));
        self.times.push(world.clock.time);
        self.starts.push((self.first_vertex + self.x.len()) as i64);
        self.numbers
            .resize(versioned_variables().count(), Vec::new());
        for (numbers, variable) in self.numbers.iter_mut().zip(versioned_variables()) {
            numbers.push((variable.read)(world, row));
        }
        let (vertices, _) = outline_and_disc(&world.bodies.shapes()[row]);
        self.counts.push(vertices.len() as i64);
        self.x.extend(vertices.iter().map(|v| v.x));
        self.y.extend(vertices.iter().map(|v| v.y));
    }

    /// The memory that they take \[bytes\].
    pub(super) fn bytes(&self) -> usize {
        8 * (self.bodies.len() * (4 + self.numbers.len()) + 2 * self.x.len())
    }

    /// Adds them to the tables, which are made with the first of them.
    pub(super) fn write(&self, store: &mut ZarrWriter) -> Result<(), ZarrError> {
        if self.bodies.is_empty() {
            return Ok(());
        }
        // The root must not tell of tables before all of them are there.
        store.defer_root();
        let (rows, vertices) = (self.bodies.len(), self.x.len());
        if self.first_row > 0 {
            store.lengthen(VERSION, self.first_row + rows)?;
            store.lengthen(VERTEX, self.first_vertex + vertices)?;
        }
        let whole = FillValue::I64(-1);
        let float = FillValue::F64(f64::NAN);
        for ([name, unit, meaning], fill, values) in [
            (BODY, whole, Values::I64(&self.bodies)),
            (TIME, float, Values::F64(&self.times)),
            (START, whole, Values::I64(&self.starts)),
            (COUNT, whole, Values::I64(&self.counts)),
        ] {
            self.put(store, VERSION, [name, unit, meaning], fill, values)?;
        }
        for (values, variable) in self.numbers.iter().zip(versioned_variables()) {
            let name = table_of(variable);
            let table = [&name, variable.unit, variable.meaning];
            self.put(store, VERSION, table, float, Values::F64(values))?;
        }
        self.put(store, VERTEX, X, float, Values::F64(&self.x))?;
        self.put(store, VERTEX, Y, float, Values::F64(&self.y))
    }

    /// Puts values into a table, at its end.
    fn put(
        &self,
        store: &mut ZarrWriter,
        dimension: &str,
        [name, unit, meaning]: [&str; 3],
        fill_value: FillValue,
        values: Values<'_>,
    ) -> Result<(), ZarrError> {
        if let Some(handle) = store.table(name) {
            let first = if dimension == VERSION {
                self.first_row
            } else {
                self.first_vertex
            };
            return store.set(handle, first, values);
        }
        let attributes = attributes_of(unit, meaning);
        let mut spec = spec(name, &[dimension], &[values.len()], attributes);
        spec.fill_value = fill_value;
        store.write_table(&spec, CHUNK, values).map(drop)
    }
}

/// A body as it is after a cut.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineVersion {
    /// Row of the body.
    pub row: usize,
    /// Time of the first record in which it is so \[s\].
    pub time: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Area \[m²\].
    pub area: f64,
    /// Outline in the body frame \[m\]; empty for a disc.
    pub outline: Vec<DVec2>,
    /// Centre in the body frame and radius of a true disc \[m\].
    pub disc: Option<(DVec2, f64)>,
}

/// The vertices of an outline, or the centre and radius of a disc \[m\].
pub(super) fn outline_and_disc(shape: &Shape) -> (Vec<DVec2>, Option<(DVec2, f64)>) {
    match shape {
        Shape::Outline(outline) => (outline.vertices().to_vec(), None),
        Shape::Disc(disc) => (Vec::new(), Some((disc.center(), disc.radius()))),
    }
}

/// Names of all variables of versions, and whether each has one value a vertex, or one a version.
pub fn version_variables() -> impl Iterator<Item = (String, bool)> {
    let plain = [BODY, TIME, START, COUNT].map(|[name, ..]| name.to_owned());
    let numbers = versioned_variables().map(table_of);
    let rows = plain.into_iter().chain(numbers).map(|name| (name, false));
    let vertices = [X, Y].map(|[name, ..]| (name.to_owned(), true));
    rows.chain(vertices)
}

/// The dimensions of a variable of versions.
pub(super) fn version_dimensions(is_vertex: bool) -> &'static [&'static str] {
    if is_vertex { &[VERTEX] } else { &[VERSION] }
}
