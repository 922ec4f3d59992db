//! Pictures and films of flows that change in time.

use std::fs;

use banquise_flow::{Body, Grid, Unsteady};
use banquise_geometry::DVec2;
use banquise_io::film::{FlowFilm, FlowFrame};
use banquise_io::whole_file::write_whole;
use serde_json::{Value, json};

use super::outputs::check_files;
use super::picture::{Picture, Units, all_nodes};
use crate::arguments::fluid_groups::{FilmArguments, FrameArguments};
use crate::failure::Failure;
use crate::threads::use_threads;

/// Pictures of a run, every so often, and a film of them.
pub(super) struct Frames<'a> {
    arguments: &'a FilmArguments,
    every: u32,
    units: Units,
    cells: [usize; 2],
    /// Frames are drawn in the end, when the range of colours is known.
    film: Vec<Snapshot>,
}

#[derive(Debug, PartialEq)]
struct Snapshot {
    time: f64,
    stream: Vec<f64>,
    values: Vec<f64>,
    range: [f64; 2],
    bodies: Vec<Vec<DVec2>>,
}

/// A flow at an instant.
pub(super) struct Instant<'a> {
    pub(super) time: f64,
    pub(super) grid: &'a Grid,
    pub(super) bodies: &'a [Body],
    /// At all nodes, those at the far ends included.
    pub(super) stream: Vec<f64>,
    pub(super) pressure: Vec<f64>,
}

impl<'a> Frames<'a> {
    /// Prepares pictures of a run, with a new directory for them; the threads are started too.
    pub(super) fn new(
        arguments: &'a FrameArguments,
        steps: u32,
        units: Units,
    ) -> Result<Self, Failure> {
        let frames = Self::without_directory(arguments, steps, units)?;
        frames.open(false)?;
        Ok(frames)
    }

    /// Prepares pictures of a run that may go on: [`open`](Self::open) makes the directory once that is known.
    pub(super) fn without_directory(
        arguments: &'a FrameArguments,
        steps: u32,
        units: Units,
    ) -> Result<Self, Failure> {
        use_threads(arguments.threads)?;
        Ok(Self::of_film(&arguments.film, steps, units))
    }

    /// Prepares pictures of so many steps.
    pub(super) fn of_film(arguments: &'a FilmArguments, steps: u32, units: Units) -> Self {
        Self {
            arguments,
            every: steps.div_ceil(arguments.frame_count).max(1),
            units,
            cells: [0; 2],
            film: Vec::new(),
        }
    }

    /// Whether anything is drawn.
    pub(super) fn are_wanted(&self) -> bool {
        self.arguments.frames.is_some() || self.arguments.film.is_some()
    }

    /// What determines the pictures, for a checkpoint: those of a command that goes on are to be like those before.
    pub(super) fn settings(&self) -> Value {
        let arguments = self.arguments;
        if !self.are_wanted() {
            return Value::Null;
        }
        json!({
            "show": format!("{:?}", arguments.show),
            "frame_count": arguments.frame_count,
            "frames": arguments.frames.is_some(),
            "vtk": arguments.vtk,
            "film": arguments.film.is_some(),
        })
    }

    /// Makes the directory of the pictures. It must be new or empty, and the film new, unless the run goes on: then a film that is there was made by the command
    /// before, perhaps half of it, and is made again.
    pub(super) fn open(&self, goes_on: bool) -> Result<(), Failure> {
        if let Some(film) = self.arguments.film.as_ref().filter(|film| film.exists()) {
            if !goes_on {
                return Err(Failure::usage(
                    format!("{} exists", film.display()),
                    "give another name, or remove it",
                ));
            }
            fs::remove_file(film).map_err(|error| Failure::file(film, &error))?;
        }
        check_files(&[self.arguments.film.as_deref()])?;
        let Some(folder) = &self.arguments.frames else {
            return Ok(());
        };
        let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        match fs::create_dir(folder) {
            Err(_) if folder.is_dir() && !goes_on && !is_empty() => Err(Failure::usage(
                format!("{} is not empty", folder.display()),
                "give a new directory for the pictures",
            )),
            Err(error) if !folder.is_dir() => Err(Failure::file(folder, &error)),
            _ => Ok(()),
        }
    }

    /// Frames of the film so far, for a checkpoint: the film itself is made in the end.
    pub(super) fn state(&self) -> Vec<f64> {
        let mut state = self.cells.map(|count| count as f64).to_vec();
        for shot in &self.film {
            state.push(shot.time);
            state.extend(shot.range);
            for list in [&shot.stream, &shot.values] {
                state.push(list.len() as f64);
                state.extend_from_slice(list);
            }
            state.push(shot.bodies.len() as f64);
            for ring in &shot.bodies {
                state.push(ring.len() as f64);
                state.extend(ring.iter().flat_map(DVec2::to_array));
            }
        }
        state
    }

    /// Goes back to the frames of a checkpoint.
    pub(super) fn restore(&mut self, state: &[f64]) -> Result<(), Failure> {
        let unfit = || {
            Failure::usage(
                "the checkpoint has no such frames of a film",
                "give the command with which it was made, or another directory",
            )
        };
        (self.cells, self.film) = snapshots(state).ok_or_else(unfit)?;
        Ok(())
    }

    /// Whether a step is drawn.
    pub(super) fn wants(&self, step: u32) -> bool {
        self.are_wanted() && step.is_multiple_of(self.every)
    }

    /// Draws a step of discs or polygons on a grid, if it is wanted.
    pub(super) fn draw(&mut self, step: u32, flow: &Unsteady) -> Result<(), Failure> {
        if !self.wants(step) {
            return Ok(());
        }
        let bodies: Vec<Body> = flow.bodies.iter().map(|body| body.body.clone()).collect();
        self.add(
            step,
            Instant {
                time: flow.time,
                grid: flow.grid(),
                bodies: &bodies,
                stream: all_nodes(flow.grid(), flow.stream(), |_| 0.0),
                pressure: flow.pressure().to_vec(),
            },
        )
    }

    /// Draws a flow.
    pub(super) fn add(&mut self, step: u32, instant: Instant<'_>) -> Result<(), Failure> {
        self.add_with(step, instant, None)
    }

    /// Draws a flow about an axis: its velocities are not those of a plane stream function.
    pub(super) fn add_axisymmetric(
        &mut self,
        step: u32,
        instant: Instant<'_>,
        velocity: Vec<DVec2>,
    ) -> Result<(), Failure> {
        self.add_with(step, instant, Some(velocity))
    }

    fn add_with(
        &mut self,
        step: u32,
        instant: Instant<'_>,
        velocity: Option<Vec<DVec2>>,
    ) -> Result<(), Failure> {
        let Instant {
            time,
            grid,
            bodies,
            stream,
            pressure,
        } = instant;
        let mut picture = Picture::new(grid, bodies, stream)
            .with_pressure(pressure, self.arguments.show)
            .with_units(self.units);
        if let Some(velocity) = velocity {
            picture = picture.with_velocity(velocity);
        }
        if let Some(folder) = &self.arguments.frames {
            let write = |end: &str, text: String| {
                let path = folder.join(format!("frame-{step:05}.{end}"));
                write_whole(&path, text).map_err(|error| Failure::file(&path, &error))
            };
            write("svg", picture.to_svg())?;
            if self.arguments.vtk {
                write("vtk", picture.to_vtk())?;
            }
        }
        if self.arguments.film.is_some() {
            self.cells = grid.cells;
            self.film.push(Snapshot {
                time,
                values: picture.values(),
                range: picture.range(),
                bodies: picture.rings(),
                stream: picture.into_stream(),
            });
        }
        Ok(())
    }

    /// Writes the film.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Some(path) = &self.arguments.film else {
            return Ok(());
        };
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        let range = self.film.iter().fold(ends, |[low, high], shot| {
            [low.min(shot.range[0]), high.max(shot.range[1])]
        });
        let mut film = FlowFilm::new(path, self.cells)?;
        let legend = Picture::legend_of(self.arguments.show, self.units, range);
        for shot in &self.film {
            film.add(&FlowFrame {
                cells: self.cells,
                stream: &shot.stream,
                values: &shot.values,
                range,
                bodies: &shot.bodies,
                caption: format!("t = {:.3} {}", shot.time, self.units.time),
                legend: legend.clone(),
            })?;
        }
        film.finish()?;
        Ok(())
    }
}

/// Number of cells and snapshots from the numbers of a checkpoint.
fn snapshots(state: &[f64]) -> Option<([usize; 2], Vec<Snapshot>)> {
    fn take<'a>(rest: &mut &'a [f64], count: usize) -> Option<&'a [f64]> {
        let (list, after) = rest.split_at_checked(count)?;
        *rest = after;
        Some(list)
    }
    fn list<'a>(rest: &mut &'a [f64], width: usize) -> Option<&'a [f64]> {
        let count = take(rest, 1)?[0] as usize;
        take(rest, count.checked_mul(width)?)
    }
    let mut rest = state;
    let cells = take(&mut rest, 2)?;
    let cells = [cells[0] as usize, cells[1] as usize];
    let mut film = Vec::new();
    while !rest.is_empty() {
        let head = take(&mut rest, 3)?;
        let (stream, values) = (list(&mut rest, 1)?, list(&mut rest, 1)?);
        let rings = take(&mut rest, 1)?[0] as usize;
        let ring = |_| {
            let (points, _) = list(&mut rest, 2)?.as_chunks();
            Some(
                points
                    .iter()
                    .map(|at: &[f64; 2]| DVec2::from_array(*at))
                    .collect(),
            )
        };
        film.push(Snapshot {
            time: head[0],
            range: [head[1], head[2]],
            stream: stream.to_vec(),
            values: values.to_vec(),
            bodies: (0..rings).map(ring).collect::<Option<_>>()?,
        });
    }
    Some((cells, film))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_a_film_come_back_from_a_checkpoint() {
        let arguments = FilmArguments {
            frames: None,
            vtk: false,
            film: None,
            show: crate::arguments::fluid_groups::Shown::Speed,
            frame_count: 3,
        };
        let mut frames = Frames::of_film(&arguments, 9, Units::CGS);
        let shot = |time: f64| Snapshot {
            time,
            stream: vec![1.0, -0.0, 3.0],
            values: vec![2.0],
            range: [0.5, time],
            bodies: vec![vec![DVec2::X, DVec2::Y], Vec::new()],
        };
        (frames.cells, frames.film) = ([3, 4], vec![shot(0.1), shot(0.2)]);
        let state = frames.state();
        assert_eq!(
            snapshots(&state),
            Some(([3, 4], vec![shot(0.1), shot(0.2)]))
        );
        assert_eq!(snapshots(&state[..state.len() - 1]), None);
        frames.film.clear();
        assert!(frames.restore(&state).is_ok());
        assert_eq!(frames.film.len(), 2);
    }
}
