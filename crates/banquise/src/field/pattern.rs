//! Fields with a closed form, for studies and for checking the rest.

use banquise_geometry::{DVec2, math};

/// A field with a closed form [m/s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Parallel flow along `direction`, whose speed grows to the right of it.
    Shear {
        /// A point at rest \[m\].
        through: DVec2,
        /// Unit vector.
        direction: DVec2,
        /// Growth of the speed [1/s]. The vorticity is the same number.
        rate: f64,
    },
    /// Flow toward a point from all sides, U = −½ rate (r − center); away from it where the rate is
    /// negative.
    Convergence {
        /// Where it flows to \[m\].
        center: DVec2,
        /// Convergence −∇·U [1/s].
        rate: f64,
    },
    /// A vortex with a Gaussian stream function: its speed at the distance r is
    /// speed · (r/radius) · exp(½ − ½ (r/radius)²), largest at the radius.
    Vortex {
        /// Its middle \[m\].
        center: DVec2,
        /// Where it is fastest \[m\].
        radius: f64,
        /// Speed there [m/s], counter-clockwise where positive.
        speed: f64,
    },
    /// A vector that turns clockwise with time, as an inertial motion does in the north; the same
    /// everywhere.
    Inertial {
        /// Velocity at time zero [m/s].
        velocity: DVec2,
        /// Angular speed [rad/s]; negative for a turn to the left.
        rate: f64,
    },
}

impl Pattern {
    /// The vector at a point \[m\] and time \[s\].
    pub fn at(&self, point: DVec2, time: f64) -> DVec2 {
        match *self {
            Self::Shear {
                through,
                direction,
                rate,
            } => -rate * direction.perp_dot(point - through) * direction,
            Self::Convergence { center, rate } => -0.5 * rate * (point - center),
            Self::Vortex {
                center,
                radius,
                speed,
            } => {
                let arm = (point - center) / radius;
                speed * math::exp(0.5 - 0.5 * arm.length_squared()) * arm.perp()
            }
            Self::Inertial { velocity, rate } => {
                let (sin, cos) = math::sin_cos(-rate * time);
                DVec2::new(cos, sin).rotate(velocity)
            }
        }
    }

    /// The largest speed, or that at the points where there is none [m/s].
    pub(super) fn speed_bound(&self, points: &[DVec2]) -> f64 {
        match *self {
            Self::Shear { .. } | Self::Convergence { .. } => points
                .iter()
                .map(|&point| self.at(point, 0.0).length())
                .fold(0.0, f64::max),
            Self::Vortex { speed, .. } => speed.abs(),
            Self::Inertial { velocity, .. } => velocity.length(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    /// Divergence and vorticity by central differences.
    fn derivatives(pattern: Pattern, point: DVec2) -> (f64, f64) {
        let h = 1.0;
        let slope = |step: DVec2| {
            let (after, before) = (pattern.at(point + step, 0.0), pattern.at(point - step, 0.0));
            (after - before) / (2.0 * h)
        };
        let (dx, dy) = (slope(h * DVec2::X), slope(h * DVec2::Y));
        (dx.x + dy.y, dx.y - dy.x)
    }

    #[test]
    fn a_shear_has_its_rate_as_vorticity_and_no_divergence() {
        let direction = DVec2::new(0.6, 0.8);
        let shear = Pattern::Shear {
            through: DVec2::new(300.0, -50.0),
            direction,
            rate: 2e-5,
        };
        let (divergence, vorticity) = derivatives(shear, DVec2::new(1234.0, 987.0));
        // Differences of numbers near 0.02 over 2 m: 1e-18 or so.
        assert!(divergence.abs() < 1e-15 && (vorticity - 2e-5).abs() < 1e-15);
        let right = DVec2::new(300.0, -50.0) - 1000.0 * direction.perp();
        assert!((shear.at(right, 0.0) - 0.02 * direction).length() < 1e-15);
    }

    #[test]
    fn a_convergence_has_its_rate_and_no_vorticity() {
        let center = DVec2::new(-10.0, 20.0);
        let convergence = Pattern::Convergence { center, rate: 3e-6 };
        let (divergence, vorticity) = derivatives(convergence, DVec2::new(5e3, 4e3));
        assert!((divergence + 3e-6).abs() < 1e-15 && vorticity.abs() < 1e-15);
        assert_eq!(convergence.at(center, 7.0), DVec2::ZERO);
    }

    #[test]
    fn a_vortex_is_fastest_at_its_radius_and_has_no_divergence() {
        let vortex = Pattern::Vortex {
            center: DVec2::ZERO,
            radius: 1000.0,
            speed: 0.3,
        };
        let east = |x: f64| vortex.at(DVec2::new(x, 0.0), 0.0);
        assert!((east(1000.0) - DVec2::new(0.0, 0.3)).length() < 1e-15);
        assert!(east(990.0).y < 0.3 && east(1010.0).y < 0.3 && east(9000.0).y < 1e-15);
        let (divergence, _) = derivatives(vortex, DVec2::new(400.0, -700.0));
        // Central differences over 2 m of a field that varies over 1 km: 1e-10.
        assert!(divergence.abs() < 1e-10);
    }

    #[test]
    fn an_inertial_motion_turns_right_and_comes_back() {
        let period = 43_000.0;
        let inertial = Pattern::Inertial {
            velocity: DVec2::new(0.0, 0.2),
            rate: TAU / period,
        };
        let quarter = inertial.at(DVec2::ZERO, 0.25 * period);
        assert!((quarter - DVec2::new(0.2, 0.0)).length() < 1e-15);
        let back = inertial.at(DVec2::new(PI, 8.0), period);
        assert!((back - DVec2::new(0.0, 0.2)).length() < 1e-15);
    }
}
