//! Power laws of floe sizes, by maximum likelihood.
//!
//! P(size > d) = (d/d₀)^−α for d ≥ d₀ (Rabatel 2015, section 1.3.1), and the same cut off at a largest size. A straight
//! line through a histogram on logarithmic axes is not an estimate of α: it is biased (Clauset, Shalizi & Newman 2009,
//! SIAM Review 51, 661–703, doi:10.1137/070710111).

use banquise_geometry::math;

/// A power law fitted to sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// α [–].
    pub exponent: f64,
    /// Its standard error [–].
    pub error: f64,
    /// The smallest size d₀ \[m\].
    pub smallest: f64,
    /// The largest size d₁ \[m\]; infinite where the law has no end.
    pub largest: f64,
    /// How many sizes it was fitted to.
    pub count: usize,
    /// Largest difference between the share of sizes above d and the law (Kolmogorov–Smirnov) [–].
    pub misfit: f64,
}

impl PowerLaw {
    /// Share of floes larger than `size` \[m\].
    pub fn share_above(&self, size: f64) -> f64 {
        let size = size.clamp(self.smallest, self.largest);
        let tail = |d: f64| math::exp(-self.exponent * math::ln(d / self.smallest));
        if self.largest.is_infinite() {
            return tail(size);
        }
        let span = math::ln(self.largest / self.smallest);
        if (self.exponent * span).abs() < 1e-8 {
            // As many floes from 1 m to 2 m as from 2 m to 4 m; the quotient below is 0/0.
            return 1.0 - math::ln(size / self.smallest) / span;
        }
        let end = tail(self.largest);
        (tail(size) - end) / (1.0 - end)
    }
}

/// Fits a law without end to the sizes not below `smallest` \[m\]: α = n / Σ ln(d/d₀), with error α/√n
/// (Hill 1975, Ann. Stat. 3, 1163–1174). `None` when no size is above it.
pub fn fit_power_law(sizes: &[f64], smallest: f64) -> Option<PowerLaw> {
    let (count, mean) = mean_logarithm(sizes, smallest, f64::INFINITY)?;
    let exponent = 1.0 / mean;
    let law = PowerLaw {
        exponent,
        error: exponent / (count as f64).sqrt(),
        smallest,
        largest: f64::INFINITY,
        count,
        misfit: 0.0,
    };
    Some(with_misfit(law, sizes))
}

/// Fits a law between `smallest` and `largest` \[m\] to the sizes there. α solves
/// 1/α − L/(e^{αL} − 1) = mean of ln(d/d₀), L = ln(d₁/d₀)
/// (Aban, Meerschaert & Panorska 2006, J. Am. Stat. Assoc. 101, 270–277, doi:10.1198/016214505000000411). `None` when no size is
/// strictly between.
pub fn fit_truncated_power_law(sizes: &[f64], smallest: f64, largest: f64) -> Option<PowerLaw> {
    let (count, mean) = mean_logarithm(sizes, smallest, largest)?;
    let span = math::ln(largest / smallest);
    if mean >= span {
        return None;
    }
    // The left side falls from L at α = −∞ to 0 at α = +∞; with 700/L the exponential still is a number.
    let (mut low, mut high) = (-700.0 / span, 700.0 / span);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if expected_logarithm(middle, span) > mean {
            low = middle;
        } else {
            high = middle;
        }
    }
    let exponent = 0.5 * (low + high);
    let law = PowerLaw {
        exponent,
        error: 1.0 / (count as f64 * information(exponent, span)).sqrt(),
        smallest,
        largest,
        count,
        misfit: 0.0,
    };
    Some(with_misfit(law, sizes))
}

/// Number of sizes within the law, and the mean of ln(d/d₀).
fn mean_logarithm(sizes: &[f64], smallest: f64, largest: f64) -> Option<(usize, f64)> {
    let within = sizes
        .iter()
        .filter(|size| (smallest..=largest).contains(*size));
    let (mut count, mut sum) = (0, 0.0);
    for size in within {
        count += 1;
        sum += math::ln(size / smallest);
    }
    (sum > 0.0).then(|| (count, sum / count as f64))
}

/// Expected value of ln(d/d₀) for the truncated power law on [d₀, d₁] with exceedance exponent α; L = ln(d₁/d₀).
fn expected_logarithm(exponent: f64, span: f64) -> f64 {
    let x = exponent * span;
    if x.abs() < 1e-4 {
        // 1/x − 1/(eˣ − 1) = ½ − x/12 + …
        return span * (0.5 - x / 12.0);
    }
    span * (1.0 / x - 1.0 / (math::exp(x) - 1.0))
}

/// Fisher information of one size: 1/α² − L² e^{αL}/(e^{αL} − 1)².
fn information(exponent: f64, span: f64) -> f64 {
    let x = exponent * span;
    if x.abs() < 1e-2 {
        // 1/x² − eˣ/(eˣ − 1)² = 1/12 − x²/240 + …
        return span * span * (1.0 / 12.0 - x * x / 240.0);
    }
    let half = math::exp(0.5 * x.abs());
    let sinh = half - 1.0 / half;
    span * span * (1.0 / (x * x) - 1.0 / (sinh * sinh))
}

fn with_misfit(law: PowerLaw, sizes: &[f64]) -> PowerLaw {
    let within = |size: &&f64| (law.smallest..=law.largest).contains(*size);
    let within: Vec<f64> = sizes.iter().filter(within).copied().collect();
    PowerLaw {
        misfit: misfit(&within, |size| law.share_above(size)),
        ..law
    }
}

/// Largest difference between the share of sizes above d and a law.
fn misfit(sizes: &[f64], share_above: impl Fn(f64) -> f64) -> f64 {
    let mut sorted = sizes.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let misfit = sorted.iter().enumerate().map(|(rank, &size)| {
        let expected = share_above(size);
        let (before, after) = (1.0 - rank as f64 / count, 1.0 - (rank as f64 + 1.0) / count);
        (expected - before).abs().max((expected - after).abs())
    });
    misfit.fold(0.0, f64::max)
}

/// A log-normal law fitted to sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogNormal {
    /// The median \[m\].
    pub median: f64,
    /// Its standard error \[m\].
    pub median_error: f64,
    /// Standard deviation of the logarithms σ [–].
    pub spread: f64,
    /// Its standard error, σ/√(2n) [–].
    pub spread_error: f64,
    /// How many sizes it was fitted to.
    pub count: usize,
    /// Largest difference between the share of sizes above d and the law (Kolmogorov–Smirnov) [–].
    pub misfit: f64,
}

impl LogNormal {
    /// Share of floes larger than `size` \[m\].
    pub fn share_above(&self, size: f64) -> f64 {
        let deviations = math::ln(size / self.median) / self.spread;
        0.5 * complementary_error(deviations / std::f64::consts::SQRT_2)
    }
}

/// Fits a log-normal law by maximum likelihood: mean and standard deviation of the logarithms. `None` where not two sizes differ.
pub fn fit_log_normal(sizes: &[f64]) -> Option<LogNormal> {
    let count = sizes.len() as f64;
    let logarithms: Vec<f64> = sizes.iter().map(|&size| math::ln(size)).collect();
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares = logarithms.iter().map(|own| (own - mean) * (own - mean));
    let spread = (squares.sum::<f64>() / count).sqrt();
    if !(spread > 0.0 && spread.is_finite()) {
        return None;
    }
    let median = math::exp(mean);
    let law = LogNormal {
        median,
        median_error: median * spread / count.sqrt(),
        spread,
        spread_error: spread / (2.0 * count).sqrt(),
        count: sizes.len(),
        misfit: 0.0,
    };
    Some(LogNormal {
        misfit: misfit(sizes, |size| law.share_above(size)),
        ..law
    })
}

/// erfc x to 1.2e-7 of itself, by Chebyshev fitting (Press et al. 2007, Numerical Recipes, section 6.2.2).
fn complementary_error(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let tail = t * math::exp(-x * x + series);
    if x >= 0.0 { tail } else { 2.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quantiles of a law at (i + ½)/n: a sample without chance.
    fn quantiles(exponent: f64, ends: (f64, f64), count: u32) -> Vec<f64> {
        let end = math::pow(ends.1 / ends.0, -exponent);
        let size = |i: u32| {
            let below = (f64::from(i) + 0.5) / f64::from(count);
            ends.0 * math::pow(1.0 - below * (1.0 - end), -1.0 / exponent)
        };
        (0..count).map(size).collect()
    }

    #[test]
    fn sizes_at_one_ratio_give_the_exponent_exactly() {
        let sizes = [2.0 * std::f64::consts::E; 9];
        let law = fit_power_law(&sizes, 2.0).unwrap();
        assert!((law.exponent - 1.0).abs() < 1e-15);
        assert!((law.error - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_law_without_end_is_found() {
        let law = fit_power_law(&quantiles(1.5, (4.0, f64::INFINITY), 2000), 4.0).unwrap();
        // The mean of the largest quantile is missing from the sample: ln 2/(2n) of the mean.
        assert!((law.exponent - 1.5).abs() < 1e-3, "{}", law.exponent);
        assert!((law.misfit - 0.5 / 2000.0).abs() < 2e-4, "{}", law.misfit);
    }

    #[test]
    fn a_law_with_an_end_is_found_and_the_one_without_is_not() {
        for exponent in [-1.0, 0.7, 1.2, 3.0] {
            let sizes = quantiles(exponent, (10.0, 600.0), 3000);
            let law = fit_truncated_power_law(&sizes, 10.0, 600.0).unwrap();
            assert!(
                (law.exponent - exponent).abs() < 1e-3,
                "{exponent}: {}",
                law.exponent
            );
            assert!(law.misfit < 4e-4, "{}", law.misfit);
        }
        let sizes = quantiles(0.7, (10.0, 600.0), 3000);
        assert!(fit_power_law(&sizes, 10.0).unwrap().exponent > 0.8);
    }

    #[test]
    fn a_flat_law_in_the_logarithm_has_exponent_zero() {
        let sizes: Vec<f64> = (0..999)
            .map(|i| 10.0 * math::pow(60.0, (f64::from(i) + 0.5) / 999.0))
            .collect();
        let law = fit_truncated_power_law(&sizes, 10.0, 600.0).unwrap();
        assert!(law.exponent.abs() < 1e-6, "{}", law.exponent);
        // Half a floe in 999, and the variance of a uniform law, L²/12.
        assert!((law.misfit - 0.5 / 999.0).abs() < 1e-4, "{}", law.misfit);
        let expected = (12.0_f64 / 999.0).sqrt() / math::ln(60.0);
        assert!((law.error / expected - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_error_is_that_of_the_law_without_end_when_the_end_is_far() {
        let sizes = quantiles(2.0, (1.0, 1e6), 500);
        let (cut, open) = (
            fit_truncated_power_law(&sizes, 1.0, 1e6).unwrap(),
            fit_power_law(&sizes, 1.0).unwrap(),
        );
        assert!((cut.error / open.error - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_log_normal_law_is_found() {
        // Values of the error function from tables.
        for (x, expected) in [
            (0.0, 1.0),
            (0.5, 0.479_500_12),
            (1.5, 0.033_894_85),
            (-1.0, 1.842_700_79),
        ] {
            assert!((complementary_error(x) - expected).abs() < 2e-7, "{x}");
        }
        // Sizes at the quantiles of a law of median 30 m and spread 0.6, found by bisection.
        let given = LogNormal {
            median: 30.0,
            median_error: 0.0,
            spread: 0.6,
            spread_error: 0.0,
            count: 0,
            misfit: 0.0,
        };
        let quantile = |share: f64| {
            let (mut low, mut high) = (0.1_f64, 1e4_f64);
            for _ in 0..100 {
                let middle = (low * high).sqrt();
                if given.share_above(middle) > share {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low
        };
        let sizes: Vec<f64> = (0..2000)
            .map(|i| quantile((f64::from(i) + 0.5) / 2000.0))
            .collect();
        let law = fit_log_normal(&sizes).unwrap();
        assert!((law.median / 30.0 - 1.0).abs() < 1e-3, "{}", law.median);
        assert!((law.spread / 0.6 - 1.0).abs() < 5e-3, "{}", law.spread);
        assert!((law.spread_error - law.spread / 4000.0_f64.sqrt()).abs() < 1e-12);
        assert!(law.misfit < 2e-3, "{}", law.misfit);
        assert_eq!(fit_log_normal(&[3.0, 3.0]), None);
        assert_eq!(fit_log_normal(&[]), None);
    }

    #[test]
    fn equal_sizes_have_no_law() {
        assert_eq!(fit_power_law(&[3.0, 3.0], 3.0), None);
        assert_eq!(fit_truncated_power_law(&[3.0, 3.0], 1.0, 3.0), None);
        assert_eq!(fit_power_law(&[], 3.0), None);
    }
}
