//! A point seen from an edge, and short lists of edges and vertices.

use super::shape::Corner;
use crate::DVec2;

/// A point seen from an edge.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// Coordinate along the edge from its start \[m\].
    pub(super) along: f64,
    /// Distance to the line of the edge, negative on the inner side \[m\].
    pub(super) height: f64,
    pub(super) distance: f64,
    /// Whether the foot is strictly inside the edge.
    pub(super) is_over: bool,
}

impl View {
    pub(super) fn new(edge: &Corner, point: DVec2) -> Self {
        let from_start = point - edge.point;
        let along = from_start.dot(edge.direction);
        let height = from_start.dot(edge.normal());
        let is_over = along > 0.0 && along < edge.length;
        let distance = if is_over {
            height.abs()
        } else if along <= 0.0 {
            from_start.length()
        } else {
            (point - edge.end).length()
        };
        Self {
            along,
            height,
            distance,
            is_over,
        }
    }
}

/// A few of `0..total`, without allocation: when they are too many, all.
pub(super) struct Shortlist {
    items: [u32; Self::CAPACITY],
    count: usize,
    total: usize,
}

impl Shortlist {
    const CAPACITY: usize = 64;

    pub(super) fn new(total: usize) -> Self {
        Self {
            items: [0; Self::CAPACITY],
            count: 0,
            total,
        }
    }

    pub(super) fn push(&mut self, item: usize) {
        if let Some(place) = self.items.get_mut(self.count) {
            *place = item as u32;
        }
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let is_full = self.count > Self::CAPACITY;
        let length = if is_full { self.total } else { self.count };
        (0..length).map(move |k| if is_full { k } else { self.items[k] as usize })
    }
}
