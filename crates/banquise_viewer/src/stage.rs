//! Constant data of a run for the page: title, bodies, domain, and the part of the sea that is shown first.

use std::sync::{Arc, Mutex, PoisonError};

use banquise::{Domain, Rectangle};
use banquise_geometry::DVec2;
use banquise_io::geography::LocalFrame;
use banquise_io::recording::{BodyTable, Frame};
use serde_json::{Map, Value, json};

/// Table of the bodies; in a live run it grows as bodies enter and floes are cut.
#[derive(Clone)]
pub(crate) struct SharedTable(Arc<Mutex<Arc<BodyTable>>>);

impl SharedTable {
    pub(crate) fn new(table: BodyTable) -> Self {
        Self(Arc::new(Mutex::new(Arc::new(table))))
    }

    pub(crate) fn get(&self) -> Arc<BodyTable> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes over a table of bodies, before any frame with the new bodies is served.
    pub(crate) fn set(&self, table: BodyTable) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(table);
    }
}

/// Constant data of a run for the page, but for bodies that enter, leave or are cut.
pub(crate) struct Stage {
    pub(crate) title: String,
    pub(crate) table: SharedTable,
    pub(crate) domain: Domain,
    /// Date of time zero, where the scenario gives one.
    pub(crate) start: Option<String>,
    /// Duration of the run \[s\].
    pub(crate) duration: f64,
    /// Extent of the first view, without land and edges close to it.
    pub(crate) extent: Rectangle,
    /// Whether the view moves with the ice from the start, because no one view shows the ice at all times.
    pub(crate) follows_ice: bool,
    /// Whether wind or current differ from place to place.
    pub(crate) weather_differs: bool,
    /// Point where the plane touches the Earth; `None` where the scenario gives none.
    pub(crate) earth: Option<LocalFrame>,
    /// Subtracted from all positions before they become single precision \[m\].
    pub(crate) origin: DVec2,
}

impl Stage {
    /// For the page: everything but outlines and numbers of floes.
    pub(crate) fn to_json(&self) -> Value {
        let Rectangle { min, max } = self.extent;
        let (edges, open) = match self.domain {
            Domain::Free => ("free", [false; 4]),
            Domain::Bounded(bounds) => ("walls", bounds.open),
            Domain::Periodic(_) => ("periodic", [false; 4]),
        };
        let table = self.table.get();
        let cell = self
            .domain
            .rectangle()
            .map(|cell| json!({ "min": self.local(cell.min), "max": self.local(cell.max) }));
        let names = table.names.iter().enumerate();
        let names: Map<String, Value> = names
            .filter(|(_, name)| !name.is_empty())
            .map(|(row, name)| (row.to_string(), name.as_str().into()))
            .collect();
        let obstacles = table.is_obstacle.iter().filter(|is| **is).count();
        json!({
            "title": self.title,
            "start": self.start,
            "duration_s": self.duration,
            "bodies": table.len(),
            "floes": table.len() - obstacles,
            "origin_m": self.origin.to_array(),
            "domain": { "edges": edges, "open": open, "rectangle": cell },
            "extent": { "min": self.local(min), "max": self.local(max) },
            "follows_ice": self.follows_ice,
            "weather_differs": self.weather_differs,
            "tangent_point_deg": self.earth.map(|earth| earth.origin().to_degrees()),
            "names": names,
        })
    }

    fn local(&self, point: DVec2) -> [f64; 2] {
        (point - self.origin).to_array()
    }

    /// Where a body is drawn: in the cell, counted from the origin \[m\].
    pub(crate) fn place(&self, position: DVec2) -> DVec2 {
        self.domain.wrap(position).0 - self.origin
    }
}

/// A box round all floes, or all bodies where none is a floe \[m\].
pub(crate) fn floe_extent(table: &BodyTable, frame: &Frame) -> Rectangle {
    let has_floes = table.is_obstacle.iter().any(|is| !is);
    extent_of(table, frame, |row| !(has_floes && table.is_obstacle[row]))
}

fn extent_of(table: &BodyTable, frame: &Frame, is_seen: impl Fn(usize) -> bool) -> Rectangle {
    let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for row in frame.living().filter(|&row| is_seen(row)) {
        let radius = DVec2::splat(reach_of(&table.outlines[row], table.discs[row]));
        let position = frame.positions[row];
        if position.is_finite() && radius.is_finite() {
            min = min.min(position - radius);
            max = max.max(position + radius);
        }
    }
    if min.cmplt(max).all() {
        Rectangle { min, max }
    } else {
        Rectangle {
            min: DVec2::splat(-1.0),
            max: DVec2::splat(1.0),
        }
    }
}

/// How far a shape reaches from its centre of mass \[m\].
pub(crate) fn reach_of(outline: &[DVec2], disc: Option<(DVec2, f64)>) -> f64 {
    match disc {
        Some((center, radius)) => center.length() + radius,
        None => outline.iter().map(|v| v.length()).fold(0.0, f64::max),
    }
}
