//! A recording, opened for looking.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use banquise::Rectangle;
use banquise_geometry::DVec2;
use banquise_io::diagnostics::Diagnostics;
use banquise_io::recording::{BodyTable, DATASET, Frame, Recording};
use banquise_io::zarr::ZarrError;
use serde_json::{Value, json};

use crate::charts;
use crate::error::ViewError;
use crate::files::leaving_link;
use crate::paths::trail_length;
use crate::ranges::{ranges, some_records};
use crate::stage::{SharedTable, Stage, floe_extent};
use crate::weather::BodyWeather;

/// Points of a path; more are not seen.
const PATH_POINTS: usize = 2000;

/// The view follows ice that drifts over more than this many times its first width: smaller, floes would be hard to see.
const FAR: f64 = 2.0;
/// Beside obstacles a view that stays is worth more: the ice is seen to pass them.
const FAR_PAST_OBSTACLES: f64 = 4.0;

/// Records read to find how far the ice drifts: enough for a loop, and read in a fraction of a second.
const EXTENT_RECORDS: usize = 24;

/// A recording on disk, which may still grow.
pub struct RecordedRun {
    folder: PathBuf,
    stage: Stage,
    /// Opened again while the run goes on.
    recording: Mutex<Arc<Recording>>,
    charts: OnceLock<Value>,
    ranges: OnceLock<Value>,
}

/// A box round all floes at all times, unless they drift too far to be seen in one view: then a box round the first record,
/// and `true`.
fn extent(recording: &Recording, table: &BodyTable) -> Result<(Rectangle, bool), ZarrError> {
    let start = floe_extent(table, &recording.frame(0)?);
    let mut all = start;
    for record in some_records(recording.record_count()?, EXTENT_RECORDS) {
        let frame = recording.frame(record)?;
        let Rectangle { min, max } = floe_extent(&table.at(frame.time), &frame);
        all = Rectangle {
            min: all.min.min(min),
            max: all.max.max(max),
        };
    }
    let has_obstacles = table.is_obstacle.contains(&true);
    let far = if has_obstacles {
        FAR_PAST_OBSTACLES
    } else {
        FAR
    };
    let is_far = all.size().max_element() > far * start.size().max_element();
    Ok(if is_far { (start, true) } else { (all, false) })
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
        let table = recording.body_table()?;
        let domain = recording.domain();
        let (extent, follows_ice) = match domain.rectangle() {
            Some(rectangle) => (rectangle, false),
            None => extent(&recording, &table)?,
        };
        let start = recording.start().map(|date| date.to_string());
        let stage = Stage {
            title: recording.text("title").to_owned(),
            table: SharedTable::new(table),
            domain,
            start,
            duration: recording.number("duration_s").unwrap_or(0.0),
            origin: 0.5 * (extent.min + extent.max),
            extent,
            follows_ice,
            weather_differs: recording.weather_differs(),
            earth: recording.origin(),
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

    /// Times and positions of all bodies in some records, evenly spread.
    pub(crate) fn trails(&self) -> Vec<(f64, Vec<DVec2>)> {
        let recording = self.recording();
        let times = recording.series("time").unwrap_or_default();
        let limit = trail_length(self.stage.table.get().len());
        let at = |record: usize| {
            let x = recording.bodies_at("x", record).ok()?;
            let y = recording.bodies_at("y", record).ok()?;
            let positions = x.into_iter().zip(y).map(|(x, y)| DVec2::new(x, y));
            Some((*times.get(record)?, positions.collect()))
        };
        let records = some_records(times.len(), limit).into_iter();
        records.filter_map(at).collect()
    }

    /// Wind and water velocity at the centres of all bodies, where they differ from place to place.
    pub(crate) fn weather(&self, record: usize) -> Option<BodyWeather> {
        let recording = self.recording();
        if !recording.weather_differs() {
            return None;
        }
        let vectors = |x: &str, y: &str| {
            let (x, y) = (
                recording.bodies_at(x, record),
                recording.bodies_at(y, record),
            );
            let pairs = x.ok()?.into_iter().zip(y.ok()?);
            Some(pairs.map(|(x, y)| DVec2::new(x, y)).collect())
        };
        Some(BodyWeather {
            wind: vectors("body_wind_x", "body_wind_y")?,
            water: vectors("body_water_x", "body_water_y")?,
        })
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
