//! The power law of floe sizes, cut at both ends, and the sizes of a pack that follow it.
//!
//! A floe is larger than d with probability (d^-α − b^-α)/(a^-α − b^-α), a ≤ d ≤ b. The size of a
//! floe is its mean caliper diameter (Rabatel 2015, section 1.3.1).

use banquise_geometry::math;

use super::error::{MAX_COUNT, PackError};

/// Truncated power law of floe sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeLaw {
    /// Number of floes.
    pub count: usize,
    /// Smallest size a \[m\].
    pub min_size: f64,
    /// Largest size b \[m\].
    pub max_size: f64,
    /// Exponent α [–].
    pub exponent: f64,
}

/// The quantities of a law that are given. The one that is not follows from the area of the ice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GivenSizes {
    /// Number of floes.
    pub count: Option<usize>,
    /// Smallest size \[m\].
    pub min_size: Option<f64>,
    /// Largest size \[m\].
    pub max_size: Option<f64>,
    /// Exponent [–].
    pub exponent: Option<f64>,
}

/// Exponents that are looked for where none is given.
const EXPONENTS: [f64; 2] = [0.01, 10.0];
/// Smallest ratio of sizes that is looked for where one of them is not given.
const MIN_RATIO: f64 = 1e-6;
/// Halvings of an interval: enough for the last digit.
const HALVINGS: usize = 64;

impl SizeLaw {
    /// The size that a share `above` of the floes exceed \[m\].
    pub fn quantile(&self, above: f64) -> f64 {
        let span = math::ln(self.max_size / self.min_size);
        let scaled = self.exponent * span;
        let log = if scaled.abs() < 1e-8 {
            span * (1.0 - above)
        } else {
            -math::ln(above + (1.0 - above) * math::exp(-scaled)) / self.exponent
        };
        (self.min_size * math::exp(log)).clamp(self.min_size, self.max_size)
    }

    /// One size for each floe, the largest first: the middles of equal shares \[m\].
    pub fn sizes(&self) -> Vec<f64> {
        let share = 1.0 / self.count as f64;
        (0..self.count)
            .map(|i| self.quantile((i as f64 + 0.5) * share))
            .collect()
    }
}

/// A law of sizes with one quantity open, which follows from the area that the floes shall cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    law: SizeLaw,
    open: Open,
    area: f64,
}

/// The quantity that follows from the area.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Open {
    Nothing,
    MinSize,
    MaxSize,
    Exponent,
    /// The number of floes is whole: the rest of the area is made up by all sizes together.
    Count,
}

impl Demand {
    /// The quantity that `given` leaves open if the floes shall cover `area` \[m²\]; `fill` is about the area of a
    /// floe over its squared size. Without an area, nothing may be open.
    pub(super) fn new(given: &GivenSizes, area: Option<f64>, fill: f64) -> Result<Self, PackError> {
        let GivenSizes {
            count,
            min_size,
            max_size,
            exponent,
        } = *given;
        let law = |count, min_size, max_size, exponent| SizeLaw {
            count,
            min_size,
            max_size,
            exponent,
        };
        let (law, open) = match (area, count, min_size, max_size, exponent) {
            (None, Some(count), Some(a), Some(b), Some(exponent)) => {
                (law(count, a, b, exponent), Open::Nothing)
            }
            (Some(_), Some(count), None, Some(b), Some(exponent)) => {
                (law(count, b, b, exponent), Open::MinSize)
            }
            (Some(_), Some(count), Some(a), None, Some(exponent)) => {
                (law(count, a, a, exponent), Open::MaxSize)
            }
            (Some(_), Some(count), Some(a), Some(b), None) => {
                (law(count, a, b, 1.0), Open::Exponent)
            }
            (Some(area), None, Some(a), Some(b), Some(exponent)) => {
                // A thousand floes tell the mean square of a size.
                let sample = law(1000, a, b, exponent);
                let mean = fill * sample.sizes().iter().map(|d| d * d).sum::<f64>() / 1000.0;
                let count = (area / mean).round().max(1.0);
                if count > MAX_COUNT as f64 {
                    return Err(PackError::TooMany { count });
                }
                (law(count as usize, a, b, exponent), Open::Count)
            }
            _ => return Err(PackError::GivenSizes),
        };
        Ok(Self {
            law,
            open,
            area: area.unwrap_or(f64::NAN),
        })
    }

    /// Number of floes.
    pub(super) fn count(&self) -> usize {
        self.law.count
    }

    /// The law under which floes cover the area, where floe i covers `fills[i]` times its squared size.
    pub(super) fn complete(&self, fills: &[f64]) -> Result<SizeLaw, PackError> {
        let SizeLaw {
            min_size, max_size, ..
        } = self.law;
        // Each family covers more the greater its number is.
        let (missing, range) = match self.open {
            Open::Nothing => return Ok(self.law),
            Open::MinSize => ("min_size", [math::ln(MIN_RATIO), 0.0]),
            Open::MaxSize => ("max_size", [0.0, -math::ln(MIN_RATIO)]),
            Open::Exponent => ("exponent", [-EXPONENTS[1], -EXPONENTS[0]]),
            Open::Count => ("count", [-1.0, 1.0]),
        };
        let law = |number: f64| match self.open {
            Open::Nothing => self.law,
            Open::MinSize => SizeLaw {
                min_size: max_size * math::exp(number),
                ..self.law
            },
            Open::MaxSize => SizeLaw {
                max_size: min_size * math::exp(number),
                ..self.law
            },
            Open::Exponent => SizeLaw {
                exponent: -number,
                ..self.law
            },
            Open::Count => {
                let scale = math::exp(number);
                SizeLaw {
                    min_size: scale * min_size,
                    max_size: scale * max_size,
                    ..self.law
                }
            }
        };
        let covers = |number: f64| areas(&law(number), fills).iter().sum::<f64>() / self.area;
        if covers(range[0]) > 1.0 {
            return Err(PackError::NoLaw {
                missing,
                is_too_much: true,
            });
        }
        if covers(range[1]) < 1.0 {
            return Err(PackError::NoLaw {
                missing,
                is_too_much: false,
            });
        }
        Ok(law(bisect(range, |number| covers(number) < 1.0)))
    }
}

/// Area of each floe \[m²\].
pub(super) fn areas(law: &SizeLaw, fills: &[f64]) -> Vec<f64> {
    law.sizes()
        .iter()
        .zip(fills)
        .map(|(size, fill)| fill * size * size)
        .collect()
}

/// Where `is_low` turns false, to the last digit.
pub(super) fn bisect([mut low, mut high]: [f64; 2], is_low: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if is_low(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::sizes::fit_truncated_power_law;

    const LAW: SizeLaw = SizeLaw {
        count: 350,
        min_size: 22.0,
        max_size: 250.0,
        exponent: 1.5,
    };

    #[test]
    fn sizes_fall_from_largest_to_smallest_and_follow_the_law() {
        let sizes = LAW.sizes();
        assert_eq!(sizes.len(), 350);
        assert!(sizes.is_sorted_by(|a, b| a > b));
        assert!(sizes[0] < 250.0 && sizes[349] > 22.0);
        let fit = fit_truncated_power_law(&sizes, sizes[349], sizes[0]).unwrap();
        assert!((fit.exponent - 1.5).abs() < fit.error, "{fit:?}");
        assert!(fit.misfit < 0.02);
    }

    const ALL: GivenSizes = GivenSizes {
        count: Some(350),
        min_size: Some(22.0),
        max_size: Some(250.0),
        exponent: Some(1.5),
    };

    #[test]
    fn any_missing_quantity_is_found_again() {
        let fills: Vec<f64> = (0..350).map(|k| 0.7 + 0.02 * f64::from(k % 5)).collect();
        let area: f64 = areas(&LAW, &fills).iter().sum();
        let complete = |given| {
            let demand = Demand::new(&given, Some(area), 0.74).unwrap();
            demand.complete(&fills[..demand.count().min(350)]).unwrap()
        };
        for given in [
            GivenSizes {
                min_size: None,
                ..ALL
            },
            GivenSizes {
                max_size: None,
                ..ALL
            },
            GivenSizes {
                exponent: None,
                ..ALL
            },
        ] {
            let law = complete(given);
            let ratios = [
                law.min_size / 22.0,
                law.max_size / 250.0,
                law.exponent / 1.5,
            ];
            assert!(ratios.iter().all(|r| (r - 1.0).abs() < 1e-9), "{law:?}");
        }
        // A number of floes is whole: sizes make up for the rest.
        let law = complete(GivenSizes { count: None, ..ALL });
        assert!((348..=352).contains(&law.count), "{law:?}");
        assert!((law.min_size / 22.0 - 1.0).abs() < 0.01);
        assert_eq!(law.exponent, 1.5);
        let without = Demand::new(&ALL, None, 0.7).unwrap();
        assert_eq!(without.complete(&fills), Ok(LAW));
    }

    #[test]
    fn what_no_law_can_do_is_refused() {
        let complete = |given: GivenSizes, area: f64| {
            let demand = Demand::new(&given, Some(area), 0.7)?;
            demand.complete(&vec![0.7; demand.count()])
        };
        let given = GivenSizes {
            count: Some(10),
            exponent: None,
            ..ALL
        };
        let refusal = |is_too_much| {
            Err(PackError::NoLaw {
                missing: "exponent",
                is_too_much,
            })
        };
        assert_eq!(complete(given, 1e3), refusal(true));
        assert_eq!(complete(given, 1e6), refusal(false));
        assert_eq!(complete(ALL, 1e5), Err(PackError::GivenSizes));
        let countless = GivenSizes { count: None, ..ALL };
        assert!(matches!(
            complete(countless, 1e12),
            Err(PackError::TooMany { .. })
        ));
        assert!(matches!(
            Demand::new(&countless, None, 0.7),
            Err(PackError::GivenSizes)
        ));
    }
}
