//! Islands: connected components of the contact graph, by union-find. Obstacles and walls do not connect islands.

use std::ops::Range;

use super::candidate::ContactCandidate;
use crate::body::Bodies;

/// The contacts of a step by islands. The label of an island is the smallest row of a floe in it.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactGraph {
    /// Union-find: for each row another one of its island, with a smaller row; itself for the smallest.
    parents: Vec<u32>,
    /// Contacts as (label of the island, index of the candidate); in order after [`Self::sort`].
    contacts: Vec<(u32, u32)>,
}

impl ContactGraph {
    /// Clears the graph.
    pub(super) fn reset(&mut self, body_count: usize) {
        self.parents.clear();
        self.parents.extend(0..body_count as u32);
        self.contacts.clear();
    }

    /// Adds the contact at a candidate.
    pub(super) fn add(&mut self, bodies: &Bodies, candidate: &ContactCandidate, index: usize) {
        let is_floe = |&row: &usize| bodies.is_floe(row);
        let (a, b) = (
            Some(candidate.a).filter(is_floe),
            candidate.b.filter(is_floe),
        );
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.label(a as u32), self.label(b as u32));
            self.parents[a.max(b) as usize] = a.min(b);
        }
        let floe = a.or(b).unwrap_or(candidate.a) as u32;
        self.contacts.push((floe, index as u32));
    }

    /// Puts the contacts in the order of islands, then of candidates.
    pub(super) fn sort(&mut self) {
        for index in 0..self.contacts.len() {
            self.contacts[index].0 = self.label(self.contacts[index].0);
        }
        self.contacts.sort_unstable();
    }

    /// All contacts.
    pub(super) fn contacts(&self) -> &[(u32, u32)] {
        &self.contacts
    }

    /// The islands as ranges of the contacts, in order.
    pub(super) fn islands(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut end = 0;
        let islands = self.contacts.chunk_by(|x, y| x.0 == y.0);
        islands.map(move |island| {
            end += island.len();
            end - island.len()..end
        })
    }

    /// The label of the island of a row, with path halving (Tarjan & van Leeuwen 1984).
    fn label(&mut self, mut row: u32) -> u32 {
        while self.parents[row as usize] != row {
            let parent = self.parents[row as usize];
            self.parents[row as usize] = self.parents[parent as usize];
            row = self.parents[row as usize];
        }
        row
    }
}
