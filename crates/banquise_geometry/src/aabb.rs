//! Boxes with sides along the axes.

use crate::{DVec2, Pose, Shape};

/// A box with sides along the axes, border included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates \[m\].
    pub min: DVec2,
    /// Largest coordinates \[m\].
    pub max: DVec2,
}

impl Aabb {
    /// The box of no point at all: it overlaps nothing, and its union with a box is that box.
    pub const EMPTY: Self = Self {
        min: DVec2::INFINITY,
        max: DVec2::NEG_INFINITY,
    };

    /// The smallest box round the points \[m\].
    pub fn of_points(points: impl IntoIterator<Item = DVec2>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, point| Self {
            min: aabb.min.min(point),
            max: aabb.max.max(point),
        })
    }

    /// The smallest box round a shape in its place: no vertex, as [`Pose::world_from_body`] rounds
    /// it, sticks out.
    pub fn of_shape(shape: &Shape, pose: Pose) -> Self {
        match shape {
            Shape::Outline(outline) => {
                let vertices = outline.vertices().iter();
                Self::of_points(vertices.map(|&vertex| pose.world_from_body(vertex)))
            }
            Shape::Disc(disc) => {
                let center = pose.world_from_body(disc.center());
                Self::of_points([center]).grown(disc.radius())
            }
        }
    }

    /// This box with its sides moved outwards by `margin` \[m\].
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            min: self.min - DVec2::splat(margin),
            max: self.max + DVec2::splat(margin),
        }
    }

    /// This box moved by `offset` \[m\].
    #[must_use]
    pub fn translated(&self, offset: DVec2) -> Self {
        Self {
            min: self.min + offset,
            max: self.max + offset,
        }
    }

    /// The smallest box round both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Whether the boxes share at least one point.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether the point \[m\] is inside or on the border.
    pub fn contains(&self, point: DVec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// The corners, counter-clockwise \[m\].
    pub fn corners(&self) -> [DVec2; 4] {
        let Self { min, max } = *self;
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }

    /// The middle of the box \[m\].
    pub fn center(&self) -> DVec2 {
        0.5 * (self.min + self.max)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::{Disc, Outline, Rotation};

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb {
            min: DVec2::new(x0, y0),
            max: DVec2::new(x1, y1),
        }
    }

    #[test]
    fn boxes_that_touch_overlap_and_the_empty_box_overlaps_nothing() {
        let unit = aabb(0.0, 0.0, 1.0, 1.0);
        assert!(unit.overlaps(&aabb(1.0, 1.0, 2.0, 2.0)));
        assert!(!unit.overlaps(&aabb(1.1, 0.0, 2.0, 2.0)));
        assert!(unit.overlaps(&aabb(1.1, 0.0, 2.0, 2.0).grown(0.1)));
        assert!(!unit.overlaps(&Aabb::EMPTY) && !Aabb::EMPTY.overlaps(&Aabb::EMPTY));
        assert_eq!(Aabb::EMPTY.union(&unit), unit);
        assert_eq!(
            unit.translated(DVec2::X).union(&unit),
            aabb(0.0, 0.0, 2.0, 1.0)
        );
        assert_eq!(unit.center(), DVec2::splat(0.5));
        assert!(unit.contains(DVec2::ONE) && !unit.contains(DVec2::new(0.5, 1.5)));
    }

    #[test]
    fn the_box_of_a_placed_shape_is_tight() {
        let pose = Pose {
            position: DVec2::new(10.0, 20.0),
            rotation: Rotation::from_angle(PI / 4.0),
        };
        let disc = Shape::Disc(Disc::try_new(2.0).unwrap());
        assert_eq!(Aabb::of_shape(&disc, pose), aabb(8.0, 18.0, 12.0, 22.0));
        let square = Shape::Outline(Outline::regular_polygon(2.0, 4).unwrap());
        let turned = Aabb::of_shape(&square, pose);
        let half = DVec2::splat(2.0_f64.sqrt());
        assert!((turned.min - (pose.position - half)).length() < 1e-14);
        assert!((turned.max - (pose.position + half)).length() < 1e-14);
    }
}
