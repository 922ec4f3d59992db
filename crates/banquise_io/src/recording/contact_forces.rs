//! Forces of single contacts at each record, where the scenario asks for them: the two bodies, the point and the force.
//!
//! One row for each contact and record, all records one after the other.

use banquise::{Simulation, Touched};
use banquise_geometry::DVec2;

use super::reader::Recording;
use super::row_table::Columns;
use crate::zarr::{ZarrError, ZarrWriter};

/// The dimension of contacts.
pub(super) const DIMENSION: &str = "contact_force";

#[rustfmt::skip] // tables read better in lines
mod tables {
    pub(super) const TIME: [&str; 3] = ["contact_force_time", "s", "time of the record, since the start of the run"];
    pub(super) const BODY: [&str; 3] = ["contact_force_body", "1", "id of the body with the lower id, or of the one at a wall"];
    pub(super) const OTHER: [&str; 3] = ["contact_force_other", "1", "id of the body it touches; -1 for a wall"];
    pub(super) const X: [&str; 3] = ["contact_force_x", "m", "place of the contact, eastward"];
    pub(super) const Y: [&str; 3] = ["contact_force_y", "m", "place of the contact, northward"];
    pub(super) const NORMAL: [&str; 3] = ["contact_force_normal", "N", "normal force of the contact, mean over the last step before the record"];
    pub(super) const TANGENT: [&str; 3] = ["contact_force_tangent", "N", "friction force of the contact, mean over the last step before the record, with its sign"];
    pub(super) const MEMORY: [&str; 3] = ["contact_force_memory", "N s", "impulse by which a contact that sticks was pushed together and not yet pulled apart; zero for others"];
}
use tables::{BODY, MEMORY, NORMAL, OTHER, TANGENT, TIME, X, Y};

/// A contact at the time of a record, and its mean force over the step before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Time of the record \[s\].
    pub time: f64,
    /// Row of the body with the lower id, or of the one at a wall.
    pub body: usize,
    /// Row of what it touches; `None` for a wall.
    pub other: Option<usize>,
    /// Where \[m\].
    pub point: DVec2,
    /// Normal force, positive in compression \[N\].
    pub normal: f64,
    /// Friction force \[N\].
    pub tangent: f64,
    /// Impulse by which a contact that sticks was pushed together and not yet pulled apart \[N s\].
    pub memory: f64,
}

impl ContactForce {
    /// The contacts of the present state that bear a force or stick.
    fn of(simulation: &Simulation) -> Vec<Self> {
        let dt = simulation.last_dt();
        let impulses = simulation.world.contact_impulses();
        let forces = impulses.map(|impulse| Self {
            time: simulation.world.clock.time,
            body: impulse.body.0 as usize,
            other: match impulse.other {
                Touched::Body(id) => Some(id.0 as usize),
                Touched::Wall(_) => None,
            },
            point: impulse.point,
            normal: impulse.normal / dt,
            tangent: impulse.tangent / dt,
            memory: impulse.memory,
        });
        forces.collect()
    }
}

/// Adds the forces of contacts to the dataset, where they are wanted.
pub(super) struct ForceWriter {
    is_wanted: bool,
    row_count: usize,
}

/// The forces of one record.
pub(super) struct NewForces {
    first_row: usize,
    forces: Vec<ContactForce>,
}

impl ForceWriter {
    pub(super) fn new(is_wanted: bool, row_count: usize) -> Self {
        Self {
            is_wanted,
            row_count,
        }
    }

    /// Rows so far.
    pub(super) fn row_count(&self) -> usize {
        self.row_count
    }

    /// The forces at present.
    pub(super) fn update(&mut self, simulation: &Simulation) -> NewForces {
        let forces = if self.is_wanted {
            ContactForce::of(simulation)
        } else {
            Vec::new()
        };
        let first_row = self.row_count;
        self.row_count += forces.len();
        NewForces { first_row, forces }
    }
}

impl NewForces {
    /// The memory that they take \[bytes\].
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.forces[..])
    }

    /// Adds them to the tables.
    pub(super) fn write(&self, store: &mut ZarrWriter) -> Result<(), ZarrError> {
        COLUMNS.write(store, self.first_row, &self.forces)
    }
}

const COLUMNS: Columns<ContactForce> = Columns {
    dimension: DIMENSION,
    floats: &[
        (TIME, |force| force.time),
        (X, |force| force.point.x),
        (Y, |force| force.point.y),
        (NORMAL, |force| force.normal),
        (TANGENT, |force| force.tangent),
        (MEMORY, |force| force.memory),
    ],
    integers: &[
        (BODY, |force| force.body as i64),
        (OTHER, |force| force.other.map_or(-1, |row| row as i64)),
    ],
};

impl Recording {
    /// The forces of single contacts, in the order of time; empty where they are not recorded.
    ///
    /// # Errors
    /// When the dataset is damaged.
    pub fn contact_forces(&self) -> Result<Vec<ContactForce>, ZarrError> {
        if !self.has(TIME[0]) {
            return Ok(Vec::new());
        }
        let times = self.series(TIME[0])?;
        let (x, y) = (self.series(X[0])?, self.series(Y[0])?);
        let (normals, tangents) = (self.series(NORMAL[0])?, self.series(TANGENT[0])?);
        let (bodies, others) = (self.integers(BODY[0])?, self.integers(OTHER[0])?);
        // Older recordings have none.
        let memories = if self.has(MEMORY[0]) {
            self.series(MEMORY[0])?
        } else {
            vec![0.0; times.len()]
        };
        let lengths = [
            x.len(),
            y.len(),
            normals.len(),
            tangents.len(),
            memories.len(),
        ];
        let same = lengths.into_iter().chain([bodies.len(), others.len()]);
        if !same.into_iter().all(|length| length == times.len()) {
            return Err(self.damaged(TIME[0].into(), "as many as other variables of contacts"));
        }
        if !times.is_sorted() {
            return Err(self.damaged(TIME[0].into(), "in order"));
        }
        let body = |row: usize| usize::try_from(bodies[row]).ok();
        let forces = (0..times.len()).map(|row| {
            Some(ContactForce {
                time: times[row],
                body: body(row)?,
                other: usize::try_from(others[row]).ok(),
                point: DVec2::new(x[row], y[row]),
                normal: normals[row],
                tangent: tangents[row],
                memory: memories[row],
            })
        });
        let forces: Option<Vec<_>> = forces.collect();
        forces.ok_or_else(|| self.damaged(BODY[0].into(), "ids of bodies"))
    }
}
