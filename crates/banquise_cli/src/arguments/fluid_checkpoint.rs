//! Options of checkpoints of flows.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::durations::parse_duration;

#[derive(Debug, Clone, Args)]
pub(crate) struct FluidCheckpointArguments {
    /// Keep checkpoints in this directory; where it has one, go on from it: the same command again ends as if it had not been stopped
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Wall time between checkpoints
    #[arg(long, value_name = "TIME", default_value = "5 min", value_parser = parse_duration, requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,
}
