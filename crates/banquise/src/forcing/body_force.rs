//! Given forces: gravity on an inclined test bench, a push, a tow.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, math};

use crate::domain::Rectangle;
use crate::id::BodyId;

/// Strength of a given force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Push {
    /// One acceleration for all bodies [m/s²].
    Acceleration(DVec2),
    /// One force for all bodies, at their centres of mass \[N\].
    Force(DVec2),
    /// The acceleration that brings a body to its desired velocity, toward a point (Maury & Venel 2008).
    Toward {
        /// The point \[m\].
        goal: DVec2,
        /// Desired speed [m/s].
        speed: f64,
        /// Time within which the velocity is reached \[s\]: with the step, at once.
        within: f64,
    },
}

/// How a given force changes in time.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ForceProfile {
    /// It does not.
    #[default]
    Constant,
    /// It is multiplied with sin(2π t/period + phase).
    Sinusoid {
        /// Its period \[s\].
        period: f64,
        /// Its phase at time zero \[rad\].
        phase: f64,
    },
    /// These vectors at these times \[s\], in the unit of the force, take its place: linear between them, component by component, and zero before and after.
    Series(Vec<(f64, DVec2)>),
}

/// A force that grows in proportion to the distance from a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceGradient {
    /// Where it is zero \[m\].
    pub center: DVec2,
    /// Rows of the gradient [N/m, or 1/s² of an acceleration].
    pub rows: [DVec2; 2],
}

/// A given force, always or within a window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyForce {
    /// The force.
    pub push: Push,
    /// How it changes in time.
    pub profile: ForceProfile,
    /// What is added to it from place to place, constant in time.
    pub gradient: Option<ForceGradient>,
    /// Where it acts: on floes whose centre of mass is in there; everywhere for `None`.
    pub within: Option<Rectangle>,
    /// When it starts \[s\].
    pub from: f64,
    /// When it ends \[s\]; infinity for never.
    pub until: f64,
    /// After how long the window opens again \[s\]; infinity for once only.
    pub repeat: f64,
    /// The bodies it acts on; empty for all floes.
    pub bodies: Vec<BodyId>,
}

/// A load from outside the model, such as a function of the user's.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExternalLoad {
    /// Force at the centre of mass \[N\].
    pub force: DVec2,
    /// Torque about it [N m].
    pub torque: f64,
}

/// A body on which a force acts, in the middle of a step for what changes in time, and at its end for where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pushed {
    pub(crate) id: BodyId,
    pub(crate) mass: f64,
    /// Position \[m\] and velocity [m/s] at the start of the step.
    pub(crate) start: DVec2,
    pub(crate) velocity: DVec2,
    pub(crate) place: DVec2,
    pub(crate) time: f64,
}

impl BodyForce {
    /// A force on all floes that is the same everywhere and always.
    pub fn new(push: Push) -> Self {
        Self {
            push,
            profile: ForceProfile::Constant,
            gradient: None,
            within: None,
            from: 0.0,
            until: f64::INFINITY,
            repeat: f64::INFINITY,
            bodies: Vec::new(),
        }
    }

    /// The share of [`time`, `time + dt`] within the window: a step that straddles its edge gets
    /// the impulse it should.
    pub(crate) fn share(&self, time: f64, dt: f64) -> f64 {
        let window = |number: f64| {
            let shift = if number > 0.0 {
                number * self.repeat
            } else {
                0.0
            };
            let overlap = (time + dt).min(self.until + shift) - time.max(self.from + shift);
            overlap.max(0.0)
        };
        let number_at = |time: f64| ((time - self.from) / self.repeat).floor().max(0.0);
        // A step is shorter than the time between two windows, or sees at most two of them.
        let (first, last) = (number_at(time), number_at(time + dt));
        let overlap = window(first) + if last > first { window(last) } else { 0.0 };
        (overlap / dt).clamp(0.0, 1.0)
    }

    /// Whether it is the same everywhere and at all times of its window.
    fn is_plain(&self) -> bool {
        self.profile == ForceProfile::Constant && self.gradient.is_none() && self.within.is_none()
    }

    /// Whether it acts on a body.
    pub(crate) fn is_for(&self, id: BodyId) -> bool {
        self.bodies.is_empty() || self.bodies.contains(&id)
    }

    /// Force on one body \[N\].
    pub(crate) fn on(&self, body: &Pushed) -> DVec2 {
        if !self.is_for(body.id) {
            return DVec2::ZERO;
        }
        let (given, scale) = match self.push {
            Push::Acceleration(acceleration) => (acceleration, body.mass),
            Push::Force(force) => (force, 1.0),
            Push::Toward {
                goal,
                speed,
                within,
            } => {
                let desired = speed * (goal - body.start).normalize_or_zero();
                return body.mass / within * (desired - body.velocity);
            }
        };
        if self.is_plain() {
            return scale * given;
        }
        if self.within.is_some_and(|area| !area.contains(body.place)) {
            return DVec2::ZERO;
        }
        let mut vector = match &self.profile {
            ForceProfile::Constant => given,
            ForceProfile::Sinusoid { period, phase } => {
                math::sin(TAU * body.time / period + phase) * given
            }
            ForceProfile::Series(samples) => interpolate(samples, body.time),
        };
        if let Some(ForceGradient { center, rows }) = self.gradient {
            let offset = body.place - center;
            vector += DVec2::new(rows[0].dot(offset), rows[1].dot(offset));
        }
        scale * vector
    }

    /// The square of the fastest rate at which a body of this mass may oscillate in it [1/s²].
    pub(crate) fn stiffness_rate(&self, mass: f64) -> f64 {
        let Some(ForceGradient { rows, .. }) = self.gradient else {
            return 0.0;
        };
        let size = (rows[0].length_squared() + rows[1].length_squared()).sqrt();
        match self.push {
            Push::Acceleration(_) | Push::Toward { .. } => size,
            Push::Force(_) => size / mass,
        }
    }
}

/// Value of a series at a time; zero outside.
fn interpolate(samples: &[(f64, DVec2)], time: f64) -> DVec2 {
    let next = samples.partition_point(|sample| sample.0 <= time);
    match (
        next.checked_sub(1).map(|last| samples[last]),
        samples.get(next),
    ) {
        (Some((start, from)), Some(&(end, to))) => {
            from + (time - start) / (end - start) * (to - from)
        }
        (Some((end, last)), None) if time == end => last,
        _ => DVec2::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walker_has_its_desired_velocity_after_the_time_given() {
        let force = BodyForce::new(Push::Toward {
            goal: DVec2::new(3.0, 4.0),
            speed: 2.0,
            within: 0.1,
        });
        let before = DVec2::new(0.3, -1.0);
        let given = force.on(&Pushed {
            id: BodyId(0),
            mass: 70.0,
            start: DVec2::ZERO,
            velocity: before,
            place: DVec2::ZERO,
            time: 0.0,
        });
        let after = before + 0.1 / 70.0 * given;
        assert!((after - DVec2::new(1.2, 1.6)).length() < 1e-15);
    }

    #[test]
    fn a_step_across_the_edge_of_the_window_gets_its_share() {
        let push = Push::Force(DVec2::X);
        let force = BodyForce {
            from: 1.0,
            until: 5.0,
            ..BodyForce::new(push)
        };
        for (time, share) in [
            (0.0, 0.0),
            (0.5, 0.5),
            (0.75, 0.75),
            (2.0, 1.0),
            (4.9, 0.1),
            (5.0, 0.0),
        ] {
            assert!((force.share(time, 1.0) - share).abs() < 1e-12, "at {time}");
        }
    }

    #[test]
    fn a_window_opens_again_after_its_period() {
        let force = BodyForce {
            from: 1.0,
            until: 3.0,
            repeat: 10.0,
            ..BodyForce::new(Push::Force(DVec2::X))
        };
        for (time, share) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (5.0, 0.0),
            (10.5, 0.5),
            (12.0, 1.0),
            (12.5, 0.5),
            (101.0, 1.0),
        ] {
            assert!((force.share(time, 1.0) - share).abs() < 1e-9, "at {time}");
        }
        // A step across the end of one window and the start of the next.
        assert!((force.share(2.0, 10.0) - 0.2).abs() < 1e-12);
    }
}
