//! A particle of unit mass that is pushed against a plane and pulled off again, in a fluid of finite viscosity.
//!
//! The first integral of q″ = −μ q′ φ(q) + f is q′ + γ(q) = γ(q₀) + u(t), with γ′ = μ φ and u = u₀ + ∫ f (Lefebvre 2007, equation 4.3). The unknown is ln q: distances of
//! e⁻⁷⁰ are as good as others. When μ goes to zero, q and γ go to the distance and the memory of gluey contact.

use banquise_geometry::math::{exp, ln};

/// Law of lubrication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lubrication {
    /// φ = 1/q: a sphere before a plane.
    Sphere,
    /// φ = q^(−3/2): a cylinder before a plane.
    Cylinder,
}

impl Lubrication {
    /// γ at ln q = `log`, per unit of viscosity.
    fn gamma(self, log: f64) -> f64 {
        match self {
            Self::Sphere => log,
            Self::Cylinder => -2.0 * exp(-0.5 * log),
        }
    }

    /// dγ/d(ln q), per unit of viscosity.
    fn slope(self, log: f64) -> f64 {
        match self {
            Self::Sphere => 1.0,
            Self::Cylinder => exp(-0.5 * log),
        }
    }
}

/// A particle before a plane. Masses and lengths have no units here, as in the source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Viscosity μ.
    pub viscosity: f64,
    /// Law of lubrication.
    pub law: Lubrication,
    /// Where lubrication begins, and the distance at that time.
    pub start: f64,
    /// Velocity at the start.
    pub velocity: f64,
    /// Time of the start.
    pub time: f64,
    /// Time at which the push of −1 becomes a pull of +1.
    pub turn: f64,
}

/// A moment of the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Time.
    pub time: f64,
    /// ln q.
    pub log: f64,
    /// q′.
    pub velocity: f64,
    /// γ.
    pub gamma: f64,
}

impl Moment {
    /// The distance q.
    pub fn distance(&self) -> f64 {
        exp(self.log)
    }
}

/// The diagonal of the method of Alexander 1977: two stages, second order, L-stable, so that steps may be long beside q/μ.
const DIAGONAL: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

impl Particle {
    /// The push–pull of the source: from rest at a distance of ½, pushed for two seconds.
    pub fn push_pull(viscosity: f64, law: Lubrication) -> Self {
        Self {
            viscosity,
            law,
            start: 0.5,
            velocity: 0.0,
            time: 0.0,
            turn: 2.0,
        }
    }

    /// A push–pull in a fluid that fills only a layer at the plane: it enters the layer in free flight.
    pub fn in_layer(viscosity: f64, thickness: f64) -> Self {
        let time = (2.0 * (0.5 - thickness)).sqrt();
        Self {
            viscosity,
            law: Lubrication::Sphere,
            start: thickness,
            velocity: -time,
            time,
            turn: 2.0,
        }
    }

    /// u₀ + ∫ f.
    fn free_velocity(&self, time: f64) -> f64 {
        let pushed = time.min(self.turn) - self.time;
        let pulled = (time - self.turn).max(0.0);
        self.velocity - pushed + pulled
    }

    /// q′ at a time and ln q.
    fn velocity(&self, time: f64, log: f64) -> f64 {
        let start = self.law.gamma(ln(self.start));
        self.free_velocity(time) + self.viscosity * (start - self.law.gamma(log))
    }

    fn moment(&self, time: f64, log: f64) -> Moment {
        Moment {
            time,
            log,
            velocity: self.velocity(time, log),
            gamma: self.viscosity * self.law.gamma(log),
        }
    }

    /// ln q of an implicit stage: (s − base) e^s = step × velocity. Newton's method within an interval in which the sign changes.
    fn stage(&self, time: f64, base: f64, step: f64) -> f64 {
        let error = |log: f64| (log - base) * exp(log) - step * self.velocity(time, log);
        // The left side grows with ln q from base − 1 on, where it is least; the velocity falls.
        let (mut low, mut high) = (base - 1.0, base + 1.0);
        while error(low) > 0.0 {
            low -= 1.0 + (base - low);
        }
        while error(high) < 0.0 {
            high += 1.0 + (high - base);
        }
        let mut log = base.clamp(low, high);
        for _ in 0..200 {
            let found = error(log);
            if found > 0.0 {
                high = log;
            } else {
                low = log;
            }
            let growth =
                (1.0 + log - base) * exp(log) + step * self.viscosity * self.law.slope(log);
            let newton = log - found / growth;
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            if (next - log).abs() <= 4.0 * f64::EPSILON * log.abs().max(1.0) {
                return next;
            }
            log = next;
        }
        log
    }

    /// One step of `dt`.
    pub fn step(&self, from: &Moment, dt: f64) -> Moment {
        let own = DIAGONAL * dt;
        let first_time = from.time + own;
        let first = self.stage(first_time, from.log, own);
        let rate = (first - from.log) / own;
        let end = from.time + dt;
        let second = self.stage(end, from.log + (1.0 - DIAGONAL) * dt * rate, own);
        self.moment(end, second)
    }

    /// The motion until `end` in steps of `dt`, begun at the start. The push turns to a pull at the end of a step.
    pub fn motion(&self, end: f64, dt: f64) -> Vec<Moment> {
        let mut moments = vec![self.moment(self.time, ln(self.start))];
        for until in [self.turn.min(end), end] {
            let begin = moments[moments.len() - 1].time;
            let count = ((until - begin) / dt).ceil() as usize;
            for number in 0..count {
                let last = moments[moments.len() - 1];
                let next = begin + (until - begin) * (number + 1) as f64 / count as f64;
                moments.push(self.step(&last, next - last.time));
            }
        }
        moments
    }

    /// When the particle is back at the distance of the start; none before `end`.
    pub fn exit(&self, end: f64, dt: f64) -> Option<Moment> {
        let goal = ln(self.start);
        let motion = self.motion(end, dt);
        let pair = motion.windows(2).skip(1);
        let pair = pair
            .into_iter()
            .find(|pair| pair[0].log < goal && pair[1].log >= goal)?;
        let (mut low, mut high) = (0.0, pair[1].time - pair[0].time);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.step(&pair[0], middle).log < goal {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(self.step(&pair[0], high))
    }

    /// The largest difference of the push–pull to its limit of no viscosity until `end`: contact at 1, take-off at 4.
    pub fn largest_difference(&self, end: f64, dt: f64) -> f64 {
        let limit = |time: f64| {
            if time < 1.0 {
                0.5 - 0.5 * time * time
            } else if time < 4.0 {
                0.0
            } else {
                0.5 * (time - 4.0) * (time - 4.0)
            }
        };
        let motion = self.motion(end, dt);
        let differences = motion
            .iter()
            .map(|now| (now.distance() - limit(now.time)).abs());
        differences.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_and_distances_are_those_of_the_specification() {
        // Case V11: γ(2) and q(4) of the specification, four digits each.
        let cases = [
            (1.0, -2.612, 0.3716),
            (0.3, -2.206, 0.1713),
            (0.1, -2.069, 0.0545),
            (0.03, -2.021, 0.0114),
        ];
        for (viscosity, memory, distance) in cases {
            let particle = Particle::push_pull(viscosity, Lubrication::Sphere);
            let motion = particle.motion(4.0, 1e-3);
            let at = |time: f64| motion.iter().find(|now| now.time >= time - 1e-9);
            let (middle, end) = (at(2.0).unwrap(), at(4.0).unwrap());
            assert!((middle.gamma - memory).abs() < 6e-4, "{}", middle.gamma);
            assert!(
                (end.distance() - distance).abs() < 6e-5,
                "{}",
                end.distance()
            );
        }
    }

    #[test]
    fn the_method_is_of_second_order() {
        let particle = Particle::push_pull(1.0, Lubrication::Sphere);
        let end = |dt: f64| particle.motion(2.0, dt).last().unwrap().log;
        let best = end(1e-4);
        let errors = [0.02, 0.01].map(|dt| (end(dt) - best).abs());
        let order = (errors[0] / errors[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "{order}");
    }

    #[test]
    fn a_particle_leaves_a_layer_with_the_velocity_of_the_forces() {
        for (viscosity, expected) in [(0.3, 4.1245), (0.1, 4.2093)] {
            let exit = Particle::in_layer(viscosity, 0.05).exit(6.0, 1e-3).unwrap();
            assert!((exit.time - expected).abs() < 1e-4, "{}", exit.time);
            assert!((exit.velocity - (exit.time - 4.0)).abs() < 1e-8);
        }
    }

    #[test]
    fn thin_fluids_are_close_to_gluey_contact() {
        let cases = [
            (0.3, Lubrication::Sphere, 0.2735, 1e-4),
            (0.1, Lubrication::Sphere, 0.1355, 1e-4),
            (0.3, Lubrication::Cylinder, 0.350, 1e-3),
            (0.1, Lubrication::Cylinder, 0.218, 1e-3),
        ];
        for (viscosity, law, expected, tolerance) in cases {
            let found = Particle::push_pull(viscosity, law).largest_difference(6.0, 1e-3);
            assert!((found - expected).abs() < tolerance, "{found}");
        }
    }
}
