//! Cells of a true disc.

use std::f64::consts::{PI, TAU};

use crate::moments::Moments;
use crate::{DVec2, Rotation, math};

use super::Element;

/// Twenty-five cells of equal area: a central disc of radius R/5, then 8 sectors up to 3R/5 and
/// 16 up to R, since 1 + 8 = 3² and 1 + 8 + 16 = 5².
pub(super) fn rings(radius: f64) -> Vec<Element> {
    let mut elements = vec![Element::from_moments(&disc_moments(radius / 5.0))];
    for (inner, outer, sectors) in [(1.0, 3.0, 8), (3.0, 5.0, 16)] {
        let (inner, outer) = (radius * inner / 5.0, radius * outer / 5.0);
        elements.extend((0..sectors).map(|k| {
            let middle = TAU * (f64::from(k) + 0.5) / f64::from(sectors);
            let moments = sector_moments(inner, outer, PI / f64::from(sectors));
            turned(
                &Element::from_moments(&moments),
                Rotation::from_angle(middle),
            )
        }));
    }
    elements
}

fn disc_moments(radius: f64) -> Moments {
    let area = PI * radius * radius;
    let diagonal = 0.25 * area * radius * radius;
    Moments {
        area,
        centroid: DVec2::ZERO,
        tensor: [diagonal, 0.0, diagonal],
    }
}

/// Moments of the ring sector a < r < b, |θ| < α.
///
/// A = α(b² - a²), x̄ = ⅔ (b³ - a³)/(b² - a²) sin α/α, and about the centre of the ring
/// ∫x² = ¼(b⁴ - a⁴)(α + sin α cos α), ∫y² = ¼(b⁴ - a⁴)(α - sin α cos α), by direct integration.
fn sector_moments(inner: f64, outer: f64, half_angle: f64) -> Moments {
    let (sin, cos) = math::sin_cos(half_angle);
    let (inner_sq, outer_sq) = (inner * inner, outer * outer);
    let area = half_angle * (outer_sq - inner_sq);
    let radii = (outer_sq * outer - inner_sq * inner) / (outer_sq - inner_sq);
    let x = 2.0 / 3.0 * radii * sin / half_angle;
    let quartic = 0.25 * (outer_sq * outer_sq - inner_sq * inner_sq);
    let xx = quartic * (half_angle + sin * cos) - area * x * x;
    let yy = quartic * (half_angle - sin * cos);
    Moments {
        area,
        centroid: DVec2::new(x, 0.0),
        tensor: [xx, 0.0, yy],
    }
}

/// The element turned about the origin, S becoming R S Rᵀ. Its points turn with it, so that the
/// rule has the symmetry of the disc: one that only spins feels no force, to round-off.
fn turned(element: &Element, rotation: Rotation) -> Element {
    let Rotation { cos, sin } = rotation;
    let [xx, xy, yy] = element.second_moment;
    Element {
        area: element.area,
        centroid: rotation.rotate(element.centroid),
        second_moment: [
            cos * cos * xx - 2.0 * cos * sin * xy + sin * sin * yy,
            cos * sin * (xx - yy) + (cos * cos - sin * sin) * xy,
            sin * sin * xx + 2.0 * cos * sin * xy + cos * cos * yy,
        ],
        points: element.points.map(|point| rotation.rotate(point)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_fill_the_disc_exactly() {
        let radius = 7.0;
        let elements = rings(radius);
        assert_eq!(elements.len(), 25);
        let disc = disc_moments(radius);
        for element in &elements {
            assert!((element.area / (disc.area / 25.0) - 1.0).abs() < 1e-14);
            assert!(element.points.iter().all(|point| point.length() < radius));
        }
        let parts: Vec<Moments> = elements
            .iter()
            .map(|e| Moments {
                area: e.area,
                centroid: e.centroid,
                tensor: e.second_moment,
            })
            .collect();
        let union = Moments::of_union(&parts);
        assert!((union.area / disc.area - 1.0).abs() < 1e-14);
        assert!(union.centroid.length() < 1e-14);
        for k in 0..3 {
            assert!((union.tensor[k] - disc.tensor[k]).abs() < 1e-13 * disc.tensor[0]);
        }
    }

    #[test]
    fn a_sector_of_many_thin_triangles_has_the_same_moments() {
        let (inner, outer, half_angle) = (2.0, 5.0, 0.4);
        let exact = sector_moments(inner, outer, half_angle);
        let arc = |radius: f64, k: i32| {
            let (sin, cos) = math::sin_cos(half_angle * f64::from(k) / 1000.0);
            radius * DVec2::new(cos, sin)
        };
        let polygon: Vec<DVec2> = (-1000..=1000)
            .map(|k| arc(outer, k))
            .chain((-1000..=1000).rev().map(|k| arc(inner, k)))
            .collect();
        let approximate = Moments::of_polygon(&polygon);
        assert!((approximate.area / exact.area - 1.0).abs() < 1e-6);
        assert!((approximate.centroid - exact.centroid).length() < 1e-6);
        for k in 0..3 {
            assert!((approximate.tensor[k] - exact.tensor[k]).abs() < 1e-5);
        }
    }
}
