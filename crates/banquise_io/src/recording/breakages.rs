//! How floes broke: one row for each, with its place, its cracks and the contact forces that broke it.
//!
//! Cracks and forces are lists of their own, in the order of the floes that broke (ragged arrays: each floe says how many are its own).

use banquise::{BreakingForce, World};
use banquise_geometry::{DVec2, Pose, Rotation};

use super::arrays::{attributes_of, spec};
use super::breakage::RecordedBreakage;
use super::position::RecorderPosition;
use super::reader::Recording;
use crate::zarr::{FillValue, Values, ZarrError, ZarrWriter};

/// The dimensions: floes that broke, straight parts of their cracks, and forces that broke them.
pub(super) const DIMENSIONS: [&str; 3] = ["breakage", "crack", "breaking_force"];

/// Rows in a chunk of the tables: 32 kB.
const CHUNK: usize = 4096;

#[rustfmt::skip] // tables read better in lines
mod tables {
    pub(super) const TIME: [&str; 3] = ["breakage_time", "s", "when the floe broke, since the start of the run"];
    pub(super) const BODY: [&str; 3] = ["breakage_body", "1", "id of the floe that broke"];
    pub(super) const X: [&str; 3] = ["breakage_x", "m", "place of its centre of mass then, eastward"];
    pub(super) const Y: [&str; 3] = ["breakage_y", "m", "place of its centre of mass then, northward"];
    pub(super) const HEADING: [&str; 3] = ["breakage_heading", "rad", "its heading then"];
    pub(super) const CRACKS: [&str; 3] = ["breakage_cracks", "1", "number of straight parts of its cracks"];
    pub(super) const FORCES: [&str; 3] = ["breakage_forces", "1", "number of contact forces that broke it"];
    pub(super) const ENDS: [[&str; 3]; 4] = [
        ["crack_start_x", "m", "start of a straight part of a crack when it opened, eastward"],
        ["crack_start_y", "m", "start of a straight part of a crack when it opened, northward"],
        ["crack_end_x", "m", "end of a straight part of a crack when it opened, eastward"],
        ["crack_end_y", "m", "end of a straight part of a crack when it opened, northward"],
    ];
    pub(super) const LOADS: [[&str; 3]; 5] = [
        ["breaking_force_x", "m", "where a contact force acted on the floe, eastward"],
        ["breaking_force_y", "m", "where a contact force acted on the floe, northward"],
        ["breaking_force_east", "N", "contact force on the floe, eastward"],
        ["breaking_force_north", "N", "contact force on the floe, northward"],
        ["breaking_force_radius", "m", "half the width over which the contact force is spread"],
    ];
}
use tables::{BODY, CRACKS, ENDS, FORCES, HEADING, LOADS, TIME, X, Y};

/// Adds floes that broke to the dataset.
pub(super) struct BreakageWriter {
    /// Bodies gone that were looked at.
    gone_count: usize,
    /// Rows of each dimension.
    row_counts: [usize; 3],
}

/// Floes that broke since the last record.
pub(super) struct NewBreakages {
    first_rows: [usize; 3],
    breakages: Vec<RecordedBreakage>,
}

impl BreakageWriter {
    /// A writer for a world that begins, or one that goes on from a position.
    pub(super) fn new(position: &RecorderPosition) -> Self {
        Self {
            gone_count: position.gone,
            row_counts: position.breakage_rows,
        }
    }

    /// Notes the position.
    pub(super) fn note(&self, position: &mut RecorderPosition) {
        position.breakage_rows = self.row_counts;
    }

    /// The floes that broke since the last call.
    pub(super) fn update(&mut self, world: &World) -> NewBreakages {
        let gone = &world.gone_bodies()[self.gone_count..];
        self.gone_count += gone.len();
        let new = NewBreakages {
            first_rows: self.row_counts,
            breakages: gone.iter().filter_map(RecordedBreakage::of).collect(),
        };
        for (rows, added) in self.row_counts.iter_mut().zip(new.counts()) {
            *rows += added;
        }
        new
    }
}

impl NewBreakages {
    fn counts(&self) -> [usize; 3] {
        let all = self.breakages.iter();
        [
            self.breakages.len(),
            all.clone().map(|own| own.cracks.len()).sum(),
            all.map(|own| own.forces.len()).sum(),
        ]
    }

    /// The memory that they take \[bytes\].
    pub(super) fn bytes(&self) -> usize {
        let [rows, cracks, forces] = self.counts();
        rows * size_of::<RecordedBreakage>() + 32 * cracks + 40 * forces
    }

    /// Adds them to the tables, which are made with the first of them.
    pub(super) fn write(&self, store: &mut ZarrWriter) -> Result<(), ZarrError> {
        let counts = self.counts();
        for (dimension, (first, count)) in DIMENSIONS
            .into_iter()
            .zip(self.first_rows.into_iter().zip(counts))
        {
            if first > 0 && count > 0 {
                store.lengthen(dimension, first + count)?;
            } else if count > 0 {
                // The root must not tell of tables before all of them are there.
                store.defer_root();
            }
        }
        let all = &self.breakages;
        let floats = |read: &dyn Fn(&RecordedBreakage) -> f64| -> Vec<f64> {
            all.iter().map(read).collect()
        };
        let counts = |read: &dyn Fn(&RecordedBreakage) -> usize| -> Vec<i64> {
            all.iter().map(|own| read(own) as i64).collect()
        };
        self.floats(store, 0, TIME, &floats(&|own| own.time))?;
        self.floats(store, 0, X, &floats(&|own| own.pose.position.x))?;
        self.floats(store, 0, Y, &floats(&|own| own.pose.position.y))?;
        self.floats(store, 0, HEADING, &floats(&|own| own.pose.rotation.angle()))?;
        self.integers(store, BODY, &counts(&|own| own.body))?;
        self.integers(store, CRACKS, &counts(&|own| own.cracks.len()))?;
        self.integers(store, FORCES, &counts(&|own| own.forces.len()))?;
        let ends = all.iter().flat_map(|own| &own.cracks);
        let ends: Vec<[f64; 4]> = ends.map(|[a, b]| [a.x, a.y, b.x, b.y]).collect();
        for (column, table) in ENDS.into_iter().enumerate() {
            let values: Vec<f64> = ends.iter().map(|end| end[column]).collect();
            self.floats(store, 1, table, &values)?;
        }
        let forces = all
            .iter()
            .flat_map(|own| own.forces.iter().map(|force| in_world(own.pose, force)));
        let forces: Vec<[f64; 5]> = forces.collect();
        for (column, table) in LOADS.into_iter().enumerate() {
            let values: Vec<f64> = forces.iter().map(|force| force[column]).collect();
            self.floats(store, 2, table, &values)?;
        }
        Ok(())
    }

    fn floats(
        &self,
        store: &mut ZarrWriter,
        dimension: usize,
        table: [&str; 3],
        values: &[f64],
    ) -> Result<(), ZarrError> {
        let fill = FillValue::F64(f64::NAN);
        self.put(store, dimension, table, fill, Values::F64(values))
    }

    fn integers(
        &self,
        store: &mut ZarrWriter,
        table: [&str; 3],
        values: &[i64],
    ) -> Result<(), ZarrError> {
        self.put(store, 0, table, FillValue::I64(-1), Values::I64(values))
    }

    fn put(
        &self,
        store: &mut ZarrWriter,
        dimension: usize,
        [name, unit, meaning]: [&str; 3],
        fill_value: FillValue,
        values: Values<'_>,
    ) -> Result<(), ZarrError> {
        if values.is_empty() {
            return Ok(());
        }
        if let Some(handle) = store.table(name) {
            return store.set(handle, self.first_rows[dimension], values);
        }
        let attributes = attributes_of(unit, meaning);
        let mut spec = spec(name, &[DIMENSIONS[dimension]], &[values.len()], attributes);
        spec.fill_value = fill_value;
        store.write_table(&spec, CHUNK, values).map(drop)
    }
}

/// Place, force and radius, in the order of the tables.
fn in_world(pose: Pose, force: &BreakingForce) -> [f64; 5] {
    let point = pose.world_from_body(force.point);
    let vector = pose.rotation.rotate(force.force);
    [point.x, point.y, vector.x, vector.y, force.radius]
}

fn in_body(pose: Pose, [x, y, east, north, radius]: [f64; 5]) -> BreakingForce {
    let back = Rotation {
        cos: pose.rotation.cos,
        sin: -pose.rotation.sin,
    };
    BreakingForce {
        point: back.rotate(DVec2::new(x, y) - pose.position),
        force: back.rotate(DVec2::new(east, north)),
        radius,
    }
}

impl Recording {
    /// Floes that broke, in the order of time; empty where none did, and in older recordings.
    ///
    /// # Errors
    /// When the dataset is damaged.
    pub fn breakages(&self) -> Result<Vec<RecordedBreakage>, ZarrError> {
        if !self.has(TIME[0]) {
            return Ok(Vec::new());
        }
        let damaged = || self.damaged(TIME[0].into(), "as many as other variables of breakages");
        let times = self.series(TIME[0])?;
        let [x, y, headings] = [X, Y, HEADING].map(|[name, ..]| self.series(name));
        let (x, y, headings) = (x?, y?, headings?);
        let [bodies, cracks, forces] = [BODY, CRACKS, FORCES].map(|[name, ..]| self.integers(name));
        let (bodies, cracks, forces) = (bodies?, cracks?, forces?);
        let mut ends = self.rows_of(ENDS)?.into_iter();
        let mut loads = self.rows_of(LOADS)?.into_iter();
        let mut breakages = Vec::with_capacity(times.len());
        for (row, &time) in times.iter().enumerate() {
            let at = |values: &[f64]| values.get(row).copied().ok_or_else(damaged);
            let count = |values: &[i64]| {
                let count = values.get(row).copied().ok_or_else(damaged)?;
                usize::try_from(count).ok().ok_or_else(damaged)
            };
            let pose = Pose {
                position: DVec2::new(at(&x)?, at(&y)?),
                rotation: Rotation::from_angle(at(&headings)?),
            };
            let (crack_count, force_count) = (count(&cracks)?, count(&forces)?);
            let own: Vec<[f64; 4]> = ends.by_ref().take(crack_count).collect();
            let own_forces: Vec<[f64; 5]> = loads.by_ref().take(force_count).collect();
            if own.len() < crack_count || own_forces.len() < force_count {
                return Err(damaged());
            }
            breakages.push(RecordedBreakage {
                time,
                body: count(&bodies)?,
                pose,
                cracks: own
                    .into_iter()
                    .map(|[a, b, c, d]| [DVec2::new(a, b), DVec2::new(c, d)])
                    .collect(),
                forces: own_forces
                    .into_iter()
                    .map(|row| in_body(pose, row))
                    .collect(),
            });
        }
        Ok(breakages)
    }

    /// Tables of equal length side by side; none where they are not there.
    fn rows_of<const N: usize>(&self, tables: [[&str; 3]; N]) -> Result<Vec<[f64; N]>, ZarrError> {
        let mut rows: Vec<[f64; N]> = Vec::new();
        for (column, [name, ..]) in tables.into_iter().enumerate() {
            if !self.has(name) {
                return Ok(Vec::new());
            }
            let values = self.series(name)?;
            if column == 0 {
                rows = vec![[f64::NAN; N]; values.len()];
            } else if values.len() != rows.len() {
                return Err(self.damaged(name.into(), "as many as other variables of breakages"));
            }
            for (row, value) in rows.iter_mut().zip(values) {
                row[column] = value;
            }
        }
        Ok(rows)
    }
}
