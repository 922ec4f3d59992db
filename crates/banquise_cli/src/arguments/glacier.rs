//! The command line of `banquise glacier`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct GlacierArguments {
    #[command(subcommand)]
    pub(crate) verb: GlacierVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GlacierVerb {
    /// Run a glacier: table of results, figures and report
    Run(StudyArguments),
    /// Longest stable steps: amplification matrices as printed in the source, and correct
    Stability(StudyArguments),
    /// Effect of the step: sliding without a force on the front, accuracy under a force, cost
    DtScan(StudyArguments),
    /// Effect of the block size: displacement, velocity, force, cost
    BlockSize(StudyArguments),
    /// Force of a capsizing iceberg: its history, and icebergs of other widths
    Iceberg(StudyArguments),
}

#[derive(Debug, Args)]
pub(crate) struct StudyArguments {
    /// A scenario file with a [glacier] table, or the name of a built-in one; `banquise scenarios` lists them
    /// [default: glacier-capsize for run and iceberg, else glacier-pulse]
    pub(crate) scenario: Option<String>,
    /// Where to write the results [default: runs/NAME, or the next free runs/NAME-2 …]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Set a key of the scenario, like --set time.step="1 s"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
