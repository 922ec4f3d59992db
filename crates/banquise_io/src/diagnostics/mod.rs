//! The diagnostics of [`banquise::diagnostics`] applied to a recording: for the report, for `report --json`, and for
//! programs that read recordings. Nothing here steps a world or writes a file.

mod contact;
mod drift;
mod floes;
mod fracture;
mod json;
mod pack;

use crate::recording::{LineTable, Recording};
use crate::zarr::ZarrError;

pub use contact::{ContactHistory, Load};
pub use drift::Drift;
pub use fracture::{Fracture, RestitutionAtSpeed, SizeDistribution};
pub use pack::{Clusters, Correlation, HELD_SHARE, Pack};

/// All diagnostics of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostics {
    /// Times of all records \[s\].
    pub times: Vec<f64>,
    /// Kinetic energy of all floes \[J\].
    pub kinetic_energy: Vec<f64>,
    /// Kinetic energy if all floes drifted freely \[J\]; empty without drag, or without wind and current.
    pub free_drift_energy: Vec<f64>,
    /// Impulses and collisions in windows of time.
    pub contact: ContactHistory,
    /// Loads on each obstacle and wall.
    pub loads: Vec<Load>,
    /// Springs and lines; `None` without any.
    pub lines: Option<LineTable>,
    /// Diagnostics of the pack; `None` for fewer than three floes.
    pub pack: Option<Pack>,
    /// Drift of the pack as a whole; `None` without floes.
    pub drift: Option<Drift>,
    /// Fracture; `None` where no floe broke.
    pub fracture: Option<Fracture>,
}

impl Diagnostics {
    /// Measures a recording.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn of(recording: &Recording) -> Result<Self, ZarrError> {
        let times = recording.series("time")?;
        let floes = floes::Floes::read(recording)?;
        let masses = floes.mass_by_record(&times)?;
        let drift = Drift::of(recording, &times, &floes, &masses)?;
        let free_drift_energy = drift
            .as_ref()
            .map_or(Vec::new(), |d| d.free_energy(&masses));
        let pack = Pack::of(recording, &times, &floes, drift.as_ref())?;
        Ok(Self {
            kinetic_energy: recording.series("kinetic_energy")?,
            free_drift_energy,
            contact: ContactHistory::of(recording, &times)?,
            loads: contact::loads(recording, &times)?,
            lines: recording.lines()?,
            pack,
            drift,
            fracture: Fracture::of(recording, &times, &floes)?,
            times,
        })
    }
}
