//! What contacts leave in the state of the world: loads, touching pairs and impulses for the next warm start.

use std::ops::AddAssign;

use banquise_geometry::DVec2;

use crate::id::BodyId;

/// What contacts have given a floe, an obstacle or a wall since it entered the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactLoad {
    /// Sum of the normal impulses [N s]: it never falls.
    pub normal: f64,
    /// Sum of the tangential impulses, each without its sign [N s].
    pub tangent: f64,
    /// Impulse [N s]: opposite pushes cancel.
    pub impulse: DVec2,
    /// Angular impulse about the centre of the body [N m s]; zero for a wall.
    pub moment: f64,
    /// −Σ r·p over the contacts, with the arm r from the centre to the contact and the impulse p on the body
    /// [N m s]: positive where it is squeezed. Over a time t and the volume V of the body, the mean of its two principal
    /// stresses is −Σ r·p / (2 V t), a pressure (Weber 1966). Zero for a wall.
    pub virial: f64,
    /// The largest normal impulse of one step [N s].
    pub largest: f64,
}

impl AddAssign for ContactLoad {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.tangent += other.tangent;
        self.impulse += other.impulse;
        self.moment += other.moment;
        self.virial += other.virial;
        self.largest = self.largest.max(other.largest);
    }
}

/// What a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Another body.
    Body(BodyId),
    /// A wall, by its number: west, east, south, north.
    Wall(u8),
}

/// What tells a contact from all others, from step to step: the body with the lower id, what it touches, and the vertex
/// that does, with the side it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContactKey {
    pub(crate) body: BodyId,
    pub(crate) other: Touched,
    pub(crate) is_vertex_of_other: bool,
    pub(crate) vertex: u32,
}
