//! All problems of a scenario, in one list.

use std::cell::RefCell;

use super::problem::Problem;

/// Problems kept at most: more are not read, and only cost memory.
pub(super) const MAX_PROBLEMS: usize = 1000;

/// The problems met so far. Readers share it by reference.
#[derive(Debug, Default)]
pub struct Problems {
    list: RefCell<Vec<Problem>>,
}

impl Problems {
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
