//! A modelled drift against an observed one: velocities at even times, some of them missing in the observation.
//!
//! Missing values are NaN; what is missing in one series counts in none.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, math};

use super::response::{Response, fit_response};

/// Pairs of values where both are there.
fn both(first: &[DVec2], second: &[DVec2]) -> (Vec<DVec2>, Vec<DVec2>) {
    let pairs = first.iter().copied().zip(second.iter().copied());
    pairs
        .filter(|(a, b)| a.is_finite() && b.is_finite())
        .unzip()
}

fn mean(values: &[DVec2]) -> DVec2 {
    values.iter().sum::<DVec2>() / values.len() as f64
}

/// The values without their mean.
fn centred(values: &[DVec2]) -> Vec<DVec2> {
    let mean = mean(values);
    values.iter().map(|&value| value - mean).collect()
}

/// Deviation of a steady wind over its mean [–]. Turned to east and north along a track, a uniform wind changes by the convergence of the meridians, some
/// degrees, and a regression on that has no meaning; natural wind deviates by as much as its mean.
const STEADY: f64 = 0.1;

/// Wind factor, turning and constant drift: the regression v = c Uₐ + d with complex c, and the share R² of the variance of v that it accounts for.
/// `None` for fewer than three pairs, or a steady wind.
pub fn fit_wind(ice: &[DVec2], wind: &[DVec2]) -> Option<(Response, DVec2, f64)> {
    let (ice, wind) = both(ice, wind);
    if ice.len() < 3 {
        return None;
    }
    let varying = centred(&wind);
    let squares: f64 = varying.iter().map(|value| value.length_squared()).sum();
    if (squares / wind.len() as f64).sqrt() <= STEADY * mean(&wind).length() {
        return None;
    }
    let (response, share) = fit_response(&centred(&ice), &varying)?;
    let turned = DVec2::from_angle(-response.angle).rotate(mean(&wind));
    Some((response, mean(&ice) - response.factor * turned, share))
}

/// Skill R² of modelled velocities: 1 − Σ|v′ − u′|² / Σ|v′|² with the means of both removed. NaN where nothing was observed to vary.
pub fn skill(observed: &[DVec2], modelled: &[DVec2]) -> f64 {
    let (observed, modelled) = both(observed, modelled);
    let (observed, modelled) = (centred(&observed), centred(&modelled));
    let pairs = observed.iter().zip(&modelled);
    let missed: f64 = pairs.map(|(v, u)| (*v - *u).length_squared()).sum();
    1.0 - missed / observed.iter().map(|v| v.length_squared()).sum::<f64>()
}

/// Root mean square of what turns in a band of angular frequencies [rad/s], clockwise where they are positive [m/s]: the Fourier coefficients of the series,
/// mean removed, values `interval` \[s\] apart. Gaps of up to a quarter of a turn are interpolated, longer ones have no power and count in no mean: with the mean in place
/// of missing values the amplitude would fall with their number.
pub fn band_amplitude(velocities: &[DVec2], interval: f64, band: [f64; 2]) -> f64 {
    let turn = TAU / (0.5 * (band[0] + band[1]).abs() * interval);
    let velocities = &bridge_gaps(velocities, 0.25 * turn)[..];
    let known: Vec<DVec2> = velocities
        .iter()
        .copied()
        .filter(|v| v.is_finite())
        .collect();
    if known.is_empty() {
        return f64::NAN;
    }
    let (mean, count) = (mean(&known), velocities.len() as f64);
    let spacing = TAU / (count * interval);
    let ends = band.map(|end| end / spacing);
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let mut power = 0.0;
    for order in (low.ceil() as i64)..=(high.floor() as i64) {
        let mut sum = DVec2::ZERO;
        for (index, velocity) in velocities.iter().enumerate() {
            if velocity.is_finite() {
                let turns = (order as f64 * index as f64 / count).fract();
                let (sin, cos) = math::sin_cos(TAU * turns);
                sum += DVec2::new(cos, sin).rotate(*velocity - mean);
            }
        }
        power += (sum / count).length_squared();
    }
    (power * count / known.len() as f64).sqrt()
}

/// The series with gaps interpolated linearly whose known ends are at most `longest` values apart; longer gaps stay.
pub fn bridge_gaps(velocities: &[DVec2], longest: f64) -> Vec<DVec2> {
    let mut filled = velocities.to_vec();
    let known = (0..velocities.len()).filter(|&index| velocities[index].is_finite());
    let known: Vec<usize> = known.collect();
    for ends in known.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let span = (to - from) as f64;
        if span <= longest {
            for (step, value) in filled[from..to].iter_mut().enumerate().skip(1) {
                *value = velocities[from].lerp(velocities[to], step as f64 / span);
            }
        }
    }
    filled
}

/// Mean distance \[m\] after `lag` values between an observed and a modelled track that start at one place, over all starts `lag_between` values apart
/// with no value missing; `None` where there is no such start.
pub fn separation(
    observed: &[DVec2],
    modelled: &[DVec2],
    interval: f64,
    lag: usize,
    lag_between: usize,
) -> Option<f64> {
    let differences: Vec<DVec2> = observed
        .iter()
        .zip(modelled)
        .map(|(v, u)| *u - *v)
        .collect();
    let starts = (0..=differences.len().checked_sub(lag)?).step_by(lag_between.max(1));
    let distances: Vec<f64> = starts
        .map(|start| {
            interval
                * differences[start..start + lag]
                    .iter()
                    .sum::<DVec2>()
                    .length()
        })
        .filter(|distance| distance.is_finite())
        .collect();
    let count = distances.len();
    (count > 0).then(|| distances.iter().sum::<f64>() / count as f64)
}

/// Single-track dispersion: the variance \[m²\] about its mean of the displacement over `lag` values, over all pairs of points so far
/// apart in time with no value missing between them; NaN where there is none.
pub fn displacement_variance(velocities: &[DVec2], interval: f64, lag: usize) -> f64 {
    let displacements: Vec<DVec2> = velocities
        .windows(lag.max(1))
        .map(|window| interval * window.iter().sum::<DVec2>())
        .filter(|displacement| displacement.is_finite())
        .collect();
    let count = displacements.len() as f64;
    let squares = centred(&displacements);
    squares.iter().map(|d| d.length_squared()).sum::<f64>() / count
}

/// Two-point dispersion ⟨Δ²⟩ \[m²\]: the mean square of the change Δ of the vector between two points over `lag` values, over all pairs of tracks and all starts
/// with no value missing in both, and the number of pairs that it is a mean of; `None` where there is none. All tracks start at one time.
pub fn pair_dispersion(tracks: &[Vec<DVec2>], interval: f64, lag: usize) -> Option<(f64, usize)> {
    let longest = tracks.iter().map(Vec::len).max()?;
    let (mut sum, mut pairs) = (0.0, 0);
    for start in 0..=longest.checked_sub(lag)? {
        let displacements = tracks.iter().filter_map(|track| {
            let window = track.get(start..start + lag)?;
            let displacement = interval * window.iter().sum::<DVec2>();
            displacement.is_finite().then_some(displacement)
        });
        let displacements: Vec<DVec2> = displacements.collect();
        let count = displacements.len();
        if count > 1 {
            // Σ over pairs |dᵢ − dⱼ|² = n Σ |dᵢ − d̄|².
            let squares = centred(&displacements)
                .into_iter()
                .map(DVec2::length_squared);
            sum += count as f64 * squares.sum::<f64>();
            pairs += count * (count - 1) / 2;
        }
    }
    (pairs > 0).then(|| (sum / pairs as f64, pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn winds() -> Vec<DVec2> {
        (0..200)
            .map(|k| DVec2::from_angle(0.3 * f64::from(k)) * (5.0 + f64::from(k % 7)))
            .collect()
    }

    #[test]
    fn a_steady_wind_that_turns_a_little_has_no_response() {
        let angles = (0..50).map(|k| 0.002 * f64::from(k));
        let wind: Vec<DVec2> = angles.map(|a| 10.0 * DVec2::from_angle(a)).collect();
        let ice: Vec<DVec2> = (0..50).map(|k| DVec2::new(f64::from(k % 7), 0.3)).collect();
        assert_eq!(fit_wind(&ice, &wind), None);
        let gusty: Vec<DVec2> = wind.iter().zip(&ice).map(|(w, v)| *w + *v).collect();
        assert!(fit_wind(&ice, &gusty).is_some());
    }

    #[test]
    fn factor_turning_and_constant_are_found_beside_gaps() {
        let (wind, steady) = (winds(), DVec2::new(0.03, -0.01));
        let turn = DVec2::from_angle(-0.5);
        let mut ice: Vec<DVec2> = wind
            .iter()
            .map(|&w| 0.02 * turn.rotate(w) + steady)
            .collect();
        ice[7] = DVec2::NAN;
        let (response, constant, share) = fit_wind(&ice, &wind).unwrap();
        assert!((response.factor - 0.02).abs() < 1e-12);
        assert!((response.angle - 0.5).abs() < 1e-12);
        assert!((constant - steady).length() < 1e-12);
        assert!((share - 1.0).abs() < 1e-12);
    }

    #[test]
    fn skill_forgets_the_means_and_nothing_else() {
        let (observed, shift) = (winds(), DVec2::new(3.0, 1.0));
        let shifted: Vec<DVec2> = observed.iter().map(|&v| v + shift).collect();
        assert!((skill(&observed, &shifted) - 1.0).abs() < 1e-12);
        let half: Vec<DVec2> = observed.iter().map(|&v| 0.5 * v).collect();
        assert!((skill(&observed, &half) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn the_amplitude_of_a_clockwise_circle_is_its_radius() {
        let count = 240;
        let rate = TAU * 20.0 / (f64::from(count) * 3600.0);
        let velocities: Vec<DVec2> = (0..count)
            .map(|k| 0.1 * DVec2::from_angle(-rate * 3600.0 * f64::from(k)) + DVec2::X)
            .collect();
        let band = [0.9 * rate, 1.1 * rate];
        assert!((band_amplitude(&velocities, 3600.0, band) - 0.1).abs() < 1e-12);
        let other = band_amplitude(&velocities, 3600.0, band.map(|end| -end));
        assert!(other < 1e-12, "{other}");
        // Two fifths of all values are missing, and three days: with the mean in their place 0.05 was left.
        let mut holed = velocities;
        for (index, value) in holed.iter_mut().enumerate() {
            if (index * index + 3 * index) % 5 < 2 || (100..172).contains(&index) {
                *value = DVec2::NAN;
            }
        }
        let missing = holed.iter().filter(|v| v.is_nan()).count();
        assert!(missing > 100, "{missing}");
        let found = band_amplitude(&holed, 3600.0, band);
        assert!((found - 0.1).abs() < 0.02, "{found} {missing}");
    }

    #[test]
    fn tracks_with_a_steady_difference_part_in_proportion() {
        let observed = vec![DVec2::ZERO; 100];
        let modelled = vec![DVec2::new(0.1, 0.0); 100];
        let after = |lag| separation(&observed, &modelled, 10.0, lag, 5);
        assert!((after(20).unwrap() - 20.0).abs() < 1e-12);
        assert!((after(100).unwrap() - 100.0).abs() < 1e-12);
        assert_eq!(after(101), None);
        // A steady drift has displacements without variance.
        assert!(displacement_variance(&modelled, 10.0, 20) < 1e-20);
    }

    #[test]
    fn short_gaps_are_bridged_and_longer_ones_stay() {
        let line = |k: i32| DVec2::new(0.1 * f64::from(k), 1.0);
        let mut holed: Vec<DVec2> = (0..30).map(line).collect();
        for gap in [0..1, 5..6, 10..13, 20..25] {
            holed[gap].fill(DVec2::NAN);
        }
        let bridged = bridge_gaps(&holed, 4.0);
        for (k, value) in (0..30).zip(&bridged) {
            if k == 0 || (20..25).contains(&k) {
                assert!(value.is_nan(), "{k}");
            } else {
                assert!((*value - line(k)).length() < 1e-14, "{k}");
            }
        }
    }

    #[test]
    fn points_that_part_steadily_disperse_with_the_square_of_the_lag() {
        let speeds = [0.0, 0.1, 0.2];
        let mut tracks: Vec<Vec<DVec2>> = speeds
            .iter()
            .map(|&u| vec![DVec2::new(u, -1.0); 50])
            .collect();
        // Pairs part at 0.1, 0.1 and 0.2 m/s: ⟨Δ²⟩ = 0.02 τ².
        for lag in [1, 10, 50] {
            let (found, pairs) = pair_dispersion(&tracks, 10.0, lag).unwrap();
            let time = 10.0 * lag as f64;
            assert!((found / (0.02 * time * time) - 1.0).abs() < 1e-12);
            assert_eq!(pairs, 3 * (51 - lag));
        }
        // A gap in the third leaves the first two alone around it.
        tracks[2][20] = DVec2::NAN;
        let (found, pairs) = pair_dispersion(&tracks, 10.0, 41).unwrap();
        assert!((found / (0.01 * 410.0 * 410.0) - 1.0).abs() < 1e-12 && pairs == 10);
        assert_eq!(pair_dispersion(&tracks, 10.0, 51), None);
        assert_eq!(pair_dispersion(&tracks[..1], 10.0, 1), None);
    }
}
