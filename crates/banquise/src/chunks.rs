//! Work on bodies in chunks of a fixed size, on any number of threads.
//!
//! The chunks, and so the order of every sum, depend on the number of bodies alone: one thread or
//! eight give the same bits.

/// Bodies in a chunk: some 50 µs of drag, enough to be worth handing to another thread.
pub(crate) const CHUNK: usize = 256;

/// Tasks in a chunk where one takes some tens of nanoseconds, such as a comparison of two boxes.
pub(crate) const SMALL_THINGS: usize = 4 * CHUNK;

/// Whether so many small tasks are worth the cost of waking other threads.
pub(crate) fn are_worth_sharing(count: usize) -> bool {
    count > 2 * SMALL_THINGS && rayon::current_num_threads() > 1
}

/// Whether so many bodies are worth the cost of waking other threads. A single chunk runs on the calling thread: handing it
/// over would cost more than stepping one floe.
pub(crate) fn is_worth_sharing(body_count: usize) -> bool {
    body_count > CHUNK && rayon::current_num_threads() > 1
}
