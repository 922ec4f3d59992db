//! Films of a flow: colours, streamlines, bodies.

use std::path::Path;

use banquise_geometry::DVec2;
use tiny_skia::{PathBuilder, Pixmap, PremultipliedColorU8, Rect};

use super::super::ExportError;
use super::super::coloring::rgb;
use super::canvas::Canvas;
use super::gif::GifFilm;
use super::glyphs::text_path;
use super::mp4::Mp4Film;
use super::picture::polygon;
use crate::figure::palette::{ICE_EDGE, INK, PAPER, UNKNOWN, viridis_rgb};

/// Streamlines across the range of the stream function.
const LEVELS: usize = 24;
/// Pixels of the longer side of the flow, at least; cells have whole numbers of pixels.
const SIDE: usize = 640;
/// Pixels below the flow for what is written there, and height of its capitals.
const CAPTION: u32 = 54;
const LETTER: f32 = 11.0;
/// Frames a second.
const RATE: u32 = 15;

/// A flow at an instant.
#[derive(Debug, Clone)]
pub struct FlowFrame<'a> {
    /// Cells along x and y.
    pub cells: [usize; 2],
    /// Stream function at all corners of cells, row by row from below.
    pub stream: &'a [f64],
    /// What colours show, in the middle of each cell.
    pub values: &'a [f64],
    /// Values of the first and the last colour.
    pub range: [f64; 2],
    /// Outlines of bodies, in cells.
    pub bodies: &'a [Vec<DVec2>],
    /// Text at the lower left.
    pub caption: String,
    /// Name of what colours show, with its range.
    pub legend: String,
}

/// A film of a flow that grows frame by frame: a GIF, or MP4 film, by the end of its name.
pub struct FlowFilm {
    film: Film,
}

enum Film {
    Gif(GifFilm),
    Mp4(Box<Mp4Film>),
}

/// Pixels of a cell.
fn scale_of(cells: [usize; 2]) -> usize {
    SIDE.div_ceil(cells[0].max(cells[1])).max(1)
}

fn size_of(cells: [usize; 2]) -> [u32; 2] {
    let even = |pixels: u32| pixels.next_multiple_of(2);
    let scale = scale_of(cells);
    [
        even((cells[0] * scale) as u32),
        even((cells[1] * scale) as u32 + CAPTION),
    ]
}

impl FlowFilm {
    /// Begins a film of flows with that many cells.
    ///
    /// # Errors
    /// When the file exists or cannot be written, or there are no cells.
    pub fn new(path: &Path, cells: [usize; 2]) -> Result<Self, ExportError> {
        if cells.contains(&0) {
            return Err(ExportError::NoPictures {
                path: path.to_owned(),
            });
        }
        let is_mp4 = path.extension().is_some_and(|end| end == "mp4");
        let film = if is_mp4 {
            Film::Mp4(Box::new(Mp4Film::new(path, size_of(cells), RATE)?))
        } else {
            Film::Gif(GifFilm::new(path, size_of(cells), RATE)?)
        };
        Ok(Self { film })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, frame: &FlowFrame<'_>) -> Result<(), ExportError> {
        let pixmap = frame.draw();
        match &mut self.film {
            Film::Gif(film) => film.add(&pixmap),
            Film::Mp4(film) => film.add(&pixmap),
        }
    }

    /// Ends the film.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), ExportError> {
        match self.film {
            Film::Gif(_) => Ok(()),
            Film::Mp4(film) => film.finish(),
        }
    }
}

impl FlowFrame<'_> {
    fn draw(&self) -> Pixmap {
        let [width, height] = size_of(self.cells);
        let mut pixmap = Pixmap::new(width, height).expect("sides are positive");
        let [red, green, blue] = rgb(PAPER.light);
        pixmap.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
        self.draw_colors(&mut pixmap);
        let scale = scale_of(self.cells);
        let high = (self.cells[1] * scale) as f64;
        let mut canvas = Canvas {
            pixmap,
            // Places are in cells from the lower left corner of the flow.
            middle: DVec2::new(
                0.5 * f64::from(width),
                0.5 * (2.0 * high - f64::from(height)),
            ) / scale as f64,
            scale: scale as f64,
        };
        self.draw_streamlines(&mut canvas);
        for ring in self.bodies {
            if let Some(path) = polygon(ring.iter().map(|&at| canvas.place(at))) {
                canvas.fill(&path, rgb(UNKNOWN.light), 1.0);
                canvas.stroke(&path, rgb(ICE_EDGE.light), 1.0);
            }
        }
        self.draw_caption(&mut canvas, high as f32);
        canvas.pixmap
    }

    fn color(&self, value: f64) -> [u8; 3] {
        let [low, high] = self.range;
        let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
        viridis_rgb(share.clamp(0.0, 1.0))
    }

    fn draw_colors(&self, pixmap: &mut Pixmap) {
        let [nx, ny] = self.cells;
        let scale = scale_of(self.cells);
        let width = pixmap.width() as usize;
        let pixels = pixmap.pixels_mut();
        for y in 0..ny * scale {
            let j = ny - 1 - y / scale;
            for x in 0..nx * scale {
                let [red, green, blue] = self.color(self.values[j * nx + x / scale]);
                if let Some(color) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
                    pixels[y * width + x] = color;
                }
            }
        }
    }

    /// Lines of equal stream function, a piece for each cell that they cross.
    fn draw_streamlines(&self, canvas: &mut Canvas) {
        let [nx, ny] = self.cells;
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        let [low, high] = self.stream.iter().fold(ends, |[low, high], &value| {
            [low.min(value), high.max(value)]
        });
        if high <= low {
            return;
        }
        let mut builder = PathBuilder::new();
        for j in 0..ny {
            for i in 0..nx {
                let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                    let at = DVec2::new((i + a) as f64, (j + b) as f64);
                    let share = (self.stream[(j + b) * (nx + 1) + i + a] - low) / (high - low);
                    (at, share * LEVELS as f64 - 0.5)
                });
                let least = corners.iter().fold(f64::INFINITY, |m, c| m.min(c.1)).ceil();
                let most = corners.iter().fold(f64::NEG_INFINITY, |m, c| m.max(c.1));
                let mut level = least;
                while level <= most {
                    let mut crossings = Vec::with_capacity(4);
                    for k in 0..4 {
                        let ((p, a), (q, b)) = (corners[k], corners[(k + 1) % 4]);
                        let (a, b) = (a - level, b - level);
                        if (a < 0.0) != (b < 0.0) {
                            crossings.push(p + (q - p) * (a / (a - b)));
                        }
                    }
                    for [p, q] in crossings.as_chunks::<2>().0 {
                        let ((x, y), (u, v)) = (canvas.place(*p), canvas.place(*q));
                        builder.move_to(x, y);
                        builder.line_to(u, v);
                    }
                    level += 1.0;
                }
            }
        }
        if let Some(path) = builder.finish() {
            canvas.stroke(&path, rgb(PAPER.light), 0.8);
        }
    }

    fn draw_caption(&self, canvas: &mut Canvas, high: f32) {
        let width = canvas.pixmap.width() as f32;
        let bottom = canvas.pixmap.height() as f32;
        // Bodies at the lower edge reach over it.
        if let Some(strip) = Rect::from_ltrb(0.0, high, width, bottom) {
            canvas.fill(&PathBuilder::from_rect(strip), rgb(PAPER.light), 1.0);
        }
        for (text, line) in [(&self.caption, 16.0), (&self.legend, 33.0)] {
            if let Some(path) = text_path(text, 6.0, high + line, LETTER) {
                canvas.stroke(&path, rgb(INK.light), 1.2);
            }
        }
        let [low, last] = self.range;
        let columns = (width - 12.0) as u16;
        for column in 0..columns {
            let part = f64::from(column) / f64::from(columns);
            if let Some(bar) = Rect::from_xywh(6.0 + f32::from(column), high + 40.0, 1.0, 8.0) {
                let color = self.color(low + part * (last - low));
                canvas.fill(&PathBuilder::from_rect(bar), color, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_without_cells_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none.gif");
        let Err(error) = FlowFilm::new(&path, [0, 4]) else {
            panic!("no cells")
        };
        assert!(matches!(error, ExportError::NoPictures { .. }));
        assert!(!path.exists());
    }
}
