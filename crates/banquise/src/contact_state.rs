//! Contact quantities in the state of the world: loads, touching pairs and impulses for the next warm start.

use std::ops::AddAssign;

use banquise_geometry::DVec2;

use crate::id::BodyId;

/// Contact loads on a floe, an obstacle or a wall since it entered the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactLoad {
    /// Sum of the normal impulses [N s]: it never falls.
    pub normal: f64,
    /// Sum of the tangential impulses, each without its sign [N s].
    pub tangent: f64,
    /// Net impulse [N s]: opposite impulses cancel.
    pub impulse: DVec2,
    /// Angular impulse about the centre of the body [N m s]; zero for a wall.
    pub moment: f64,
    /// −Σ r·p over the contacts, with the arm r from the centre to the contact and the impulse p on the body
    /// [N m s]: positive where it is squeezed. Over a time t and the volume V of the body, the mean of its two principal
    /// stresses is −Σ r·p / (2 V t), a pressure (Weber 1966). Zero for a wall.
    pub virial: f64,
    /// The largest normal impulse of one step [N s].
    pub largest: f64,
    /// Sum of the normal impulses of contacts that crush ice [N s].
    pub crushing: f64,
    /// Area over which ice is crushed, chord times thickness, over time [m² s]: the mean crushing pressure is the
    /// impulse over this.
    pub crushing_area: f64,
}

impl AddAssign for ContactLoad {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.tangent += other.tangent;
        self.impulse += other.impulse;
        self.moment += other.moment;
        self.virial += other.virial;
        self.largest = self.largest.max(other.largest);
        self.crushing += other.crushing;
        self.crushing_area += other.crushing_area;
    }
}

/// A body or wall that is touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Another body.
    Body(BodyId),
    /// A wall, by its number: west, east, south, north.
    Wall(u8),
}

/// Key of a contact from step to step: the body with the lower id, what it touches, and the touching vertex
/// with the body it belongs to. Three numbers, since keys are compared thousands of times in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContactKey {
    body: BodyId,
    /// Id of the other body; counted down from the largest number for walls.
    other: u32,
    /// The vertex, and the highest bit if it is one of the other body.
    feature: u32,
}

/// Ids from here on stand for walls.
const FIRST_WALL: u32 = u32::MAX - 3;

impl ContactKey {
    pub(crate) fn new(body: BodyId, other: Touched, vertex: u32, is_vertex_of_other: bool) -> Self {
        let other = match other {
            Touched::Body(id) => id.0,
            Touched::Wall(side) => FIRST_WALL + u32::from(side),
        };
        Self {
            body,
            other,
            feature: vertex | u32::from(is_vertex_of_other) << 31,
        }
    }

    /// The body with the lower id, or the one at a wall.
    pub(crate) fn body(self) -> BodyId {
        self.body
    }

    /// The body or wall that it touches.
    pub(crate) fn other(self) -> Touched {
        match self.other.checked_sub(FIRST_WALL) {
            Some(side) => Touched::Wall(side as u8),
            None => Touched::Body(BodyId(self.other)),
        }
    }

    /// The vertex that touches.
    pub(crate) fn vertex(self) -> u32 {
        self.feature & (u32::MAX >> 1)
    }

    /// Whether that vertex is one of the other body.
    pub(crate) fn is_vertex_of_other(self) -> bool {
        self.feature >> 31 == 1
    }
}
