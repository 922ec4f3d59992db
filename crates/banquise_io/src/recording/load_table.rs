//! Loads on obstacles and walls, read from a recording.

use super::loads::{CRUSHING, CRUSHING_AREA};
use super::reader::Recording;
use crate::zarr::ZarrError;

/// Loads on each obstacle since the start, record by record.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadTable {
    /// Names of obstacles and walls.
    pub names: Vec<String>,
    /// Sums of the normal impulses [N s], by obstacle and record.
    pub normal: Vec<Vec<f64>>,
    /// Sums of the tangential impulses without sign [N s].
    pub tangent: Vec<Vec<f64>>,
    /// Sums of the normal impulses of contacts that crush ice [N s]; zero where the recording does not tell.
    pub crushing: Vec<Vec<f64>>,
    /// Areas over which ice is crushed, over time [m² s]; zero where the recording does not tell.
    pub crushing_area: Vec<Vec<f64>>,
    /// Largest normal impulse of one step at the end [N s].
    pub largest: Vec<f64>,
}

/// Sums since the start: those of an obstacle that is gone stay what they were.
fn held(sums: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut last = 0.0;
    let hold = |sum: f64| {
        if !sum.is_nan() {
            last = sum;
        }
        last
    };
    sums.map(hold).collect()
}

impl Recording {
    /// Loads on obstacles and walls; empty where there are none.
    ///
    /// # Errors
    /// When a variable is damaged.
    pub fn loads(&self) -> Result<LoadTable, ZarrError> {
        let names = self.texts("obstacle_names");
        let by_obstacle = |name: &str| {
            if names.is_empty() {
                return Ok(Vec::new());
            }
            let values = self.series(name)?;
            let column = |index| values.iter().skip(index).step_by(names.len()).copied();
            Ok((0..names.len()).map(|index| held(column(index))).collect())
        };
        let if_there = |name: &str| {
            if self.has(name) {
                return by_obstacle(name);
            }
            let count = self.series("time")?.len();
            Ok(vec![vec![0.0; count]; names.len()])
        };
        let last = |values: Vec<f64>| values.last().copied().unwrap_or_default();
        let largest: Vec<Vec<f64>> = by_obstacle("load_largest")?;
        Ok(LoadTable {
            normal: by_obstacle("load_normal")?,
            tangent: by_obstacle("load_tangent")?,
            crushing: if_there(CRUSHING)?,
            crushing_area: if_there(CRUSHING_AREA)?,
            largest: largest.into_iter().map(last).collect(),
            names,
        })
    }
}
