//! The domain: a sea without edges, a rectangle with walls or open edges, or a cell repeated without end.

use banquise_geometry::{Aabb, DVec2};

/// An upright rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    /// Lower left corner \[m\].
    pub min: DVec2,
    /// Upper right corner \[m\].
    pub max: DVec2,
}

impl Rectangle {
    /// Whether a point is within it, or on its border.
    pub fn contains(&self, point: DVec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Width and height \[m\].
    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// Area \[m²\].
    pub fn area(&self) -> f64 {
        let size = self.size();
        size.x * size.y
    }
}

/// A rectangle whose edges are walls, or open: a floe that has gone over an open edge as a whole leaves the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Where the edges are. A wall goes on beyond its corners, in front of an open edge too.
    pub rectangle: Rectangle,
    /// Whether the edges in the west, east, south and north are open.
    pub open: [bool; 4],
}

impl Bounds {
    /// Over which edges in the west, east, south and north a box reaches, walls or not.
    pub fn crossed_by(&self, aabb: &Aabb) -> [bool; 4] {
        let Rectangle { min, max } = self.rectangle;
        [
            aabb.min.x < min.x,
            aabb.max.x > max.x,
            aabb.min.y < min.y,
            aabb.max.y > max.y,
        ]
    }

    /// Whether a box reaches over a wall.
    pub fn is_wall_crossed_by(&self, aabb: &Aabb) -> bool {
        let crossed = self.crossed_by(aabb).into_iter().zip(self.open);
        crossed
            .into_iter()
            .any(|(is_crossed, is_open)| is_crossed && !is_open)
    }

    /// Whether a box has gone over an open edge as a whole.
    pub fn is_beyond(&self, aabb: &Aabb) -> bool {
        let Rectangle { min, max } = self.rectangle;
        let beyond = [
            aabb.max.x < min.x,
            aabb.min.x > max.x,
            aabb.max.y < min.y,
            aabb.min.y > max.y,
        ];
        beyond
            .into_iter()
            .zip(self.open)
            .any(|(is_beyond, is_open)| is_beyond && is_open)
    }
}

/// The edges of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// No edge: nothing beyond the floes.
    Free,
    /// Four edges, each a rigid wall or open.
    Bounded(Bounds),
    /// A cell repeated in both directions; what leaves on one side enters on the other.
    Periodic(Rectangle),
}

impl Domain {
    /// Four rigid walls.
    pub fn walls(rectangle: Rectangle) -> Self {
        let open = [false; 4];
        Self::Bounded(Bounds { rectangle, open })
    }

    /// The rectangle, where there is one.
    pub fn rectangle(&self) -> Option<Rectangle> {
        match self {
            Self::Free => None,
            Self::Bounded(Bounds { rectangle, .. }) | Self::Periodic(rectangle) => Some(*rectangle),
        }
    }

    /// Wraps a position into the periodic cell, and returns by how many cells it moved.
    ///
    /// The unwrapped position is `wrapped + winding · size`. Other domains leave it alone.
    pub fn wrap(&self, position: DVec2) -> (DVec2, [i32; 2]) {
        let Self::Periodic(cell) = self else {
            return (position, [0, 0]);
        };
        let size = cell.size();
        let cells = ((position - cell.min) / size).floor();
        if cells == DVec2::ZERO {
            return (position, [0, 0]);
        }
        (position - cells * size, [cells.x as i32, cells.y as i32])
    }

    /// Shortest vector among all images of `difference`.
    pub fn nearest_image(&self, difference: DVec2) -> DVec2 {
        match self {
            Self::Periodic(cell) => {
                let size = cell.size();
                difference - (difference / size).round() * size
            }
            Self::Free | Self::Bounded(_) => difference,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell() -> Domain {
        Domain::Periodic(Rectangle {
            min: DVec2::new(-1.0, 2.0),
            max: DVec2::new(3.0, 4.0),
        })
    }

    #[test]
    fn wrapping_keeps_the_unwrapped_position() {
        for (x, y) in [
            (-1.0, 2.0),
            (3.0, 4.0),
            (17.5, -9.25),
            (0.0, 3.0),
            (-1.000_001, 3.999),
        ] {
            let position = DVec2::new(x, y);
            let (wrapped, winding) = cell().wrap(position);
            let back =
                wrapped + DVec2::new(f64::from(winding[0]) * 4.0, f64::from(winding[1]) * 2.0);
            assert!((back - position).length() < 1e-12);
            assert!((-1.0..3.0).contains(&wrapped.x) && (2.0..4.0).contains(&wrapped.y));
        }
    }

    #[test]
    fn nearest_image_is_at_most_half_a_cell_away() {
        let d = cell().nearest_image(DVec2::new(3.9, -1.2));
        assert!((d - DVec2::new(-0.1, 0.8)).length() < 1e-12);
    }
}
