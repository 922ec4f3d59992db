//! One frame of a film, pixel by pixel.

use banquise::{Bounds, Domain};
use banquise_geometry::{DVec2, Pose};
use tiny_skia::{Path, PathBuilder, Pixmap, Rect};

use super::super::Source;
use super::super::coloring::rgb;
use super::super::source::ring_of;
use super::FilmSettings;
use super::canvas::Canvas;
use super::cracks;
use super::force_chains::ForceChains;
use super::graticule::Graticule;
use super::legend::Legend;
use super::survey::{Survey, reach};
use super::trails::Trails;
use crate::figure::palette::{ICE_EDGE, INK, LAND, LAND_EDGE, PAPER, UNKNOWN, WATER};
use crate::recording::{BodyTable, Frame};

/// Draws the frames of a film, one after the other.
pub(super) struct Painter<'a> {
    source: &'a Source,
    settings: FilmSettings,
    survey: Survey,
    chains: ForceChains,
}

/// A picture that is being drawn: the ice of one time.
struct Moment<'a> {
    table: &'a BodyTable,
    frame: &'a Frame,
    earlier: &'a Frame,
}

impl<'a> Painter<'a> {
    pub(super) fn new(
        source: &'a Source,
        settings: FilmSettings,
        survey: Survey,
        chains: ForceChains,
    ) -> Self {
        Self {
            source,
            settings,
            survey,
            chains,
        }
    }

    /// The picture of a frame, given the one before and where the floes were.
    pub(super) fn draw(&self, frame: &Frame, earlier: &Frame, trails: &Trails) -> Pixmap {
        let FilmSettings { width, height, .. } = self.settings;
        let mut pixmap =
            Pixmap::new(width, height).expect("the size of a picture is checked before");
        let [red, green, blue] = rgb(WATER.light);
        pixmap.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
        let size = self.survey.size;
        let table = &*self.source.bodies.at(frame.time);
        let mut canvas = Canvas {
            pixmap,
            middle: self.survey.middle_of(table, frame),
            scale: (f64::from(width) / size.x).min(f64::from(height) / size.y),
        };
        let moment = Moment {
            table,
            frame,
            earlier,
        };
        let graticule = Graticule::new(&canvas, self.source.origin.as_ref());
        if self.settings.has_marks {
            graticule.draw_lines(&mut canvas);
            trails.draw(&mut canvas);
        }
        self.draw_bodies(&mut canvas, &moment);
        cracks::draw(&mut canvas, self.source, frame, earlier);
        self.chains.draw(&mut canvas, self.source, table, frame);
        self.draw_domain(&mut canvas);
        if self.settings.has_marks {
            graticule.draw_labels(&mut canvas);
        }
        let legend = Legend {
            date: self.source.date(frame.time),
            coloring: self.settings.coloring,
            survey: &self.survey,
        };
        legend.draw(&mut canvas, frame);
        self.chains.draw_legend(&mut canvas);
        canvas.pixmap
    }

    fn draw_bodies(&self, canvas: &mut Canvas, moment: &Moment<'_>) {
        let &Moment {
            table,
            frame,
            earlier,
        } = moment;
        for are_obstacles in [true, false] {
            let rows = (0..table.len()).filter(|&row| table.is_obstacle[row] == are_obstacles);
            for row in rows.filter(|&row| frame.positions[row].is_finite()) {
                let (inside, edge) = if are_obstacles {
                    (rgb(LAND.light), rgb(LAND_EDGE.light))
                } else {
                    let coloring = self.settings.coloring;
                    let value = coloring.value(table, frame, earlier, row);
                    let color = coloring.color(value, self.survey.range);
                    (color.unwrap_or(rgb(UNKNOWN.light)), rgb(ICE_EDGE.light))
                };
                let reach = reach(table, row);
                let ring = ring_of(&table.outlines[row], table.discs[row]);
                for image in self.images(frame, row, reach) {
                    let place = |&vertex: &DVec2| canvas.place(image.world_from_body(vertex));
                    if let Some(path) = polygon(ring.iter().map(place)) {
                        draw_body(canvas, &path, reach * canvas.scale, inside, edge);
                    }
                }
            }
        }
    }

    /// The body where it is, and its images where it reaches over the edges of a periodic cell.
    fn images(&self, frame: &Frame, row: usize, reach: f64) -> Vec<Pose> {
        let (position, _) = self.source.domain.wrap(frame.positions[row]);
        let pose = Pose {
            position,
            ..frame.pose(row)
        };
        let Domain::Periodic(cell) = self.source.domain else {
            return vec![pose];
        };
        let reach = DVec2::splat(reach);
        let (low, high) = (cell.min - reach, cell.max + reach);
        let steps = [-1.0, 0.0, 1.0];
        let offsets = steps
            .into_iter()
            .flat_map(|x| steps.map(|y| DVec2::new(x, y)));
        let places = offsets.map(|offset| position + offset * cell.size());
        places
            .filter(|place| place.cmpgt(low).all() && place.cmplt(high).all())
            .map(|position| Pose { position, ..pose })
            .collect()
    }

    /// The edges of the sea; beyond those of a periodic cell there is paper.
    fn draw_domain(&self, canvas: &mut Canvas) {
        let Some(cell) = self.source.domain.rectangle() else {
            return;
        };
        let (left, bottom) = canvas.place(cell.min);
        let (right, top) = canvas.place(cell.max);
        let (width, height) = (canvas.pixmap.width() as f32, canvas.pixmap.height() as f32);
        if matches!(self.source.domain, Domain::Periodic(_)) {
            let sides = [
                (0.0, 0.0, left, height),
                (right, 0.0, width, height),
                (0.0, 0.0, width, top),
                (0.0, bottom, width, height),
            ];
            for (x0, y0, x1, y1) in sides {
                if let Some(side) = Rect::from_ltrb(x0, y0, x1, y1) {
                    canvas.fill(&PathBuilder::from_rect(side), rgb(PAPER.light), 1.0);
                }
            }
        }
        if let Domain::Bounded(Bounds { open, .. }) = self.source.domain
            && open.contains(&true)
        {
            let west = [(left, bottom), (left, top)];
            let east = [(right, bottom), (right, top)];
            let south = [(left, bottom), (right, bottom)];
            let north = [(left, top), (right, top)];
            for (side, is_open) in [west, east, south, north].into_iter().zip(open) {
                canvas.stroke_edge(side, rgb(INK.light), is_open);
            }
        } else if let Some(border) = Rect::from_ltrb(left, top, right, bottom) {
            canvas.stroke(&PathBuilder::from_rect(border), rgb(INK.light), 2.0);
        }
    }
}

/// Draws the outline of a body that reaches so many pixels from its centre.
fn draw_body(canvas: &mut Canvas, path: &Path, pixels: f64, inside: [u8; 3], edge: [u8; 3]) {
    canvas.fill(path, inside, 1.0);
    // Outlines of floes a few pixels wide would hide their colour.
    if pixels > 4.0 {
        let width = if pixels > 20.0 { 1.5 } else { 0.7 };
        canvas.stroke(path, edge, width);
    }
}

/// A closed path through points; `None` where there are too few, or one is nowhere.
pub(super) fn polygon(points: impl Iterator<Item = (f32, f32)>) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, (x, y)) in points.enumerate() {
        if index == 0 {
            builder.move_to(x, y);
        } else {
            builder.line_to(x, y);
        }
    }
    builder.close();
    builder.finish()
}
