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

/// Indices, without allocation as long as they are few.
pub(super) struct Shortlist {
    items: [u32; Self::CAPACITY],
    count: usize,
    /// All of them, where they are many.
    many: Vec<u32>,
}

impl Shortlist {
    const CAPACITY: usize = 64;

    pub(super) fn new() -> Self {
        Self {
            items: [0; Self::CAPACITY],
            count: 0,
            many: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, item: usize) {
        if let Some(place) = self.items.get_mut(self.count) {
            *place = item as u32;
            self.count += 1;
            return;
        }
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.items);
        }
        self.many.push(item as u32);
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        if self.many.is_empty() {
            &self.items[..self.count]
        } else {
            &self.many
        }
    }

    /// Puts them in increasing order.
    pub(super) fn sort(&mut self) {
        self.items[..self.count].sort_unstable();
        self.many.sort_unstable();
    }
}
