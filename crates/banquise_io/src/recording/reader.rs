//! Reading a recording back, for reports.

use std::path::Path;

use banquise::{Domain, Rectangle};
use banquise_geometry::DVec2;
use serde_json::Value;

use super::DATASET;
use crate::zarr::{ZarrError, ZarrReader};

/// What does not change in a run, one row a body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyTable {
    /// Name given by the user, or empty.
    pub names: Vec<String>,
    /// Whether the body never moves.
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
}

/// A recording on disk.
pub struct Recording {
    store: ZarrReader,
}

impl Recording {
    /// Opens the dataset in a run's folder.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub fn open(folder: &Path) -> Result<Self, ZarrError> {
        let store = ZarrReader::open(folder.join(DATASET))?;
        Ok(Self { store })
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

    /// A number of the manifest.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.store.attributes().get(key).and_then(Value::as_f64)
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
        let corner = |key: &str| {
            let values = domain.and_then(|d| d.get(key))?.as_array()?;
            Some(DVec2::new(
                values.first()?.as_f64()?,
                values.get(1)?.as_f64()?,
            ))
        };
        let edges = domain.and_then(|d| d.get("edges")).and_then(Value::as_str);
        match (edges, corner("min_m"), corner("max_m")) {
            (Some("walls"), Some(min), Some(max)) => Domain::Walls(Rectangle { min, max }),
            (Some("periodic"), Some(min), Some(max)) => Domain::Periodic(Rectangle { min, max }),
            _ => Domain::Free,
        }
    }

    /// One value a record, for a variable such as `time` or `kinetic_energy`.
    ///
    /// # Errors
    /// When the variable is missing or damaged.
    pub fn series(&self, name: &str) -> Result<Vec<f64>, ZarrError> {
        Ok(self.store.read_f64(name)?.1)
    }

    /// One value a body in record `record`, for a variable such as `x`.
    ///
    /// # Errors
    /// When the variable or the record is missing or damaged.
    pub fn bodies_at(&self, name: &str, record: usize) -> Result<Vec<f64>, ZarrError> {
        self.store.read_f64_rows(name, record..record + 1)
    }

    /// What does not change.
    ///
    /// # Errors
    /// When a variable is missing or damaged.
    pub fn body_table(&self) -> Result<BodyTable, ZarrError> {
        let starts = self.store.read_i64("outline_start")?.1;
        let counts = self.store.read_i64("outline_count")?.1;
        let (x, y) = (self.series("outline_x")?, self.series("outline_y")?);
        let outlines = starts
            .iter()
            .zip(&counts)
            .map(|(&start, &count)| {
                let range = start.max(0) as usize..start.saturating_add(count).max(0) as usize;
                let xs = x.get(range.clone()).unwrap_or_default();
                let ys = y.get(range).unwrap_or_default();
                xs.iter().zip(ys).map(|(&x, &y)| DVec2::new(x, y)).collect()
            })
            .collect();
        let radii = self.series("disc_radius")?;
        let centers = self
            .series("disc_center_x")?
            .into_iter()
            .zip(self.series("disc_center_y")?);
        let discs = radii
            .into_iter()
            .zip(centers)
            .map(|(radius, (x, y))| radius.is_finite().then_some((DVec2::new(x, y), radius)))
            .collect();
        Ok(BodyTable {
            names: self.texts("names"),
            is_obstacle: self.store.read_bool("is_obstacle")?.1,
            masses: self.series("mass")?,
            areas: self.series("area")?,
            thicknesses: self.series("thickness")?,
            outlines,
            discs,
        })
    }

    fn list(&self, key: &str) -> &[Value] {
        self.store
            .attributes()
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }
}
