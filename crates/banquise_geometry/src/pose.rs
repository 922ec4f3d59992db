//! Where a body is and which way it points.

use std::f64::consts::PI;

use crate::{DVec2, math};

/// A rotation of the plane, stored as the cosine and sine of its angle.
///
/// Positive angles turn counter-clockwise. Both fields are public for speed; code that writes them
/// must keep cos² + sin² = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// Cosine of the angle.
    pub cos: f64,
    /// Sine of the angle.
    pub sin: f64,
}

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0 };

    /// The rotation by `angle` \[rad\], which must be finite.
    pub fn from_angle(angle: f64) -> Self {
        debug_assert!(angle.is_finite(), "rotation by a non-finite angle: {angle}");
        let (sin, cos) = math::sin_cos(angle);
        Self { cos, sin }
    }

    /// The angle \[rad\] in ]-π, π].
    pub fn angle(self) -> f64 {
        let angle = math::atan2(self.sin, self.cos);
        // atan2 gives -π for a sine of -0.0, and for negative sines lost in rounding.
        if angle <= -PI { PI } else { angle }
    }

    /// The vector turned by this rotation.
    pub fn rotate(self, vector: DVec2) -> DVec2 {
        DVec2::new(
            self.cos * vector.x - self.sin * vector.y,
            self.sin * vector.x + self.cos * vector.y,
        )
    }

    /// The vector turned the other way.
    pub fn inverse_rotate(self, vector: DVec2) -> DVec2 {
        DVec2::new(
            self.cos * vector.x + self.sin * vector.y,
            self.cos * vector.y - self.sin * vector.x,
        )
    }

    /// This rotation followed by a further turn of `angle` \[rad\], which must be finite.
    ///
    /// The result is renormalised: without that, round-off makes cos² + sin² drift from 1 and
    /// the floe slowly swell or shrink over the millions of steps of a run.
    #[must_use]
    pub fn turned_by(self, angle: f64) -> Self {
        let turn = Self::from_angle(angle);
        let cos = self.cos * turn.cos - self.sin * turn.sin;
        let sin = self.sin * turn.cos + self.cos * turn.sin;
        let norm = (cos * cos + sin * sin).sqrt();
        Self {
            cos: cos / norm,
            sin: sin / norm,
        }
    }
}

/// Position and heading of a body: the map from its own frame to the world's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the origin of the body frame lies in the world \[m\].
    pub position: DVec2,
    /// How the body frame is turned in the world.
    pub rotation: Rotation,
}

impl Pose {
    /// World coordinates \[m\] of a point given in the body frame \[m\].
    pub fn world_from_body(&self, point: DVec2) -> DVec2 {
        self.position + self.rotation.rotate(point)
    }

    /// Body coordinates \[m\] of a point given in the world \[m\].
    pub fn body_from_world(&self, point: DVec2) -> DVec2 {
        self.rotation.inverse_rotate(point - self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_takes_x_to_y() {
        let turned = Rotation::from_angle(PI / 2.0).rotate(DVec2::X);
        assert!((turned - DVec2::Y).length() < 1e-15);
    }

    #[test]
    fn angle_lies_between_minus_pi_excluded_and_pi_included() {
        assert_eq!(
            Rotation {
                cos: -1.0,
                sin: 0.0
            }
            .angle(),
            PI
        );
        assert_eq!(
            Rotation {
                cos: -1.0,
                sin: -0.0
            }
            .angle(),
            PI
        );
        assert_eq!(Rotation::IDENTITY.angle(), 0.0);
        assert_eq!(Rotation::from_angle(-2.0).angle(), -2.0);
    }

    #[test]
    fn ten_million_turns_keep_the_norm_and_the_angle() {
        let step = 1e-3;
        let mut rotation = Rotation::IDENTITY;
        for _ in 0..10_000_000 {
            rotation = rotation.turned_by(step);
            let norm_sq = rotation.cos * rotation.cos + rotation.sin * rotation.sin;
            assert!(
                (norm_sq - 1.0).abs() < 4.0 * f64::EPSILON,
                "norm² {norm_sq}"
            );
        }
        // Round-off of each turn is about 1e-16 rad; ten million of them at worst 1e-9 rad.
        let expected = Rotation::from_angle(1e4);
        let drift = rotation.turned_by(-expected.angle()).angle();
        assert!(drift.abs() < 1e-8, "drift {drift} rad");
    }

    #[test]
    fn body_and_world_coordinates_are_inverse_of_each_other() {
        let pose = Pose {
            position: DVec2::new(12.0, -7.0),
            rotation: Rotation::from_angle(0.7),
        };
        let point = DVec2::new(3.0, 4.0);
        let back = pose.body_from_world(pose.world_from_body(point));
        assert!((back - point).length() < 1e-14);
    }
}
