//! Pictures and films of flows that change in time.

use banquise_flow::{Body, Grid, Unsteady};
use banquise_geometry::DVec2;
use banquise_io::film::{FlowFilm, FlowFrame};
use banquise_io::whole_file::write_whole;

use super::picture::{Picture, Units, all_nodes};
use crate::arguments::fluid::FrameArguments;
use crate::failure::Failure;
use crate::threads::use_threads;

/// Pictures of a run, every so often, and a film of them.
pub(super) struct Frames<'a> {
    arguments: &'a FrameArguments,
    every: u32,
    units: Units,
    cells: [usize; 2],
    /// Frames are drawn in the end, when the range of colours is known.
    film: Vec<Snapshot>,
}

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
    /// Prepares pictures of a run; the threads are started too.
    pub(super) fn new(
        arguments: &'a FrameArguments,
        steps: u32,
        units: Units,
    ) -> Result<Self, Failure> {
        use_threads(arguments.threads)?;
        if let Some(folder) = &arguments.frames {
            std::fs::create_dir(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        if let Some(film) = arguments.film.as_ref().filter(|film| film.exists()) {
            return Err(Failure::usage(
                format!("{} exists", film.display()),
                "give another name, or remove it",
            ));
        }
        Ok(Self {
            arguments,
            every: steps.div_ceil(arguments.frame_count).max(1),
            units,
            cells: [0; 2],
            film: Vec::new(),
        })
    }

    /// Whether a step is drawn.
    pub(super) fn wants(&self, step: u32) -> bool {
        let are_wanted = self.arguments.frames.is_some() || self.arguments.film.is_some();
        are_wanted && step.is_multiple_of(self.every)
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
        let Instant {
            time,
            grid,
            bodies,
            stream,
            pressure,
        } = instant;
        let picture = Picture::new(grid, bodies, stream)
            .with_pressure(pressure, self.arguments.show)
            .with_units(self.units);
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
