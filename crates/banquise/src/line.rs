//! Springs, dampers and mooring lines between bodies and points.
//!
//! The tension between the two ends, at a distance L that grows at the rate L̇, is
//!
//! ```text
//! T = k (L − L₀) + c L̇
//! ```
//!
//! A spring also pushes where it is shorter than L₀. A line does not: it is slack, and its tension never negative. Beyond its breaking load either
//! breaks, for good.

use banquise_geometry::{DVec2, Pose};

use crate::id::BodyId;
use crate::stored::{Input, Stored, StoredError, stored_structs};

/// One end of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineEnd {
    /// A fixed point of the plane \[m\].
    Point(DVec2),
    /// A point of a body.
    Body {
        /// The body.
        id: BodyId,
        /// The point, from its centre of mass, in its own frame \[m\].
        arm: DVec2,
    },
}

/// A spring, a damper or a mooring line, with its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Name given by the user, or empty.
    pub name: String,
    /// Its two ends.
    pub ends: [LineEnd; 2],
    /// Stiffness k [N/m].
    pub stiffness: f64,
    /// Damping c [N s/m].
    pub damping: f64,
    /// Length L₀ without tension \[m\].
    pub rest_length: f64,
    /// Whether it pushes where it is shorter than that; else it is slack.
    pub pushes: bool,
    /// Force at which it breaks \[N\]; infinite for never.
    pub breaking_load: f64,
    /// When it broke, or lost a body at its end \[s\].
    pub broken_at: Option<f64>,
    /// Tension in the last step \[N\]; negative where it pushes.
    pub tension: f64,
}

/// Two ends as they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    /// From the first to the second end \[m\].
    pub(crate) offset: DVec2,
    /// Velocity of the second end relative to the first [m/s].
    pub(crate) velocity: DVec2,
}

impl Line {
    /// Whether it still holds.
    pub fn is_intact(&self) -> bool {
        self.broken_at.is_none()
    }

    /// Force on its first end \[N\], that on the second is opposite; and the tension, before it is compared with the breaking load.
    pub(crate) fn pull(&self, stretch: Stretch) -> (DVec2, f64) {
        let length = stretch.offset.length();
        if length == 0.0 {
            // No direction: neither a spring without length nor a slack line has a force here.
            return (DVec2::ZERO, 0.0);
        }
        let direction = stretch.offset / length;
        let longer = length - self.rest_length;
        if !self.pushes && longer <= 0.0 {
            return (DVec2::ZERO, 0.0);
        }
        let rate = stretch.velocity.dot(direction);
        let tension = self.stiffness * longer + self.damping * rate;
        let tension = if self.pushes {
            tension
        } else {
            tension.max(0.0)
        };
        (tension * direction, tension)
    }

    /// Elastic energy at a length \[J\]; zero once it is broken.
    pub fn energy(&self, length: f64) -> f64 {
        let longer = length - self.rest_length;
        if !self.is_intact() || (!self.pushes && longer <= 0.0) {
            return 0.0;
        }
        0.5 * self.stiffness * longer * longer
    }

    /// Whether one of its ends is on a body.
    pub(crate) fn is_on(&self, body: BodyId) -> bool {
        let mut ends = self.ends.iter();
        ends.any(|end| matches!(end, LineEnd::Body { id, .. } if *id == body))
    }
}

impl LineEnd {
    /// An end at a point of the plane \[m\] on a body in a pose.
    pub fn on(id: BodyId, pose: Pose, point: DVec2) -> Self {
        Self::Body {
            id,
            arm: pose.body_from_world(point),
        }
    }
}

stored_structs! {
    Line {
        name, ends, stiffness, damping, rest_length, pushes, breaking_load, broken_at, tension,
    }
}

impl Stored for LineEnd {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Point(point) => (0_u8, *point).put(out),
            Self::Body { id, arm } => ((1_u8, *arm), *id).put(out),
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, StoredError> {
        match Stored::take(input)? {
            (0_u8, point) => Ok(Self::Point(point)),
            (1, arm) => Ok(Self::Body {
                id: Stored::take(input)?,
                arm,
            }),
            _ => Err(StoredError::Impossible {
                what: "an end of a line",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(pushes: bool) -> Line {
        Line {
            name: String::new(),
            ends: [LineEnd::Point(DVec2::ZERO); 2],
            stiffness: 10.0,
            damping: 2.0,
            rest_length: 5.0,
            pushes,
            breaking_load: f64::INFINITY,
            broken_at: None,
            tension: 0.0,
        }
    }

    fn pull(line: &Line, offset: DVec2, velocity: DVec2) -> (DVec2, f64) {
        line.pull(Stretch { offset, velocity })
    }

    #[test]
    fn a_line_pulls_and_never_pushes() {
        let (force, tension) = pull(&line(false), DVec2::new(0.0, 6.0), DVec2::ZERO);
        assert_eq!((force, tension), (DVec2::new(0.0, 10.0), 10.0));
        // Slack; and stretched, but closing so fast that damping would push.
        for (length, rate) in [(4.0, 0.0), (4.0, 100.0), (6.0, -100.0)] {
            let (offset, velocity) = (DVec2::new(length, 0.0), DVec2::new(rate, 7.0));
            assert_eq!(pull(&line(false), offset, velocity).1, 0.0);
        }
        assert_eq!(pull(&line(true), DVec2::new(4.0, 0.0), DVec2::X).1, -8.0);
        assert_eq!(pull(&line(true), DVec2::ZERO, DVec2::X).0, DVec2::ZERO);
    }

    #[test]
    fn energy_is_what_the_tension_does() {
        for (pushes, length, energy) in [(false, 4.0, 0.0), (true, 4.0, 5.0), (false, 7.0, 20.0)] {
            assert_eq!(line(pushes).energy(length), energy);
        }
        let broken = Line {
            broken_at: Some(1.0),
            ..line(true)
        };
        assert_eq!(broken.energy(7.0), 0.0);
    }
}
