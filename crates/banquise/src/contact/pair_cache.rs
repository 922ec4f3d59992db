//! Cache of pairs between steps: lower bounds on gaps, and the closest features of close pairs.
//!
//! A pair whose cached gap exceeds the reach of a search is not queried: nothing would be found. Only nearby features of a close pair
//! are cached. The cache saves time and changes no bit; without it, and for bodies that were moved or changed since, all pairs are
//! queried with all their vertices and edges.

use banquise_geometry::{NearFeatures, Pose};
use rayon::prelude::*;

use super::pair::{Pair, PairKey};
use crate::body::Bodies;
use crate::chunks::{SMALL_THINGS, are_worth_sharing};
use crate::id::BodyId;

/// Lower bound on the gap of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
struct KnownGap {
    key: PairKey,
    /// Lower bound on the gap \[m\].
    gap: f64,
}

/// State of a body when the cache was filled: its id, the version of its shape that was searched, its pose and its radius \[m\].
type Place = (BodyId, u32, Pose, f64);

/// Cached gaps and closest features, with the states of the bodies for which they hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairCache {
    gaps: Vec<KnownGap>,
    /// Closest features of close pairs, in the order of the pairs, in several lists. They hold the poses they are for.
    features: Vec<Vec<(PairKey, NearFeatures)>>,
    /// The first pair of each list that is not empty, and the index of the list.
    first_pairs: Vec<(PairKey, usize)>,
    places: Vec<Place>,
    /// Versions of the shapes at the last search, row by row: features hold for these, also where floes are cut within the step.
    versions: Vec<u32>,
    /// Which bodies have the pose and shape that the cache holds for.
    stayed: Vec<bool>,
}

/// Allowance for rounding of a gap, as a share of the radii of the two bodies and of their distance from
/// the origin: ten thousand times the rounding itself.
const GAP_ROUNDING: f64 = 1e-12;

impl PairCache {
    /// Replaces all gaps by lower bounds at the end of the step \[m\], given by the number of a pair. Pairs may come in any
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
            // Pairs that are being crushed were not queried, and have no bound.
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

    /// Stores the states of the bodies for which the gaps hold.
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

    /// Finds the bodies for which the cache holds; to be called before it is read.
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

    /// Whether the cache holds for both bodies of a pair.
    fn has_stayed(&self, pair: &Pair) -> bool {
        self.stayed[pair.a] && pair.b.is_none_or(|b| self.stayed[b])
    }

    /// Lower bound on the gap of a pair \[m\]; zero if none is cached.
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

    /// Exchanges the cached features, list by list, for those that the last search found.
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

    /// Cached features of a pair, if it was close. They hold for the shapes that were searched.
    pub(crate) fn features(&self, ids: &[BodyId], pair: &Pair) -> Option<&NearFeatures> {
        let (list, place) = self.place_of_features(pair.key(ids)?)?;
        self.has_stayed(pair).then(|| &self.features[list][place].1)
    }

    /// Replaces the features of a pair that has some.
    pub(crate) fn replace_features(&mut self, key: PairKey, features: NearFeatures) {
        if let Some((list, place)) = self.place_of_features(key) {
            self.features[list][place].1 = features;
        }
    }

    /// List of a pair, and its index in the list.
    fn place_of_features(&self, key: PairKey) -> Option<(usize, usize)> {
        let lists = self.first_pairs.partition_point(|&(first, _)| first <= key);
        let (_, list) = self.first_pairs[lists.checked_sub(1)?];
        let place = self.features[list].binary_search_by_key(&key, |known| known.0);
        Some((list, place.ok()?))
    }
}

/// State of a body when the cache was filled. Its row is unchanged, unless a body before it was removed.
fn place_of(places: &[Place], row: usize, id: BodyId) -> Option<&Place> {
    match places.get(row) {
        Some(place) if place.0 == id => Some(place),
        _ => {
            let found = places.binary_search_by_key(&id, |place| place.0);
            found.ok().map(|row| &places[row])
        }
    }
}
