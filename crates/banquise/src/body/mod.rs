//! The bodies of the world: floes that forces move, and obstacles that they do not.

mod bodies;
mod properties;
mod stored;

use banquise_geometry::{Pose, Shape};

use crate::id::BodyId;
use crate::material::Material;
use crate::motion::Velocity;

pub use bodies::{Bodies, COLLISION_DISTANCE_RATIO};

/// Role of a body in the dynamics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Ice: finite mass, moved by forces.
    Floe,
    /// Coast, structure or ship: infinite mass, never moved by a force (Rabatel 2015, eq. 1.1.4). It rests,
    /// or follows a given path.
    Obstacle,
}

/// Ice thickness \[m\].
#[derive(Debug, Clone, PartialEq)]
pub enum Thickness {
    /// One thickness for the whole floe.
    Uniform(f64),
    /// One value for each element of the floe's mesh.
    PerElement(Vec<f64>),
}

/// A body before it enters the world.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// Name given by the user; may be empty.
    pub name: String,
    /// Floe or obstacle.
    pub kind: BodyKind,
    /// The shape, in a frame of its own.
    pub shape: Shape,
    /// Pose of the shape's frame in the world.
    pub pose: Pose,
    /// Velocity of the centre of mass; ignored for obstacles.
    pub velocity: Velocity,
    /// Ice thickness \[m\]; ignored for obstacles.
    pub thickness: Thickness,
    /// Material; ignored for obstacles.
    pub material: Material,
    /// Total mass \[kg\], when it is known instead of the density.
    pub mass: Option<f64>,
    /// Moment of inertia about the centre of mass [kg m²], when it is known from elsewhere.
    pub inertia: Option<f64>,
}

/// Origin of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Life {
    /// When it entered the world \[s\].
    pub born: f64,
    /// The body it is a piece of, if it is one.
    pub parent: Option<BodyId>,
    /// 0 for a body that is no piece of another, else one more than that of its parent.
    pub generation: u32,
}

impl Life {
    /// A body that is no piece of another.
    pub(crate) fn new(born: f64) -> Self {
        Self {
            born,
            parent: None,
            generation: 0,
        }
    }
}
