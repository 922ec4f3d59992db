//! What all frames of a film have in common: the part of the sea that is seen, and the range of colours.

use banquise::Rectangle;
use banquise_geometry::DVec2;

use super::super::{ExportError, Source};
use super::{Decades, FilmSettings};
use crate::recording::{BodyTable, Frame};

/// A film whose ice wanders over more than this many times its own width goes with it.
const FAR: f64 = 2.5;
/// A few floes that travel less far than this many widths are seen from one place: they would fill a picture that goes with them.
const FAR_OF_FEW: f64 = 25.0;
/// Few floes are narrower together than so many of the largest.
const FEW: f64 = 4.0;
/// Room round the ice.
const MARGIN: f64 = 1.08;

/// What all frames have in common.
pub(super) struct Survey {
    /// Size of the part of the sea that must be seen \[m\].
    pub(super) size: DVec2,
    /// Its middle; `None` where the camera goes with the ice.
    pub(super) middle: Option<DVec2>,
    /// Range of the colours.
    pub(super) range: (f64, f64),
    /// Whether some numbers are beyond it.
    pub(super) is_open: bool,
}

impl Survey {
    /// Looks through all frames.
    pub(super) fn of(source: &Source, settings: &FilmSettings) -> Result<Self, ExportError> {
        let mut all: Option<Rectangle> = None;
        let (mut largest, mut widest) = (DVec2::ZERO, 0.0_f64);
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        let mut decades = Decades::default();
        let mut earlier = None;
        for &record in &source.records {
            let frame = source.recording.frame(record)?;
            let table = &*source.bodies.at(frame.time);
            if let Some(extent) = extent(table, &frame) {
                largest = largest.max(extent.size());
                all = Some(all.map_or(extent, |all| Rectangle {
                    min: all.min.min(extent.min),
                    max: all.max.max(extent.max),
                }));
            }
            let before = earlier.as_ref().unwrap_or(&frame);
            for row in floes(table).filter(|&row| frame.is_alive(row)) {
                widest = widest.max(2.0 * reach(table, row));
                let value = settings.coloring.value(table, &frame, before, row);
                if value.is_finite() {
                    range = (range.0.min(value), range.1.max(value));
                    decades.add(value);
                }
            }
            earlier = Some(frame);
        }
        if range.0 > range.1 {
            range = (0.0, 1.0);
        }
        let is_open = settings.coloring.is_logarithmic() && decades.end() < decades.largest();
        if is_open {
            range.1 = decades.end();
        }
        let all = source.domain.rectangle().or(all).unwrap_or(Rectangle {
            min: DVec2::splat(-1.0),
            max: DVec2::splat(1.0),
        });
        let width = largest.max_element();
        let far = if width < FEW * widest {
            FAR_OF_FEW
        } else {
            FAR
        };
        let goes_far =
            source.domain.rectangle().is_none() && all.size().max_element() > far * width;
        Ok(Self {
            size: MARGIN * if goes_far { largest } else { all.size() },
            middle: (!goes_far).then(|| 0.5 * (all.min + all.max)),
            range: settings.coloring.range(range),
            is_open,
        })
    }

    /// The middle of the picture of a frame \[m\].
    pub(super) fn middle_of(&self, table: &BodyTable, frame: &Frame) -> DVec2 {
        self.middle
            .unwrap_or_else(|| extent(table, frame).map_or(DVec2::ZERO, |r| 0.5 * (r.min + r.max)))
    }
}

fn floes(table: &BodyTable) -> impl Iterator<Item = usize> + '_ {
    (0..table.len()).filter(|&row| !table.is_obstacle[row])
}

/// How far a body reaches from its centre of mass \[m\].
pub(super) fn reach(table: &BodyTable, row: usize) -> f64 {
    match table.discs[row] {
        Some((center, radius)) => center.length() + radius,
        None => {
            let vertices = table.outlines[row].iter();
            vertices.map(|vertex| vertex.length()).fold(0.0, f64::max)
        }
    }
}

fn extent(table: &BodyTable, frame: &Frame) -> Option<Rectangle> {
    let there = floes(table).filter(|&row| frame.positions[row].is_finite());
    let boxes = there.map(|row| {
        let (position, reach) = (frame.positions[row], DVec2::splat(reach(table, row)));
        Rectangle {
            min: position - reach,
            max: position + reach,
        }
    });
    boxes.reduce(|a, b| Rectangle {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    })
}
