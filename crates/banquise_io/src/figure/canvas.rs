//! SVG text, element by element.

use super::axis::AxisPlan;
use super::palette::{AXIS, GRID, INK, MUTED, PAPER, Tone, filled, stroked};
use super::text::{escape, px, tenths, tenths_to_text, text_width, wrap};

const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// Which part of a text sits at the point given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Style of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextStyle {
    pub(super) size: f64,
    pub(super) tone: Tone,
    pub(super) anchor: Anchor,
    pub(super) is_bold: bool,
    /// Written from bottom to top.
    pub(super) is_upright: bool,
}

/// Style of tick labels; the other styles differ from it in a field or two.
pub(super) const SMALL: TextStyle = TextStyle {
    size: 12.0,
    tone: MUTED,
    anchor: Anchor::Start,
    is_bold: false,
    is_upright: false,
};
/// Style of axis titles and legends.
pub(super) const LABEL: TextStyle = TextStyle {
    size: 12.5,
    tone: INK,
    ..SMALL
};
const TITLE: TextStyle = TextStyle {
    size: 15.0,
    tone: INK,
    is_bold: true,
    ..SMALL
};

/// A rectangle of the figure \[px\], y downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// A length of the figure as asked for \[px\], made one that can be drawn.
pub(super) fn figure_length(wanted: f64, least: f64) -> f64 {
    if wanted.is_nan() {
        least
    } else {
        wanted.clamp(least, 4000.0)
    }
}

/// A figure being written.
#[derive(Debug)]
pub(super) struct Canvas {
    body: String,
}

impl Canvas {
    pub(super) fn new() -> Self {
        Self {
            body: String::new(),
        }
    }

    /// Appends finished markup.
    pub(super) fn add(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }

    /// Writes `content` at `at`, which is on its baseline.
    pub(super) fn text(&mut self, at: [f64; 2], style: TextStyle, content: &str) {
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if style.is_bold {
            " font-weight=\"600\""
        } else {
            ""
        };
        let [x, y] = at.map(px);
        let place = if style.is_upright {
            format!("transform=\"translate({x} {y}) rotate(-90)\"")
        } else {
            format!("x=\"{x}\" y=\"{y}\"")
        };
        let (size, content) = (px(style.size), escape(content));
        let paint = filled(style.tone);
        self.add(&format!(
            "<text {paint} {place} font-size=\"{size}\"{anchor}{weight}>{content}</text>"
        ));
    }

    /// Writes `note` in the middle of `area`: a figure with nothing in it would look like a mistake.
    pub(super) fn note(&mut self, area: Area, note: &str) {
        let style = TextStyle {
            tone: MUTED,
            anchor: Anchor::Middle,
            ..LABEL
        };
        let middle = [area.left + 0.5 * area.width, area.top + 0.5 * area.height];
        self.text(middle, style, note);
    }

    /// Draws a straight line; `extra` holds more attributes.
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], tone: Tone, extra: &str) {
        let path = path_through(&[from, to], false);
        self.add(&format!("<path {} {extra} d=\"{path}\"/>", stroked(tone)));
    }

    /// Opens a window that hides what falls outside `area` by more than `margin`. A nested
    /// drawing clips by itself, where a clipping path would need an `id`.
    pub(super) fn open_window(&mut self, area: Area, margin: f64) {
        let [x, y] = [area.left - margin, area.top - margin].map(px);
        let [w, h] = [area.width + 2.0 * margin, area.height + 2.0 * margin].map(px);
        self.add(&format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\">"
        ));
    }

    /// Closes the window opened last.
    pub(super) fn close_window(&mut self) {
        self.add("</svg>");
    }

    /// Writes the title in at most two lines and returns the height it took.
    pub(super) fn title(&mut self, title: &str, left: f64, width: f64) -> f64 {
        let lines = wrap(title, width, TITLE.size * 1.04, 2);
        for (index, line) in lines.iter().enumerate() {
            self.text([left, 27.0 + 19.0 * index as f64], TITLE, line);
        }
        if lines.is_empty() {
            14.0
        } else {
            19.0 + 19.0 * lines.len() as f64
        }
    }

    /// The finished figure, with its name and description for those who cannot see it.
    pub(super) fn finish(self, size: [f64; 2], title: &str, description: &str) -> String {
        let [width, height] = size.map(px);
        let name = escape(if title.trim().is_empty() {
            "Figure"
        } else {
            title
        });
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{name}\" \
             font-family=\"{FONTS}\">\n<title>{name}</title>\n<desc>{}</desc>\n\
             <rect {} width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escape(description),
            filled(PAPER),
            self.body
        )
    }

    /// Draws the ticks, labels and title of the axis below `area`.
    pub(super) fn bottom_axis(&mut self, area: Area, plan: &AxisPlan, is_labelled: bool) {
        let style = TextStyle {
            anchor: Anchor::Middle,
            ..SMALL
        };
        let mut marks = String::new();
        let mut free_from = f64::NEG_INFINITY;
        for tick in &plan.ticks {
            let Some(fraction) = plan.fraction(tick.value) else {
                continue;
            };
            let x = area.left + fraction * area.width;
            let length = if tick.label.is_empty() { 3.0 } else { 5.0 };
            marks += &path_through(&[[x, area.bottom()], [x, area.bottom() + length]], false);
            let half = 0.5 * text_width(&tick.label, style.size);
            if is_labelled && !tick.label.is_empty() && x - half >= free_from {
                self.text([x, area.bottom() + 19.0], style, &tick.label);
                free_from = x + half + 6.0;
            }
        }
        self.add(&format!("<path {} d=\"{marks}\"/>", stroked(AXIS)));
        if is_labelled {
            let middle = [area.left + 0.5 * area.width, area.bottom() + 38.0];
            self.text(
                middle,
                TextStyle {
                    anchor: Anchor::Middle,
                    ..LABEL
                },
                &plan.title,
            );
        }
    }

    /// Draws the ticks, labels and title of the axis left of `area`.
    pub(super) fn left_axis(&mut self, area: Area, plan: &AxisPlan, is_labelled: bool) {
        let style = TextStyle {
            anchor: Anchor::End,
            ..SMALL
        };
        let mut marks = String::new();
        for tick in &plan.ticks {
            let Some(fraction) = plan.fraction(tick.value) else {
                continue;
            };
            let y = area.bottom() - fraction * area.height;
            let length = if tick.label.is_empty() { 3.0 } else { 5.0 };
            marks += &path_through(&[[area.left - length, y], [area.left, y]], false);
            if is_labelled && !tick.label.is_empty() {
                self.text([area.left - 9.0, y + 4.0], style, &tick.label);
            }
        }
        self.add(&format!("<path {} d=\"{marks}\"/>", stroked(AXIS)));
        if is_labelled {
            let x = area.left - left_axis_width(plan) + 14.0;
            let place = [x, area.top + 0.5 * area.height];
            let style = TextStyle {
                anchor: Anchor::Middle,
                is_upright: true,
                ..LABEL
            };
            self.text(place, style, &plan.title);
        }
    }

    /// Draws pale lines across `area` at the labelled ticks of the left axis.
    pub(super) fn grid(&mut self, area: Area, plan: &AxisPlan) {
        let labelled = plan.ticks.iter().filter(|tick| !tick.label.is_empty());
        let heights = labelled.filter_map(|tick| plan.fraction(tick.value));
        let lines: String = heights
            .map(|fraction| area.bottom() - fraction * area.height)
            .map(|y| path_through(&[[area.left, y], [area.right(), y]], false))
            .collect();
        self.add(&format!("<path {} d=\"{lines}\"/>", stroked(GRID)));
    }
}

/// Space \[px\] that the left axis needs beside its area.
pub(super) fn left_axis_width(plan: &AxisPlan) -> f64 {
    let widths = plan
        .ticks
        .iter()
        .map(|tick| text_width(&tick.label, SMALL.size));
    widths.fold(12.0, f64::max) + 9.0 + 26.0
}

/// Path data through `points`, in relative moves of whole tenths of a pixel; points that round
/// to the same place are written once, a lone point as a dot for round line ends to show.
pub(super) fn path_through(points: &[[f64; 2]], is_closed: bool) -> String {
    let mut path = String::new();
    let mut last: Option<[i64; 2]> = None;
    let mut moves = 0;
    for point in points {
        let place = point.map(tenths);
        match last {
            None => {
                path.push('M');
                path += &pair(place);
            }
            Some(last) if last == place => continue,
            Some(last) => {
                path.push('l');
                path += &pair([place[0] - last[0], place[1] - last[1]]);
                moves += 1;
            }
        }
        last = Some(place);
    }
    if last.is_some() && moves == 0 {
        path.push_str("h0");
    }
    if last.is_some() && is_closed {
        path.push('z');
    }
    path
}

fn pair([x, y]: [i64; 2]) -> String {
    let gap = if y < 0 { "" } else { " " };
    format!("{}{gap}{}", tenths_to_text(x), tenths_to_text(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short_and_do_not_drift() {
        let points = [[0.04, 0.0], [1.08, -2.0], [1.08, -2.01], [2.0, 0.0]];
        assert_eq!(path_through(&points, false), "M0 0l1.1-2l0.9 2");
        assert_eq!(path_through(&[[3.0, 4.0]], false), "M3 4h0");
        assert_eq!(path_through(&[], true), "");
    }
}
