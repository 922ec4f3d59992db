//! A map at several times, side by side.

use super::canvas::{Area, Canvas, LABEL, figure_length};
use super::color_bar::ColorBar;
use super::map_content::{Extent, Map, readable};
use super::map_layers::{ShownSides, draw_panel};
use super::map_panel::{BOTTOM_MARGIN, Panel, time_label};
use super::text::shorten;

const GAP: f64 = 16.0;
const HEADING_HEIGHT: f64 = 24.0;

/// Small maps that share one extent and one colour scale.
#[derive(Clone, Debug, PartialEq)]
pub struct MapRow {
    /// Title above the maps.
    pub title: String,
    /// What the figure shows, for those who cannot see it; made from the maps when empty.
    pub description: String,
    /// The maps. Each is headed by its title and time; the first colour scale found holds for
    /// all of them. Their arrows and widths are not used.
    pub maps: Vec<Map>,
    /// Maps side by side before a new row begins.
    pub columns: usize,
    /// Width of the figure \[px\].
    pub width: f64,
}

impl Default for MapRow {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            maps: Vec::new(),
            columns: 4,
            width: 1120.0,
        }
    }
}

impl MapRow {
    /// The maps as one complete SVG document.
    pub fn to_svg(&self) -> String {
        let width = figure_length(self.width, 300.0);
        let mut canvas = Canvas::new();
        let extent = readable(self.shared_extent());
        let bar = self.shared_bar();
        let top = canvas.title(&self.title, 16.0, 0.75 * width);

        let columns = self.columns.clamp(1, self.maps.len().max(1));
        let left = Panel::left_margin(extent);
        let right_margin = bar.as_ref().map_or(20.0, ColorBar::width);
        let gaps = GAP * (columns - 1) as f64;
        let panel_width = ((width - left - right_margin - gaps) / columns as f64).max(40.0);
        let top = top + HEADING_HEIGHT;
        let first = Panel::in_width(
            extent,
            Area {
                left,
                top,
                width: panel_width,
                height: 0.0,
            },
        );

        let panels = self.panels(&first, columns);
        for (index, (map, panel)) in self.maps.iter().zip(&panels).enumerate() {
            let sides = self.sides(index, columns);
            self.draw_heading(&mut canvas, map, panel);
            draw_panel(&mut canvas, panel, &map.layers, bar.as_ref(), sides);
        }
        let bottom = panels.last().unwrap_or(&first).area.bottom();
        let (width, height) = (panel_width * columns as f64 + gaps, bottom - top);
        let all = Area {
            left,
            top,
            width,
            height,
        };
        if let Some(bar) = &bar {
            bar.draw(&mut canvas, all);
        }
        first.draw_scale_bar(&mut canvas, all.right(), 24.0);
        let size = [all.right() + right_margin, bottom + BOTTOM_MARGIN];
        canvas.finish(size, &self.title, &self.describe())
    }

    /// The frames of all maps, laid out in rows from the first one.
    fn panels(&self, first: &Panel, columns: usize) -> Vec<Panel> {
        let area = first.area;
        let place = |index: usize| {
            let column = (index % columns) as f64;
            let row = (index / columns) as f64;
            let left = area.left + column * (area.width + GAP);
            let top = area.top + row * (area.height + HEADING_HEIGHT + 10.0);
            Panel::in_width(first.extent, Area { left, top, ..area })
        };
        (0..self.maps.len()).map(place).collect()
    }

    /// Labels stand on the left of each row and below each column only.
    fn sides(&self, index: usize, columns: usize) -> ShownSides {
        let is_first = index.is_multiple_of(columns);
        let is_last = index + columns >= self.maps.len();
        match (is_first, is_last) {
            (true, true) => ShownSides::Both,
            (true, false) => ShownSides::Left,
            (false, true) => ShownSides::Bottom,
            (false, false) => ShownSides::Neither,
        }
    }

    fn draw_heading(&self, canvas: &mut Canvas, map: &Map, panel: &Panel) {
        let times = self.maps.iter().filter_map(|map| map.time);
        let longest = times.fold(0.0_f64, |longest, time| longest.max(time.abs()));
        let time = map
            .time
            .and_then(|time| time_label(time, longest))
            .unwrap_or_default();
        let gap = if map.title.is_empty() || time.is_empty() {
            ""
        } else {
            ", "
        };
        let mut heading = format!("{}{gap}{time}", map.title);
        shorten(&mut heading, panel.area.width, LABEL.size);
        canvas.text([panel.area.left, panel.area.top - 8.0], LABEL, &heading);
    }

    fn shared_extent(&self) -> Extent {
        let extents = self.maps.iter().map(Map::shown_extent);
        let union = |a: Extent, b: Extent| Extent {
            min: [0, 1].map(|k| a.min[k].min(b.min[k])),
            max: [0, 1].map(|k| a.max[k].max(b.max[k])),
        };
        extents
            .reduce(union)
            .unwrap_or_else(|| Map::default().shown_extent())
    }

    fn shared_bar(&self) -> Option<ColorBar> {
        let scale = self.maps.iter().find_map(|map| map.color_scale.as_ref())?;
        Some(ColorBar::new(
            scale,
            self.maps.iter().flat_map(Map::values).collect(),
        ))
    }

    fn describe(&self) -> String {
        if !self.description.is_empty() {
            return self.description.clone();
        }
        let count = self.maps.len();
        let first = self.maps.first().map(Map::describe).unwrap_or_default();
        format!("{count} maps with one extent. {first}")
            .trim_end()
            .to_owned()
    }
}
