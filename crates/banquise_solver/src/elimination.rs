//! Approximate minimum degree ordering of the unknowns of a sparse matrix (Amestoy, Davis & Duff 1996).
//!
//! The elimination graph is a quotient graph: contacts that are adjacent through an eliminated one are not listed one by one, but as the
//! members of its clique (element), which is absorbed by that of the next of them to be eliminated. Degrees are upper bounds, in which a
//! neighbour in two cliques counts twice.

use std::ops::Range;

use crate::blocks::Blocks;
use crate::workspace::{PooledVec, SolverContext};

/// No index: not eliminated yet, not visited yet, or the end of a list.
const NOWHERE: usize = usize::MAX;

/// An elimination ordering, with the neighbours of each contact at its elimination.
pub(crate) struct Elimination<'w> {
    /// The contact eliminated at each step.
    pub(crate) order: PooledVec<'w, usize>,
    /// The step at which each contact is eliminated.
    pub(crate) place: PooledVec<'w, usize>,
    /// For each step, where its neighbours begin in `around`; one more at the end.
    pub(crate) starts: PooledVec<'w, usize>,
    pub(crate) around: PooledVec<'w, u32>,
}

/// Orders all contacts of a matrix.
pub(crate) fn elimination<'w>(context: SolverContext<'w>, matrix: &Blocks<'_>) -> Elimination<'w> {
    let mut graph = Graph::of(context, matrix);
    while let Some(contact) = graph.queue.pop() {
        graph.eliminate(contact);
    }
    graph.done
}

/// Quotient graph of the contacts that are not eliminated yet.
struct Graph<'w> {
    done: Elimination<'w>,
    /// For each contact, from its start on: adjacent contacts, then the cliques it is in, by the steps that made them.
    starts: PooledVec<'w, usize>,
    seen: PooledVec<'w, u32>,
    contact_counts: PooledVec<'w, usize>,
    clique_counts: PooledVec<'w, usize>,
    /// Whether a clique is absorbed: another one holds all its members.
    is_absorbed: PooledVec<'w, bool>,
    /// The last step in which each contact was visited.
    met: PooledVec<'w, usize>,
    /// The last step in which the members of each clique were counted, and how many were not visited.
    counted: PooledVec<'w, usize>,
    unmet: PooledVec<'w, usize>,
    queue: Queue<'w>,
}

impl<'w> Graph<'w> {
    fn of(context: SolverContext<'w>, matrix: &Blocks<'_>) -> Self {
        let count = matrix.count();
        let mut starts: PooledVec<'_, usize> = context.with_capacity(count + 1);
        let mut seen = context.with_capacity(matrix.block_count());
        starts.push(0);
        for row in 0..count {
            let columns = matrix.row(row).map(|(column, _)| column);
            let others = columns.filter(|&column| column != row);
            seen.extend(others.map(|column| column as u32));
            starts.push(seen.len());
        }
        let contact_counts = context.collect(starts.windows(2).map(|w| w[1] - w[0]));
        let mut queue = Queue::of(context, count);
        for contact in (0..count).rev() {
            queue.insert(contact, contact_counts[contact]);
        }
        let mut done = Elimination {
            order: context.with_capacity(count),
            place: context.filled(NOWHERE, count),
            starts: context.with_capacity(count + 1),
            around: context.with_capacity(2 * seen.len()),
        };
        done.starts.push(0);
        Self {
            done,
            starts,
            seen,
            contact_counts,
            clique_counts: context.filled(0, count),
            is_absorbed: context.filled(false, count),
            met: context.filled(NOWHERE, count),
            counted: context.filled(NOWHERE, count),
            unmet: context.filled(0, count),
            queue,
        }
    }

    /// Eliminates a contact, and with it all whose neighbours are its own (mass elimination).
    fn eliminate(&mut self, contact: usize) {
        let step = self.done.order.len();
        let first = self.done.around.len();
        self.take(contact);
        self.done.around.reserve_pooled(self.met.len() - step);
        self.gather(contact, step);
        let mut left = self.done.around.len();
        let mut position = first;
        while position < left {
            let member = self.done.around[position] as usize;
            self.forget_met(member, step);
            if self.contact_counts[member] + self.clique_counts[member] == 0 {
                left -= 1;
                self.done.around.swap(position, left);
            } else {
                position += 1;
            }
        }
        let end = self.done.around.len();
        self.done.starts.push(end);
        for position in (left..end).rev() {
            let member = self.done.around[position] as usize;
            self.queue.remove(member);
            self.take(member);
            self.done.around.reserve_pooled(position - first);
            self.done.around.extend_from_within(first..position);
            self.done.starts.push(self.done.around.len());
        }
        self.join(first..left, step);
    }

    fn take(&mut self, contact: usize) {
        self.done.place[contact] = self.done.order.len();
        self.done.order.push(contact);
    }

    /// Lists all neighbours of a contact, direct ones and those through its cliques, which are absorbed.
    fn gather(&mut self, contact: usize, step: usize) {
        self.met[contact] = step;
        let start = self.starts[contact];
        let cliques = start + self.contact_counts[contact];
        for position in start..cliques {
            let other = self.seen[position];
            self.met[other as usize] = step;
            self.done.around.push(other);
        }
        for position in cliques..cliques + self.clique_counts[contact] {
            let clique = self.seen[position] as usize;
            self.is_absorbed[clique] = true;
            for member in self.done.starts[clique]..self.done.starts[clique + 1] {
                let other = self.done.around[member];
                if self.met[other as usize] != step {
                    self.met[other as usize] = step;
                    self.done.around.push(other);
                }
            }
        }
    }

    /// Removes from a member's lists what the new clique covers: visited contacts, and absorbed cliques.
    fn forget_met(&mut self, member: usize, step: usize) {
        let start = self.starts[member];
        let cliques = start + self.contact_counts[member];
        let end = cliques + self.clique_counts[member];
        let mut kept = start;
        for position in start..cliques {
            let other = self.seen[position];
            if self.met[other as usize] != step {
                self.seen[kept] = other;
                kept += 1;
            }
        }
        self.contact_counts[member] = kept - start;
        for position in cliques..end {
            let clique = self.seen[position];
            if !self.is_absorbed[clique as usize] {
                self.seen[kept] = clique;
                kept += 1;
            }
        }
        self.clique_counts[member] = kept - start - self.contact_counts[member];
    }

    /// Makes the contacts that are left members of the last clique.
    fn join(&mut self, members: Range<usize>, step: usize) {
        let clique = self.done.order.len() - 1;
        for position in members.clone() {
            let member = self.done.around[position] as usize;
            for position in self.cliques_of(member) {
                let other = self.seen[position] as usize;
                if self.counted[other] != step {
                    self.counted[other] = step;
                    self.unmet[other] = self.done.starts[other + 1] - self.done.starts[other];
                }
                self.unmet[other] -= 1;
            }
        }
        for position in members.clone() {
            let member = self.done.around[position] as usize;
            let cliques = self.cliques_of(member);
            let unmet = cliques.clone().map(|at| self.unmet[self.seen[at] as usize]);
            let degree = self.contact_counts[member] + members.len() - 1 + unmet.sum::<usize>();
            // Its slot was that of the contact eliminated, or of an absorbed clique.
            self.seen[cliques.end] = clique as u32;
            self.clique_counts[member] += 1;
            self.queue.remove(member);
            self.queue.insert(member, degree);
        }
    }

    fn cliques_of(&self, contact: usize) -> Range<usize> {
        let start = self.starts[contact] + self.contact_counts[contact];
        start..start + self.clique_counts[contact]
    }
}

/// Contacts by their degrees: a doubly linked list for each degree.
struct Queue<'w> {
    firsts: PooledVec<'w, usize>,
    next: PooledVec<'w, usize>,
    previous: PooledVec<'w, usize>,
    degrees: PooledVec<'w, usize>,
    least: usize,
}

impl<'w> Queue<'w> {
    fn of(context: SolverContext<'w>, count: usize) -> Self {
        Self {
            firsts: context.filled(NOWHERE, count),
            next: context.filled(NOWHERE, count),
            previous: context.filled(NOWHERE, count),
            degrees: context.filled(0, count),
            least: 0,
        }
    }

    /// Puts a contact before all others of its degree.
    fn insert(&mut self, contact: usize, degree: usize) {
        // The bound counts some neighbours twice, and may exceed the number of contacts.
        let degree = degree.min(self.firsts.len() - 1);
        let next = std::mem::replace(&mut self.firsts[degree], contact);
        if next != NOWHERE {
            self.previous[next] = contact;
        }
        self.next[contact] = next;
        self.previous[contact] = NOWHERE;
        self.degrees[contact] = degree;
        self.least = self.least.min(degree);
    }

    fn remove(&mut self, contact: usize) {
        let (next, previous) = (self.next[contact], self.previous[contact]);
        match previous {
            NOWHERE => self.firsts[self.degrees[contact]] = next,
            _ => self.next[previous] = next,
        }
        if next != NOWHERE {
            self.previous[next] = previous;
        }
    }

    /// Removes and returns a contact of least degree.
    fn pop(&mut self) -> Option<usize> {
        let lists = self.firsts.iter().skip(self.least);
        self.least += lists.take_while(|&&first| first == NOWHERE).count();
        let contact = *self.firsts.get(self.least)?;
        self.remove(contact);
        Some(contact)
    }
}
