//! The outline of a floe: a simple polygon that is known to be valid.

mod crossing;
mod hull;
mod measures;
mod validate;

pub use hull::convex_hull;

use std::f64::consts::TAU;

use crate::moments::{Moments, closed_pairs};
use crate::{DVec2, GeometryError, Rotation, math};
use validate::Ring;
pub(crate) use validate::flush_negligible;

/// A simple polygon: the boundary of one floe without holes.
///
/// An `Outline` is valid: it has at least three vertices, listed counter-clockwise;
/// they are finite, distinct and none exactly in line with its neighbours; no two edges
/// cross or touch; and the area is positive. Checks use exact arithmetic.
///
/// ```
/// use banquise_geometry::{DVec2, Outline};
///
/// let square = Outline::try_new(vec![
///     DVec2::new(0.0, 0.0), DVec2::new(2.0, 0.0), DVec2::new(2.0, 2.0), DVec2::new(0.0, 2.0),
/// ])?;
/// assert_eq!(square.area(), 4.0);
/// # Ok::<(), banquise_geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    vertices: Vec<DVec2>,
    moments: Moments,
}

impl Outline {
    /// Largest magnitude of a coordinate \[m\].
    ///
    /// A tenth of this is more than the Earth's circumference; up to here no product in the exact
    /// predicates or in the moments (at most the fourth power) can overflow.
    pub const MAX_COORDINATE: f64 = 1e9;

    /// Shortest edge \[m\]: the round-off of a coordinate of 10⁷ m. Anything less is noise.
    pub const MIN_EDGE_LENGTH: f64 = 1e-9;

    /// Coordinates smaller than this \[m\] are set to zero, so that no product in the exact
    /// predicates underflows.
    pub const NEGLIGIBLE_COORDINATE: f64 = 1e-30;

    /// Smallest ratio of area to squared perimeter. A disc has 1/4π ≈ 0.08; below this limit the
    /// sums for the area of a sliver would keep fewer than about five digits.
    pub const MIN_AREA_TO_PERIMETER_SQ: f64 = 1e-10;

    /// Most sides of a regular polygon.
    pub const MAX_SIDES: usize = 100_000;

    /// Checks the vertices and makes an outline of them.
    ///
    /// The boundary closes itself: do not repeat the first vertex. A clockwise list is turned
    /// round, vertex 0 staying first. Nothing else is repaired: see [`Outline::from_ring`].
    ///
    /// # Errors
    /// The first defect found, with the indices of the vertices or edges.
    pub fn try_new(vertices: Vec<DVec2>) -> Result<Self, GeometryError> {
        Ring::new(vertices)?.into_outline()
    }

    /// Makes an outline of a ring from a file, leaving out vertices that carry no shape.
    ///
    /// Drops a last vertex that repeats the first, vertices that repeat the one before, and
    /// vertices exactly on the straight line between their neighbours. Then as
    /// [`Outline::try_new`]; errors name the indices of the ring as given.
    ///
    /// # Errors
    /// The first defect that is left.
    pub fn from_ring(ring: &[DVec2]) -> Result<Self, GeometryError> {
        Ring::new(ring.to_vec())?
            .without_repeats()
            .without_straight_vertices()
            .into_outline()
    }

    /// A regular polygon inscribed in the circle of this radius \[m\] about the origin, with
    /// vertex 0 on the x axis.
    ///
    /// # Errors
    /// On an impossible radius or number of sides.
    pub fn regular_polygon(radius: f64, sides: usize) -> Result<Self, GeometryError> {
        if !(3..=Self::MAX_SIDES).contains(&sides) {
            return Err(GeometryError::InvalidSides {
                sides,
                min: 3,
                max: Self::MAX_SIDES,
            });
        }
        let (min, max) = (Self::MIN_EDGE_LENGTH, Self::MAX_COORDINATE);
        if !(min..=max).contains(&radius) {
            return Err(GeometryError::InvalidRadius { radius, min, max });
        }
        let vertex = |k: usize| {
            let (sin, cos) = math::sin_cos(TAU * k as f64 / sides as f64);
            radius * DVec2::new(cos, sin)
        };
        Self::try_new((0..sides).map(vertex).collect())
    }

    /// For vertices that are known to make a valid outline.
    fn from_valid(vertices: Vec<DVec2>) -> Self {
        let moments = Moments::of_polygon(&vertices);
        Self { vertices, moments }
    }

    /// The vertices \[m\], counter-clockwise, none repeated.
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The edges as pairs of points \[m\]; edge `i` starts at vertex `i`.
    pub fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        closed_pairs(&self.vertices)
    }

    /// This outline moved by `offset` \[m\].
    ///
    /// Moving rounds every coordinate, so the result is checked again as by
    /// [`Outline::from_ring`]: a vertex rounded into line with its neighbours is dropped.
    ///
    /// # Errors
    /// If the result leaves the range of coordinates or rounding spoils it.
    pub fn translated(&self, offset: DVec2) -> Result<Self, GeometryError> {
        self.mapped(|vertex| vertex + offset)
    }

    /// This outline turned about the origin; checked again as by [`Outline::translated`].
    ///
    /// # Errors
    /// If the result leaves the range of coordinates or rounding spoils it.
    pub fn rotated(&self, rotation: Rotation) -> Result<Self, GeometryError> {
        self.mapped(|vertex| rotation.rotate(vertex))
    }

    /// This outline scaled about the origin; checked again as by [`Outline::translated`].
    ///
    /// # Errors
    /// If the factor is not positive, the result leaves the range or rounding spoils it.
    pub fn scaled(&self, factor: f64) -> Result<Self, GeometryError> {
        if !(factor.is_finite() && factor > 0.0) {
            return Err(GeometryError::InvalidScale { factor });
        }
        self.mapped(|vertex| factor * vertex)
    }

    fn mapped(&self, map: impl Fn(DVec2) -> DVec2) -> Result<Self, GeometryError> {
        let ring: Vec<DVec2> = self.vertices.iter().copied().map(map).collect();
        Self::from_ring(&ring)
    }
}

#[cfg(test)]
mod tests;
