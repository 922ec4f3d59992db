//! Tangential lubrication: what a film of fluid does to bodies that slide and roll on each other while they stick.
//!
//! Two spheres with radii r₁, r₂ at a small gap q, with 1/R = 1/r₁ + 1/r₂. Uᵢ are the tangential velocities of the centres, aᵢ those that rotation adds at the contact, uᵢ = Uᵢ + aᵢ. The
//! equation of Reynolds has the pressure p = −(12/5) μ K R x/h² with K = (u₁ + u₂)/(2R) − U₁/r₁ − U₂/r₂, so that at leading order in L = ln(1/q) the film dissipates
//!
//! ```text
//! π μ R L (2 (u₁ − u₂)² + (24/5) K² R²)
//! ```
//!
//! and forces are minus half of its derivatives. For a plane (r₂ = ∞, a = −r ω) these are the coefficients of Goldman, Cox & Brenner 1967: 16/5 and −4/5 (Lefebvre 2007, equation 4.21). In the
//! limit of no viscosity −μ L becomes g = γ/(6 π R²), where γ is the memory of the contact \[N s\]: the source lacks the factor 6 π r² (equation 4.20).

use std::f64::consts::PI;

use banquise_geometry::math::exp;

/// Two bodies at a film: radii, of which one may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Film {
    /// Radii.
    pub radii: [f64; 2],
}

impl Film {
    /// R.
    fn reduced(&self) -> f64 {
        1.0 / (1.0 / self.radii[0] + 1.0 / self.radii[1])
    }

    /// The two directions in (U₁, a₁, U₂, a₂) along which the film resists, with their weights: that of sliding, and that of the pressure.
    fn directions(&self) -> [([f64; 4], f64); 2] {
        let (reduced, [first, second]) = (self.reduced(), self.radii);
        let rolls = [0.5 - reduced / first, 0.5, 0.5 - reduced / second, 0.5];
        [([1.0, 1.0, -1.0, -1.0], 2.0), (rolls, 24.0 / 5.0)]
    }

    /// Generalised forces on (U₁, a₁, U₂, a₂) for μ L = 1: forces, and torques over the radii.
    pub fn forces(&self, velocities: [f64; 4]) -> [f64; 4] {
        let mut forces = [0.0; 4];
        for (along, weight) in self.directions() {
            let rate: f64 = along.iter().zip(velocities).map(|(a, v)| a * v).sum();
            for (force, a) in forces.iter_mut().zip(along) {
                *force -= PI * self.reduced() * weight * rate * a;
            }
        }
        forces
    }

    /// μ L of a contact with the memory γ \[N s\].
    pub fn strength(&self, memory: f64) -> f64 {
        let reduced = self.reduced();
        -memory / (6.0 * PI * reduced * reduced)
    }
}

/// A sphere on a plane in the limit of no viscosity: algorithm 4.1 of the source for the normal direction, and the film for the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roller {
    /// Mass.
    pub mass: f64,
    /// Moment of inertia.
    pub inertia: f64,
    /// Radius.
    pub radius: f64,
    /// Distance from the plane, and its rate.
    pub distance: f64,
    /// Normal velocity.
    pub approach: f64,
    /// Velocity along the plane.
    pub sliding: f64,
    /// Rate of turning, counter-clockwise; rolling to the right is negative.
    pub turning: f64,
    /// γ, at most zero.
    pub memory: f64,
    /// Normal impulse of the last step.
    impulse: f64,
    /// The budget of energy.
    pub budget: EnergyBudget,
}

/// Where the energy of a [`Roller`] went: proposition 4.19 of the source.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EnergyBudget {
    /// Work of the forces.
    pub work: f64,
    /// Loss at impacts and by the projection.
    pub impacts: f64,
    /// ∫ (4/5) π r ((x′ − r ω)² + 3 (x′² + r² ω²)) g, negative.
    pub film: f64,
}

/// Nodes and weights of Gauss's rule with five nodes on [0, 1].
const GAUSS: [[f64; 2]; 5] = [
    [0.046_910_077_030_668, 0.118_463_442_528_094_5],
    [0.230_765_344_947_158_5, 0.239_314_335_249_683_2],
    [0.5, 0.284_444_444_444_444_4],
    [0.769_234_655_052_841_5, 0.239_314_335_249_683_2],
    [0.953_089_922_969_332, 0.118_463_442_528_094_5],
];

impl Roller {
    /// A homogeneous sphere of unit mass at a distance, with velocities.
    pub fn sphere(radius: f64, distance: f64, [sliding, approach]: [f64; 2]) -> Self {
        Self {
            mass: 1.0,
            inertia: 0.4 * radius * radius,
            radius,
            distance,
            approach,
            sliding,
            turning: 0.0,
            memory: 0.0,
            impulse: 0.0,
            budget: EnergyBudget::default(),
        }
    }

    /// Kinetic energy.
    pub fn energy(&self) -> f64 {
        let linear = self.approach * self.approach + self.sliding * self.sliding;
        0.5 * (self.mass * linear + self.inertia * self.turning * self.turning)
    }

    /// One step of `dt` under the force `[along the plane, away from it]`.
    pub fn step(&mut self, force: [f64; 2], dt: f64) {
        let before = self.memory;
        self.normal(force[1], dt);
        // γ is linear between its two values.
        let film = Film {
            radii: [self.radius, f64::INFINITY],
        };
        self.slide(film.strength(0.5 * (before + self.memory)), force[0], dt);
    }

    /// Algorithm 4.1, with its losses.
    fn normal(&mut self, force: f64, dt: f64) {
        let (mass, start) = (self.mass, self.approach);
        self.memory -= self.impulse;
        if self.memory > 0.0 {
            self.approach = self.memory / mass;
            self.memory = 0.0;
        }
        self.distance += dt * self.approach;
        let free = self.approach + dt * force / mass;
        let closing = -self.distance / dt;
        let after = if self.memory < 0.0 {
            closing
        } else {
            free.max(closing)
        };
        self.impulse = mass * (after - free);
        // What take-off returns was lost by the projection of the step before.
        self.budget.work += dt * force * 0.5 * (self.approach + free);
        let given = 0.5 * mass * (self.approach * self.approach - start * start);
        self.budget.impacts += given + 0.5 * mass * (after * after - free * free);
        self.approach = after;
    }

    /// Sliding and turning under a film of constant strength and a constant force, exactly: the modes of the symmetric 2 × 2 system.
    fn slide(&mut self, strength: f64, force: f64, dt: f64) {
        let (modes, before) = (Modes::of(self), *self);
        let start = modes.amplitudes([self.sliding, self.turning], &before);
        let pushed = modes.amplitudes([force / self.mass, 0.0], &before);
        let at = |time: f64| {
            let each = [0, 1].map(|mode| {
                let decay = strength * modes.rates[mode];
                start[mode] * exp(-decay * time) + pushed[mode] * time * grown(decay * time)
            });
            modes.velocities(each, &before)
        };
        let radius = self.radius;
        for [node, weight] in GAUSS {
            let [sliding, turning] = at(node * dt);
            let rim = radius * turning;
            let (slip, both) = (sliding - rim, sliding * sliding + rim * rim);
            let density = 0.8 * PI * radius * (slip * slip + 3.0 * both);
            self.budget.film -= weight * dt * strength * density;
            self.budget.work += weight * dt * force * sliding;
        }
        [self.sliding, self.turning] = at(dt);
    }
}

/// (1 − e^(−x))/x.
fn grown(x: f64) -> f64 {
    if x < 1e-4 {
        // Three terms leave x³/24.
        1.0 - x * (0.5 - x / 6.0)
    } else {
        (1.0 - exp(-x)) / x
    }
}

/// Modes of decay in (√m x′, √J ω).
struct Modes {
    rates: [f64; 2],
    axis: [f64; 2],
}

impl Modes {
    fn of(roller: &Roller) -> Self {
        let Roller {
            mass,
            inertia,
            radius,
            ..
        } = *roller;
        let film = Film {
            radii: [radius, f64::INFINITY],
        };
        // a = −r ω: columns for unit x′ and unit ω.
        let slide = film.forces([1.0, 0.0, 0.0, 0.0]);
        let turn = film.forces([0.0, -radius, 0.0, 0.0]);
        let cross = -turn[0] / (mass * inertia).sqrt();
        let (first, last) = (-slide[0] / mass, radius * turn[1] / inertia);
        let (mean, half) = (0.5 * (first + last), 0.5 * (first - last));
        let apart = (half * half + cross * cross).sqrt();
        // The eigenvector of the larger rate, from the row that does not cancel.
        let vector = if half > 0.0 {
            [half + apart, cross]
        } else {
            [cross, apart - half]
        };
        let length = (vector[0] * vector[0] + vector[1] * vector[1]).sqrt();
        Self {
            rates: [mean + apart, mean - apart],
            axis: vector.map(|component| component / length),
        }
    }

    fn amplitudes(&self, [sliding, turning]: [f64; 2], roller: &Roller) -> [f64; 2] {
        let (x, y) = (
            roller.mass.sqrt() * sliding,
            roller.inertia.sqrt() * turning,
        );
        let [c, s] = self.axis;
        [c * x + s * y, c * y - s * x]
    }

    fn velocities(&self, [first, second]: [f64; 2], roller: &Roller) -> [f64; 2] {
        let [c, s] = self.axis;
        [
            (c * first - s * second) / roller.mass.sqrt(),
            (s * first + c * second) / roller.inertia.sqrt(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_on_a_plane_has_the_coefficients_of_the_source() {
        let radius = 0.7;
        let film = Film {
            radii: [radius, f64::INFINITY],
        };
        let (sliding, turning) = (0.3, -1.1);
        let forces = film.forces([sliding, -radius * turning, 0.0, 0.0]);
        // Equation 4.21, with μ ln q = −1: force, and torque −r a-force.
        let rim = radius * turning;
        let force = -PI * radius * (3.2 * sliding - 0.8 * rim);
        let torque = -PI * radius * radius * (-0.8 * sliding + 3.2 * rim);
        assert!((forces[0] - force).abs() < 1e-14);
        assert!((-radius * forces[1] - torque).abs() < 1e-14);
    }

    #[test]
    fn no_film_resists_common_motion() {
        let film = Film { radii: [0.4, 0.4] };
        let rubbed = film.forces([0.0, 1.0, 0.0, -1.0]);
        assert!(rubbed[1] < -1.0, "rims that rub are braked");
        for radii in [[0.4, 0.4], [0.2, 0.9], [0.3, f64::INFINITY]] {
            let film = Film { radii };
            // A rigid turn about the contact: Uᵢ = ∓ rᵢ Ω, aᵢ = ± rᵢ Ω, so that rims rest. A plane turns with it.
            let forces = if radii[1].is_finite() {
                film.forces([-radii[0], radii[0], radii[1], -radii[1]])
            } else {
                [0.0; 4]
            };
            assert!(forces.iter().all(|f| f.abs() < 1e-13), "{forces:?}");
            let common = film.forces([1.0, 0.0, 1.0, 0.0]);
            let has_plane = !radii[1].is_finite();
            assert!(has_plane || common.iter().all(|f| f.abs() < 1e-13));
            let any = film.forces([0.3, -0.2, 0.7, 0.1]);
            assert!((any[0] + any[2]).abs() < 1e-13, "action and reaction");
        }
    }

    #[test]
    fn energy_is_balanced() {
        // Proposition 4.19 to 1e-10: pushed onto the plane while it slides, held, and pulled off.
        let mut roller = Roller::sphere(0.5, 0.3, [2.0, -0.1]);
        let start = roller.energy();
        let (dt, steps) = (1e-3, 6000);
        let mut film = 0.0_f64;
        for step in 0..steps {
            let push = if step < 2500 { -1.0 } else { 1.0 };
            roller.step([0.3, push], dt);
            let EnergyBudget { work, impacts, .. } = roller.budget;
            let sum = start + work + impacts + roller.budget.film;
            assert!((roller.energy() - sum).abs() < 1e-10, "{step}");
            assert!(roller.budget.film <= film + 1e-15);
            film = roller.budget.film;
        }
        assert!(film < -0.1, "{film}");
        assert!(
            roller.memory == 0.0 && roller.distance > 0.1,
            "it has left the plane"
        );
    }

    #[test]
    fn without_a_force_only_the_impulse_of_the_memory_counts() {
        // Theorem 4.18: U = exp(∫ g A) U₀, so halving the step changes nothing.
        let slide = |count: usize| {
            let mut roller = Roller::sphere(0.5, 0.3, [2.0, -0.1]);
            for _ in 0..count {
                roller.slide(0.8, 0.0, 1.5 / count as f64);
            }
            [roller.sliding, roller.turning]
        };
        let (one, many) = (slide(1), slide(64));
        assert!((one[0] - many[0]).abs() < 1e-13 && (one[1] - many[1]).abs() < 1e-13);
        assert!(one[0] < 2.0 && one[1].abs() > 1e-3, "sliding turns it");
    }
}
