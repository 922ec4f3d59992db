//! Friction of the bed.
//!
//! Every law here is τ = C w with a sliding variable w that grows with the velocity v, so that what is
//! steep in v is smooth in w: for Weertman's law w = sgn(v)|v|^(1/n), v = sgn(w)|w|ⁿ. The implicit
//! schemes solve for w; Newton's method on |v|^(1/n) itself overshoots near v = 0.

use banquise_geometry::math;

/// A law of the bed: stress against sliding velocity.
///
/// Weertman (1957) with a linear part near rest (Beguin 2020, eq. 12), or no friction at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedLaw {
    /// C, stress at a sliding velocity of one \[Pa (s/m)^(1/n)\]; 0 for no friction.
    pub friction_coefficient: f64,
    /// n of v ∝ τⁿ, at least 1 \[–\].
    pub stress_exponent: f64,
    /// ν, below this speed the stress is linear in the velocity \[m s⁻¹\]; 0 for Weertman's law.
    pub linear_below: f64,
}

impl Default for BedLaw {
    /// Weertman's law with the constants of Beguin (2020): C = 10^6.75, n = 3.
    fn default() -> Self {
        Self {
            friction_coefficient: 5.623e6,
            stress_exponent: 3.0,
            linear_below: 0.0,
        }
    }
}

impl BedLaw {
    /// No friction.
    pub const NONE: Self = Self {
        friction_coefficient: 0.0,
        stress_exponent: 1.0,
        linear_below: 0.0,
    };

    /// Whether there is any friction.
    pub fn has_friction(&self) -> bool {
        self.friction_coefficient > 0.0
    }

    /// |w| at the end of the linear part.
    fn linear_sliding(&self) -> f64 {
        root(self.linear_below, self.stress_exponent)
    }

    /// v of the linear part, for w = 1.
    fn linear_slope(&self) -> f64 {
        self.linear_below / self.linear_sliding()
    }

    /// Velocity for a sliding variable \[m s⁻¹\].
    #[inline]
    pub fn velocity(&self, w: f64) -> f64 {
        if self.linear_below > 0.0 && w.abs() < self.linear_sliding() {
            return w * self.linear_slope();
        }
        power(w, self.stress_exponent)
    }

    /// Velocity and its derivative dv/dw.
    #[inline]
    pub fn velocity_and_slope(&self, w: f64) -> (f64, f64) {
        let n = self.stress_exponent;
        if self.linear_below > 0.0 && w.abs() < self.linear_sliding() {
            let slope = self.linear_slope();
            return (w * slope, slope);
        }
        power_and_slope(w, n)
    }

    /// Sliding variable for a velocity \[m s⁻¹\].
    #[inline]
    pub fn sliding(&self, velocity: f64) -> f64 {
        if velocity.abs() < self.linear_below {
            return velocity / self.linear_slope();
        }
        let size = root(velocity.abs(), self.stress_exponent);
        if velocity < 0.0 { -size } else { size }
    }

    /// ∫ w dv from rest: the work against friction, over C, for an area and a time of one.
    pub(crate) fn work(&self, w: f64) -> f64 {
        let (n, end) = (self.stress_exponent, self.linear_sliding());
        let beyond = |w: f64| n / (n + 1.0) * power(w.abs(), n + 1.0);
        if self.linear_below == 0.0 {
            beyond(w)
        } else if w.abs() < end {
            0.5 * w * w * self.linear_slope()
        } else {
            0.5 * end * end * self.linear_slope() + beyond(w) - beyond(end)
        }
    }

    /// Stress on the ice, against its motion, is minus this \[Pa\].
    pub fn stress(&self, velocity: f64) -> f64 {
        self.friction_coefficient * self.sliding(velocity)
    }

    /// dτ/dv at a velocity \[Pa s m⁻¹\]; infinite at rest under Weertman's law.
    pub fn stress_slope(&self, velocity: f64) -> f64 {
        if !self.has_friction() {
            return 0.0;
        }
        let (_, slope) = self.velocity_and_slope(self.sliding(velocity));
        self.friction_coefficient / slope
    }

    /// The w ≥ 0 or ≤ 0 with V(w) + κ w = b: one block with implicit friction, κ = Δt C/(ρ H).
    ///
    /// For n = 3 the closed form of the cubic; else Newton's method, which comes down from above without
    /// a way to fail since V is convex.
    pub fn solve_block(&self, kappa: f64, b: f64) -> f64 {
        if kappa == 0.0 {
            return self.sliding(b);
        }
        let size = b.abs();
        if self.linear_below > 0.0 {
            let w = size / (self.linear_slope() + kappa);
            if w < self.linear_sliding() {
                return w.copysign(b);
            }
        }
        let n = self.stress_exponent;
        let third = (kappa / 3.0).sqrt();
        let argument = 0.5 * size / (third * third * third);
        let mut w = if n == 3.0 && argument.is_finite() {
            2.0 * third * math::sinh(math::asinh(argument) / 3.0)
        } else {
            (size / kappa).min(root(size, n))
        };
        for _ in 0..MAX_BLOCK_ITERATIONS {
            let (velocity, slope) = power_and_slope(w, n);
            let change = (velocity + kappa * w - size) / (slope + kappa);
            w -= change;
            if change.abs() <= 1e-15 * w || change.is_nan() {
                break;
            }
        }
        w.copysign(b)
    }
}

/// Newton's method halves the error at least, from any start above the root.
const MAX_BLOCK_ITERATIONS: usize = 200;

/// sgn(w)|w|ⁿ.
fn power(w: f64, n: f64) -> f64 {
    if n == 3.0 {
        w * w * w
    } else if n == 1.0 {
        w
    } else {
        math::pow(w.abs(), n).copysign(w)
    }
}

/// sgn(w)|w|ⁿ and its derivative.
#[inline]
fn power_and_slope(w: f64, n: f64) -> (f64, f64) {
    if n == 3.0 {
        let square = w * w;
        (square * w, 3.0 * square)
    } else if n == 1.0 {
        (w, 1.0)
    } else {
        let before = math::pow(w.abs(), n - 1.0);
        (w * before, n * before)
    }
}

/// x^(1/n) of a positive number.
fn root(x: f64, n: f64) -> f64 {
    if n == 3.0 {
        math::cbrt(x)
    } else if n == 1.0 {
        x
    } else {
        math::pow(x, 1.0 / n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [BedLaw; 5] = [
        BedLaw {
            friction_coefficient: 5.623e6,
            stress_exponent: 3.0,
            linear_below: 0.0,
        },
        BedLaw {
            friction_coefficient: 5.623e6,
            stress_exponent: 3.0,
            linear_below: 1e-6,
        },
        BedLaw {
            friction_coefficient: 1e9,
            stress_exponent: 1.0,
            linear_below: 0.0,
        },
        BedLaw {
            friction_coefficient: 3e5,
            stress_exponent: 5.5,
            linear_below: 2e-6,
        },
        BedLaw::NONE,
    ];

    #[test]
    fn velocity_and_sliding_are_inverse() {
        for law in LAWS {
            for velocity in [-1e-3, -1.125e-5, -1e-6, -1e-9, 0.0, 1e-12, 3e-6, 1e-2] {
                let again = law.velocity(law.sliding(velocity));
                assert!(
                    (again - velocity).abs() <= 1e-14 * velocity.abs(),
                    "{law:?}"
                );
                let (value, _) = law.velocity_and_slope(law.sliding(velocity));
                assert!(
                    (value - velocity).abs() <= 1e-14 * velocity.abs(),
                    "{law:?}"
                );
            }
        }
    }

    #[test]
    fn the_slope_of_the_stress_is_its_derivative() {
        for law in LAWS {
            for velocity in [-1.125e-5, 2e-7, 3e-4_f64] {
                let h = 1e-6 * velocity;
                let numeric = (law.stress(velocity + h) - law.stress(velocity - h)) / (2.0 * h);
                let slope = law.stress_slope(velocity);
                assert!(
                    (numeric - slope).abs() <= 1e-8 * slope,
                    "{law:?} {velocity}"
                );
            }
        }
    }

    #[test]
    fn the_work_against_friction_is_the_integral_of_the_sliding_variable() {
        for law in LAWS {
            let (mut sum, steps) = (0.0, 20_000);
            for k in 0..steps {
                let w = |k: f64| -0.04 * k / f64::from(steps);
                let (a, b) = (w(f64::from(k)), w(f64::from(k + 1)));
                sum += 0.5 * (a + b) * (law.velocity(b) - law.velocity(a));
            }
            assert!((law.work(-0.04) / sum - 1.0).abs() < 1e-6, "{law:?}");
        }
    }

    #[test]
    fn one_block_is_solved_to_rounding_whatever_the_step() {
        for law in LAWS {
            for kappa in [0.0, 1e-12, 1e-4, 1e-2, 30.0] {
                for b in [-1e-2, -1.2e-5, -1e-15, 0.0, 1e-30, 4e-6, 1.0] {
                    let w = law.solve_block(kappa, b);
                    let gap = law.velocity(w) + kappa * w - b;
                    assert!(
                        gap.abs() <= 1e-14 * b.abs(),
                        "{law:?} {kappa} {b} {w} {gap}"
                    );
                }
            }
        }
    }
}
