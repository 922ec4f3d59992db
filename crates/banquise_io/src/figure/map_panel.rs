//! The frame of a map: axes, colour bar, and the strip above with time, arrows and scale bar.

use super::axis::{AxisPlan, drawable};
use super::canvas::{Anchor, Area, Canvas, LABEL, SMALL, TextStyle, left_axis_width, path_through};
use super::map_content::{Arrow, Extent, Map};
use super::palette::{INK, filled, stroked};
use super::text::{px, short_number, text_width};
use super::ticks::{decade_of, nice_step, power_of_ten};
use super::unit::{ShownUnit, Unit};

/// Space \[px\] for the strip between title and map.
pub(super) const STRIP_HEIGHT: f64 = 30.0;
/// Space \[px\] for the labels below a map.
pub(super) const BOTTOM_MARGIN: f64 = 52.0;

/// The frame of one map.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub(super) area: Area,
    pub(super) extent: Extent,
    /// x and y axes.
    pub(super) plans: [AxisPlan; 2],
}

impl Panel {
    /// A panel over the width `room[0]`, from the height `room[1]` down, with its left labels
    /// inside and `right_margin` kept free.
    pub(super) fn new(extent: Extent, room: [f64; 2], right_margin: f64) -> Self {
        let left = Self::left_margin(extent);
        let area = Area {
            left,
            top: room[1],
            width: room[0] - left - right_margin,
            height: 0.0,
        };
        Self::in_width(extent, area)
    }

    /// A panel as wide as `area`, at its upper left corner.
    pub(super) fn in_width(extent: Extent, area: Area) -> Self {
        let [across, up] = [0, 1].map(|k| extent.max[k] - extent.min[k]);
        let area = Area {
            height: area.width * up / across,
            ..area
        };
        let unit = length_unit(extent);
        let plan = |k: usize, label: &str, length: f64| {
            AxisPlan::linear(label, [extent.min[k], extent.max[k]], &unit, length)
        };
        let plans = [
            plan(0, "x", area.width / 58.0),
            plan(1, "y", area.height / 45.0),
        ];
        Self {
            area,
            extent,
            plans,
        }
    }

    /// Space \[px\] for the labels left of a map of this extent.
    pub(super) fn left_margin(extent: Extent) -> f64 {
        let area = Area {
            left: 0.0,
            top: 0.0,
            width: 400.0,
            height: 0.0,
        };
        8.0 + left_axis_width(&Self::in_width(extent, area).plans[1])
    }

    /// Pixels per metre.
    pub(super) fn scale(&self) -> f64 {
        self.area.width / (self.extent.max[0] - self.extent.min[0])
    }

    /// Where a point of the world \[m\] lies in the figure \[px\].
    pub(super) fn place(&self, point: [f64; 2]) -> Option<[f64; 2]> {
        let across = self.plans[0].fraction(point[0])?.clamp(-20.0, 20.0);
        let up = self.plans[1].fraction(point[1])?.clamp(-20.0, 20.0);
        let area = self.area;
        Some([
            area.left + across * area.width,
            area.bottom() - up * area.height,
        ])
    }

    /// Draws a bar of round length with its label, its right end at `right`.
    pub(super) fn draw_scale_bar(&self, canvas: &mut Canvas, right: f64, y: f64) {
        let span = self.extent.max[0] - self.extent.min[0];
        // The largest 1-2-5 step that takes at most a quarter of the map.
        let quarter = 0.25 * span;
        let decade = power_of_ten(decade_of(quarter));
        let rungs = [5.0, 2.0, 1.0].map(|digit| digit * decade);
        let length = rungs
            .into_iter()
            .find(|rung| *rung <= quarter)
            .unwrap_or(nice_step(quarter, &[]));
        let unit = ShownUnit::choose(&Unit::Prefixed("m".into()), length);
        let label = format!("{} {}", short_number(length / unit.factor), unit.suffix);
        let left = right - length * self.scale();
        let bar = [[left, y - 4.0], [left, y], [right, y], [right, y - 4.0]];
        canvas.add(&format!(
            "<path {} stroke-width=\"1.4\" d=\"{}\"/>",
            stroked(INK),
            path_through(&bar, false)
        ));
        let style = TextStyle {
            anchor: Anchor::End,
            ..SMALL
        };
        canvas.text([left - 7.0, y + 1.5], style, &label);
    }
}

fn length_unit(extent: Extent) -> ShownUnit {
    let values = [extent.min, extent.max];
    let largest = values
        .iter()
        .flatten()
        .fold(0.0_f64, |largest, v| largest.max(v.abs()));
    // Whole metres read better than decimals of a kilometre, up to two of them.
    ShownUnit::choose(&Unit::Prefixed("m".into()), 0.5 * largest)
}

/// Draws what stands above the map: time and arrows on the left, scale bar on the right.
pub(super) fn draw_strip(canvas: &mut Canvas, panel: &Panel, map: &Map) {
    let y = panel.area.top - 10.0;
    let mut x = panel.area.left;
    if let Some(label) = map.time.and_then(|time| time_label(time, time)) {
        canvas.text([x, y], LABEL, &label);
        x += text_width(&label, LABEL.size) + 18.0;
    }
    for arrow in &map.arrows {
        draw_arrow(canvas, arrow, [x + 10.0, y - 5.0]);
        canvas.text([x + 25.0, y], SMALL, &arrow.label);
        x += 25.0 + text_width(&arrow.label, SMALL.size) + 18.0;
    }
    panel.draw_scale_bar(canvas, panel.area.right(), y);
}

/// "t = 2.5 d", in the unit that suits the longest time of the figure.
pub(super) fn time_label(time: f64, longest: f64) -> Option<String> {
    let time = drawable(time)?;
    let unit = ShownUnit::time(drawable(longest).unwrap_or(0.0).abs().max(time.abs()));
    Some(format!(
        "t = {} {}",
        short_number(time / unit.factor),
        unit.suffix
    ))
}

fn draw_arrow(canvas: &mut Canvas, arrow: &Arrow, center: [f64; 2]) {
    let largest = arrow.direction[0].abs().max(arrow.direction[1].abs());
    if !largest.is_finite() || largest == 0.0 {
        canvas.add(&format!(
            "<path {} d=\"M{} {}h6\"/>",
            stroked(INK),
            px(center[0] - 3.0),
            px(center[1])
        ));
        return;
    }
    let [dx, dy] = arrow.direction.map(|component| component / largest);
    let length = (dx * dx + dy * dy).sqrt();
    let [dx, dy] = [dx / length, -dy / length];
    let tail = [center[0] - 9.0 * dx, center[1] - 9.0 * dy];
    let tip = [center[0] + 9.0 * dx, center[1] + 9.0 * dy];
    canvas.line(
        tail,
        [tip[0] - 4.0 * dx, tip[1] - 4.0 * dy],
        INK,
        "stroke-width=\"1.5\"",
    );
    let head = path_through(&arrow_head(tip, [dx, dy], 7.5), true);
    canvas.add(&format!("<path {} d=\"{head}\"/>", filled(INK)));
}

/// Corners of an arrow head of the given `length` \[px\] with its tip at `tip`.
pub(super) fn arrow_head(tip: [f64; 2], [dx, dy]: [f64; 2], length: f64) -> [[f64; 2]; 3] {
    let half = 0.42 * length;
    let base = [tip[0] - length * dx, tip[1] - length * dy];
    [
        tip,
        [base[0] - half * dy, base[1] + half * dx],
        [base[0] + half * dy, base[1] - half * dx],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_one_figure_share_a_unit() {
        assert_eq!(
            time_label(43_200.0, 259_200.0).as_deref(),
            Some("t = 0.5 d")
        );
        assert_eq!(time_label(90.0, 90.0).as_deref(), Some("t = 90 s"));
        assert_eq!(time_label(f64::NAN, 90.0), None);
    }

    #[test]
    fn scales_are_equal_along_both_axes() {
        let extent = Extent {
            min: [0.0, 0.0],
            max: [4000.0, 2000.0],
        };
        let panel = Panel::new(extent, [560.0, 50.0], 20.0);
        assert!((panel.area.width / panel.area.height - 2.0).abs() < 1e-12);
        assert_eq!(
            panel.place([0.0, 0.0]),
            Some([panel.area.left, panel.area.bottom()])
        );
    }
}
