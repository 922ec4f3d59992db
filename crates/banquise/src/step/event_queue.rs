//! Events of local time stepping, in the order of their times, then of the pairs.

use std::cmp::Ordering;

/// What happens at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EventKind {
    /// The bound of this pair ends: it is queried again.
    Query(u32),
    /// This body leaves its box, which is refitted.
    Refit(u32),
}

/// An event of the queue, at a time from the start of the step \[s\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Event {
    pub(super) time: f64,
    pub(super) kind: EventKind,
}

impl Eq for Event {}

impl Ord for Event {
    /// The earliest is the greatest: the heap gives it first.
    fn cmp(&self, other: &Self) -> Ordering {
        let earlier = other.time.total_cmp(&self.time);
        earlier.then_with(|| other.kind.cmp(&self.kind))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
