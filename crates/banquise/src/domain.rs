//! Where the ice lives: an open sea, a walled basin, or a cell repeated without end.

use banquise_geometry::DVec2;

/// An upright rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    /// Lower left corner \[m\].
    pub min: DVec2,
    /// Upper right corner \[m\].
    pub max: DVec2,
}

impl Rectangle {
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

/// The edges of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// No edge: nothing beyond the floes.
    Free,
    /// Four rigid walls.
    Walls(Rectangle),
    /// A cell repeated in both directions; what leaves on one side enters on the other.
    Periodic(Rectangle),
}

impl Domain {
    /// The rectangle, where there is one.
    pub fn rectangle(&self) -> Option<Rectangle> {
        match self {
            Self::Free => None,
            Self::Walls(rectangle) | Self::Periodic(rectangle) => Some(*rectangle),
        }
    }

    /// Brings a position back into the periodic cell, and says by how many cells it moved.
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
            Self::Free | Self::Walls(_) => difference,
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
