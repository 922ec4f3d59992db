//! Threads over members.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::failure::Failure;

/// Workers, each with threads of its own: a member never waits in the middle of another one, and a sweep of few members still uses all threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crew {
    workers: usize,
    threads_each: usize,
}

impl Crew {
    pub(crate) fn new(threads: Option<u16>, members: usize) -> Self {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.map_or_else(all, usize::from);
        let workers = threads.min(members).max(1);
        Self {
            workers,
            threads_each: (threads / workers).max(1),
        }
    }

    /// Does the work of all items, each once, and gives the outcomes in their order. After an error no further item is begun.
    pub(crate) fn run<I, R, E, F>(self, items: &[I], work: F) -> Result<Vec<R>, Failure>
    where
        I: Sync,
        R: Send,
        E: Send,
        Failure: From<E>,
        F: Fn(&I) -> Result<R, E> + Sync,
    {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
        let failed: Mutex<Option<E>> = Mutex::new(None);
        let labour = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else {
                    return;
                };
                match work(item) {
                    Ok(result) => lock(&done).push((number, result)),
                    Err(error) => {
                        next.store(items.len(), Ordering::Relaxed);
                        lock(&failed).get_or_insert(error);
                    }
                }
            }
        };
        let pools = (0..self.workers).map(|_| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(self.threads_each)
                .build()
                .map_err(|error| Failure::usage(error.to_string(), "ask for fewer threads"))
        });
        let pools: Vec<rayon::ThreadPool> = pools.collect::<Result<_, _>>()?;
        thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| pool.install(labour));
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_default() {
            return Err(error.into());
        }
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(number, _)| *number);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("no thread stops while it writes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_members_share_all_threads() {
        let crew = Crew::new(Some(8), 3);
        assert_eq!((crew.workers, crew.threads_each), (3, 2));
        let crew = Crew::new(Some(2), 100);
        assert_eq!((crew.workers, crew.threads_each), (2, 1));
    }

    #[test]
    fn outcomes_are_in_order_and_an_error_ends_the_work() {
        let items: Vec<u32> = (0..50).collect();
        let crew = Crew::new(Some(4), items.len());
        let doubled = crew.run(&items, |item| Ok::<_, Failure>(2 * item));
        let wanted: Vec<u32> = (0..50).map(|item| 2 * item).collect();
        assert_eq!(doubled.ok(), Some(wanted));
        let refused = crew.run(&items, |&item| match item {
            20 => Err(Failure::usage("no", "yes")),
            item => Ok(item),
        });
        assert!(refused.is_err());
    }
}
