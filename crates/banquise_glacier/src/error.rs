//! Errors of glaciers and of their runs.

use thiserror::Error;

/// Error of a glacier, or of its run.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GlacierError {
    /// A quantity that must be positive and finite is not.
    #[error("{quantity} must be positive and finite, not {value}")]
    NotPositive {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// A quantity outside what makes sense.
    #[error("{quantity} must be {requirement}, not {value}")]
    OutOfRange {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// Requirement, to follow "must be".
        requirement: &'static str,
        /// The value given.
        value: f64,
    },
    /// On a slope without friction nothing holds the ice.
    #[error("without friction the ice has no steady sliding on a slope of {slope:.4} rad")]
    NoEquilibrium {
        /// The slope \[rad\].
        slope: f64,
    },
    /// A sample of the contact force that is not finite, or not after the one before.
    #[error("sample {index} of the contact force, {force} N/m at {time} s, {problem}")]
    BadSample {
        /// Index of the sample.
        index: usize,
        /// Its time \[s\].
        time: f64,
        /// Its force \[N m⁻¹\].
        force: f64,
        /// The cause.
        problem: &'static str,
    },
    /// The iceberg floats upright, or never leaves the wall.
    #[error("an iceberg {ratio} times as wide as high does not capsize against the front")]
    NoCapsize {
        /// Width over height.
        ratio: f64,
    },
    /// The step is longer than the longest stable one at the start.
    #[error(
        "a step of {dt} s is unstable in {scheme}, which is stable up to {limit:.4e} s at the start"
    )]
    StepTooLong {
        /// The step \[s\].
        dt: f64,
        /// The longest stable one \[s\].
        limit: f64,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// A block slowed down, and the step is now longer than the longest stable one.
    #[error(
        "step {step} at {time} s: the slowest block slides at {speed:.3e} m/s, and a step of {dt} s is \
         unstable above {limit:.3e} s"
    )]
    Slowed {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Speed of the slowest block \[m s⁻¹\].
        speed: f64,
        /// The step \[s\].
        dt: f64,
        /// The longest stable one at that speed \[s\].
        limit: f64,
    },
    /// Newton's method did not end.
    #[error(
        "step {step} at {time} s: no solution after {iterations} iterations, last change {change:.1e}"
    )]
    NotConverged {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// Iterations made.
        iterations: u32,
        /// Last change of the sliding variable, relative.
        change: f64,
    },
    /// A velocity became NaN or infinite.
    #[error("step {step} at {time} s: the state of block {block} is not finite")]
    NonFinite {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// The block, counted from the front.
        block: usize,
    },
    /// Momentum, contact and bed do not balance.
    #[error("step {step} at {time} s: F_s + dp/dt differs from F_c by {gap:.2e} of the forces")]
    IdentityBroken {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        time: f64,
        /// The difference, relative.
        gap: f64,
    },
}

impl GlacierError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotPositive { .. } | Self::OutOfRange { .. } => "give a value in that range",
            Self::NoEquilibrium { .. } => "set the slope to zero, or choose a bed with friction",
            Self::BadSample { .. } => "list finite samples, each later than the one before",
            Self::NoCapsize { .. } => "make it narrower: about 0.2 to 0.6 times its height",
            Self::StepTooLong { .. } => {
                "shorten the step, choose `hht` or `backward-euler`, or let it run with `over_limit = \"warn\"`"
            }
            Self::Slowed { .. } => {
                "explicit friction fails where the flow slows down or turns: choose `hht`, `backward-euler` or \
                 `semi-implicit`, or a bed that is linear near rest, or `over_limit = \"warn\"`"
            }
            Self::NotConverged { .. } => "shorten the step",
            Self::NonFinite { .. } => "shorten the step, and look for an extreme force",
            Self::IdentityBroken { .. } => {
                "this should not happen: please report it with its scenario"
            }
        }
    }
}
