//! Pose and velocity of a body.

use banquise_geometry::{DVec2, Pose};

/// Linear and angular velocity of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity {
    /// Velocity of the centre of mass [m/s].
    pub linear: DVec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular: f64,
}

impl Velocity {
    /// No motion.
    pub const REST: Self = Self {
        linear: DVec2::ZERO,
        angular: 0.0,
    };

    /// Velocity of the point of the body at `arm` \[m\] from its centre of mass.
    pub fn at(&self, arm: DVec2) -> DVec2 {
        self.linear + self.angular * arm.perp()
    }
}

impl std::ops::Sub for Velocity {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            linear: self.linear - other.linear,
            angular: self.angular - other.angular,
        }
    }
}

/// The quantities of a body that change at every step: one record of 64 bytes, so that moving a body touches one cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Pose of the body frame, whose origin is the centre of mass; inside the cell when the domain
    /// is periodic.
    pub pose: Pose,
    /// Velocity.
    pub velocity: Velocity,
    /// How many periodic cells the body has crossed in each direction.
    pub winding: [i32; 2],
}
