//! Force chains: a line through each contact, from centre to centre, as wide as its normal force is large.

use std::collections::BTreeMap;

use banquise::Domain;
use banquise_geometry::DVec2;
use tiny_skia::{PathBuilder, Rect};

use super::super::coloring::rgb;
use super::super::{ExportError, Source};
use super::canvas::Canvas;
use super::legend::{Sizes, round_down, write};
use crate::figure::palette::{FORCE, INK, PAPER};
use crate::recording::{BodyTable, ContactForce, Frame};

/// Width of the line of the reference force, as a share of the height of the picture. Lines end at twice this width.
const WIDTH: f32 = 0.0055;
/// Width of the dark rim of a line, both sides together, as a share of the height of the picture.
const RIM: f32 = 0.0009;
/// Forces below this part of the reference are not drawn: hairlines hide the chains.
const LEAST: f64 = 0.03;
/// The reference force is the round number below this quantile of all forces drawn.
const QUANTILE: f64 = 0.98;

/// The forces of all contacts of a film; empty where the recording has none.
pub(super) struct ForceChains {
    forces: Vec<ContactForce>,
    /// The force whose line has the reference width \[N\].
    reference: f64,
}

/// What two bodies exert on each other, over all contacts between them.
struct PairForce {
    normal: f64,
    /// Contact points, each weighted with its force.
    weighted: DVec2,
}

impl ForceChains {
    pub(super) fn of(source: &Source) -> Result<Self, ExportError> {
        let mut forces = source.recording.contact_forces()?;
        // Contacts that stick may pull: chains are of pushes.
        forces.retain(|force| force.normal > 0.0);
        let mut sizes: Vec<f64> = forces.iter().map(|force| force.normal).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        let place = (QUANTILE * sizes.len() as f64) as usize;
        let reference = sizes.get(place).map_or(1.0, |&size| round_down(size));
        Ok(Self { forces, reference })
    }

    /// Draws the chains of a frame over its floes.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        source: &Source,
        table: &BodyTable,
        frame: &Frame,
    ) {
        let from = self.forces.partition_point(|force| force.time < frame.time);
        let now = self.forces[from..].iter();
        let mut pairs: BTreeMap<(usize, Option<usize>), PairForce> = BTreeMap::new();
        for force in now.take_while(|force| force.time == frame.time) {
            let pair = pairs.entry((force.body, force.other)).or_insert(PairForce {
                normal: 0.0,
                weighted: DVec2::ZERO,
            });
            pair.normal += force.normal;
            pair.weighted += force.normal * force.point;
        }
        let mut lines: Vec<(f64, usize, DVec2)> = Vec::new();
        for ((body, other), pair) in pairs {
            let point = pair.weighted / pair.normal;
            for row in [Some(body), other].into_iter().flatten() {
                if row < table.len() && !table.is_obstacle[row] && frame.is_alive(row) {
                    lines.push((pair.normal, row, point));
                }
            }
        }
        // Large forces lie over small ones.
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        let least = LEAST * self.reference;
        for (force, row, point) in lines.into_iter().filter(|line| line.0 > least) {
            let center = near(source.domain, frame.positions[row], point);
            let width = self.width(canvas, force);
            stroke(canvas, canvas.place(center), canvas.place(point), width);
        }
    }

    /// Width of the line of a force \[pixels\].
    fn width(&self, canvas: &Canvas, force: f64) -> f32 {
        let part = (force / self.reference).min(2.0) as f32;
        (part * WIDTH * canvas.pixmap.height() as f32).max(0.5)
    }

    /// Says which width is which force, above the colours.
    pub(super) fn draw_legend(&self, canvas: &mut Canvas) {
        if self.forces.is_empty() {
            return;
        }
        let Sizes { margin, letter } = Sizes::of(canvas);
        let (right, bottom) = (
            canvas.pixmap.width() as f32 - margin,
            canvas.pixmap.height() as f32 - margin - 6.6 * letter,
        );
        let left = (right - 12.0 * letter).round();
        let panel = Rect::from_ltrb(
            left - letter,
            bottom - 3.2 * letter,
            right + letter,
            bottom + 1.2 * letter,
        );
        if let Some(panel) = panel {
            canvas.fill(&PathBuilder::from_rect(panel), rgb(PAPER.light), 0.8);
        }
        write(canvas, "Contact force", left, bottom - 1.4 * letter, letter);
        let y = bottom - 0.1 * letter;
        let width = self.width(canvas, self.reference);
        stroke(canvas, (left, y), (left + 3.5 * letter, y), width);
        let text = force_text(self.reference);
        write(
            canvas,
            &text,
            left + 4.5 * letter,
            bottom + 0.35 * letter,
            0.9 * letter,
        );
    }
}

/// A line with a dark rim, which is seen on light and dark ice.
fn stroke(canvas: &mut Canvas, from: (f32, f32), to: (f32, f32), width: f32) {
    let mut builder = PathBuilder::new();
    builder.move_to(from.0, from.1);
    builder.line_to(to.0, to.1);
    if let Some(path) = builder.finish() {
        let rim = RIM * canvas.pixmap.height() as f32;
        canvas.stroke(&path, rgb(INK.light), width + rim);
        canvas.stroke(&path, rgb(FORCE.light), width);
    }
}

/// The image of a centre that is nearest to a point.
fn near(domain: Domain, center: DVec2, point: DVec2) -> DVec2 {
    let Domain::Periodic(cell) = domain else {
        return center;
    };
    center + ((point - center) / cell.size()).round() * cell.size()
}

/// A round force with its unit.
fn force_text(newtons: f64) -> String {
    let units = [(1e9, "GN"), (1e6, "MN"), (1e3, "kN"), (1.0, "N")];
    let (size, unit) = units
        .into_iter()
        .find(|(size, _)| newtons >= 0.999 * size)
        .unwrap_or((1.0, "N"));
    format!("{} {unit}", newtons / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_have_fitting_units() {
        assert_eq!(force_text(5e7), "50 MN");
        assert_eq!(force_text(2000.0), "2 kN");
        assert_eq!(force_text(0.5), "0.5 N");
    }

    #[test]
    fn lines_in_a_periodic_cell_take_the_short_way() {
        let cell = banquise::Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(10.0),
        };
        let center = near(
            Domain::Periodic(cell),
            DVec2::new(1.0, 5.0),
            DVec2::new(9.5, 5.0),
        );
        assert_eq!(center, DVec2::new(11.0, 5.0));
    }
}
