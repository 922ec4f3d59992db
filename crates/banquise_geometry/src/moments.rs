//! Area, centroid and second-moment tensor of a region, and how they add up.

use crate::DVec2;

/// The moments of order 0, 1 and 2 of a plane region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    /// Area \[m²\].
    pub(crate) area: f64,
    /// Centroid \[m\].
    pub(crate) centroid: DVec2,
    /// ∫(x-x_c)², ∫(x-x_c)(y-y_c), ∫(y-y_c)² over the region \[m⁴\].
    pub(crate) tensor: [f64; 3],
}

impl Moments {
    /// Moments of a counter-clockwise simple polygon, by Green's theorem:
    ///
    /// A = ½ Σ w, ∫x = ⅙ Σ (xᵢ + xᵢ₊₁) w, ∫x² = ¹⁄₁₂ Σ (xᵢ² + xᵢxᵢ₊₁ + xᵢ₊₁²) w and so on, with
    /// w = xᵢyᵢ₊₁ - xᵢ₊₁yᵢ (Steger 1996, FGBV-96-05, TU München).
    ///
    /// The first sums are taken from vertex 0 and the second from the centroid: taken from a
    /// distant origin they would lose the digits of a small floe in a large domain.
    pub(crate) fn of_polygon(vertices: &[DVec2]) -> Self {
        let Some(&origin) = vertices.first() else {
            return Self {
                area: 0.0,
                centroid: DVec2::ZERO,
                tensor: [0.0; 3],
            };
        };
        let mut twice_area = 0.0;
        let mut first = DVec2::ZERO;
        for (a, b) in closed_pairs(vertices) {
            let (a, b) = (a - origin, b - origin);
            let w = a.perp_dot(b);
            twice_area += w;
            first += (a + b) * w;
        }
        let local_centroid = first / (3.0 * twice_area);
        let mut tensor = [0.0; 3];
        for (a, b) in closed_pairs(vertices) {
            let (a, b) = (a - origin - local_centroid, b - origin - local_centroid);
            let w = a.perp_dot(b);
            tensor[0] += w * (a.x * a.x + a.x * b.x + b.x * b.x) / 12.0;
            tensor[1] += w * (a.x * b.y + 2.0 * (a.x * a.y + b.x * b.y) + b.x * a.y) / 24.0;
            tensor[2] += w * (a.y * a.y + a.y * b.y + b.y * b.y) / 12.0;
        }
        Self {
            area: 0.5 * twice_area,
            centroid: origin + local_centroid,
            tensor,
        }
    }

    /// Moments of a triangle, whichever way it turns.
    ///
    /// With dₖ the vertices seen from the centroid, the tensor is (A/12) Σ dₖdₖᵀ.
    pub(crate) fn of_triangle([a, b, c]: [DVec2; 3]) -> Self {
        let area = triangle_area([a, b, c]);
        let centroid = a + ((b - a) + (c - a)) / 3.0;
        let mut tensor = [0.0; 3];
        for d in [a - centroid, b - centroid, c - centroid] {
            tensor[0] += area / 12.0 * d.x * d.x;
            tensor[1] += area / 12.0 * d.x * d.y;
            tensor[2] += area / 12.0 * d.y * d.y;
        }
        Self {
            area,
            centroid,
            tensor,
        }
    }

    /// Moments of the union of disjoint regions, at least one of them with an area.
    ///
    /// Huygens: S = Σ (Sₖ + Aₖ (cₖ-c)(cₖ-c)ᵀ).
    pub(crate) fn of_union(parts: &[Self]) -> Self {
        let reference = parts.first().map_or(DVec2::ZERO, |part| part.centroid);
        let mut area = 0.0;
        let mut first = DVec2::ZERO;
        for part in parts {
            area += part.area;
            first += part.area * (part.centroid - reference);
        }
        let centroid = reference + first / area;
        let mut tensor = [0.0; 3];
        for part in parts {
            let d = part.centroid - centroid;
            tensor[0] += part.tensor[0] + part.area * d.x * d.x;
            tensor[1] += part.tensor[1] + part.area * d.x * d.y;
            tensor[2] += part.tensor[2] + part.area * d.y * d.y;
        }
        Self {
            area,
            centroid,
            tensor,
        }
    }

    /// ∫|p - c|² over the region, about its centroid \[m⁴\].
    pub(crate) fn second_moment(&self) -> f64 {
        self.tensor[0] + self.tensor[2]
    }
}

/// Area of a triangle, whichever way it turns \[m²\].
pub(crate) fn triangle_area([a, b, c]: [DVec2; 3]) -> f64 {
    0.5 * (b - a).perp_dot(c - a).abs()
}

/// Each vertex with the next one, the last with the first.
pub(crate) fn closed_pairs(vertices: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    let next = vertices.iter().cycle().skip(1);
    vertices.iter().copied().zip(next.copied())
}

/// Perimeter of the polygon \[m\].
pub(crate) fn closed_length(vertices: &[DVec2]) -> f64 {
    closed_pairs(vertices).map(|(a, b)| (b - a).length()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [DVec2; 3] = [DVec2::ZERO, DVec2::new(4.0, 0.0), DVec2::new(1.0, 3.0)];

    #[test]
    fn a_rectangle_has_its_textbook_moments() {
        let rectangle = [
            DVec2::ZERO,
            DVec2::new(4.0, 0.0),
            DVec2::new(4.0, 2.0),
            DVec2::new(0.0, 2.0),
        ];
        let moments = Moments::of_polygon(&rectangle);
        assert_eq!(moments.area, 8.0);
        assert_eq!(moments.centroid, DVec2::new(2.0, 1.0));
        // b h³/12 about each axis.
        assert!((moments.tensor[0] - 2.0 * 64.0 / 12.0).abs() < 1e-14);
        assert!(moments.tensor[1].abs() < 1e-14);
        assert!((moments.tensor[2] - 4.0 * 8.0 / 12.0).abs() < 1e-14);
    }

    #[test]
    fn triangle_and_polygon_formulas_agree() {
        let by_polygon = Moments::of_polygon(&TRIANGLE);
        let by_triangle = Moments::of_triangle(TRIANGLE);
        assert!((by_polygon.area - by_triangle.area).abs() < 1e-14);
        for k in 0..3 {
            assert!((by_polygon.tensor[k] - by_triangle.tensor[k]).abs() < 1e-13);
        }
    }

    #[test]
    fn two_halves_make_the_whole() {
        let [a, b, c] = TRIANGLE;
        let middle = 0.5 * (b + c);
        let halves = [
            Moments::of_triangle([a, b, middle]),
            Moments::of_triangle([a, middle, c]),
        ];
        let whole = Moments::of_triangle(TRIANGLE);
        let union = Moments::of_union(&halves);
        assert!((union.area - whole.area).abs() < 1e-14);
        assert!((union.centroid - whole.centroid).length() < 1e-14);
        for k in 0..3 {
            assert!((union.tensor[k] - whole.tensor[k]).abs() < 1e-13);
        }
    }
}
