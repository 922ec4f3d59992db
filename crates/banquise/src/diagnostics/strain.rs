//! Strain rate of a polygon whose corners are floes.

use banquise_geometry::DVec2;

/// Deformation rates of a patch of ice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deformation {
    /// Area of the polygon \[m²\].
    pub area: f64,
    /// ∂u/∂x + ∂v/∂y [1/s]: positive where it opens.
    pub divergence: f64,
    /// √((∂u/∂x − ∂v/∂y)² + (∂u/∂y + ∂v/∂x)²) [1/s].
    pub shear: f64,
    /// ∂v/∂x − ∂u/∂y [1/s]: positive counter-clockwise.
    pub vorticity: f64,
}

impl Deformation {
    /// √(divergence² + shear²) [1/s], the total deformation rate (Marsan et al. 2004, Phys. Rev. Lett. 93, 178501,
    /// doi:10.1103/PhysRevLett.93.178501).
    pub fn total(&self) -> f64 {
        (self.divergence * self.divergence + self.shear * self.shear).sqrt()
    }
}

/// Mean velocity gradient over a polygon by Green's formula, ∂u/∂x = ∮ u dy / A and so on, velocities linear along the
/// sides: exact for a velocity that is linear in space. Corners \[m\] counter-clockwise or clockwise, unwrapped,
/// with their velocities [m/s]. `None` for a polygon without area.
pub fn deformation(corners: &[DVec2], velocities: &[DVec2]) -> Option<Deformation> {
    let count = corners.len();
    let (mut area, mut by_x, mut by_y) = (0.0, DVec2::ZERO, DVec2::ZERO);
    // Counted from a corner, or areas far from the origin lose digits.
    let origin = *corners.first()?;
    for first in 0..count {
        let second = (first + 1) % count;
        let (a, b) = (corners[first] - origin, corners[second] - origin);
        let side = b - a;
        let velocity = 0.5 * (velocities[first] + velocities[second]);
        area += 0.5 * a.perp_dot(b);
        by_x += side.y * velocity;
        by_y -= side.x * velocity;
    }
    if area == 0.0 {
        return None;
    }
    let (by_x, by_y) = (by_x / area, by_y / area);
    let (normal, shear) = (by_x.x - by_y.y, by_y.x + by_x.y);
    Some(Deformation {
        area: area.abs(),
        divergence: by_x.x + by_y.y,
        shear: (normal * normal + shear * shear).sqrt(),
        vorticity: by_x.y - by_y.x,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_velocity_is_measured_exactly_by_any_polygon() {
        let corners = [
            (0.0, 0.0),
            (90.0, 10.0),
            (120.0, 80.0),
            (40.0, 50.0),
            (10.0, 90.0),
        ];
        let corners: Vec<DVec2> = corners
            .iter()
            .map(|&(x, y)| DVec2::new(1e5 + x, -2e5 + y))
            .collect();
        let (ux, uy, vx, vy) = (2e-6, -3e-6, 5e-6, 1e-6);
        let velocity =
            |p: &DVec2| DVec2::new(0.1 + ux * p.x + uy * p.y, -0.2 + vx * p.x + vy * p.y);
        let velocities: Vec<DVec2> = corners.iter().map(velocity).collect();
        let found = deformation(&corners, &velocities).unwrap();
        // Velocities of 1 m/s are rounded to 1e-16, and the polygon is some 100 m wide.
        let close = |a: f64, b: f64| (a - b).abs() < 1e-16;
        assert!(close(found.divergence, 3e-6), "{found:?}");
        assert!(close(found.vorticity, 8e-6), "{found:?}");
        assert!(close(found.shear, (1e-12_f64 + 4e-12).sqrt()), "{found:?}");
        assert!(close(found.total(), (9e-12_f64 + 5e-12).sqrt()));
        let reversed: (Vec<DVec2>, Vec<DVec2>) = corners
            .iter()
            .copied()
            .zip(velocities.iter().copied())
            .rev()
            .unzip();
        let other = deformation(&reversed.0, &reversed.1).unwrap();
        assert!(close(other.divergence, 3e-6) && (other.area - found.area).abs() < 1e-9);
    }

    #[test]
    fn divergence_is_the_growth_of_the_area() {
        let corners = [DVec2::ZERO, DVec2::new(100.0, 0.0), DVec2::new(30.0, 80.0)];
        let velocities = [
            DVec2::new(0.01, 0.02),
            DVec2::new(-0.03, 0.01),
            DVec2::new(0.0, 0.05),
        ];
        let area = |time: f64| {
            let at = |k: usize| corners[k] + time * velocities[k];
            0.5 * (at(1) - at(0)).perp_dot(at(2) - at(0))
        };
        let growth = (area(0.5) - area(-0.5)) / area(0.0);
        let found = deformation(&corners, &velocities).unwrap();
        assert!(
            (found.divergence - growth).abs() < 1e-12,
            "{} {growth}",
            found.divergence
        );
        assert_eq!(found.area, 4000.0);
    }

    #[test]
    fn two_corners_have_no_area() {
        assert_eq!(
            deformation(&[DVec2::ZERO, DVec2::X], &[DVec2::ZERO; 2]),
            None
        );
        assert_eq!(deformation(&[], &[]), None);
    }
}
