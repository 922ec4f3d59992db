//! The log of collisions, where the scenario asks for it: one row for each contact that passed on an impulse.

use banquise::{BodyId, Collision, Simulation, Touched};
use banquise_geometry::DVec2;
use serde_json::{Value, json};

use super::reader::Recording;
use super::row_table::Columns;
use crate::zarr::{ZarrError, ZarrWriter};

/// The dimension of the log.
pub(super) const DIMENSION: &str = "collision";

const COLUMNS: Columns<Collision> = Columns {
    dimension: DIMENSION,
    floats: &[
        (
            ["collision_time", "s", "time, since the start of the run"],
            |row| row.time,
        ),
        (
            ["collision_x", "m", "place of the contact, eastward"],
            |row| row.point.x,
        ),
        (
            ["collision_y", "m", "place of the contact, northward"],
            |row| row.point.y,
        ),
        (
            [
                "collision_normal_x",
                "1",
                "normal from the body to the other, eastward",
            ],
            |row| row.normal.x,
        ),
        (
            [
                "collision_normal_y",
                "1",
                "normal from the body to the other, northward",
            ],
            |row| row.normal.y,
        ),
        (
            [
                "collision_approach_speed",
                "m s-1",
                "normal speed with which the two approached before",
            ],
            |row| row.approach_speed,
        ),
        (
            [
                "collision_normal_impulse",
                "N s",
                "normal impulse, positive in compression",
            ],
            |row| row.normal_impulse,
        ),
        (
            [
                "collision_tangent_impulse",
                "N s",
                "friction impulse on the other, along the normal turned to the left",
            ],
            |row| row.tangent_impulse,
        ),
    ],
    integers: &[
        (
            [
                "collision_body",
                "1",
                "id of the body with the lower id, or of the one at a wall",
            ],
            |row| i64::from(row.body.0),
        ),
        (
            [
                "collision_other",
                "1",
                "id of the body it touches; -1 to -4 for the wall in the west, east, south and north",
            ],
            |row| other_number(row.other),
        ),
        (
            [
                "collision_is_new",
                "1",
                "1 where the pair was apart before, which counts as a collision; 0 for a contact that lasts",
            ],
            |row| i64::from(row.is_collision),
        ),
    ],
};

/// Number of what is touched, in tables: its id, or −1 to −4 for a wall.
pub fn other_number(other: Touched) -> i64 {
    match other {
        Touched::Body(id) => i64::from(id.0),
        Touched::Wall(side) => -1 - i64::from(side),
    }
}

fn other_of(number: i64) -> Option<Touched> {
    match number {
        -4..=-1 => Some(Touched::Wall((-1 - number) as u8)),
        _ => u32::try_from(number)
            .ok()
            .map(|id| Touched::Body(BodyId(id))),
    }
}

/// Adds the log to the dataset.
pub(super) struct CollisionWriter {
    row_count: usize,
    /// Number that the first row of the dataset has in the log: a variant of a run begins within it.
    first: u64,
}

/// New rows of the log.
pub(super) struct NewCollisions {
    first_row: usize,
    rows: Vec<Collision>,
}

impl CollisionWriter {
    pub(super) fn new(simulation: &Simulation) -> Self {
        let log = &simulation.collisions;
        Self {
            row_count: 0,
            first: log.counts().kept - log.waiting().len() as u64,
        }
    }

    /// Goes on with a dataset that has so many rows.
    pub(super) fn resumed(simulation: &Simulation, row_count: usize) -> Self {
        let next = Self::new(simulation).first;
        Self {
            row_count,
            first: next.saturating_sub(row_count as u64),
        }
    }

    /// Rows so far.
    pub(super) fn row_count(&self) -> usize {
        self.row_count
    }

    /// The rows that are not in the dataset.
    pub(super) fn update(&mut self, simulation: &Simulation) -> NewCollisions {
        let log = &simulation.collisions;
        let waiting = log.waiting();
        let start = log.counts().kept - waiting.len() as u64;
        let known = (self.first + self.row_count as u64).saturating_sub(start) as usize;
        let rows = waiting.get(known..).unwrap_or_default().to_vec();
        let first_row = self.row_count;
        self.row_count += rows.len();
        NewCollisions { first_row, rows }
    }
}

impl NewCollisions {
    /// The memory that they take \[bytes\].
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }

    pub(super) fn write(&self, store: &mut ZarrWriter) -> Result<(), ZarrError> {
        COLUMNS.write(store, self.first_row, &self.rows)
    }
}

/// Rows kept and left out, as in the attributes of the dataset; `None` without a log.
pub fn collision_log_statistics(simulation: &Simulation) -> Option<Value> {
    simulation.settings.contact.log?;
    let counts = simulation.collisions.counts();
    Some(json!({
        "rows": counts.kept,
        "left_out": counts.left_out,
        "left_out_collisions": counts.left_out_collisions,
        "left_out_normal_impulse_n_s": counts.left_out_impulse,
    }))
}

/// Names of the columns of the log.
pub fn collision_variables() -> impl Iterator<Item = &'static str> {
    let integers = COLUMNS.integers.iter().map(|column| column.0[0]);
    let floats = COLUMNS.floats.iter().map(|column| column.0[0]);
    integers.chain(floats)
}

impl Recording {
    /// The log of collisions, in the order of the steps; empty where there is none.
    ///
    /// # Errors
    /// When the dataset is damaged.
    pub fn collisions(&self) -> Result<Vec<Collision>, ZarrError> {
        let name = COLUMNS.floats[0].0[0];
        if !self.has(name) {
            return Ok(Vec::new());
        }
        let floats: Vec<Vec<f64>> = COLUMNS
            .floats
            .iter()
            .map(|column| self.series(column.0[0]))
            .collect::<Result<_, _>>()?;
        let integers: Vec<Vec<i64>> = COLUMNS
            .integers
            .iter()
            .map(|column| self.integers(column.0[0]))
            .collect::<Result<_, _>>()?;
        let count = floats[0].len();
        let same = floats.iter().all(|column| column.len() == count)
            && integers.iter().all(|column| column.len() == count);
        if !same {
            return Err(self.damaged(name.into(), "as many as other variables of collisions"));
        }
        let row = |row: usize| {
            let number = |column: usize| floats[column][row];
            Some(Collision {
                time: number(0),
                body: BodyId(u32::try_from(integers[0][row]).ok()?),
                other: other_of(integers[1][row])?,
                point: DVec2::new(number(1), number(2)),
                normal: DVec2::new(number(3), number(4)),
                approach_speed: number(5),
                normal_impulse: number(6),
                tangent_impulse: number(7),
                is_collision: integers[2][row] == 1,
            })
        };
        let rows: Option<Vec<Collision>> = (0..count).map(row).collect();
        rows.ok_or_else(|| self.damaged("collision_body".into(), "ids of bodies"))
    }
}
