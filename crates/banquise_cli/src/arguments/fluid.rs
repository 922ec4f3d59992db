//! The command line of `banquise fluid`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::fluid_groups::{FilmArguments, PictureArguments, Shown, SolverArguments};
use super::fluid_moving::{
    BedArguments, DktArguments, FloesArguments, RunInFluidArguments, SedimentArguments,
    UnsplitArguments, ValveArguments, VesicleArguments,
};

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
    /// Floes and obstacles of a scenario in water that is resolved around them, beside its drag law
    Run(RunInFluidArguments),
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
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShearArguments {
    /// Uniform grid, or finite elements with penalties from 0.1 to 1e-8 on four meshes
    #[arg(long, value_enum, default_value_t = Method::Grid)]
    pub(crate) method: Method,
    /// Cells along a side of the box [default: a grid of 100, or meshes of 30, 60, 100 and 150]
    #[arg(long, value_name = "N")]
    pub(crate) cells: Option<usize>,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Write stream function, velocity and pressure as a VTK file
    #[arg(long, value_name = "FILE")]
    pub(crate) vtk: Option<PathBuf>,
    /// Draw streamlines and speed, or pressure; of finite elements the strain in the disc
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
    /// Draw the coefficients against the fraction
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
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
    /// Cells along a side of the periodic cell [default: eight times the length of the ellipse]
    #[arg(long, value_name = "N")]
    pub(crate) cells: Option<usize>,
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
    #[command(flatten)]
    pub(crate) film: FilmArguments,
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
    /// Gap in cells; may be repeated [default: 7, 10, 14 and 20]
    #[arg(long, value_name = "CELLS", allow_negative_numbers = true)]
    pub(crate) gap: Vec<f64>,
    /// Cells along a side of the periodic cell [default: ten radii]
    #[arg(long, value_name = "N")]
    pub(crate) cells: Option<usize>,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Draw the resistance against the gap
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
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
    #[command(flatten)]
    pub(crate) film: FilmArguments,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
