//! Source of the page: a recording or a live run.

use std::path::Path;
use std::sync::Arc;

use banquise_geometry::DVec2;
use banquise_io::recording::Frame;
use serde_json::Value;

use crate::live::LiveRun;
use crate::recorded::RecordedRun;
use crate::stage::Stage;
use crate::weather::BodyWeather;

/// Source of the page.
pub enum Source {
    /// A recording.
    Recorded(RecordedRun),
    /// A run that goes on.
    Live(LiveRun),
}

impl Source {
    pub(crate) fn stage(&self) -> &Stage {
        match self {
            Self::Recorded(run) => run.stage(),
            Self::Live(run) => run.stage(),
        }
    }

    /// All bodies in a record, as counted in a `generation`; `None` where there is no such record.
    pub(crate) fn frame(&self, record: usize, generation: usize) -> Option<Arc<Frame>> {
        match self {
            Self::Recorded(run) => run.frame(record),
            Self::Live(run) => run.frame(record, generation),
        }
    }

    /// Times of the records from `known` on, and how the run stands.
    pub(crate) fn state(&self, version: usize, generation: usize, known: usize) -> Value {
        match self {
            Self::Recorded(run) => run.state(known),
            Self::Live(run) => run.state(version, generation, known),
        }
    }

    pub(crate) fn charts(&self) -> Value {
        match self {
            Self::Recorded(run) => run.charts(),
            Self::Live(run) => run.charts(),
        }
    }

    /// Ranges of what floes are coloured by over the whole run; null while it goes on.
    pub(crate) fn ranges(&self) -> Value {
        match self {
            Self::Recorded(run) => run.ranges(),
            Self::Live(run) => run.ranges(),
        }
    }

    /// Positions of one body in some records, in order, not brought back into a periodic cell \[m\].
    pub(crate) fn path(&self, row: usize) -> Vec<DVec2> {
        match self {
            Self::Recorded(run) => run.path(row),
            Self::Live(run) => run.path(row),
        }
    }

    /// Times \[s\] and positions \[m\] of all bodies in some records, in order, not brought back into a periodic cell.
    pub(crate) fn trails(&self) -> Vec<(f64, Vec<DVec2>)> {
        match self {
            Self::Recorded(run) => run.trails(),
            Self::Live(run) => run.trails(),
        }
    }

    /// Wind and water velocity at all bodies in a record, as counted in a `generation`; `None` where they are the same everywhere.
    pub(crate) fn weather(&self, record: usize, generation: usize) -> Option<Arc<BodyWeather>> {
        match self {
            Self::Recorded(run) => run.weather(record).map(Arc::new),
            Self::Live(run) => run.weather(record, generation),
        }
    }

    /// The run's folder, where there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Recorded(run) => Some(run.folder()),
            Self::Live(_) => None,
        }
    }
}
