//! A quantity over two others, as coloured cells in a frame.

use super::axis::{Axis, AxisPlan};
use super::canvas::{Area, Canvas, figure_length, left_axis_width};
use super::color_bar::ColorBar;
use super::frame::{Frame, Reference, has_labels_above};
use super::map_content::ColorScale;
use super::palette::AXIS;
use super::text::px;

/// A chart of cells coloured by value.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Title above the chart.
    pub title: String,
    /// What the chart shows, for those who cannot see it; made from the labels when empty.
    pub description: String,
    /// Horizontal axis.
    pub x_axis: Axis,
    /// Vertical axis.
    pub y_axis: Axis,
    /// Edges of the columns of cells, growing; one more than there are columns.
    pub x_edges: Vec<f64>,
    /// Edges of the rows of cells, growing; one more than there are rows.
    pub y_edges: Vec<f64>,
    /// Values, row after row from the lowest one; what is not finite is grey.
    pub values: Vec<Vec<f64>>,
    /// Meaning of the colours.
    pub color_scale: ColorScale,
    /// Lines to compare with.
    pub references: Vec<Reference>,
    /// Width and height \[px\].
    pub size: [f64; 2],
}

impl Default for HeatMap {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            x_axis: Axis::default(),
            y_axis: Axis::default(),
            x_edges: Vec::new(),
            y_edges: Vec::new(),
            values: Vec::new(),
            color_scale: ColorScale::default(),
            references: Vec::new(),
            size: [560.0, 360.0],
        }
    }
}

impl HeatMap {
    /// The chart as a complete SVG document.
    pub fn to_svg(&self) -> String {
        let size = self.size.map(|length| figure_length(length, 200.0));
        let mut canvas = Canvas::new();
        let values: Vec<f64> = self.values.iter().flatten().copied().collect();
        let is_empty = values.is_empty();
        let bar = ColorBar::new(&self.color_scale, values);
        let plan = |axis: &Axis, edges: &[f64], count: f64| {
            let ends = edges.first().zip(edges.last()).map(|(a, b)| [*a, *b]);
            let axis = Axis {
                range: axis.range.or(ends),
                ..axis.clone()
            };
            AxisPlan::new(&axis, ends, count, false)
        };
        let y_plan = plan(&self.y_axis, &self.y_edges, size[1] / 50.0);
        let left = 8.0 + left_axis_width(&y_plan);
        let width = (size[0] - left - bar.width() - 6.0).max(20.0);
        let x_plan = plan(&self.x_axis, &self.x_edges, width / 62.0);
        let below_title = canvas.title(&self.title, 16.0, size[0] - 32.0);
        let air = if has_labels_above(&self.references) {
            24.0
        } else {
            10.0
        };
        let top = below_title + air;
        let area = Area {
            left,
            top,
            width,
            height: (size[1] - top - 52.0).max(20.0),
        };
        let frame = Frame {
            area,
            x_plan,
            y_plan,
        };
        canvas.open_window(area, 0.0);
        self.draw_cells(&mut canvas, &frame, &bar);
        canvas.close_window();
        canvas.left_axis(area, &frame.y_plan, true);
        canvas.bottom_axis(area, &frame.x_plan, true);
        let corner = [area.left, area.bottom()];
        canvas.line(corner, [area.right(), area.bottom()], AXIS, "");
        canvas.line(corner, [area.left, area.top], AXIS, "");
        if is_empty {
            canvas.note(area, "No values to draw");
        } else {
            bar.draw(&mut canvas, area);
        }
        frame.draw_references(&mut canvas, &self.references);
        canvas.finish(size, &self.title, &self.describe())
    }

    fn describe(&self) -> String {
        if !self.description.is_empty() {
            return self.description.clone();
        }
        format!(
            "{} over {} and {}.",
            self.color_scale.label, self.x_axis.label, self.y_axis.label
        )
    }

    /// Cells beside each other with one colour are one rectangle.
    fn draw_cells(&self, canvas: &mut Canvas, frame: &Frame, bar: &ColorBar) {
        for (row, edges) in self.values.iter().zip(self.y_edges.windows(2)) {
            let mut start = 0;
            let columns = row.len().min(self.x_edges.len().saturating_sub(1));
            while start < columns {
                let fill = bar.fill(Some(row[start]));
                let same = |&k: &usize| bar.fill(Some(row[k])) == fill;
                let end = start + (start..columns).take_while(same).count();
                let corners = [
                    [self.x_edges[start], edges[1]],
                    [self.x_edges[end], edges[0]],
                ];
                if let [Some([x0, y0]), Some([x1, y1])] = corners.map(|corner| frame.place(corner))
                {
                    // Each cell reaches under its neighbours, or hairlines would show between them.
                    canvas.add(&format!(
                        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {fill}/>",
                        px(x0),
                        px(y0),
                        px(x1 - x0 + 0.5),
                        px(y1 - y0 + 0.5)
                    ));
                }
                start = end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_one_colour_are_one_rectangle() {
        let map = HeatMap {
            x_edges: vec![0.0, 1.0, 2.0, 3.0],
            y_edges: vec![0.0, 1.0, 2.0],
            values: vec![vec![1.0, 1.0, 2.0], vec![1.0, f64::NAN, 1.0]],
            ..HeatMap::default()
        };
        let svg = map.to_svg();
        // Paper, five cells, and the strips of the colour bar.
        assert_eq!(svg.matches("<rect").count(), 1 + 5 + 64);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(HeatMap::default().to_svg().contains("No values to draw"));
    }
}
