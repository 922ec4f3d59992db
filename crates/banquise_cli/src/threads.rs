//! How many threads a command uses.

use crate::failure::Failure;

/// As many as asked for, before the first is used; all cores if none were.
pub(crate) fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else {
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| Failure::usage(error.to_string(), "ask for fewer threads"))
}
