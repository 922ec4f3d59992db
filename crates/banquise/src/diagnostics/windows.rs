//! Sums since the start, cut into windows of time: loads, impulses, collisions per hour.

/// Increase of a sum in a window of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Start \[s\].
    pub start: f64,
    /// End \[s\].
    pub end: f64,
    /// Increase in the window.
    pub sum: f64,
}

impl Window {
    /// The gain per second: a mean force \[N\] where the sum is an impulse [N s].
    pub fn rate(&self) -> f64 {
        self.sum / (self.end - self.start)
    }

    /// The middle of the window \[s\].
    pub fn middle(&self) -> f64 {
        0.5 * (self.start + self.end)
    }
}

/// Cuts a sum since the start, known at growing times \[s\], into windows of `length` \[s\] that begin and end
/// at such times: a window ends at the first time not before its end, but for rounding.
pub fn windows(times: &[f64], sums: &[f64], length: f64) -> Vec<Window> {
    const WINDOW_ROUNDING: f64 = 1e-9;
    let mut windows = Vec::new();
    let mut begun = 0;
    for record in 1..times.len().min(sums.len()) {
        let elapsed = times[record] - times[begun];
        let is_last = record + 1 == times.len();
        if elapsed >= length * (1.0 - WINDOW_ROUNDING) || is_last {
            windows.push(Window {
                start: times[begun],
                end: times[record],
                sum: sums[record] - sums[begun],
            });
            begun = record;
        }
    }
    windows
}

/// The exceedance curve of some values: for each distinct value above zero, in growing order, the share of
/// all values that reach it.
pub fn exceedance(values: &[f64]) -> Vec<(f64, f64)> {
    let mut sorted: Vec<f64> = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let total = sorted.len() as f64;
    let mut curve: Vec<(f64, f64)> = Vec::new();
    for (rank, &value) in sorted.iter().enumerate() {
        let is_new = curve.last().is_none_or(|&(before, _)| before < value);
        if value > 0.0 && is_new {
            curve.push((value, (total - rank as f64) / total));
        }
    }
    curve
}

/// The peaks of a signal that is not negative: maxima between which it falls below half of the smaller one (Rayleigh
/// separation with a threshold of one half, as is usual for measured ice loads).
pub fn peaks(values: &[f64]) -> Vec<f64> {
    let mut peaks = Vec::new();
    // The largest value since the last trough, or none after a peak; and the smallest since the last peak.
    let (mut top, mut trough) = (None, 0.0);
    for &value in values {
        match top {
            Some(highest) if value < 0.5 * highest => {
                peaks.push(highest);
                (top, trough) = (None, value);
            }
            Some(highest) => top = Some(value.max(highest)),
            None if value > 2.0 * trough => top = Some(value),
            None => trough = trough.min(value),
        }
    }
    peaks.extend(top);
    peaks
}

#[cfg(test)]
mod tests {
    use super::*;
    use banquise_geometry::math;

    #[test]
    fn windows_add_up_to_the_whole() {
        let times: Vec<f64> = (0..=10).map(f64::from).collect();
        let sums: Vec<f64> = times.iter().map(|t| t * t).collect();
        let three = windows(&times, &sums, 3.0);
        let ends: Vec<(f64, f64)> = three.iter().map(|w| (w.start, w.end)).collect();
        assert_eq!(ends, [(0.0, 3.0), (3.0, 6.0), (6.0, 9.0), (9.0, 10.0)]);
        assert_eq!(three.iter().map(|w| w.sum).sum::<f64>(), 100.0);
        assert_eq!((three[1].rate(), three[1].middle()), (9.0, 4.5));
        assert_eq!(windows(&times, &sums, 1e-3).len(), 10);
        assert_eq!(windows(&times[..1], &sums[..1], 1.0), []);
    }

    #[test]
    fn the_exceedance_of_an_exponential_law_is_straight() {
        let count = 1000;
        let quantile = |i: i32| -math::ln(1.0 - (f64::from(i) + 0.5) / f64::from(count));
        let values: Vec<f64> = (0..count).map(quantile).collect();
        for (value, share) in exceedance(&values) {
            // The share at a quantile is known to half a value.
            assert!(
                (share - math::exp(-value)).abs() <= 0.51e-3,
                "{value} {share}"
            );
        }
        assert_eq!(peaks(&values), [values[values.len() - 1]]);
        assert_eq!(
            exceedance(&[0.0, 2.0, 0.0, 2.0, 5.0]),
            [(2.0, 0.6), (5.0, 0.2)]
        );
    }

    #[test]
    fn peaks_are_apart_where_the_signal_falls_to_half_of_the_smaller() {
        assert!(peaks(&[]).is_empty());
        assert!(peaks(&[0.0, 0.0]).is_empty());
        assert_eq!(peaks(&[0.0, 3.0, 0.0, 2.0]), [3.0, 2.0]);
        // From 10 to 6 it does not fall by half; from 10 to 4 it does, but 7 is not twice 4; 9 is.
        assert_eq!(peaks(&[1.0, 10.0, 6.0, 8.0, 0.0]), [10.0]);
        assert_eq!(peaks(&[10.0, 4.0, 7.0, 4.0, 9.0, 1.0]), [10.0, 9.0]);
    }
}
