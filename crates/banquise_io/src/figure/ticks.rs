//! Ticks of an axis: round numbers, for linear, time and logarithmic axes.

/// 10 to the power `exponent`, correctly rounded (`powi` may differ between platforms).
pub(super) fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}")
        .parse()
        .expect("a power of ten is a number")
}

/// The largest `n` with 10ⁿ ≤ |value|, for finite non-zero `value`; read from the decimal text,
/// which is exact where a logarithm is not.
pub(super) fn decade_of(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// The smallest step of the ladder 1-2-5 that is at least `raw`. `preferred` steps (ascending)
/// win where they cover `raw`: 15 min or 6 h read better than 20 min or 5 h.
pub(super) fn nice_step(raw: f64, preferred: &[f64]) -> f64 {
    // A step computed as 0.2000…01 must not jump to the next rung.
    let wanted = raw * (1.0 - 1e-9);
    if let (Some(first), Some(last)) = (preferred.first(), preferred.last())
        && (*first * 0.5..=*last).contains(&wanted)
    {
        return preferred
            .iter()
            .copied()
            .find(|step| *step >= wanted)
            .unwrap_or(*last);
    }
    let decade = decade_of(wanted);
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * power_of_ten(decade))
        .find(|step| *step >= wanted)
        .unwrap_or(power_of_ten(decade + 1))
}

/// The multiples of `step` inside `[lo, hi]`.
pub(super) fn multiples(lo: f64, hi: f64, step: f64) -> Vec<f64> {
    let slack = 1e-9;
    let first = (lo / step - slack).ceil();
    let last = (hi / step + slack).floor();
    let count = (last - first + 1.0).clamp(0.0, 100.0) as usize;
    (0..count)
        .map(|index| (first + index as f64) * step)
        .collect()
}

/// Decimals needed to tell the multiples of `step` apart.
pub(super) fn decimals_for(step: f64) -> usize {
    let is_whole = |decimals: &i32| {
        let scaled = step * power_of_ten(*decimals);
        scaled >= 0.5 && (scaled - scaled.round()).abs() < 1e-6 * scaled
    };
    (0..15).find(is_whole).unwrap_or(15) as usize
}

/// Widens `[lo, hi]`, both positive, to the nearest 1, 2 or 5 times a power of ten.
pub(super) fn log_range(lo: f64, hi: f64) -> [f64; 2] {
    let rungs = |value: f64| {
        let decade = power_of_ten(decade_of(value));
        [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade)
    };
    let below = rungs(lo)
        .into_iter()
        .rev()
        .find(|rung| *rung <= lo)
        .unwrap_or(lo);
    let above = rungs(hi).into_iter().find(|rung| *rung >= hi).unwrap_or(hi);
    if below < above {
        [below, above]
    } else {
        [below / 10.0, above * 10.0]
    }
}

/// A tick of a logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogTick {
    pub(super) value: f64,
    pub(super) is_labelled: bool,
}

/// Ticks of a logarithmic axis over `[lo, hi]`: decades with unlabelled ticks between them, or
/// 1-2-5 when the axis spans less than two decades.
pub(super) fn log_ticks(lo: f64, hi: f64) -> Vec<LogTick> {
    let decades: Vec<i32> = (decade_of(lo)..=decade_of(hi)).collect();
    let inside = |value: f64| value >= lo * (1.0 - 1e-9) && value <= hi * (1.0 + 1e-9);
    let whole_decades = decades.iter().filter(|n| inside(power_of_ten(**n))).count();
    let stride = (decade_of(hi) - decade_of(lo)) / 7 + 1;
    let mut ticks = Vec::new();
    for decade in decades {
        for digit in 1..=9 {
            let value = f64::from(digit) * power_of_ten(decade);
            let is_labelled = if whole_decades > 2 {
                digit == 1 && decade.rem_euclid(stride) == 0
            } else {
                matches!(digit, 1 | 2 | 5)
            };
            let is_wanted = is_labelled || whole_decades <= 7;
            if inside(value) && is_wanted {
                ticks.push(LogTick { value, is_labelled });
            }
        }
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_climb_the_ladder_one_two_five() {
        assert_eq!(nice_step(0.13, &[]), 0.2);
        assert_eq!(nice_step(0.1 + 0.1, &[]), 0.2);
        assert_eq!(nice_step(5.1, &[]), 10.0);
        assert_eq!(nice_step(1e-300, &[]), 1e-300);
    }

    #[test]
    fn preferred_steps_win_where_they_apply() {
        let hours = [1.0, 2.0, 3.0, 6.0, 12.0, 24.0];
        assert_eq!(nice_step(4.1, &hours), 6.0);
        assert_eq!(nice_step(30.0, &hours), 50.0);
        assert_eq!(nice_step(0.01, &hours), 0.01);
    }

    #[test]
    fn multiples_include_both_ends() {
        assert_eq!(multiples(0.0, 1.0, 0.25), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(multiples(-0.3, 0.3, 0.1).len(), 7);
        assert!(multiples(0.1, 0.2, 1.0).is_empty());
    }

    #[test]
    fn decimals_follow_the_step() {
        assert_eq!([5.0, 0.5, 0.25, 0.02].map(decimals_for), [0, 1, 2, 2]);
        assert_eq!(decimals_for(2000.0), 0);
    }

    #[test]
    fn long_log_axes_label_decades_and_short_ones_label_one_two_five() {
        let labels = |lo, hi| -> Vec<f64> {
            log_ticks(lo, hi)
                .iter()
                .filter(|t| t.is_labelled)
                .map(|t| t.value)
                .collect()
        };
        assert_eq!(labels(1.0, 1000.0), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(labels(2.0, 10.0), [2.0, 5.0, 10.0]);
        assert!(labels(1e-200, 1e200).len() <= 8);
        assert_eq!(log_range(3.0, 40.0), [2.0, 50.0]);
        assert_eq!(log_range(1.0, 1.0), [0.1, 10.0]);
    }
}
