//! One body as it is stored: the values that its other columns follow from.

use banquise_geometry::{DVec2, Shape};

use super::bodies::{Bodies, Row};
use super::{BodyKind, Life};
use crate::contact_state::ContactLoad;
use crate::id::BodyId;
use crate::material::Material;
use crate::motion::{Motion, Velocity};
use crate::stored::{Input, Stored, StoredError, require, stored_structs};

/// A row of [`Bodies`], with all that cannot be computed again to the same bits.
pub(crate) struct StoredRow {
    id: BodyId,
    kind: BodyKind,
    name: String,
    motion: Motion,
    force_delta_v: Velocity,
    force_time: f64,
    shape: Shape,
    shape_version: u32,
    mass: f64,
    inertia: f64,
    mean_thickness: f64,
    material: Material,
    life: Life,
    contact_load: ContactLoad,
    /// Points with their weights. The mesh was made before the outline was moved to the centre of mass: made again from the moved
    /// outline, points would differ by roundings.
    quadrature: Vec<(DVec2, f64)>,
}

stored_structs! {
    StoredRow {
        id, kind, name, motion, force_delta_v, force_time, shape, shape_version, mass, inertia, mean_thickness, material,
        life, contact_load, quadrature,
    }
}

impl Stored for BodyKind {
    fn put(&self, out: &mut Vec<u8>) {
        (*self == Self::Floe).put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        Ok(if bool::take(input)? {
            Self::Floe
        } else {
            Self::Obstacle
        })
    }
}

impl Bodies {
    /// The body in a row.
    pub(crate) fn stored_row(&self, row: usize) -> StoredRow {
        StoredRow {
            id: self.ids()[row],
            kind: self.kinds()[row],
            name: self.names()[row].clone(),
            motion: self.motions[row],
            force_delta_v: self.force_delta_v[row],
            force_time: self.force_times[row],
            shape: self.shapes()[row].clone(),
            shape_version: self.shape_versions()[row],
            mass: self.masses()[row],
            inertia: self.inertias()[row],
            mean_thickness: self.mean_thicknesses()[row],
            material: self.materials()[row],
            life: self.lives()[row],
            contact_load: self.contact_loads[row],
            quadrature: self.quadrature.points(row),
        }
    }

    /// Adds a body as it was stored; ids come in order.
    pub(crate) fn push_stored(&mut self, stored: StoredRow) -> Result<(), StoredError> {
        let StoredRow {
            id,
            kind,
            name,
            motion,
            force_delta_v,
            force_time,
            shape,
            shape_version,
            mass,
            inertia,
            mean_thickness,
            material,
            life,
            contact_load,
            quadrature,
        } = stored;
        let is_usable = match kind {
            BodyKind::Floe => {
                mass > 0.0 && mass.is_finite() && inertia > 0.0 && inertia.is_finite()
            }
            BodyKind::Obstacle => mass == f64::INFINITY && inertia == f64::INFINITY,
        };
        require(is_usable, "a mass")?;
        self.set_next_id(id)?;
        let row = Row {
            kind,
            name,
            motion,
            mass,
            inertia,
            mean_thickness,
            material,
            shape,
            quadrature,
        };
        self.push(row, life);
        let last = self.len() - 1;
        self.force_delta_v[last] = force_delta_v;
        self.force_times[last] = force_time;
        self.contact_loads[last] = contact_load;
        self.set_shape_version(last, shape_version);
        Ok(())
    }
}
