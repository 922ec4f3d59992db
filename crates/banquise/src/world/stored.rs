//! The whole state as bytes and back: the one list of what a checkpoint holds. The hash in `hash.rs` covers the same.
//!
//! A new field of the state does not compile before it is in the list here.

use super::{Breakage, BreakingForce, Clock, Fate, Gone, World};
use crate::body::{Bodies, Life};
use crate::bond::Bond;
use crate::budget::{Account, Budget, ContactBudget, ExchangeBudget, Flux, LayerBudget};
use crate::contact_state::{ContactKey, ContactLoad, Touched};
use crate::domain::{Bounds, Domain, Rectangle};
use crate::force::{Force, PerForce};
use crate::id::BodyId;
use crate::material::Material;
use crate::motion::{Motion, Velocity};
use crate::pack::{SizeLaw, ThicknessLaw};
use crate::path::{BodyPath, Spin, Waypoint};
use crate::source::{Source, SourceSettings};
use crate::stored::{Input, Stored, StoredError, require, stored_structs};

stored_structs! {
    World {
        domain, clock, seed, ocean_velocities, bodies, budget, wall_loads, touching, warm_start, adhesion, bonds, contact_ages,
        sources, gone,
    }
    Clock { time, step }
    Gone { id, time, fate, life, load, breakage }
    Breakage { pose, cracks, forces }
    BreakingForce { point, force, radius }
    Life { born, parent, generation }
    ContactLoad { normal, tangent, impulse, moment, virial, largest, crushing, crushing_area }
    Motion { pose, velocity, winding }
    Velocity { linear, angular }
    Material { ice_density, friction, restitution, ocean_drag_coefficient, air_drag_coefficient }
    Waypoint { time, position, heading }
    Spin { center, velocity, period, position, heading }
    Rectangle { min, max }
    Bounds { rectangle, open }
    Budget { forces, contact, layer, exchange }
    Account { work, impulse }
    ContactBudget { normal_loss, tangent_loss, crushing_loss, push_gain, fracture_loss, fracture_strain, bond_stored, bond_loss, bond_broken, impulse, work }
    LayerBudget { ice, wind, coriolis, base, data }
    ExchangeBudget { entered, left, replaced, pieces, crushed }
    Flux { floes, mass, momentum, energy }
    SourceSettings { region, start, interval, shapes, sizes, thickness, material, velocity }
    SizeLaw { count, min_size, max_size, exponent }
}

impl World {
    /// Checks what steps rely on and single values do not tell.
    pub(crate) fn check_stored(&self) -> Result<(), StoredError> {
        let bodies = &self.bodies;
        let is_there = |id: BodyId| bodies.row_of(id).is_some();
        require(!self.ocean_velocities.is_empty(), "no ocean cell")?;
        require(
            self.clock.time.is_finite(),
            "a time that is not a finite number",
        )?;
        let is_finite = |motion: &Motion| {
            motion.pose.position.is_finite()
                && motion.velocity.linear.is_finite()
                && motion.velocity.angular.is_finite()
        };
        require(
            bodies.motions.iter().all(is_finite),
            "a motion that is not finite",
        )?;
        let knows = |id: BodyId, other: Touched| {
            is_there(id) && !matches!(other, Touched::Body(other) if !is_there(other))
        };
        let touching = &self.touching;
        require(
            touching.is_sorted() && touching.iter().all(|&(id, other)| knows(id, other)),
            "a touching pair",
        )?;
        let keys = self.warm_start.iter().map(|(key, _)| key);
        require(
            keys.clone().is_sorted() && keys.clone().all(|key| knows(key.body(), key.other())),
            "an impulse",
        )?;
        let memories = &self.adhesion;
        let is_memory = |&(key, memory): &(ContactKey, f64)| {
            knows(key.body(), key.other()) && memory.is_finite() && memory < 0.0
        };
        require(
            memories.is_sorted_by(|x, y| x.0 < y.0) && memories.iter().all(is_memory),
            "a memory of a contact",
        )?;
        let knows_pair =
            |pair: &[BodyId; 2]| pair[0] < pair[1] && pair.iter().all(|&id| is_there(id));
        let is_bond = |bond: &Bond| {
            let sizes = [
                bond.width,
                bond.thickness,
                bond.normal_stiffness,
                bond.shear_stiffness,
            ];
            knows_pair(&bond.bodies) && sizes.iter().all(|size| size.is_finite() && *size > 0.0)
        };
        require(
            self.bonds.is_sorted_by_key(|bond| bond.bodies) && self.bonds.iter().all(is_bond),
            "a joint",
        )?;
        let ages = &self.contact_ages;
        require(
            ages.is_sorted_by_key(|&(pair, _)| pair)
                && ages.iter().all(|(pair, _)| knows_pair(pair)),
            "the age of a contact",
        )?;
        let paths = bodies.paths.iter();
        require(
            paths.clone().all(|&(id, _)| is_there(id)),
            "a path without a body",
        )
    }
}

impl Stored for BodyId {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        Ok(Self(u32::take(input)?))
    }
}

impl Stored for Fate {
    fn put(&self, out: &mut Vec<u8>) {
        let number: u8 = match self {
            Self::Left => 0,
            Self::Replaced => 1,
            Self::Removed => 2,
            Self::Crushed => 3,
        };
        number.put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match u8::take(input)? {
            0 => Ok(Self::Left),
            1 => Ok(Self::Replaced),
            2 => Ok(Self::Removed),
            3 => Ok(Self::Crushed),
            _ => Err(StoredError::Impossible { what: "a fate" }),
        }
    }
}

impl Stored for Touched {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Body(id) => (0_u8, id.0).put(out),
            Self::Wall(side) => (1_u8, u32::from(*side)).put(out),
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match <(u8, u32)>::take(input)? {
            (0, id) => Ok(Self::Body(BodyId(id))),
            (1, side @ 0..4) => Ok(Self::Wall(side as u8)),
            _ => Err(StoredError::Impossible { what: "a contact" }),
        }
    }
}

impl Stored for ContactKey {
    fn put(&self, out: &mut Vec<u8>) {
        (self.body(), self.other()).put(out);
        (self.vertex(), self.is_vertex_of_other()).put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let (body, other) = Stored::take(input)?;
        let (vertex, is_vertex_of_other) = Stored::take(input)?;
        require(vertex <= u32::MAX >> 1, "a vertex")?;
        Ok(Self::new(body, other, vertex, is_vertex_of_other))
    }
}

impl Stored for Domain {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Free => 0_u8.put(out),
            Self::Bounded(bounds) => (1_u8, *bounds).put(out),
            Self::Periodic(cell) => (2_u8, *cell).put(out),
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let domain = match u8::take(input)? {
            0 => Self::Free,
            1 => Self::Bounded(Stored::take(input)?),
            2 => Self::Periodic(Stored::take(input)?),
            _ => return Err(StoredError::Impossible { what: "a domain" }),
        };
        let is_usable = domain.rectangle().is_none_or(|r| {
            r.min.is_finite() && r.max.is_finite() && r.min.x < r.max.x && r.min.y < r.max.y
        });
        require(is_usable, "a domain")?;
        Ok(domain)
    }
}

impl<T: Stored> Stored for PerForce<T> {
    fn put(&self, out: &mut Vec<u8>) {
        for value in self.iter() {
            value.put(out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let values: [T; Force::ALL.len()] = Stored::take(input)?;
        let mut values = values.into_iter();
        Ok(Self::from_fn(|_| {
            values.next().expect("there is a value for each force")
        }))
    }
}

impl Stored for ThicknessLaw {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Constant(thickness) => (0_u8, *thickness).put(out),
            Self::Uniform { from, to } => (1_u8, [*from, *to]).put(out),
            Self::Normal { mean, deviation } => (2_u8, [*mean, *deviation]).put(out),
            Self::BySize(rows) => (3_u8, rows.clone()).put(out),
            Self::Shares(rows) => (4_u8, rows.clone()).put(out),
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let pair = <[f64; 2]>::take;
        Ok(match u8::take(input)? {
            0 => Self::Constant(Stored::take(input)?),
            1 => pair(input).map(|[from, to]| Self::Uniform { from, to })?,
            2 => pair(input).map(|[mean, deviation]| Self::Normal { mean, deviation })?,
            3 => Self::BySize(Stored::take(input)?),
            4 => Self::Shares(Stored::take(input)?),
            _ => {
                return Err(StoredError::Impossible {
                    what: "a law of thickness",
                });
            }
        })
    }
}

impl Stored for BodyPath {
    fn put(&self, out: &mut Vec<u8>) {
        self.waypoints().to_vec().put(out);
        // A path without waypoints is a spin.
        if let Some(spin) = self.spin() {
            spin.put(out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let waypoints: Vec<Waypoint> = Stored::take(input)?;
        let path = if waypoints.is_empty() {
            Self::spinning(Stored::take(input)?)
        } else {
            Self::try_new(waypoints)
        };
        path.ok().ok_or(StoredError::Impossible { what: "a path" })
    }
}

impl Stored for Source {
    fn put(&self, out: &mut Vec<u8>) {
        self.settings().put(out);
        (self.tried(), self.skipped()).put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let source = Self::try_new(Stored::take(input)?);
        let source = source
            .ok()
            .ok_or(StoredError::Impossible { what: "a source" })?;
        let (tried, skipped) = Stored::take(input)?;
        Ok(source.with_counts(tried, skipped))
    }
}

/// Row by row; columns that follow from shape and mass are made again.
impl Stored for Bodies {
    fn put(&self, out: &mut Vec<u8>) {
        self.next_id().put(out);
        self.len().put(out);
        for row in 0..self.len() {
            self.stored_row(row).put(out);
        }
        self.paths.put(out);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        let next_id = BodyId::take(input)?;
        let count = input.count()?;
        let mut bodies = Self::default();
        for _ in 0..count {
            bodies.push_stored(Stored::take(input)?)?;
        }
        bodies.paths = Stored::take(input)?;
        bodies.set_next_id(next_id)?;
        Ok(bodies)
    }
}
