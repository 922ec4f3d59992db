//! Reading a recording back, for reports and exports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use banquise::{Bounds, Domain, Rectangle};
use banquise_geometry::DVec2;
use serde_json::Value;

use super::DATASET;
use super::breakage::RecordedBreakage;
use super::loads::{CRUSHING, CRUSHING_AREA, DIMENSION, LOADS};
use super::ocean::CELLS;
use super::variables::{
    AIR_DRAG, BODIES, BORN, EXCHANGE, GENERATION, GONE, MOTIONS, PARENT, RECORDS, WEATHER,
    body_variables, record_variables,
};
use super::versions::{OutlineVersion, version_dimensions, version_variables};
use crate::geography::{LocalFrame, LonLat};
use crate::weather::calendar::{DateTime, TimeUnits};
use crate::zarr::{ZarrError, ZarrReader};

/// Constant properties of all bodies of a run, in the rows of their ids. One that came and went between two
/// records has no mass and no shape.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyTable {
    /// Permanent ids.
    pub ids: Vec<i64>,
    /// Name given by the user, or empty.
    pub names: Vec<String>,
    /// Whether the body is an obstacle, which no force moves.
    pub is_obstacle: Vec<bool>,
    /// Masses \[kg\].
    pub masses: Vec<f64>,
    /// Areas \[m²\].
    pub areas: Vec<f64>,
    /// Mean thicknesses \[m\].
    pub thicknesses: Vec<f64>,
    /// Outline in the body frame \[m\]; empty for a disc.
    pub outlines: Vec<Vec<DVec2>>,
    /// Centre in the body frame and radius of a true disc \[m\].
    pub discs: Vec<Option<(DVec2, f64)>>,
    /// When each body entered the world \[s\].
    pub born: Vec<f64>,
    /// When it left \[s\]; not a number while it is there.
    pub gone: Vec<f64>,
    /// The body it is a piece of; −1 for none.
    pub parents: Vec<i64>,
    /// 0 for a body that is no piece of another.
    pub generations: Vec<i64>,
    /// Floes that were cut, in the order of time: mass, area and outline above are those of their first record. See
    /// [`BodyTable::at`].
    pub versions: Vec<Arc<OutlineVersion>>,
    /// How floes broke, in the order of time.
    pub breakages: Vec<Arc<RecordedBreakage>>,
}

/// A recording on disk.
pub struct Recording {
    store: ZarrReader,
    /// Folder of the dataset.
    folder: PathBuf,
}

const TIME_AND_BODY: &[&str] = &["time", "body"];
const TIME_AND_OBSTACLE: &[&str] = &["time", DIMENSION];

/// Loads that older recordings lack.
const LATER_LOADS: [&str; 2] = [CRUSHING, CRUSHING_AREA];

/// All variables with their dimensions, but those of loads.
fn expected_variables() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    const TIME: &[&str] = &["time"];
    const BODY: &[&str] = &["body"];
    const VERTEX: &[&str] = &["vertex"];
    let bodies = || BODIES.iter().filter(|variable| variable.name != AIR_DRAG);
    let others = [
        ("time", TIME),
        ("body", BODY),
        ("is_obstacle", BODY),
        ("outline_start", BODY),
        ("outline_count", BODY),
        ("outline_x", VERTEX),
        ("outline_y", VERTEX),
    ];
    others
        .into_iter()
        .chain(
            RECORDS
                .iter()
                .filter(|v| !v.is_later())
                .map(|v| (v.name.as_str(), TIME)),
        )
        .chain(MOTIONS.iter().map(|v| (v.name, TIME_AND_BODY)))
        .chain(bodies().map(|variable| (variable.name, BODY)))
}

/// Variables that older recordings lack: those of bodies that come and go, of forces added since, of pushes and of crushing.
fn later_variables() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    const TIME: &[&str] = &["time"];
    const BODY: &[&str] = &["body"];
    let lives = [BORN, GONE, PARENT, GENERATION];
    let added = RECORDS.iter().filter(|v| v.is_later());
    let records = EXCHANGE.iter().chain(added);
    let records = records.map(|variable| (variable.name.as_str(), TIME));
    let bodies = lives.into_iter().map(|[name, ..]| name);
    let bodies = bodies.chain([AIR_DRAG]).map(|name| (name, BODY));
    bodies.chain(records)
}

impl Recording {
    /// Opens the dataset in a run's folder.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub fn open(folder: &Path) -> Result<Self, ZarrError> {
        let recording = Self {
            store: ZarrReader::open(folder.join(DATASET))?,
            folder: folder.join(DATASET),
        };
        recording.check_variables()?;
        Ok(recording)
    }

    /// Every variable is there, on its dimensions, and a dimension has one length.
    fn check_variables(&self) -> Result<(), ZarrError> {
        let mut lengths = BTreeMap::new();
        let bearers = self.list("obstacle_names").len();
        lengths.insert(&DIMENSION, bearers);
        let is_there = |name: &str| !LATER_LOADS.contains(&name) || self.has(name);
        let loads = LOADS.iter().filter(|v| bearers > 0 && is_there(v.name));
        let loads = loads.map(|variable| (variable.name, TIME_AND_OBSTACLE));
        let weather = WEATHER.iter().filter(|_| self.weather_differs());
        let weather = weather.map(|variable| (variable.name, TIME_AND_BODY));
        let later = later_variables().filter(|(name, _)| self.has(name));
        let all = expected_variables().chain(loads).chain(weather);
        let all = all.chain(later).map(|(name, at)| (name.to_owned(), at));
        let versions = version_variables().filter(|_| self.has_versions());
        let versions = versions.map(|(name, is_vertex)| (name, version_dimensions(is_vertex)));
        for (name, dimensions) in all.chain(versions) {
            let info = self.store.array(&name)?;
            if info.dimensions != dimensions {
                let field = format!("{name}/dimension_names");
                return Err(self.damaged(field, "those of a recording"));
            }
            for (dimension, &length) in dimensions.iter().zip(&info.shape) {
                if *lengths.entry(dimension).or_insert(length) != length {
                    let field = format!("{name}/shape");
                    return Err(self.damaged(field, "as long as the other variables"));
                }
            }
        }
        Ok(())
    }

    pub(super) fn damaged(&self, field: String, expected: &'static str) -> ZarrError {
        ZarrError::BadMetadata {
            path: self.folder.clone(),
            field,
            expected,
        }
    }

    /// A text of the manifest; empty where it is missing.
    pub fn text(&self, key: &str) -> &str {
        self.store
            .attributes()
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// A list of texts of the manifest.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let list = self.list(key).iter();
        list.map(|text| text.as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// A value of the manifest; null where there is none.
    pub fn value(&self, key: &str) -> &Value {
        self.store.attributes().get(key).unwrap_or(&Value::Null)
    }

    /// A number of the manifest.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.store.attributes().get(key).and_then(Value::as_f64)
    }

    /// Names of the variables with one value a record that it has.
    pub fn record_variables(&self) -> impl Iterator<Item = &'static str> + '_ {
        record_variables().filter(|name| self.has(name))
    }

    /// Names of the variables with one value a body that it has.
    pub fn body_variables(&self) -> impl Iterator<Item = &'static str> + '_ {
        body_variables().filter(|name| self.has(name))
    }

    /// Whether there is a variable of that name.
    pub fn has(&self, name: &str) -> bool {
        self.store.arrays().iter().any(|array| array.name == name)
    }

    /// Whether wind or current differ from place to place.
    pub fn weather_differs(&self) -> bool {
        self.has(WEATHER[0].name)
    }

    /// Whether the recording says which bodies came and went, and counts them: older ones do not.
    pub fn has_exchange(&self) -> bool {
        self.has(BORN[0])
    }

    /// Whether the ocean layer has several cells.
    pub fn has_ocean_cells(&self) -> bool {
        self.has(CELLS[0].0)
    }

    /// The times at which the report shall draw the configuration \[s\].
    pub fn snapshots(&self) -> Vec<f64> {
        self.list("snapshots_s")
            .iter()
            .filter_map(Value::as_f64)
            .collect()
    }

    /// The edges of the world.
    pub fn domain(&self) -> Domain {
        let domain = &self.store.attributes().get("domain");
        let edges = domain.and_then(|d| d.get("edges")).and_then(Value::as_str);
        match (edges, self.rectangle("domain")) {
            (Some("walls"), Some(rectangle)) => Domain::walls(rectangle),
            (Some("periodic"), Some(rectangle)) => Domain::Periodic(rectangle),
            (Some("bounded"), Some(rectangle)) => {
                let sides = domain.and_then(|domain| domain.get("open"));
                let is_open = |side: usize| {
                    let side = sides.and_then(|sides| sides.get(side));
                    side.and_then(Value::as_bool).unwrap_or_default()
                };
                let open = [0, 1, 2, 3].map(is_open);
                Domain::Bounded(Bounds { rectangle, open })
            }
            _ => Domain::Free,
        }
    }

    /// Point where the plane of the run touches the Earth; `None` where the scenario gives none.
    pub fn origin(&self) -> Option<LocalFrame> {
        let origin = self.store.attributes().get("origin")?;
        let degrees = |key: &str| origin.get(key).and_then(Value::as_f64);
        let (longitude, latitude) = (degrees("longitude_degrees")?, degrees("latitude_degrees")?);
        Some(LocalFrame::new(LonLat::from_degrees(longitude, latitude)))
    }

    /// The date of time zero, where the scenario says.
    pub fn start(&self) -> Option<DateTime> {
        let time = self.store.array("time").ok()?;
        let units = time.attributes.get("units")?.as_str()?;
        TimeUnits::parse(units).map(|units| units.origin)
    }

    /// The windows of time over which the report shall sum, where the scenario says \[s\].
    pub fn time_window(&self) -> Option<f64> {
        self.number("time_window_s")
    }

    /// Area in which the concentration of ice is measured; `None` where the scenario gives none.
    pub fn area(&self) -> Option<Rectangle> {
        self.rectangle("area")
    }

    /// A rectangle of the manifest that has some width and height.
    fn rectangle(&self, key: &str) -> Option<Rectangle> {
        let value = self.store.attributes().get(key)?;
        let corner = |key: &str| {
            let values = value.get(key)?.as_array()?;
            Some(DVec2::new(
                values.first()?.as_f64()?,
                values.get(1)?.as_f64()?,
            ))
        };
        let (min, max) = (corner("min_m")?, corner("max_m")?);
        min.cmplt(max).all().then_some(Rectangle { min, max })
    }

    /// One value a record, for a variable such as `time` or `kinetic_energy`.
    ///
    /// # Errors
    /// When the variable is missing or damaged.
    pub fn series(&self, name: &str) -> Result<Vec<f64>, ZarrError> {
        Ok(self.store.read_f64(name)?.1)
    }

    /// Attribute of a variable, such as `units` or `long_name`; empty where it is missing.
    pub fn description(&self, name: &str, key: &str) -> &str {
        let info = self.store.array(name).ok();
        let value = info.and_then(|info| info.attributes.get(key));
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// The value in record `record` of a variable such as `kinetic_energy`.
    ///
    /// # Errors
    /// When the variable or the record is missing or damaged.
    pub fn value_at(&self, name: &str, record: usize) -> Result<f64, ZarrError> {
        let values = self.store.read_f64_rows(name, record..record + 1)?;
        Ok(values.first().copied().unwrap_or(f64::NAN))
    }

    /// One value a body in record `record`, for a variable such as `x`.
    ///
    /// # Errors
    /// When the variable or the record is missing or damaged.
    pub fn bodies_at(&self, name: &str, record: usize) -> Result<Vec<f64>, ZarrError> {
        self.store
            .read_f64_rows(name, record..record.saturating_add(1))
    }

    /// Constant properties of all bodies.
    ///
    /// # Errors
    /// When a variable is missing or damaged.
    pub fn body_table(&self) -> Result<BodyTable, ZarrError> {
        let outlines = self.outlines("outline")?;
        let discs = self.discs("")?;
        let ids = self.store.read_i64("body")?.1;
        let floats = |[name, ..]: [&str; 3], missing: f64| {
            if self.has(name) {
                self.series(name)
            } else {
                Ok(vec![missing; ids.len()])
            }
        };
        let integers = |[name, ..]: [&str; 3], missing: i64| {
            if self.has(name) {
                Ok(self.store.read_i64(name)?.1)
            } else {
                Ok(vec![missing; ids.len()])
            }
        };
        Ok(BodyTable {
            born: floats(BORN, 0.0)?,
            gone: floats(GONE, f64::NAN)?,
            parents: integers(PARENT, -1)?,
            generations: integers(GENERATION, 0)?,
            versions: self.outline_versions(ids.len())?,
            breakages: self.breakages()?.into_iter().map(Arc::new).collect(),
            ids,
            names: self.texts("names"),
            is_obstacle: self.store.read_bool("is_obstacle")?.1,
            masses: self.series("mass")?,
            areas: self.series("area")?,
            thicknesses: self.series("thickness")?,
            outlines,
            discs,
        })
    }

    /// The outlines of ragged arrays, whose names start alike.
    pub(super) fn outlines(&self, prefix: &str) -> Result<Vec<Vec<DVec2>>, ZarrError> {
        let name = |part: &str| format!("{prefix}_{part}");
        let starts = self.store.read_i64(&name("start"))?.1;
        let counts = self.store.read_i64(&name("count"))?.1;
        let (x, y) = (self.series(&name("x"))?, self.series(&name("y"))?);
        let vertices: Vec<DVec2> = x.iter().zip(&y).map(|(&x, &y)| DVec2::new(x, y)).collect();
        let outline = |(&start, &count): (&i64, &i64)| {
            let start = usize::try_from(start).ok()?;
            let end = start.checked_add(usize::try_from(count).ok()?)?;
            vertices.get(start..end).map(<[DVec2]>::to_vec)
        };
        let outlines: Option<Vec<Vec<DVec2>>> = starts.iter().zip(&counts).map(outline).collect();
        outlines.ok_or_else(|| self.damaged(name("start"), "within the vertices of all outlines"))
    }

    /// Centres and radii of true discs, from variables whose names start alike.
    pub(super) fn discs(&self, prefix: &str) -> Result<Vec<Option<(DVec2, f64)>>, ZarrError> {
        let series = |part: &str| self.series(&format!("{prefix}{part}"));
        let radii = series("disc_radius")?.into_iter();
        let (x, y) = (series("disc_center_x")?, series("disc_center_y")?);
        let centers = x.into_iter().zip(y).map(|(x, y)| DVec2::new(x, y));
        let discs = radii.zip(centers);
        Ok(discs
            .map(|(radius, center)| radius.is_finite().then_some((center, radius)))
            .collect())
    }

    /// A variable of whole numbers, such as `parent`.
    ///
    /// # Errors
    /// When the variable is missing or damaged.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, ZarrError> {
        Ok(self.store.read_i64(name)?.1)
    }

    fn list(&self, key: &str) -> &[Value] {
        self.store
            .attributes()
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }
}
