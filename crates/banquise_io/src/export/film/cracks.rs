//! Cracks that opened a short while ago, drawn where they opened.

use tiny_skia::PathBuilder;

use super::super::Source;
use super::super::coloring::rgb;
use super::canvas::Canvas;
use crate::figure::palette::{FORCE, PAPER};
use crate::recording::Frame;

/// Records in which a crack is seen.
const FRAMES: f64 = 5.0;
/// Width of the line of a crack, as a share of the height of the picture.
const WIDTH: f32 = 0.004;

/// Draws the cracks of the last few records, the newest as the widest lines.
pub(super) fn draw(canvas: &mut Canvas, source: &Source, frame: &Frame, earlier: &Frame) {
    let seen = FRAMES * (frame.time - earlier.time);
    for breakage in &source.bodies.breakages {
        let age = (frame.time - breakage.time) / seen;
        if !(0.0..1.0).contains(&age) {
            continue;
        }
        let width = WIDTH * canvas.pixmap.height() as f32 * (1.0 - age as f32);
        for ends in &breakage.cracks {
            let [from, to] = ends.map(|end| canvas.place(end));
            let mut builder = PathBuilder::new();
            builder.move_to(from.0, from.1);
            builder.line_to(to.0, to.1);
            if let Some(path) = builder.finish() {
                canvas.stroke(&path, rgb(PAPER.light), 1.8 * width);
                canvas.stroke(&path, rgb(FORCE.light), width);
            }
        }
    }
}
