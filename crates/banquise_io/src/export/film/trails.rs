//! Trails behind the floes, the older the fainter, by which drift is seen on a still picture.

use std::collections::VecDeque;
use std::ops::Range;

use banquise::Domain;
use banquise_geometry::DVec2;
use tiny_skia::PathBuilder;

use super::canvas::{Canvas, mixed};
use crate::export::coloring::rgb;
use crate::figure::palette::{SERIES, WATER};
use crate::recording::{BodyTable, Frame, Recording};
use crate::zarr::ZarrError;

/// Points of all trails together: more take long to draw.
const POINTS: usize = 10_000;
/// Records that a trail goes back, at least and at most.
const LENGTHS: (usize, usize) = (50, 1000);
/// Trails that are drawn: those of the largest floes.
const MOST: usize = 400;
/// Shades of a trail.
pub(super) const SHADES: usize = 6;

/// The colour of a part of a trail, from the oldest, 0, to the newest.
pub(super) fn shade(number: usize) -> [u8; 3] {
    let part = (number + 1) as f64 / SHADES as f64;
    mixed(rgb(WATER.light), rgb(SERIES[4].light), 0.1 + 0.75 * part)
}

/// Where the floes were in the last records.
pub(super) struct Trails {
    /// The floes that have trails.
    rows: Vec<usize>,
    domain: Domain,
    /// Records that a trail goes back.
    length: usize,
    /// Positions of these floes in each record, within the cell of a periodic domain.
    records: VecDeque<Vec<DVec2>>,
}

impl Trails {
    pub(super) fn new(table: &BodyTable, domain: Domain) -> Self {
        let mut rows: Vec<usize> = (0..table.len())
            .filter(|&row| !table.is_obstacle[row])
            .collect();
        rows.sort_by(|&a, &b| table.areas[b].total_cmp(&table.areas[a]));
        rows.truncate(MOST);
        Self {
            length: (POINTS / rows.len().max(1)).clamp(LENGTHS.0, LENGTHS.1),
            rows,
            domain,
            records: VecDeque::new(),
        }
    }

    /// Takes over where the floes are in the records that a film leaves out, from one on and before another.
    pub(super) fn add_between(
        &mut self,
        recording: &Recording,
        records: Range<usize>,
    ) -> Result<(), ZarrError> {
        let first = records.end.saturating_sub(self.length).max(records.start);
        for record in first..records.end {
            let (x, y) = (
                recording.bodies_at("x", record)?,
                recording.bodies_at("y", record)?,
            );
            self.push(|row| DVec2::new(x[row], y[row]));
        }
        Ok(())
    }

    /// Takes over where the floes are in a frame of the film.
    pub(super) fn add(&mut self, frame: &Frame) {
        self.push(|row| frame.positions[row]);
    }

    fn push(&mut self, position: impl Fn(usize) -> DVec2) {
        if self.records.len() == self.length {
            self.records.pop_front();
        }
        let place = |&row: &usize| self.domain.wrap(position(row)).0;
        self.records
            .push_back(self.rows.iter().map(place).collect());
    }

    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let width = (0.0016 * canvas.pixmap.height() as f32).max(1.0);
        let count = self.records.len();
        for number in 0..SHADES {
            let (first, last) = (count * number / SHADES, count * (number + 1) / SHADES);
            let mut builder = PathBuilder::new();
            for floe in 0..self.rows.len() {
                // A part begins where the one before ended.
                let points = (first.saturating_sub(1)..last).map(|k| self.records[k][floe]);
                self.add_line(&mut builder, canvas, points);
            }
            if let Some(path) = builder.finish() {
                canvas.stroke(&path, shade(number), width);
            }
        }
    }

    /// Adds a line through points, with gaps where a floe is not in the world or enters a periodic cell at the other side.
    fn add_line(
        &self,
        builder: &mut PathBuilder,
        canvas: &Canvas,
        points: impl Iterator<Item = DVec2>,
    ) {
        let mut before: Option<DVec2> = None;
        for point in points {
            if !point.is_finite() {
                before = None;
                continue;
            }
            let (x, y) = canvas.place(point);
            let jumps = |before: DVec2| match self.domain {
                Domain::Periodic(cell) => (point - before).abs().cmpgt(0.5 * cell.size()).any(),
                Domain::Free | Domain::Bounded(_) => false,
            };
            if before.is_some_and(|before| !jumps(before)) {
                builder.line_to(x, y);
            } else {
                builder.move_to(x, y);
            }
            before = Some(point);
        }
    }
}
