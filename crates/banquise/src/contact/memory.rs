//! How far apart pairs are known to be, from one step to the next.
//!
//! A pair that is known to be farther apart than a search looks need not be looked at: nothing would be found. So
//! this memory saves time and changes no bit; without it, and for bodies that are not where it left them, all pairs are looked
//! at.

use banquise_geometry::Pose;

use super::pair::Pair;
use crate::body::{Bodies, BodyId};

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
    /// Forgets everything, to be told anew.
    pub(crate) fn clear(&mut self) {
        self.gaps.clear();
        self.places.clear();
    }

    /// Adds a pair that will be at least `gap` apart \[m\]. Pairs may come in any order.
    pub(crate) fn add(&mut self, pair: &Pair, gap: f64) {
        if let Some(key) = pair.key()
            && gap > pair.distance
        {
            self.gaps.push(KnownGap { key, gap });
        }
    }

    /// Notes where the bodies are, to which what was told refers.
    pub(crate) fn note_places(&mut self, bodies: &Bodies) {
        self.gaps.sort_unstable_by_key(|known| known.key);
        self.places.clear();
        self.places.extend((0..bodies.len()).map(|row| {
            (
                bodies.ids()[row],
                bodies.motions[row].pose,
                bodies.radii[row],
            )
        }));
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
        self.stayed.clear();
        let stayed = (0..bodies.len()).map(|row| self.places.get(row) == Some(&now(row)));
        self.stayed.extend(stayed);
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
