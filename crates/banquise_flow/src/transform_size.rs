//! Numbers of cells for which transforms are quick.

use crate::FlowError;

/// The least even number of cells, at least `cells`, whose prime factors are 2, 3 and 5.
pub fn transform_size(cells: usize) -> usize {
    let is_smooth = |mut n: usize| {
        for factor in [2, 3, 5] {
            while n.is_multiple_of(factor) {
                n /= factor;
            }
        }
        n == 1
    };
    let mut n = cells.max(2).next_multiple_of(2);
    while !is_smooth(n) {
        n += 2;
    }
    n
}

/// Most cells along a side that a study takes by itself: more take minutes and gigabytes.
const MOST_OWN_CELLS: f64 = 4096.0;

/// The cells along a side that are given, or those for a room in cells.
pub(crate) fn cells_for(given: Option<usize>, room: f64) -> Result<usize, FlowError> {
    match given {
        Some(cells) => Ok(cells),
        None if room <= MOST_OWN_CELLS => Ok(transform_size(room.ceil() as usize)),
        None => Err(FlowError::OutOfRange {
            quantity: "the number of cells along a side that bodies of this size need",
            requirement: "at most 4096, unless it is given",
            value: room,
        }),
    }
}
