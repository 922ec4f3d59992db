//! Arguments of watchdogs.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::durations::parse_duration;

/// What a run does where its state cannot be trusted.
#[derive(Debug, Clone, Args)]
pub(crate) struct WatchArguments {
    /// What a watchdog does: stop, continue (and count) or off, for energy, mass, overlap [default: stop], step or solver [default: continue]; may be repeated
    #[arg(long, value_name = "NAME=POLICY", value_parser = parse_watch)]
    pub(crate) watch: Vec<(Watched, Policy)>,
    /// The watchdog `step` looks for steps shorter than this
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) min_step: Option<std::time::Duration>,
}

/// What a watchdog looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Watched {
    /// Kinetic energy beyond the work of forces and contacts
    Energy,
    /// Mass of the floes beyond those that came and went
    Mass,
    /// Two bodies that overlap, by an exact test at every 256th step
    Overlap,
    /// A step shorter than --min-step
    Step,
    /// A contact solve that reached its operation limit
    Solver,
}

/// What happens when a watchdog barks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Policy {
    /// The run stops with a capsule of the step
    Stop,
    /// It goes on, and the event is counted
    Continue,
    /// It is not looked at
    Off,
}

/// One `--watch NAME=POLICY`.
pub(crate) fn parse_watch(text: &str) -> Result<(Watched, Policy), String> {
    let usage = || {
        "write NAME=POLICY: energy, mass, overlap, step or solver, and stop, continue or off"
            .to_owned()
    };
    let (name, policy) = text.split_once('=').ok_or_else(usage)?;
    let watched = Watched::from_str(name.trim(), true)
        .ok()
        .ok_or_else(usage)?;
    let policy = Policy::from_str(policy.trim(), true)
        .ok()
        .ok_or_else(usage)?;
    Ok((watched, policy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read() {
        assert_eq!(
            parse_watch("energy=off"),
            Ok((Watched::Energy, Policy::Off))
        );
        assert!(parse_watch("energy").is_err());
        assert!(parse_watch("speed=stop").is_err());
    }
}
