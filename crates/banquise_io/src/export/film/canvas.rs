//! A picture that is being drawn.

use banquise_geometry::DVec2;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

/// A picture that is being drawn, and where the sea is on it.
pub(super) struct Canvas {
    pub(super) pixmap: Pixmap,
    pub(super) middle: DVec2,
    /// Pixels a metre.
    pub(super) scale: f64,
}

impl Canvas {
    /// Where a point of the sea is on the picture.
    pub(super) fn place(&self, point: DVec2) -> (f32, f32) {
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        let offset = (point - self.middle) * self.scale;
        let x = 0.5 * f64::from(width) + offset.x;
        let y = 0.5 * f64::from(height) - offset.y;
        (x as f32, y as f32)
    }

    pub(super) fn fill(&mut self, path: &Path, color: [u8; 3], opacity: f32) {
        let paint = paint(color, opacity);
        let rule = FillRule::EvenOdd;
        self.pixmap
            .fill_path(path, &paint, rule, Transform::identity(), None);
    }

    pub(super) fn stroke(&mut self, path: &Path, color: [u8; 3], width: f32) {
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let transform = Transform::identity();
        self.pixmap
            .stroke_path(path, &paint(color, 1.0), &stroke, transform, None);
    }

    /// Draws an edge of the sea: a wall is a line, an open edge is thin and dashed.
    pub(super) fn stroke_edge(
        &mut self,
        [from, to]: [(f32, f32); 2],
        color: [u8; 3],
        is_open: bool,
    ) {
        let mut builder = PathBuilder::new();
        builder.move_to(from.0, from.1);
        builder.line_to(to.0, to.1);
        let Some(path) = builder.finish() else {
            return;
        };
        let stroke = Stroke {
            width: if is_open { 1.0 } else { 2.0 },
            dash: is_open
                .then(|| StrokeDash::new(DASHES.to_vec(), 0.0))
                .flatten(),
            ..Stroke::default()
        };
        let ink = paint(color, 1.0);
        let transform = Transform::identity();
        self.pixmap
            .stroke_path(&path, &ink, &stroke, transform, None);
    }
}

/// Lengths of the dashes of an open edge, and of the gaps between them [pixels].
const DASHES: [f32; 2] = [4.0, 8.0];

/// A colour between two, at a share from the first to the second.
pub(super) fn mixed(a: [u8; 3], b: [u8; 3], share: f64) -> [u8; 3] {
    [0, 1, 2].map(|k| {
        let (a, b) = (f64::from(a[k]), f64::from(b[k]));
        (a + share * (b - a)).round() as u8
    })
}

fn paint(color: [u8; 3], opacity: f32) -> Paint<'static> {
    let mut paint = Paint::default();
    let [red, green, blue] = color;
    paint.set_color_rgba8(red, green, blue, (255.0 * opacity).round() as u8);
    paint
}
