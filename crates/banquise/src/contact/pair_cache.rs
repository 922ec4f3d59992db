//! What is known of pairs, from one step to the next: how far apart they are, or what of them is close.
//!
//! A pair that is known to be farther apart than a search looks need not be looked at: nothing would be found. Of a pair that is
//! close, few vertices and edges are. So this memory saves time and changes no bit; without it, and for bodies that are not where it
//! left them, all pairs are looked at, and all of them.

use banquise_geometry::{NearFeatures, Pose};
use rayon::prelude::*;

use super::pair::{Pair, PairKey};
use crate::body::Bodies;
use crate::chunks::{SMALL_THINGS, are_worth_sharing};
use crate::id::BodyId;

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
struct KnownGap {
    key: PairKey,
    /// They are at least this far apart \[m\].
    gap: f64,
}

/// Where a body was left: its id, the version of its shape that was searched, its pose and its radius \[m\].
type Place = (BodyId, u32, Pose, f64);

/// Pairs known to be apart, and where all bodies were then.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairCache {
    gaps: Vec<KnownGap>,
    /// Features of pairs that are close, in the order of the pairs, in some lists. They say themselves where the bodies were.
    features: Vec<Vec<(PairKey, NearFeatures)>>,
    /// The first pair of each list that is not empty, and which list that is.
    first_pairs: Vec<(PairKey, usize)>,
    places: Vec<Place>,
    /// Versions of the shapes at the last search, row by row: features are meant for these, whatever is cut within the step.
    versions: Vec<u32>,
    /// Which bodies are still where they were, and as they were.
    stayed: Vec<bool>,
}

/// What rounding can take away from a gap, as a share of the radii of the two bodies and of their distance from
/// the origin: ten thousand times as much.
const GAP_ROUNDING: f64 = 1e-12;

impl PairCache {
    /// Forgets everything and is told anew how far apart pairs will be at least \[m\], of each number. Pairs may come in any
    /// order.
    pub(crate) fn renew(
        &mut self,
        ids: &[BodyId],
        count: usize,
        known: impl Fn(usize) -> (Pair, f64) + Sync,
    ) {
        self.gaps.clear();
        self.places.clear();
        let worth_keeping = |number: usize| {
            let (pair, gap) = known(number);
            // Of pairs that crush each other nothing is known: they were not looked at.
            let is_worth = gap > pair.distance && gap.is_finite();
            let key = pair.key(ids).filter(|_| is_worth)?;
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
        let versions = &self.versions[..];
        let rows = (0..bodies.len()).into_par_iter().with_min_len(SMALL_THINGS);
        let places = rows.map(|row| {
            (
                bodies.ids()[row],
                versions[row],
                bodies.motions[row].pose,
                bodies.radii[row],
            )
        });
        places.collect_into_vec(&mut self.places);
    }

    /// Before the questions: looks which bodies are where and as they were.
    pub(super) fn compare_places(&mut self, bodies: &Bodies) {
        let now = |row: usize| {
            (
                bodies.ids()[row],
                bodies.shape_versions()[row],
                bodies.motions[row].pose,
                bodies.radii[row],
            )
        };
        let rows = (0..bodies.len()).into_par_iter().with_min_len(SMALL_THINGS);
        let places = &self.places[..];
        let stayed = rows.map(|row| place_of(places, row, bodies.ids()[row]) == Some(&now(row)));
        stayed.collect_into_vec(&mut self.stayed);
        self.versions.clear();
        self.versions.extend_from_slice(bodies.shape_versions());
    }

    /// Whether both bodies of a pair are where and as they were.
    fn has_stayed(&self, pair: &Pair) -> bool {
        self.stayed[pair.a] && pair.b.is_none_or(|b| self.stayed[b])
    }

    /// How far apart a pair is at least \[m\]; zero if nothing is known of it.
    pub(super) fn gap(&self, bodies: &Bodies, pair: &Pair) -> f64 {
        let (Some(b), Some(key)) = (pair.b, pair.key(bodies.ids())) else {
            return 0.0;
        };
        let a = pair.a;
        if !self.has_stayed(pair) {
            return 0.0;
        }
        let Ok(place) = self.gaps.binary_search_by_key(&key, |known| known.key) else {
            return 0.0;
        };
        let size =
            |row: usize| bodies.radii[row] + bodies.motions[row].pose.position.abs().max_element();
        self.gaps[place].gap - GAP_ROUNDING * (size(a) + size(b))
    }

    /// Takes the features that the last search found, list by list, and gives those it found them from.
    pub(super) fn swap_features<'a>(
        &mut self,
        found: impl ExactSizeIterator<Item = &'a mut Vec<(PairKey, NearFeatures)>>,
    ) {
        self.features.resize_with(found.len(), Vec::new);
        self.first_pairs.clear();
        for (number, (known, found)) in self.features.iter_mut().zip(found).enumerate() {
            std::mem::swap(known, found);
            let first = known.first().map(|&(key, _)| (key, number));
            self.first_pairs.extend(first);
        }
        debug_assert!(
            self.features
                .iter()
                .flatten()
                .is_sorted_by_key(|known| known.0),
            "pairs come in order, list after list"
        );
    }

    /// The features of a pair, if it was close. They are those of the shapes that were looked at: bodies must be those that were left.
    pub(crate) fn features(&self, ids: &[BodyId], pair: &Pair) -> Option<&NearFeatures> {
        let (list, place) = self.place_of_features(pair.key(ids)?)?;
        self.has_stayed(pair).then(|| &self.features[list][place].1)
    }

    /// Takes other features for a pair of which some are known.
    pub(crate) fn replace_features(&mut self, key: PairKey, features: NearFeatures) {
        if let Some((list, place)) = self.place_of_features(key) {
            self.features[list][place].1 = features;
        }
    }

    /// The list, and the place in it.
    fn place_of_features(&self, key: PairKey) -> Option<(usize, usize)> {
        let lists = self.first_pairs.partition_point(|&(first, _)| first <= key);
        let (_, list) = self.first_pairs[lists.checked_sub(1)?];
        let place = self.features[list].binary_search_by_key(&key, |known| known.0);
        Some((list, place.ok()?))
    }
}

/// Where a body was left. Its row is what it was, unless a body before it has gone.
fn place_of(places: &[Place], row: usize, id: BodyId) -> Option<&Place> {
    match places.get(row) {
        Some(place) if place.0 == id => Some(place),
        _ => {
            let found = places.binary_search_by_key(&id, |place| place.0);
            found.ok().map(|row| &places[row])
        }
    }
}
