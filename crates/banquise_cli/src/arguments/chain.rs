//! The command line of `banquise chain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FractionChoice {
    /// 0.55 + 0.25 cos 2πx
    Smooth,
    /// 0.4, with two packets of spheres that touch
    Packets,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForceChoice {
    /// 1: to the right
    Even,
    /// sin 2πx: to the middle
    Gather,
    /// −sin 2πx: to the ends
    Part,
}

#[derive(Debug, Args)]
pub(crate) struct ChainArguments {
    /// Solid fraction at the start, on [0, 1]
    #[arg(long, value_enum, value_name = "FRACTION", default_value = "smooth")]
    pub(crate) fraction: FractionChoice,
    /// Force density
    #[arg(long, value_enum, value_name = "FORCE", default_value = "even")]
    pub(crate) force: ForceChoice,
    /// Spheres of the chain; repeat for a measured order of convergence [default: 25, 50, 100, 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=20_000))]
    pub(crate) spheres: Vec<u32>,
    /// How long they move
    #[arg(long, value_name = "T", default_value_t = 3.0)]
    pub(crate) time: f64,
    /// Draw the solid fractions of the chain and of the continuum to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw the stresses instead, in which those of packets are forces of cohesion
    #[arg(long, value_name = "FILE")]
    pub(crate) stress_svg: Option<PathBuf>,
    /// Print all numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
