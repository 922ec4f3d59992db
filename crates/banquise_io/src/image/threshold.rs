//! Brightness threshold between ice and water.

use super::raster::Raster;

/// How many pixels have each brightness.
pub(super) fn histogram(brightness: &Raster<u8>) -> [u64; 256] {
    let mut counts = [0; 256];
    for &value in &brightness.values {
        counts[usize::from(value)] += 1;
    }
    counts
}

/// The larger of the two thresholds that part the shades into three classes with the least variance
/// inside them: water, slush and small ice, floes (Otsu 1979, doi:10.1109/TSMC.1979.4310076).
///
/// Two classes would put the brash between floes with the floes.
pub(super) fn upper_otsu(counts: &[u64; 256]) -> u8 {
    // Sums of counts and of shades below each shade.
    let mut sums = [(0.0, 0.0); 257];
    for shade in 0..256 {
        let count = counts[shade] as f64;
        let (pixels, total) = sums[shade];
        sums[shade + 1] = (pixels + count, total + count * shade as f64);
    }
    // The larger Σ n m² over the classes, the less the variance inside them.
    let spread = |from: usize, to: usize| {
        let pixels: f64 = sums[to].0 - sums[from].0;
        let total = sums[to].1 - sums[from].1;
        if pixels > 0.0 {
            total * total / pixels
        } else {
            0.0
        }
    };
    let mut best = (f64::NEG_INFINITY, 0);
    for upper in 1..255 {
        for lower in 0..upper {
            let score =
                spread(0, lower + 1) + spread(lower + 1, upper + 1) + spread(upper + 1, 256);
            if score > best.0 {
                best = (score, upper);
            }
        }
    }
    best.1 as u8
}

/// The median shade of the pixels brighter than `threshold`.
pub(super) fn median_above(counts: &[u64; 256], threshold: u8) -> u8 {
    let above = usize::from(threshold) + 1..256;
    let half = counts[above.clone()].iter().sum::<u64>().div_ceil(2);
    let mut seen = 0;
    let is_middle = |shade: &usize| {
        seen += counts[*shade];
        seen >= half
    };
    above.clone().find(is_middle).unwrap_or(255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_heaps_are_parted_between_the_upper_two() {
        let mut counts = [0; 256];
        for (center, height) in [(30_usize, 100), (120, 60), (200, 300)] {
            counts[center - 10..=center + 10].fill(height);
        }
        let threshold = upper_otsu(&counts);
        assert!((130..190).contains(&threshold), "{threshold}");
        assert_eq!(median_above(&counts, threshold), 200);
    }

    #[test]
    fn two_shades_are_parted_between_them() {
        let mut counts = [0; 256];
        counts[0] = 5;
        counts[255] = 3;
        let threshold = upper_otsu(&counts);
        assert!(threshold < 255);
        assert_eq!(median_above(&counts, threshold), 255);
    }
}
