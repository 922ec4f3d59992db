//! The studies of Rabatel 2015, short enough to run often; `banquise study` runs them whole.

use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use crate::failure::Failure;
use crate::study::channel;

/// Tests of the short channel: one that is blocked in the source, and the two that are not.
const CHANNEL_TESTS: [u8; 3] = [1, 3, 4];

/// S-01: how much energy the ice has, and whether contacts were treated well. Which tests are blocked is
/// a question for many packs, and `banquise study channel` answers it.
pub(super) fn channel(_: &Reference) -> Measured {
    let runs: Vec<channel::Run> = channel::TESTS
        .par_iter()
        .filter(|test| CHANNEL_TESTS.contains(&test.number))
        .map(|test| channel::run(test, 1, &[]))
        .collect::<Result<_, Failure>>()?;
    let peak = runs.iter().map(channel::Run::peak).fold(0.0, f64::max);
    let unsolved: u64 = runs.iter().map(|run| run.unsolved).sum();
    let overlaps: u32 = runs.iter().map(|run| run.overlaps).sum();
    Ok(vec![
        ("largest energy over that of free drift".into(), peak),
        ("unsolved contact problems".into(), unsolved as f64),
        ("overlaps found".into(), f64::from(overlaps)),
    ])
}
