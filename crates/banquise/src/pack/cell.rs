//! Convex cells: made by cutting, measured, and turned into floes.

use std::f64::consts::PI;

use banquise_geometry::{DVec2, math};

/// A convex polygon, counter-clockwise; each side remembers what lies behind it.
///
/// A cell that has been cut away has no vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    vertices: Vec<DVec2>,
    /// Side `i` goes from vertex `i` to the next.
    sides: Vec<u32>,
}

impl Cell {
    /// Behind this side there is no other cell.
    pub(super) const BORDER: u32 = u32::MAX;

    pub(super) fn rectangle(min: DVec2, max: DVec2) -> Self {
        Self {
            vertices: vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)],
            sides: vec![Self::BORDER; 4],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Both ends of each side, and what is behind it.
    pub(super) fn sides(&self) -> impl Iterator<Item = (DVec2, DVec2, u32)> + '_ {
        let ends = self.vertices.iter().cycle().skip(1);
        let pairs = self.vertices.iter().zip(ends).zip(&self.sides);
        pairs.map(|((&a, &b), &behind)| (a, b, behind))
    }

    /// Keeps the part with `normal · x ≤ offset`; `behind` is what the cut leads to.
    pub(super) fn clip(&mut self, normal: DVec2, offset: f64, behind: u32) {
        let heights: Vec<f64> = self
            .vertices
            .iter()
            .map(|v| normal.dot(*v) - offset)
            .collect();
        if heights.iter().all(|&height| height <= 0.0) {
            return;
        }
        let count = self.vertices.len();
        let (mut vertices, mut sides) =
            (Vec::with_capacity(count + 1), Vec::with_capacity(count + 1));
        for i in 0..count {
            let j = (i + 1) % count;
            let (a, b) = (self.vertices[i], self.vertices[j]);
            let (high_a, high_b) = (heights[i], heights[j]);
            let crossing = || a + (b - a) * (high_a / (high_a - high_b));
            if high_a <= 0.0 {
                vertices.push(a);
                sides.push(self.sides[i]);
                if high_b > 0.0 {
                    vertices.push(crossing());
                    sides.push(behind);
                }
            } else if high_b <= 0.0 {
                vertices.push(crossing());
                sides.push(self.sides[i]);
            }
        }
        self.vertices = vertices;
        self.sides = sides;
        self.drop_short_sides();
    }

    /// Cuts through a corner leave sides of no length.
    fn drop_short_sides(&mut self) {
        let reach = self.reach();
        let mut kept = Self::default();
        for (a, b, behind) in self.sides() {
            if a.distance(b) > 1e-12 * reach {
                kept.vertices.push(a);
                kept.sides.push(behind);
            }
        }
        *self = if kept.vertices.len() < 3 {
            Self::default()
        } else {
            kept
        };
    }

    /// The part of a segment strictly inside the cell, if there is any to speak of.
    pub(super) fn part_inside(&self, a: DVec2, b: DVec2) -> Option<(DVec2, DVec2)> {
        let slack = 1e-9 * self.reach();
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (p, q, _) in self.sides() {
            let inward = (q - p).perp().normalize_or_zero();
            let (depth_a, depth_b) = (inward.dot(a - p) - slack, inward.dot(b - p) - slack);
            match (depth_a > 0.0, depth_b > 0.0) {
                (true, true) => {}
                (false, false) => return None,
                (false, true) => from = from.max(depth_a / (depth_a - depth_b)),
                (true, false) => to = to.min(depth_a / (depth_a - depth_b)),
            }
        }
        let is_long = (to - from) * (b - a).length() > slack;
        is_long.then(|| (a.lerp(b, from), a.lerp(b, to)))
    }

    /// Largest distance from the origin.
    pub(super) fn reach(&self) -> f64 {
        let lengths = self.vertices.iter().map(|vertex| vertex.length_squared());
        lengths.fold(0.0, f64::max).sqrt()
    }

    /// How far a point sticks out \[m\]; zero inside.
    pub(super) fn excess(&self, point: DVec2) -> f64 {
        let out = self
            .sides()
            .map(|(a, b, _)| -(b - a).perp().normalize_or_zero().dot(point - a));
        out.fold(0.0, f64::max)
    }

    pub(super) fn area(&self) -> f64 {
        0.5 * self.sides().map(|(a, b, _)| a.perp_dot(b)).sum::<f64>()
    }

    /// Zero for a cell that is gone.
    pub(super) fn centroid(&self) -> DVec2 {
        let twice = 2.0 * self.area();
        if twice <= 0.0 {
            return DVec2::ZERO;
        }
        let moment: DVec2 = self.sides().map(|(a, b, _)| a.perp_dot(b) * (a + b)).sum();
        moment / (3.0 * twice)
    }

    /// The cell less a band of this width along all sides.
    pub(super) fn shrunk(&self, width: f64) -> Self {
        let mut inner = self.clone();
        for (a, b, behind) in self.sides() {
            let outward = -(b - a).perp().normalize_or_zero();
            inner.clip(outward, outward.dot(a) - width, behind);
        }
        inner
    }

    /// The cell grown by `radius` on all sides: corners become arcs of at most `step` \[rad\] a side.
    pub(super) fn grown(&self, radius: f64, step: f64) -> Vec<DVec2> {
        let count = self.vertices.len();
        let mut ring = Vec::new();
        for i in 0..count {
            let here = self.vertices[i];
            let before = here - self.vertices[(i + count - 1) % count];
            let after = self.vertices[(i + 1) % count] - here;
            let turn = math::atan2(before.perp_dot(after), before.dot(after)).clamp(0.0, PI);
            let start = math::atan2(-before.x, before.y);
            let parts = (turn / step).ceil().max(1.0);
            for k in 0..=parts as usize {
                let (sin, cos) = math::sin_cos(start + turn * k as f64 / parts);
                ring.push(here + radius * DVec2::new(cos, sin));
            }
        }
        ring
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Cell {
        Cell::rectangle(DVec2::ZERO, DVec2::new(2.0, 2.0))
    }

    #[test]
    fn a_cut_keeps_its_side_and_says_what_is_behind() {
        let mut cell = square();
        cell.clip(DVec2::X, 0.5, 7);
        assert!((cell.area() - 1.0).abs() < 1e-15);
        assert_eq!(cell.centroid(), DVec2::new(0.25, 1.0));
        let behind: Vec<u32> = cell.sides().map(|(_, _, behind)| behind).collect();
        assert_eq!(behind, [Cell::BORDER, 7, Cell::BORDER, Cell::BORDER]);
        cell.clip(DVec2::Y, -1.0, 8);
        assert!(cell.is_empty() && cell.area() == 0.0 && cell.reach() == 0.0);
    }

    #[test]
    fn a_cut_through_corners_leaves_no_short_side() {
        let mut cell = square();
        cell.clip(DVec2::new(1.0, 1.0), 2.0, 7);
        assert_eq!(cell.vertices.len(), 3);
        assert!((cell.area() - 2.0).abs() < 1e-15);
    }

    #[test]
    fn shrinking_and_growing_rounds_the_corners() {
        let inner = square().shrunk(0.25);
        assert!((inner.area() - 2.25).abs() < 1e-15);
        let ring = inner.grown(0.25, 0.01);
        let area: f64 = (0..ring.len())
            .map(|i| 0.5 * ring[i].perp_dot(ring[(i + 1) % ring.len()]))
            .sum();
        let exact = 4.0 - (4.0 - PI) * 0.0625;
        assert!((area - exact).abs() < 1e-5, "{area} {exact}");
    }

    #[test]
    fn the_part_of_a_segment_inside_is_found() {
        let cell = square();
        let (a, b) = cell
            .part_inside(DVec2::new(-1.0, 1.0), DVec2::new(1.0, 1.0))
            .unwrap();
        assert!(a.length() - 1.0 < 1e-8 && b == DVec2::new(1.0, 1.0));
        assert_eq!(cell.part_inside(DVec2::ZERO, DVec2::new(2.0, 0.0)), None);
        assert_eq!(
            cell.part_inside(DVec2::new(3.0, 0.0), DVec2::new(3.0, 1.0)),
            None
        );
    }
}
