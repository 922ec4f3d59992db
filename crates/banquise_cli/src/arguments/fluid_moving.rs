//! The command line of the studies of `banquise fluid` in which bodies move.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::fluid_checkpoint::FluidCheckpointArguments;
use super::fluid_groups::{FrameArguments, ToleranceArguments};

/// How discs touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Law {
    /// They push
    Dry,
    /// They push, and pull as much before they part
    Gluey,
}

/// Contacts of discs that fall.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ContactArguments {
    /// How discs touch
    #[arg(long, value_enum, default_value_t = Law::Dry)]
    pub(crate) law: Law,
    /// Coefficient of Coulomb's friction in dry contacts
    #[arg(
        long,
        value_name = "MU",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub(crate) friction: f64,
}

#[derive(Debug, Args)]
pub(crate) struct DktArguments {
    /// Cells per cm
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) resolution: usize,
    /// Step in s
    #[arg(
        long,
        value_name = "S",
        default_value_t = 5e-4,
        allow_negative_numbers = true
    )]
    pub(crate) step: f64,
    /// Duration in s; the run ends before if a disc reaches the bottom
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0.25,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    /// Gravity in cm/s²
    #[arg(
        long,
        value_name = "CM_S2",
        default_value_t = 981.0,
        allow_negative_numbers = true
    )]
    pub(crate) gravity: f64,
    #[command(flatten)]
    pub(crate) contacts: ContactArguments,
    #[command(flatten)]
    pub(crate) checkpoint: FluidCheckpointArguments,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw gap and tilt of the pair against time
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SedimentArguments {
    /// Cells per cm
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) resolution: usize,
    /// Step in s
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0.01,
        allow_negative_numbers = true
    )]
    pub(crate) step: f64,
    /// Duration in s
    #[arg(
        long,
        value_name = "S",
        default_value_t = 2.5,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    /// Gravity in cm/s²
    #[arg(
        long,
        value_name = "CM_S2",
        default_value_t = 200.0,
        allow_negative_numbers = true
    )]
    pub(crate) gravity: f64,
    #[command(flatten)]
    pub(crate) contacts: ContactArguments,
    #[command(flatten)]
    pub(crate) checkpoint: FluidCheckpointArguments,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw the mean height against time
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ValveArguments {
    /// Cells across half the channel
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) cells: usize,
    /// Step, in half heights of the channel over the largest velocity
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    pub(crate) step: f64,
    /// Duration, in the same unit; the inflow has a period of 7.5
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 60.0,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    /// Stiffness of the spring, for each area of the leaflet's round end
    #[arg(
        long,
        value_name = "C",
        default_value_t = 12.0,
        allow_negative_numbers = true
    )]
    pub(crate) stiffness: f64,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw the angle against time
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VesicleArguments {
    /// Viscosity inside over that outside; may be repeated [default: 1, 3, 10, 20 and 30]
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    pub(crate) inner_viscosity: Vec<f64>,
    /// Stiffness of the springs [default: 100, and 50 for viscosities from 30 on]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) spring: Option<f64>,
    /// Side of a cell; discs have a radius of 4
    #[arg(
        long,
        value_name = "LENGTH",
        default_value_t = 2.0,
        allow_negative_numbers = true
    )]
    pub(crate) spacing: f64,
    /// Step times shear rate
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 0.08,
        allow_negative_numbers = true
    )]
    pub(crate) step: f64,
    /// Duration times shear rate
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 12.0,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw the angle of the long axis against time
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BedArguments {
    /// How discs touch
    #[arg(long, value_enum, default_value_t = Law::Dry)]
    pub(crate) law: Law,
    /// Cells along a side
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) cells: usize,
    /// Step
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 0.01,
        allow_negative_numbers = true
    )]
    pub(crate) step: f64,
    /// Duration
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 3.0,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    /// Gravity
    #[arg(
        long,
        value_name = "G",
        default_value_t = 16.0,
        allow_negative_numbers = true
    )]
    pub(crate) gravity: f64,
    /// Largest velocity of the inflow
    #[arg(
        long,
        value_name = "V",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) inflow: f64,
    #[command(flatten)]
    pub(crate) checkpoint: FluidCheckpointArguments,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw the mean height against time
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct FloesArguments {
    /// Wind stress on a floe in still water in Pa; may be repeated [default: 0.001, 0.01, 0.03 and 0.1]
    #[arg(long, value_name = "PA", allow_negative_numbers = true)]
    pub(crate) wind: Vec<f64>,
    /// Corners of a floe; 0 for discs
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub(crate) corners: usize,
    /// Diameter of a disc with the area of a floe in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 1000.0,
        allow_negative_numbers = true
    )]
    pub(crate) diameter: f64,
    /// Draft of the floes in m: the depth of the layer that they move
    #[arg(
        long,
        value_name = "M",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    pub(crate) draft: f64,
    /// Eddy viscosity in m²/s
    #[arg(
        long,
        value_name = "M2_S",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) viscosity: f64,
    /// Cells in a diameter
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) cells: usize,
    /// Number of floes among eddies; 0 for none, which leaves still water
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) floes: usize,
    /// Largest velocity of the eddies in m/s
    #[arg(
        long,
        value_name = "M_S",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    pub(crate) eddies: f64,
    /// Duration among eddies, in times in which the fastest eddy passes a diameter
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 16.0,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    /// Number of the draw of shapes and places
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw the drag coefficient against the Reynolds number
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RunInFluidArguments {
    /// A scenario file, or the name of a built-in scenario
    pub(crate) scenario: String,
    /// Set a key of the scenario, like --set time.duration="2 h"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Eddy viscosity in m²/s
    #[arg(
        long,
        value_name = "M2_S",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) viscosity: f64,
    /// Cells in the diameter of the smallest floe
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub(crate) cells: usize,
    /// Step in s [default: half a cell at the largest velocity, by estimate]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) step: Option<f64>,
    /// Duration in s [default: that of the scenario]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw the mean speed of the floes against time, resolved and by the drag law
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct UnsplitArguments {
    /// Number of discs, at most 20
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub(crate) discs: u16,
    /// Cells along a side of the box
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) cells: usize,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) tolerance: ToleranceArguments,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
    /// Draw by how much the velocities of both differ, against the step
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}
