//! A run against an observed track: wind factor and turning, skill, separation, inertial motion.

mod figures;
mod json;
mod pairs;

use std::f64::consts::PI;

use banquise::diagnostics::response::Response;
use banquise::diagnostics::spectrum::{Band, rotary_spectrum};
use banquise::diagnostics::tracks::{
    band_amplitude, bridge_gaps, displacement_variance, fit_wind, separation, skill,
};
use banquise::units::DAY;
use banquise_geometry::DVec2;

use crate::scenario::TrackRow;

pub use crate::weather::calendar::usual_interval;
pub use figures::figures;
pub use pairs::{PairDispersion, Pairs};

/// Days after which the separation of the tracks is taken.
pub const SEPARATION_DAYS: [usize; 4] = [1, 3, 5, 10];
/// Gaps between values that are interpolated where displacements are summed, at most \[s\]: a quarter of the shortest lag. In a longer one the drift may have turned.
const LONGEST_GAP: f64 = 0.25 * DAY;
/// Ends of the inertial band, over the Coriolis parameter.
const INERTIAL_BAND: [f64; 2] = [0.9, 1.1];
/// Shares of all values for which the speed is told: a distribution in five numbers.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Velocities at even times, NaN where there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedTracks {
    /// First time \[s\].
    pub start: f64,
    /// Time between values \[s\].
    pub interval: f64,
    /// Observed velocity [m/s].
    pub observed: Vec<DVec2>,
    /// Modelled velocity [m/s]; NaN where nothing was observed.
    pub modelled: Vec<DVec2>,
    /// Wind [m/s].
    pub wind: Vec<DVec2>,
    /// Coriolis parameter [1/s]: of the mean latitude of the track, or of the run.
    pub coriolis: f64,
}

impl PairedTracks {
    /// Lays the rows from `from` until `until` \[s\] on even times, the median of their distances apart, with the modelled velocity and wind at the time of each row, or as
    /// means over its span; of several rows at one of these times, the mean counts. `None` where fewer than three rows are left.
    pub fn new(
        rows: &[TrackRow],
        [from, until]: [f64; 2],
        coriolis: f64,
        modelled_at: impl Fn(&TrackRow) -> DVec2,
        wind_at: impl Fn(&TrackRow) -> DVec2,
    ) -> Option<Self> {
        let rows: Vec<&TrackRow> = rows
            .iter()
            .filter(|row| row.time - 0.5 * row.span >= from && row.time + 0.5 * row.span <= until)
            .collect();
        let times: Vec<f64> = rows.iter().map(|row| row.time).collect();
        let interval = usual_interval(&times).filter(|_| times.len() > 2)?;
        let start = times[0];
        let place = |time: f64| ((time - start) / interval).round() as usize;
        let count = place(rows[rows.len() - 1].time) + 1;
        let known = rows.into_iter().filter(|row| row.velocity.is_finite());
        let known: Vec<&TrackRow> = known.collect();
        let even = |value: &dyn Fn(&TrackRow) -> DVec2| {
            let values = known.iter().map(|row| (row.time, value(row)));
            at_even_times(values, start, interval, count)
        };
        Some(Self {
            start,
            interval,
            observed: even(&|row| row.velocity),
            modelled: even(&modelled_at),
            wind: even(&|row| {
                if row.wind.is_finite() {
                    row.wind
                } else {
                    wind_at(row)
                }
            }),
            coriolis,
        })
    }

    /// The part between two shares of the time, from 0 to 1.
    #[must_use]
    pub fn part(&self, from: f64, until: f64) -> Self {
        let count = self.observed.len() as f64;
        let [first, last] = [from, until].map(|share| (share * count).round() as usize);
        let cut = |values: &[DVec2]| values[first..last].to_vec();
        Self {
            start: self.start + first as f64 * self.interval,
            observed: cut(&self.observed),
            modelled: cut(&self.modelled),
            wind: cut(&self.wind),
            ..*self
        }
    }

    /// All measures of the comparison.
    pub fn compare(&self) -> Comparison {
        let per_day = (DAY / self.interval).round().max(1.0) as usize;
        let [observed, modelled] =
            [&self.observed, &self.modelled].map(|track| bridged(track, self.interval));
        let separations = SEPARATION_DAYS.map(|days| {
            let lag = days * per_day;
            separation(&observed, &modelled, self.interval, lag, per_day)
        });
        Comparison {
            values: self.observed.iter().filter(|v| v.is_finite()).count(),
            observed: self.measures(&self.observed),
            modelled: self.measures(&self.modelled),
            skill: skill(&self.observed, &self.modelled),
            separations,
        }
    }

    fn measures(&self, velocities: &[DVec2]) -> Measures {
        let band = INERTIAL_BAND.map(|end| end * self.coriolis);
        // Slower sampling than twice in a turn sees other frequencies as these.
        let is_sampled = INERTIAL_BAND[1] * self.coriolis.abs() * self.interval < PI;
        let bridged = bridged(velocities, self.interval);
        let longest = bridged
            .split(|v| !v.is_finite())
            .max_by_key(|piece| piece.len());
        let mut speeds: Vec<f64> = velocities.iter().map(|v| v.length()).collect();
        speeds.retain(|speed| speed.is_finite());
        speeds.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let last = speeds.len().saturating_sub(1);
            let at = (share * last as f64).round() as usize;
            speeds.get(at).copied().unwrap_or(f64::NAN)
        };
        let lags = dispersion_lags(velocities.len());
        let variance = |lag| displacement_variance(&bridged, self.interval, lag);
        Measures {
            wind: fit_wind(velocities, &self.wind),
            inertial: if is_sampled {
                band_amplitude(velocities, self.interval, band)
            } else {
                f64::NAN
            },
            spectrum: rotary_spectrum(longest.unwrap_or_default(), self.interval),
            speeds: QUANTILES.map(quantile),
            dispersion: lags
                .into_iter()
                .map(|lag| (lag as f64 * self.interval, variance(lag)))
                .collect(),
        }
    }
}

/// A series of values `interval` \[s\] apart with its short gaps interpolated.
fn bridged(velocities: &[DVec2], interval: f64) -> Vec<DVec2> {
    // Times of tables are rounded.
    bridge_gaps(velocities, LONGEST_GAP / interval * (1.0 + 1e-6))
}

/// Values at `count` even times, each the mean of those nearest to it; NaN where there is none.
fn at_even_times(
    values: impl Iterator<Item = (f64, DVec2)>,
    start: f64,
    interval: f64,
    count: usize,
) -> Vec<DVec2> {
    let mut sums = vec![(DVec2::ZERO, 0.0); count];
    for (time, value) in values {
        let place = ((time - start) / interval).round();
        if place >= 0.0 && place < count as f64 {
            let (sum, number) = &mut sums[place as usize];
            *sum += value;
            *number += 1.0;
        }
    }
    sums.into_iter().map(|(sum, number)| sum / number).collect()
}

/// Lags, doubling, up to a quarter of a series: beyond, too few displacements are independent.
fn dispersion_lags(count: usize) -> Vec<usize> {
    let lags = std::iter::successors(Some(1), |lag| Some(2 * lag));
    lags.take_while(|&lag| lag <= count / 4).collect()
}

/// What one measures of one track.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// Wind factor and turning, constant drift [m/s], and the share of the variance they account for.
    pub wind: Option<(Response, DVec2, f64)>,
    /// Inertial amplitude, root mean square of 0.9 to 1.1 f in the sense of inertial motion [m/s]; NaN where values are too far apart to tell.
    pub inertial: f64,
    /// Rotary spectrum of the longest piece without a gap of more than six hours.
    pub spectrum: Vec<Band>,
    /// Speeds that 5, 25, 50, 75 and 95 % of all values do not exceed [m/s].
    pub speeds: [f64; 5],
    /// Single-track dispersion: lag \[s\] and variance of the displacement \[m²\].
    pub dispersion: Vec<(f64, f64)>,
}

/// A comparison of two tracks.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Number of observed values.
    pub values: usize,
    /// Of the observed track.
    pub observed: Measures,
    /// Of the modelled one, at the same times.
    pub modelled: Measures,
    /// R² of the velocity, means of both removed.
    pub skill: f64,
    /// Mean separation after 1, 3, 5 and 10 days \[m\], gaps of up to six hours interpolated; `None` where no such time is without longer ones.
    pub separations: [Option<f64>; 4],
}
