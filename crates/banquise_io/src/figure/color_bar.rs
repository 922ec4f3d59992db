//! The colour scale of a map: which colour a value has, and the bar that says so.

use super::axis::{Axis, AxisPlan, bounds};
use super::canvas::{Anchor, Area, Canvas, LABEL, SMALL, TextStyle};
use super::map_content::ColorScale;
use super::palette::{AXIS, UNKNOWN, filled, viridis};
use super::text::{px, text_width};

const BAR_WIDTH: f64 = 13.0;
const BAR_GAP: f64 = 14.0;

/// The colour scale of a map, ready to draw.
#[derive(Clone, Debug)]
pub(super) struct ColorBar {
    plan: AxisPlan,
}

impl ColorBar {
    pub(super) fn new(scale: &ColorScale, values: Vec<f64>) -> Self {
        let extremes = bounds(values.into_iter());
        let axis = Axis {
            range: scale.range,
            ..Axis::new(&scale.label, scale.unit.clone())
        };
        Self {
            plan: AxisPlan::new(&axis, extremes, 5.0, false),
        }
    }

    /// Space \[px\] it needs right of a map.
    pub(super) fn width(&self) -> f64 {
        let widths = self
            .plan
            .ticks
            .iter()
            .map(|tick| text_width(&tick.label, SMALL.size));
        BAR_GAP + BAR_WIDTH + 9.0 + widths.fold(8.0, f64::max) + 28.0
    }

    /// Attributes that fill a floe of this value.
    pub(super) fn fill(&self, value: Option<f64>) -> String {
        match value.and_then(|value| self.plan.fraction(value)) {
            Some(fraction) => format!("fill=\"{}\"", viridis(fraction)),
            None => filled(UNKNOWN),
        }
    }

    /// Attributes that draw a line of this value.
    pub(super) fn stroke(&self, value: f64) -> Option<String> {
        let fraction = self.plan.fraction(value)?;
        Some(format!("stroke=\"{}\"", viridis(fraction)))
    }

    /// Draws the bar right of `panel`.
    pub(super) fn draw(&self, canvas: &mut Canvas, panel: Area) {
        const STRIPS: usize = 64;
        let left = panel.right() + BAR_GAP;
        let height = panel.height / STRIPS as f64;
        for index in 0..STRIPS {
            let color = viridis((index as f64 + 0.5) / STRIPS as f64);
            // Each strip reaches under the next one, or hairlines would show between them.
            let overlap = if index == 0 { 0.0 } else { 0.6 };
            let y = panel.bottom() - height * (index + 1) as f64;
            canvas.add(&format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{color}\"/>",
                px(left),
                px(y),
                px(BAR_WIDTH),
                px(height + overlap)
            ));
        }
        let right = left + BAR_WIDTH;
        for tick in &self.plan.ticks {
            let Some(fraction) = self.plan.fraction(tick.value) else {
                continue;
            };
            let y = panel.bottom() - fraction * panel.height;
            canvas.line([right, y], [right + 4.0, y], AXIS, "");
            canvas.text([right + 8.0, y + 4.0], SMALL, &tick.label);
        }
        let x = panel.right() + self.width() - 10.0;
        let style = TextStyle {
            anchor: Anchor::Middle,
            is_upright: true,
            ..LABEL
        };
        canvas.text([x, panel.top + 0.5 * panel.height], style, &self.plan.title);
    }
}
