//! Capture of contact problems, to be stored and solved again.

use banquise_solver::{Body, Bound, ContactProblem, Crushing, ImpactReport, ImpactSettings};

use crate::world::Clock;

/// Which contact problems are kept for the report of the step. It changes no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Capture {
    /// No problem.
    #[default]
    Nothing,
    /// Problems with [`ImpactReport::suspicions`].
    Suspicious,
    /// Every problem.
    All,
}

impl Capture {
    /// Whether a problem with this report is kept.
    pub(crate) fn keeps(self, report: &ImpactReport) -> bool {
        match self {
            Self::Nothing => false,
            Self::Suspicious => !report.suspicions().is_empty(),
            Self::All => true,
        }
    }
}

/// A contact problem of a run: an impact, or the problem of one island in a fixed step.
#[derive(Debug, Clone, PartialEq)]
pub struct CapturedImpact {
    /// Time and step of the problem.
    pub clock: Clock,
    /// The bodies and contacts before it.
    pub before: ContactProblem,
    /// Bounds on the normal velocities, in a fixed step.
    pub bounds: Option<Vec<Bound>>,
    /// Strengths of the contacts, where ice may be crushed; they hold instead of the bounds.
    pub crushing: Option<Vec<Crushing>>,
    /// The bodies after it.
    pub after: Vec<Body>,
    /// Settings of the impact law; a fixed step does not use them.
    pub settings: ImpactSettings,
    /// Report of the solution.
    pub report: ImpactReport,
}
