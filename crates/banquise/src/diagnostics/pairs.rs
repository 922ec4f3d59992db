//! Distances of all pairs of floes: the correlation integral of Grassberger and Procaccia.

use banquise_geometry::{DVec2, math};

use crate::domain::Domain;

/// `r_moy` without the rest: the smallest distance within which half of the pairs are \[m\]; quicker than sorting
/// them all.
pub fn median_distance(positions: &[DVec2], domain: &Domain) -> Option<f64> {
    let mut distances = all_distances(positions, domain);
    let middle = distances.len().div_ceil(2).checked_sub(1)?;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    Some(*median)
}

/// The distances of all pairs, sorted.
#[derive(Debug, Clone, PartialEq)]
pub struct PairDistances {
    sorted: Vec<f64>,
}

impl PairDistances {
    /// Distances \[m\] between all positions; in a periodic domain those of nearest images.
    pub fn of(positions: &[DVec2], domain: &Domain) -> Self {
        let mut sorted = all_distances(positions, domain);
        sorted.sort_unstable_by(f64::total_cmp);
        Self { sorted }
    }

    /// Number of pairs.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// Smallest and largest distance \[m\].
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((*self.sorted.first()?, *self.sorted.last()?))
    }

    /// `C_r`, the share of the pairs at most `radius` \[m\] apart (Rabatel 2015, section 3.2.2; specification E-35).
    pub fn share_within(&self, radius: f64) -> f64 {
        let within = self.sorted.partition_point(|&distance| distance <= radius);
        within as f64 / self.sorted.len() as f64
    }

    /// `r_moy`, the smallest distance within which half of the pairs are \[m\].
    pub fn median(&self) -> Option<f64> {
        self.sorted
            .get(self.sorted.len().div_ceil(2).checked_sub(1)?)
            .copied()
    }

    /// Points (r, `C_r`) at `count` radii, evenly in ln r from the smallest distance to the largest.
    pub fn curve(&self, count: usize) -> Vec<(f64, f64)> {
        match self.range() {
            Some((from, to)) => self.curve_within(from, to, count),
            None => Vec::new(),
        }
    }

    /// Slope of ln `C_r` against ln r between two radii \[m\], by least squares at a hundred radii: 2 for points
    /// spread at random over the plane, less where they cluster. `None` where fewer than two radii have a pair.
    pub fn slope(&self, from: f64, to: f64) -> Option<f64> {
        let logarithm = |&(radius, share): &(f64, f64)| {
            (share > 0.0).then(|| DVec2::new(math::ln(radius), math::ln(share)))
        };
        let curve = self.curve_within(from, to, 100);
        let points: Vec<DVec2> = curve.iter().filter_map(logarithm).collect();
        let mean = points.iter().sum::<DVec2>() / points.len() as f64;
        let (mut across, mut along) = (0.0, 0.0);
        for point in &points {
            let offset = *point - mean;
            across += offset.x * offset.y;
            along += offset.x * offset.x;
        }
        (along > 0.0).then(|| across / along)
    }

    fn curve_within(&self, from: f64, to: f64, count: usize) -> Vec<(f64, f64)> {
        if !(from > 0.0 && to > from) {
            return Vec::new();
        }
        let ratio = math::ln(to / from);
        let radius = |index: usize| {
            if index + 1 == count {
                return to;
            }
            from * math::exp(ratio * index as f64 / (count - 1) as f64)
        };
        let radii = (0..count).map(radius);
        radii.map(|r| (r, self.share_within(r))).collect()
    }
}

fn all_distances(positions: &[DVec2], domain: &Domain) -> Vec<f64> {
    let mut distances = Vec::with_capacity(positions.len() * positions.len() / 2);
    for (index, &first) in positions.iter().enumerate() {
        let others = positions[index + 1..].iter();
        distances.extend(others.map(|&second| domain.nearest_image(second - first).length()));
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rectangle;

    /// A lattice of side 40 on a torus of side 40.
    fn lattice() -> (Vec<DVec2>, Domain) {
        let points = (0..1600).map(|k| DVec2::new(f64::from(k % 40), f64::from(k / 40)));
        let cell = Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(40.0),
        };
        (points.collect(), Domain::Periodic(cell))
    }

    #[test]
    fn a_lattice_on_a_torus_counts_the_points_in_a_circle() {
        let (points, domain) = lattice();
        let pairs = PairDistances::of(&points, &domain);
        assert_eq!(pairs.count(), 1600 * 1599 / 2);
        // Lattice points within 5 and 10 of one of them, itself left out: 80 and 316 (Gauss's circle).
        assert_eq!(pairs.share_within(5.0), 80.0 / 1599.0);
        assert_eq!(pairs.share_within(10.0), 316.0 / 1599.0);
        // Away from the spacing and the cell the points fill the plane.
        let slope = pairs.slope(5.0, 19.0).unwrap();
        assert!((slope - 2.0).abs() < 0.02, "{slope}");
    }

    #[test]
    fn unwrapped_positions_give_the_same_pairs() {
        let (points, domain) = lattice();
        let wound: Vec<DVec2> = points
            .iter()
            .enumerate()
            .map(|(k, p)| *p + 40.0 * DVec2::new((k % 3) as f64, -((k % 5) as f64)))
            .collect();
        let (plain, wound) = (
            PairDistances::of(&points, &domain),
            PairDistances::of(&wound, &domain),
        );
        assert_eq!(plain, wound);
    }

    #[test]
    fn points_on_a_line_have_slope_one() {
        let points: Vec<DVec2> = (0..400)
            .map(|k| DVec2::new(3.0 * f64::from(k), 0.0))
            .collect();
        let pairs = PairDistances::of(&points, &Domain::Free);
        let slope = pairs.slope(15.0, 120.0).unwrap();
        assert!((slope - 1.0).abs() < 0.03, "{slope}");
        // k steps apart are n − k of the 79 800 pairs: 39 897 within 117 steps, half of them within 118.
        let median = pairs.median().unwrap();
        assert_eq!(median, 3.0 * 118.0);
        assert_eq!(median_distance(&points, &Domain::Free), Some(median));
        assert!(pairs.share_within(median) >= 0.5 && pairs.share_within(median - 0.1) < 0.5);
        assert_eq!(pairs.curve(10).first().unwrap().0, 3.0);
        assert_eq!(pairs.curve(10).last(), Some(&(3.0 * 399.0, 1.0)));
    }

    #[test]
    fn one_floe_has_no_pair() {
        let pairs = PairDistances::of(&[DVec2::ZERO], &Domain::Free);
        assert_eq!((pairs.median(), pairs.slope(1.0, 2.0)), (None, None));
        assert_eq!(median_distance(&[], &Domain::Free), None);
        assert!(pairs.curve(10).is_empty());
    }
}
