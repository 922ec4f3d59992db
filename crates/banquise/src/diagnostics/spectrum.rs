//! Rotary spectrum of a velocity: how much of it turns clockwise and counter-clockwise, by frequency
//! (Gonella 1972, Deep-Sea Res. 19, 833–846, doi:10.1016/0011-7471(72)90002-2).

use banquise_geometry::{DVec2, math};
use std::f64::consts::TAU;

/// Power at one frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Frequency [1/s].
    pub frequency: f64,
    /// Power density of what turns clockwise [(m/s)² s]: inertial motion in the north.
    pub clockwise: f64,
    /// Power density of what turns counter-clockwise [(m/s)² s].
    pub counter_clockwise: f64,
}

/// Longest piece that is transformed at once; longer series are averaged over pieces that overlap by half
/// (Welch 1967).
const PIECE: usize = 4096;

/// The spectrum of velocities [m/s] at times `interval` \[s\] apart, mean removed, with the taper of Hann. The sum
/// over both senses and all frequencies, times their spacing, is the variance. Empty for fewer than four.
pub fn rotary_spectrum(velocities: &[DVec2], interval: f64) -> Vec<Band> {
    let length = velocities.len().min(PIECE);
    if length < 4 {
        return Vec::new();
    }
    let table = Table::new(length);
    let mut bands: Vec<Band> = Vec::new();
    let starts = (0..=velocities.len() - length).step_by(length / 2);
    let count = starts.clone().count() as f64;
    for start in starts {
        let powers = table.powers(&velocities[start..start + length], interval);
        if bands.is_empty() {
            let frequency = |k: usize| k as f64 / (length as f64 * interval);
            bands.extend((1..=powers.len()).map(|k| Band {
                frequency: frequency(k),
                clockwise: 0.0,
                counter_clockwise: 0.0,
            }));
        }
        for (band, [clockwise, counter_clockwise]) in bands.iter_mut().zip(powers) {
            band.clockwise += clockwise / count;
            band.counter_clockwise += counter_clockwise / count;
        }
    }
    bands
}

/// e^{2πik/n} for all k, and the taper.
struct Table {
    turns: Vec<DVec2>,
    taper: Vec<f64>,
}

impl Table {
    fn new(length: usize) -> Self {
        let turn = |k: usize| {
            let (sin, cos) = math::sin_cos(TAU * k as f64 / length as f64);
            DVec2::new(cos, sin)
        };
        let turns: Vec<DVec2> = (0..length).map(turn).collect();
        let taper = turns.iter().map(|turn| 0.5 - 0.5 * turn.x).collect();
        Self { turns, taper }
    }

    /// Clockwise and counter-clockwise power density at the frequencies k/(n Δt), 0 < k < n/2.
    fn powers(&self, velocities: &[DVec2], interval: f64) -> Vec<[f64; 2]> {
        let length = velocities.len();
        let mean = velocities.iter().sum::<DVec2>() / length as f64;
        let tapered: Vec<DVec2> = velocities
            .iter()
            .zip(&self.taper)
            .map(|(velocity, taper)| *taper * (*velocity - mean))
            .collect();
        let scale = interval / self.taper.iter().map(|taper| taper * taper).sum::<f64>();
        let power = |turns_per_piece: usize| {
            // Σ u e^{−2πijk/n}, complex.
            let mut sum = DVec2::ZERO;
            for (j, u) in tapered.iter().enumerate() {
                let turn = self.turns[j * turns_per_piece % length];
                sum += DVec2::new(u.x * turn.x + u.y * turn.y, u.y * turn.x - u.x * turn.y);
            }
            scale * sum.length_squared()
        };
        (1..length.div_ceil(2))
            .map(|k| [power(length - k), power(k)])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(count: u32, interval: f64, frequency: f64) -> Vec<DVec2> {
        let angle = |k: u32| TAU * frequency * f64::from(k) * interval;
        (0..count)
            .map(|k| DVec2::new(0.3, -0.1) + 0.2 * DVec2::from_angle(angle(k)))
            .collect()
    }

    #[test]
    fn an_inertial_circle_is_one_clockwise_peak_of_its_variance() {
        let (count, interval) = (240, 600.0);
        let frequency = 12.0 / (240.0 * 600.0);
        let bands = rotary_spectrum(&circle(count, interval, -frequency), interval);
        let spacing = bands[0].frequency;
        let clockwise: f64 = bands.iter().map(|band| band.clockwise * spacing).sum();
        let counter: f64 = bands
            .iter()
            .map(|band| band.counter_clockwise * spacing)
            .sum();
        assert!((clockwise - 0.04).abs() < 1e-12, "{clockwise}");
        assert!(counter < 1e-25, "{counter}");
        let peak = bands
            .iter()
            .max_by(|a, b| a.clockwise.total_cmp(&b.clockwise));
        assert!((peak.unwrap().frequency / frequency - 1.0).abs() < 1e-12);
        // Hann: two thirds at the peak, a sixth on either side.
        assert!((peak.unwrap().clockwise * spacing - 0.04 * 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_motion_to_and_fro_turns_both_ways_alike() {
        let swing: Vec<DVec2> = circle(128, 1.0, 5.0 / 128.0)
            .iter()
            .map(|u| DVec2::new(u.x, 0.0))
            .collect();
        for band in rotary_spectrum(&swing, 1.0) {
            assert!((band.clockwise - band.counter_clockwise).abs() < 1e-15);
        }
    }

    #[test]
    fn long_series_are_averaged_over_pieces() {
        let bands = rotary_spectrum(&circle(10_000, 1.0, 64.0 / 4096.0), 1.0);
        assert_eq!(bands.len(), 2047);
        let spacing = bands[0].frequency;
        let total: f64 = bands
            .iter()
            .map(|band| band.counter_clockwise * spacing)
            .sum();
        assert!((total - 0.04).abs() < 1e-12, "{total}");
        assert!(rotary_spectrum(&[DVec2::X; 3], 1.0).is_empty());
    }
}
