//! The checks that stand between a list of points and an [`Outline`].

use crate::predicates::{Orientation, orientation};
use crate::{DVec2, GeometryError, Outline};

use super::crossing::find_crossing;

/// Finite points within range, each with its index in the caller's list so that errors name it.
pub(super) struct Ring {
    points: Vec<DVec2>,
    source: Vec<usize>,
}

impl Ring {
    /// Checks the coordinates one by one.
    pub(super) fn new(mut points: Vec<DVec2>) -> Result<Self, GeometryError> {
        let limit = Outline::MAX_COORDINATE;
        for (index, &point) in points.iter().enumerate() {
            if !point.is_finite() {
                return Err(GeometryError::NonFiniteVertex { index, point });
            }
            if point.abs().max_element() > limit {
                return Err(GeometryError::CoordinateTooLarge {
                    index,
                    point,
                    limit,
                });
            }
        }
        for point in &mut points {
            *point = flush_negligible(*point);
        }
        let source = (0..points.len()).collect();
        Ok(Self { points, source })
    }

    /// Without vertices that repeat the one before, the first one coming after the last.
    pub(super) fn without_repeats(self) -> Self {
        let count = self.points.len();
        let is_new = |i: usize| i == 0 || self.points[i] != self.points[i - 1];
        let mut kept: Vec<usize> = (0..count).filter(|&i| is_new(i)).collect();
        while kept.len() > 1 && self.points[kept[kept.len() - 1]] == self.points[0] {
            kept.pop();
        }
        self.keep(&kept)
    }

    /// Without vertices on the straight line between their neighbours.
    ///
    /// One pass is enough: leaving out a point between two others of the same line changes no
    /// direction, hence no turn at any other vertex.
    pub(super) fn without_straight_vertices(self) -> Self {
        let kept: Vec<usize> = (0..self.points.len())
            .filter(|&i| self.turn(i) != Turn::Straight)
            .collect();
        self.keep(&kept)
    }

    /// Runs all the checks, in an order such that each may rely on those before.
    pub(super) fn into_outline(self) -> Result<Outline, GeometryError> {
        let count = self.points.len();
        if count < 3 {
            return Err(GeometryError::TooFewVertices { count });
        }
        self.check_repeats()?;
        self.check_edge_lengths()?;
        self.check_turns()?;
        self.check_crossings()?;
        let is_clockwise = self.is_clockwise();
        let mut vertices = self.points;
        if is_clockwise {
            vertices[1..].reverse();
        }
        let outline = Outline::from_valid(vertices);
        let (area, perimeter) = (outline.area(), outline.perimeter());
        if area > Outline::MIN_AREA_TO_PERIMETER_SQ * perimeter * perimeter {
            Ok(outline)
        } else {
            Err(GeometryError::AreaTooSmall { area, perimeter })
        }
    }

    fn check_repeats(&self) -> Result<(), GeometryError> {
        let last = self.points.len() - 1;
        if self.points[0] == self.points[last] {
            let (index, point) = (self.source[last], self.points[last]);
            return Err(GeometryError::ClosingVertexRepeated { index, point });
        }
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&i, &j| {
            let (a, b) = (self.points[i], self.points[j]);
            a.x.total_cmp(&b.x)
                .then(a.y.total_cmp(&b.y))
                .then(i.cmp(&j))
        });
        match order
            .windows(2)
            .find(|pair| self.points[pair[0]] == self.points[pair[1]])
        {
            Some(pair) => Err(GeometryError::RepeatedVertex {
                first: self.source[pair[0]],
                second: self.source[pair[1]],
                point: self.points[pair[0]],
            }),
            None => Ok(()),
        }
    }

    fn check_edge_lengths(&self) -> Result<(), GeometryError> {
        let limit = Outline::MIN_EDGE_LENGTH;
        for (i, &start) in self.points.iter().enumerate() {
            let length = (self.point_after(i) - start).length();
            if length < limit {
                return Err(GeometryError::EdgeTooShort {
                    index: self.source[i],
                    start,
                    length,
                    limit,
                });
            }
        }
        Ok(())
    }

    fn check_turns(&self) -> Result<(), GeometryError> {
        for (i, &point) in self.points.iter().enumerate() {
            let index = self.source[i];
            match self.turn(i) {
                Turn::Corner => {}
                Turn::Straight => return Err(GeometryError::StraightVertex { index, point }),
                Turn::Spike => return Err(GeometryError::SpikeVertex { index, point }),
            }
        }
        Ok(())
    }

    fn check_crossings(&self) -> Result<(), GeometryError> {
        match find_crossing(&self.points) {
            Some((i, j)) => Err(GeometryError::EdgesCross {
                first: self.source[i],
                second: self.source[j],
                first_start: self.points[i],
                second_start: self.points[j],
            }),
            None => Ok(()),
        }
    }

    /// Exact for a simple polygon: its lowest vertex on the left is a corner of its hull, and
    /// the turn there is the turn of the whole boundary. A tiny area has no sure sign.
    fn is_clockwise(&self) -> bool {
        let mut lowest = 0;
        for (i, point) in self.points.iter().enumerate() {
            let best = self.points[lowest];
            if (point.x, point.y) < (best.x, best.y) {
                lowest = i;
            }
        }
        let (before, after) = (self.point_before(lowest), self.point_after(lowest));
        orientation(before, self.points[lowest], after) == Orientation::Clockwise
    }

    fn turn(&self, i: usize) -> Turn {
        let (before, here, after) = (self.point_before(i), self.points[i], self.point_after(i));
        if orientation(before, here, after) != Orientation::Collinear {
            return Turn::Corner;
        }
        // On one line both products of the dot product have the same sign, and the sign of a
        // difference of floats is exact: so is the sign of the sum.
        let advance = (here - before).dot(after - here);
        if advance > 0.0 {
            Turn::Straight
        } else {
            Turn::Spike
        }
    }

    fn point_before(&self, i: usize) -> DVec2 {
        self.points[(i + self.points.len() - 1) % self.points.len()]
    }

    fn point_after(&self, i: usize) -> DVec2 {
        self.points[(i + 1) % self.points.len()]
    }

    fn keep(&self, kept: &[usize]) -> Self {
        Self {
            points: kept.iter().map(|&i| self.points[i]).collect(),
            source: kept.iter().map(|&i| self.source[i]).collect(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Corner,
    Straight,
    Spike,
}

/// Zero for each coordinate too small for the exact predicates.
pub(crate) fn flush_negligible(point: DVec2) -> DVec2 {
    let flush = |c: f64| {
        if c.abs() < Outline::NEGLIGIBLE_COORDINATE {
            0.0
        } else {
            c
        }
    };
    DVec2::new(flush(point.x), flush(point.y))
}
