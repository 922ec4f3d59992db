//! A store that is written by a thread of its own, so that the stepping thread never waits for the disk, and what was handed over
//! is safe after a few seconds even if nothing more comes.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{ZarrError, ZarrWriter};

/// From the end of a flush to the next, while something waits: a kill loses at most the records of this time and of the
/// flush itself. A flush writes the last chunk of every array again, some 10 MB, in about 20 ms.
pub const FLUSH_EVERY: Duration = Duration::from_secs(2);

/// What may wait for the thread \[bytes\]: nine records of 100,000 floes. Beyond it, [`BackgroundWriter::send`] waits.
const MAX_WAITING: usize = 64 << 20;

/// Something to do with the store.
type Job = Box<dyn FnOnce(&mut ZarrWriter) -> Result<(), ZarrError> + Send>;

/// A store that a thread of its own writes. Dropped without [`finish`](Self::finish), it loses what was not flushed.
pub struct BackgroundWriter {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified of every change of the state.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// With the memory that each takes \[bytes\].
    jobs: VecDeque<(Job, usize)>,
    /// Memory of all that waits, and of the current job \[bytes\].
    waiting: usize,
    /// The first failure that has not been reported.
    error: Option<ZarrError>,
    /// How many flushes were asked for, and made.
    asked: u64,
    made: u64,
    is_closed: bool,
    /// Whether the thread has ended, which it does before [`is_closed`](Self::is_closed) only by a panic.
    has_ended: bool,
}

impl Shared {
    /// A panic of the other side leaves a state that is whole: it is changed by single assignments.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the thread, which must be there: else one would wait for ever.
    fn wait_for_thread<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        assert!(!state.has_ended, "the thread of the recording has panicked");
        self.wait(state)
    }
}

impl BackgroundWriter {
    /// Hands the store to a thread that flushes it at this interval, while something waits.
    ///
    /// # Errors
    /// [`ZarrError::Io`] when the system gives no thread.
    pub fn new(store: ZarrWriter, flush_every: Duration) -> Result<Self, ZarrError> {
        let path = store.folder().to_owned();
        let shared = Arc::new(Shared::default());
        let side = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("recording".into())
            .spawn(move || Worker::new(store, side, flush_every).run())
            .map_err(|source| ZarrError::Io {
                action: "start a thread that writes",
                path,
                source,
            })?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Lets the thread do something with the store, in the order of the calls. What it was given takes `bytes` of memory.
    ///
    /// # Errors
    /// What went wrong with something sent before.
    pub fn send(
        &self,
        bytes: usize,
        job: impl FnOnce(&mut ZarrWriter) -> Result<(), ZarrError> + Send + 'static,
    ) -> Result<(), ZarrError> {
        let mut state = self.shared.lock();
        while state.waiting > 0 && state.waiting + bytes > MAX_WAITING {
            state = self.shared.wait_for_thread(state);
        }
        state.jobs.push_back((Box::new(job), bytes));
        state.waiting += bytes;
        self.shared.changed.notify_all();
        state.error.take().map_or(Ok(()), Err)
    }

    /// Waits until all that was sent is flushed.
    ///
    /// # Errors
    /// What went wrong with it.
    pub fn flush(&self) -> Result<(), ZarrError> {
        let mut state = self.shared.lock();
        state.asked += 1;
        let asked = state.asked;
        self.shared.changed.notify_all();
        while state.made < asked {
            state = self.shared.wait_for_thread(state);
        }
        state.error.take().map_or(Ok(()), Err)
    }

    /// Flushes all that was sent and ends.
    ///
    /// # Errors
    /// As [`flush`](Self::flush).
    pub fn finish(self) -> Result<(), ZarrError> {
        self.flush()
    }
}

impl Drop for BackgroundWriter {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed already.
            drop(thread.join());
        }
    }
}

/// Next task of the thread.
enum Task {
    Do(Job, usize),
    /// Flush; the requests so far are answered by it.
    Flush(u64),
    End,
}

/// The side of the thread.
struct Worker {
    store: ZarrWriter,
    shared: Arc<Shared>,
    flush_every: Duration,
    /// Whether something was done since the last flush, and when that ended.
    is_dirty: bool,
    flushed: Instant,
}

impl Worker {
    fn new(store: ZarrWriter, shared: Arc<Shared>, flush_every: Duration) -> Self {
        Self {
            store,
            shared,
            flush_every,
            is_dirty: false,
            flushed: Instant::now(),
        }
    }

    fn run(mut self) {
        loop {
            match self.next() {
                Task::Do(job, bytes) => {
                    self.is_dirty = true;
                    let done = job(&mut self.store);
                    self.report(done, |state| state.waiting -= bytes);
                }
                Task::Flush(asked) => {
                    let flushed = self.store.flush();
                    // What could not be written is tried again.
                    self.is_dirty = flushed.is_err();
                    self.flushed = Instant::now();
                    self.report(flushed, |state| state.made = asked);
                }
                Task::End => return,
            }
        }
    }

    /// Waits for a job, a request or the timer. The timer comes first: a queue that is never empty must not put it off.
    fn next(&self) -> Task {
        let mut state = self.shared.lock();
        loop {
            let left = self.flush_every.saturating_sub(self.flushed.elapsed());
            if state.is_closed {
                return Task::End;
            }
            if self.is_dirty && left.is_zero() {
                return Task::Flush(state.made);
            }
            if let Some((job, bytes)) = state.jobs.pop_front() {
                return Task::Do(job, bytes);
            }
            if state.asked > state.made {
                return Task::Flush(state.asked);
            }
            state = if self.is_dirty {
                let woken = self.shared.changed.wait_timeout(state, left);
                woken.unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.shared.wait(state)
            };
        }
    }

    fn report(&self, done: Result<(), ZarrError>, change: impl FnOnce(&mut State)) {
        let mut state = self.shared.lock();
        change(&mut state);
        if let Err(error) = done {
            state.error.get_or_insert(error);
        }
        self.shared.changed.notify_all();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.lock().has_ended = true;
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use tempfile::tempdir;

    use super::*;
    use crate::zarr::{ArrayHandle, ArraySpec, FillValue, Values, ZarrReader};

    fn store(folder: &std::path::Path) -> (ZarrWriter, ArrayHandle) {
        let mut store = ZarrWriter::create(folder, Map::new()).unwrap();
        let spec = ArraySpec {
            name: "time".into(),
            dimensions: vec!["time".into()],
            shape: vec![],
            fill_value: FillValue::F64(f64::NAN),
            attributes: Map::new(),
        };
        let time = store.declare_growing(&spec, 1000).unwrap();
        (store, time)
    }

    fn put(writer: &BackgroundWriter, time: ArrayHandle, value: f64) -> Result<(), ZarrError> {
        writer.send(8, move |store| {
            store.append(&[(time, Values::F64(&[value]))])
        })
    }

    fn times(folder: &std::path::Path) -> Vec<f64> {
        ZarrReader::open(folder)
            .unwrap()
            .read_f64("time")
            .unwrap()
            .1
    }

    #[test]
    fn what_was_sent_is_on_disk_a_while_later_though_nothing_more_comes() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("store");
        let (store, time) = store(&path);
        let writer = BackgroundWriter::new(store, Duration::from_millis(50)).unwrap();
        for value in [1.0, 2.0, 3.0] {
            put(&writer, time, value).unwrap();
        }
        let start = Instant::now();
        while times(&path).len() < 3 {
            assert!(start.elapsed() < Duration::from_secs(20), "no flush");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(times(&path), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_flush_waits_for_all_that_was_sent_and_a_drop_loses_what_came_after() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("store");
        let (store, time) = store(&path);
        let writer = BackgroundWriter::new(store, Duration::from_secs(3600)).unwrap();
        for value in [1.0, 2.0] {
            put(&writer, time, value).unwrap();
        }
        writer.flush().unwrap();
        assert_eq!(times(&path), [1.0, 2.0]);
        put(&writer, time, 3.0).unwrap();
        drop(writer);
        assert_eq!(times(&path), [1.0, 2.0]);
    }

    #[test]
    fn a_failure_is_told_once_by_a_later_call() {
        let folder = tempdir().unwrap();
        let (store, time) = store(&folder.path().join("store"));
        let writer = BackgroundWriter::new(store, Duration::from_secs(3600)).unwrap();
        writer
            .send(8, move |store| store.append(&[(time, Values::F64(&[]))]))
            .unwrap();
        assert!(writer.flush().is_err());
        put(&writer, time, 1.0).unwrap();
        writer.finish().unwrap();
    }

    #[test]
    fn whoever_sends_waits_only_when_too_much_does() {
        let folder = tempdir().unwrap();
        let (store, _) = store(&folder.path().join("store"));
        let writer = BackgroundWriter::new(store, Duration::from_secs(3600)).unwrap();
        let slow = Duration::from_millis(200);
        let sleeping = move |_: &mut ZarrWriter| {
            std::thread::sleep(slow);
            Ok(())
        };
        let start = Instant::now();
        writer.send(MAX_WAITING / 2, sleeping).unwrap();
        writer.send(MAX_WAITING / 2, sleeping).unwrap();
        let unhindered = start.elapsed();
        // The third must wait for the first, and one that is larger than all that may wait, for all.
        writer.send(1, sleeping).unwrap();
        assert!(start.elapsed() >= slow, "{:?}", start.elapsed());
        writer.send(2 * MAX_WAITING, sleeping).unwrap();
        assert!(start.elapsed() >= 3 * slow, "{:?}", start.elapsed());
        assert!(unhindered < slow, "{unhindered:?}");
        writer.finish().unwrap();
        assert!(start.elapsed() >= 4 * slow);
    }
}
