//! What formats are written from: the recording, record by record.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use banquise::Domain;
use banquise_geometry::{DVec2, Pose, math};

use super::error::ExportError;
use super::film_wishes::FilmSettings;
use crate::geography::LocalFrame;
use crate::recording::{BodyTable, DATASET, Frame, Recording};
use crate::weather::calendar::DateTime;

/// Corners of the polygon that stands for a true disc.
const DISC_CORNERS: usize = 64;

/// A recording, opened for export.
pub struct Source {
    /// The directory of the run.
    pub folder: PathBuf,
    /// The dataset.
    pub recording: Recording,
    /// What does not change, and the outlines of the first record of each body: see [`BodyTable::at`].
    pub bodies: BodyTable,
    /// The edges of the world.
    pub domain: Domain,
    /// Where the plane touches the Earth, where the scenario says.
    pub origin: Option<LocalFrame>,
    /// Date of time zero, where the scenario says.
    pub start: Option<DateTime>,
    /// Times of all records \[s\].
    pub times: Vec<f64>,
    /// The records to export.
    pub records: Vec<usize>,
    /// How pictures look, for the formats that are pictures.
    pub film: FilmSettings,
}

impl Source {
    /// Opens the recording in a run's folder; of its records every `every`-th is taken, and the last.
    ///
    /// # Errors
    /// When there is no recording, it is damaged, or has no record.
    pub fn open(folder: &Path, every: usize) -> Result<Self, ExportError> {
        if folder.file_name().is_some_and(|name| name == DATASET) {
            return Err(ExportError::IsDataset {
                path: folder.to_owned(),
            });
        }
        let recording = Recording::open(folder)?;
        let times = recording.series("time")?;
        let last = times.len().checked_sub(1);
        let last = last.ok_or_else(|| ExportError::NoRecord {
            path: folder.to_owned(),
        })?;
        let mut records: Vec<usize> = (0..=last).step_by(every.max(1)).collect();
        if records.last() != Some(&last) {
            records.push(last);
        }
        Ok(Self {
            folder: folder.to_owned(),
            bodies: recording.body_table()?,
            domain: recording.domain(),
            origin: recording.origin(),
            start: recording.start(),
            times,
            records,
            film: FilmSettings::default(),
            recording,
        })
    }

    /// Calls `write` for every frame to export, in order, with the bodies as they were then.
    pub(super) fn each_frame(
        &self,
        watch: &mut super::Watch<'_>,
        mut write: impl FnMut(usize, &Frame, &BodyTable) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        for (done, &record) in self.records.iter().enumerate() {
            let frame = self.recording.frame(record)?;
            write(record, &frame, &self.bodies.at(frame.time))?;
            super::watched(watch(done + 1, self.records.len()))?;
        }
        Ok(())
    }

    /// The outline of a body in the plane \[m\], with its centre of mass inside a periodic cell, given the bodies as they were
    /// then.
    pub fn ring_in_plane(&self, bodies: &BodyTable, frame: &Frame, row: usize) -> Vec<DVec2> {
        let pose = Pose {
            position: self.domain.wrap(frame.positions[row]).0,
            ..frame.pose(row)
        };
        let ring = ring_of(&bodies.outlines[row], bodies.discs[row]).into_iter();
        ring.map(|vertex| pose.world_from_body(vertex)).collect()
    }

    /// The date of a time of the run, like `2008-02-01T06:00:00Z`.
    pub fn date(&self, time: f64) -> Option<String> {
        Some(self.start?.after(time)?.to_string())
    }

    /// What the user calls a body; empty where it has no name.
    pub(super) fn name(&self, row: usize) -> &str {
        self.bodies.names.get(row).map_or("", String::as_str)
    }
}

/// An outline in its own frame \[m\], counter-clockwise; a true disc is a polygon.
pub(super) fn ring_of(outline: &[DVec2], disc: Option<(DVec2, f64)>) -> Vec<DVec2> {
    match disc {
        None => outline.to_vec(),
        Some((center, radius)) => (0..DISC_CORNERS)
            .map(|corner| {
                let angle = std::f64::consts::TAU * corner as f64 / DISC_CORNERS as f64;
                let (sin, cos) = math::sin_cos(angle);
                center + radius * DVec2::new(cos, sin)
            })
            .collect(),
    }
}

/// A new file, written through a buffer.
pub(super) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    pub(super) fn create(path: &Path) -> Result<Self, ExportError> {
        let file = File::create_new(path).map_err(|error| ExportError::write(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
        })
    }

    pub(super) fn write(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), ExportError> {
        let written = self.file.write_all(bytes.as_ref());
        written.map_err(|error| ExportError::write(&self.path, error))
    }

    pub(super) fn finish(mut self) -> Result<(), ExportError> {
        let flushed = self.file.flush();
        flushed.map_err(|error| ExportError::write(&self.path, error))
    }
}

/// A new folder.
pub(super) fn create_folder(path: &Path) -> Result<(), ExportError> {
    std::fs::create_dir(path).map_err(|error| ExportError::write(path, error))
}
