//! An axis: its label and unit, the range it covers, and its ticks.

use super::text::{decimal, short_number, superscript};
use super::ticks::{decade_of, decimals_for, log_range, log_ticks, multiples, nice_step};
use super::unit::{ShownUnit, Unit};

/// Scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal ratios; values that are not positive are not drawn.
    Log,
}

/// One axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, without its unit.
    pub label: String,
    /// Unit of the values given.
    pub unit: Unit,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Lower and upper end, in the unit of the values; taken from the values when `None`.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis over the range of the values.
    pub fn new(label: &str, unit: Unit) -> Self {
        Self {
            label: label.to_owned(),
            unit,
            ..Self::default()
        }
    }

    /// A logarithmic axis over the range of the values.
    pub fn log(label: &str, unit: Unit) -> Self {
        Self {
            scale: Scale::Log,
            ..Self::new(label, unit)
        }
    }
}

/// `value` if it can be drawn. Beyond 1e300 the width of a range could overflow, below 1e-300 a
/// tick step could vanish: the first is dropped, the second is zero to any eye.
pub(super) fn drawable(value: f64) -> Option<f64> {
    if !value.is_finite() || value.abs() > 1e300 {
        None
    } else if value.abs() < 1e-300 {
        Some(0.0)
    } else {
        Some(value)
    }
}

/// Smallest and largest of the drawable `values`.
pub(super) fn bounds(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let widen = |range: Option<[f64; 2]>, value: f64| {
        let [lo, hi] = range.unwrap_or([value, value]);
        Some([lo.min(value), hi.max(value)])
    };
    values.filter_map(drawable).fold(None, widen)
}

/// A tick; an empty label marks a minor one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// An axis ready to draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisPlan {
    pub(super) title: String,
    pub(super) ticks: Vec<Tick>,
    pub(super) range: [f64; 2],
    scale: Scale,
}

impl AxisPlan {
    /// Plans `axis` for values within `extremes`, with about `tick_count` ticks. `is_padded`
    /// leaves air around the values, or starts at zero when they come near it.
    pub(super) fn new(
        axis: &Axis,
        extremes: Option<[f64; 2]>,
        tick_count: f64,
        is_padded: bool,
    ) -> Self {
        let wanted = axis.range.and_then(|range| usable_range(range, axis.scale));
        let Some(found) = wanted.or(extremes) else {
            let title = ShownUnit::choose(&axis.unit, 0.0).titled(&axis.label);
            return Self {
                title,
                ticks: Vec::new(),
                range: [0.0, 1.0],
                scale: Scale::Linear,
            };
        };
        if axis.scale == Scale::Log {
            return Self::log(
                axis,
                wanted.unwrap_or_else(|| log_range(found[0], found[1])),
            );
        }
        let range = match wanted {
            Some(range) => range,
            None if is_padded => padded(widened(found)),
            None => widened(found),
        };
        let shown = ShownUnit::choose(&axis.unit, range[0].abs().max(range[1].abs()));
        Self::linear(&axis.label, range, &shown, tick_count)
    }

    /// A linear axis over exactly `range`, in a unit chosen by the caller.
    pub(super) fn linear(label: &str, range: [f64; 2], shown: &ShownUnit, tick_count: f64) -> Self {
        let [lo, hi] = range.map(|end| end / shown.factor);
        let step = nice_step((hi - lo) / tick_count.max(3.0), shown.steps);
        let decimals = decimals_for(step);
        let tick = |value: f64| Tick {
            value: value * shown.factor,
            label: decimal(value, decimals),
        };
        let ticks = multiples(lo, hi, step).into_iter().map(tick).collect();
        Self {
            title: shown.titled(label),
            ticks,
            range,
            scale: Scale::Linear,
        }
    }

    /// Logarithmic labels span many prefixes, so the unit stays as it is.
    fn log(axis: &Axis, range: [f64; 2]) -> Self {
        let shown = match &axis.unit {
            Unit::None => ShownUnit::new(1.0, ""),
            Unit::Time => ShownUnit::new(1.0, "s"),
            Unit::Prefixed(symbol) | Unit::Fixed(symbol) => ShownUnit::new(1.0, symbol),
        };
        let is_long = range[1] / range[0] > 999.0;
        let label = |value: f64| match decade_of(value) {
            decade if is_long => format!("10{}", superscript(decade)),
            _ => short_number(value),
        };
        let ticks = log_ticks(range[0], range[1]).into_iter().map(|tick| Tick {
            value: tick.value,
            label: if tick.is_labelled {
                label(tick.value)
            } else {
                String::new()
            },
        });
        Self {
            title: shown.titled(&axis.label),
            ticks: ticks.collect(),
            range,
            scale: Scale::Log,
        }
    }

    /// Where `value` lies between the ends of the axis (0 and 1), if it can be drawn at all.
    pub(super) fn fraction(&self, value: f64) -> Option<f64> {
        let value = drawable(value)?;
        let [lo, hi] = self.range;
        match self.scale {
            Scale::Linear => Some((value - lo) / (hi - lo)),
            Scale::Log if value <= 0.0 => None,
            Scale::Log => Some((value / lo).log10() / (hi / lo).log10()),
        }
    }
}

fn usable_range(range: [f64; 2], scale: Scale) -> Option<[f64; 2]> {
    let [a, b] = [drawable(range[0])?, drawable(range[1])?];
    let ordered = [a.min(b), a.max(b)];
    let is_usable = is_wide(ordered) && (scale == Scale::Linear || ordered[0] > 0.0);
    is_usable.then_some(ordered)
}

/// Whether eight digits tell the ends apart; below that, tick labels would be all digits.
fn is_wide([lo, hi]: [f64; 2]) -> bool {
    hi - lo > 1e-8 * lo.abs().max(hi.abs())
}

/// `range`, given some width if it has none.
pub(super) fn widened(range: [f64; 2]) -> [f64; 2] {
    if is_wide(range) {
        return range;
    }
    let middle = 0.5 * range[0] + 0.5 * range[1];
    let margin = if middle == 0.0 {
        1.0
    } else {
        0.1 * middle.abs()
    };
    [middle - margin, middle + margin]
}

fn padded([lo, hi]: [f64; 2]) -> [f64; 2] {
    let air = 0.05 * (hi - lo);
    if lo >= 0.0 && lo < 0.35 * hi {
        [0.0, hi + air]
    } else if hi <= 0.0 && hi > 0.35 * lo {
        [lo - air, 0.0]
    } else {
        [lo - air, hi + air]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(unit: Unit, lo: f64, hi: f64) -> (String, Vec<String>) {
        let plan = AxisPlan::new(&Axis::new("q", unit), Some([lo, hi]), 5.0, false);
        (
            plan.title,
            plan.ticks.into_iter().map(|tick| tick.label).collect(),
        )
    }

    #[test]
    fn time_is_shown_in_the_unit_that_suits() {
        assert_eq!(plan(Unit::Time, 0.0, 60.0).0, "q (s)");
        assert_eq!(plan(Unit::Time, 0.0, 3600.0).0, "q (min)");
        let day = plan(Unit::Time, 0.0, 86_400.0);
        assert_eq!(
            (day.0.as_str(), day.1.join(" ")),
            ("q (h)", "0 6 12 18 24".into())
        );
        assert_eq!(plan(Unit::Time, 0.0, 518_400.0).0, "q (d)");
        assert_eq!(plan(Unit::Time, 0.0, 8.64e13).0, "q (10⁹ d)");
    }

    #[test]
    fn prefixes_and_powers_keep_labels_short() {
        let energy = plan(Unit::Prefixed("J".into()), 0.0, 4.2e7);
        assert_eq!(
            (energy.0.as_str(), energy.1.join(" ")),
            ("q (MJ)", "0 10 20 30 40".into())
        );
        assert_eq!(plan(Unit::Prefixed("m".into()), 0.0, 5e6).0, "q (km)");
        assert_eq!(plan(Unit::Prefixed("m".into()), 0.0, 5e20).0, "q (10¹⁸ m)");
        assert_eq!(plan(Unit::Fixed("kg".into()), 0.0, 3e9).0, "q (10⁹ kg)");
        assert_eq!(plan(Unit::None, 0.0, 2e-5).0, "q (×10⁻⁶)");
        assert_eq!(
            plan(Unit::Fixed("m s⁻¹".into()), 0.0, 0.2).1.join(" "),
            "0.00 0.05 0.10 0.15 0.20"
        );
        assert_eq!(plan(Unit::Prefixed("J".into()), 0.0, 1e30).0, "q (10³⁰ J)");
    }

    #[test]
    fn constant_values_get_an_axis_with_some_width() {
        for value in [0.0, 5.0, -1e-7, 1e299] {
            let plan = AxisPlan::new(&Axis::default(), Some([value, value]), 5.0, true);
            assert!(plan.range[0] < value.max(plan.range[0] + 1e-300) && plan.ticks.len() >= 2);
            assert!(
                plan.fraction(value)
                    .is_some_and(|f| (0.0..=1.0).contains(&f))
            );
        }
    }

    #[test]
    fn unusable_ranges_are_ignored() {
        let axis = Axis {
            range: Some([f64::NAN, 1.0]),
            ..Axis::default()
        };
        assert_eq!(
            AxisPlan::new(&axis, Some([2.0, 3.0]), 5.0, false).range,
            [2.0, 3.0]
        );
        let axis = Axis {
            range: Some([-1.0, 1.0]),
            ..Axis::log("q", Unit::None)
        };
        assert_eq!(
            AxisPlan::new(&axis, Some([2.0, 30.0]), 5.0, false).range,
            [2.0, 50.0]
        );
    }

    #[test]
    fn only_positive_values_have_a_place_on_a_log_axis() {
        let plan = AxisPlan::new(&Axis::log("q", Unit::None), Some([1.0, 100.0]), 5.0, true);
        assert_eq!(plan.fraction(10.0), Some(0.5));
        assert_eq!(plan.fraction(0.0), None);
        assert_eq!(plan.fraction(f64::NAN), None);
    }
}
