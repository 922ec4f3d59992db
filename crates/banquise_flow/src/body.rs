//! Rigid bodies: where they are, and how they move.

use banquise_geometry::{DVec2, Disc, Pose, Rotation, Shape};

use crate::FlowError;

/// A rigid body in the fluid: its shape, in a frame of its own, and its place.
#[derive(Debug, Clone)]
pub struct Body {
    /// Outline or disc, around the origin of its frame.
    pub shape: Shape,
    /// Where the frame is \[m\].
    pub pose: Pose,
}

impl Body {
    /// A disc around a point.
    ///
    /// # Errors
    /// If the radius is not positive.
    pub fn disc(at: DVec2, radius: f64) -> Result<Self, FlowError> {
        Ok(Self {
            shape: Shape::Disc(Disc::try_new(radius)?),
            pose: Pose {
                position: at,
                rotation: Rotation::from_angle(0.0),
            },
        })
    }
}

/// Force and torque on a body, per metre of depth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Force \[N/m\].
    pub force: DVec2,
    /// Torque about the centroid \[N\].
    pub torque: f64,
}

/// Rigid motion of a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidMotion {
    /// Velocity of the centroid \[m/s\].
    pub velocity: DVec2,
    /// Angular velocity \[rad/s\], counter-clockwise.
    pub angular_velocity: f64,
}
