//! Curves in a frame.

use super::axis::{Axis, AxisPlan, Scale, bounds, drawable};
use super::canvas::{Area, Canvas, LABEL, figure_length, left_axis_width};
use super::frame::{Frame, Reference, has_labels_above, right_margin};
use super::palette::AXIS;
use super::series::{LineStyle, Paint, Series};
use super::text::{shorten, text_width};

/// More named series than this make a crowd, not a legend.
const LEGEND_LIMIT: usize = 12;
/// Points drawn in one chart, roughly: keeps the file below a megabyte.
const POINT_BUDGET: usize = 80_000;
const SAMPLE_WIDTH: f64 = 22.0;

/// A chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Title above the chart.
    pub title: String,
    /// What the chart shows, for those who cannot see it; made from the labels when empty.
    pub description: String,
    /// Horizontal axis.
    pub x_axis: Axis,
    /// Vertical axis.
    pub y_axis: Axis,
    /// The curves, drawn in order. More than twelve are drawn thin, without a legend.
    pub series: Vec<Series>,
    /// Lines to compare the curves with.
    pub references: Vec<Reference>,
    /// Width and height \[px\].
    pub size: [f64; 2],
}

impl Default for LineChart {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            x_axis: Axis::default(),
            y_axis: Axis::default(),
            series: Vec::new(),
            references: Vec::new(),
            size: [560.0, 360.0],
        }
    }
}

impl LineChart {
    /// The chart as a complete SVG document.
    pub fn to_svg(&self) -> String {
        let size = self.size.map(|length| figure_length(length, 200.0));
        let mut canvas = Canvas::new();
        let [x_extremes, y_extremes] = self.extremes();
        let y_plan = AxisPlan::new(&self.y_axis, y_extremes, size[1] / 50.0, true);
        let left = 8.0 + left_axis_width(&y_plan);
        let width = size[0] - left - right_margin(&self.references);
        let x_plan = AxisPlan::new(&self.x_axis, x_extremes, width / 62.0, false);

        let paints = self.paints();
        let below_title = canvas.title(&self.title, 16.0, size[0] - 32.0);
        let below_legend = self.draw_legend(&mut canvas, &paints, below_title, size[0]);
        let air = if has_labels_above(&self.references) {
            24.0
        } else {
            10.0
        };
        let (top, height) = (below_legend + air, size[1] - below_legend - air - 52.0);
        let area = Area {
            left,
            top,
            width,
            height: height.max(20.0),
        };
        draw_frame(&mut canvas, area, [&x_plan, &y_plan]);
        if x_extremes.is_none() {
            canvas.note(area, "No values to draw");
        }
        let frame = Frame {
            area,
            x_plan,
            y_plan,
        };
        canvas.open_window(area, 3.0);
        self.draw_series(&mut canvas, &frame, &paints);
        canvas.close_window();
        frame.draw_references(&mut canvas, &self.references);
        canvas.finish(size, &self.title, &self.describe())
    }

    fn describe(&self) -> String {
        if !self.description.is_empty() {
            return self.description.clone();
        }
        let count = self.series.len();
        let plural = if count == 1 { "curve" } else { "curves" };
        format!(
            "{} against {}, {count} {plural}.",
            self.y_axis.label, self.x_axis.label
        )
    }

    /// Ranges of x and y over the points that can be drawn on both axes, and the references.
    fn extremes(&self) -> [Option<[f64; 2]>; 2] {
        let fits = |axis: &Axis, value: f64| axis.scale == Scale::Linear || value > 1e-300;
        let is_drawn = |point: &&[f64; 2]| {
            let axes = [&self.x_axis, &self.y_axis];
            let mut pairs = axes.iter().zip(point.iter());
            pairs.all(|(axis, value)| drawable(*value).is_some() && fits(axis, *value))
        };
        let points: Vec<[f64; 2]> = self
            .series
            .iter()
            .flat_map(|series| series.points.iter().filter(is_drawn).copied())
            .collect();
        if points.is_empty() {
            return [None, None];
        }
        let marks = |is_horizontal: bool| {
            self.references
                .iter()
                .filter_map(move |reference| match reference {
                    Reference::Horizontal { value, .. } if is_horizontal => Some(*value),
                    Reference::Vertical { value, .. } if !is_horizontal => Some(*value),
                    _ => None,
                })
        };
        let x_marks = marks(false).filter(|value| fits(&self.x_axis, *value));
        let y_marks = marks(true).filter(|value| fits(&self.y_axis, *value));
        [
            bounds(points.iter().map(|point| point[0]).chain(x_marks)),
            bounds(points.iter().map(|point| point[1]).chain(y_marks)),
        ]
    }

    fn is_crowded(&self) -> bool {
        self.series
            .iter()
            .filter(|s| s.style != LineStyle::Faint)
            .count()
            > LEGEND_LIMIT
    }

    fn paints(&self) -> Vec<Paint> {
        let is_crowded = self.is_crowded();
        let style_of = |series: &Series| match series.style {
            LineStyle::Solid if is_crowded => LineStyle::Faint,
            style => style,
        };
        let crowd = self
            .series
            .iter()
            .filter(|s| style_of(s) == LineStyle::Faint)
            .count();
        let mut next_color = 0;
        let mut paint = |series: &Series| {
            let style = style_of(series);
            let color = series.color.unwrap_or(next_color);
            if style != LineStyle::Faint && series.color.is_none() {
                next_color += 1;
            }
            Paint::new(style, color, crowd)
        };
        self.series.iter().map(&mut paint).collect()
    }

    /// Draws the legend in rows from `top` and returns where it ends.
    fn draw_legend(&self, canvas: &mut Canvas, paints: &[Paint], top: f64, width: f64) -> f64 {
        let entries: Vec<(&Series, &Paint)> = self
            .series
            .iter()
            .zip(paints)
            .filter(|(series, paint)| !series.label.is_empty() && paint.style != LineStyle::Faint)
            .collect();
        if entries.is_empty() || entries.len() > LEGEND_LIMIT {
            return top;
        }
        let (left, right) = (17.0, width - 16.0);
        let (mut x, mut y) = (left, top + 10.0);
        for (series, paint) in entries {
            let mut label = series.label.clone();
            shorten(&mut label, right - left - SAMPLE_WIDTH - 8.0, LABEL.size);
            let entry_width = SAMPLE_WIDTH + 7.0 + text_width(&label, LABEL.size);
            if x > left && x + entry_width > right {
                (x, y) = (left, y + 19.0);
            }
            paint.draw_sample(canvas, x, y, SAMPLE_WIDTH);
            canvas.text([x + SAMPLE_WIDTH + 7.0, y + 4.2], LABEL, &label);
            x += entry_width + 16.0;
        }
        y + 10.0
    }

    fn draw_series(&self, canvas: &mut Canvas, frame: &Frame, paints: &[Paint]) {
        let place = |series: &Series| series.points.iter().map(|p| frame.place(*p)).collect();
        let placed: Vec<Vec<Option<[f64; 2]>>> = self.series.iter().map(place).collect();
        let tolerance = if self.series.len() > LEGEND_LIMIT {
            0.3
        } else {
            0.1
        };
        // Smooth curves fit the budget at once; only a crowd of noisy ones needs wider columns.
        let mut column_width = 1.0;
        loop {
            let pairs = paints.iter().zip(&placed);
            let drawn: Vec<Vec<Vec<[f64; 2]>>> = pairs
                .map(|(paint, points)| paint.stretches(points, column_width, tolerance))
                .collect();
            let count: usize = drawn.iter().flatten().map(Vec::len).sum();
            if count <= POINT_BUDGET || column_width > frame.area.width {
                for (paint, stretches) in paints.iter().zip(&drawn) {
                    paint.draw(canvas, stretches);
                }
                return;
            }
            column_width *= 2.0;
        }
    }
}

fn draw_frame(canvas: &mut Canvas, area: Area, [x_plan, y_plan]: [&AxisPlan; 2]) {
    canvas.grid(area, y_plan);
    canvas.left_axis(area, y_plan, true);
    canvas.bottom_axis(area, x_plan, true);
    let corner = [area.left, area.bottom()];
    canvas.line(corner, [area.right(), area.bottom()], AXIS, "");
    canvas.line(corner, [area.left, area.top], AXIS, "");
}
