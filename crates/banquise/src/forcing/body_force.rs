//! Given forces: gravity on an inclined test bench, a push, a tow.

use banquise_geometry::DVec2;

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

/// A constant force, always or within a window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyForce {
    /// The force.
    pub push: Push,
    /// When it starts \[s\].
    pub from: f64,
    /// When it ends \[s\]; infinity for never.
    pub until: f64,
    /// After how long the window opens again \[s\]; infinity for once only.
    pub repeat: f64,
    /// The bodies it acts on; empty for all floes.
    pub bodies: Vec<BodyId>,
}

impl BodyForce {
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

    /// Force on one body at a position \[m\], with a velocity [m/s] \[N\].
    pub(crate) fn on(&self, id: BodyId, mass: f64, [position, velocity]: [DVec2; 2]) -> DVec2 {
        if !self.bodies.is_empty() && !self.bodies.contains(&id) {
            return DVec2::ZERO;
        }
        match self.push {
            Push::Acceleration(acceleration) => mass * acceleration,
            Push::Force(force) => force,
            Push::Toward {
                goal,
                speed,
                within,
            } => {
                let desired = speed * (goal - position).normalize_or_zero();
                mass / within * (desired - velocity)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walker_has_its_desired_velocity_after_the_time_given() {
        let force = BodyForce {
            push: Push::Toward {
                goal: DVec2::new(3.0, 4.0),
                speed: 2.0,
                within: 0.1,
            },
            from: 0.0,
            until: f64::INFINITY,
            repeat: f64::INFINITY,
            bodies: Vec::new(),
        };
        let before = DVec2::new(0.3, -1.0);
        let given = force.on(BodyId(0), 70.0, [DVec2::ZERO, before]);
        let after = before + 0.1 / 70.0 * given;
        assert!((after - DVec2::new(1.2, 1.6)).length() < 1e-15);
    }

    #[test]
    fn a_step_across_the_edge_of_the_window_gets_its_share() {
        let push = Push::Force(DVec2::X);
        let force = BodyForce {
            push,
            from: 1.0,
            until: 5.0,
            repeat: f64::INFINITY,
            bodies: Vec::new(),
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
            push: Push::Force(DVec2::X),
            from: 1.0,
            until: 3.0,
            repeat: 10.0,
            bodies: Vec::new(),
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
