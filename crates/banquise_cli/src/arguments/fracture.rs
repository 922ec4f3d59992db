//! The command line of `banquise fracture`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct FractureArguments {
    #[command(subcommand)]
    pub(crate) verb: FractureVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FractureVerb {
    /// Strike a bar with another of the same ice: contact time, stress, first tension, restitution
    Bar(BarArguments),
    /// Strike a chain of masses with a mass or another chain, in any consistent units
    Chain(ChainArguments),
    /// Strike a floe made of a lattice of springs with a mass or another floe
    Lattice(LatticeArguments),
    /// Grow a crack, segment by segment, in an elastic plate of 100 m between grips
    Plate(PlateArguments),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlateShapeChoice {
    /// A square
    Square,
    /// A square with a tough disc
    Inclusion,
    /// A square with a hole
    Hole,
    /// A square with a waist
    Butterfly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlateLoadChoice {
    /// The right side moves to the right
    Pull,
    /// Both sides turn outwards about their lower ends
    Rotation,
}

#[derive(Debug, Args)]
pub(crate) struct PlateArguments {
    /// Shape of the plate
    #[arg(long, value_enum, value_name = "SHAPE", default_value = "square")]
    pub(crate) shape: PlateShapeChoice,
    /// What the grips do
    #[arg(long, value_enum, value_name = "LOAD", default_value = "pull")]
    pub(crate) load: PlateLoadChoice,
    /// Spacing of the nodes in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 3.0,
        allow_negative_numbers = true
    )]
    pub(crate) spacing: f64,
    /// Length of a segment of the crack in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 12.0,
        allow_negative_numbers = true
    )]
    pub(crate) segment: f64,
    /// Let cracks start inside too
    #[arg(long)]
    pub(crate) starts_inside: bool,
    /// Young's modulus in Pa
    #[arg(
        long,
        value_name = "PA",
        default_value_t = 9e9,
        allow_negative_numbers = true
    )]
    pub(crate) young: f64,
    /// Poisson's ratio
    #[arg(
        long,
        value_name = "RATIO",
        default_value_t = 0.3,
        allow_negative_numbers = true
    )]
    pub(crate) poisson: f64,
    /// Fracture energy in J/m²
    #[arg(
        long,
        value_name = "J_M2",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    pub(crate) fracture_energy: f64,
    /// Draw the plate, its stress and the crack
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct IceArguments {
    /// Young's modulus in Pa
    #[arg(
        long,
        value_name = "PA",
        default_value_t = 9e9,
        allow_negative_numbers = true
    )]
    pub(crate) young: f64,
    /// Density of the ice in kg/m³
    #[arg(
        long,
        value_name = "KG_M3",
        default_value_t = 920.0,
        allow_negative_numbers = true
    )]
    pub(crate) density: f64,
    /// Fracture energy in J/m²
    #[arg(
        long,
        value_name = "J_M2",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    pub(crate) fracture_energy: f64,
    /// Viscosity of the dashpots over √(k m)
    #[arg(
        long,
        value_name = "RATIO",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    pub(crate) damping: f64,
    /// Let bonds break where ½ k δ² reaches their surface energy, in tension
    #[arg(long = "break")]
    pub(crate) breaks: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BarArguments {
    /// Length of the striker in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 50.0,
        allow_negative_numbers = true
    )]
    pub(crate) striker_length: f64,
    /// Length of the struck bar in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 100.0,
        allow_negative_numbers = true
    )]
    pub(crate) length: f64,
    /// Speed of the striker in m/s
    #[arg(
        long,
        value_name = "M_S",
        default_value_t = 0.2,
        allow_negative_numbers = true
    )]
    pub(crate) speed: f64,
    /// Nodes of the struck bar; results are extrapolated from a quarter, half and all of them
    #[arg(long, value_name = "N", default_value_t = 800)]
    pub(crate) nodes: usize,
    /// Give the numbers of the chain of that many nodes, without extrapolation; always so with --break
    #[arg(long)]
    pub(crate) single: bool,
    #[command(flatten)]
    pub(crate) ice: IceArguments,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LawChoice {
    /// Restitution, then contact forces complementary to the gap
    Complementarity,
    /// Restitution with the springs' impulses over --impact-time
    Impulse,
    /// The nodes become one
    Merge,
    /// The nodes become one and stop
    MergeWall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegratorChoice {
    /// Energy–momentum method
    Implicit,
    /// Velocity Verlet
    Symplectic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CaseChoice {
    /// The source's three floes, with contacts and energies of one instant
    ThreeFloes,
    /// Three floes as the source's program computes them, errors included
    ThreeFloesAsCoded,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PercussionArguments {
    /// Law of percussion
    #[arg(
        long,
        value_enum,
        value_name = "LAW",
        default_value = "complementarity"
    )]
    pub(crate) law: LawChoice,
    /// Restitution of the nodes that meet
    #[arg(
        long,
        value_name = "RATIO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub(crate) restitution: f64,
    /// Assumed duration of an impact, for the impulse law
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub(crate) impact_time: f64,
    /// Time integration [default: implicit for chains, symplectic for lattices]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(crate) integrator: Option<IntegratorChoice>,
}

#[derive(Debug, Args)]
pub(crate) struct ChainArguments {
    /// A case of the source, with its own floes, law and duration; --step and --integrator apply to three-floes
    #[arg(long, value_enum, value_name = "CASE")]
    pub(crate) case: Option<CaseChoice>,
    /// Nodes of the struck chain
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) nodes: usize,
    /// Mass of each of its nodes
    #[arg(
        long,
        value_name = "MASS",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) mass: f64,
    /// Stiffness of each of its springs
    #[arg(
        long,
        value_name = "STIFFNESS",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    pub(crate) stiffness: f64,
    /// Viscosity of each of its dashpots
    #[arg(
        long,
        value_name = "VISCOSITY",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) dashpot: f64,
    /// Energy that breaks a bond [default: bonds do not break]
    #[arg(long, value_name = "ENERGY", allow_negative_numbers = true)]
    pub(crate) bond_energy: Option<f64>,
    /// Nodes of the striker; 1 is a single mass
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) striker_nodes: usize,
    /// Mass of each node of the striker
    #[arg(
        long,
        value_name = "MASS",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) striker_mass: f64,
    /// Speed of the striker
    #[arg(
        long,
        value_name = "SPEED",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) speed: f64,
    /// Pin the far end of the struck chain
    #[arg(long)]
    pub(crate) pin: bool,
    #[command(flatten)]
    pub(crate) percussion: PercussionArguments,
    /// Duration
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    pub(crate) duration: f64,
    /// Step
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = 1e-3,
        allow_negative_numbers = true
    )]
    pub(crate) step: f64,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindChoice {
    /// Squares with torsion springs
    Square,
    /// Equilateral triangles
    Triangular,
    /// Delaunay triangles of random points, with torsion springs
    Delaunay,
}

#[derive(Debug, Args)]
pub(crate) struct LatticeArguments {
    /// Kind of the lattice
    #[arg(long, value_enum, value_name = "KIND", default_value = "triangular")]
    pub(crate) kind: KindChoice,
    /// Side of the floe in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 100.0,
        allow_negative_numbers = true
    )]
    pub(crate) side: f64,
    /// Thickness of the floe in m
    #[arg(
        long,
        value_name = "M",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) thickness: f64,
    /// Spacing of the nodes in m; with --break it acts as a material length
    #[arg(
        long,
        value_name = "M",
        default_value_t = 5.0,
        allow_negative_numbers = true
    )]
    pub(crate) spacing: f64,
    /// Number of the draw of random points
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Mass of a point that strikes the middle of a side, in kg [default: another floe like it, side to side]
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    pub(crate) striker_mass: Option<f64>,
    /// Speed of the striker in m/s
    #[arg(
        long,
        value_name = "M_S",
        default_value_t = 0.2,
        allow_negative_numbers = true
    )]
    pub(crate) speed: f64,
    /// Pin the corners of the far side
    #[arg(long)]
    pub(crate) pin: bool,
    #[command(flatten)]
    pub(crate) percussion: PercussionArguments,
    #[command(flatten)]
    pub(crate) ice: IceArguments,
    /// Duration in s [default: the time of a wave over four sides]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
