//! Constant properties of each body: tables along the body axis, whose column is the id, and which become longer as
//! bodies are born.

use std::sync::Arc;

use banquise::{BodyId, Life, World};
use banquise_geometry::Shape;
use serde_json::{Value, json};

use super::arrays::{attributes_of, spec};
use super::position::RecorderPosition;
use super::variables::{BODIES, BORN, GENERATION, GONE, PARENT};
use super::versions::{NewVersions, VersionWriter};
use crate::zarr::{FillValue, TableHandle, Values, ZarrError, ZarrWriter};

/// Vertices that an outline has, about, for the size of chunks.
const VERTICES_PER_BODY: usize = 16;

/// How many columns the body axis has: one for each id given so far.
pub(super) fn column_count(world: &World) -> usize {
    world.bodies.next_id().0 as usize
}

/// One value for each column; `missing` where the body is not in the world.
pub(super) fn by_column<T: Clone>(world: &World, missing: T, read: impl Fn(usize) -> T) -> Vec<T> {
    let mut values = vec![missing; column_count(world)];
    for (row, id) in world.bodies.ids().iter().enumerate() {
        values[id.0 as usize] = read(row);
    }
    values
}

/// Constant properties of bodies, from a column on. A body that was removed before it was recorded has no shape and no mass.
struct NewBodies {
    ids: Vec<i64>,
    obstacles: Vec<bool>,
    /// Values of [`BODIES`], one list each.
    numbers: Vec<Vec<f64>>,
    born: Vec<f64>,
    gone: Vec<f64>,
    parents: Vec<i64>,
    generations: Vec<i64>,
    starts: Vec<i64>,
    counts: Vec<i64>,
    x: Vec<f64>,
    y: Vec<f64>,
    names: Vec<Value>,
}

impl NewBodies {
    /// The bodies from a column on; their outlines follow so many vertices of others.
    fn of(world: &World, first: usize, vertex_count: usize) -> Self {
        let ids = first..column_count(world);
        let count = ids.len();
        let mut new = Self {
            ids: ids.map(|id| id as i64).collect(),
            obstacles: vec![false; count],
            numbers: vec![vec![f64::NAN; count]; BODIES.len()],
            born: vec![f64::NAN; count],
            gone: vec![f64::NAN; count],
            parents: vec![-1; count],
            generations: vec![0; count],
            starts: Vec::with_capacity(count),
            counts: vec![0; count],
            x: Vec::new(),
            y: Vec::new(),
            names: vec![json!(""); count],
        };
        for gone in world.gone_bodies() {
            if let Some(column) = (gone.id.0 as usize).checked_sub(first) {
                new.set_life(column, &gone.life);
                new.gone[column] = gone.time;
            }
        }
        new.add_living(world, first, vertex_count);
        new
    }

    fn add_living(&mut self, world: &World, first: usize, vertex_count: usize) {
        let bodies = &world.bodies;
        for column in 0..self.ids.len() {
            self.starts.push((vertex_count + self.x.len()) as i64);
            let id = BodyId((first + column) as u32);
            let Some(row) = bodies.row_of(id) else {
                continue;
            };
            self.obstacles[column] = !bodies.is_floe(row);
            for (numbers, variable) in self.numbers.iter_mut().zip(BODIES) {
                numbers[column] = (variable.read)(world, row);
            }
            self.set_life(column, &bodies.lives()[row]);
            self.names[column] = json!(bodies.names()[row]);
            if let Shape::Outline(outline) = &bodies.shapes()[row] {
                self.counts[column] = outline.vertices().len() as i64;
                self.x.extend(outline.vertices().iter().map(|v| v.x));
                self.y.extend(outline.vertices().iter().map(|v| v.y));
            }
        }
    }

    fn set_life(&mut self, column: usize, life: &Life) {
        self.born[column] = life.born;
        self.parents[column] = life.parent.map_or(-1, |id| i64::from(id.0));
        self.generations[column] = i64::from(life.generation);
    }

    /// The tables along the body axis: name, unit, meaning, fill value and values, in the order of the handles.
    fn per_body(&self) -> Vec<(BodyTableSpec, Values<'_>)> {
        let numbers = self.numbers.iter().zip(BODIES).map(|(values, variable)| {
            let table = [variable.name, variable.unit, variable.meaning];
            (floats(table), Values::F64(values))
        });
        let starts = ["outline_start", "1", "first vertex of the outline"];
        let counts = [
            "outline_count",
            "1",
            "number of vertices of the outline; 0 for a disc",
        ];
        let id = ["body", "1", "id of the body, given for life"];
        let kind = [
            "is_obstacle",
            "1",
            "whether the body is an obstacle, which no force moves",
        ];
        let mut tables = vec![
            ((id, FillValue::I64(-1)), Values::I64(&self.ids)),
            (
                (kind, FillValue::Bool(false)),
                Values::Bool(&self.obstacles),
            ),
        ];
        tables.extend(numbers);
        tables.extend([
            (floats(BORN), Values::F64(&self.born)),
            (floats(GONE), Values::F64(&self.gone)),
            ((PARENT, FillValue::I64(-1)), Values::I64(&self.parents)),
            (
                (GENERATION, FillValue::I64(0)),
                Values::I64(&self.generations),
            ),
            ((starts, FillValue::I64(0)), Values::I64(&self.starts)),
            ((counts, FillValue::I64(0)), Values::I64(&self.counts)),
        ]);
        tables
    }

    fn per_vertex(&self) -> [(BodyTableSpec, Values<'_>); 2] {
        let meaning = "vertex in the body frame, whose origin is the centre of mass";
        [
            (floats(["outline_x", "m", meaning]), Values::F64(&self.x)),
            (floats(["outline_y", "m", meaning]), Values::F64(&self.y)),
        ]
    }
}

/// Name, unit and meaning of a table, and its fill value.
type BodyTableSpec = ([&'static str; 3], FillValue);

fn floats(table: [&'static str; 3]) -> BodyTableSpec {
    (table, FillValue::F64(f64::NAN))
}

/// The tables of bodies.
struct Tables {
    per_body: Vec<TableHandle>,
    per_vertex: Vec<TableHandle>,
    gone: TableHandle,
}

/// Writes the tables of bodies, adds bodies to them as they are born, and outlines as they are cut.
pub(super) struct BodyWriter {
    tables: Arc<Tables>,
    versions: VersionWriter,
    column_count: usize,
    vertex_count: usize,
    /// Bodies whose end is written.
    gone_count: usize,
    names: Vec<Value>,
}

/// Bodies that entered, left or were cut since the last record.
pub(super) struct BodyUpdate {
    tables: Arc<Tables>,
    /// Columns of bodies that went, and when \[s\].
    gone: Vec<(usize, f64)>,
    born: Option<Births>,
    versions: NewVersions,
}

/// Bodies that were born.
struct Births {
    bodies: NewBodies,
    first_column: usize,
    first_vertex: usize,
    /// Names of all bodies.
    names: Vec<Value>,
}

impl BodyWriter {
    /// Writes the bodies of now, in chunks of so many columns at least.
    pub(super) fn create(
        store: &mut ZarrWriter,
        world: &World,
        min_columns: usize,
    ) -> Result<Self, ZarrError> {
        let new = NewBodies::of(world, 0, 0);
        let mut write = |dimension: &str, (table, values): (BodyTableSpec, Values<'_>), room| {
            let ([name, unit, meaning], fill_value) = table;
            let attributes = attributes_of(unit, meaning);
            let mut spec = spec(name, &[dimension], &[values.len()], attributes);
            spec.fill_value = fill_value;
            store.write_table(&spec, values.len().max(room).max(1), values)
        };
        let per_body = new.per_body().into_iter();
        let per_body: Vec<TableHandle> = per_body
            .map(|table| write("body", table, min_columns))
            .collect::<Result<_, _>>()?;
        let per_vertex = new.per_vertex().into_iter();
        let room = VERTICES_PER_BODY * min_columns;
        let per_vertex = per_vertex
            .map(|table| write("vertex", table, room))
            .collect::<Result<_, _>>()?;
        let mut tables = new.per_body().into_iter();
        let gone = tables.position(|((table, _), _)| table == GONE);
        Ok(Self {
            tables: Arc::new(Tables {
                gone: per_body[gone.expect("the end of a body is among the tables")],
                per_body,
                per_vertex,
            }),
            versions: VersionWriter::new(world),
            column_count: new.ids.len(),
            vertex_count: new.x.len(),
            gone_count: world.gone_bodies().len(),
            names: new.names,
        })
    }

    /// Goes on with tables that were cut back to a position.
    pub(super) fn resumed(
        store: &mut ZarrWriter,
        world: &World,
        position: &RecorderPosition,
    ) -> Result<Self, ZarrError> {
        let new = NewBodies::of(world, column_count(world), 0);
        let find = |((table, _), _): &(BodyTableSpec, Values<'_>)| find_table(store, table[0]);
        let per_body = new.per_body().iter().map(find).collect::<Result<_, _>>()?;
        let per_vertex = new
            .per_vertex()
            .iter()
            .map(find)
            .collect::<Result<_, _>>()?;
        let gone = find_table(store, GONE[0])?;
        // Only bodies that the records so far tell of are gone.
        let mut times = vec![f64::NAN; position.columns];
        let known = world.gone_bodies().iter().take(position.gone);
        for body in known {
            if let Some(time) = times.get_mut(body.id.0 as usize) {
                *time = body.time;
            }
        }
        store.set(gone, 0, Values::F64(&times))?;
        let names = store.attribute("names").and_then(Value::as_array);
        let names = names.map_or(&[][..], |names| &names[..position.columns.min(names.len())]);
        let names = names.to_vec();
        store.set_attribute("names", names.clone());
        Ok(Self {
            tables: Arc::new(Tables {
                per_body,
                per_vertex,
                gone,
            }),
            versions: VersionWriter::resumed(position),
            column_count: position.columns,
            vertex_count: position.vertices,
            gone_count: position.gone,
            names,
        })
    }

    /// Notes the position.
    pub(super) fn note(&self, position: &mut RecorderPosition) {
        position.columns = self.column_count;
        position.vertices = self.vertex_count;
        position.gone = self.gone_count;
        self.versions.note(position);
    }

    /// The bodies that were born, went or were cut since the last call.
    pub(super) fn update(&mut self, world: &World) -> BodyUpdate {
        let gone = world.gone_bodies()[self.gone_count..].iter();
        let gone = gone.map(|gone| (gone.id.0 as usize, gone.time));
        let gone = gone.filter(|&(column, _)| column < self.column_count);
        let gone = gone.collect();
        self.gone_count = world.gone_bodies().len();
        BodyUpdate {
            tables: Arc::clone(&self.tables),
            gone,
            born: self.births(world),
            versions: self.versions.update(world),
        }
    }

    fn births(&mut self, world: &World) -> Option<Births> {
        if column_count(world) == self.column_count {
            return None;
        }
        let bodies = NewBodies::of(world, self.column_count, self.vertex_count);
        self.names.extend_from_slice(&bodies.names);
        let births = Births {
            first_column: self.column_count,
            first_vertex: self.vertex_count,
            names: self.names.clone(),
            bodies,
        };
        self.column_count += births.bodies.ids.len();
        self.vertex_count += births.bodies.x.len();
        Some(births)
    }
}

fn find_table(store: &ZarrWriter, name: &str) -> Result<TableHandle, ZarrError> {
    store.table(name).ok_or_else(|| ZarrError::UnknownArray {
        path: store.folder().to_owned(),
        name: name.to_owned(),
    })
}

impl BodyUpdate {
    /// The memory that it takes, about \[bytes\].
    pub(super) fn bytes(&self) -> usize {
        let born = self.born.as_ref().map_or(0, |born| {
            let numbers = born.bodies.ids.len() * self.tables.per_body.len();
            let vertices = 2 * born.bodies.x.len();
            8 * (numbers + vertices) + size_of_val(&born.names[..])
        });
        size_of_val(&self.gone[..]) + born + self.versions.bytes()
    }

    /// Puts it into the tables.
    pub(super) fn write(&self, store: &mut ZarrWriter) -> Result<(), ZarrError> {
        for &(column, time) in &self.gone {
            store.set(self.tables.gone, column, Values::F64(&[time]))?;
        }
        if let Some(births) = &self.born {
            births.write(store, &self.tables)?;
        }
        self.versions.write(store)
    }
}

impl Births {
    fn write(&self, store: &mut ZarrWriter, tables: &Tables) -> Result<(), ZarrError> {
        let new = &self.bodies;
        store.lengthen("body", self.first_column + new.ids.len())?;
        store.lengthen("vertex", self.first_vertex + new.x.len())?;
        for (&handle, (_, values)) in tables.per_body.iter().zip(new.per_body()) {
            store.set(handle, self.first_column, values)?;
        }
        for (&handle, (_, values)) in tables.per_vertex.iter().zip(new.per_vertex()) {
            store.set(handle, self.first_vertex, values)?;
        }
        store.set_attribute("names", self.names.clone());
        Ok(())
    }
}
