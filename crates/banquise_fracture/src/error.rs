//! Why a network is refused, or its run stopped.

use thiserror::Error;

/// What is wrong with a network of springs, or went wrong in its run.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FractureError {
    /// A quantity that must be positive and finite is not.
    #[error("{quantity} must be positive and finite, not {value}")]
    NotPositive {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        value: f64,
    },
    /// A quantity outside its range.
    #[error("{quantity} must be {requirement}, not {value}")]
    OutOfRange {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// What it must be.
        requirement: &'static str,
        /// The value given.
        value: f64,
    },
    /// A striker shorter than an element of the bar it strikes.
    #[error(
        "a striker of {length} m is shorter than an element of the bar, {element} m: that takes {nodes} nodes, of at most {most}"
    )]
    ShortStriker {
        /// Length of the striker \[m\].
        length: f64,
        /// Length of an element of the bar \[m\].
        element: f64,
        /// Nodes that would resolve it.
        nodes: f64,
        /// The most nodes that there may be.
        most: usize,
    },
    /// Points that cannot be triangulated.
    #[error("the nodes of a lattice cannot be triangulated: {problem}")]
    Triangulation {
        /// What is wrong.
        problem: String,
    },
    /// The explicit step exceeds the bound with dashpots.
    #[error("a step of {dt} s is unstable: the springs and dashpots allow {limit:.4e} s")]
    StepTooLong {
        /// The step \[s\].
        dt: f64,
        /// The longest stable one \[s\].
        limit: f64,
    },
    /// Newton's method did not converge.
    #[error(
        "at {time} s: no solution of the implicit step after {iterations} iterations, residual {residual:.1e}"
    )]
    NotConverged {
        /// Time at the start of the step \[s\].
        time: f64,
        /// Iterations made.
        iterations: u32,
        /// Last residual, relative.
        residual: f64,
    },
    /// Impacts accumulate within a step.
    #[error("at {time} s: impacts accumulate, more than {count} within one step")]
    TooManyEvents {
        /// Time \[s\].
        time: f64,
        /// Events handled.
        count: u32,
    },
    /// A velocity became NaN or infinite.
    #[error("at {time} s: the velocity of node {node} is not finite")]
    NonFinite {
        /// Time \[s\].
        time: f64,
        /// The node.
        node: usize,
    },
}

impl FractureError {
    /// The way out, for the person who reads the message.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotPositive { .. } | Self::OutOfRange { .. } => "give a value in that range",
            Self::ShortStriker { .. } => "give that many nodes, a longer striker or a shorter bar",
            Self::Triangulation { .. } => "choose a side and a spacing of usual size",
            Self::StepTooLong { .. } => "shorten the step, or choose the implicit integrator",
            Self::NotConverged { .. } => "shorten the step",
            Self::TooManyEvents { .. } => {
                "choose the complementarity law: it passes from accumulating impacts to sustained contact"
            }
            Self::NonFinite { .. } => {
                "shorten the step, and look for an extreme speed or stiffness"
            }
        }
    }

    /// Whether the input is at fault, and not the run.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::NotPositive { .. }
                | Self::OutOfRange { .. }
                | Self::ShortStriker { .. }
                | Self::Triangulation { .. }
                | Self::StepTooLong { .. }
        )
    }
}

/// Refuses a value that is not positive and finite.
pub(crate) fn positive(quantity: &'static str, value: f64) -> Result<f64, FractureError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(FractureError::NotPositive { quantity, value })
    }
}

/// Refuses a value outside `range`.
pub(crate) fn within(
    quantity: &'static str,
    requirement: &'static str,
    range: std::ops::RangeInclusive<f64>,
    value: f64,
) -> Result<f64, FractureError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(FractureError::OutOfRange {
            quantity,
            requirement,
            value,
        })
    }
}
