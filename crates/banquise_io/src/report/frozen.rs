//! Figures of floes that freeze together.

use super::chapter::{Chapter, Drawing};
use super::charts::in_time;
use crate::figure::{Series, Unit};
use crate::recording::Recording;
use crate::zarr::ZarrError;

/// Clusters and joints in time; nothing where no floes were frozen together.
pub(super) fn frozen(recording: &Recording, times: &[f64]) -> Result<Option<Chapter>, ZarrError> {
    if !recording.has("bonds_formed") {
        return Ok(None);
    }
    let formed = recording.series("bonds_formed")?;
    if formed.last().is_none_or(|&count| count == 0.0) {
        return Ok(None);
    }
    let curve = |label: &str, name: &str| -> Result<Series, ZarrError> {
        let values = recording.series(name)?;
        let points = times.iter().zip(values).map(|(&time, value)| [time, value]);
        Ok(Series::new(label, points.collect()))
    };
    let clusters = vec![
        curve("largest cluster", "largest_cluster")?,
        curve("number of clusters", "cluster_count")?,
    ];
    let joints = vec![
        curve("joints", "bond_count")?,
        curve("broken since the start", "bonds_broken")?,
    ];
    Ok(Some(Chapter {
        heading: "Frozen floes",
        drawings: vec![
            Drawing::new(
                "frozen_clusters.svg",
                in_time("Floes; clusters", Unit::None, clusters),
                "Floes of the largest cluster of floes that are frozen together, and number of clusters; a floe alone is one.".into(),
            ),
            Drawing::new(
                "joints.svg",
                in_time("Joints", Unit::None, joints),
                "Joints between floes, and those that broke.".into(),
            ),
        ],
        ..Chapter::default()
    }))
}
