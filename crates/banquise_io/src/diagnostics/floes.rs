//! The floes of a recording, record by record.

use banquise::Domain;
use banquise_geometry::{DVec2, Pose, Rotation, Shape};

use crate::recording::Recording;
use crate::zarr::ZarrError;

/// The floes of a recording.
pub(super) struct Floes<'a> {
    recording: &'a Recording,
    rows: Vec<usize>,
    /// Masses \[kg\].
    pub(super) masses: Vec<f64>,
    /// Shapes in the body frames; none where a damaged outline is among them.
    pub(super) shapes: Option<Vec<Shape>>,
    /// The edges.
    pub(super) domain: Domain,
}

/// All floes at one time.
pub(super) struct State {
    /// Unwrapped poses.
    pub(super) poses: Vec<Pose>,
    /// Velocities of the centres [m/s].
    pub(super) velocities: Vec<DVec2>,
}

impl State {
    /// Unwrapped positions of the centres \[m\].
    pub(super) fn positions(&self) -> Vec<DVec2> {
        self.poses.iter().map(|pose| pose.position).collect()
    }
}

impl<'a> Floes<'a> {
    pub(super) fn read(recording: &'a Recording) -> Result<Self, ZarrError> {
        let table = recording.body_table()?;
        let rows: Vec<usize> = (0..table.is_obstacle.len())
            .filter(|&row| !table.is_obstacle[row])
            .collect();
        let shapes = rows.iter().map(|&row| table.shape(row));
        Ok(Self {
            recording,
            masses: rows.iter().map(|&row| table.masses[row]).collect(),
            shapes: shapes.collect(),
            domain: recording.domain(),
            rows,
        })
    }

    /// How many floes there are.
    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// The floes in a record; `None` where a number is not finite, as after a failed step.
    pub(super) fn at(&self, record: usize) -> Result<Option<State>, ZarrError> {
        let read = |name: &str| -> Result<Vec<f64>, ZarrError> {
            let values = self.recording.bodies_at(name, record)?;
            Ok(self.rows.iter().map(|&row| values[row]).collect())
        };
        let (x, y, heading) = (read("x")?, read("y")?, read("heading")?);
        let (u, v) = (read("velocity_x")?, read("velocity_y")?);
        let mut numbers = [&x, &y, &heading, &u, &v].into_iter().flatten();
        if !numbers.all(|number| number.is_finite()) {
            return Ok(None);
        }
        let pose = |floe: usize| Pose {
            position: DVec2::new(x[floe], y[floe]),
            rotation: Rotation::from_angle(heading[floe]),
        };
        Ok(Some(State {
            poses: (0..self.count()).map(pose).collect(),
            velocities: u.iter().zip(&v).map(|(&u, &v)| DVec2::new(u, v)).collect(),
        }))
    }
}
