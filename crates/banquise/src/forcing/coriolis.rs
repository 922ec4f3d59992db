//! The Earth's rotation.

use banquise_geometry::{DVec2, math};

/// Angular speed of the Earth [rad/s] (Rabatel 2015, table 1.1).
pub const EARTH_ANGULAR_SPEED: f64 = 7.292e-5;
/// Mean radius of the Earth \[m\].
pub const EARTH_RADIUS: f64 = 6.371e6;

/// Definition of the Coriolis parameter f = 2 Ω sin φ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coriolis {
    /// No rotation.
    Off,
    /// f given [1/s].
    Parameter(f64),
    /// One latitude for all \[rad\].
    Latitude(f64),
    /// Each floe at its own latitude: that of y = 0 is given \[rad\], and grows with y / radius.
    LatitudePerFloe(f64),
}

impl Coriolis {
    /// The Coriolis parameter at ordinate `y` [1/s].
    pub fn parameter_at(&self, y: f64) -> f64 {
        match *self {
            Self::Off => 0.0,
            Self::Parameter(parameter) => parameter,
            Self::Latitude(latitude) => parameter_of(latitude),
            Self::LatitudePerFloe(origin) => parameter_of(origin + y / EARTH_RADIUS),
        }
    }

    /// Whether the parameter depends on where the floe is.
    pub fn varies(&self) -> bool {
        matches!(self, Self::LatitudePerFloe(_))
    }
}

fn parameter_of(latitude: f64) -> f64 {
    2.0 * EARTH_ANGULAR_SPEED * math::sin(latitude)
}

/// Acceleration −f k∧v = f (v₂, −v₁) [m/s²]: to the right of the motion in the north.
pub(crate) fn acceleration(parameter: f64, velocity: DVec2) -> DVec2 {
    DVec2::new(parameter * velocity.y, -parameter * velocity.x)
}

/// The exact effect of Coriolis on a velocity over some time: a turn to the right.
///
/// Kept as (cos − 1, sin) and not (cos, sin): for the small angle of one step, cos rounds to a
/// neighbour of 1 and the turn would then stretch every velocity by up to 1e-16 at each step,
/// always the same way. This form stretches it by 1e-22.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    cos_minus_one: f64,
    sin: f64,
}

impl Turn {
    /// The turn over `duration` \[s\] with Coriolis parameter `parameter` [1/s].
    pub fn new(parameter: f64, duration: f64) -> Self {
        let angle = -parameter * duration;
        let half_sin = math::sin(0.5 * angle);
        Self {
            cos_minus_one: -2.0 * half_sin * half_sin,
            sin: math::sin(angle),
        }
    }

    /// The velocity after the turn [m/s].
    pub fn apply(&self, velocity: DVec2) -> DVec2 {
        let change = self.cos_minus_one * velocity + self.sin * velocity.perp();
        velocity + change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_at_81_north_is_the_published_one() {
        let latitude = 81.0_f64.to_radians();
        // Rabatel 2015 prints 1.44e-4; the specification recomputed 1.4404e-4.
        assert!((Coriolis::Latitude(latitude).parameter_at(0.0) - 1.4404e-4).abs() < 5e-9);
    }

    #[test]
    fn latitude_grows_northwards() {
        let origin = 80.0_f64.to_radians();
        let degree = EARTH_RADIUS * 1.0_f64.to_radians();
        let moved = Coriolis::LatitudePerFloe(origin).parameter_at(degree);
        let there = Coriolis::Latitude(81.0_f64.to_radians()).parameter_at(0.0);
        assert!((moved - there).abs() < 1e-18);
    }

    #[test]
    fn a_turn_is_to_the_right_and_keeps_the_speed() {
        let turn = Turn::new(1e-4, 0.5e4 * std::f64::consts::PI);
        let turned = turn.apply(DVec2::new(2.0, 0.0));
        assert!((turned - DVec2::new(0.0, -2.0)).length() < 1e-15);
    }

    #[test]
    fn a_million_turns_keep_the_speed() {
        let turn = Turn::new(1.44e-4, 5.0);
        let mut velocity = DVec2::new(0.3, -0.1);
        let speed = velocity.length();
        for _ in 0..1_000_000 {
            velocity = turn.apply(velocity);
        }
        // A random walk of a million roundings of half an ulp is about 1e-13.
        assert!((velocity.length() / speed - 1.0).abs() < 1e-12);
    }
}
