//! How far apart pairs are known to be, from one step to the next.
//!
//! A pair that is known to be farther apart than a search looks need not be looked at: nothing would be found. So
//! this memory saves time and changes no bit; without it, and for bodies that are not where it left them, all pairs are looked
//! at.

use banquise_geometry::Pose;
use rayon::prelude::*;

use super::pair::Pair;
use crate::body::{Bodies, BodyId};
use crate::chunks::{SMALL_THINGS, are_worth_sharing};

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
struct KnownGap {
    /// Rows of the two bodies, and the periodic cells between them.
    key: (u32, u32, [i32; 2]),
    /// They are at least this far apart \[m\].
    gap: f64,
}

/// Pairs known to be apart, and where all bodies were then.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    gaps: Vec<KnownGap>,
    places: Vec<(BodyId, Pose, f64)>,
    /// Which bodies are still where they were.
    stayed: Vec<bool>,
}

/// What rounding can take away from a gap, as a share of the radii of the two bodies and of their distance from
/// the origin: ten thousand times as much.
const ROUNDING: f64 = 1e-12;

impl Memory {
    /// Forgets everything and is told anew how far apart pairs will be at least \[m\], of each number. Pairs may come in any
    /// order.
    pub(crate) fn renew(&mut self, count: usize, known: impl Fn(usize) -> (Pair, f64) + Sync) {
        self.gaps.clear();
        self.places.clear();
        let worth_keeping = |number: usize| {
            let (pair, gap) = known(number);
            let key = pair.key().filter(|_| gap > pair.distance)?;
            Some(KnownGap { key, gap })
        };
        if are_worth_sharing(count) {
            let numbers = (0..count).into_par_iter().with_min_len(SMALL_THINGS);
            self.gaps.par_extend(numbers.filter_map(worth_keeping));
        } else {
            self.gaps.extend((0..count).filter_map(worth_keeping));
        }
    }

    /// Notes where the bodies are, to which what was told refers.
    pub(crate) fn note_places(&mut self, bodies: &Bodies) {
        self.gaps.sort_unstable_by_key(|known| known.key);
        let rows = (0..bodies.len()).into_par_iter().with_min_len(SMALL_THINGS);
        let places = rows.map(|row| {
            (
                bodies.ids()[row],
                bodies.motions[row].pose,
                bodies.radii[row],
            )
        });
        places.collect_into_vec(&mut self.places);
    }

    /// Before the questions: looks which bodies are where they were.
    pub(super) fn compare_places(&mut self, bodies: &Bodies) {
        let now = |row: usize| {
            (
                bodies.ids()[row],
                bodies.motions[row].pose,
                bodies.radii[row],
            )
        };
        let rows = (0..bodies.len()).into_par_iter().with_min_len(SMALL_THINGS);
        let stayed = rows.map(|row| self.places.get(row) == Some(&now(row)));
        stayed.collect_into_vec(&mut self.stayed);
    }

    /// How far apart a pair is at least \[m\]; zero if nothing is known of it.
    pub(super) fn gap(&self, bodies: &Bodies, key: (u32, u32, [i32; 2])) -> f64 {
        let (a, b) = (key.0 as usize, key.1 as usize);
        if !(self.stayed[a] && self.stayed[b]) {
            return 0.0;
        }
        let Ok(place) = self.gaps.binary_search_by_key(&key, |known| known.key) else {
            return 0.0;
        };
        let size =
            |row: usize| bodies.radii[row] + bodies.motions[row].pose.position.abs().max_element();
        self.gaps[place].gap - ROUNDING * (size(a) + size(b))
    }
}
