//! Options that studies of `banquise fluid` have in common.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How rigid bodies are.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ToleranceArguments {
    /// Strain rate left in the bodies, relative to that of the fluid without them
    #[arg(
        long,
        value_name = "RATIO",
        default_value_t = 1e-8,
        allow_negative_numbers = true
    )]
    pub(crate) tolerance: f64,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SolverArguments {
    #[command(flatten)]
    pub(crate) tolerance: ToleranceArguments,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What colours of a picture show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shown {
    /// Speed
    Speed,
    /// Pressure
    Pressure,
}

/// Where the picture of a flow goes, of a study whose figure is a chart.
#[derive(Debug, Clone, Args)]
pub(crate) struct PictureArguments {
    /// Draw streamlines and speed, or pressure, of one of the flows
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// Write stream function, velocity and pressure of that flow as a VTK file
    #[arg(long, value_name = "FILE")]
    pub(crate) vtk: Option<PathBuf>,
    /// What colours show
    #[arg(long, value_enum, default_value_t = Shown::Speed)]
    pub(crate) show: Shown,
}

fn film_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let end = path.extension();
    if end.is_some_and(|end| end == "gif" || end == "mp4") {
        return Ok(path);
    }
    Err("the name of a film ends in .gif or .mp4".into())
}

/// Where pictures of bodies that move go.
#[derive(Debug, Clone, Args)]
pub(crate) struct FilmArguments {
    /// Write a picture of the flow every so often to this new directory
    #[arg(long, value_name = "DIR")]
    pub(crate) frames: Option<PathBuf>,
    /// Write each picture's flow as a VTK file too
    #[arg(long, requires = "frames")]
    pub(crate) vtk: bool,
    /// Write a film of the flow, a new file whose name ends in .gif or .mp4
    #[arg(long, value_name = "FILE", value_parser = film_path)]
    pub(crate) film: Option<PathBuf>,
    /// What colours show
    #[arg(long, value_enum, default_value_t = Shown::Speed)]
    pub(crate) show: Shown,
    /// Number of pictures, and of frames of the film
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) frame_count: u32,
}

/// Pictures of a run, its threads, and what it prints.
#[derive(Debug, Clone, Args)]
pub(crate) struct FrameArguments {
    #[command(flatten)]
    pub(crate) film: FilmArguments,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
