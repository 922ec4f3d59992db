//! Budget of work of a solve, and the flag that interrupts it.
//!
//! Work is counted in operations: an estimate, from the sizes of what is worked on, of the additions and multiplications made. It does not
//! depend on the machine nor on the number of threads, and neither does the result of a solve whose budget is spent.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Operations allowed after the flag is set, a tenth of a second of work: a step that ends within them is kept.
const GRACE: u64 = 100_000_000;

/// Flag that interrupts a solve and the step it belongs to. Clones share one flag. An interrupted step has no result.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Sets the flag; returns whether it was set before.
    pub fn set(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Budget of the current solve.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    /// Operations of the current solve, and those left; `None` without a budget.
    spent: Cell<u64>,
    left: Cell<Option<u64>>,
    /// Whether it ended the solve before it was done.
    has_ended: Cell<bool>,
    stop: StopFlag,
    /// Operations since the flag was set.
    overdue: Cell<u64>,
}

impl Budget {
    /// Begins a solve with so many operations.
    pub(crate) fn begin(&self, operations: f64) {
        self.spent.set(0);
        self.left.set(Some(operations as u64));
        self.has_ended.set(false);
    }

    /// Sets the operations left, for the last attempt after the budget is spent.
    pub(crate) fn allow(&self, operations: f64) {
        self.left.set(Some(operations as u64));
    }

    /// Counts operations; returns those of the solve so far.
    pub(crate) fn spend(&self, operations: u64) -> u64 {
        self.spent.set(self.spent.get() + operations);
        self.note_other_work(operations);
        let left = self.left.get();
        self.left
            .set(left.map(|left| left.saturating_sub(operations)));
        self.spent.get()
    }

    /// Whether the solve must end. Asked only where work is left, so that a spent budget is noted.
    pub(crate) fn must_end(&self) -> bool {
        let is_spent = self.left.get() == Some(0);
        if is_spent {
            self.has_ended.set(true);
        }
        is_spent || self.is_interrupted()
    }

    /// Whether the budget ended the current solve before it was done.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended.get()
    }

    pub(crate) fn stop_on(&mut self, flag: &StopFlag) {
        self.stop = flag.clone();
        self.overdue.set(0);
    }

    pub(crate) fn note_other_work(&self, operations: u64) {
        if self.stop.is_set() {
            self.overdue.set(self.overdue.get() + operations);
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.overdue.get() > GRACE
    }
}
