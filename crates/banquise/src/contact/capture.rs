//! Impacts worth another look, kept as they were.

use banquise_solver::{Body, ContactProblem, ImpactReport, ImpactSettings};

use crate::world::Clock;

/// An impact that was suspicious: [`ImpactReport::suspicions`] says why.
#[derive(Debug, Clone, PartialEq)]
pub struct CapturedImpact {
    /// When it happened.
    pub clock: Clock,
    /// The bodies and contacts before it.
    pub before: ContactProblem,
    /// The bodies after it.
    pub after: Vec<Body>,
    /// How it was solved.
    pub settings: ImpactSettings,
    /// What came out.
    pub report: ImpactReport,
}
