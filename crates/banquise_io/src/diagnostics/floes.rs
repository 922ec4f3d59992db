//! The floes of a recording, record by record.

use std::borrow::Cow;

use banquise::Domain;
use banquise_geometry::{DVec2, Pose, Rotation, Shape};

use crate::recording::{BodyTable, Recording, shape_of};
use crate::zarr::ZarrError;

/// All floes that a recording has seen.
pub(super) struct Floes<'a> {
    recording: &'a Recording,
    table: BodyTable,
    rows: Vec<usize>,
    /// Whether any floe came or went: otherwise all are there in every record.
    come_or_go: bool,
    /// Masses in the first record of each \[kg\].
    masses: Vec<f64>,
    /// Shapes in the body frames, in the first record of each; none where a damaged outline is among them.
    shapes: Option<Vec<Shape>>,
    /// Cuts in the order of time, and what was left by them.
    cuts: Vec<Cut>,
    /// The edges.
    pub(super) domain: Domain,
}

/// A floe from a time on \[s\].
struct Cut {
    time: f64,
    floe: usize,
    mass: f64,
    shape: Option<Shape>,
}

/// The floes that are in the world at one time.
pub(super) struct State {
    time: f64,
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

    /// Entries of these floes in a list of all.
    fn of<'b, T: Clone>(&self, all: &'b [T]) -> Cow<'b, [T]> {
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
        let shapes: Option<Vec<Shape>> = shapes.collect();
        let cuts = cuts(&table, &rows);
        let are_whole = cuts.iter().all(|cut| cut.shape.is_some());
        let came_or_went = |&row: &usize| table.born[row] > 0.0 || table.gone[row].is_finite();
        Ok(Self {
            recording,
            masses: rows.iter().map(|&row| table.masses[row]).collect(),
            shapes: shapes.filter(|_| are_whole),
            cuts,
            domain: recording.domain(),
            come_or_go: rows.iter().any(came_or_went),
            rows,
            table,
        })
    }

    /// Number of floes in all.
    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Whether all floes have shapes that can be measured.
    pub(super) fn have_shapes(&self) -> bool {
        self.shapes.is_some()
    }

    /// Shapes of all floes, each in its first record.
    pub(super) fn first_shapes(&self) -> Cow<'_, [Shape]> {
        Cow::Borrowed(self.shapes.as_deref().unwrap_or_default())
    }

    /// Mass of the floes that are in the world, record by record \[kg\].
    pub(super) fn mass_by_record(&self, times: &[f64]) -> Result<Vec<f64>, ZarrError> {
        if !self.come_or_go && self.cuts.is_empty() {
            return Ok(vec![self.masses.iter().sum(); times.len()]);
        }
        let mass = |(record, &time): (usize, &f64)| {
            let x = self.recording.bodies_at("x", record)?;
            let masses = self.masses_of_all(time);
            let floes = self.rows.iter().zip(masses.iter());
            let there = floes.filter(|(row, _)| !x[**row].is_nan());
            Ok(there.map(|(_, mass)| mass).sum())
        };
        times.iter().enumerate().map(mass).collect()
    }

    /// Cuts up to a time \[s\].
    fn cuts_until(&self, time: f64) -> &[Cut] {
        &self.cuts[..self.cuts.partition_point(|cut| cut.time <= time)]
    }

    fn masses_of_all(&self, time: f64) -> Cow<'_, [f64]> {
        let cuts = self.cuts_until(time);
        let mut masses = Cow::Borrowed(&self.masses[..]);
        for cut in cuts {
            masses.to_mut()[cut.floe] = cut.mass;
        }
        masses
    }

    /// Masses of the floes of a state, as they were then \[kg\].
    pub(super) fn masses(&self, state: &State) -> Vec<f64> {
        state.of(&self.masses_of_all(state.time)).into_owned()
    }

    /// Shapes of the floes of a state, as they were then; none where [`have_shapes`](Self::have_shapes) is false.
    pub(super) fn shapes(&self, state: &State) -> Cow<'_, [Shape]> {
        let mut shapes = match &self.shapes {
            Some(shapes) => state.of(shapes),
            None => Cow::Borrowed(&[][..]),
        };
        for cut in self.cuts_until(state.time) {
            if let (Some(place), Some(shape)) = (state.place(cut.floe), &cut.shape)
                && let Some(old) = shapes.to_mut().get_mut(place)
            {
                old.clone_from(shape);
            }
        }
        shapes
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
            time,
            poses: floes.iter().map(|&floe| pose(floe)).collect(),
            velocities: floes
                .iter()
                .map(|&floe| DVec2::new(u[floe], v[floe]))
                .collect(),
            floes,
        }))
    }
}

/// The cuts of the floes in these rows.
fn cuts(table: &BodyTable, rows: &[usize]) -> Vec<Cut> {
    let versions = table.versions.iter();
    let cuts = versions.filter_map(|version| {
        Some(Cut {
            time: version.time,
            floe: rows.binary_search(&version.row).ok()?,
            mass: version.mass,
            shape: shape_of(&version.outline, version.disc),
        })
    });
    cuts.collect()
}
