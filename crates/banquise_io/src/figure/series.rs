//! One curve of a chart.

use std::collections::BTreeSet;

use super::canvas::{Canvas, path_through};
use super::decimate::{column_extrema, runs, simplify};
use super::palette::{FAINT, SERIES, Tone, crowd_opacity, stroked};
use super::text::px;

/// Line style of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineStyle {
    /// A full line.
    #[default]
    Solid,
    /// A dashed line, for theory or a reference run.
    Dashed,
    /// A dotted line.
    Dotted,
    /// One thin translucent line of a crowd; never in the legend.
    Faint,
    /// Dots without a line.
    Markers,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name in the legend; a series without a name is not in the legend.
    pub label: String,
    /// Points (x, y) in the units of the axes. A point that is not finite breaks the line.
    pub points: Vec<[f64; 2]>,
    /// Line, dots or one of a crowd.
    pub style: LineStyle,
    /// Place in the palette of eight colours, to give two series the same one; the order of the
    /// series decides when `None`.
    pub color: Option<usize>,
}

impl Series {
    /// A full line in the next free colour.
    pub fn new(label: &str, points: Vec<[f64; 2]>) -> Self {
        Self {
            label: label.to_owned(),
            points,
            ..Self::default()
        }
    }

    /// Draws the series in another style.
    #[must_use]
    pub fn with_style(self, style: LineStyle) -> Self {
        Self { style, ..self }
    }
}

/// How a series is painted once its place among the others is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paint {
    pub(super) tone: Tone,
    pub(super) style: LineStyle,
    attributes: String,
}

impl Paint {
    /// Paint of a series of the given `style`, number `color` among those that have a colour of
    /// their own; `crowd` faint ones share the chart.
    pub(super) fn new(style: LineStyle, color: usize, crowd: usize) -> Self {
        let round = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
        let tone = if style == LineStyle::Faint {
            FAINT
        } else {
            SERIES[color % SERIES.len()]
        };
        // When colours come round again, dashes tell the second lap from the first.
        let is_second_lap = color / SERIES.len() % 2 == 1;
        let detail = match style {
            LineStyle::Solid if is_second_lap => {
                "stroke-width=\"1.7\" stroke-dasharray=\"9 4\"".into()
            }
            LineStyle::Solid => "stroke-width=\"1.7\"".into(),
            LineStyle::Dashed => "stroke-width=\"1.7\" stroke-dasharray=\"6 5\"".into(),
            LineStyle::Dotted => "stroke-width=\"1.9\" stroke-dasharray=\"0.1 4.4\"".into(),
            LineStyle::Markers => "stroke-width=\"5.5\" stroke-opacity=\"0.85\"".into(),
            LineStyle::Faint => {
                format!(
                    "stroke-width=\"0.8\" stroke-opacity=\"{}\"",
                    crowd_opacity(crowd)
                )
            }
        };
        Self {
            tone,
            style,
            attributes: format!("{} {round} {detail}", stroked(tone)),
        }
    }

    /// The stretches of line to draw through `points` \[px\], of which the missing ones break it,
    /// with as few points as `column_width` and `tolerance` \[px\] allow.
    pub(super) fn stretches(
        &self,
        points: &[Option<[f64; 2]>],
        column_width: f64,
        tolerance: f64,
    ) -> Vec<Vec<[f64; 2]>> {
        if self.style == LineStyle::Markers {
            return apart(points, column_width)
                .into_iter()
                .map(|point| vec![point])
                .collect();
        }
        let shorter = |run: &Vec<[f64; 2]>| simplify(&column_extrema(run, column_width), tolerance);
        runs(points).iter().map(shorter).collect()
    }

    /// Draws stretches of line; those of one point show as dots.
    pub(super) fn draw(&self, canvas: &mut Canvas, stretches: &[Vec<[f64; 2]>]) {
        let path: String = stretches
            .iter()
            .map(|points| path_through(points, false))
            .collect();
        if !path.is_empty() {
            canvas.add(&format!("<path {} d=\"{path}\"/>", self.attributes));
        }
    }

    /// Draws the sample that stands before the name in the legend.
    pub(super) fn draw_sample(&self, canvas: &mut Canvas, left: f64, y: f64, width: f64) {
        let path = if self.style == LineStyle::Markers {
            path_through(&[[left + 0.5 * width, y]], false)
        } else {
            format!("M{} {}h{}", px(left), px(y), px(width))
        };
        canvas.add(&format!("<path {} d=\"{path}\"/>", self.attributes));
    }
}

/// One point of each square cell of side `cell` \[px\]: dots on top of each other look like one.
fn apart(points: &[Option<[f64; 2]>], cell: f64) -> Vec<[f64; 2]> {
    let cell_of = |point: &[f64; 2]| point.map(|length| (length / cell).floor() as i64);
    let mut taken = BTreeSet::new();
    points
        .iter()
        .flatten()
        .copied()
        .filter(|point| taken.insert(cell_of(point)))
        .collect()
}
