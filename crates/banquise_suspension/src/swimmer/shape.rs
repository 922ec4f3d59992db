//! What a change of shape costs and how far it carries the swimmer.

use banquise_geometry::math;

use super::mobility::{Mobility, three_spheres};

/// Power and displacement at a shape: power = x′ᵀ G x′, c′ = V·x′, of x′ = (ẋ, ẏ). Lengths in radii, powers in units of μ a³/s².
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Coefficients {
    /// `G_xx`, `G_xy`, `G_yy`.
    pub metric: [f64; 3],
    /// `V_x`, `V_y`.
    pub drift: [f64; 2],
}

impl Coefficients {
    /// From the mobility: forces add up to zero, f = α(−1, 1, 0) + β(0, −1, 1) (Lefebvre 2007, sections 2.7 and B.5).
    pub fn of(s: &Mobility) -> Self {
        let between = |a: [f64; 3], b: [f64; 3]| {
            (0..3)
                .map(|i| (0..3).map(|j| a[i] * s[i][j] * b[j]).sum::<f64>())
                .sum::<f64>()
        };
        let (first, second, mean) = ([-1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [1.0 / 3.0; 3]);
        let (a, b, c) = (
            between(first, first),
            between(first, second),
            between(second, second),
        );
        let determinant = a * c - b * b;
        // The inverse of the 2 × 2 mobility of the gaps.
        let metric = [c / determinant, -b / determinant, a / determinant];
        let (p, q) = (between(mean, first), between(mean, second));
        Self {
            metric,
            drift: [p * metric[0] + q * metric[1], p * metric[1] + q * metric[2]],
        }
    }

    /// x′ᵀ G x′.
    pub fn power(&self, [x, y]: [f64; 2]) -> f64 {
        self.metric[0] * x * x + 2.0 * self.metric[1] * x * y + self.metric[2] * y * y
    }
}

/// Coefficients with their derivatives by x and by y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local {
    /// Values.
    pub value: Coefficients,
    /// ∂/∂x.
    pub by_x: Coefficients,
    /// ∂/∂y.
    pub by_y: Coefficients,
}

impl Local {
    /// ∂`V_y`/∂x − ∂`V_x`/∂y: displacement for each area that a stroke encloses.
    pub fn curl(&self) -> f64 {
        self.by_x.drift[1] - self.by_y.drift[0]
    }
}

/// Points of the table along each axis.
const POINTS: usize = 14;

/// Coefficients at all shapes of a range: a Chebyshev series in 1/x and 1/y.
#[derive(Clone, Debug)]
pub struct ShapeTable {
    /// Least and largest distance of neighbouring centres, in radii.
    range: [f64; 2],
    /// Five functions, POINTS × POINTS factors each.
    factors: Vec<[f64; 5]>,
}

impl ShapeTable {
    /// Tabulates a mobility.
    pub fn new(range: [f64; 2], mobility: impl Fn(f64, f64) -> Mobility) -> Self {
        let angle = |k: usize| std::f64::consts::PI * (k as f64 + 0.5) / POINTS as f64;
        let place = |k: usize| {
            let [low, high] = range.map(|x| 1.0 / x);
            2.0 / (low + high + (low - high) * math::cos(angle(k)))
        };
        let mut values = Vec::with_capacity(POINTS * POINTS);
        for i in 0..POINTS {
            for j in 0..POINTS {
                let found = Coefficients::of(&mobility(place(i), place(j)));
                let [a, b, c] = found.metric;
                values.push([a, b, c, found.drift[0], found.drift[1]]);
            }
        }
        let mut factors = vec![[0.0; 5]; POINTS * POINTS];
        let weight = |k: usize| if k == 0 { 1.0 } else { 2.0 } / POINTS as f64;
        for k in 0..POINTS {
            for l in 0..POINTS {
                for i in 0..POINTS {
                    for j in 0..POINTS {
                        let product =
                            math::cos(k as f64 * angle(i)) * math::cos(l as f64 * angle(j));
                        for (factor, value) in factors[k * POINTS + l]
                            .iter_mut()
                            .zip(values[i * POINTS + j])
                        {
                            *factor += weight(k) * weight(l) * product * value;
                        }
                    }
                }
            }
        }
        Self { range, factors }
    }

    /// The exact mobility between 2.4 and 16 radii.
    pub fn exact() -> Self {
        Self::new([2.4, 16.0], three_spheres)
    }

    /// Whether a shape is in the table.
    pub fn covers(&self, x: f64, y: f64) -> bool {
        let [low, high] = self.range;
        (low..=high).contains(&x) && (low..=high).contains(&y)
    }

    /// Chebyshev polynomials at a distance, and their derivatives by it.
    fn polynomials(&self, x: f64) -> [[f64; 2]; POINTS] {
        let [low, high] = self.range.map(|x| 1.0 / x);
        let t = (2.0 / x - low - high) / (low - high);
        let inner = -2.0 / (x * x * (low - high));
        let mut list = [[1.0, 0.0]; POINTS];
        list[1] = [t, inner];
        for k in 2..POINTS {
            let ([a, da], [b, db]) = (list[k - 1], list[k - 2]);
            list[k] = [2.0 * t * a - b, 2.0 * (inner * a + t * da) - db];
        }
        list
    }

    /// Coefficients and derivatives at a shape.
    pub fn at(&self, x: f64, y: f64) -> Local {
        let (along_x, along_y) = (self.polynomials(x), self.polynomials(y));
        let mut sums = [[0.0; 5]; 3];
        for (k, [p, dp]) in along_x.into_iter().enumerate() {
            let mut inner = [[0.0; 5]; 2];
            for (l, [q, dq]) in along_y.into_iter().enumerate() {
                let factors = &self.factors[k * POINTS + l];
                for (m, factor) in factors.iter().enumerate() {
                    inner[0][m] += factor * q;
                    inner[1][m] += factor * dq;
                }
            }
            for m in 0..5 {
                sums[0][m] += p * inner[0][m];
                sums[1][m] += dp * inner[0][m];
                sums[2][m] += p * inner[1][m];
            }
        }
        let [value, by_x, by_y] = sums.map(|[a, b, c, d, e]| Coefficients {
            metric: [a, b, c],
            drift: [d, e],
        });
        Local { value, by_x, by_y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_repeats_the_mobility_and_its_symmetry() {
        let table = ShapeTable::exact();
        for [x, y] in [[2.6, 6.0], [6.0, 6.0], [3.3, 2.7], [13.0, 4.0]] {
            let (found, known) = (table.at(x, y), Coefficients::of(&three_spheres(x, y)));
            for (a, b) in found.value.metric.iter().zip(known.metric) {
                assert!((a - b).abs() < 1e-5 * known.metric[0], "{a} {b}");
            }
            // V_x(x, y) = −V_y(y, x).
            let mirrored = table.at(y, x);
            assert!((found.value.drift[0] + mirrored.value.drift[1]).abs() < 1e-8);
            let step = 1e-4;
            let slope = (table.at(x + step, y).value.drift[1]
                - table.at(x - step, y).value.drift[1])
                / (2.0 * step);
            assert!((slope - found.by_x.drift[1]).abs() < 1e-6);
        }
    }
}
