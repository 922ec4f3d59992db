//! Which floes are joined by contacts. Obstacles and walls join nobody.

use super::search::Near;
use crate::body::Bodies;

/// Floes joined by contacts, directly or through others, are an island. Its label is its smallest row.
#[derive(Debug, Clone, Default)]
pub(super) struct IslandLabels {
    /// Of each body another one of its island, with a smaller row; itself for the smallest.
    parents: Vec<u32>,
}

impl IslandLabels {
    /// Everybody alone.
    pub(super) fn reset(&mut self, body_count: usize) {
        self.parents.clear();
        self.parents.extend(0..body_count as u32);
    }

    /// Joins the floes of a contact, and says the row of one of them.
    pub(super) fn join(&mut self, bodies: &Bodies, near: &Near) -> u32 {
        let is_floe = |&row: &usize| bodies.is_floe(row);
        let (a, b) = (Some(near.a).filter(is_floe), near.b.filter(is_floe));
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.label(a as u32), self.label(b as u32));
            self.parents[a.max(b) as usize] = a.min(b);
        }
        a.or(b).unwrap_or(near.a) as u32
    }

    /// The label of the island of a floe, after all contacts were joined.
    pub(super) fn label(&mut self, mut row: u32) -> u32 {
        while self.parents[row as usize] != row {
            let parent = self.parents[row as usize];
            self.parents[row as usize] = self.parents[parent as usize];
            row = self.parents[row as usize];
        }
        row
    }
}
