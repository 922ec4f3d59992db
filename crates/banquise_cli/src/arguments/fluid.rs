//! The command line of `banquise fluid`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::fluid_checkpoint::FluidCheckpointArguments;

#[derive(Debug, Args)]
pub(crate) struct FluidArguments {
    #[command(subcommand)]
    pub(crate) verb: FluidVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FluidVerb {
    /// Drag of a square array of discs in slow flow
    Array(ArrayArguments),
    /// A disc that settles in a box: convergence with the grid and with the penalty
    Convergence(ConvergenceArguments),
    /// A disc in a box whose walls shear the fluid
    Shear(ShearArguments),
    /// The three-sphere swimmer: square, optimal and repeated strokes
    Swimmer(SwimmerArguments),
    /// A leaflet on a hinge in a pulsating channel (minutes)
    Valve(ValveArguments),
    /// Vesicles in shear flow, with five viscosities inside (minutes)
    Vesicle(VesicleArguments),
    /// 70 discs in a fluidised bed (minutes)
    Bed(BedArguments),
    /// Two discs that fall one behind the other: they draft, kiss and tumble (minutes)
    Dkt(DktArguments),
    /// 228 discs that settle in a box
    Sediment(SedimentArguments),
    /// Effective viscosity of dilute suspensions of discs, and its limit
    Viscosity(ViscosityArguments),
    /// Period of an ellipse in shear flow
    Jeffery(JefferyArguments),
    /// Floes in water that is resolved around them: their form drag, and the law that follows them (minutes)
    Floes(FloesArguments),
    /// Discs that sink on a heap: contact forces inside the flow, and after it
    Unsplit(UnsplitArguments),
    /// Two discs that are pressed together, with less and less fluid between them
    Squeeze(SqueezeArguments),
}

/// How a flow is discretised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// Uniform grid with cut cells
    Grid,
    /// MINI elements: triangles in the body or not, and triangles fitted to it
    Elements,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SolverArguments {
    /// Strain rate left in the bodies, relative to that of the fluid without them
    #[arg(
        long,
        value_name = "RATIO",
        default_value_t = 1e-8,
        allow_negative_numbers = true
    )]
    pub(crate) tolerance: f64,
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct ArrayArguments {
    /// Share of the area that the discs cover, below π/4
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.2,
        allow_negative_numbers = true
    )]
    pub(crate) fraction: f64,
    /// Cells along a side of the unit cell
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub(crate) cells: usize,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Write stream function, velocity and pressure as a VTK file
    #[arg(long, value_name = "FILE")]
    pub(crate) vtk: Option<PathBuf>,
    /// Draw streamlines and speed, or pressure
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// What colours show
    #[arg(long, value_enum, default_value_t = Shown::Speed)]
    pub(crate) show: Shown,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ConvergenceArguments {
    /// Uniform grid, or finite elements
    #[arg(long, value_enum, default_value_t = Method::Grid)]
    pub(crate) method: Method,
    /// Cells along a side of the box, on grids a divisor of half of --reference; may be repeated [default: 30, 50, 60, 100 and 150]
    #[arg(long, value_name = "N")]
    pub(crate) cells: Vec<usize>,
    /// Cells along a side of what others are compared with [default: a grid of 600, or fitted quadratic triangles of 150]
    #[arg(long, value_name = "N")]
    pub(crate) reference: Option<usize>,
    /// Penalty ε, for which the grid of 60 cells (fitted elements: 100) is compared with its limit ε → 0; may be repeated [default: 1e-2 to 1e-5]
    #[arg(long, value_name = "EPSILON", allow_negative_numbers = true)]
    pub(crate) penalty: Vec<f64>,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Draw the errors
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShearArguments {
    /// Uniform grid, or finite elements with penalties from 0.1 to 1e-8 on four meshes
    #[arg(long, value_enum, default_value_t = Method::Grid)]
    pub(crate) method: Method,
    /// Cells along a side of the box; finite elements take 30, 60, 100 and 150
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) cells: usize,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Write stream function and velocity as a VTK file
    #[arg(long, value_name = "FILE")]
    pub(crate) vtk: Option<PathBuf>,
    /// Draw streamlines and speed
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What colours of a picture show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shown {
    /// Speed
    Speed,
    /// Pressure
    Pressure,
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
pub(crate) struct FrameArguments {
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
    /// Number of threads [default: all cores]; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
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
    /// Coefficient of Coulomb's friction in contacts
    #[arg(
        long,
        value_name = "MU",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub(crate) friction: f64,
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
    /// Coefficient of Coulomb's friction in contacts
    #[arg(
        long,
        value_name = "MU",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub(crate) friction: f64,
    #[command(flatten)]
    pub(crate) checkpoint: FluidCheckpointArguments,
    #[command(flatten)]
    pub(crate) frames: FrameArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ViscosityArguments {
    /// Area fraction of a square array; may be repeated [default: 0.005, 0.01 and 0.02]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) fraction: Vec<f64>,
    /// Least radius of a disc in cells
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    pub(crate) radius_cells: f64,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct JefferyArguments {
    /// Ratio of the axes
    #[arg(
        long,
        value_name = "RATIO",
        default_value_t = 2.0,
        allow_negative_numbers = true
    )]
    pub(crate) ratio: f64,
    /// Cells along a side of the periodic cell
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) cells: usize,
    /// Minor semi-axis in cells
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 8.0,
        allow_negative_numbers = true
    )]
    pub(crate) minor_cells: f64,
    /// Let the ellipse turn with the flow too, in steps of this time times shear rate
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) turn: Option<f64>,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Draw the angular velocity against the angle
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SqueezeArguments {
    /// Radius of the discs in cells
    #[arg(
        long,
        value_name = "CELLS",
        default_value_t = 100.0,
        allow_negative_numbers = true
    )]
    pub(crate) radius_cells: f64,
    /// Gap in cells; may be repeated [default: 5, 10 and 20]
    #[arg(long, value_name = "CELLS", allow_negative_numbers = true)]
    pub(crate) gap: Vec<f64>,
    /// Cells along a side of the periodic cell
    #[arg(long, value_name = "N", default_value_t = 480)]
    pub(crate) cells: usize,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SwimmerArguments {
    /// Displacement of a stroke in mm; may be repeated [default: 0.001 and 0.01]
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    pub(crate) displacement: Vec<f64>,
    /// Distance of neighbouring centres at the start of a stroke in mm
    #[arg(
        long,
        value_name = "MM",
        default_value_t = 0.3,
        allow_negative_numbers = true
    )]
    pub(crate) start: f64,
    /// Strokes that share the displacement, at most
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) strokes: u32,
    /// Compare the mobility with axisymmetric elements at five shapes (a minute)
    #[arg(long)]
    pub(crate) elements: bool,
    /// Draw the strokes
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
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

/// How discs touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Law {
    /// They push
    Dry,
    /// They push, and pull as much before they part
    Gluey,
}

#[derive(Debug, Args)]
pub(crate) struct BedArguments {
    /// Contacts
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
    pub(crate) solver: SolverArguments,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
