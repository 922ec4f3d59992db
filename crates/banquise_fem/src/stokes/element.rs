//! Triangles for viscous flow: shape functions, quadrature, the matrix of one element.

use banquise_geometry::DVec2;

/// Velocities and pressures of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Linear velocities with a bubble, linear pressures (Arnold, Brezzi and Fortin 1984). The bubble is eliminated in each triangle.
    Mini,
    /// Quadratic velocities, linear pressures.
    TaylorHood,
}

/// What the coordinates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// x and y.
    Plane,
    /// x is the distance from the axis, y is along it; no swirl. Integrals are over one radian.
    Axisymmetric,
}

/// Most velocity functions of an element, the bubble included.
pub(super) const MAX_FUNCTIONS: usize = 6;
/// Unknowns of an element without its bubble, at most.
pub(super) const MAX_LOCAL: usize = 2 * MAX_FUNCTIONS + 3;

impl Element {
    /// Nodes with velocities.
    pub(super) fn nodes(self) -> usize {
        match self {
            Self::Mini => 3,
            Self::TaylorHood => 6,
        }
    }

    /// Velocity functions.
    pub(super) fn functions(self) -> usize {
        match self {
            Self::Mini => 4,
            Self::TaylorHood => 6,
        }
    }

    /// Unknowns without the bubble: two velocities for each node, then three pressures.
    pub(super) fn local(self) -> usize {
        2 * self.nodes() + 3
    }

    /// Values of the functions at barycentric coordinates.
    pub(super) fn values(self, [a, b, c]: [f64; 3]) -> [f64; MAX_FUNCTIONS] {
        match self {
            Self::Mini => [a, b, c, 27.0 * a * b * c, 0.0, 0.0],
            Self::TaylorHood => [
                a * (2.0 * a - 1.0),
                b * (2.0 * b - 1.0),
                c * (2.0 * c - 1.0),
                4.0 * b * c,
                4.0 * c * a,
                4.0 * a * b,
            ],
        }
    }

    /// Derivatives of the functions by the three barycentric coordinates.
    pub(super) fn derivatives(self, [a, b, c]: [f64; 3]) -> [[f64; 3]; MAX_FUNCTIONS] {
        match self {
            Self::Mini => [
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
                [27.0 * b * c, 27.0 * a * c, 27.0 * a * b],
                [0.0; 3],
                [0.0; 3],
            ],
            Self::TaylorHood => [
                [4.0 * a - 1.0, 0.0, 0.0],
                [0.0, 4.0 * b - 1.0, 0.0],
                [0.0, 0.0, 4.0 * c - 1.0],
                [0.0, 4.0 * c, 4.0 * b],
                [4.0 * c, 0.0, 4.0 * a],
                [4.0 * b, 4.0 * a, 0.0],
            ],
        }
    }
}

/// A point of a quadrature rule: barycentric coordinates and share of the area.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuadraturePoint {
    pub(super) at: [f64; 3],
    pub(super) share: f64,
}

/// Gauss points on \[0, 1\] with their weights, exact for polynomials of degree 7.
pub(super) const GAUSS: [[f64; 2]; 4] = [
    [0.069_431_844_202_973_71, 0.173_927_422_568_726_93],
    [0.330_009_478_207_571_87, 0.326_072_577_431_273_07],
    [0.669_990_521_792_428_1, 0.326_072_577_431_273_07],
    [0.930_568_155_797_026_3, 0.173_927_422_568_726_93],
];

/// Sixteen points, exact for polynomials of degree 6: products of Gauss points on a square that collapses to the triangle.
pub(super) fn quadrature() -> [QuadraturePoint; 16] {
    std::array::from_fn(|k| {
        let ([s, ws], [t, wt]) = (GAUSS[k / 4], GAUSS[k % 4]);
        QuadraturePoint {
            at: [1.0 - s, s * (1.0 - t), s * t],
            share: 2.0 * ws * wt * s,
        }
    })
}

/// Gradients of the barycentric coordinates, and the area.
pub(super) fn slopes([a, b, c]: [DVec2; 3]) -> ([DVec2; 3], f64) {
    let twice = (b - a).perp_dot(c - a);
    let slope = |p: DVec2, q: DVec2| (q - p).perp() / twice;
    ([slope(b, c), slope(c, a), slope(a, b)], 0.5 * twice)
}

/// Material of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementMaterial {
    /// Viscosity \[Pa s\].
    pub(super) viscosity: f64,
    /// Density over the step \[kg/(m³ s)\].
    pub(super) inertia: f64,
    /// δ of the term −δ ∫ p q \[1/(Pa s)\].
    pub(super) compliance: f64,
}

/// The whole matrix of an element: velocities of nodes, pressures, then the bubble.
pub(super) struct LocalMatrix {
    pub(super) size: usize,
    pub(super) values: [[f64; MAX_LOCAL]; MAX_LOCAL],
}

/// 2μ ∫ D(u):D(v) + inertia ∫ u·v − ∫ p ∇·v − ∫ q ∇·u − δ ∫ p q.
pub(super) fn element_matrix(
    element: Element,
    geometry: Geometry,
    corners: [DVec2; 3],
    material: ElementMaterial,
) -> LocalMatrix {
    let (slopes, area) = slopes(corners);
    let (nodes, functions) = (element.nodes(), element.functions());
    let row = |a: usize, i: usize| {
        let bubble = if a < nodes { 0 } else { 3 };
        2 * a + bubble + i
    };
    let mut values = [[0.0; MAX_LOCAL]; MAX_LOCAL];
    for point in quadrature() {
        let phi = element.values(point.at);
        let derivatives = element.derivatives(point.at);
        let grad: [DVec2; MAX_FUNCTIONS] =
            derivatives.map(|[a, b, c]| slopes[0] * a + slopes[1] * b + slopes[2] * c);
        let radius =
            point.at[0] * corners[0].x + point.at[1] * corners[1].x + point.at[2] * corners[2].x;
        let (weight, hoop) = match geometry {
            Geometry::Plane => (area * point.share, 0.0),
            Geometry::Axisymmetric => (area * point.share * radius, 1.0 / radius),
        };
        let (mu, inertia) = (weight * material.viscosity, weight * material.inertia);
        for a in 0..functions {
            let g = grad[a].to_array();
            for b in 0..functions {
                let h = grad[b].to_array();
                let same = mu * grad[a].dot(grad[b]) + inertia * phi[a] * phi[b];
                for i in 0..2 {
                    for j in 0..2 {
                        let mut value = mu * g[j] * h[i];
                        if i == j {
                            value += same;
                        }
                        if i == 0 && j == 0 {
                            value += 2.0 * mu * hoop * hoop * phi[a] * phi[b];
                        }
                        values[row(a, i)][row(b, j)] += value;
                    }
                }
            }
            for (q, pressure) in point.at.into_iter().enumerate() {
                let divergence = [g[0] + hoop * phi[a], g[1]];
                for (i, d) in divergence.into_iter().enumerate() {
                    let value = -weight * pressure * d;
                    values[row(a, i)][2 * nodes + q] += value;
                    values[2 * nodes + q][row(a, i)] += value;
                }
            }
        }
        for (p, first) in point.at.into_iter().enumerate() {
            for (q, second) in point.at.into_iter().enumerate() {
                values[2 * nodes + p][2 * nodes + q] -=
                    weight * material.compliance * first * second;
            }
        }
    }
    LocalMatrix {
        size: 2 * functions + 3,
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_exact_to_degree_six() {
        // ∫ aⁱ bʲ cᵏ over the triangle is 2A i! j! k!/(i + j + k + 2)!.
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        for i in 0..=6_u32 {
            for j in 0..=6 - i {
                let k = 6 - i - j;
                let power = |x: f64, n: u32| x.powi(n as i32);
                let found: f64 = quadrature()
                    .iter()
                    .map(|q| q.share * power(q.at[0], i) * power(q.at[1], j) * power(q.at[2], k))
                    .sum();
                let exact = 2.0 * factorial(i) * factorial(j) * factorial(k) / factorial(8);
                assert!(
                    (found - exact).abs() < 1e-15,
                    "{i} {j} {k}: {found} {exact}"
                );
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        for element in [Element::Mini, Element::TaylorHood] {
            let at = [0.2, 0.3, 0.5];
            for k in 0..3 {
                let shifted = |step: f64| {
                    let mut moved = at;
                    moved[k] += step;
                    element.values(moved)
                };
                let (high, low) = (shifted(1e-6), shifted(-1e-6));
                for f in 0..element.functions() {
                    let slope = (high[f] - low[f]) / 2e-6;
                    let known = element.derivatives(at)[f][k];
                    assert!((slope - known).abs() < 1e-8, "{element:?} {f} {k}");
                }
            }
        }
    }
}
