//! The bodies of a scenario as values: what each is and where it is written.

use std::collections::BTreeSet;

use banquise::{BodyPath, BodySpec, Domain, Material};

use super::PlanError;
use crate::scenario::{Problem, ProblemKind, Problems, Span};

/// Bodies a scenario may have.
pub(super) const MAX_BODIES: usize = 1_000_000;

/// A body that a scenario lists.
#[derive(Debug, Clone)]
pub struct PlannedBody {
    /// Shape, place, velocity and matter.
    pub spec: BodySpec,
    /// Path of an obstacle that moves.
    pub path: Option<BodyPath>,
    /// Where it is written.
    pub span: Span,
}

impl PlannedBody {
    /// A body that follows no path.
    pub(super) fn at_rest(spec: BodySpec, span: Span) -> Self {
        Self {
            spec,
            path: None,
            span,
        }
    }
}

/// All bodies that a scenario lists, in the order in which the world will have them.
#[derive(Debug)]
pub(super) struct BodyList {
    pub(super) bodies: Vec<PlannedBody>,
    /// The edges of the world they are for.
    pub(super) domain: Domain,
    /// Defaults of `[ice]` for all floes.
    pub(super) defaults: IceDefaults,
    /// The names taken.
    names: BTreeSet<String>,
}

/// Defaults of `[ice]` for all floes.
#[derive(Debug, Clone, Copy)]
pub(super) struct IceDefaults {
    pub(super) material: Material,
    pub(super) thickness: Option<f64>,
}

impl BodyList {
    pub(super) fn new(domain: Domain, defaults: IceDefaults) -> Self {
        Self {
            bodies: Vec::new(),
            domain,
            defaults,
            names: BTreeSet::new(),
        }
    }

    /// Adds a body, unless another one has its name.
    pub(super) fn add(&mut self, body: PlannedBody, problems: &Problems) -> Option<()> {
        let name = &body.spec.name;
        if !name.is_empty() && !self.names.insert(name.clone()) {
            let name = name.clone();
            problems.push(PlanError::NameTwice { name }.at("this body", body.span));
            return None;
        }
        self.bodies.push(body);
        Some(())
    }
}

/// Refuses more bodies than there may be.
pub(super) fn check_count(count: usize, span: Span, problems: &Problems) -> Option<()> {
    if count <= MAX_BODIES {
        return Some(());
    }
    let kind = ProblemKind::TooMany {
        what: "bodies",
        count,
        limit: MAX_BODIES,
    };
    problems.push(Problem::new(kind, span).with_hint("make fewer copies".into()));
    None
}
