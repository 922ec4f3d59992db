//! A recording, opened for looking.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use banquise::Rectangle;
use banquise_geometry::DVec2;
use banquise_io::diagnostics::Diagnostics;
use banquise_io::recording::{BodyTable, DATASET, Frame, Recording};
use serde_json::{Value, json};

use crate::charts;
use crate::error::ViewError;
use crate::files::leaving_link;
use crate::ranges::{ranges, some_records};
use crate::stage::{SharedTable, Stage, floe_extent};

/// Points of a path; more are not seen.
const PATH_POINTS: usize = 2000;

/// Ice that comes to lie over more than this many times its first width is not seen whole at first.
const FAR: f64 = 3.0;

/// A recording on disk, which may still grow.
pub struct RecordedRun {
    folder: PathBuf,
    stage: Stage,
    /// Opened again while the run goes on.
    recording: Mutex<Arc<Recording>>,
    charts: OnceLock<Value>,
    ranges: OnceLock<Value>,
}

/// What the first look shall see: all floes from start to end, unless they went far.
fn extent(table: &BodyTable, first: &Frame, last: &Frame) -> Rectangle {
    let start = floe_extent(table, first);
    let end = floe_extent(&table.at(last.time), last);
    let both = Rectangle {
        min: start.min.min(end.min),
        max: start.max.max(end.max),
    };
    let is_far = both.size().max_element() > FAR * start.size().max_element();
    if is_far { start } else { both }
}

impl RecordedRun {
    /// Opens the recording in a run's folder.
    ///
    /// # Errors
    /// When there is none, it is damaged, or a part of it is a link to somewhere else.
    pub fn open(folder: &Path) -> Result<Self, ViewError> {
        let recording = Recording::open(folder)?;
        if let Some(path) = leaving_link(&folder.join(DATASET)) {
            return Err(ViewError::LeavingLink { path });
        }
        let first = recording.frame(0)?;
        let last = recording.frame(recording.record_count()?.saturating_sub(1))?;
        let table = recording.body_table()?;
        let domain = recording.domain();
        let extent = domain
            .rectangle()
            .unwrap_or_else(|| extent(&table, &first, &last));
        let start = recording.start().map(|date| date.to_string());
        let stage = Stage {
            title: recording.text("title").to_owned(),
            table: SharedTable::new(table),
            domain,
            start,
            duration: recording.number("duration_s").unwrap_or(0.0),
            origin: 0.5 * (extent.min + extent.max),
            extent,
        };
        Ok(Self {
            folder: folder.to_owned(),
            stage,
            recording: Mutex::new(Arc::new(recording)),
            charts: OnceLock::new(),
            ranges: OnceLock::new(),
        })
    }

    pub(crate) fn stage(&self) -> &Stage {
        &self.stage
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn recording(&self) -> Arc<Recording> {
        let recording = self.recording.lock();
        Arc::clone(&recording.unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn frame(&self, record: usize) -> Option<Arc<Frame>> {
        self.recording().frame(record).ok().map(Arc::new)
    }

    pub(crate) fn state(&self, known: usize) -> Value {
        let mut recording = self.recording();
        let is_growing = recording.text("status") == "running";
        if is_growing
            && let Ok(newer) = Recording::open(&self.folder)
            && let Ok(table) = newer.body_table()
        {
            self.stage.table.set(table);
            recording = Arc::new(newer);
            let mut kept = self
                .recording
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *kept = Arc::clone(&recording);
        }
        let times = recording.series("time").unwrap_or_default();
        json!({
            "live": false,
            "version": 0,
            "generation": 0,
            "records": times.len(),
            "times": times.get(known..).unwrap_or_default(),
            "status": recording.text("status"),
            "report": self.folder.join("report.html").is_file(),
        })
    }

    pub(crate) fn charts(&self) -> Value {
        let measure = || {
            let recording = self.recording();
            let Ok(basic) = charts::History::read(&recording) else {
                return json!([]);
            };
            let mut charts = basic.charts();
            if let Ok(diagnostics) = Diagnostics::of(&recording) {
                charts.extend(charts::of_diagnostics(&diagnostics));
            }
            Value::Array(charts)
        };
        self.charts.get_or_init(measure).clone()
    }

    pub(crate) fn path(&self, row: usize) -> Vec<DVec2> {
        let recording = self.recording();
        let count = recording.record_count().unwrap_or(0);
        let at = |record: usize| {
            let x = *recording.bodies_at("x", record).ok()?.get(row)?;
            let y = *recording.bodies_at("y", record).ok()?.get(row)?;
            Some(DVec2::new(x, y))
        };
        let records = some_records(count, PATH_POINTS).into_iter();
        records.filter_map(at).collect()
    }

    /// Ranges of what floes are coloured by, over all of it; null while it grows.
    pub(crate) fn ranges(&self) -> Value {
        let recording = self.recording();
        if recording.text("status") == "running" {
            return Value::Null;
        }
        let count = recording.record_count().unwrap_or(0);
        let frame = |record| recording.frame(record).ok().map(Arc::new);
        let measure = || ranges(&self.stage.table.get(), count, frame);
        self.ranges.get_or_init(measure).clone()
    }
}
