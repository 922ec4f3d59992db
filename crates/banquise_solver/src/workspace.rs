//! The solver's memory, which belongs to the caller.
//!
//! A solver needs dozens of short vectors for each problem, and there are thousands of problems in a second. A vector
//! that is dropped returns its buffer to the pool of the workspace it came from: once the largest problems have been met, solving
//! one allocates nothing. No result depends on what a workspace holds.

use std::cell::RefCell;
use std::fmt;
use std::ops::{AddAssign, Deref, DerefMut};

use crate::budget::{Budget, StopFlag};
use crate::exact::DoubleDouble;
use crate::policy::RowCounts;
use crate::problem::Body;
use crate::records::{Basic, Block, Face, Side, State, Update};
use crate::settings::SolverSettings;

/// Size classes of a pool: buffers for 64 values, for twice as many, and so on. Larger ones are not kept: their problems take so
/// long that an allocation does not matter.
const SIZE_CLASSES: usize = 15;
const LEAST_CAPACITY: usize = 64;
/// Buffers kept in a size class, and bytes: a path through a problem of hundreds of contacts holds buffers of hundreds of megabytes at once, which the problems
/// after it do not need.
const MAX_KEPT: usize = 1024;
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Empty buffers of one type, by their capacity.
pub struct Pool<T>(RefCell<[Vec<Vec<T>>; SIZE_CLASSES]>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(RefCell::new([const { Vec::new() }; SIZE_CLASSES]))
    }
}

impl<T> Pool<T> {
    /// The class of a capacity, which is a power of two.
    fn class(capacity: usize) -> usize {
        (capacity / LEAST_CAPACITY).max(1).ilog2() as usize
    }

    fn take(&self, length: usize) -> Vec<T> {
        let capacity = length.next_power_of_two().max(LEAST_CAPACITY);
        let kept = self
            .0
            .borrow_mut()
            .get_mut(Self::class(capacity))
            .and_then(Vec::pop);
        kept.unwrap_or_else(|| Vec::with_capacity(capacity))
    }

    fn put(&self, mut values: Vec<T>) {
        values.clear();
        if values.capacity() < LEAST_CAPACITY {
            return;
        }
        let bytes = values.capacity() * size_of::<T>();
        let limit = MAX_KEPT.min(MAX_KEPT_BYTES / bytes);
        let mut classes = self.0.borrow_mut();
        let class = classes.get_mut(Self::class(values.capacity()));
        if let Some(class) = class.filter(|class| class.len() < limit) {
            class.push(values);
        }
    }

    /// Bytes of the buffers that are kept.
    #[cfg(test)]
    fn kept_bytes(&self) -> usize {
        let classes = self.0.borrow();
        let buffers = classes.iter().flatten();
        buffers
            .map(|buffer| buffer.capacity() * size_of::<T>())
            .sum()
    }
}

/// Types of which a workspace has a pool.
pub trait Pooled: Sized {
    /// The pool of a workspace for this type.
    fn pool(workspace: &SolverWorkspace) -> &Pool<Self>;
}

macro_rules! pools {
    ($($name:ident: $kind:ty,)+) => {
        /// Memory that solvers use again from problem to problem, and counters of their work.
        ///
        /// It may be dropped at any time; a clone starts empty.
        #[derive(Default)]
        pub struct SolverWorkspace {
            statistics: RefCell<SolverStatistics>,
            budget: Budget,
            $($name: Pool<$kind>,)+
        }

        $(impl Pooled for $kind {
            fn pool(workspace: &SolverWorkspace) -> &Pool<Self> {
                &workspace.$name
            }
        })+
    };
}

pools! {
    numbers: f64,
    indices: usize,
    short_indices: u32,
    flags: bool,
    vectors: [f64; 2],
    index_pairs: [usize; 2],
    blocks: Block,
    states: State,
    bodies: Body,
    labelled: (usize, usize),
    updates: Update,
    sides: Side,
    faces: Face,
    basics: (Basic, f64),
    doubles: DoubleDouble,
    motions: [DoubleDouble; 3],
}

impl Clone for SolverWorkspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for SolverWorkspace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SolverWorkspace")
            .finish_non_exhaustive()
    }
}

/// Work of the solvers, in counts that depend on the problems alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolverStatistics {
    /// How often each row of the policy was tried, and how often its impulses were taken.
    pub rows: RowCounts,
    /// Gauss–Seidel sweeps over all contacts.
    pub sweeps: u64,
    /// Factorisations of a sparse system: steps of Newton's method and of the interior-point method, and refactorisations on a path.
    pub factorisations: u64,
    /// Paths begun.
    pub paths_tried: u64,
    /// Paths followed to a solution of their problem.
    pub paths_followed: u64,
    /// Operations: an estimate of the additions and multiplications, from the sizes of what was worked on.
    pub operations: u64,
    /// The most operations of one solve.
    pub most_operations: u64,
}

impl AddAssign<&Self> for SolverStatistics {
    fn add_assign(&mut self, other: &Self) {
        self.rows += &other.rows;
        self.sweeps += other.sweeps;
        self.factorisations += other.factorisations;
        self.paths_tried += other.paths_tried;
        self.paths_followed += other.paths_followed;
        self.operations += other.operations;
        self.most_operations = self.most_operations.max(other.most_operations);
    }
}

impl SolverWorkspace {
    /// The work done with it since it was made, or since the last call.
    pub fn take_statistics(&self) -> SolverStatistics {
        self.statistics.take()
    }

    /// Lets a flag interrupt solves.
    pub fn stop_on(&mut self, flag: &StopFlag) {
        self.budget.stop_on(flag);
    }

    /// Counts operations outside the solvers, which use up the grace once the flag is set.
    pub fn note_other_work(&self, operations: u64) {
        self.budget.note_other_work(operations);
    }

    /// Whether the grace after the stop flag is used up: results of solves since then are void.
    pub fn is_interrupted(&self) -> bool {
        self.budget.is_interrupted()
    }

    /// Counts work.
    pub(crate) fn count(&self, add: impl FnOnce(&mut SolverStatistics)) {
        add(&mut self.statistics.borrow_mut());
    }
}

/// Settings and workspace, which every solver is given.
#[derive(Debug, Clone, Copy)]
pub struct SolverContext<'w> {
    /// Tolerances, limits and the policy.
    pub settings: &'w SolverSettings,
    /// Memory.
    pub workspace: &'w SolverWorkspace,
}

/// Calls a function with the default settings and a workspace of its own, for single problems.
pub(crate) fn with_defaults<Answer>(solve: impl FnOnce(SolverContext<'_>) -> Answer) -> Answer {
    solve(SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &SolverWorkspace::default(),
    })
}

impl<'w> SolverContext<'w> {
    /// Begins a solve of so many contacts, with the budget of the settings.
    pub(crate) fn begin(self, contacts: usize) {
        let settings = &self.settings.budget;
        let operations = settings.operations + settings.operations_per_contact * contacts as f64;
        self.workspace.budget.begin(operations);
    }

    /// Begins the last attempt of a solve whose budget is spent.
    pub(crate) fn begin_last(self) {
        let operations = self.settings.budget.last_operations;
        self.workspace.budget.allow(operations);
    }

    /// Ends the last attempt.
    pub(crate) fn end_last(self) {
        self.workspace.budget.allow(0.0);
    }

    /// Counts operations.
    pub(crate) fn spend(self, operations: usize) {
        let operations = operations as u64;
        let spent = self.workspace.budget.spend(operations);
        self.workspace.count(|work| {
            work.operations += operations;
            work.most_operations = work.most_operations.max(spent);
        });
    }

    /// Whether the solve must end: the budget is spent, or it was interrupted.
    pub(crate) fn must_end(self) -> bool {
        self.workspace.budget.must_end()
    }

    /// Whether the stop flag was set and the grace is over.
    pub(crate) fn is_interrupted(self) -> bool {
        self.workspace.is_interrupted()
    }

    /// Whether the budget ended the current solve before it was done.
    pub(crate) fn is_budget_spent(self) -> bool {
        self.workspace.budget.has_ended()
    }

    /// An empty vector.
    pub(crate) fn empty<T: Pooled>(self) -> PooledVec<'w, T> {
        self.with_capacity(LEAST_CAPACITY)
    }

    /// An empty vector with capacity for `length` values.
    pub(crate) fn with_capacity<T: Pooled>(self, length: usize) -> PooledVec<'w, T> {
        PooledVec {
            values: T::pool(self.workspace).take(length),
            home: Some(self.workspace),
        }
    }

    /// A value repeated.
    pub(crate) fn filled<T: Pooled + Clone>(self, value: T, count: usize) -> PooledVec<'w, T> {
        let mut vector = self.with_capacity(count);
        vector.values.resize(count, value);
        vector
    }

    /// A copy of a slice.
    pub(crate) fn copied<T: Pooled + Clone>(self, values: &[T]) -> PooledVec<'w, T> {
        let mut vector = self.with_capacity(values.len());
        vector.values.extend_from_slice(values);
        vector
    }

    /// The values of an iterator.
    pub(crate) fn collect<T: Pooled>(
        self,
        values: impl IntoIterator<Item = T>,
    ) -> PooledVec<'w, T> {
        let values = values.into_iter();
        let mut vector = self.with_capacity(values.size_hint().0);
        vector.values.extend(values);
        vector
    }
}

/// A vector whose buffer returns to the workspace it came from, if it came from one.
pub struct PooledVec<'w, T: Pooled> {
    values: Vec<T>,
    home: Option<&'w SolverWorkspace>,
}

impl<T: Pooled> PooledVec<'_, T> {
    /// Makes the vector longer by repeating a value.
    pub(crate) fn lengthen(&mut self, length: usize, value: T)
    where
        T: Clone,
    {
        self.reserve_pooled(length.saturating_sub(self.values.len()));
        self.values.resize(length, value);
    }

    /// Reserves capacity for more values, in a larger buffer of the pool where this one is too small.
    pub(crate) fn reserve_pooled(&mut self, more: usize) {
        let length = self.values.len() + more;
        if length > self.values.capacity()
            && let Some(home) = self.home
        {
            let mut longer = T::pool(home).take(length);
            longer.append(&mut self.values);
            T::pool(home).put(std::mem::replace(&mut self.values, longer));
        }
    }

    /// The values, in a vector that belongs to no workspace.
    pub fn into_vec(mut self) -> Vec<T> {
        std::mem::take(&mut self.values)
    }

    /// Detaches the vector from the workspace.
    pub(crate) fn detached(self) -> PooledVec<'static, T> {
        self.into_vec().into()
    }
}

impl<T: Pooled> Drop for PooledVec<'_, T> {
    fn drop(&mut self) {
        if let Some(home) = self.home {
            T::pool(home).put(std::mem::take(&mut self.values));
        }
    }
}

impl<T: Pooled> Deref for PooledVec<'_, T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.values
    }
}

impl<T: Pooled> DerefMut for PooledVec<'_, T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.values
    }
}

impl<T: Pooled> Default for PooledVec<'_, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pooled + Clone> Clone for PooledVec<'_, T> {
    fn clone(&self) -> Self {
        let mut values = match self.home {
            Some(home) => T::pool(home).take(self.values.len()),
            None => Vec::with_capacity(self.values.len()),
        };
        values.extend_from_slice(&self.values);
        Self {
            values,
            home: self.home,
        }
    }
}

impl<T: Pooled + fmt::Debug> fmt::Debug for PooledVec<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(formatter)
    }
}

impl<T: Pooled + PartialEq> PartialEq for PooledVec<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<T: Pooled> From<Vec<T>> for PooledVec<'_, T> {
    fn from(values: Vec<T>) -> Self {
        Self { values, home: None }
    }
}

impl<'a, T: Pooled> IntoIterator for &'a PooledVec<'_, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<'a, T: Pooled> IntoIterator for &'a mut PooledVec<'_, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again() {
        with_defaults(|context| {
            let first = context.filled(1.0, 1000);
            let place = first.as_ptr();
            drop(first);
            let second = context.collect((0..600).map(f64::from));
            assert_eq!(second.as_ptr(), place);
            assert_eq!((second.len(), second[499]), (600, 499.0));
            let third = second.clone();
            assert_eq!(second, third);
            assert_ne!(second.as_ptr(), third.as_ptr());
        });
    }

    #[test]
    fn a_vector_has_the_capacity_asked_for() {
        with_defaults(|context| {
            for length in [0, 1, 63, 64, 65, 1000, 65_536, 200_000] {
                for _ in 0..2 {
                    let vector = context.with_capacity::<u32>(length);
                    assert!(vector.capacity() >= length);
                    assert!(vector.capacity() <= (2 * length).max(LEAST_CAPACITY));
                }
            }
            let mut vector = context.filled(3_u32, 50);
            vector.lengthen(1000, 4);
            assert_eq!((vector[49], vector[50], vector.len()), (3, 4, 1000));
        });
    }

    #[test]
    fn a_detached_vector_outlives_its_workspace() {
        let mut kept = PooledVec::default();
        with_defaults(|context| kept = context.filled(2.0, 3).detached());
        assert_eq!(*kept, [2.0; 3]);
    }

    #[test]
    fn what_one_large_problem_needed_is_not_kept_for_ever() {
        let pool = Pool::<f64>::default();
        for (length, count) in [(100, 300), (3_000, 300), (100_000, 50), (1_000_000, 5)] {
            // As many at once as the updates of a long path.
            let held: Vec<Vec<f64>> = (0..count).map(|_| pool.take(length)).collect();
            for buffer in held {
                pool.put(buffer);
            }
        }
        assert!(pool.kept_bytes() <= 4 * MAX_KEPT_BYTES);
        // Small buffers are all there again.
        assert_eq!(pool.0.borrow()[Pool::<f64>::class(128)].len(), 300);
    }
}
