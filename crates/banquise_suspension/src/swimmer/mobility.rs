//! Equal spheres on a line in unbounded slow flow: forces and velocities along the line, by multipoles and collocation.
//!
//! Around each sphere the flow is a sum of Lamb's solutions, axisymmetric and decaying; their factors make the velocity on all spheres the given one, by least squares over
//! circles of points (Gluckman, Pfeffer and Weinbaum 1971). The first factor of a sphere is its force.

use banquise_geometry::math;

use super::least_squares::LeastSquares;

/// Multipoles of each kind around a sphere: mobilities of spheres half a radius apart then have six digits, and more when they are farther apart.
const ORDERS: usize = 14;
/// Circles of points on a sphere.
const CIRCLES: usize = 2 * ORDERS;

/// Velocities of spheres for forces on them along their line, both by rows: V = S f.
pub type Mobility = [[f64; 3]; 3];

/// Legendre polynomials `P_n(c)` and their derivatives, n from 0 to `ORDERS`.
fn legendre(c: f64) -> [[f64; 2]; ORDERS + 1] {
    let mut list = [[1.0, 0.0]; ORDERS + 1];
    list[1] = [c, 1.0];
    for n in 2..=ORDERS {
        let k = n as f64;
        let value = ((2.0 * k - 1.0) * c * list[n - 1][0] - (k - 1.0) * list[n - 2][0]) / k;
        let slope = list[n - 2][1] + (2.0 * k - 1.0) * list[n - 1][0];
        list[n] = [value, slope];
    }
    list
}

/// Velocities (across, along) of all multipoles around the origin at a point; lengths in radii. For each order the one with pressure, then the potential one.
fn multipoles(across: f64, along: f64) -> [[f64; 2]; 2 * ORDERS] {
    let r = (across * across + along * along).sqrt();
    let (sin, cos) = (across / r, along / r);
    let polynomials = legendre(cos);
    let mut list = [[0.0; 2]; 2 * ORDERS];
    let mut power = 1.0;
    for n in 1..=ORDERS {
        power /= r;
        let (k, [p, slope]) = (n as f64, polynomials[n]);
        let outward = p * power * (k + 1.0) / (2.0 * (2.0 * k - 1.0));
        let turning = (k - 2.0) / (2.0 * k * (2.0 * k - 1.0)) * power * sin * slope;
        let decay = power / (r * r);
        let (outward_potential, turning_potential) = (-(k + 1.0) * p * decay, -sin * slope * decay);
        let turned =
            |radial: f64, polar: f64| [radial * sin + polar * cos, radial * cos - polar * sin];
        list[2 * n - 2] = turned(outward, turning);
        list[2 * n - 1] = turned(outward_potential, turning_potential);
    }
    list
}

/// Forces on `N` spheres at given places along the line, for unit velocity of each in turn: the resistance, in units of μ a, by rows. Places in radii.
fn resistance<const N: usize>(places: [f64; N]) -> [[f64; N]; N] {
    let columns = 2 * ORDERS * N;
    let rows = 2 * CIRCLES * N;
    let mut system = LeastSquares::new(rows, columns, N);
    for (sphere, place) in places.iter().enumerate() {
        for circle in 0..CIRCLES {
            let angle = std::f64::consts::PI * (circle as f64 + 0.5) / CIRCLES as f64;
            let (across, along) = math::sin_cos(angle);
            let row = 2 * (sphere * CIRCLES + circle);
            for (other, centre) in places.iter().enumerate() {
                let found = multipoles(across, place + along - centre);
                for (k, velocity) in found.into_iter().enumerate() {
                    let column = 2 * ORDERS * other + k;
                    *system.matrix(row, column) = velocity[0];
                    *system.matrix(row + 1, column) = velocity[1];
                }
            }
            *system.right(row + 1, sphere) = 1.0;
        }
    }
    let found = system.solve();
    std::array::from_fn(|sphere| {
        std::array::from_fn(|moved| 4.0 * std::f64::consts::PI * found[moved][2 * ORDERS * sphere])
    })
}

/// Resistance of two spheres whose centres are `distance` radii apart, over 6πμa: of one that moves while the other rests, and the force on the other.
pub fn pair_resistance(distance: f64) -> [f64; 2] {
    let [[own, other], _] = resistance([0.0, distance]);
    [own, other].map(|force| force / (6.0 * std::f64::consts::PI))
}

/// Mobility of three spheres with distances x and y between neighbouring centres, in radii; in units of 1/(μ a).
pub fn three_spheres(x: f64, y: f64) -> Mobility {
    inverse(resistance([-x, 0.0, y]))
}

/// Mobility of three spheres far from each other: each in the flow that forces on the others cause (Lefebvre 2007, B.52).
pub fn far_apart(x: f64, y: f64) -> Mobility {
    let own = 1.0 / (6.0 * std::f64::consts::PI);
    let at = |distance: f64| 1.0 / (4.0 * std::f64::consts::PI * distance);
    [
        [own, at(x), at(x + y)],
        [at(x), own, at(y)],
        [at(x + y), at(y), own],
    ]
}

fn inverse([[a, b, c], [d, e, f], [g, h, i]]: Mobility) -> Mobility {
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    .map(|row| row.map(|value| value / determinant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sphere_has_the_drag_of_stokes() {
        let [[drag]] = resistance([0.0]);
        assert!(
            (drag / (6.0 * std::f64::consts::PI) - 1.0).abs() < 1e-12,
            "{drag}"
        );
    }

    /// Stimson and Jeffery 1926: two equal spheres that follow each other, force on each over 6πμaU.
    fn stimson_jeffery(distance: f64) -> f64 {
        let alpha = math::ln(0.5 * distance + (0.25 * distance * distance - 1.0).sqrt());
        let sum: f64 = (1..200)
            .map(|n| {
                let k = f64::from(n);
                let half = math::sinh((k + 0.5) * alpha);
                let numerator = 4.0 * half * half
                    - (2.0 * k + 1.0) * (2.0 * k + 1.0) * math::sinh(alpha) * math::sinh(alpha);
                let denominator = 2.0 * math::sinh((2.0 * k + 1.0) * alpha)
                    + (2.0 * k + 1.0) * math::sinh(2.0 * alpha);
                let ratio = if numerator.is_finite() && denominator.is_finite() {
                    numerator / denominator
                } else {
                    1.0
                };
                k * (k + 1.0) / ((2.0 * k - 1.0) * (2.0 * k + 3.0)) * (1.0 - ratio)
            })
            .sum();
        4.0 / 3.0 * math::sinh(alpha) * sum
    }

    #[test]
    fn two_spheres_that_follow_each_other_have_the_drag_of_stimson_and_jeffery() {
        for (distance, tolerance) in [(2.5, 1e-6), (3.0, 1e-8), (6.0, 1e-10)] {
            let [own, other] = pair_resistance(distance);
            let known = stimson_jeffery(distance);
            assert!(
                ((own + other) / known - 1.0).abs() < tolerance,
                "{distance}: {} {known}",
                own + other
            );
        }
    }

    #[test]
    fn mobilities_are_symmetric_and_tend_to_those_of_spheres_far_apart() {
        let near = three_spheres(3.0, 5.0);
        let mirrored = three_spheres(5.0, 3.0);
        for i in 0..3 {
            for j in 0..3 {
                assert!((near[i][j] - near[j][i]).abs() < 1e-8 * near[0][0]);
                assert!((near[i][j] - mirrored[2 - j][2 - i]).abs() < 1e-9 * near[0][0]);
            }
        }
        // |S − S∞| falls at least as the square of the distance (B.54).
        let off = |d: f64| {
            let (a, b) = (three_spheres(d, d), far_apart(d, d));
            (a[0][1] - b[0][1]).abs().max((a[1][1] - b[1][1]).abs())
        };
        assert!(off(20.0) < 0.26 * off(10.0));
    }
}
