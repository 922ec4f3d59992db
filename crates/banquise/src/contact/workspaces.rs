//! Workspaces of the contact solvers. They are scratch: a clone is empty.

use std::sync::{Mutex, PoisonError};

use banquise_solver::{SolverStatistics, SolverWorkspace, StopFlag};

/// One workspace, for islands that are solved one after the other. The lock is never taken: it makes the scratch buffers
/// shareable between threads, which Python asks of everything it holds.
#[derive(Debug, Default)]
pub(crate) struct Workspace(Mutex<SolverWorkspace>);

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Workspace {
    pub(crate) fn get(&mut self) -> &mut SolverWorkspace {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One workspace for each thread of the pool. Which thread solves an island changes no result, and none of the sums.
#[derive(Debug, Default)]
pub(crate) struct ThreadWorkspaces(Vec<Mutex<SolverWorkspace>>);

impl Clone for ThreadWorkspaces {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ThreadWorkspaces {
    /// Provides a workspace for every thread, whose solves the flag interrupts.
    pub(crate) fn prepare(&mut self, stop: &StopFlag) {
        let threads = rayon::current_num_threads();
        if self.0.len() < threads {
            self.0.resize_with(threads, Mutex::default);
        }
        for workspace in &mut self.0 {
            let workspace = workspace.get_mut().unwrap_or_else(PoisonError::into_inner);
            workspace.stop_on(stop);
        }
    }

    /// Whether a solve was interrupted.
    pub(crate) fn is_interrupted(&mut self) -> bool {
        let mut workspaces = self.0.iter_mut();
        workspaces.any(|workspace| {
            let workspace = workspace.get_mut().unwrap_or_else(PoisonError::into_inner);
            workspace.is_interrupted()
        })
    }

    /// Calls a function with the workspace of this thread, or with the first outside the pool. The lock is never contended: a thread solves
    /// one island at a time.
    pub(crate) fn with(&self, solve: impl FnOnce(&SolverWorkspace)) {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let workspace = self.0[thread].lock();
        solve(&workspace.unwrap_or_else(PoisonError::into_inner));
    }

    /// The work done since the last call, of all threads together.
    pub(crate) fn take_statistics(&mut self) -> SolverStatistics {
        let mut sum = SolverStatistics::default();
        for workspace in &mut self.0 {
            let workspace = workspace.get_mut().unwrap_or_else(PoisonError::into_inner);
            sum += &workspace.take_statistics();
        }
        sum
    }
}
