//! The floes of a recording, record by record.

use std::borrow::Cow;

use banquise::Domain;
use banquise_geometry::{DVec2, Pose, Rotation, Shape};

use crate::recording::{BodyTable, Recording};
use crate::zarr::ZarrError;

/// All floes that a recording has seen.
pub(super) struct Floes<'a> {
    recording: &'a Recording,
    table: BodyTable,
    rows: Vec<usize>,
    /// Whether any floe came or went: otherwise all are there in every record.
    come_or_go: bool,
    /// Masses \[kg\].
    pub(super) masses: Vec<f64>,
    /// Shapes in the body frames; none where a damaged outline is among them.
    pub(super) shapes: Option<Vec<Shape>>,
    /// The edges.
    pub(super) domain: Domain,
}

/// The floes that are in the world at one time.
pub(super) struct State {
    /// Which of all floes they are, in order.
    pub(super) floes: Vec<usize>,
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

    /// What belongs to these floes in a list of all.
    pub(super) fn of<'b, T: Clone>(&self, all: &'b [T]) -> Cow<'b, [T]> {
        if self.floes.len() == all.len() {
            return Cow::Borrowed(all);
        }
        self.floes.iter().map(|&floe| all[floe].clone()).collect()
    }

    /// The place of a floe among these.
    pub(super) fn place(&self, floe: usize) -> Option<usize> {
        self.floes.binary_search(&floe).ok()
    }
}

impl<'a> Floes<'a> {
    pub(super) fn read(recording: &'a Recording) -> Result<Self, ZarrError> {
        let table = recording.body_table()?;
        let rows: Vec<usize> = (0..table.is_obstacle.len())
            .filter(|&row| !table.is_obstacle[row] && !table.masses[row].is_nan())
            .collect();
        let shapes = rows.iter().map(|&row| table.shape(row));
        let came_or_went = |&row: &usize| table.born[row] > 0.0 || table.gone[row].is_finite();
        Ok(Self {
            recording,
            masses: rows.iter().map(|&row| table.masses[row]).collect(),
            shapes: shapes.collect(),
            domain: recording.domain(),
            come_or_go: rows.iter().any(came_or_went),
            rows,
            table,
        })
    }

    /// How many floes there were in all.
    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Mass of the floes that are in the world, record by record \[kg\].
    pub(super) fn mass_by_record(&self, count: usize) -> Result<Vec<f64>, ZarrError> {
        if !self.come_or_go {
            return Ok(vec![self.masses.iter().sum(); count]);
        }
        let mass = |record: usize| {
            let x = self.recording.bodies_at("x", record)?;
            let floes = self.rows.iter().zip(&self.masses);
            let there = floes.filter(|(row, _)| !x[**row].is_nan());
            Ok(there.map(|(_, mass)| mass).sum())
        };
        (0..count).map(mass).collect()
    }

    /// The floes in a record that happened at a time \[s\]; `None` where a number of a floe that must be there is not
    /// finite, as after a failed step.
    pub(super) fn at(&self, record: usize, time: f64) -> Result<Option<State>, ZarrError> {
        let read = |name: &str| -> Result<Vec<f64>, ZarrError> {
            let values = self.recording.bodies_at(name, record)?;
            Ok(self.rows.iter().map(|&row| values[row]).collect())
        };
        let (x, y, heading) = (read("x")?, read("y")?, read("heading")?);
        let (u, v) = (read("velocity_x")?, read("velocity_y")?);
        let is_finite = |floe: &usize| {
            let mut numbers = [&x, &y, &heading, &u, &v].into_iter();
            numbers.all(|list| list[*floe].is_finite())
        };
        let must_live =
            |floe: &usize| !self.come_or_go || self.table.must_live(self.rows[*floe], time);
        let mut all = 0..self.count();
        if all.any(|floe| !is_finite(&floe) && must_live(&floe)) {
            return Ok(None);
        }
        let floes: Vec<usize> = (0..self.count()).filter(is_finite).collect();
        let pose = |floe: usize| Pose {
            position: DVec2::new(x[floe], y[floe]),
            rotation: Rotation::from_angle(heading[floe]),
        };
        Ok(Some(State {
            poses: floes.iter().map(|&floe| pose(floe)).collect(),
            velocities: floes
                .iter()
                .map(|&floe| DVec2::new(u[floe], v[floe]))
                .collect(),
            floes,
        }))
    }
}
