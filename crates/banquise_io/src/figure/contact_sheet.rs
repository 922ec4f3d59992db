//! A contact sheet: many outlines side by side, each with its caption.

use super::canvas::{Anchor, Area, Canvas, SMALL, TextStyle, figure_length, path_through};
use super::palette::{ICE, ICE_EDGE, WATER, filled, filled_and_stroked};
use super::text::px;

/// Outlines a sheet shows; the rest is only counted.
const MAX_SHOWN: usize = 400;
/// Size of the tile of one outline \[px\], its caption below it and the space between.
const TILE: f64 = 92.0;
const CAPTION: f64 = 20.0;
const SPACE: f64 = 8.0;
const MARGIN: f64 = 16.0;

/// An outline with a caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetTile {
    /// Vertices \[m\]; drawn as large as the tile allows.
    pub outline: Vec<[f64; 2]>,
    /// What to write below.
    pub caption: String,
}

/// Outlines side by side, each at a scale of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSheet {
    /// Title above the sheet.
    pub title: String,
    /// The outlines, in rows.
    pub tiles: Vec<SheetTile>,
    /// Width of the figure \[px\]; the height follows from the number of outlines.
    pub width: f64,
}

impl Default for ContactSheet {
    fn default() -> Self {
        Self {
            title: String::new(),
            tiles: Vec::new(),
            width: 1032.0,
        }
    }
}

impl ContactSheet {
    /// The sheet as a complete SVG document.
    pub fn to_svg(&self) -> String {
        let width = figure_length(self.width, 240.0);
        let mut canvas = Canvas::new();
        let top = canvas.title(&self.title, MARGIN, width - 2.0 * MARGIN) + SPACE;
        let columns = ((width - 2.0 * MARGIN + SPACE) / (TILE + SPACE))
            .floor()
            .max(1.0);
        let shown = &self.tiles[..self.tiles.len().min(MAX_SHOWN)];
        for (index, tile) in shown.iter().enumerate() {
            let (row, column) = ((index as f64 / columns).floor(), index as f64 % columns);
            let area = Area {
                left: MARGIN + column * (TILE + SPACE),
                top: top + row * (TILE + CAPTION + SPACE),
                width: TILE,
                height: TILE,
            };
            draw_tile(&mut canvas, area, tile);
        }
        let rows = (shown.len() as f64 / columns).ceil().max(1.0);
        let mut bottom = top + rows * (TILE + CAPTION + SPACE);
        let hidden = self.tiles.len() - shown.len();
        if hidden > 0 {
            bottom += CAPTION;
            canvas.text(
                [MARGIN, bottom - SPACE],
                SMALL,
                &format!("and {hidden} more"),
            );
        }
        if self.tiles.is_empty() {
            let area = Area {
                left: MARGIN,
                top,
                width: width - 2.0 * MARGIN,
                height: TILE,
            };
            canvas.note(area, "Nothing to draw");
        }
        let description = format!("Contact sheet with {} outlines.", self.tiles.len());
        canvas.finish([width, bottom + SPACE], &self.title, &description)
    }
}

fn draw_tile(canvas: &mut Canvas, area: Area, tile: &SheetTile) {
    let [x, y, w, h] = [area.left, area.top, area.width, area.height].map(px);
    let place = format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"4\"");
    canvas.add(&format!("<rect {} {place}/>", filled(WATER)));
    let bounds = |k: usize| {
        let values = tile.outline.iter().map(|point| point[k]);
        let least = values.clone().fold(f64::INFINITY, f64::min);
        (least, values.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (low, high)) = (bounds(0), bounds(1));
    let scale = (area.width - 14.0) / (right - left).max(high - low);
    if scale.is_finite() && scale > 0.0 {
        let middle = [area.left + 0.5 * area.width, area.top + 0.5 * area.height];
        let points: Vec<[f64; 2]> = tile
            .outline
            .iter()
            .map(|point| {
                [
                    middle[0] + scale * (point[0] - 0.5 * (left + right)),
                    middle[1] - scale * (point[1] - 0.5 * (low + high)),
                ]
            })
            .collect();
        let path = path_through(&points, true);
        let paint = filled_and_stroked(ICE, ICE_EDGE);
        canvas.add(&format!(
            "<path {paint} stroke-linejoin=\"round\" d=\"{path}\"/>"
        ));
    }
    let style = TextStyle {
        size: 10.5,
        anchor: Anchor::Middle,
        ..SMALL
    };
    let below = [area.left + 0.5 * area.width, area.bottom() + 13.0];
    canvas.text(below, style, &tile.caption);
}
