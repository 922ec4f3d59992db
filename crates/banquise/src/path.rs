//! The prescribed path of a kinematic body: a ship, a boom.
//!
//! Between two waypoints the body goes straight on and turns evenly, so that its velocity is constant; a
//! step never reaches over a waypoint. A body that spins turns evenly about a point. No force or contact changes the path.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Pose, Rotation};

use crate::error::PathError;
use crate::motion::Velocity;

/// Prescribed position and heading of a body at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waypoint {
    /// Time \[s\].
    pub time: f64,
    /// Position \[m\].
    pub position: DVec2,
    /// Heading, counter-clockwise \[rad\]; whole turns count.
    pub heading: f64,
}

/// Even rotation about a point that moves evenly (Lefebvre 2007, section 5.3.2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spin {
    /// The point about which the body turns, at time zero \[m\].
    pub center: DVec2,
    /// Velocity of that point [m/s].
    pub velocity: DVec2,
    /// Time of a turn, counter-clockwise where positive \[s\].
    pub period: f64,
    /// Position of the body at time zero \[m\].
    pub position: DVec2,
    /// Heading of the body at time zero \[rad\].
    pub heading: f64,
}

/// A path through waypoints, before the first and after the last of which the body rests; or a spin.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyPath {
    /// Empty for a spin.
    waypoints: Vec<Waypoint>,
    spin: Option<Spin>,
}

/// A waypoint is reached when the clock is this close to it, relatively: the clock adds up steps, and
/// rounding must not leave a sliver of a step.
const WAYPOINT_ROUNDING: f64 = 2.0 * f64::EPSILON;

impl BodyPath {
    /// A path through waypoints with strictly growing times.
    ///
    /// # Errors
    /// When there are fewer than two waypoints, a value is not finite, or times do not grow.
    pub fn try_new(waypoints: Vec<Waypoint>) -> Result<Self, PathError> {
        if waypoints.len() < 2 {
            let found = waypoints.len();
            return Err(PathError::TooShort { found });
        }
        for (index, waypoint) in waypoints.iter().enumerate() {
            let Waypoint {
                time,
                position,
                heading,
            } = *waypoint;
            if !(time.is_finite() && position.is_finite() && heading.is_finite()) {
                return Err(PathError::NotFinite { index });
            }
            if index > 0 && time <= waypoints[index - 1].time {
                let previous = waypoints[index - 1].time;
                return Err(PathError::NotIncreasing {
                    index,
                    time,
                    previous,
                });
            }
        }
        Ok(Self {
            waypoints,
            spin: None,
        })
    }

    /// The path of a body that spins.
    ///
    /// # Errors
    /// When a value is not finite, or the period is zero.
    pub fn spinning(spin: Spin) -> Result<Self, PathError> {
        let is_finite = spin.center.is_finite()
            && spin.velocity.is_finite()
            && spin.position.is_finite()
            && spin.heading.is_finite();
        if !(is_finite && spin.period.is_finite() && spin.period != 0.0) {
            return Err(PathError::NoSpin {
                period: spin.period,
            });
        }
        Ok(Self {
            waypoints: Vec::new(),
            spin: Some(spin),
        })
    }

    /// The spin, of a body that spins.
    pub fn spin(&self) -> Option<&Spin> {
        self.spin.as_ref()
    }

    /// The waypoints.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.waypoints
    }

    /// The path of the point at `arm` \[m\] in the frame of the body: the same at the waypoints, straight
    /// between them.
    #[must_use]
    pub fn of_point(&self, arm: DVec2) -> Self {
        let moved = |waypoint: &Waypoint| {
            let offset = Rotation::from_angle(waypoint.heading).rotate(arm);
            Waypoint {
                position: waypoint.position + offset,
                ..*waypoint
            }
        };
        Self {
            waypoints: self.waypoints.iter().map(moved).collect(),
            spin: self.spin.map(|spin| Spin {
                position: spin.position + Rotation::from_angle(spin.heading).rotate(arm),
                ..spin
            }),
        }
    }

    /// Velocity with which a step of `dt` \[s\] from a time \[s\] on ends in the right place: for a spin the chord of its arc, else the velocity at that time.
    pub fn velocity_over(&self, time: f64, dt: f64) -> Velocity {
        let (from, velocity) = self.at(time);
        match self.spin {
            Some(_) => Velocity {
                linear: (self.at(time + dt).0.position - from.position) / dt,
                ..velocity
            },
            None => velocity,
        }
    }

    /// Pose and velocity at a time \[s\]. At a waypoint the velocity is that after it.
    pub fn at(&self, time: f64) -> (Pose, Velocity) {
        if let Some(spin) = &self.spin {
            return spin.at(time);
        }
        let next = self.next(time);
        let before = self.waypoints[next.saturating_sub(1)];
        let velocity = self.velocity_before(next);
        let elapsed = if velocity == Velocity::REST {
            0.0
        } else {
            time - before.time
        };
        let pose = Pose {
            position: before.position + elapsed * velocity.linear,
            rotation: Rotation::from_angle(before.heading + elapsed * velocity.angular),
        };
        (pose, velocity)
    }

    /// The time at which the velocity changes next \[s\]; infinite after the last waypoint.
    pub fn next_change(&self, time: f64) -> f64 {
        let next = self.waypoints.get(self.next(time));
        next.map_or(f64::INFINITY, |waypoint| waypoint.time)
    }

    /// Largest speed of a point of the body at most `radius` \[m\] from its centre [m/s].
    pub fn max_speed(&self, radius: f64) -> f64 {
        if let Some(spin) = &self.spin {
            let arm = spin.position.distance(spin.center);
            return spin.velocity.length() + spin.rate().abs() * (arm + radius);
        }
        let velocities = (1..self.waypoints.len()).map(|next| self.velocity_before(next));
        velocities
            .map(|velocity| velocity.linear.length() + velocity.angular.abs() * radius)
            .fold(0.0, f64::max)
    }

    /// Index of the first waypoint not reached yet.
    fn next(&self, time: f64) -> usize {
        let reached = time + WAYPOINT_ROUNDING * time.abs();
        self.waypoints
            .partition_point(|waypoint| waypoint.time <= reached)
    }

    /// Velocity on the way to a waypoint.
    fn velocity_before(&self, next: usize) -> Velocity {
        if next == 0 || next == self.waypoints.len() {
            return Velocity::REST;
        }
        let (before, after) = (self.waypoints[next - 1], self.waypoints[next]);
        let duration = after.time - before.time;
        Velocity {
            linear: (after.position - before.position) / duration,
            angular: (after.heading - before.heading) / duration,
        }
    }
}

impl Spin {
    /// Angular velocity [rad/s].
    fn rate(&self) -> f64 {
        TAU / self.period
    }

    fn at(&self, time: f64) -> (Pose, Velocity) {
        // Whole turns do not count: after many of them the angle would lose its digits.
        let turned = Rotation::from_angle(TAU * (time / self.period).fract());
        let arm = turned.rotate(self.position - self.center);
        let pose = Pose {
            position: self.center + time * self.velocity + arm,
            rotation: Rotation::from_angle(self.heading + TAU * (time / self.period).fract()),
        };
        let velocity = Velocity {
            linear: self.velocity + self.rate() * arm.perp(),
            angular: self.rate(),
        };
        (pose, velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spinning_body_goes_round_its_centre() {
        let spin = Spin {
            center: DVec2::new(1.0, 0.0),
            velocity: DVec2::new(0.0, 0.5),
            period: 8.0,
            position: DVec2::new(3.0, 0.0),
            heading: 0.25,
        };
        let path = BodyPath::spinning(spin).unwrap();
        let (pose, velocity) = path.at(2.0);
        // A quarter of a turn, while the centre goes up by one.
        assert!((pose.position - DVec2::new(1.0, 3.0)).length() < 1e-15);
        assert!((pose.rotation.angle() - (0.25 + TAU / 4.0)).abs() < 1e-15);
        assert!((velocity.linear - DVec2::new(-2.0 * TAU / 8.0, 0.5)).length() < 1e-15);
        let over = path.velocity_over(2.0, 0.3);
        let end = path.at(2.3).0.position;
        assert!((pose.position + 0.3 * over.linear - end).length() < 1e-15);
        assert_eq!(path.next_change(2.0), f64::INFINITY);
        assert!((path.max_speed(0.5) - (0.5 + 2.5 * TAU / 8.0)).abs() < 1e-15);
        let period = 0.0;
        let refused = BodyPath::spinning(Spin { period, ..spin });
        assert_eq!(refused.unwrap_err(), PathError::NoSpin { period });
    }

    fn waypoint(time: f64, x: f64, heading: f64) -> Waypoint {
        Waypoint {
            time,
            position: DVec2::new(x, 1.0),
            heading,
        }
    }

    #[test]
    fn a_body_rests_at_both_ends_and_goes_straight_between() {
        let path =
            BodyPath::try_new(vec![waypoint(10.0, 0.0, 0.0), waypoint(20.0, 50.0, 1.0)]).unwrap();
        assert_eq!(path.at(0.0).1, Velocity::REST);
        assert_eq!(path.at(3.0).0.position, DVec2::new(0.0, 1.0));
        let (pose, velocity) = path.at(12.0);
        assert_eq!(pose.position, DVec2::new(10.0, 1.0));
        assert!((pose.rotation.angle() - 0.2).abs() < 1e-15);
        assert_eq!(velocity.linear, DVec2::new(5.0, 0.0));
        assert_eq!(velocity.angular, 0.1);
        assert_eq!(path.at(20.0).1, Velocity::REST);
        assert_eq!(path.at(1e9).0.position, DVec2::new(50.0, 1.0));
        assert_eq!(path.next_change(0.0), 10.0);
        assert_eq!(path.next_change(10.0), 20.0);
        assert_eq!(path.next_change(20.0), f64::INFINITY);
        assert_eq!(path.max_speed(10.0), 6.0);
    }

    #[test]
    fn a_rounding_before_a_waypoint_is_at_it() {
        let path =
            BodyPath::try_new(vec![waypoint(0.1, 0.0, 0.0), waypoint(0.3, 2.0, 0.0)]).unwrap();
        let almost = 0.3_f64.next_down();
        assert_eq!(path.next_change(almost), f64::INFINITY);
        assert_eq!(path.at(almost).0.position.x, 2.0);
    }

    #[test]
    fn a_point_off_the_origin_has_its_own_path() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let path =
            BodyPath::try_new(vec![waypoint(0.0, 0.0, 0.0), waypoint(1.0, 0.0, quarter)]).unwrap();
        let tip = path.of_point(DVec2::new(3.0, 0.0));
        assert_eq!(tip.waypoints()[0].position, DVec2::new(3.0, 1.0));
        assert!((tip.waypoints()[1].position - DVec2::new(0.0, 4.0)).length() < 1e-12);
    }

    #[test]
    fn bad_paths_are_refused() {
        let refusal = |list: Vec<Waypoint>| BodyPath::try_new(list).unwrap_err();
        assert_eq!(
            refusal(vec![waypoint(0.0, 0.0, 0.0)]),
            PathError::TooShort { found: 1 }
        );
        assert_eq!(
            refusal(vec![waypoint(0.0, 0.0, 0.0), waypoint(1.0, f64::NAN, 0.0)]),
            PathError::NotFinite { index: 1 }
        );
        let (index, time, previous) = (1, 1.0, 1.0);
        assert_eq!(
            refusal(vec![waypoint(1.0, 0.0, 0.0), waypoint(1.0, 2.0, 0.0)]),
            PathError::NotIncreasing {
                index,
                time,
                previous
            }
        );
    }
}
