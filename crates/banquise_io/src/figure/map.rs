//! A map: its whole figure.

use super::canvas::{Canvas, figure_length};
use super::color_bar::ColorBar;
use super::map_content::{Map, readable};
use super::map_layers::{ShownSides, draw_panel};
use super::map_panel::{BOTTOM_MARGIN, Panel, STRIP_HEIGHT, draw_strip};

impl Map {
    /// The map as a complete SVG document.
    pub fn to_svg(&self) -> String {
        let width = figure_length(self.width, 240.0);
        let mut canvas = Canvas::new();
        let extent = readable(self.shown_extent());
        let bar = self
            .color_scale
            .as_ref()
            .map(|scale| ColorBar::new(scale, self.values()));
        let top = canvas.title(&self.title, 16.0, width - 32.0) + STRIP_HEIGHT;
        let panel = Panel::new(
            extent,
            [width, top],
            bar.as_ref().map_or(20.0, ColorBar::width),
        );
        draw_strip(&mut canvas, &panel, self);
        draw_panel(
            &mut canvas,
            &panel,
            &self.layers,
            bar.as_ref(),
            ShownSides::Both,
        );
        if let Some(bar) = &bar {
            bar.draw(&mut canvas, panel.area);
        }
        if self.layers.is_empty() {
            canvas.note(panel.area, "Nothing to draw");
        }
        let size = [width, panel.area.bottom() + BOTTOM_MARGIN];
        canvas.finish(size, &self.title, &self.describe())
    }
}
