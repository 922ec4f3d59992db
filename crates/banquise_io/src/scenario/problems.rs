//! All problems of a scenario, in one list.

use std::cell::RefCell;

use super::problem::Problem;
use super::trace::{Asked, Note};

/// Problems kept at most: more are not read, and only cost memory.
pub(super) const MAX_PROBLEMS: usize = 1000;

/// The problems met so far. Readers share it by reference.
#[derive(Debug, Default)]
pub struct Problems {
    list: RefCell<Vec<Problem>>,
    /// The keys that decoding asked for, if they are recorded.
    trace: Option<RefCell<Vec<Note>>>,
}

impl Problems {
    /// A collector that also records what decoding asks for.
    pub(crate) fn tracing() -> Self {
        Self {
            trace: Some(RefCell::default()),
            ..Self::default()
        }
    }

    /// Records what was asked of the value at a path, if this collector does.
    pub(super) fn note(&self, path: impl FnOnce() -> String, asked: Asked) {
        if let Some(trace) = &self.trace {
            let path = path();
            trace.borrow_mut().push(Note { path, asked });
        }
    }

    /// All that decoding asked for, in order; nothing from a collector that does not record it.
    pub(crate) fn into_notes(self) -> Vec<Note> {
        self.trace.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Adds a problem.
    pub fn push(&self, problem: Problem) {
        let mut list = self.list.borrow_mut();
        if list.len() < MAX_PROBLEMS {
            list.push(problem);
        }
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
    }

    /// All problems, in the order met.
    pub fn into_list(self) -> Vec<Problem> {
        self.list.into_inner()
    }
}
