//! What is known of each body for life: tables along the body axis, whose column is the id, and which become longer as
//! bodies are born.

use banquise::{BodyId, Life, World};
use banquise_geometry::Shape;
use serde_json::{Value, json};

use super::arrays::{attributes_of, spec};
use super::variables::{BODIES, BORN, GENERATION, GONE, PARENT};
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

/// What does not change of bodies, from a column on. A body that went before it was seen has no shape and no mass.
struct NewBodies {
    ids: Vec<i64>,
    obstacles: Vec<bool>,
    /// Those of [`BODIES`], one list each.
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

/// Writes the tables of bodies, and adds bodies to them as they are born.
pub(super) struct BodyWriter {
    per_body: Vec<TableHandle>,
    per_vertex: Vec<TableHandle>,
    gone: TableHandle,
    column_count: usize,
    vertex_count: usize,
    /// Bodies whose end is written.
    gone_count: usize,
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
            gone: per_body[gone.expect("the end of a body is among the tables")],
            per_body,
            per_vertex,
            column_count: new.ids.len(),
            vertex_count: new.x.len(),
            gone_count: world.gone_bodies().len(),
            names: new.names,
        })
    }

    /// Adds the bodies born, and the ends of those that went, since the last call.
    pub(super) fn update(
        &mut self,
        store: &mut ZarrWriter,
        world: &World,
    ) -> Result<(), ZarrError> {
        for gone in &world.gone_bodies()[self.gone_count..] {
            let column = gone.id.0 as usize;
            if column < self.column_count {
                store.set(self.gone, column, Values::F64(&[gone.time]))?;
            }
        }
        self.gone_count = world.gone_bodies().len();
        if column_count(world) > self.column_count {
            self.add(store, world)?;
        }
        Ok(())
    }

    fn add(&mut self, store: &mut ZarrWriter, world: &World) -> Result<(), ZarrError> {
        let new = NewBodies::of(world, self.column_count, self.vertex_count);
        store.lengthen("body", self.column_count + new.ids.len())?;
        store.lengthen("vertex", self.vertex_count + new.x.len())?;
        for (&handle, (_, values)) in self.per_body.iter().zip(new.per_body()) {
            store.set(handle, self.column_count, values)?;
        }
        for (&handle, (_, values)) in self.per_vertex.iter().zip(new.per_vertex()) {
            store.set(handle, self.vertex_count, values)?;
        }
        self.column_count += new.ids.len();
        self.vertex_count += new.x.len();
        self.names.extend(new.names);
        store.set_attribute("names", self.names.clone());
        Ok(())
    }
}
