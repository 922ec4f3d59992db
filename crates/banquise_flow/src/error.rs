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
    /// A body with corners, where gluey contacts are of discs.
    #[error("gluey contacts are of discs, and body {body} is none")]
    NoDisc {
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
    /// A body that moves too far in a step, or without bound.
    #[error("at {time}: body {body} moves {radii:.1} times its radius in a step")]
    TooFast {
        /// Time, in the units of the study.
        time: f64,
        /// Which body.
        body: usize,
        /// Path of its fastest point in a step, in radii.
        radii: f64,
    },
    /// A body that would pass another, or its own images.
    #[error("{what} are {gap:.3} cells apart: {requirement}")]
    Crowded {
        /// Which bodies.
        what: &'static str,
        /// Their distance in cells, negative where they overlap.
        gap: f64,
        /// What the distance must be.
        requirement: &'static str,
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
    /// A flow that does not keep momentum.
    #[error("momentum is kept to {missing:.1e} of what is driven, and not to {allowed:.0e}")]
    Unbalanced {
        /// What is missing in the sum of all forces, over what is driven.
        missing: f64,
        /// What may be missing.
        allowed: f64,
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
            Self::NoDisc { .. } => "take discs, or dry contacts",
            Self::TooClose { .. } => "take more cells, or place the bodies farther apart",
            Self::Crowded { .. } => "take more cells, or smaller bodies",
            Self::TooFast { .. } => "shorten the step, or weaken what drives the body",
            Self::Contacts { .. } => "shorten the step, or give bodies more room",
            Self::Unbalanced { .. } => {
                "take other cells or tolerance; this is a fault of the solver, please report it"
            }
            Self::OtherState => "give the settings with which it was made",
            Self::Elements(error) => error.hint(),
            Self::NotConverged { .. } => "raise the tolerance, or take more cells",
        }
    }

    /// Whether the input is at fault, and not the iteration.
    pub fn is_input(&self) -> bool {
        !matches!(
            self,
            Self::NotConverged { .. }
                | Self::Contacts { .. }
                | Self::TooFast { .. }
                | Self::Unbalanced { .. }
                | Self::Elements(_)
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

/// Path of a body in a step, in its radii, beyond which the step is refused: contacts could no longer tell on which side of a neighbour it is (Lefebvre 2007, remark 5.1).
const LONGEST_PATH: f64 = 2.0;

/// Refuses a step in which a body goes farther than twice its radius, or to nowhere.
pub(crate) fn check_path(time: f64, body: usize, path: f64, radius: f64) -> Result<(), FlowError> {
    let radii = path / radius;
    // Not a number is no short path.
    if radii <= LONGEST_PATH {
        Ok(())
    } else {
        Err(FlowError::TooFast { time, body, radii })
    }
}
