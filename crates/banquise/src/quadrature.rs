//! Quadrature points of all floes in three flat arrays, ready for wide arithmetic.

use std::ops::Range;

use banquise_geometry::DVec2;

/// How many points the drag kernel handles at once. Sums run in this many lanes whatever the
/// machine, so that the width of its registers never changes a bit.
pub(crate) const LANES: usize = 4;

/// Points and weights of every body, in its body frame, padded to whole lanes with zero weights.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuadratureStore {
    x: Vec<[f64; LANES]>,
    y: Vec<[f64; LANES]>,
    weight: Vec<[f64; LANES]>,
    /// End of each body's range, in lanes.
    ends: Vec<usize>,
}

/// The points of one body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuadraturePoints<'a> {
    /// First coordinates \[m\].
    pub(crate) x: &'a [[f64; LANES]],
    /// Second coordinates \[m\].
    pub(crate) y: &'a [[f64; LANES]],
    /// Areas the points stand for \[m²\].
    pub(crate) weight: &'a [[f64; LANES]],
}

impl QuadratureStore {
    /// Adds the next body's points.
    pub(crate) fn push(&mut self, points: &[(DVec2, f64)]) {
        let lanes = || points.chunks(LANES).map(padded);
        self.x
            .extend(lanes().map(|lane| lane.map(|(point, _)| point.x)));
        self.y
            .extend(lanes().map(|lane| lane.map(|(point, _)| point.y)));
        self.weight
            .extend(lanes().map(|lane| lane.map(|(_, weight)| weight)));
        self.ends.push(self.x.len());
    }

    /// The points of the body in this row with their weights, without those that only fill a lane.
    pub(crate) fn points(&self, row: usize) -> Vec<(DVec2, f64)> {
        let QuadraturePoints { x, y, weight } = self.of(row);
        let lanes = x.as_flattened().iter().zip(y.as_flattened());
        let points = lanes.map(|(&x, &y)| DVec2::new(x, y));
        let mut points: Vec<(DVec2, f64)> =
            points.zip(weight.as_flattened().iter().copied()).collect();
        // What fills a lane is put back by `push`.
        while points.last() == Some(&(DVec2::ZERO, 0.0)) {
            points.pop();
        }
        points
    }

    /// Gives the body in this row other points.
    pub(crate) fn replace(&mut self, row: usize, points: &[(DVec2, f64)]) {
        let range = self.range(row);
        let lanes = || points.chunks(LANES).map(padded);
        let (old, new) = (range.len(), lanes().len());
        let x = lanes().map(|lane| lane.map(|(point, _)| point.x));
        self.x.splice(range.clone(), x);
        let y = lanes().map(|lane| lane.map(|(point, _)| point.y));
        self.y.splice(range.clone(), y);
        let weight = lanes().map(|lane| lane.map(|(_, weight)| weight));
        self.weight.splice(range, weight);
        for end in &mut self.ends[row..] {
            *end = *end + new - old;
        }
    }

    /// Keeps the points of the bodies that are marked.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let mut kept = Self::default();
        for (row, _) in keep.iter().enumerate().filter(|(_, keep)| **keep) {
            let QuadraturePoints { x, y, weight } = self.of(row);
            kept.x.extend_from_slice(x);
            kept.y.extend_from_slice(y);
            kept.weight.extend_from_slice(weight);
            kept.ends.push(kept.x.len());
        }
        *self = kept;
    }

    /// Memory of the arrays \[bytes\].
    pub(crate) fn memory(&self) -> usize {
        let arrays = [&self.x, &self.y, &self.weight];
        let points: usize = arrays
            .into_iter()
            .map(|array| size_of_val(&array[..]))
            .sum();
        points + size_of_val(&self.ends[..])
    }

    /// The points of the body in this row.
    pub(crate) fn of(&self, row: usize) -> QuadraturePoints<'_> {
        let range = self.range(row);
        QuadraturePoints {
            x: &self.x[range.clone()],
            y: &self.y[range.clone()],
            weight: &self.weight[range],
        }
    }

    /// Where the points of a body are, in lanes.
    fn range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        start..self.ends[row]
    }
}

/// Up to a lane of points, filled up with zero weights.
fn padded(points: &[(DVec2, f64)]) -> [(DVec2, f64); LANES] {
    let mut padded = [(DVec2::ZERO, 0.0); LANES];
    padded[..points.len()].copy_from_slice(points);
    padded
}
