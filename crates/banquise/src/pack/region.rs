//! The piece of sea that a pack fills.

use banquise_geometry::{DVec2, Outline};

use super::cell::Cell;
use super::error::PackError;
use crate::domain::Rectangle;

/// A polygon of sea, or a cell repeated without end.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    outline: Outline,
    period: Option<DVec2>,
}

impl Region {
    /// A polygon; floes stay inside.
    pub fn polygon(outline: Outline) -> Self {
        Self {
            outline,
            period: None,
        }
    }

    /// A rectangle with floes inside.
    ///
    /// # Errors
    /// If the rectangle is no outline: too small or too far away.
    pub fn rectangle(rectangle: Rectangle) -> Result<Self, PackError> {
        let Rectangle { min, max } = rectangle;
        let corners = vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        let outline = Outline::try_new(corners).map_err(PackError::Region)?;
        Ok(Self::polygon(outline))
    }

    /// A cell whose left edge is its right edge, and its lower edge its upper.
    ///
    /// # Errors
    /// If the rectangle is no outline: too small or too far away.
    pub fn periodic(cell: Rectangle) -> Result<Self, PackError> {
        Ok(Self {
            period: Some(cell.size()),
            ..Self::rectangle(cell)?
        })
    }

    /// Its border \[m\].
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Width and height of the cell \[m\], if it is periodic.
    pub fn period(&self) -> Option<DVec2> {
        self.period
    }

    /// Area \[m²\].
    pub fn area(&self) -> f64 {
        self.outline.area()
    }

    /// Lower left and upper right corners of the box around it \[m\].
    pub(super) fn bounds(&self) -> (DVec2, DVec2) {
        let vertices = self.outline.vertices().iter();
        vertices.fold(
            (DVec2::INFINITY, DVec2::NEG_INFINITY),
            |(min, max), &vertex| (min.min(vertex), max.max(vertex)),
        )
    }

    /// The vector from one point to the nearest image of another.
    pub(super) fn nearest(&self, difference: DVec2) -> DVec2 {
        match self.period {
            Some(period) => difference - (difference / period).round() * period,
            None => difference,
        }
    }

    /// The image of a point that lies in the cell; points of a polygon stay.
    pub(super) fn wrapped(&self, point: DVec2) -> DVec2 {
        match self.period {
            Some(period) => {
                let min = self.bounds().0;
                point - ((point - min) / period).floor() * period
            }
            None => point,
        }
    }

    /// Whether the point is inside by at least this distance; always in a periodic cell.
    pub(super) fn holds(&self, point: DVec2, depth: f64) -> bool {
        self.period.is_some()
            || (self.outline.contains(point) && self.distance_to_border(point) >= depth)
    }

    /// Distance to the border of a polygon \[m\], from inside or outside.
    pub(super) fn distance_to_border(&self, point: DVec2) -> f64 {
        let edges = self.outline.edges();
        edges
            .map(|(a, b)| banquise_geometry::distance_point_segment(point, a, b).distance)
            .fold(f64::INFINITY, f64::min)
    }

    /// Diameter of the largest circle inside a polygon \[m\], found to a few percent from below by looking at
    /// a grid of points and then closer.
    pub(super) fn widest_room(&self) -> f64 {
        const POINTS: u32 = 24;
        let (min, max) = self.bounds();
        let (mut center, mut half) = (0.5 * (min + max), 0.5 * (max - min));
        let mut best = 0.0;
        for _ in 0..6 {
            let mut next = center;
            for i in 0..=POINTS {
                for j in 0..=POINTS {
                    let place = DVec2::new(f64::from(i), f64::from(j)) / f64::from(POINTS);
                    let point = center + half * (2.0 * place - DVec2::ONE);
                    if self.outline.contains(point) {
                        let distance = self.distance_to_border(point);
                        if distance > best {
                            (best, next) = (distance, point);
                        }
                    }
                }
            }
            (center, half) = (next, 0.25 * half);
        }
        2.0 * best
    }

    /// A convex part of the region about a point inside it, relative to that point: all of it where
    /// the region is convex; what lies behind a corner that juts in is cut off straight.
    pub(super) fn convex_part(&self, point: DVec2) -> Cell {
        if let Some(period) = self.period {
            return Cell::rectangle(-0.5 * period, 0.5 * period);
        }
        let (min, max) = self.bounds();
        let mut cell = Cell::rectangle(min - point, max - point);
        let mut edges: Vec<(DVec2, DVec2)> = self
            .outline
            .edges()
            .map(|(a, b)| (a - point, b - point))
            .collect();
        // Each turn removes the nearest edge that runs through the cell, so it ends.
        while let Some((index, nearest)) = nearest_edge(&edges, &cell) {
            let (a, b) = edges.swap_remove(index);
            let is_facing = a.perp_dot(b) > 0.0;
            let normal = if is_facing {
                -(b - a).perp().normalize_or_zero()
            } else {
                nearest.normalize_or_zero()
            };
            cell.clip(normal, normal.dot(nearest), Cell::BORDER);
        }
        cell
    }
}

/// The edge that runs through the inside of the cell nearest to the origin, and its point there.
fn nearest_edge(edges: &[(DVec2, DVec2)], cell: &Cell) -> Option<(usize, DVec2)> {
    let mut best: Option<(usize, DVec2)> = None;
    for (index, &(a, b)) in edges.iter().enumerate() {
        let Some((a, b)) = cell.part_inside(a, b) else {
            continue;
        };
        let point = banquise_geometry::distance_point_segment(DVec2::ZERO, a, b).point;
        if best.is_none_or(|(_, other)| point.length_squared() < other.length_squared()) {
            best = Some((index, point));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn l_shape() -> Region {
        let corners = [
            (0.0, 0.0),
            (4.0, 0.0),
            (4.0, 1.0),
            (1.0, 1.0),
            (1.0, 4.0),
            (0.0, 4.0),
        ];
        let vertices = corners.map(|(x, y)| DVec2::new(x, y)).to_vec();
        Region::polygon(Outline::try_new(vertices).unwrap())
    }

    #[test]
    fn the_convex_part_is_all_of_a_convex_region() {
        let region = Region::rectangle(Rectangle {
            min: DVec2::new(1.0, 2.0),
            max: DVec2::new(4.0, 9.0),
        })
        .unwrap();
        let part = region.convex_part(DVec2::new(1.5, 8.0));
        assert!((part.area() - 21.0).abs() < 1e-12);
    }

    #[test]
    fn the_convex_part_stays_inside_and_holds_its_point() {
        let region = l_shape();
        for (x, y) in [(0.5, 0.5), (3.5, 0.5), (0.3, 3.0), (0.9, 0.9), (1.5, 0.99)] {
            let point = DVec2::new(x, y);
            let part = region.convex_part(point);
            assert!(part.area() > 0.9, "{point}: {}", part.area());
            let middle = point + part.centroid();
            for (vertex, ..) in part.sides() {
                let inside = middle.lerp(point + vertex, 1.0 - 1e-9);
                assert!(region.outline().contains(inside), "{point}: {inside}");
            }
        }
    }

    #[test]
    fn images_are_wrapped_into_the_cell() {
        let cell = Rectangle {
            min: DVec2::new(-1.0, 2.0),
            max: DVec2::new(3.0, 4.0),
        };
        let region = Region::periodic(cell).unwrap();
        assert_eq!(region.wrapped(DVec2::new(5.5, 1.5)), DVec2::new(1.5, 3.5));
        assert_eq!(region.nearest(DVec2::new(3.0, 0.5)), DVec2::new(-1.0, 0.5));
        assert!(region.holds(DVec2::new(99.0, 0.0), 1.0));
    }
}
