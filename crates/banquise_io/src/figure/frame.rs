//! The frame of a chart: where a point falls, and the lines to compare curves with.

use super::axis::AxisPlan;
use super::canvas::{Area, Canvas, SMALL};
use super::palette::MUTED;
use super::text::{shorten, text_width, wrap};

/// Widest label beside the frame \[px\]; longer ones wrap.
const SIDE_LABEL_WIDTH: f64 = 84.0;
const LINE_HEIGHT: f64 = 14.0;

/// A line drawn across the chart at a value worth comparing with.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// At a value of the y axis.
    Horizontal {
        /// Value, in the unit of the axis.
        value: f64,
        /// Text beside the line.
        label: String,
    },
    /// At a value of the x axis.
    Vertical {
        /// Value, in the unit of the axis.
        value: f64,
        /// Text beside the line.
        label: String,
    },
}

/// Space \[px\] right of the frame, for the labels of horizontal references if there are any.
pub(super) fn right_margin(references: &[Reference]) -> f64 {
    let widths = references.iter().map(|reference| match reference {
        Reference::Horizontal { label, .. } => {
            text_width(label, SMALL.size).min(SIDE_LABEL_WIDTH) + 12.0
        }
        Reference::Vertical { .. } => 0.0,
    });
    widths.fold(20.0, f64::max)
}

/// Whether vertical references need room for labels above the frame.
pub(super) fn has_labels_above(references: &[Reference]) -> bool {
    let is_above =
        |r: &Reference| matches!(r, Reference::Vertical { label, .. } if !label.is_empty());
    references.iter().any(is_above)
}

/// The area of a chart with its two axes.
pub(super) struct Frame {
    pub(super) area: Area,
    pub(super) x_plan: AxisPlan,
    pub(super) y_plan: AxisPlan,
}

impl Frame {
    /// Where a point (x, y) lies in the figure \[px\], if it can be drawn at all.
    pub(super) fn place(&self, point: [f64; 2]) -> Option<[f64; 2]> {
        // Far outside the window nothing is seen; near numbers keep the path short and exact.
        let near = |fraction: f64| fraction.clamp(-10.0, 10.0);
        let across = near(self.x_plan.fraction(point[0])?);
        let up = near(self.y_plan.fraction(point[1])?);
        let area = self.area;
        Some([
            area.left + across * area.width,
            area.bottom() - up * area.height,
        ])
    }

    /// Draws the reference lines. Their labels stand right of the frame and above it, where they
    /// hide no curve, and keep clear of each other.
    pub(super) fn draw_references(&self, canvas: &mut Canvas, references: &[Reference]) {
        let dashes = "stroke-width=\"1.1\" stroke-dasharray=\"2 3\"";
        let inside = |fraction: &f64| (0.0..=1.0).contains(fraction);
        let area = self.area;
        let (mut beside, mut above) = (Vec::new(), Vec::new());
        for reference in references {
            match reference {
                Reference::Horizontal { value, label } => {
                    let Some(up) = self.y_plan.fraction(*value).filter(inside) else {
                        continue;
                    };
                    let y = area.bottom() - up * area.height;
                    canvas.line([area.left, y], [area.right(), y], MUTED, dashes);
                    beside.push((y, label));
                }
                Reference::Vertical { value, label } => {
                    let Some(across) = self.x_plan.fraction(*value).filter(inside) else {
                        continue;
                    };
                    let x = area.left + across * area.width;
                    canvas.line([x, area.top], [x, area.bottom()], MUTED, dashes);
                    above.push((x, label));
                }
            }
        }
        draw_labels_beside(canvas, area, beside);
        draw_labels_above(canvas, area, above);
    }
}

fn draw_labels_beside(canvas: &mut Canvas, area: Area, mut labels: Vec<(f64, &String)>) {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free_from = area.top;
    for (y, label) in labels {
        let lines = wrap(label, SIDE_LABEL_WIDTH, SMALL.size, 3);
        let height = LINE_HEIGHT * lines.len() as f64;
        let top = (y - 0.5 * height).max(free_from);
        for (index, line) in lines.iter().enumerate() {
            let baseline = top + LINE_HEIGHT * index as f64 + 11.0;
            canvas.text([area.right() + 6.0, baseline], SMALL, line);
        }
        free_from = top + height + 2.0;
    }
}

fn draw_labels_above(canvas: &mut Canvas, area: Area, mut labels: Vec<(f64, &String)>) {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free_from = 0.0;
    for (x, label) in labels {
        let mut label = label.clone();
        shorten(&mut label, 0.5 * area.width, SMALL.size);
        let width = text_width(&label, SMALL.size);
        let left = (x - 0.5 * width)
            .min(area.right() + 16.0 - width)
            .max(free_from);
        canvas.text([left, area.top - 5.0], SMALL, &label);
        free_from = left + width + 8.0;
    }
}
