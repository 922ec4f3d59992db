//! Arguments of `banquise sweep`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::durations::parse_duration;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SweepArguments {
    #[command(subcommand)]
    pub(crate) verb: Option<SweepVerb>,
    /// The study: a TOML file with a scenario and the keys that differ, or the name of a built-in study
    #[arg(required = true, value_name = "STUDY")]
    pub(crate) study: Option<PathBuf>,
    /// The folder of the members; those that are there are not run again [default: runs/sweep-NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Run part I of N, counted from 0: as a Slurm array, GNU parallel, Dask or Snakemake want it
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub(crate) shard: Option<Shard>,
    /// Write a Slurm batch script with TASKS tasks, which share the members, and run nothing [default: 50 members a task]
    #[arg(long, value_name = "TASKS", num_args = 0..=1, require_equals = true, default_missing_value = "0",
          conflicts_with = "shard")]
    pub(crate) slurm: Option<u32>,
    /// Run members again that failed
    #[arg(long)]
    pub(crate) retry: bool,
    /// Set a key of the scenario in all members, like --set time.duration="2 d"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Number of threads [default: all cores], a member each; the results are the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Wall time between checkpoints of a member
    #[arg(long, value_name = "TIME", default_value = "5 min", value_parser = parse_duration)]
    pub(crate) checkpoint_every: Duration,
    /// Write checkpoints and stop after this wall time, like 11h50m, before a queue ends the job
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) wall_time: Option<Duration>,
    /// Print a summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SweepVerb {
    /// Make table, page and one dataset, ensemble.zarr, of the members that are there
    Gather {
        /// The folder of a sweep
        directory: PathBuf,
        /// Print a summary as JSON
        #[arg(long)]
        json: bool,
    },
}

/// A part of the members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: usize,
    pub(crate) count: usize,
}

pub(super) fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(index, count)| {
        Some(Shard {
            index: index.trim().parse().ok()?,
            count: count.trim().parse().ok()?,
        })
    });
    parts
        .filter(|shard| shard.index < shard.count)
        .ok_or_else(|| "write I/N with I from 0 to N−1, like 0/4".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_its_number() {
        assert!(parse_shard("4/4").is_err());
        assert!(parse_shard("1").is_err());
        assert_eq!(parse_shard("2/3"), Ok(Shard { index: 2, count: 3 }));
    }
}
