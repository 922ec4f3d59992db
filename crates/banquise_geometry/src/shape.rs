//! The shapes a floe can have.

use std::f64::consts::PI;

use crate::{Circle, DVec2, GeometryError, Outline};

/// A true disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    center: DVec2,
    radius: f64,
}

impl Disc {
    /// A disc of this radius \[m\] about the origin, within the range of lengths of an [`Outline`].
    ///
    /// # Errors
    /// If the radius is not a number, too small or too large.
    pub fn try_new(radius: f64) -> Result<Self, GeometryError> {
        let (min, max) = (Outline::MIN_EDGE_LENGTH, Outline::MAX_COORDINATE);
        if (min..=max).contains(&radius) {
            Ok(Self {
                center: DVec2::ZERO,
                radius,
            })
        } else {
            Err(GeometryError::InvalidRadius { radius, min, max })
        }
    }

    /// Centre \[m\].
    pub fn center(&self) -> DVec2 {
        self.center
    }

    /// Radius \[m\].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The disc about the same centre whose radius is less by a share [–].
    #[must_use]
    pub fn shrunk_by(&self, share: f64) -> Self {
        Self {
            radius: (1.0 - share) * self.radius,
            ..*self
        }
    }

    /// Area πr² \[m²\].
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }

    /// ∫|p|² over the disc, about its centre: πr⁴/2 \[m⁴\].
    pub fn second_moment(&self) -> f64 {
        0.5 * self.area() * self.radius * self.radius
    }

    /// Circumference 2πr \[m\].
    pub fn perimeter(&self) -> f64 {
        2.0 * PI * self.radius
    }

    /// P²/4πS, which is 1.
    pub fn roundness(&self) -> f64 {
        1.0
    }

    /// Width between two parallel lines: 2r in every direction \[m\].
    pub fn mean_caliper_diameter(&self) -> f64 {
        2.0 * self.radius
    }
}

/// The shape of a floe, in its body frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A polygon.
    Outline(Outline),
    /// A true disc.
    Disc(Disc),
}

impl Shape {
    /// Area \[m²\].
    pub fn area(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.area(),
            Self::Disc(disc) => disc.area(),
        }
    }

    /// Centroid \[m\].
    pub fn centroid(&self) -> DVec2 {
        match self {
            Self::Outline(outline) => outline.centroid(),
            Self::Disc(disc) => disc.center(),
        }
    }

    /// Distance from a point \[m\]: zero inside.
    pub fn distance_to_point(&self, point: DVec2) -> f64 {
        match self {
            Self::Outline(outline) => outline.distance_to_point(point),
            Self::Disc(disc) => (point.distance(disc.center()) - disc.radius()).max(0.0),
        }
    }

    /// ∫|p - c|² over the shape, about its centroid c \[m⁴\].
    pub fn second_moment(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.second_moment(),
            Self::Disc(disc) => disc.second_moment(),
        }
    }

    /// Length of the boundary \[m\].
    pub fn perimeter(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.perimeter(),
            Self::Disc(disc) => disc.perimeter(),
        }
    }

    /// P²/4πS: 1 for a disc, more for anything else.
    pub fn roundness(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.roundness(),
            Self::Disc(disc) => disc.roundness(),
        }
    }

    /// Width between two parallel lines, averaged over all directions \[m\].
    pub fn mean_caliper_diameter(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.mean_caliper_diameter(),
            Self::Disc(disc) => disc.mean_caliper_diameter(),
        }
    }

    /// The smallest circle that contains the shape.
    pub fn enclosing_circle(&self) -> Circle {
        match self {
            Self::Outline(outline) => outline.enclosing_circle(),
            Self::Disc(disc) => Circle {
                center: disc.center(),
                radius: disc.radius(),
            },
        }
    }

    /// Largest distance from the origin of the body frame to a point of the shape \[m\]: the
    /// radius of the disc that the shape sweeps when it turns about that origin.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline
                .vertices()
                .iter()
                .map(|vertex| vertex.length())
                .fold(0.0, f64::max),
            Self::Disc(disc) => disc.center().length() + disc.radius(),
        }
    }

    /// The shape moved by `offset` \[m\].
    ///
    /// # Errors
    /// If rounding spoils the outline: see [`Outline::translated`].
    pub fn translated(&self, offset: DVec2) -> Result<Self, GeometryError> {
        Ok(match self {
            Self::Outline(outline) => Self::Outline(outline.translated(offset)?),
            Self::Disc(disc) => Self::Disc(Disc {
                center: disc.center + offset,
                ..*disc
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_is_the_limit_of_regular_polygons() {
        let disc = Shape::Disc(Disc::try_new(3.0).unwrap());
        let polygon = Shape::Outline(Outline::regular_polygon(3.0, 10_000).unwrap());
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6 * b, "{a} {b}");
        close(polygon.area(), disc.area());
        close(polygon.second_moment(), disc.second_moment());
        close(polygon.perimeter(), disc.perimeter());
        close(polygon.roundness(), disc.roundness());
        close(
            polygon.mean_caliper_diameter(),
            disc.mean_caliper_diameter(),
        );
        close(
            polygon.enclosing_circle().radius,
            disc.enclosing_circle().radius,
        );
        close(polygon.bounding_radius(), disc.bounding_radius());
        assert!(polygon.centroid().distance(disc.centroid()) < 1e-12);
    }

    #[test]
    fn impossible_radii_are_refused() {
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300] {
            assert!(matches!(
                Disc::try_new(radius),
                Err(GeometryError::InvalidRadius { .. })
            ));
        }
    }
}
