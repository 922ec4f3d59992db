//! Why a flow is refused, or its solution was not found.

use banquise_geometry::GeometryError;
use thiserror::Error;

/// What is wrong with a flow, or went wrong in its solution.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FlowError {
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
    /// A shape that is none.
    #[error(transparent)]
    Shape(#[from] GeometryError),
    /// A body that is too small for the grid.
    #[error("body {body} covers no cell: its area is {cells:.2e} cells")]
    TooSmall {
        /// Which body.
        body: usize,
        /// Its area in cells.
        cells: f64,
    },
    /// A body that reaches over a wall, or over itself around the domain.
    #[error("body {body} does not fit into the domain")]
    DoesNotFit {
        /// Which body.
        body: usize,
    },
    /// Bodies that start closer than contacts let them come.
    #[error("bodies start with a gap of {gap:.3e}, less than the least one, {least:.3e}")]
    TooClose {
        /// Smallest gap between bodies or to a wall.
        gap: f64,
        /// The least gap that contacts keep.
        least: f64,
    },
    /// Velocities that keep the gaps were not found.
    #[error("at {time} s: no velocities keep the gaps of {contacts} contacts")]
    Contacts {
        /// Time \[s\].
        time: f64,
        /// How many contacts.
        contacts: usize,
    },
    /// The iteration for the stresses in the bodies did not converge.
    #[error(
        "no rigid motion of the bodies found after {iterations} iterations: relative residual {residual:.1e}"
    )]
    NotConverged {
        /// Iterations made.
        iterations: usize,
        /// Last residual, relative.
        residual: f64,
    },
    /// A stored state that does not fit.
    #[error("the stored state is that of another flow")]
    OtherState,
    /// A flow on triangles was not found.
    #[error(transparent)]
    Elements(#[from] banquise_fem::stokes::StokesError),
}

impl FlowError {
    /// The way out, for the person who reads the message.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotPositive { .. } | Self::OutOfRange { .. } => "give a value in that range",
            Self::Shape(error) => error.hint(),
            Self::TooSmall { .. } => "take more cells or larger bodies",
            Self::DoesNotFit { .. } => "move it inside, or make the domain larger",
            Self::TooClose { .. } => "take more cells, or place the bodies farther apart",
            Self::Contacts { .. } => "shorten the step, or give bodies more room",
            Self::OtherState => "give the settings with which it was made",
            Self::Elements(error) => error.hint(),
            Self::NotConverged { .. } => "raise the tolerance, or take more cells",
        }
    }

    /// Whether the input is at fault, and not the iteration.
    pub fn is_input(&self) -> bool {
        !matches!(
            self,
            Self::NotConverged { .. } | Self::Contacts { .. } | Self::Elements(_)
        )
    }
}

/// Refuses a value that is not positive and finite.
pub(crate) fn positive(quantity: &'static str, value: f64) -> Result<f64, FlowError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(FlowError::NotPositive { quantity, value })
    }
}
